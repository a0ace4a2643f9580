/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rules of unwind tables, as the kernel programs read them. A row is a 32-bit word: the low 8 bits
 * are the offset in its block of code, the upper 24 the packed rule. Offsets are in units of 8 bytes.
 *
 *	bits 0-2 of the rule: its kind
 *	bits 3-15: CFA offset from the register (unsigned)
 *	bits 16-19: where the caller's rbp was saved: CFA - 8 * this; 0: rbp is unchanged
 *	bits 20-23: the same of rbx; 15: rbx is unchanged, and the rule may be wrong
 *
 * rbx is there because frames that call may have their CFA in it (ld.so's _dl_runtime_resolve): a
 * walk must then know where the frames above saved it. Rows whose figures are too large for these
 * bits are complex rules.
 *
 * UNWIND_SWITCH with a CFA offset leads to the caller as UNWIND_RSP does, but the caller did not call: a
 * handler of signals put the frame there (Go's asyncPreempt), and the address in the caller is exact.
 *
 * For UNWIND_COMPLEX bits 3-23 are an index into the table's complex rules.
 * The return address is at CFA - 8 unless a complex rule says otherwise, the caller's rsp is the CFA.
 */
#ifndef PROFBPF_WALK_RULES_H
#define PROFBPF_WALK_RULES_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define UNWIND_BLOCK 256

enum unwind_kind {
	UNWIND_NONE, /* no entry covers this code: a gap, or data */
	UNWIND_RSP, /* CFA = rsp + offset */
	UNWIND_RBP, /* CFA = rbp + offset */
	UNWIND_END, /* the outermost frame: its return address is undefined */
	UNWIND_COMPLEX, /* see struct unwind_complex */
	UNWIND_UNKNOWN, /* there is an entry, but its rule can't be expressed */
	UNWIND_SWITCH, /* leads by the frame pointer to another stack (Go's systemstack) */
	UNWIND_SIGRETURN, /* returns from a signal: the interrupted registers lie at rsp */
};

#define UNWIND_KIND(rule) ((rule)&7)
#define UNWIND_CFA_OFFSET(rule) ((((rule) >> 3) & 0x1fff) * 8)
#define UNWIND_RBP_SLOT(rule) (((rule) >> 16) & 15)
#define UNWIND_RBX_SLOT(rule) (((rule) >> 20) & 15)
#define UNWIND_GUESS_SLOT 15
#define UNWIND_GUESS (UNWIND_GUESS_SLOT << 20)
#define UNWIND_COMPLEX_INDEX(rule) ((rule) >> 3)

/* DWARF numbers of the x86-64 registers: rax rdx rcx rbx rsi rdi rbp rsp r8 … r15, return address. */
#define UNWIND_REG_RBX 3
#define UNWIND_REG_RBP 6
#define UNWIND_REG_RSP 7
#define UNWIND_REG_RA 16

enum unwind_cfa {
	UNWIND_CFA_REG, /* reg + cfa_offset */
	UNWIND_CFA_DEREF, /* *(reg + cfa_offset) + cfa_add */
	UNWIND_CFA_INDEX, /* *(reg + 8 * index + cfa_offset) + cfa_add (libcrypto) */
	UNWIND_CFA_PLT, /* reg + cfa_offset + ((pc & 15) >= cfa_add ? 8 : 0) */
};

enum unwind_where {
	UNWIND_SAME, /* unchanged; never of a return address (see UNWIND_END) */
	UNWIND_AT_CFA, /* at CFA + offset */
	UNWIND_AT_REG, /* at reg + offset, of the frame's own registers (signal frames) */
	UNWIND_IN_REG, /* reg + offset (vfork's return address, longjmp) */
	UNWIND_FROM_CFA, /* CFA + offset itself */
};

#define UNWIND_SIGNAL_FRAME                                                                        \
	1 /* its pc is exact: the frame above was interrupted, it did not call */

/* 32 bytes: two of them are a cache line. Offsets in bytes. The caller's rsp is always the CFA. */
struct unwind_complex {
	__s32 cfa_offset, cfa_add;
	__s32 rbp_offset, ra_offset, rbx_offset;
	__u8 cfa, cfa_reg, cfa_index; /* enum unwind_cfa */
	__u8 flags;
	__u8 rbp, rbp_reg; /* enum unwind_where */
	__u8 ra, ra_reg;
	__u8 rbx, rbx_reg;
	__u8 pad[2];
};

#endif
