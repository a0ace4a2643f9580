// SPDX-License-Identifier: BSD-2-Clause
/* Intel's Software Developer's Manual, volume 2: the instruction format and the opcode maps of appendix A. */
#include <stdbool.h>

#include "unwind/cursor.h"
#include "unwind/instruction.h"

struct parts {
	bool wide, operand16, address32, rex_b, rex_r;
	unsigned int map; /* 0: one byte; 1: 0f; 2: 0f38; 3: 0f3a */
	uint8_t op;
	uint8_t mod, reg, rm, base;
	int32_t displacement;
	int64_t immediate;
};

static bool is_prefix(uint8_t b)
{
	return b == 0x66 || b == 0x67 || b == 0xf2 || b == 0xf3 || b == 0xf0 || b == 0x2e ||
	       b == 0x36 || b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

static void read_opcode(struct cursor *c, struct parts *p)
{
	uint8_t b = cursor_u8(c);

	for (; is_prefix(b); b = cursor_u8(c)) {
		p->operand16 |= b == 0x66;
		p->address32 |= b == 0x67;
	}
	if ((b & 0xf0) == 0x40) {
		p->wide = b & 8;
		p->rex_r = b & 4;
		p->rex_b = b & 1;
		b = cursor_u8(c);
	}
	if (b == 0xc5 || b == 0xc4 || b == 0x62) { /* VEX, EVEX */
		p->map = b == 0xc5 ? 1 : cursor_u8(c) & (b == 0x62 ? 7 : 31);
		cursor_take(c, b == 0x62 ? 2 : 1);
		p->op = cursor_u8(c);
		c->bad |= p->map < 1 || p->map > 3;
		return;
	}
	if (b == 0x0f) {
		b = cursor_u8(c);
		p->map = b == 0x38 ? 2 : b == 0x3a ? 3 : 1;
		if (p->map > 1)
			b = cursor_u8(c);
	}
	p->op = b;
}

static bool has_modrm(const struct parts *p)
{
	uint8_t op = p->op;

	if (p->map > 1)
		return true;
	if (p->map == 1)
		return !((op >= 0x05 && op <= 0x0b) || op == 0x0e || (op >= 0x30 && op <= 0x37) ||
			 op == 0x77 || (op >= 0x80 && op <= 0x8f) || (op >= 0xa0 && op <= 0xa2) ||
			 (op >= 0xa8 && op <= 0xaa) || op >> 3 == 0xc8 >> 3);
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) ||
	       (op & 0xfe) == 0xc0 || (op & 0xfe) == 0xc6 || (op & 0xfc) == 0xd0 ||
	       (op & 0xf8) == 0xd8 || (op & 0xf6) == 0xf6;
}

