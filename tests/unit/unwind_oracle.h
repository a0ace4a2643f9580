/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What elfutils says about an address, as numbers: its answers are DWARF operations, run here over
 * made-up registers and memory. Rows of our tables are run over the same, so that two ways to say
 * one thing compare equal.
 */
#ifndef PROFBPF_TEST_UNWIND_ORACLE_H
#define PROFBPF_TEST_UNWIND_ORACLE_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "unwind/table.h"

struct oracle_regs {
	uint64_t r[17];
};

/* What a step to the caller gives. */
struct oracle_step {
	enum { STEP_NONE, STEP_END, STEP_UNKNOWN, STEP_CALLER } kind;
	uint64_t sp, pc, rbp, rbx;
	bool rbp_undefined, rbx_undefined; /* any value will do */
	bool signal_frame;
};

/* Made-up memory: eight bytes at any address. */
static inline uint64_t oracle_memory(uint64_t address)
{
	address = (address ^ 0x5bd1e995) * 0x9e3779b97f4a7c15ULL;
	return address ^ address >> 29;
}

static inline struct oracle_regs oracle_registers(uint64_t pc, uint64_t seed)
{
	struct oracle_regs regs;

	for (unsigned int i = 0; i < 16; i++)
		regs.r[i] = oracle_memory(seed * 100 + i);
	regs.r[16] = pc;
	return regs;
}

/* --- elfutils --- */

struct oracle_machine {
	const struct oracle_regs *regs;
	uint64_t cfa, stack[16];
	unsigned int n;
	bool is_value;
};

static inline uint64_t oracle_pop(struct oracle_machine *m)
{
	if (!m->n)
		abort();
	return m->stack[--m->n];
}

static inline void oracle_push(struct oracle_machine *m, uint64_t v)
{
	if (m->n == 16)
		abort();
	m->stack[m->n++] = v;
}

static inline void oracle_two(struct oracle_machine *m, uint8_t op)
{
	uint64_t b = oracle_pop(m), a = oracle_pop(m);

	switch (op) {
	case DW_OP_plus:
		a += b;
		break;
	case DW_OP_minus:
		a -= b;
		break;
	case DW_OP_mul:
		a *= b;
		break;
	case DW_OP_and:
		a &= b;
		break;
	case DW_OP_shl:
		a <<= b;
		break;
	case DW_OP_ge:
		a = (int64_t)a >= (int64_t)b;
		break;
	default:
		fprintf(stderr, "the oracle does not know operation 0x%x\n", op);
		abort();
	}
	oracle_push(m, a);
}

static inline void oracle_op(struct oracle_machine *m, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		oracle_push(m, op->atom - DW_OP_lit0);
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg16) {
		oracle_push(m, m->regs->r[op->atom - DW_OP_breg0] + op->number);
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg16) {
		oracle_push(m, m->regs->r[op->atom - DW_OP_reg0]);
		m->is_value = true;
	} else {
		switch (op->atom) {
		case DW_OP_bregx:
			oracle_push(m, m->regs->r[op->number] + op->number2);
			break;
		case DW_OP_regx:
			oracle_push(m, m->regs->r[op->number]);
			m->is_value = true;
			break;
		case DW_OP_const1u:
		case DW_OP_const1s:
		case DW_OP_const2u:
		case DW_OP_const2s:
		case DW_OP_const4u:
		case DW_OP_const4s:
		case DW_OP_constu:
		case DW_OP_consts:
			oracle_push(m, op->number);
			break;
		case DW_OP_call_frame_cfa:
			oracle_push(m, m->cfa);
			break;
		case DW_OP_plus_uconst:
			oracle_push(m, oracle_pop(m) + op->number);
			break;
		case DW_OP_deref:
			oracle_push(m, oracle_memory(oracle_pop(m)));
			break;
		case DW_OP_stack_value:
			m->is_value = true;
			break;
		case DW_OP_nop:
			break;
		default:
			oracle_two(m, op->atom);
		}
	}
}

static inline uint64_t oracle_run(struct oracle_machine *m, const Dwarf_Op *ops, size_t n)
{
	m->n = 0;
	m->is_value = false;
	for (size_t i = 0; i < n; i++)
		oracle_op(m, &ops[i]);
	return oracle_pop(m);
}

/* False: undefined. */
static inline bool oracle_register(Dwarf_Frame *frame, struct oracle_machine *m, int reg,
				   uint64_t *value)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, reg, mem, &ops, &n))
		abort();
	if (!n && ops)
		return false;
	*value = m->regs->r[reg];
	if (n) {
		*value = oracle_run(m, ops, n);
		if (!m->is_value)
			*value = oracle_memory(*value);
	}
	return true;
}

