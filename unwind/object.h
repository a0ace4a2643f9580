/* SPDX-License-Identifier: BSD-2-Clause */
/* What of an ELF file unwind tables are made from. */
#ifndef PROFBPF_UNWIND_OBJECT_H
#define PROFBPF_UNWIND_OBJECT_H

#include "unwind/cfi.h"
#include "unwind/table.h"

#define UNWIND_SEGMENTS 32

struct unwind_object {
	/* The executable segments, ascending; parts that overlap an earlier one are left out. */
	struct cfi_range code[UNWIND_SEGMENTS];
	size_t n_code;
	struct cfi_section eh, debug; /* data malloc'd; NULL if the file has none */
};

/*
 * Reads an open file with pread(2), nothing stays mapped: a file that is cut off while we look must
 * not kill us. -ENOEXEC: no x86-64 ELF file, or damaged; -ENODATA: no code;
 * -EFBIG; -ENOMEM; -errno.
 */
int unwind_object_read(int fd, struct unwind_object *object);
void unwind_object_clear(struct unwind_object *object);

/* A table without any rule, of an object with n_code > 0. -E2BIG, -ENOMEM. */
int unwind_object_blank(struct unwind_object *object, struct unwind_table **table);

/* As unwind_table_build, of an object with n_code > 0. May cut off code that is too far away. */
int unwind_object_table(struct unwind_object *object, uint32_t max_rows,
			struct unwind_table **table, struct unwind_stats *stats);

#endif
