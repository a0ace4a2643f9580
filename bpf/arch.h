/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What differs between architectures: the registers. A perf_event program's context begins with
 * the interrupted registers in the architecture's user layout (bpf_user_pt_regs_t, fixed ABI). It is
 * read by these fixed offsets: Linux 6.1 refuses a relocated read of some of its fields.
 */
#ifndef PROFBPF_ARCH_H
#define PROFBPF_ARCH_H

#include <stdbool.h>

#include "bpf/walk/walk.h"

#if defined(__TARGET_ARCH_x86)

struct tick_context { /* struct pt_regs of x86-64 */
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
	__u64 ip, cs, flags, sp, ss;
};

#define ARCH_USER_CS32 0x23

static __always_inline bool arch_in_user(const struct tick_context *c)
{
	return (c->cs & 3) == 3;
}

static __always_inline void arch_walk_start(struct walk *w, const struct tick_context *c)
{
	w->pc = c->ip;
	w->sp = c->sp;
	w->fp = c->bp;
	w->end = (c->cs & 0xffff) == ARCH_USER_CS32 ? WALK_COMPAT : WALK_ON;
}

#elif defined(__TARGET_ARCH_arm64)

struct tick_context { /* struct user_pt_regs of arm64, with which its pt_regs begins */
	__u64 regs[31];
	__u64 sp, pc, pstate;
};

#define ARCH_PSTATE_MODE 0xf
#define ARCH_PSTATE_32 0x10

static __always_inline bool arch_in_user(const struct tick_context *c)
{
	return !(c->pstate & ARCH_PSTATE_MODE);
}

static __always_inline void arch_walk_start(struct walk *w, const struct tick_context *c)
{
	w->pc = c->pc;
	w->sp = c->sp;
	w->fp = c->regs[29];
	w->end = c->pstate & ARCH_PSTATE_32 ? WALK_COMPAT : WALK_ON;
}

#else
#error "no register layout for this architecture"
#endif

#endif
