// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <gelf.h>

#include "unwind/go_marks.h"
#include "unwind/object.h"
#include "unwind/scan.h"
#include "unwind/table.h"

/*
 * Nothing calls a program's first instructions. Where they have no entry (ld.so, musl) their end can't
 * be seen; what they do before they call is done in fewer bytes than these. Where an entry says otherwise, of
 * the very first only.
 */
#define START_BYTES 64

/* Where a program begins. 0: nowhere. */
static uint64_t read_start(int fd)
{
	uint64_t start = 0;
	GElf_Ehdr head;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head))
		start = head.e_entry;
	elf_end(elf);
	return start;
}

static int end_at_start(uint64_t start, struct unwind_table **table)
{
	const struct unwind_table *t = *table;
	struct unwind_override v = { start, start + 1, UNWIND_END };
	uint64_t end = t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK - 1;

	if (!start || start < t->base || start >= end)
		return 0;
	while (v.end < end && v.end - start < START_BYTES &&
	       unwind_table_find(t, v.end) == UNWIND_NONE)
		v.end++;
	return unwind_table_override(table, &v, 1);
}

int unwind_table_amend(int fd, struct unwind_table **table)
{
	int err = end_at_start(read_start(fd), table);

	if (!err)
		err = unwind_go_apply(fd, table);
	return err ? err : unwind_scan_apply(fd, table);
}

int unwind_table_from_code(int fd, struct unwind_table **table)
{
	struct unwind_object o;
	struct unwind_table *t = NULL;
	int err = unwind_object_read(fd, &o);

	if (err)
		return err;
	err = unwind_object_blank(&o, &t);
	unwind_object_clear(&o);
	if (!err)
		err = unwind_scan_apply(fd, &t);
	if (!err && t->n_rows <= 1)
		err = -ENODATA;
	if (err)
		unwind_table_free(t);
	else
		*table = t;
	return err;
}
