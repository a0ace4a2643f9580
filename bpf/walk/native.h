/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The walker of native code: at each frame the rule of its object's table, and where there is none
 * the frame pointer, marked as a guess. x86-64.
 *
 * Beside what walk.h and lookup.h ask for, the includer provides
 *
 *	static __u64 walk_tick_register(struct walk *w, __u32 n);
 *
 * the value at the tick of the register with DWARF number n (0 to 15).
 */
#ifndef PROFBPF_WALK_NATIVE_H
#define PROFBPF_WALK_NATIVE_H

#include "bpf/walk/frame_pointer.h"
#include "bpf/walk/lookup.h"

/* The sigcontext's registers begin 40 bytes into the ucontext that a signal's frame holds; its order,
 * by DWARF number (arch/x86/include/uapi/asm/sigcontext.h). */
#define WALK_CONTEXT_REGS 40
static inline __attribute__((always_inline)) __u32 walk_context_offset(__u32 n)
{
	/* rax rdx rcx rbx rsi rdi rbp rsp, a nibble each; r8 to r15 come first, in order */
	return WALK_CONTEXT_REGS + 8 * (n < 8 ? (__u32)(0xfa89becd >> (4 * n)) % 16 : n - 8);
}

/* A register that the frames above may have saved: read now if that was put off. */
static inline __attribute__((always_inline)) int walk_load(struct walk *w, __u64 *reg, __u64 *at)
{
	__u64 value;

	if (!*at)
		return 0;
	if (walk_read8(w, &value, *at))
		return -1;
	*reg = value;
	*at = 0;
	return 0;
}

static inline __attribute__((always_inline)) int walk_load_fp(struct walk *w)
{
	return walk_load(w, &w->fp, &w->fp_at);
}

/* Returns 0, or why the value is not to be had. Not inlined: the rules that need it are rare. */
static __attribute__((noinline)) __u32 walk_register(struct walk *w, __u32 n, __u64 *value)
{
	if (n == UNWIND_REG_RSP) {
		*value = w->sp;
		return 0;
	}
	if (n == UNWIND_REG_RBP) {
		if (walk_load_fp(w))
			return WALK_UNREADABLE;
		*value = w->fp;
		return 0;
	}
	if (n == UNWIND_REG_RBX) {
		if (walk_load(w, &w->bx, &w->bx_at))
			return WALK_UNREADABLE;
		*value = w->bx;
		return 0;
	}
	if (n > 15)
		return WALK_NO_REGISTER;
	if (w->registers == WALK_REGS_TICK) {
		*value = walk_tick_register(w, n);
		return 0;
	}
	if (w->registers == WALK_REGS_SIGNAL)
		return walk_read8(w, value, w->context + walk_context_offset(n)) ? WALK_UNREADABLE
										 : 0;
	return WALK_NO_REGISTER;
}

/* The frame that a signal interrupted: its registers are in the ucontext at context. */
static inline __attribute__((always_inline)) __u32 walk_interrupted(struct walk *w, __u64 context)
{
	if (walk_read8(w, &w->pc, context + WALK_CONTEXT_REGS + 16 * 8) ||
	    walk_read8(w, &w->sp, context + walk_context_offset(UNWIND_REG_RSP)) ||
	    walk_read8(w, &w->fp, context + walk_context_offset(UNWIND_REG_RBP)))
		return WALK_UNREADABLE;
	w->fp_at = 0;
	w->bx_at = context + walk_context_offset(UNWIND_REG_RBX);
	w->context = context;
	w->registers = WALK_REGS_SIGNAL;
	w->guess = 0;
	return WALK_ON;
}

/* The common end of a step: the return address has been found. */
static inline __attribute__((always_inline)) __u32 walk_to_caller(struct walk *w, __u64 ra,
								  __u64 cfa)
{
	if (!ra)
		return WALK_ROOT;
	w->pc = ra - 1;
	w->sp = cfa;
	w->registers = WALK_REGS_NONE;
	w->guess = 0;
	return WALK_ON;
}

