/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unwind tables: what .eh_frame (or .debug_frame) says about each instruction, in rows so compact
 * that the kernel programs can keep them for all objects and search them at every frame. Knows ELF,
 * nothing of BPF or of processes. x86-64 only.
 */
#ifndef PROFBPF_UNWIND_TABLE_H
#define PROFBPF_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/walk/rules.h"

struct unwind_table {
	/* Addresses are those of the object's own address space. Blocks of UNWIND_BLOCK bytes, the
	 * first of which begins at base. */
	uint64_t base;
	uint32_t n_blocks;
	uint32_t n_rows;
	uint32_t n_complex;
	/* n_blocks + 1: the index of the first row that begins in a block or later. The row before it
	 * is in force where a block begins (rows[0] always begins at base). */
	uint32_t *directory;
	uint32_t *rows; /* rule << 8 | offset in the block, ascending */
	struct unwind_complex *complex; /* rules that don't fit a row */
};

/* What went wrong or was left out, for the report. */
struct unwind_stats {
	uint32_t entries; /* FDEs used */
	uint32_t bad_entries; /* FDEs that make no sense, or overlap an earlier one */
	uint32_t unknown_rules; /* rows whose rule can't be expressed: marked UNWIND_UNKNOWN */
	bool from_debug_frame;
	bool cut_off; /* a length leads out of a section: what follows is unknown */
};

/*
 * Builds the table of an open ELF file. -ENODATA: it has neither section nor segment with unwind
 * data; -EBADMSG: nothing in them makes sense; -ENOEXEC: no 64-bit x86 ELF; -E2BIG: more rows than max_rows (0: no limit); -ENOMEM; -errno.
 * The descriptor stays the caller's. The caller frees *table.
 */
int unwind_table_build(int fd, uint32_t max_rows, struct unwind_table **table,
		       struct unwind_stats *stats);
/*
 * The table of an object that has no unwind data, from its instructions: of the functions that symbols tell
 * of and, marked as guesses, of those that seem to be between them. -ENODATA: it has none that can
 * be followed; else as unwind_table_build.
 */
int unwind_table_from_code(int fd, struct unwind_table **table);
void unwind_table_free(struct unwind_table *t);

/*
 * Puts rules in the place of others, for code about which more is known than its entries say. The list is
 * by address, inside the table, without overlaps. *table is replaced. 0 or -ENOMEM.
 */
struct unwind_override {
	uint64_t start, end;
	uint32_t rule; /* packed, without offset */
};
int unwind_table_override(struct unwind_table **table, const struct unwind_override *list,
			  size_t n);

/*
 * Puts in what is known of all programs' and of Go's code beside their call frame information. fd is
 * the file that the table was built from and stays the caller's. 0 or -ENOMEM.
 */
int unwind_table_amend(int fd, struct unwind_table **table);
/* Whether amending reads much code, which takes longer than building: entries tell of little of it. */
bool unwind_table_is_sparse(int fd, const struct unwind_table *table);

/* The row in force at an address: its packed rule (without offset); UNWIND_NONE outside. */
uint32_t unwind_table_find(const struct unwind_table *t, uint64_t address);

/* --- the cache, across runs, by build id --- */

/*
 * Reads DIR/BUILDID.unwind. -ENOENT: there is none, it is damaged or of another version, it belongs to
 * someone else than root or us, others may write to it, or build_id is not made of lower-case
 * hexadecimal digits; -ENOMEM; -errno. The caller frees *table; its memory is the mapped file's.
 */
int unwind_cache_read(const char *dir, const char *build_id, struct unwind_table **table);

/*
 * Writes it under a temporary name and renames it. The directory must exist and be writable to nobody
 * else. -EINVAL: no such build id; -errno. Whoever can choose an object's build id chooses the name:
 * cache objects that only root can write.
 */
int unwind_cache_write(const char *dir, const char *build_id, const struct unwind_table *table);

#endif
