// SPDX-License-Identifier: BSD-2-Clause
/*
 * Instructions: DWARF 5, section 6.4.2; those of GNU from the Linux Standard Base, "DWARF
 * Extensions". Every instruction costs the same small time, whatever its operands, so that a program
 * is run in time linear in its size.
 */
#include <dwarf.h>
#include <errno.h>

#include "unwind/cfi.h"
#include "unwind/cfi_private.h"
#include "bpf/walk/rules.h"

/* GCC nests them at most twice. */
#define MAX_REMEMBERED 16
/* The longest expression found in practice has 13 bytes (that of procedure linkage tables). */
#define MAX_EXPRESSION 64

#define GNU_NEGATIVE_OFFSET_EXTENDED 0x2f /* not in elfutils' dwarf.h */

struct run {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	struct cursor c;
	struct cfi_state state;
	struct cfi_state remembered[MAX_REMEMBERED];
	unsigned int n_remembered;
	bool initial; /* a CIE's instructions: they have no place in the code */
	bool changed; /* since the sink was last called */
	bool ended;
	uint64_t base, at, limit;
	cfi_sink sink;
	void *arg;
	int err;
};

static void fail(struct run *r)
{
	r->err = -EINVAL;
}

static unsigned int index_of(struct run *r, uint64_t reg)
{
	unsigned int i = CFI_OTHER;

	switch (reg) {
	case UNWIND_REG_RSP:
		i = CFI_RSP;
		break;
	case UNWIND_REG_RBP:
		i = CFI_RBP;
		break;
	case UNWIND_REG_RBX:
		i = CFI_RBX;
		break;
	case UNWIND_REG_RA:
		i = CFI_RA;
		break;
	}
	if (i != CFI_OTHER)
		r->changed = true;
	return i;
}

static void emit(struct run *r)
{
	if (r->changed && !r->initial && !r->err)
		r->err = r->sink(r->arg, (uint32_t)(r->at - r->base), &r->state,
				 r->cie->signal_frame);
	r->changed = false;
}

/* What was said so far holds up to an address. */
static void advance_to(struct run *r, uint64_t address)
{
	if (r->initial || address < r->at) {
		fail(r);
		return;
	}
	if (address == r->at)
		return;
	emit(r);
	r->at = address;
	r->ended = address >= r->limit;
}

static void advance(struct run *r, uint64_t delta)
{
	uint64_t address;

	if (__builtin_mul_overflow(delta, r->cie->code_align, &delta) ||
	    __builtin_add_overflow(r->at, delta, &address))
		fail(r);
	else
		advance_to(r, address);
}

static int64_t factored(struct run *r, int64_t offset)
{
	if (__builtin_mul_overflow(offset, r->cie->data_align, &offset))
		fail(r);
	return offset;
}

static int64_t unsigned_offset(struct run *r)
{
	uint64_t v = cursor_uleb(&r->c);

	if (v > INT64_MAX)
		fail(r);
	return (int64_t)v;
}

static void set_offset(struct run *r, uint64_t reg, enum cfi_kind kind, int64_t offset)
{
	r->state.regs[index_of(r, reg)] = (struct cfi_rule){ .kind = kind, .offset = offset };
}

static void set_register(struct run *r, uint64_t reg, uint64_t from)
{
	unsigned int i = index_of(r, reg);

	/* A register that we don't know (of vectors, say) is as good as none. */
	r->state.regs[i] = (struct cfi_rule){
		.kind = from <= UNWIND_REG_RA ? CFI_REG : CFI_VAL_EXPR,
		.reg = from <= UNWIND_REG_RA ? (uint8_t)from : 0,
	};
}

static struct cfi_rule read_expression(struct run *r, enum cfi_kind kind)
{
	uint64_t len = cursor_uleb(&r->c);
	const uint8_t *expr = cursor_take(&r->c, len);

	if (len > MAX_EXPRESSION)
		return (struct cfi_rule){ .kind = kind };
	return (struct cfi_rule){ .kind = kind, .len = (uint8_t)len, .expr = expr };
}

static void set_expression(struct run *r, enum cfi_kind kind)
{
	unsigned int i = index_of(r, cursor_uleb(&r->c));

	r->state.regs[i] = read_expression(r, kind);
}

static void set_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	struct cfi_rule *cfa = &r->state.cfa;

	*cfa = (struct cfi_rule){ .kind = CFI_REG, .reg = (uint8_t)reg, .offset = offset };
	if (reg > UNWIND_REG_RA) /* vectors: not expressible, but no nonsense */
		*cfa = (struct cfi_rule){ .kind = CFI_VAL_EXPR };
	r->changed = true;
}

/* Changes one half of the CFA rule, which must have two. */
static void change_cfa(struct run *r, const uint64_t *reg, const int64_t *offset)
{
	struct cfi_rule *cfa = &r->state.cfa;

	if (cfa->kind != CFI_REG)
		fail(r);
	else
		set_cfa(r, reg ? *reg : cfa->reg, offset ? *offset : cfa->offset);
}

static void restore(struct run *r, uint64_t reg)
{
	unsigned int i = index_of(r, reg);

	r->state.regs[i] = r->initial ? (struct cfi_rule){ 0 } : r->cie->initial.regs[i];
}

static void remember(struct run *r)
{
	if (r->n_remembered == MAX_REMEMBERED)
		fail(r);
	else
		r->remembered[r->n_remembered++] = r->state;
}

static void restore_state(struct run *r)
{
	if (!r->n_remembered) {
		fail(r);
		return;
	}
	r->state = r->remembered[--r->n_remembered];
	r->changed = true;
}