static inline __attribute__((always_inline)) __u32 walk_packed(struct walk *w, __u32 rule)
{
	__u32 bx = UNWIND_RBX_SLOT(rule), why;
	__u64 cfa = w->sp, ra;

	if (UNWIND_KIND(rule) == UNWIND_RBP) {
		if (walk_load_fp(w))
			return WALK_UNREADABLE;
		cfa = w->fp;
	}
	cfa += UNWIND_CFA_OFFSET(rule);
	if (cfa <= w->sp)
		return WALK_BROKEN;
	if (walk_read8(w, &ra, cfa - 8))
		return WALK_UNREADABLE;
	if (!ra) /* and nothing has changed: see walk_quickly */
		return WALK_ROOT;
	if (UNWIND_RBP_SLOT(rule))
		w->fp_at = cfa - 8 * UNWIND_RBP_SLOT(rule);
	if ((bx + 1) & (UNWIND_GUESS_SLOT - 1)) /* neither 0 nor that */
		w->bx_at = cfa - 8 * bx;
	why = walk_to_caller(w, ra, cfa);
	/* Without a branch, of which the kernel's verifier would follow both sides. */
	w->guess |= (__u64)((bx + 1) / (UNWIND_GUESS_SLOT + 1)) << 63;
	return why;
}

static inline __attribute__((always_inline)) __u32 walk_complex_cfa(struct walk *w,
								    const struct unwind_complex *c,
								    __u64 *cfa)
{
	__u64 value, index;
	__u32 why = walk_register(w, c->cfa_reg, &value);

	if (why)
		return why;
	value += c->cfa_offset;
	if (c->cfa == UNWIND_CFA_INDEX) {
		why = walk_register(w, c->cfa_index, &index);
		if (why)
			return why;
		value += 8 * index;
	}
	if (c->cfa == UNWIND_CFA_DEREF || c->cfa == UNWIND_CFA_INDEX) {
		if (walk_read8(w, &value, value))
			return WALK_UNREADABLE;
		value += c->cfa_add;
	} else if (c->cfa == UNWIND_CFA_PLT && (w->pc & 15) >= (__u64)c->cfa_add) {
		value += 8;
	}
	*cfa = value;
	return 0;
}

static inline __attribute__((always_inline)) __u32 walk_complex_ra(struct walk *w,
								   const struct unwind_complex *c,
								   __u64 cfa, __u64 *ra)
{
	__u64 at = cfa + c->ra_offset;
	__u32 why;

	if (c->ra == UNWIND_SAME)
		return WALK_ROOT;
	if (c->ra == UNWIND_IN_REG)
		return walk_register(w, c->ra_reg, ra) ? WALK_NO_REGISTER : WALK_ON;
	if (c->ra == UNWIND_AT_REG) {
		why = walk_register(w, c->ra_reg, &at);
		if (why)
			return why;
		at += c->ra_offset;
	}
	return walk_read8(w, ra, at) ? WALK_UNREADABLE : WALK_ON;
}

/* The caller's value of a register, or where it is to be read. False: it is unchanged, or lost. */
static inline __attribute__((always_inline)) int walk_place(struct walk *w, __u8 where, __u8 reg,
							    __s32 offset, __u64 cfa, __u64 *value)
{
	*value = cfa;
	if (where == UNWIND_SAME)
		return 0;
	if ((where == UNWIND_AT_REG || where == UNWIND_IN_REG) && walk_register(w, reg, value))
		return 0;
	*value += offset;
	return 1;
}

static inline __attribute__((always_inline)) void walk_set(__u8 where, __u64 value, __u64 *reg,
							   __u64 *at)
{
	if (where == UNWIND_AT_CFA || where == UNWIND_AT_REG) {
		*at = value;
	} else {
		*reg = value;
		*at = 0;
	}
}

