// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/expression.h"
#include "unwind/rule.h"

#define MAX_COMPLEX (1U << 21) /* the bits of a row that hold the index */
#define MAX_REG 15

/* Where a register of the caller is, before it is known to fit. */
struct place {
	uint8_t where, reg; /* enum unwind_where */
	int64_t offset;
};

/* A rule before it is known to fit. */
struct wide_rule {
	uint8_t cfa, reg, index; /* enum unwind_cfa */
	int64_t offset, add;
	struct place rsp, rbp, rbx, ra;
};

static bool fits(int64_t v)
{
	return v == (int32_t)v;
}

static bool read_cfa(const struct cfi_rule *cfa, struct wide_rule *w)
{
	struct expression e;

	if (cfa->kind == CFI_REG) {
		w->cfa = UNWIND_CFA_REG;
		w->reg = cfa->reg;
		w->offset = cfa->offset;
		return true;
	}
	if (cfa->kind != CFI_VAL_EXPR || !expression_read(cfa->expr, cfa->len, false, &e))
		return false;
	switch (e.form) {
	case EXPRESSION_REG:
		w->cfa = UNWIND_CFA_REG;
		break;
	case EXPRESSION_DEREF:
		w->cfa = UNWIND_CFA_DEREF;
		break;
	case EXPRESSION_DEREF_SUM:
		w->cfa = UNWIND_CFA_INDEX;
		break;
	case EXPRESSION_PLT:
		w->cfa = UNWIND_CFA_PLT;
		break;
	default:
		return false;
	}
	w->reg = e.reg;
	w->index = e.index;
	w->offset = e.offset;
	w->add = e.add;
	return true;
}

static bool read_expression_place(const struct cfi_rule *rule, struct place *p)
{
	struct expression e;

	if (!expression_read(rule->expr, rule->len, true, &e))
		return false;
	p->reg = e.reg;
	p->offset = e.offset;
	if (e.form == EXPRESSION_REG && rule->kind == CFI_EXPR)
		p->where = e.reg == EXPRESSION_CFA ? UNWIND_AT_CFA : UNWIND_AT_REG;
	else if (e.form == EXPRESSION_REG)
		p->where = e.reg == EXPRESSION_CFA ? UNWIND_FROM_CFA : UNWIND_IN_REG;
	else if (e.form == EXPRESSION_DEREF && rule->kind == CFI_VAL_EXPR && !e.add)
		p->where = e.reg == EXPRESSION_CFA ? UNWIND_AT_CFA : UNWIND_AT_REG;
	else
		return false;
	return true;
}

static bool read_place(const struct cfi_rule *rule, struct place *p)
{
	*p = (struct place){ .offset = rule->offset };
	switch (rule->kind) {
	case CFI_DEFAULT:
	case CFI_UNDEFINED: /* nobody can use it, so it may as well be called unchanged */
	case CFI_SAME:
		p->where = UNWIND_SAME;
		p->offset = 0;
		return true;
	case CFI_OFFSET:
		p->where = UNWIND_AT_CFA;
		return true;
	case CFI_VAL_OFFSET:
		p->where = UNWIND_FROM_CFA;
		return true;
	case CFI_REG:
		p->where = UNWIND_IN_REG;
		p->reg = rule->reg;
		return true;
	}
	return read_expression_place(rule, p);
}

/* Says by a register of the frame what was said by the CFA. */
static bool rebase(const struct wide_rule *w, struct place *p)
{
	if (p->where != UNWIND_AT_CFA && p->where != UNWIND_FROM_CFA)
		return true;
	if (w->cfa != UNWIND_CFA_REG || __builtin_add_overflow(p->offset, w->offset, &p->offset))
		return false;
	p->where = p->where == UNWIND_AT_CFA ? UNWIND_AT_REG : UNWIND_IN_REG;
	p->reg = w->reg;
	return true;
}

/*
 * The caller's rsp is the CFA, the walker trusts. Where it is said to be something else (longjmp),
 * that becomes the CFA, and what was said relative to the former is said by its register.
 */
static bool make_rsp_the_cfa(struct wide_rule *w)
{
	struct place *p = &w->rsp;

	if (p->where == UNWIND_SAME || (p->where == UNWIND_FROM_CFA && !p->offset))
		return true;
	if (p->where == UNWIND_AT_REG && w->cfa == UNWIND_CFA_DEREF && !w->add &&
	    p->reg == w->reg && p->offset == w->offset)
		return true;
	if (!rebase(w, p) || !rebase(w, &w->rbp) || !rebase(w, &w->rbx) || !rebase(w, &w->ra))
		return false;
	w->cfa = p->where == UNWIND_AT_REG ? UNWIND_CFA_DEREF : UNWIND_CFA_REG;
	w->reg = p->reg;
	w->offset = p->offset;
	w->add = 0;
	return true;
}

/* Unlike of other registers, it means something to say of rsp that it is unchanged. */
static bool read_rsp(const struct cfi_rule *rule, struct place *p)
{
	if (rule->kind == CFI_SAME)
		*p = (struct place){ .where = UNWIND_IN_REG, .reg = UNWIND_REG_RSP };
	return rule->kind == CFI_SAME || read_place(rule, p);
}

static bool read_rule(const struct cfi_state *s, struct wide_rule *w)
{
	*w = (struct wide_rule){ 0 };
	return read_cfa(&s->cfa, w) && read_rsp(&s->regs[CFI_RSP], &w->rsp) &&
	       read_place(&s->regs[CFI_RBP], &w->rbp) && read_place(&s->regs[CFI_RBX], &w->rbx) &&
	       read_place(&s->regs[CFI_RA], &w->ra) && make_rsp_the_cfa(w);
}