static unsigned int immediate_size(const struct parts *p)
{
	unsigned int full = p->operand16 ? 2 : 4;
	uint8_t op = p->op;

	if (p->map == 3)
		return 1;
	if (p->map == 1) {
		if ((op & 0xf0) == 0x80)
			return 4;
		return (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
		       op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
	}
	if (p->map)
		return 0;
	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? full : 0;
	switch (op) {
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return full;
	case 0xe8:
	case 0xe9:
		return 4;
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xeb:
		return 1;
	case 0xc2:
		return 2;
	case 0xc8:
		return 3;
	case 0xf6:
		return p->reg < 2;
	case 0xf7:
		return p->reg < 2 ? full : 0;
	}
	if ((op & 0xf0) == 0x70 || (op & 0xf8) == 0xe0 || (op & 0xf8) == 0xb0)
		return 1;
	if ((op & 0xf8) == 0xb8)
		return p->wide ? 8 : full;
	if ((op & 0xfc) == 0xa0)
		return p->address32 ? 4 : 8;
	return 0;
}

/* A signed number of 0 to 8 bytes. */
static int64_t read_signed(struct cursor *c, unsigned int size)
{
	const uint8_t *bytes = cursor_take(c, size);
	uint64_t v = 0;

	if (!bytes || !size)
		return 0;
	for (unsigned int i = 0; i < size; i++)
		v |= (uint64_t)bytes[i] << 8 * i;
	return (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size);
}

static void read_modrm(struct cursor *c, struct parts *p)
{
	uint8_t b = cursor_u8(c);
	unsigned int size;

	p->mod = b >> 6;
	p->reg = b >> 3 & 7;
	p->rm = p->base = b & 7;
	if (p->mod == 3)
		return;
	if (p->rm == 4)
		p->base = cursor_u8(c) & 7;
	size = p->mod == 1 ? 1 : p->mod == 2 || p->base == 5 ? 4 : 0;
	p->displacement = (int32_t)read_signed(c, size);
}

static bool is_rsp(const struct parts *p)
{
	return p->mod == 3 && p->rm == 4 && !p->rex_b;
}

/* 81 and 83: arithmetic with an immediate. */
static void arithmetic(const struct parts *p, struct instruction *i)
{
	if (!is_rsp(p) || p->reg == 7) /* cmp */
		return;
	if (p->reg == 0)
		i->adds = p->immediate;
	else if (p->reg == 5)
		i->adds = -p->immediate;
	else
		i->kind = INSTRUCTION_UNKNOWN_RSP;
}

static void address(const struct parts *p, struct instruction *i)
{
	if (p->reg != 4 || p->rex_r)
		return;
	i->kind = INSTRUCTION_UNKNOWN_RSP;
	if (p->rex_b || p->mod == 0)
		return;
	if (p->rm == 4 && p->base == 4) { /* an index is not looked for */
		i->kind = INSTRUCTION_PLAIN;
		i->adds = p->displacement;
	} else if (p->rm == 5) {
		i->kind = INSTRUCTION_FROM_FRAME;
		i->distance = p->displacement;
	}
}

/* mov between registers, to one or from it. */
static void move(struct instruction *i, const struct parts *p)
{
	unsigned int to = p->op == 0x89 ? p->rm : p->reg, from = p->op == 0x89 ? p->reg : p->rm;
	bool to_high = p->op == 0x89 ? p->rex_b : p->rex_r;
	bool from_high = p->op == 0x89 ? p->rex_r : p->rex_b;

	if (p->op == 0x89 && p->mod != 3)
		return;
	if (to == 4 && !to_high) {
		i->kind = p->mod == 3 && from == 5 && !from_high ? INSTRUCTION_FROM_FRAME
								 : INSTRUCTION_UNKNOWN_RSP;
	} else if (to == 5 && !to_high && from == 4 && !from_high && p->mod == 3) {
		i->kind = INSTRUCTION_SET_FRAME;
	}
}

static void indirect(const struct parts *p, struct instruction *i)
{
	if (p->reg == 6)
		i->adds = -8;
	else if (p->reg == 4)
		i->kind = INSTRUCTION_END;
}

static void go(struct instruction *i, const struct parts *p, enum instruction_kind kind)
{
	i->kind = kind;
	i->distance = (int32_t)p->immediate;
}

static void find_effect(const struct parts *p, struct instruction *i)
{
	uint8_t op = p->op;

	if (p->map == 1 && (op & 0xf0) == 0x80)
		go(i, p, INSTRUCTION_BRANCH);
	else if (p->map == 1 && op == 0x0b)
		i->kind = INSTRUCTION_END;
	else if (p->map == 1 && op == 0x1f)
		i->kind = INSTRUCTION_NOP;
	if (p->map)
		return;
	if ((op & 0xf8) == 0x50) {
		i->adds = -8;
		if (op == 0x55 && !p->rex_b)
			i->kind = INSTRUCTION_PUSH_RBP;
	} else if ((op & 0xf8) == 0x58) {
		i->adds = 8;
		if (op == 0x5d && !p->rex_b)
			i->kind = INSTRUCTION_POP_RBP;
	} else if (op == 0x68 || op == 0x6a || op == 0x9c) {
		i->adds = -8;
	} else if (op == 0x9d || (op == 0x8f && p->reg == 0)) {
		i->adds = 8;
	} else if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		go(i, p, INSTRUCTION_BRANCH);
	} else if (op == 0xe9 || op == 0xeb) {
		go(i, p, INSTRUCTION_JUMP);
	} else if (op == 0xe8) {
		go(i, p, INSTRUCTION_CALL);
	} else if (op == 0x90 || op == 0xcc) {
		i->kind = INSTRUCTION_NOP;
	} else if (op == 0xc3 || op == 0xc2 || op == 0xf4) {
		i->kind = INSTRUCTION_END;
	} else if (op == 0xc9) {
		i->kind = INSTRUCTION_LEAVE;
	} else if (op == 0xff) {
		indirect(p, i);
	} else if (op == 0x81 || op == 0x83) {
		arithmetic(p, i);
	} else if (op == 0x8d) {
		address(p, i);
	} else if (op == 0x89 || op == 0x8b) {
		move(i, p);
	} else if (op < 0x38 &&
		   (((op & 7) == 1 && is_rsp(p)) || ((op & 7) == 3 && p->reg == 4 && !p->rex_r))) {
		i->kind = INSTRUCTION_UNKNOWN_RSP; /* of two registers */
	}
}

int instruction_read(const uint8_t *code, size_t size, struct instruction *instruction)
{
	struct cursor c = { .p = code, .end = code + size };
	struct parts p = { 0 };

	read_opcode(&c, &p);
	if (has_modrm(&p))
		read_modrm(&c, &p);
	p.immediate = read_signed(&c, immediate_size(&p));
	if (c.bad)
		return -1;
	*instruction = (struct instruction){ .length = (unsigned int)(c.p - code) };
	find_effect(&p, instruction);
	return 0;
}