/* Both are found before either changes: one may be said by the other. */
static inline __attribute__((always_inline)) void walk_restore(struct walk *w,
							       const struct unwind_complex *c,
							       __u64 cfa)
{
	__u64 fp, bx;
	int has_fp = walk_place(w, c->rbp, c->rbp_reg, c->rbp_offset, cfa, &fp);
	int has_bx = walk_place(w, c->rbx, c->rbx_reg, c->rbx_offset, cfa, &bx);

	if (has_fp)
		walk_set(c->rbp, fp, &w->fp, &w->fp_at);
	if (has_bx)
		walk_set(c->rbx, bx, &w->bx, &w->bx_at);
}

static inline __attribute__((always_inline)) __u32 walk_complex(struct walk *w,
								const struct unwind_complex *c)
{
	__u64 cfa = 0, ra = 0;
	__u32 why;

	if (c->flags & UNWIND_SIGNAL_FRAME)
		return walk_interrupted(w, w->sp);
	why = walk_complex_cfa(w, c, &cfa);
	if (why)
		return why;
	why = walk_complex_ra(w, c, cfa, &ra);
	if (why != WALK_ON)
		return why;
	walk_restore(w, c, cfa);
	return walk_to_caller(w, ra, cfa);
}

static inline __attribute__((always_inline)) __u32 walk_by_complex(struct walk *w,
								   const struct unwind_object *o,
								   __u32 index)
{
	__u32 word = o->complex + index * (sizeof(struct unwind_complex) / 4);
	const struct unwind_chunk *chunk = walk_chunk(word / 16);

	if (!chunk || index >= o->n_complex)
		return WALK_NO_RULE;
	return walk_complex(w, (const struct unwind_complex *)&chunk->words[word & 8]);
}

/*
 * mov $15, %eax or %rax; syscall: the end of a signal's frame, whatever library it is in. A thread that
 * is at its second instruction has the number in rax; one inside the call is behind both, where the
 * function's entry has ended.
 */
static inline __attribute__((always_inline)) int walk_at_sigreturn(struct walk *w)
{
	__u64 code = 0, pc = w->pc + (w->registers == WALK_REGS_NONE);

	if (w->registers == WALK_REGS_TICK && !walk_read_code(w, &code, pc - 8) &&
	    code >> 16 == 0x050f0000000fULL)
		return 1;
	if (walk_read_code(w, &code, pc))
		return 0;
	if ((code & 0xffff) == 0x050f)
		return w->registers == WALK_REGS_TICK && walk_tick_register(w, 0) == 15;
	return code == 0x0f0000000fc0c748ULL || (code & 0xffffffffffffffULL) == 0x050f0000000fb8ULL;
}

static inline __attribute__((always_inline)) __u32 walk_by_guess(struct walk *w)
{
	__u32 why;

	if (walk_load_fp(w))
		return WALK_UNREADABLE;
	/* Zero marks the root in a frame that a frame pointer led to; in the interrupted one it is but the
	 * content of a register. */
	if (!w->fp && w->registers != WALK_REGS_NONE)
		return WALK_BROKEN;
	why = walk_frame_pointer(w);
	if (why == WALK_ON)
		w->guess = WALK_GUESS;
	w->registers = WALK_REGS_NONE;
	return why;
}

#include "bpf/walk/probed.h"
#include "bpf/walk/no_entry.h"

/* The frame pointer leads to a frame on another stack, which may lie anywhere. */
static inline __attribute__((always_inline)) __u32 walk_switch(struct walk *w)
{
	__u64 fp, ra, cfa;

	if (walk_load_fp(w))
		return WALK_UNREADABLE;
	if (!w->fp)
		return WALK_ROOT;
	if (walk_read8(w, &fp, w->fp) || walk_read8(w, &ra, w->fp + 8))
		return WALK_UNREADABLE;
	cfa = w->fp + 16;
	w->fp = fp;
	return walk_to_caller(w, ra, cfa);
}

/*
 * Moves w to the caller of its frame, or says why there is none. Not static and not inlined: the
 * verifier looks at such a function by itself.
 */
