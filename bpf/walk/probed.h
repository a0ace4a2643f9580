/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel's probes of user code (uprobes) put in a walk's way: return addresses that have been
 * replaced by a trampoline's, instructions that are executed in a copy elsewhere, and calls that a probe has
 * become. Included by native.h. The includer provides
 *
 *	static int walk_probes(struct walk *w, struct walk_probes *p);
 *
 * which tells what there is in the process, and returns 0 where there is nothing; and
 *
 *	static int walk_find_return(struct walk *w, __u64 low, __u64 high, struct walk_return *r);
 *
 * which looks among the thread's pending returns for the innermost whose return address had its place
 * from low to high, and returns 0, or another value where there is none.
 *
 * From kernel/events/uprobes.c and arch/x86/kernel/uprobes.c, Linux 6.1 to 6.18.
 */
#ifndef PROFBPF_WALK_PROBED_H
#define PROFBPF_WALK_PROBED_H

#include "bpf/walk/lookup.h"

#define WALK_PAGE 4096
/* The trampoline is the first place of a page, all others are for copies of instructions. */
#define WALK_TRAMPOLINE_BYTES 128
#define WALK_COPY_BYTES 15 /* the longest instruction */
/* push %rcx; push %r11; push %rax; mov $336, %rax: what a probe's nop calls, since Linux 6.18. */
#define WALK_CALLED_CODE 0x50c0c74850534151ULL
#define WALK_CALL_BYTES 5

/* Whether a return address is that of the trampoline. Not static, as walk_caller. */
__attribute__((noinline)) int walk_is_trampoline(struct walk *w, __u64 address)
{
	struct walk_probes p = { 0 };

	return w && address && walk_probes(w, &p) && p.trampoline == address;
}

/* The caller's return address was replaced. */
static inline __attribute__((always_inline)) __u32 walk_replaced(struct walk *w)
{
	struct walk_return r = { 0 };

	if (walk_find_return(w, w->sp - 8, w->sp - 8, &r))
		return WALK_PROBED;
	w->pc = r.address - 1;
	return WALK_AGAIN;
}

/*
 * A function has returned, and its thread is at or in the trampoline, which is a breakpoint, or since
 * Linux 6.11
 *
 *	push %rax; push %rcx; push %r11; mov $335, %rax; syscall; pop %r11; pop %rcx; ret
 *
 * where the system call puts the address into the first word, from which it is then returned to. While
 * the call goes on its end alone tells whether that was done.
 */
static inline __attribute__((always_inline)) __u32 walk_returning(struct walk *w)
{
	struct walk_return r = { 0 };
	__u64 code;

	if (walk_read_code(w, &code, w->pc))
		code = 0;
	if ((code & 0xff) == 0xc3)
		r.at = w->sp;
	else if ((code & 0xffff) == 0xc359)
		r.at = w->sp + 8;
	else if (walk_find_return(w, w->sp - 8, w->sp + 16, &r)) {
		if ((__u32)code != 0xc3595b41)
			return WALK_PROBED;
		r.at = w->sp + 16;
	}
	if (!r.address && walk_read8(w, &r.address, r.at))
		return WALK_PROBED;
	w->pc = r.address - 1;
	w->sp = r.at + 8;
	w->registers = WALK_REGS_NONE;
	return WALK_AGAIN;
}

/* How many registers have been pushed before an instruction of what a probe calls: push %rcx;
 * push %r11; push %rax; mov $336, %rax; syscall; pop %rax; pop %r11; pop %rcx; ret. */
static inline __attribute__((always_inline)) __u32 walk_pushed(__u64 code)
{
	__u32 first = code & 0xff;

	if (first == 0x51 || first == 0xc3)
		return 0;
	if ((code & 0xffff) == 0x5341 || first == 0x59)
		return 1;
	if (first == 0x50 || (code & 0xffff) == 0x5b41)
		return 2;
	return 3;
}

/* The code at w->pc, if it is of a page that a probe calls. At the first call the page is not there yet. */
static inline __attribute__((always_inline)) int walk_read_called(struct walk *w, __u64 *code)
{
	__u64 called = w->pc & -WALK_PAGE;

	if (!walk_read_code(w, code, called))
		return *code == WALK_CALLED_CODE && !walk_read_code(w, code, w->pc);
	*code = WALK_CALLED_CODE;
	return w->pc == called;
}

/* The probe has called: the frame is that of the nop whose place the call has taken. */
static inline __attribute__((always_inline)) __u32 walk_probe_called(struct walk *w)
{
	__u64 code = 0, ra, at, called = w->pc & -WALK_PAGE;

	if (!walk_read_called(w, &code))
		return 0;
	at = w->sp + 8 * walk_pushed(code);
	/* Within the call the kernel moves the stack pointer before and after the rest. */
	if (walk_read8(w, &ra, at) || walk_read_code(w, &code, ra - WALK_CALL_BYTES) ||
	    (code & 0xff) != 0xe8 || ra + (__u64)(__s64)(__s32)(code >> 8) != called)
		return WALK_PROBED;
	w->pc = ra - WALK_CALL_BYTES;
	w->sp = at + 8;
	return WALK_AGAIN;
}

/*
 * Where the frame of w is one that a probe put there: makes w the one that it hides and returns WALK_AGAIN,
 * or WALK_PROBED if that is not known. 0: it is none. Not static, as walk_caller.
 */
__attribute__((noinline)) __u32 walk_probed(struct walk *w)
{
	struct walk_probes p = { 0 };
	__u32 called;
	__u64 at;

	if (!w || !walk_probes(w, &p))
		return 0;
	called = w->registers == WALK_REGS_NONE;
	at = w->pc + called;
	if (p.copy && at - p.copy <= WALK_COPY_BYTES) {
		w->pc += p.original - p.copy;
		return WALK_AGAIN;
	}
	if (p.trampoline && at - p.trampoline < WALK_PAGE) {
		if (called)
			return at == p.trampoline ? walk_replaced(w) : WALK_PROBED;
		return at - p.trampoline < WALK_TRAMPOLINE_BYTES ? walk_returning(w) : WALK_PROBED;
	}
	return p.calls && !called ? walk_probe_called(w) : 0;
}

/* Where the interrupted code, or what it has called, is none that a table knows. */
static inline __attribute__((always_inline)) int walk_may_be_probed(const struct walk *w,
								    __u32 rule)
{
	return (w->registers != WALK_REGS_NONE || w->n <= 1) &&
	       (rule >= WALK_NO_RANGE || UNWIND_KIND(rule) == UNWIND_NONE);
}

/*
 * A thread that is in the kernel because of a probe's breakpoint stands behind that until its handlers
 * run: in the middle of the instruction that is probed. Where that is one byte long and has been carried
 * out it stands in the same place: a register has then been pushed.
 */
static inline __attribute__((always_inline)) void walk_at_breakpoint(struct walk *w)
{
	__u64 code, word;

	if (walk_read_code(w, &code, w->pc - 1) || (code & 0xff) != 0xcc ||
	    walk_read8(w, &word, w->sp))
		return;
	if (word != w->fp && word != w->bx && word != walk_tick_register(w, 0))
		w->pc--;
}

#endif
