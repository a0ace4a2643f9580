// SPDX-License-Identifier: BSD-2-Clause
/*
 * The decoder of call frame information on sections written by hand. What is expected follows from the
 * DWARF 5 standard, section 6.4, and the Linux Standard Base.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/unwind_elf.h"
#include "unwind/cfi.h"
#include "unwind/expression.h"

#define BASE 0x10000
#define SIZE 0x1000

static const struct cfi_range code = { BASE, BASE + SIZE };
static const struct cie_plan usual;
static const struct cie_plan debug = { .debug = true };

/* The rules that a sink got, as text: " OFFSET:cfa[,register...]". */
static char said[4096];

static void say_rule(const char *name, const struct cfi_rule *r)
{
	static const char *const kinds[] = { "-",  "undefined", "same", "at",
					     "is", "reg",	"exp",	"val" };
	char *to = said + strlen(said);
	size_t room = sizeof(said) - strlen(said);

	if (r->kind == CFI_DEFAULT)
		return;
	if (r->kind == CFI_EXPR || r->kind == CFI_VAL_EXPR)
		snprintf(to, room, ",%s %s%u", name, kinds[r->kind], r->len);
	else if (r->kind == CFI_REG)
		snprintf(to, room, ",%s r%u%+jd", name, r->reg, (intmax_t)r->offset);
	else if (r->kind == CFI_OFFSET || r->kind == CFI_VAL_OFFSET)
		snprintf(to, room, ",%s %s%+jd", name, kinds[r->kind], (intmax_t)r->offset);
	else
		snprintf(to, room, ",%s %s", name, kinds[r->kind]);
}

static int listen(void *arg, uint32_t offset, const struct cfi_state *s, bool signal_frame)
{
	snprintf(said + strlen(said), sizeof(said) - strlen(said), " %x:", offset);
	if (s->cfa.kind == CFI_REG)
		snprintf(said + strlen(said), sizeof(said) - strlen(said), "r%u%+jd", s->cfa.reg,
			 (intmax_t)s->cfa.offset);
	else
		snprintf(said + strlen(said), sizeof(said) - strlen(said), "val%u", s->cfa.len);
	if (signal_frame)
		strcat(said, "S");
	say_rule("sp", &s->regs[CFI_RSP]);
	say_rule("bp", &s->regs[CFI_RBP]);
	say_rule("bx", &s->regs[CFI_RBX]);
	say_rule("ra", &s->regs[CFI_RA]);
	return 0;
}

/* Decodes a section into `said`. Returns the number of entries that make no sense. */
static uint32_t decode_section(const struct cfi_section *section)
{
	struct cfi_entries entries;
	struct cfi *cfi;
	uint32_t bad;

	*said = '\0';
	assert_int_equal(cfi_new(section, &cfi), 0);
	assert_int_equal(cfi_entries(cfi, BASE, &code, 1, &entries), 0);
	bad = entries.bad;
	for (size_t i = 0; i < entries.n; i++) {
		const struct cfi_entry *e = &entries.list[i];
		int err = cfi_run(cfi, e, BASE, e->start + e->size, listen, NULL);

		if (err) {
			assert_int_equal(err, -EINVAL);
			bad++;
		}
	}
	free(entries.list);
	cfi_free(cfi);
	return bad;
}

static uint32_t decode(const struct bytes *b, bool eh)
{
	struct cfi_section section = { .size = b->size, .address = eh ? 0x2000 : 0, .eh = eh };
	/* Exactly as large as the section, so that a sanitizer sees a read beyond it. */
	uint8_t *copy = malloc(b->size ? b->size : 1);
	uint32_t bad;

	assert_non_null(copy);
	memcpy(copy, b->data, b->size);
	section.data = copy;
	bad = decode_section(&section);
	free(copy);
	return bad;
}

/* One CIE, one FDE of 0x100 bytes at BASE + 0x10 with this program. */
static uint32_t decode_program(const struct cie_plan *cie, const void *program, size_t size)
{
	struct bytes b = { 0 };
	size_t at = put_cie(&b, cie);
	uint32_t bad;

	put_fde(&b, cie, at, BASE + 0x10, 0x100, program, size);
	bad = decode(&b, !cie->debug);
	free_bytes(&b);
	return bad;
}

