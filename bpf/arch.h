/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What differs between architectures: the registers. A perf_event program's context begins with
 * the interrupted registers in the architecture's user layout (bpf_user_pt_regs_t, fixed ABI). It is
 * read by these fixed offsets: Linux 6.1 refuses a relocated read of some of its fields.
 */
#ifndef PROFBPF_ARCH_H
#define PROFBPF_ARCH_H

#include <stdbool.h>

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

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
	w->bx = c->bx;
	w->registers = WALK_REGS_TICK;
	w->end = (c->cs & 0xffff) == ARCH_USER_CS32 ? WALK_COMPAT : WALK_ON;
}

/* The places in it of the registers with DWARF numbers 0 to 7 and 8 to 15 (System V ABI, figure 3.36),
 * a byte each: not an array, which clang would put where libbpf doesn't look. */
#define ARCH_PLACES_LOW 0x13040e0d050b0c0aULL
#define ARCH_PLACES_HIGH 0x0001020306070809ULL

static __always_inline __u64 arch_register(const struct tick_context *c, __u32 n)
{
	__u64 places = n < 8 ? ARCH_PLACES_LOW : ARCH_PLACES_HIGH;

	/* The mask is for the verifier; there is more than 32 words from c on in struct walk_scratch. */
	return ((const __u64 *)c)[(places >> (8 * (n & 7))) & 31];
}

/* The number of the system call, -1 for another way into the kernel. */
static __always_inline int arch_call(const struct pt_regs *regs)
{
	return BPF_CORE_READ(regs, orig_ax);
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
	w->registers = WALK_REGS_TICK;
	w->end = c->pstate & ARCH_PSTATE_32 ? WALK_COMPAT : WALK_ON;
}

/* The register with DWARF number n (AADWARF64, section 4.1). */
static __always_inline __u64 arch_register(const struct tick_context *c, __u32 n)
{
	return n < 31 ? c->regs[n] : 0;
}

static __always_inline int arch_call(const struct pt_regs *regs)
{
	return BPF_CORE_READ(regs, syscallno);
}

#else
#error "no register layout for this architecture"
#endif

#endif
