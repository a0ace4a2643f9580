/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code without an entry in an object that has tables: leaves that do not touch the stack, functions that
 * keep a frame pointer, and what is compiled without unwind tables into a program that has them (assembly,
 * musl). The return address is looked for, and recognised by the call before it. Included by native.h.
 */
#ifndef PROFBPF_WALK_NO_ENTRY_H
#define PROFBPF_WALK_NO_ENTRY_H

#define WALK_FUNCTION_BYTES 0x2000 /* more than most functions have */
#define WALK_NEIGHBOUR_BYTES 0x400 /* from a function to one that it ends in a jump to */

/* ff /2 in its usual lengths. */
static inline __attribute__((always_inline)) int walk_is_indirect(__u64 code)
{
	return ((code >> 48) & 0x38ff) == 0x10ff || ((code >> 40) & 0x38ff) == 0x10ff ||
	       ((code >> 16) & 0x38ff) == 0x10ff || ((code >> 32) & 0x38ff) == 0x10ff ||
	       ((code >> 8) & 0x38ff) == 0x10ff;
}

/* An entry of a linkage table: jmp *, maybe after endbr64 or with a prefix. */
static inline __attribute__((always_inline)) int walk_is_linkage(struct walk *w, __u64 address)
{
	__u64 code;

	if (walk_read_code(w, &code, address))
		return 0;
	if ((__u32)code == 0xfa1e0ff3)
		code >>= 32;
	return (code & 0xffff) == 0x25ff || (code & 0xffffff) == 0x25fff2;
}

/*
 * Whether a call that may have led to the code at w->pc ends at a return address: an indirect one, one
 * to code shortly before, or one to a linkage table. w->range must be that of w->pc.
 */
static inline __attribute__((always_inline)) int walk_follows_call(struct walk *w, __u64 ra)
{
	__u64 code, target;

	if (walk_read_code(w, &code, ra - 8))
		return 0;
	/* The last byte before ra is the top byte of code: e8 and 32 bits of distance. */
	if (((code >> 24) & 0xff) != 0xe8)
		return walk_is_indirect(code);
	target = ra + (__u64)(__s64)(__s32)(code >> 32);
	return w->pc - target < WALK_FUNCTION_BYTES || target - w->pc < WALK_NEIGHBOUR_BYTES ||
	       walk_is_linkage(w, target);
}

/* Whether code is mapped there. Leaves w->range as it is. Most words of a stack are no code, and what is in
 * no list is asked for only where there is none. */
static inline __attribute__((always_inline)) int walk_is_code(struct walk *w, __u64 pc)
{
	struct unwind_range kept = w->range;
	int found = walk_find_listed(w, pc) || (!w->n_ranges && walk_ask(w, pc) > 0);

	w->range = kept;
	return found;
}

static inline __attribute__((always_inline)) int walk_is_return(struct walk *w, __u64 ra)
{
	if (!(ra % WALK_PAGE) && walk_is_trampoline(w, ra))
		return 1;
	return walk_is_code(w, ra - 1) && walk_follows_call(w, ra);
}

/* A return address in a word of the stack. */
static inline __attribute__((always_inline)) __u32 walk_return_at(struct walk *w, __u64 at)
{
	__u64 ra;

	if (walk_read8(w, &ra, at) || !walk_is_return(w, ra))
		return WALK_NO_RULE;
	return walk_to_caller(w, ra, at + 8);
}

/* A function that has pushed one register, or made room for as much. */
static inline __attribute__((always_inline)) __u32 walk_small_frame(struct walk *w)
{
	__u32 why = walk_return_at(w, w->sp + 8);

	if (why == WALK_ON)
		w->guess = WALK_GUESS;
	return why;
}

/* Whether the frame pointer leads to what looks like a frame. */
static inline __attribute__((always_inline)) int walk_has_frame(struct walk *w)
{
	__u64 ra;

	return !walk_load_fp(w) && !(w->fp & 7) && w->fp >= w->sp &&
	       !walk_read8(w, &ra, w->fp + 8) && walk_is_return(w, ra);
}

static inline __attribute__((always_inline)) __u32 walk_without_entry(struct walk *w)
{
	__u32 interrupted = w->registers != WALK_REGS_NONE, why = WALK_NO_RULE;

	if (walk_find_range(w, w->pc) <= 0)
		return WALK_NO_RULE;
	if (interrupted)
		why = walk_return_at(w, w->sp); /* a leaf */
	if (why != WALK_NO_RULE)
		return why;
	if (walk_has_frame(w))
		return walk_by_guess(w);
	return walk_small_frame(w);
}

#endif
