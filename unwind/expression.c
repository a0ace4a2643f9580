// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs an expression over forms instead of numbers (DWARF 5, section 2.5.1 has the operations).
 * Whatever leaves the forms ends the attempt.
 */
#include <dwarf.h>
#include <string.h>

#include "unwind/cursor.h"
#include "unwind/expression.h"
#include "bpf/walk/rules.h"

#define STACK 8

struct machine {
	struct cursor c;
	struct expression stack[STACK];
	unsigned int n;
	bool failed;
};

static void push(struct machine *m, struct expression e)
{
	if (m->n == STACK)
		m->failed = true;
	else
		m->stack[m->n++] = e;
}

static struct expression pop(struct machine *m)
{
	if (!m->n) {
		m->failed = true;
		return (struct expression){ 0 };
	}
	return m->stack[--m->n];
}

static void push_constant(struct machine *m, int64_t v)
{
	push(m, (struct expression){ .form = EXPRESSION_CONSTANT, .offset = v });
}

static void push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg > UNWIND_REG_RA)
		m->failed = true;
	push(m,
	     (struct expression){ .form = EXPRESSION_REG, .reg = (uint8_t)reg, .offset = offset });
}

static int64_t sum(struct machine *m, int64_t a, int64_t b)
{
	int64_t s;

	if (__builtin_add_overflow(a, b, &s))
		m->failed = true;
	return s;
}

static struct expression add_constant(struct machine *m, struct expression e, int64_t v)
{
	switch (e.form) {
	case EXPRESSION_CONSTANT:
	case EXPRESSION_REG:
	case EXPRESSION_SCALED:
	case EXPRESSION_SUM:
	case EXPRESSION_PLT:
		e.offset = sum(m, e.offset, v);
		break;
	case EXPRESSION_DEREF:
	case EXPRESSION_DEREF_SUM:
		e.add = sum(m, e.add, v);
		break;
	default:
		m->failed = true;
	}
	return e;
}

/* a + b where a's form is not the later one of the two. */
static struct expression add_ordered(struct machine *m, struct expression a, struct expression b)
{
	struct expression e = { 0 };

	if (a.form == EXPRESSION_CONSTANT)
		return add_constant(m, b, a.offset);
	if (a.form == EXPRESSION_REG && b.form == EXPRESSION_SCALED && b.add == 8) {
		e = a;
		e.form = EXPRESSION_SUM;
		e.index = b.reg;
		e.offset = sum(m, a.offset, b.offset);
	} else if (a.form == EXPRESSION_REG && b.form == EXPRESSION_PC_STEP) {
		e = a;
		e.form = EXPRESSION_PLT;
		e.add = b.add;
	} else {
		m->failed = true;
	}
	return e;
}

static void add(struct machine *m)
{
	struct expression b = pop(m), a = pop(m);

	push(m, a.form <= b.form ? add_ordered(m, a, b) : add_ordered(m, b, a));
}

static void subtract(struct machine *m)
{
	struct expression b = pop(m), a = pop(m);

	if (b.form != EXPRESSION_CONSTANT || b.offset == INT64_MIN)
		m->failed = true;
	else
		push(m, add_constant(m, a, -b.offset));
}

static void multiply(struct machine *m, struct expression a, struct expression factor)
{
	if (factor.form != EXPRESSION_CONSTANT || factor.offset < 0 || factor.offset > 8) {
		m->failed = true;
		return;
	}
	if (a.form == EXPRESSION_REG && !a.offset) {
		a.form = EXPRESSION_SCALED;
		a.add = factor.offset;
	} else if (a.form == EXPRESSION_PC_TEST && factor.offset == 8) {
		a.form = EXPRESSION_PC_STEP;
	} else {
		m->failed = true;
	}
	push(m, a);
}

static void shift_left(struct machine *m)
{
	struct expression by = pop(m), a = pop(m);

	if (by.form != EXPRESSION_CONSTANT || by.offset < 0 || by.offset > 3)
		m->failed = true;
	else
		multiply(m, a, (struct expression){ .offset = 1 << by.offset });
}