/* The instructions that set the CFA. False: it is none of them. */
static bool step_cfa(struct run *r, uint8_t op)
{
	struct cursor *c = &r->c;
	int64_t offset;
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cursor_uleb(c);
		set_cfa(r, reg, unsigned_offset(r));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cursor_uleb(c);
		set_cfa(r, reg, factored(r, cursor_sleb(c)));
		return true;
	case DW_CFA_def_cfa_register:
		reg = cursor_uleb(c);
		change_cfa(r, &reg, NULL);
		return true;
	case DW_CFA_def_cfa_offset:
		offset = unsigned_offset(r);
		change_cfa(r, NULL, &offset);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		offset = factored(r, cursor_sleb(c));
		change_cfa(r, NULL, &offset);
		return true;
	case DW_CFA_def_cfa_expression:
		r->state.cfa = read_expression(r, CFI_VAL_EXPR);
		r->changed = true;
		return true;
	}
	return false;
}

/* The instructions that move on. */
static bool step_location(struct run *r, uint8_t op)
{
	struct cursor *c = &r->c;

	switch (op) {
	case DW_CFA_set_loc:
		advance_to(r, cfi_pointer(r->section, c, r->cie->encoding));
		return true;
	case DW_CFA_advance_loc1:
		advance(r, cursor_u8(c));
		return true;
	case DW_CFA_advance_loc2:
		advance(r, cursor_fixed(c, 2));
		return true;
	case DW_CFA_advance_loc4:
		advance(r, cursor_fixed(c, 4));
		return true;
	case DW_CFA_MIPS_advance_loc8:
		advance(r, cursor_fixed(c, 8));
		return true;
	}
	return false;
}

/* The instructions that say where a register is. */
static bool step_register(struct run *r, uint8_t op)
{
	struct cursor *c = &r->c;
	uint64_t reg;

	switch (op) {
	case DW_CFA_expression:
		set_expression(r, CFI_EXPR);
		return true;
	case DW_CFA_val_expression:
		set_expression(r, CFI_VAL_EXPR);
		return true;
	case DW_CFA_offset_extended:
	case DW_CFA_val_offset:
		reg = cursor_uleb(c);
		set_offset(r, reg, op == DW_CFA_val_offset ? CFI_VAL_OFFSET : CFI_OFFSET,
			   factored(r, unsigned_offset(r)));
		return true;
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset_sf:
		reg = cursor_uleb(c);
		set_offset(r, reg, op == DW_CFA_val_offset_sf ? CFI_VAL_OFFSET : CFI_OFFSET,
			   factored(r, cursor_sleb(c)));
		return true;
	case GNU_NEGATIVE_OFFSET_EXTENDED:
		reg = cursor_uleb(c);
		set_offset(r, reg, CFI_OFFSET, factored(r, -unsigned_offset(r)));
		return true;
	case DW_CFA_restore_extended:
		restore(r, cursor_uleb(c));
		return true;
	case DW_CFA_undefined:
		set_offset(r, cursor_uleb(c), CFI_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		set_offset(r, cursor_uleb(c), CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		reg = cursor_uleb(c);
		set_register(r, reg, cursor_uleb(c));
		return true;
	}
	return false;
}

static void step(struct run *r)
{
	uint8_t op = cursor_u8(&r->c), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		advance(r, low);
		return;
	case DW_CFA_offset:
		set_offset(r, low, CFI_OFFSET, factored(r, unsigned_offset(r)));
		return;
	case DW_CFA_restore:
		restore(r, low);
		return;
	}
	switch (op) {
	case DW_CFA_nop:
		return;
	case DW_CFA_GNU_args_size: /* of use to exceptions only */
		cursor_uleb(&r->c);
		return;
	case DW_CFA_remember_state:
		remember(r);
		return;
	case DW_CFA_restore_state:
		restore_state(r);
		return;
	}
	if (!step_cfa(r, op) && !step_location(r, op) && !step_register(r, op))
		fail(r);
}

static int run(struct run *r)
{
	while (!r->err && !r->ended && r->c.p < r->c.end) {
		step(r);
		if (r->c.bad)
			fail(r);
	}
	if (!r->ended)
		emit(r);
	return r->err;
}

int cfi_run_initial(const struct cfi_section *section, struct cfi_cie *cie, struct cursor program)
{
	struct run r;
	int err;

	r.section = section;
	r.cie = cie;
	r.c = program;
	r.state = (struct cfi_state){ 0 };
	r.n_remembered = 0;
	r.initial = true;
	r.changed = r.ended = false;
	r.at = r.base = r.limit = 0;
	r.err = 0;
	err = run(&r);
	if (!err)
		cie->initial = r.state;
	return err;
}

int cfi_run(const struct cfi *cfi, const struct cfi_entry *entry, uint64_t base, uint32_t limit,
	    cfi_sink sink, void *arg)
{
	const uint8_t *program = cfi->section.data + entry->program;
	struct run r; /* not cleared: it is large, and this runs for every function */

	r.section = &cfi->section;
	r.cie = &cfi->cies[entry->cie];
	r.c = (struct cursor){ .p = program, .end = program + entry->program_size };
	r.state = r.cie->initial;
	r.n_remembered = 0;
	r.initial = false;
	r.changed = true;
	r.ended = false;
	r.base = base;
	r.at = base + entry->start;
	r.limit = base + limit;
	r.sink = sink;
	r.arg = arg;
	r.err = 0;
	return run(&r);
}
