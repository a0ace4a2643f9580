// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "unwind/go_marks.h"
#include "unwind/instruction.h"
#include "unwind/table.h"

#define MAX_PIECES 8 /* of a function */
#define MAX_FUNCTION 1024 /* bytes that are looked at: symbols may lie about sizes */
#define FRAME_SET 4 /* bytes of push %rbp and mov %rsp, %rbp */

/*
 * The runtime's assembly (runtime/asm_amd64.s, sys_linux_amd64.s) keeps the frame pointer of the
 * goroutine when it goes over to the thread's stack, so that one leads back. mcall and morestack never
 * return once they have taken the thread's stack, nor does gogo when it has the goroutine's.
 */
static const uint32_t rules[UNWIND_GO_MARKS] = {
	[UNWIND_GO_SYSTEMSTACK] = UNWIND_SWITCH,  [UNWIND_GO_ASMCGOCALL] = UNWIND_SWITCH,
	[UNWIND_GO_MORESTACK] = UNWIND_SWITCH,	  [UNWIND_GO_MCALL] = UNWIND_END,
	[UNWIND_GO_GOEXIT] = UNWIND_END,	  [UNWIND_GO_RT0_GO] = UNWIND_END,
	[UNWIND_GO_MSTART] = UNWIND_END,	  [UNWIND_GO_GOGO] = UNWIND_END,
	[UNWIND_GO_SIGRETURN] = UNWIND_SIGRETURN,
};

static int by_start(const void *a, const void *b)
{
	const struct unwind_override *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Code at an address of the object; returns how many bytes there are, size at most. */
static size_t read_code(int fd, uint64_t address, uint8_t *code, size_t size)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	ssize_t got = 0;
	size_t n = 0;

	if (!elf || elf_getphdrnum(elf, &n))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD && address >= p.p_vaddr &&
		    address - p.p_vaddr < p.p_filesz)
			got = pread(fd, code, size, (off_t)(p.p_offset + (address - p.p_vaddr)));
	}
	elf_end(elf);
	return got > 0 ? (size_t)got : 0;
}

/* Before it takes another stack the function's entry is right. Without such an instruction the whole. */
static struct unwind_override behind_switch(int fd, struct unwind_override v)
{
	uint8_t code[MAX_FUNCTION];
	size_t size = v.end - v.start < sizeof(code) ? v.end - v.start : sizeof(code);
	struct instruction i;

	size = read_code(fd, v.start, code, size);
	for (size_t at = 0; at < size; at += i.length) {
		if (instruction_read(code + at, size - at, &i))
			break;
		if (i.kind != INSTRUCTION_UNKNOWN_RSP)
			continue;
		v.start += at + i.length;
		break;
	}
	return v;
}

/*
 * Where the function has its frame, which rbp points to on whatever stack it goes on; before that and behind
 * it its entry is right. Returns how many pieces; one, the whole, of a function that sets no frame up (older Go).
 */
static size_t framed_pieces(const struct unwind_table *t, struct unwind_override v,
			    struct unwind_override *list)
{
	size_t n = 0;

	for (uint64_t at = v.start + FRAME_SET; at < v.end && at - v.start < MAX_FUNCTION; at++) {
		uint32_t rule = unwind_table_find(t, at);

		if (UNWIND_KIND(rule) != UNWIND_RSP || UNWIND_CFA_OFFSET(rule) <= 8)
			continue;
		if (n && list[n - 1].end == at)
			list[n - 1].end++;
		else if (n < MAX_PIECES)
			list[n++] = (struct unwind_override){ at, at + 1, v.rule };
	}
	if (!n)
		list[n++] = v;
	return n;
}

/* What takes the place of a function's entry; returns how many. */
static size_t pieces(int fd, const struct unwind_table *t, enum unwind_go_mark mark,
		     struct unwind_override v, struct unwind_override *list)
{
	if (mark == UNWIND_GO_SYSTEMSTACK || mark == UNWIND_GO_ASMCGOCALL)
		return framed_pieces(t, v, list);
	if (mark == UNWIND_GO_MORESTACK || mark == UNWIND_GO_MCALL)
		v = behind_switch(fd, v);
	/* What the signal's handler returns to is looked up one byte before. */
	if (mark == UNWIND_GO_SIGRETURN)
		v.start--;
	*list = v;
	return v.start < v.end;
}

/* Overrides that lie in the table, in order; overlapping ones after the first are left out. */
static size_t collect(int fd, const struct unwind_go_marks *marks, const struct unwind_table *t,
		      struct unwind_override *list)
{
	uint64_t end = t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK;
	size_t n = 0, kept = 0, i;

	for (i = 0; i < UNWIND_GO_MARKS; i++) {
		struct unwind_override v = { marks->mark[i].start, marks->mark[i].end, rules[i] };

		if (v.rule && v.start > t->base && v.start < v.end && v.end < end)
			n += pieces(fd, t, (enum unwind_go_mark)i, v, list + n);
	}
	qsort(list, n, sizeof(*list), by_start);
	for (i = 0; i < n; i++) {
		if (!kept || list[i].start >= list[kept - 1].end)
			list[kept++] = list[i];
	}
	return kept;
}

/* Whether the address lies in one of these functions, from a first mark to before a last. */
static bool lies_in(const struct unwind_go_marks *marks, uint64_t address, int first, int last)
{
	for (int i = first; i < last; i++)
		if (address >= marks->mark[i].start && address < marks->mark[i].end)
			return true;
	return false;
}

/* Whether the function has a frame of its own, but the stack pointer in it is another stack's or aligned. */
static bool moves_stack(const struct unwind_go_marks *marks, uint64_t address)
{
	return lies_in(marks, address, UNWIND_GO_FIRST_FRAMED, UNWIND_GO_FIRST_INJECTED);
}

/*
 * Whether nothing called the function: a handler of signals pushed the interrupted address and went on there
 * (src/runtime/signal_unix.go, doSigPreempt and preparePanic).
 */
static bool is_injected(const struct unwind_go_marks *marks, uint64_t address)
{
	return lies_in(marks, address, UNWIND_GO_FIRST_INJECTED, UNWIND_GO_MARKS);
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

	if (UNWIND_KIND(rule) != UNWIND_RSP || UNWIND_RBP_SLOT(rule) ||
	    (address >= c->start && address < c->end))
		return rule;
	if (is_injected(marks, address))
		rule = (rule & ~7u) | UNWIND_SWITCH;
	if (UNWIND_CFA_OFFSET(rule) < 16)
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
	struct unwind_override list[UNWIND_GO_MARKS * MAX_PIECES];
	struct unwind_go_marks marks;
	size_t n;

	if (unwind_go_marks(fd, &marks))
		return 0;
	add_frame_pointers(&marks, *table);
	n = collect(fd, &marks, *table, list);
	return n ? unwind_table_override(table, list, n) : 0;
}