#define PROGRAM(...) ((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ })
#define assert_program(expected, ...)                                                              \
	do {                                                                                       \
		assert_int_equal(decode_program(&usual, PROGRAM(__VA_ARGS__)), 0);                 \
		assert_string_equal(said, expected);                                               \
	} while (0)
#define assert_senseless(...) assert_int_equal(decode_program(&usual, PROGRAM(__VA_ARGS__)), 1)

static void test_locations(void **state)
{
	assert_program(" 10:r7+8,ra at-8", DW_CFA_nop);
	assert_program(" 10:r7+8,ra at-8 11:r7+16,ra at-8", DW_CFA_advance_loc | 1,
		       DW_CFA_def_cfa_offset, 16);
	assert_program(" 10:r7+8,ra at-8 52:r7+16,ra at-8", DW_CFA_advance_loc1, 0x42,
		       DW_CFA_def_cfa_offset, 16);
	assert_program(" 10:r7+8,ra at-8 90:r7+16,ra at-8", DW_CFA_advance_loc2, 0x80, 0,
		       DW_CFA_def_cfa_offset, 16);
	assert_program(" 10:r7+8,ra at-8 91:r7+16,ra at-8", DW_CFA_advance_loc4, 0x81, 0, 0, 0,
		       DW_CFA_def_cfa_offset, 16);
	assert_program(" 10:r7+8,ra at-8 92:r7+16,ra at-8", DW_CFA_MIPS_advance_loc8, 0x82, 0, 0, 0,
		       0, 0, 0, 0, DW_CFA_def_cfa_offset, 16);
	assert_program(" 10:r7+8,ra at-8 20:r7+16,ra at-8", DW_CFA_set_loc, 0x20, 0, 1, 0, 0, 0, 0,
		       0, DW_CFA_def_cfa_offset, 16);
	/* What lies beyond the function does not count. */
	assert_program(" 10:r7+8,ra at-8", DW_CFA_advance_loc2, 0, 1, DW_CFA_def_cfa_offset, 16);
	/* Two changes at one place. */
	assert_program(" 10:r6+16,ra at-8", DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc,
		       DW_CFA_def_cfa_register, 6);
	/* Back; beyond all numbers. */
	assert_senseless(DW_CFA_set_loc, 8, 0, 1, 0, 0, 0, 0, 0);
	assert_senseless(DW_CFA_MIPS_advance_loc8, 255, 255, 255, 255, 255, 255, 255, 255);
}

static void test_cfa(void **state)
{
	assert_program(" 10:r10+0,ra at-8", DW_CFA_def_cfa, 10, 0);
	assert_program(" 10:r6-16,ra at-8", DW_CFA_def_cfa_sf, 6, 2);
	assert_program(" 10:r7+16,ra at-8", DW_CFA_def_cfa_offset_sf, 0x7e);
	assert_program(" 10:r7+128,ra at-8", DW_CFA_def_cfa_offset, 0x80, 1);
	assert_program(" 10:val2,ra at-8", DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0);
	/* An expression has no register and no offset to change. */
	assert_senseless(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0, DW_CFA_def_cfa_offset, 8);
	assert_senseless(DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 0, DW_CFA_def_cfa_register, 7);
	/* Longer than its entry. */
	assert_senseless(DW_CFA_def_cfa_expression, 0x40, DW_OP_breg7, 0);
	assert_senseless(DW_CFA_def_cfa_expression, 0xff, 0xff, 0xff, 0xff, 0x7f);
}

