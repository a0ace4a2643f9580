// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs a line table's program (DWARF 2 to 5, chapter 6.2.5) and keeps the rows of the addresses that are asked
 * for: a row holds from its address up to the next row's, and the last of several with one address counts.
 */
#include <dwarf.h>

#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_lines_private.h"

struct run {
	const struct dwarf_lines *l;
	const uint64_t *addresses;
	size_t n;
	struct dwarf_row *rows;

	/* registers */
	uint64_t address, file;
	unsigned int op_index;
	uint32_t line, column, discriminator;

	/* of the sequence */
	bool has_row, dropped;
	uint64_t row_address; /* of the last row; what it says: */
	struct dwarf_row row;
	size_t next; /* the first address that is at least the last row's */
};

static size_t lower_bound(const struct run *r, uint64_t address)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void reset(struct run *r)
{
	r->address = 0;
	r->op_index = 0;
	r->file = 1;
	r->line = 1;
	r->column = 0;
	r->discriminator = 0;
	r->has_row = false;
}

/* Ends the last row where the next one begins. Of sequences that overlap the first counts. */
static void end_row(struct run *r)
{
	for (; r->next < r->n && r->addresses[r->next] < r->address; r->next++)
		if (!r->rows[r->next].found)
			r->rows[r->next] = r->row;
}

static void begin_row(struct run *r)
{
	if (!r->has_row) {
		/* Code that the linker dropped is left at 0, or at one of the highest addresses. */
		r->dropped = !r->address || r->address >= UINT64_MAX - 1;
		r->next = lower_bound(r, r->address);
	} else if (r->address < r->row_address) {
		r->next = lower_bound(r, r->address);
	} else if (r->address > r->row_address && !r->dropped) {
		end_row(r);
	}
	r->has_row = true;
	r->row_address = r->address;
	r->row = (struct dwarf_row){ r->file, r->line, r->column, r->discriminator, true };
	r->discriminator = 0;
}

static void end_sequence(struct run *r)
{
	if (r->has_row && !r->dropped && r->address > r->row_address)
		end_row(r);
	reset(r);
}

static void advance(struct run *r, uint64_t operations)
{
	const struct dwarf_lines *l = r->l;

	if (l->units <= 1) {
		r->address += operations * l->unit_length;
		return;
	}
	r->address += l->unit_length * ((r->op_index + operations) / l->units);
	r->op_index = (unsigned int)((r->op_index + operations) % l->units);
}

static void run_special(struct run *r, unsigned int opcode)
{
	unsigned int adjusted = opcode - r->l->opcode_base;

	advance(r, adjusted / r->l->line_range);
	r->line += (uint32_t)(r->l->line_base + (int)(adjusted % r->l->line_range));
	begin_row(r);
}

static void run_extended(struct run *r, struct dwarf_bytes *b)
{
	uint64_t length = bytes_unsigned(b);
	const unsigned char *start = b->at;

	if (!start || !length || !bytes_skip(b, length))
		return;
	switch (*start) {
	case DW_LNE_end_sequence:
		end_sequence(r);
		break;
	case DW_LNE_set_address: {
		struct dwarf_bytes operand = { start + 1, b->at };

		r->op_index = 0;
		r->address = length <= 9 ? bytes_number(&operand, (unsigned int)length - 1) : 0;
		if (length == 5 && r->address == UINT32_MAX)
			r->address = UINT64_MAX;
		break;
	}
	case DW_LNE_set_discriminator: {
		struct dwarf_bytes operand = { start + 1, b->at };

		r->discriminator = (uint32_t)bytes_unsigned(&operand);
		break;
	}
	default:
		break;
	}
}

static void run_standard(struct run *r, struct dwarf_bytes *b, unsigned int opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		begin_row(r);
		break;
	case DW_LNS_advance_pc:
		advance(r, bytes_unsigned(b));
		break;
	case DW_LNS_advance_line:
		r->line += (uint32_t)bytes_signed(b);
		break;
	case DW_LNS_set_file:
		r->file = bytes_unsigned(b);
		break;
	case DW_LNS_set_column:
		r->column = (uint32_t)bytes_unsigned(b);
		break;
	case DW_LNS_const_add_pc:
		advance(r, (255u - r->l->opcode_base) / r->l->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		r->address += bytes_number(b, 2);
		r->op_index = 0;
		break;
	case DW_LNS_negate_stmt:
	case DW_LNS_set_basic_block:
	case DW_LNS_set_prologue_end:
	case DW_LNS_set_epilogue_begin:
		break;
	default: /* set_isa, and what may come: the head tells its operands */
		for (unsigned int i = r->l->lengths[opcode - 1]; i; i--)
			bytes_unsigned(b);
	}
}

void dwarf_lines_find(struct dwarf_lines *lines, const uint64_t *addresses, size_t n,
		      struct dwarf_row *rows)
{
	struct run r = { .l = lines, .addresses = addresses, .n = n, .rows = rows };
	struct dwarf_bytes b = lines->program;

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct dwarf_row){ 0 };
	reset(&r);
	while (b.at && b.at < b.end) {
		unsigned int opcode = *b.at++;

		if (opcode >= lines->opcode_base)
			run_special(&r, opcode);
		else if (opcode)
			run_standard(&r, &b, opcode);
		else
			run_extended(&r, &b);
	}
}
