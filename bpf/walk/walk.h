/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What all walkers share: the state of a walk, and where its frames go. The includer provides the
 * reader:
 *
 *	static int walk_read8(struct walk *w, __u64 *value, __u64 address);
 *
 * which reads a word of the target's stack and returns 0, or another value where it can't. The kernel programs
 * read the current process; tests compile the same code for the host over stored stacks. It also
 * provides
 *
 *	static void walk_keep(struct walk *w, __u32 slot, __u64 frame);
 *
 * which stores a frame. struct walk holds no pointers, so that the kernel's verifier can look at a step
 * of the walk once, as a function of its own, whatever the state.
 */
#ifndef PROFBPF_WALK_H
#define PROFBPF_WALK_H

#include "bpf/profbpf.h"

/* enum profile_end's codes. */
#define WALK_ROOT 0
#define WALK_NO_USER 1
#define WALK_UNREADABLE 2
#define WALK_BROKEN 3
#define WALK_TOO_DEEP 4
#define WALK_COMPAT 5
#define WALK_NO_RULE 6 /* its code has no table, and the frame pointer leads nowhere */
#define WALK_UNMAPPED 7 /* the program counter is in no known mapping */
#define WALK_NO_REGISTER 8 /* the rule needs a register whose value is not known in this frame */
#define WALK_PROBED 9 /* a probe has taken the frame's place, and what it hides is not known */
/* Not an end: the walk goes on, from the caller or from another frame in the place of this one. */
#define WALK_ON 255
#define WALK_AGAIN 254
/* Steps that store no frame, at most: the kernel follows 64 probed functions of a thread, and the interrupted
 * code and its caller may be a probe's, too. */
#define WALK_MAX_AGAIN 66

/* Where the values of the registers that no rule of the tables follows can be found. */
enum walk_registers {
	WALK_REGS_NONE, /* a caller's frame */
	WALK_REGS_TICK, /* the interrupted frame: the registers of the tick */
	WALK_REGS_SIGNAL, /* interrupted by a signal: the sigcontext at w->context */
	WALK_REGS_LOST, /* interrupted likewise, but nothing tells where they are */
};

struct walk {
	__u64 pc; /* to be looked up: that of a call moved back into it, that of an interrupt as it is */
	__u64 sp;
	__u64 fp; /* value of rbp, valid if fp_at is 0 */
	__u64 fp_at; /* where it was saved; read only when a rule needs it */
	__u64 bx; /* rbx likewise: valid if bx_at is 0 */
	__u64 bx_at;
	__u64 context;
	__u64 hash;
	__u32 base; /* frames already stored, of the kernel */
	__u32 n; /* user frames stored or passed over */
	__u32 end;
	__u32 registers; /* enum walk_registers */
	__u32 first_range, n_ranges, ranges_id;
	__u32 early; /* there was code whose table is not there yet */
	__u64 guess; /* WALK_GUESS if the frame was reached by a guess */
	struct unwind_range range; /* that of the frame before */
};

/* What the kernel's probes have put into a process (probed.h). */
struct walk_probes {
	__u64 trampoline; /* that probed functions return to, 0: there is none */
	__u64 copy, original; /* of the instruction that the thread executes elsewhere, 0: none */
	__u32 calls; /* there are probes that have become calls */
	__u32 pad;
};

/* A function whose return is probed. */
struct walk_return {
	__u64 address; /* where the function would have returned to */
	__u64 at; /* the place of that address on the stack */
};

static int walk_read8(struct walk *w, __u64 *value, __u64 address);
static void walk_keep(struct walk *w, __u32 slot, __u64 frame);

/* One step of a 64-bit hash; every step can be undone, so equal prefixes don't collide. */
static inline __attribute__((always_inline)) __u64 walk_hash(__u64 h, __u64 x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
	return h ^ (h >> 32);
}

/* The place of user frame n: the innermost in order, the outermost in a ring after them. */
static inline __attribute__((always_inline)) __u32 walk_slot(__u32 n)
{
	if (n < PROFBPF_KEEP_INNER)
		return n;
	return PROFBPF_KEEP_INNER + ((n - PROFBPF_KEEP_INNER) & (PROFBPF_KEEP_OUTER - 1));
}

/* Frames kept of n walked. */
static inline __attribute__((always_inline)) __u32 walk_kept(__u32 n)
{
	return n < PROFBPF_KEEP_USER ? n : PROFBPF_KEEP_USER;
}

static inline __attribute__((always_inline)) void walk_store(struct walk *w, __u64 frame)
{
	__u32 slot = w->base + walk_slot(w->n);

	walk_keep(w, slot, frame);
	w->hash = walk_hash(w->hash, frame);
	w->n++;
}

#endif
