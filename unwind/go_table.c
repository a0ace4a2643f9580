// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "unwind/go_marks.h"
#include "unwind/table.h"

/*
 * The runtime's assembly (runtime/asm_amd64.s, sys_linux_amd64.s) keeps the frame pointer of the
 * goroutine when it goes over to the thread's stack, so that one leads back. mcall never returns, and
 * gogo has no caller once it has taken the goroutine's stack.
 */
static const uint32_t rules[UNWIND_GO_MARKS] = {
	[UNWIND_GO_SYSTEMSTACK] = UNWIND_SWITCH, [UNWIND_GO_ASMCGOCALL] = UNWIND_SWITCH,
	[UNWIND_GO_MORESTACK] = UNWIND_SWITCH,	 [UNWIND_GO_CGOCALLBACK] = UNWIND_SWITCH,
	[UNWIND_GO_MCALL] = UNWIND_END,		 [UNWIND_GO_GOEXIT] = UNWIND_END,
	[UNWIND_GO_RT0_GO] = UNWIND_END,	 [UNWIND_GO_MSTART] = UNWIND_END,
	[UNWIND_GO_GOGO] = UNWIND_END,		 [UNWIND_GO_SIGRETURN] = UNWIND_SIGRETURN,
};

static int by_start(const void *a, const void *b)
{
	const struct unwind_override *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Overrides that lie in the table, in order; overlapping ones after the first are left out. */
static size_t collect(const struct unwind_go_marks *marks, const struct unwind_table *t,
		      struct unwind_override *list)
{
	uint64_t end = t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK;
	size_t n = 0, kept = 0, i;

	for (i = 0; i < UNWIND_GO_MARKS; i++) {
		struct unwind_override v = { marks->mark[i].start, marks->mark[i].end, rules[i] };

		/* What the signal's handler returns to is looked up one byte before. */
		if (v.rule == UNWIND_SIGRETURN)
			v.start--;
		if (v.rule && v.start >= t->base && v.start < v.end && v.end < end)
			list[n++] = v;
	}
	qsort(list, n, sizeof(*list), by_start);
	for (i = 0; i < n; i++) {
		if (!kept || list[i].start >= list[kept - 1].end)
			list[kept++] = list[i];
	}
	return kept;
}

/* Whether the function has a frame of its own, but the stack pointer in it is another stack's or aligned. */
static bool moves_stack(const struct unwind_go_marks *marks, uint64_t address)
{
	for (int i = UNWIND_GO_FIRST_FRAMED; i < UNWIND_GO_MARKS; i++)
		if (address >= marks->mark[i].start && address < marks->mark[i].end)
			return true;
	return false;
}

/*
 * Go's call frame information does not say where rbp was saved. Its assembler saves it first of all, in
 * every function with a frame (cmd/internal/obj/x86, preprocess), so below the return address. What C calls
 * keeps C's registers elsewhere, and rbp as it was.
 */
static uint32_t with_frame_pointer(const struct unwind_go_marks *marks, uint64_t address,
				   uint32_t rule)
{
	const struct unwind_go_range *c = &marks->mark[UNWIND_GO_CROSSCALL2];

	if (UNWIND_KIND(rule) != UNWIND_RSP || UNWIND_CFA_OFFSET(rule) < 16 ||
	    UNWIND_RBP_SLOT(rule) || (address >= c->start && address < c->end))
		return rule;
	if (UNWIND_CFA_OFFSET(rule) > 16 && moves_stack(marks, address))
		return UNWIND_SWITCH;
	return rule | 2u << 16;
}

static void add_frame_pointers(const struct unwind_go_marks *marks, struct unwind_table *t)
{
	uint64_t start = marks->mark[UNWIND_GO_TEXT].start;
	uint64_t end = marks->mark[UNWIND_GO_ETEXT].start;

	for (uint32_t block = 0; block < t->n_blocks; block++) {
		for (uint32_t i = t->directory[block]; i < t->directory[block + 1]; i++) {
			uint32_t row = t->rows[i];
			uint64_t address = t->base + (uint64_t)block * UNWIND_BLOCK + (row & 0xff);

			if (address >= start && address < end)
				t->rows[i] = (row & 0xff) |
					     with_frame_pointer(marks, address, row >> 8) << 8;
		}
	}
}

int unwind_go_apply(int fd, struct unwind_table **table)
{
	struct unwind_override list[UNWIND_GO_MARKS];
	struct unwind_go_marks marks;
	size_t n;

	if (unwind_go_marks(fd, &marks))
		return 0;
	add_frame_pointers(&marks, *table);
	n = collect(&marks, *table, list);
	return n ? unwind_table_override(table, list, n) : 0;
}