__attribute__((noinline)) __u32 walk_caller(struct walk *w)
{
	const struct unwind_object *o;
	__u32 object, rule, why = 0;

	if (!w)
		return WALK_BROKEN;
	/* The trampoline of return probes begins a page. */
	if (w->registers == WALK_REGS_NONE && !((w->pc + 1) % WALK_PAGE))
		why = walk_probed(w);
	if (why)
		return why;
	rule = walk_find_rule(w, w->pc, &object);
	if (walk_may_be_probed(w, rule))
		why = walk_probed(w);
	if (why)
		return why;

	/* A return address that leads nowhere: garbage. The first of all was a trampoline's. */
	if (rule == WALK_NO_RANGE) {
		if (w->registers == WALK_REGS_NONE)
			return w->n ? WALK_UNMAPPED : WALK_PROBED;
		rule = WALK_NO_TABLE;
	}
	if (rule != WALK_NO_TABLE) {
		switch (UNWIND_KIND(rule)) {
		case UNWIND_SWITCH:
			if (rule == UNWIND_SWITCH)
				return walk_switch(w);
			__attribute__((fallthrough));
		case UNWIND_RSP:
		case UNWIND_RBP:
			why = walk_packed(w, rule);
			if (UNWIND_KIND(rule) == UNWIND_SWITCH && why == WALK_ON) {
				w->pc++;
				w->registers = WALK_REGS_LOST;
			}
			return why;
		case UNWIND_END:
			return WALK_ROOT;
		case UNWIND_SIGRETURN:
			return walk_interrupted(w, w->sp);
		case UNWIND_COMPLEX:
			o = walk_object(object);
			return o ? walk_by_complex(w, o, UNWIND_COMPLEX_INDEX(rule)) : WALK_NO_RULE;
		}
	}
	if (walk_at_sigreturn(w))
		return walk_interrupted(w, w->sp);
	return rule == WALK_NO_TABLE ? walk_by_guess(w) : walk_without_entry(w);
}

/*
 * Stores the frame that w stands on and moves to its caller. What returns from a signal's handler was
 * not called: its address is exact.
 */
static inline __attribute__((always_inline)) __u32 walk_step(struct walk *w)
{
	__u64 frame = w->pc | w->guess;
	__u32 called = w->registers == WALK_REGS_NONE;
	__u32 why = walk_caller(w);

	/* No frame at all. */
	if (why == WALK_UNMAPPED || why == WALK_PROBED)
		return why;
	if (why == WALK_AGAIN)
		return WALK_ON;
	if (called && why == WALK_ON && w->registers == WALK_REGS_SIGNAL)
		frame++;
	walk_store(w, frame);
	return why;
}

/*
 * A step by a rule that was found lately and says but where the CFA is: nearly all steps. False: nothing
 * has changed, and it takes walk_step.
 */
static inline __attribute__((always_inline)) int walk_quickly(struct walk *w)
{
	__u64 frame = w->pc | w->guess, key = walk_cache_key(w, w->pc);
	const struct unwind_cached *cached = walk_cached(walk_cache_slot(key));
	__u32 kind;

	if (!cached || cached->key != key)
		return 0;
	kind = UNWIND_KIND(cached->rule);
	if ((kind != UNWIND_RSP && kind != UNWIND_RBP) || walk_packed(w, cached->rule) != WALK_ON)
		return 0;
	walk_store(w, frame);
	return 1;
}

/* Returns from functions are slow where the kernel guards them, so some steps share one. Of more than these
 * the verifier takes longer than a walk gains. */
#define WALK_QUICK_STEPS 4

/* Takes one to WALK_QUICK_STEPS steps. Returns WALK_ON, or why the walk ends. */
static inline __attribute__((always_inline)) __u32 walk_steps(struct walk *w)
{
	__u32 i;

	for (i = 0; i < WALK_QUICK_STEPS && w->n < PROFBPF_MAX_WALK; i++) {
		if (!walk_quickly(w))
			return walk_step(w);
	}
	return w->n < PROFBPF_MAX_WALK ? WALK_ON : WALK_TOO_DEEP;
}

#endif