static void test_registers(void **state)
{
	assert_program(" 10:r7+8,bp at-16,ra at-8", DW_CFA_offset | 6, 2);
	assert_program(" 10:r7+8,bp at-16,ra at-8", DW_CFA_offset_extended, 6, 2);
	assert_program(" 10:r7+8,bp at+16,ra at-8", DW_CFA_offset_extended_sf, 6, 0x7e);
	assert_program(" 10:r7+8,bp at+16,ra at-8", 0x2f, 6, 2); /* GNU_negative_offset_extended */
	assert_program(" 10:r7+8,bx is-16,ra at-8", DW_CFA_val_offset, 3, 2);
	assert_program(" 10:r7+8,bx is+16,ra at-8", DW_CFA_val_offset_sf, 3, 0x7e);
	assert_program(" 10:r7+8,ra r1+0", DW_CFA_register, 16, 1);
	assert_program(" 10:r7+8,ra undefined", DW_CFA_undefined, 16);
	assert_program(" 10:r7+8,bp same,ra at-8", DW_CFA_same_value, 6);
	assert_program(" 10:r7+8,bp exp2,ra at-8", DW_CFA_expression, 6, 2, DW_OP_breg6, 0);
	assert_program(" 10:r7+8,sp val2,ra at-8", DW_CFA_val_expression, 7, 2, DW_OP_breg6, 0);
	assert_program(" 10:r7+8,ra at-8", DW_CFA_GNU_args_size, 32);
	/* Back to what the CIE says. */
	assert_program(" 10:r7+8,ra at-8", DW_CFA_undefined, 16, DW_CFA_restore | 16);
	assert_program(" 10:r7+8,ra at-8", DW_CFA_offset | 6, 2, DW_CFA_restore_extended, 6);
	/* Registers that nobody asks for, and some that don't exist here. */
	assert_program(" 10:r7+8,ra at-8", DW_CFA_offset | 12, 2, DW_CFA_same_value, 0xff, 0xff, 3);
	assert_senseless(0x3f);
	assert_senseless(DW_CFA_GNU_window_save);
	assert_senseless(DW_CFA_offset | 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
	assert_senseless(DW_CFA_offset | 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			 0xff, 0xff, 1);
}

static void test_remembering(void **state)
{
	uint8_t deep[64];

	assert_program(" 10:r7+8,ra at-8 11:r7+16,bp at-16,ra at-8 12:r7+8,ra at-8",
		       DW_CFA_remember_state, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16,
		       DW_CFA_offset | 6, 2, DW_CFA_advance_loc | 1, DW_CFA_restore_state);
	assert_senseless(DW_CFA_restore_state);
	memset(deep, DW_CFA_remember_state, sizeof(deep));
	assert_int_equal(decode_program(&usual, deep, sizeof(deep)), 1);
	memset(deep + 8, DW_CFA_restore_state, 8);
	assert_int_equal(decode_program(&usual, deep, 16), 0);
	assert_int_equal(decode_program(&usual, deep, 8), 0);
}

static void test_factors(void **state)
{
	const struct cie_plan p = { .debug = true,
				    .code_align = 4,
				    .data_align = 4,
				    .program = "\x0c\x07\x08\x05\x10\x01",
				    .program_size = 6 };

	assert_int_equal(decode_program(&p, PROGRAM(DW_CFA_advance_loc | 2, DW_CFA_def_cfa_offset,
						    16, DW_CFA_offset | 6, 3)),
			 0);
	assert_string_equal(said, " 10:r7+8,ra at+4 18:r7+16,bp at+12,ra at+4");
}

static void test_versions(void **state)
{
	static const struct {
		uint8_t version, address_size;
		uint32_t bad;
	} cases[] = { { 1, 0, 0 }, { 3, 0, 0 }, { 4, 0, 0 },  { 4, 4, 1 },
		      { 2, 0, 1 }, { 5, 0, 1 }, { 99, 0, 1 }, { 255, 0, 1 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (unsigned int form = 0; form < 4; form++) {
			const struct cie_plan p = { .version = cases[i].version,
						    .address_size = cases[i].address_size,
						    .debug = form & 1,
						    .wide = form & 2 };

			assert_int_equal(decode_program(&p, PROGRAM(DW_CFA_nop)), cases[i].bad);
			assert_string_equal(said, cases[i].bad ? "" : " 10:r7+8,ra at-8");
		}
}

static void test_augmentations(void **state)
{
	/* P takes an encoding and a pointer of it, L an encoding, R an encoding. */
	static const uint8_t plr[] = { DW_EH_PE_indirect | DW_EH_PE_pcrel | DW_EH_PE_sdata4,
				       1,
				       2,
				       3,
				       4,
				       DW_EH_PE_pcrel | DW_EH_PE_sdata4,
				       DW_EH_PE_absptr };
	static const uint8_t none[] = { DW_EH_PE_omit, DW_EH_PE_absptr };
	const struct {
		const char *letters;
		const uint8_t *data;
		size_t size;
		uint32_t bad;
		const char *expected;
	} cases[] = {
		{ "", NULL, 0, 0, " 10:r7+8,ra at-8" },
		{ "z", NULL, 0, 0, " 10:r7+8,ra at-8" },
		{ "zPLR", plr, sizeof(plr), 0, " 10:r7+8,ra at-8" },
		{ "zPR", none, sizeof(none), 0, " 10:r7+8,ra at-8" },
		{ "zRS", NULL, 0, 0, " 10:r7+8S,ra at-8" },
		{ "zRB", NULL, 0, 0, " 10:r7+8,ra at-8" },
		{ "zRX", NULL, 0, 1, "" }, /* a letter from the future */
		{ "zPLR", plr, 3, 1, "" }, /* its data are cut off */
		{ "armcc+", NULL, 0, 1, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct cie_plan p = { .augmentation = cases[i].letters,
					    .data = cases[i].data,
					    .data_size = cases[i].size };

		assert_int_equal(decode_program(&p, PROGRAM(DW_CFA_nop)), cases[i].bad);
		assert_string_equal(said, cases[i].expected);
	}
}

/* An FDE whose address and size are these bytes. Its address field lies at 0x2000 + offset. */
static uint32_t decode_encoded(uint8_t encoding, const void *bytes, size_t size)
{
	struct cfi_section section = {
		.address = 0x2000, .eh = true, .text = 0x8000, .got = 0x4000
	};
	const struct cie_plan p = { .encoding = encoding };
	struct bytes b = { 0 };
	size_t start;
	uint32_t bad;

	put_cie(&b, &p);
	assert_int_equal(b.size % 8, 0);
	start = begin_entry(&b, false);
	put_fixed(&b, start, 4);
	put(&b, bytes, size);
	put_uleb(&b, 0);
	end_entry(&b, start, false);
	section.data = b.data;
	section.size = b.size;
	bad = decode_section(&section);
	free_bytes(&b);
	return bad;
}

static void test_pointers(void **state)
{
	/* All mean 0x10010 (= BASE + 0x10), size 0x20. The field lies at 0x2020. */
	static const struct {
		uint8_t encoding;
		uint8_t bytes[20], size;
	} cases[] = {
		{ DW_EH_PE_absptr, { 0x10, 0, 1, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0 }, 16 },
		{ DW_EH_PE_udata8, { 0x10, 0, 1, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0 }, 16 },
		{ DW_EH_PE_sdata8, { 0x10, 0, 1, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0 }, 16 },
		{ DW_EH_PE_udata4, { 0x10, 0, 1, 0, 0x20, 0, 0, 0 }, 8 },
		{ DW_EH_PE_sdata4, { 0x10, 0, 1, 0, 0x20, 0, 0, 0 }, 8 },
		{ DW_EH_PE_pcrel | DW_EH_PE_sdata4, { 0xf0, 0xdf, 0, 0, 0x20, 0, 0, 0 }, 8 },
		{ DW_EH_PE_pcrel | DW_EH_PE_udata2, { 0xf0, 0xdf, 0x20, 0 }, 4 },
		{ DW_EH_PE_textrel | DW_EH_PE_udata2, { 0x10, 0x80, 0x20, 0 }, 4 },
		{ DW_EH_PE_datarel | DW_EH_PE_udata4, { 0x10, 0xc0, 0, 0, 0x20, 0, 0, 0 }, 8 },
		{ DW_EH_PE_uleb128, { 0x90, 0x80, 0x04, 0x20 }, 4 },
		{ DW_EH_PE_sleb128, { 0x90, 0x80, 0x04, 0x20 }, 4 },
		{ DW_EH_PE_aligned, { 0x10, 0, 1, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0 }, 16 },
	};
	static const uint8_t refused[] = { DW_EH_PE_indirect | DW_EH_PE_udata4,
					   DW_EH_PE_funcrel | DW_EH_PE_udata4, DW_EH_PE_omit, 0x05,
					   0x60 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(decode_encoded(cases[i].encoding, cases[i].bytes, cases[i].size),
				 0);
		assert_string_equal(said, " 10:r7+8,ra at-8");
	}
	for (size_t i = 0; i < sizeof(refused); i++)
		assert_int_equal(decode_encoded(refused[i], cases[3].bytes, cases[3].size), 1);
}

/* A section of two functions whose second entry's bytes at `at` are replaced. */
static uint32_t decode_replaced(size_t at, const void *bytes, unsigned int size)
{
	struct bytes b = { 0 };
	size_t cie = put_cie(&b, &usual), second;
	uint32_t bad;

	put_fde(&b, &usual, cie, BASE + 0x10, 0x10, PROGRAM(DW_CFA_nop));
	second = b.size;
	put_fde(&b, &usual, cie, BASE + 0x40, 0x10, PROGRAM(DW_CFA_nop));
	memcpy(b.data + second + at, bytes, size);
	bad = decode(&b, true);
	free_bytes(&b);
	return bad;
}

static uint32_t decode_damaged(size_t at, uint64_t v, unsigned int size)
{
	return decode_replaced(at, &v, size);
}

static void test_damage(void **state)
{
	static const char first[] = " 10:r7+8,ra at-8";

	/* Lengths: beyond the section, reserved values, wide ones that overflow. */
	static const uint64_t lengths[] = { 0x1000, 0xfffffff0, 0xfffffffe, 0xffffffff,
					    0x7fffffff };
	static const uint64_t wide[] = { UINT64_MAX, UINT64_MAX - 11, UINT64_MAX - 3,
					 1ull << 63, 1ull << 32,      0x1000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		decode_damaged(0, lengths[i], 4);
		assert_string_equal(said, first);
	}
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++) {
		uint8_t bytes[12] = { 0xff, 0xff, 0xff, 0xff };

		memcpy(bytes + 4, &wide[i], 8);
		decode_replaced(0, bytes, sizeof(bytes));
		assert_string_equal(said, first);
	}
	/* The CIE: elsewhere, itself, before the section. */
	assert_int_equal(decode_damaged(4, 1, 4), 1);
	assert_int_equal(decode_damaged(4, 4, 4), 1);
	assert_int_equal(decode_damaged(4, 0x7ffffff0, 4), 1);
	assert_int_equal(decode_damaged(4, 0xfffffff0, 4), 1);
	assert_string_equal(said, first);
	/* Code: elsewhere, none, as much as wraps around. */
	assert_int_equal(decode_damaged(8, 0x9999999, 8), 1);
	assert_int_equal(decode_damaged(8, UINT64_MAX, 8), 1);
	assert_int_equal(decode_damaged(8, 0, 8), 0);
	assert_int_equal(decode_damaged(16, 0, 8), 0);
	assert_int_equal(decode_damaged(16, UINT64_MAX, 8), 1);
	assert_string_equal(said, first);
	/* More than its segment: cut. */
	assert_int_equal(decode_damaged(16, 0x100000, 8), 0);
}

static void test_cut_off(void **state)
{
	struct bytes b = { 0 };
	size_t cie = put_cie(&b, &usual);

	put_fde(&b, &usual, cie, BASE + 0x10, 0x10,
		PROGRAM(DW_CFA_advance_loc | 4, DW_CFA_def_cfa_expression, 2, DW_OP_breg7, 8));
	for (size_t size = 0; size < b.size; size++) {
		const struct bytes part = { .data = b.data, .size = size };

		decode(&part, true);
		decode(&part, false);
		assert_string_equal(said, "");
	}
	free_bytes(&b);
}

/* Each would take hours if some entry were looked at again and again. */
static void test_linear_time(void **state)
{
	static const size_t large = 4 << 20;
	uint8_t *program = malloc(large);
	struct bytes b = { 0 };
	struct cie_plan p = { .debug = true, .program = program, .program_size = large };
	size_t cie;

	assert_non_null(program);
	memset(program, DW_CFA_nop, large);
	memcpy(program, "\x0c\x07\x08\x90\x01", 5);
	cie = put_cie(&b, &p);
	for (unsigned int i = 0; i < 100000; i++)
		put_fde(&b, &p, cie, BASE + 1 + i % 0xf00, 1, NULL, 0);
	assert_int_equal(decode(&b, false), 0);
	b.size = 0;
	cie = put_cie(&b, &debug);
	program[0] = DW_CFA_def_cfa_expression;
	memcpy(program + 1, "\x80\x80\x80\x01", 4); /* 2 MiB long */
	for (size_t i = 5 + (2 << 20); i + 1 < large; i += 2)
		memcpy(program + i, "\x41\x0a", 2); /* advance, remember */
	put_fde(&b, &debug, cie, BASE + 1, 0xf00, program, large);
	assert_int_equal(decode(&b, false), 1);
	free_bytes(&b);
	free(program);
}

#define EXPRESSION(with_cfa, e, ...)                                                               \
	expression_read((const uint8_t[]){ __VA_ARGS__ },                                          \
			sizeof((const uint8_t[]){ __VA_ARGS__ }), with_cfa, e)

static void test_expressions(void **state)
{
	struct expression e;

	assert_true(EXPRESSION(false, &e, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
			       DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus));
	assert_int_equal(e.form, EXPRESSION_PLT);
	assert_int_equal(e.reg, 7);
	assert_int_equal(e.offset, 8);
	assert_int_equal(e.add, 11);
	assert_true(EXPRESSION(false, &e, DW_OP_breg7, 8, DW_OP_breg9, 0, DW_OP_lit8, DW_OP_mul,
			       DW_OP_plus, DW_OP_deref, DW_OP_plus_uconst, 8));
	assert_int_equal(e.form, EXPRESSION_DEREF_SUM);
	assert_int_equal(e.index, 9);
	assert_int_equal(e.offset, 8);
	assert_int_equal(e.add, 8);
	assert_true(
		EXPRESSION(false, &e, DW_OP_breg7, 0x98, 1, DW_OP_deref, DW_OP_lit8, DW_OP_minus));
	assert_int_equal(e.form, EXPRESSION_DEREF);
	assert_int_equal(e.offset, 152);
	assert_int_equal(e.add, -8);
	assert_true(
		EXPRESSION(false, &e, DW_OP_const2s, 0xf8, 0xff, DW_OP_bregx, 6, 0, DW_OP_plus));
	assert_int_equal(e.form, EXPRESSION_REG);
	assert_int_equal(e.offset, -8);
	assert_true(EXPRESSION(true, &e, DW_OP_lit16, DW_OP_minus));
	assert_int_equal(e.reg, EXPRESSION_CFA);
	assert_int_equal(e.offset, -16);
	/* No forms: a sum of three registers, two dereferences, division, a branch, nothing. */
	assert_false(EXPRESSION(false, &e, DW_OP_breg7, 0, DW_OP_breg6, 0, DW_OP_plus));
	assert_false(EXPRESSION(false, &e, DW_OP_breg7, 0, DW_OP_deref, DW_OP_deref));
	assert_false(EXPRESSION(false, &e, DW_OP_breg7, 0, DW_OP_lit2, DW_OP_div));
	assert_false(EXPRESSION(false, &e, DW_OP_skip, 0xfd, 0xff));
	assert_false(EXPRESSION(false, &e, DW_OP_plus));
	assert_false(EXPRESSION(false, &e, DW_OP_breg7));
	assert_false(EXPRESSION(false, &e, DW_OP_breg7, 0, DW_OP_lit3, DW_OP_shl, DW_OP_lit3,
				DW_OP_shl, DW_OP_breg7, 0, DW_OP_plus));
	assert_false(expression_read(NULL, 0, false, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_locations),     cmocka_unit_test(test_cfa),
		cmocka_unit_test(test_registers),     cmocka_unit_test(test_remembering),
		cmocka_unit_test(test_factors),	      cmocka_unit_test(test_versions),
		cmocka_unit_test(test_augmentations), cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_damage),	      cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_linear_time),   cmocka_unit_test(test_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