static inline void oracle_elfutils(Dwarf_CFI *cfi, uint64_t address, const struct oracle_regs *regs,
				   struct oracle_step *s)
{
	struct oracle_machine m = { .regs = regs };
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t n;

	*s = (struct oracle_step){ .kind = STEP_NONE };
	if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame))
		return;
	dwarf_frame_info(frame, NULL, NULL, &s->signal_frame);
	s->kind = STEP_UNKNOWN;
	if (!dwarf_frame_cfa(frame, &ops, &n) && n) {
		s->kind = STEP_CALLER;
		m.cfa = oracle_run(&m, ops, n);
	}
	if (!oracle_register(frame, &m, 16, &s->pc))
		s->kind = STEP_END;
	if (s->kind == STEP_CALLER) {
		oracle_register(frame, &m, 7, &s->sp);
		s->rbp_undefined = !oracle_register(frame, &m, 6, &s->rbp);
		s->rbx_undefined = !oracle_register(frame, &m, 3, &s->rbx);
	}
	free(frame);
}

/* --- our rows, as rules.h describes them --- */

static inline uint64_t oracle_place(const struct oracle_regs *regs, uint64_t cfa, int reg,
				    uint8_t where, uint8_t base, int64_t offset)
{
	switch (where) {
	case UNWIND_AT_CFA:
		return oracle_memory(cfa + offset);
	case UNWIND_AT_REG:
		return oracle_memory(regs->r[base] + offset);
	case UNWIND_IN_REG:
		return regs->r[base] + offset;
	case UNWIND_FROM_CFA:
		return cfa + offset;
	}
	return regs->r[reg];
}

static inline void oracle_complex(const struct unwind_complex *c, const struct oracle_regs *regs,
				  struct oracle_step *s)
{
	uint64_t cfa = regs->r[c->cfa_reg] + c->cfa_offset;

	if (c->cfa == UNWIND_CFA_INDEX)
		cfa += 8 * regs->r[c->cfa_index];
	if (c->cfa == UNWIND_CFA_INDEX || c->cfa == UNWIND_CFA_DEREF)
		cfa = oracle_memory(cfa) + c->cfa_add;
	if (c->cfa == UNWIND_CFA_PLT && (regs->r[16] & 15) >= (uint64_t)c->cfa_add)
		cfa += 8;
	s->kind = STEP_CALLER;
	s->sp = cfa;
	s->rbp = oracle_place(regs, cfa, 6, c->rbp, c->rbp_reg, c->rbp_offset);
	s->rbx = oracle_place(regs, cfa, 3, c->rbx, c->rbx_reg, c->rbx_offset);
	s->pc = oracle_place(regs, cfa, 16, c->ra, c->ra_reg, c->ra_offset);
	s->signal_frame = c->flags & UNWIND_SIGNAL_FRAME;
}

static inline void oracle_row(const struct unwind_table *t, const struct oracle_regs *regs,
			      struct oracle_step *s)
{
	uint32_t rule = unwind_table_find(t, regs->r[16]);
	unsigned int kind = UNWIND_KIND(rule);

	*s = (struct oracle_step){ .kind = STEP_CALLER };
	if (kind == UNWIND_COMPLEX) {
		oracle_complex(&t->complex[UNWIND_COMPLEX_INDEX(rule)], regs, s);
		return;
	}
	if (kind != UNWIND_RSP && kind != UNWIND_RBP) {
		s->kind = kind == UNWIND_NONE  ? STEP_NONE
			  : kind == UNWIND_END ? STEP_END
					       : STEP_UNKNOWN;
		return;
	}
	s->sp = regs->r[kind == UNWIND_RSP ? 7 : 6] + UNWIND_CFA_OFFSET(rule);
	s->pc = oracle_memory(s->sp - 8);
	s->rbp = UNWIND_RBP_SLOT(rule) ? oracle_memory(s->sp - 8 * UNWIND_RBP_SLOT(rule))
				       : regs->r[6];
	s->rbx = UNWIND_RBX_SLOT(rule) ? oracle_memory(s->sp - 8 * UNWIND_RBX_SLOT(rule))
				       : regs->r[3];
}

/* a is elfutils'. */
static inline bool oracle_same(const struct oracle_step *a, const struct oracle_step *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind != STEP_CALLER)
		return true;
	return a->sp == b->sp && a->pc == b->pc && (a->rbp_undefined || a->rbp == b->rbp) &&
	       (a->rbx_undefined || a->rbx == b->rbx) && a->signal_frame == b->signal_frame;
}

#endif
