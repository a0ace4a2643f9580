/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a table with elfutils, address by address. To be included after cmocka.h. */
#ifndef PROFBPF_TEST_UNWIND_COMPARE_H
#define PROFBPF_TEST_UNWIND_COMPARE_H

#include <unistd.h>

#include "tests/unit/unwind_oracle.h"

#define MAX_ADDRESSES 150000 /* of an object */

/* An object in both libraries. */
struct subject {
	int fd;
	struct unwind_table *table;
	struct unwind_stats stats;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *eh, *debug;
	unsigned long compared, differing, unknown, complex;
};

static inline void open_subject(struct subject *s, int fd)
{
	*s = (struct subject){ .fd = fd };
	assert_int_equal(unwind_table_build(fd, 0, &s->table, &s->stats), 0);
	elf_version(EV_CURRENT);
	s->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	assert_non_null(s->elf);
	s->eh = dwarf_getcfi_elf(s->elf);
	s->dwarf = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dwarf)
		s->debug = dwarf_getcfi(s->dwarf);
}

static inline void close_subject(struct subject *s)
{
	if (s->eh)
		dwarf_cfi_end(s->eh);
	if (s->dwarf)
		dwarf_end(s->dwarf);
	elf_end(s->elf);
	unwind_table_free(s->table);
	close(s->fd);
}

static inline void print_step(const char *who, const struct oracle_step *s)
{
	static const char *const kinds[] = { "none", "end", "unknown", "caller" };

	print_error("  %s: %s sp %jx pc %jx rbp %jx rbx %jx%s\n", who, kinds[s->kind],
		    (uintmax_t)s->sp, (uintmax_t)s->pc, (uintmax_t)s->rbp, (uintmax_t)s->rbx,
		    s->signal_frame ? " signal" : "");
}

static inline void compare_at(struct subject *s, const char *name, uint64_t address)
{
	struct oracle_regs regs = oracle_registers(address, 1);
	struct oracle_step theirs, ours;

	oracle_elfutils(s->eh, address, &regs, &theirs);
	if (theirs.kind == STEP_NONE)
		oracle_elfutils(s->debug, address, &regs, &theirs);
	oracle_row(s->table, &regs, &ours);
	s->compared++;
	s->unknown += ours.kind == STEP_UNKNOWN;
	s->complex += UNWIND_KIND(unwind_table_find(s->table, address)) == UNWIND_COMPLEX;
	if (oracle_same(&theirs, &ours))
		return;
	if (s->differing++ < 5) {
		print_error("%s differs at %jx:\n", name, (uintmax_t)address);
		print_step("elfutils", &theirs);
		print_step("the table", &ours);
	}
}

/* As compare_at, but an unknown row only counts. */
static inline void compare_unless_unknown(struct subject *s, const char *name, uint64_t address)
{
	if (UNWIND_KIND(unwind_table_find(s->table, address)) != UNWIND_UNKNOWN) {
		compare_at(s, name, address);
		return;
	}
	s->compared++;
	s->unknown++;
}

/* Every row's start and the byte before it, and every 13th byte (fewer in large objects). */
static inline void compare_all(struct subject *s, const char *name)
{
	const struct unwind_table *t = s->table;
	uint64_t size = (uint64_t)t->n_blocks * UNWIND_BLOCK;
	uint32_t row_step = t->n_rows / MAX_ADDRESSES + 1;
	uint64_t step = 13 * (size / 13 / MAX_ADDRESSES + 1);

	for (uint32_t block = 0; block < t->n_blocks; block++)
		for (uint32_t i = t->directory[block]; i < t->directory[block + 1]; i++) {
			uint64_t at =
				t->base + (uint64_t)block * UNWIND_BLOCK + (t->rows[i] & 0xff);

			if (i % row_step)
				continue;
			compare_at(s, name, at);
			if (at > t->base)
				compare_at(s, name, at - 1);
		}
	for (uint64_t at = 0; at < size; at += step)
		compare_at(s, name, t->base + at);
}

#endif