static bool place_fits(const struct place *p)
{
	return p->reg <= MAX_REG && fits(p->offset);
}

static bool make_complex(const struct cfi_state *s, bool signal_frame, struct unwind_complex *c)
{
	struct wide_rule w;

	if (!read_rule(s, &w) || w.ra.where == UNWIND_SAME || w.reg > MAX_REG ||
	    w.index > MAX_REG || !fits(w.offset) || !fits(w.add) || !place_fits(&w.rbp) ||
	    !place_fits(&w.rbx) || !place_fits(&w.ra))
		return false;
	*c = (struct unwind_complex){
		.cfa = w.cfa,
		.cfa_reg = w.reg,
		.cfa_index = w.index,
		.cfa_offset = (int32_t)w.offset,
		.cfa_add = (int32_t)w.add,
		.flags = signal_frame ? UNWIND_SIGNAL_FRAME : 0,
		.rbp = w.rbp.where,
		.rbp_reg = w.rbp.reg,
		.rbp_offset = (int32_t)w.rbp.offset,
		.rbx = w.rbx.where,
		.rbx_reg = w.rbx.reg,
		.rbx_offset = (int32_t)w.rbx.offset,
		.ra = w.ra.where,
		.ra_reg = w.ra.reg,
		.ra_offset = (int32_t)w.ra.offset,
	};
	return true;
}

static uint32_t hash(const struct unwind_complex *c)
{
	uint64_t h = 0, word;

	for (size_t i = 0; i < sizeof(*c); i += sizeof(word)) {
		memcpy(&word, (const char *)c + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static int grow(struct rule_set *set)
{
	uint32_t n_slots = set->n_slots ? 2 * set->n_slots : 64;
	uint32_t *slots = calloc(n_slots, sizeof(*slots));
	struct unwind_complex *list = reallocarray(set->list, n_slots / 2, sizeof(*list));

	if (list)
		set->list = list;
	if (!slots || !list) {
		free(slots);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < set->n; i++) {
		uint32_t at = hash(&list[i]) & (n_slots - 1);

		while (slots[at])
			at = (at + 1) & (n_slots - 1);
		slots[at] = i + 1;
	}
	free(set->slots);
	set->slots = slots;
	set->n_slots = n_slots;
	set->room = n_slots / 2;
	return 0;
}

static int add_complex(struct rule_set *set, const struct unwind_complex *c, uint32_t *rule)
{
	uint32_t at;

	if (set->n == set->room && grow(set))
		return -ENOMEM;
	for (at = hash(c) & (set->n_slots - 1); set->slots[at]; at = (at + 1) & (set->n_slots - 1))
		if (!memcmp(&set->list[set->slots[at] - 1], c, sizeof(*c)))
			break;
	if (!set->slots[at] && set->n == MAX_COMPLEX) {
		*rule = UNWIND_UNKNOWN;
		return 0;
	}
	if (!set->slots[at]) {
		set->list[set->n++] = *c;
		set->slots[at] = set->n;
	}
	*rule = UNWIND_COMPLEX | (set->slots[at] - 1) << 3;
	return 0;
}

void rule_set_free(struct rule_set *set)
{
	free(set->list);
	free(set->slots);
	*set = (struct rule_set){ 0 };
}

/* The slot number of a saved register, up to last; false if the row has no room for what is said. */
static bool slot(const struct cfi_rule *rule, int last, uint32_t *n)
{
	if (rule->kind == CFI_DEFAULT || rule->kind == CFI_SAME || rule->kind == CFI_UNDEFINED) {
		*n = 0;
		return true;
	}
	*n = (uint32_t)(-rule->offset / 8);
	return rule->kind == CFI_OFFSET && rule->offset >= -last * 8 && rule->offset <= -8 &&
	       rule->offset % 8 == 0;
}

static bool make_simple(const struct cfi_state *s, uint32_t *rule)
{
	const struct cfi_rule *ra = &s->regs[CFI_RA], *rsp = &s->regs[CFI_RSP];
	uint32_t rbp, rbx;

	if (s->cfa.kind != CFI_REG ||
	    (s->cfa.reg != UNWIND_REG_RSP && s->cfa.reg != UNWIND_REG_RBP))
		return false;
	if (s->cfa.offset < 0 || s->cfa.offset > 0x1fff * 8 || s->cfa.offset % 8)
		return false;
	if (rsp->kind != CFI_DEFAULT && (rsp->kind != CFI_VAL_OFFSET || rsp->offset))
		return false;
	if (ra->kind != CFI_OFFSET || ra->offset != -8)
		return false;
	if (!slot(&s->regs[CFI_RBP], 15, &rbp) ||
	    !slot(&s->regs[CFI_RBX], UNWIND_GUESS_SLOT - 1, &rbx))
		return false;
	*rule = (s->cfa.reg == UNWIND_REG_RSP ? UNWIND_RSP : UNWIND_RBP) |
		(uint32_t)(s->cfa.offset / 8) << 3 | rbp << 16 | rbx << 20;
	return true;
}

int rule_pack(struct rule_set *set, const struct cfi_state *s, bool signal_frame, uint32_t *rule)
{
	struct unwind_complex c;

	if (!signal_frame && make_simple(s, rule))
		return 0;
	if (s->regs[CFI_RA].kind == CFI_UNDEFINED) {
		*rule = UNWIND_END;
		return 0;
	}
	if (make_complex(s, signal_frame, &c))
		return add_complex(set, &c, rule);
	*rule = UNWIND_UNKNOWN;
	return 0;
}