static void dereference(struct machine *m)
{
	struct expression e = pop(m);

	if (e.form == EXPRESSION_REG)
		e.form = EXPRESSION_DEREF;
	else if (e.form == EXPRESSION_SUM)
		e.form = EXPRESSION_DEREF_SUM;
	else
		m->failed = true;
	push(m, e);
}

static void mask(struct machine *m)
{
	struct expression b = pop(m), a = pop(m);

	if (a.form != EXPRESSION_REG || a.reg != UNWIND_REG_RA || a.offset ||
	    b.form != EXPRESSION_CONSTANT || b.offset != 15)
		m->failed = true;
	push(m, (struct expression){ .form = EXPRESSION_PC_LOW });
}

static void compare(struct machine *m)
{
	struct expression b = pop(m), a = pop(m);

	if (a.form != EXPRESSION_PC_LOW || b.form != EXPRESSION_CONSTANT || b.offset < 0 ||
	    b.offset > 15)
		m->failed = true;
	push(m, (struct expression){ .form = EXPRESSION_PC_TEST, .add = b.offset });
}

static bool step_operand(struct machine *m, uint8_t op)
{
	struct cursor *c = &m->c;
	uint64_t reg;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push_constant(m, op - DW_OP_lit0);
		return true;
	}
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(m, op - DW_OP_breg0, cursor_sleb(c));
		return true;
	}
	switch (op) {
	case DW_OP_bregx:
		reg = cursor_uleb(c);
		push_register(m, reg, cursor_sleb(c));
		return true;
	case DW_OP_const1u:
		push_constant(m, cursor_u8(c));
		return true;
	case DW_OP_const1s:
		push_constant(m, (int8_t)cursor_u8(c));
		return true;
	case DW_OP_const2u:
		push_constant(m, (int64_t)cursor_fixed(c, 2));
		return true;
	case DW_OP_const2s:
		push_constant(m, (int16_t)cursor_fixed(c, 2));
		return true;
	case DW_OP_const4u:
		push_constant(m, (int64_t)cursor_fixed(c, 4));
		return true;
	case DW_OP_const4s:
		push_constant(m, (int32_t)cursor_fixed(c, 4));
		return true;
	case DW_OP_constu:
		push_constant(m, (int64_t)cursor_uleb(c));
		return true;
	case DW_OP_consts:
		push_constant(m, cursor_sleb(c));
		return true;
	}
	return false;
}

static void step(struct machine *m)
{
	uint8_t op = cursor_u8(&m->c);
	struct expression e;

	if (step_operand(m, op))
		return;
	switch (op) {
	case DW_OP_nop:
		break;
	case DW_OP_plus:
		add(m);
		break;
	case DW_OP_plus_uconst:
		push_constant(m, (int64_t)cursor_uleb(&m->c));
		add(m);
		break;
	case DW_OP_minus:
		subtract(m);
		break;
	case DW_OP_mul:
		e = pop(m);
		multiply(m, pop(m), e);
		break;
	case DW_OP_shl:
		shift_left(m);
		break;
	case DW_OP_and:
		mask(m);
		break;
	case DW_OP_ge:
		compare(m);
		break;
	case DW_OP_deref:
		dereference(m);
		break;
	default:
		m->failed = true;
	}
}

bool expression_read(const uint8_t *bytes, size_t size, bool with_cfa, struct expression *e)
{
	struct machine m = { 0 };

	if (!size)
		return false;
	m.c = (struct cursor){ .p = bytes, .end = bytes + size };
	if (with_cfa)
		push(&m, (struct expression){ .form = EXPRESSION_REG, .reg = EXPRESSION_CFA });
	while (m.c.p < m.c.end && !m.c.bad && !m.failed)
		step(&m);
	if (m.failed || m.c.bad || !m.n)
		return false;
	*e = m.stack[m.n - 1];
	return true;
}
