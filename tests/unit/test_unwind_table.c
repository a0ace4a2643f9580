// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tables of files written by hand: which entry decides where, what happens between entries, and files
 * that lie. Random programs are compared with elfutils.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/unwind_compare.h"
#include "tests/unit/unwind_elf.h"

#define A 0x10000 /* where code begins */
#define NOP ((const uint8_t[]){ DW_CFA_nop }), 1
/* A program that sets the CFA offset to 8 * n, to tell entries apart. */
#define DEPTH(n) ((const uint8_t[]){ DW_CFA_def_cfa_offset, 8 * (n) }), 2

static const struct cie_plan eh_cie;
static const struct cie_plan debug_cie = { .debug = true };

/* What a table has at an address: the depth that DEPTH set, 0 where no entry covers it. */
static unsigned int depth_at(const struct unwind_table *t, uint64_t address)
{
	uint32_t rule = unwind_table_find(t, address);

	if (UNWIND_KIND(rule) == UNWIND_NONE)
		return 0;
	assert_int_equal(UNWIND_KIND(rule), UNWIND_RSP);
	return UNWIND_CFA_OFFSET(rule) / 8;
}

static struct unwind_table *build(const struct elf_plan *plan, struct unwind_stats *stats)
{
	struct unwind_table *table = NULL;
	int fd = make_elf(plan);

	assert_int_equal(unwind_table_build(fd, 0, &table, stats), 0);
	close(fd);
	return table;
}

static int build_error(const struct elf_plan *plan, uint32_t max_rows)
{
	struct unwind_table *table = NULL;
	struct unwind_stats stats;
	int fd = make_elf(plan);
	int err = unwind_table_build(fd, max_rows, &table, &stats);

	assert_true(err || table);
	unwind_table_free(table);
	close(fd);
	return err;
}

static void test_gaps(void **state)
{
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh,
				       .eh_address = 0x2000,
				       .code[0] = { A + 0x20, 0x1000 } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A + 0x300, 0x10, DEPTH(4));
	put_fde(&eh, &eh_cie, cie, A + 0x30, 0x10, DEPTH(2));
	put_fde(&eh, &eh_cie, cie, A + 0x40, 0x1c0, DEPTH(3));
	t = build(&plan, &stats);
	assert_int_equal(t->base, A);
	assert_int_equal(t->n_blocks, 0x11);
	assert_int_equal(stats.entries, 3);
	assert_int_equal(stats.bad_entries, 0);
	assert_false(stats.from_debug_frame);
	assert_int_equal(depth_at(t, A - 1), 0);
	assert_int_equal(depth_at(t, A), 0);
	assert_int_equal(depth_at(t, A + 0x2f), 0);
	assert_int_equal(depth_at(t, A + 0x30), 2);
	assert_int_equal(depth_at(t, A + 0x3f), 2);
	assert_int_equal(depth_at(t, A + 0x40), 3);
	assert_int_equal(depth_at(t, A + 0x1ff), 3);
	assert_int_equal(depth_at(t, A + 0x200), 0);
	assert_int_equal(depth_at(t, A + 0x2ff), 0);
	assert_int_equal(depth_at(t, A + 0x300), 4);
	assert_int_equal(depth_at(t, A + 0x310), 0);
	assert_int_equal(depth_at(t, A + 0x10ff), 0);
	assert_int_equal(depth_at(t, A + 0x1100), 0);
	assert_int_equal(depth_at(t, UINT64_MAX), 0);
	assert_int_equal(t->n_rows, 6);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_equal_neighbours(void **state)
{
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	for (unsigned int i = 0; i < 0x100; i++)
		put_fde(&eh, &eh_cie, cie, A + 0x10 * i, 0x10, NOP);
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, 0x100);
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(depth_at(t, A + 0xfff), 1);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_overlaps(void **state)
{
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A, 0x200, DEPTH(2)); /* reaches over the next two */
	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x10, DEPTH(3));
	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x20, DEPTH(4)); /* has been said */
	/* Senseless: what it covers belongs to nobody. */
	put_fde(&eh, &eh_cie, cie, A + 0x400, 0x10, (const uint8_t[]){ 0x41, 0x3f }, 2);
	put_fde(&eh, &eh_cie, cie, A + 0x410, 0x10, DEPTH(5));
	put_fde(&eh, &eh_cie, cie, A + 0x500, 0x100, DEPTH(6)); /* up to a senseless one */
	put_fde(&eh, &eh_cie, cie, A + 0x540, 0x10, (const uint8_t[]){ 0x3f }, 1);
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, 4);
	assert_int_equal(stats.bad_entries, 5);
	assert_int_equal(depth_at(t, A + 0xff), 2);
	assert_int_equal(depth_at(t, A + 0x100), 3);
	assert_int_equal(depth_at(t, A + 0x10f), 3);
	assert_int_equal(depth_at(t, A + 0x110), 0);
	assert_int_equal(depth_at(t, A + 0x400), 0);
	assert_int_equal(depth_at(t, A + 0x401), 0);
	assert_int_equal(depth_at(t, A + 0x410), 5);
	assert_int_equal(depth_at(t, A + 0x53f), 6);
	assert_int_equal(depth_at(t, A + 0x540), 0);
	assert_int_equal(depth_at(t, A + 0x550), 0);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_two_segments(void **state)
{
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh,
				       .eh_address = 0x2000,
				       .code = { { A + 0x200000, 0x100 }, { A, 0x100 } } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A + 0x200080, 0x1000, DEPTH(3)); /* more than its segment */
	put_fde(&eh, &eh_cie, cie, A + 0x80, 0x300000, DEPTH(2));
	put_fde(&eh, &eh_cie, cie, A + 0x100000, 0x10, DEPTH(4)); /* in none */
	t = build(&plan, &stats);
	assert_int_equal(t->base, A);
	assert_int_equal(t->n_blocks, 0x2001);
	assert_int_equal(stats.entries, 2);
	assert_int_equal(stats.bad_entries, 1);
	assert_int_equal(depth_at(t, A + 0x7f), 0);
	assert_int_equal(depth_at(t, A + 0xff), 2);
	assert_int_equal(depth_at(t, A + 0x100), 0);
	assert_int_equal(depth_at(t, A + 0x100000), 0);
	assert_int_equal(depth_at(t, A + 0x20007f), 0);
	assert_int_equal(depth_at(t, A + 0x200080), 3);
	assert_int_equal(depth_at(t, A + 0x2000ff), 3);
	assert_int_equal(depth_at(t, A + 0x200100), 0);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_both_sections(void **state)
{
	static const uint8_t two_depths[] = {
		DW_CFA_def_cfa_offset, 8 * 3, DW_CFA_advance_loc2, 8, 1,
		DW_CFA_def_cfa_offset, 8 * 8
	};
	struct bytes eh = { 0 }, debug = { 0 };
	const struct elf_plan plan = {
		.eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 }, .debug = &debug
	};
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x100, DEPTH(2));
	cie = put_cie(&debug, &debug_cie);
	put_fde(&debug, &debug_cie, cie, A, 0x180, two_depths,
		sizeof(two_depths)); /* cut by the other section before the second depth */
	put_fde(&debug, &debug_cie, cie, A + 0x140, 0x10, DEPTH(4)); /* covered */
	put_fde(&debug, &debug_cie, cie, A + 0x110, 0x10, DEPTH(5)); /* covered */
	put_fde(&debug, &debug_cie, cie, A + 0x200, 0x10, DEPTH(6));
	put_fde(&debug, &debug_cie, cie, 0, 0x100000, DEPTH(7)); /* of a discarded function */
	t = build(&plan, &stats);
	assert_true(stats.from_debug_frame);
	assert_int_equal(stats.entries, 3);
	assert_int_equal(stats.bad_entries, 1); /* the first overlaps another of its section */
	assert_int_equal(depth_at(t, A), 3);
	assert_int_equal(depth_at(t, A + 0xff), 3);
	assert_int_equal(depth_at(t, A + 0x100), 2);
	assert_int_equal(depth_at(t, A + 0x108), 2);
	assert_int_equal(depth_at(t, A + 0x140), 2);
	assert_int_equal(depth_at(t, A + 0x1ff), 2);
	assert_int_equal(depth_at(t, A + 0x200), 6);
	assert_int_equal(depth_at(t, A + 0x210), 0);
	assert_int_equal(t->n_rows, 4);
	unwind_table_free(t);
	free_bytes(&eh);
	free_bytes(&debug);
}

static void test_compressed(void **state)
{
	struct bytes debug = { 0 };
	struct elf_plan plan = { .code[0] = { A, 0x1000 }, .debug = &debug };
	size_t cie = put_cie(&debug, &debug_cie);

	put_fde(&debug, &debug_cie, cie, A + 0x100, 0x100, DEPTH(2));
	for (unsigned int how = PLAIN; how <= ZSTANDARD; how++) {
		struct unwind_stats stats;
		struct unwind_table *t;

		plan.compression = how;
		t = build(&plan, &stats);
		assert_int_equal(stats.entries, 1);
		assert_int_equal(depth_at(t, A + 0x100), 2);
		unwind_table_free(t);
	}
	free_bytes(&debug);
}

static void test_no_section_headers(void **state)
{
	struct bytes eh = { 0 };
	const struct elf_plan plan = {
		.eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 }, .no_sections = true
	};
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x100, DEPTH(2));
	put_fixed(&eh, 0, 4); /* the section's end */
	put_fde(&eh, &eh_cie, cie, A + 0x200, 0x100, DEPTH(3));
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, 1);
	assert_int_equal(depth_at(t, A + 0x100), 2);
	assert_int_equal(depth_at(t, A + 0x200), 0);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_large_figures(void **state)
{
	static const uint8_t program[] = {
		DW_CFA_def_cfa_offset,
		0xf8,
		0xff,
		0x03, /* 65528: the most that a row holds */
		DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset,
		0x80,
		0x80,
		0x04, /* 65536 */
		DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset,
		12, /* no multiple of 8 */
		DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset,
		16,
		DW_CFA_offset | 6,
		15,
		DW_CFA_offset | 3,
		14,
		DW_CFA_advance_loc | 1,
		DW_CFA_offset | 3,
		15,
		DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset,
		0x80,
		0x80,
		0x80,
		0x80,
		0x10, /* 2^32 */
	};
	static const unsigned int kinds[] = { UNWIND_RSP, UNWIND_COMPLEX, UNWIND_COMPLEX,
					      UNWIND_RSP, UNWIND_COMPLEX, UNWIND_UNKNOWN };
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct subject s;

	put_fde(&eh, &eh_cie, cie, A + 0x100, 6, program, sizeof(program));
	open_subject(&s, make_elf(&plan));
	for (unsigned int i = 0; i < 6; i++)
		assert_int_equal(UNWIND_KIND(unwind_table_find(s.table, A + 0x100 + i)), kinds[i]);
	assert_int_equal(s.stats.unknown_rules, 1);
	for (unsigned int i = 0; i < 5; i++)
		compare_at(&s, "large figures", A + 0x100 + i);
	assert_int_equal(s.differing, 0);
	close_subject(&s);
	free_bytes(&eh);
}

/* The length of the second entry leads out of the section: the third can't be found. */
static void test_cut_off(void **state)
{
	static const uint32_t length = 0x10000;
	struct bytes eh = { 0 };
	const struct elf_plan plan = { .eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 } };
	size_t cie = put_cie(&eh, &eh_cie), second;
	struct unwind_stats stats;
	struct unwind_table *t;

	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x10, DEPTH(2));
	second = eh.size;
	put_fde(&eh, &eh_cie, cie, A + 0x200, 0x10, DEPTH(3));
	put_fde(&eh, &eh_cie, cie, A + 0x300, 0x10, DEPTH(4));
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, 3);
	assert_false(stats.cut_off);
	unwind_table_free(t);
	memcpy(eh.data + second, &length, sizeof(length));
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, 1);
	assert_true(stats.cut_off);
	assert_int_equal(depth_at(t, A + 0x100), 2);
	assert_int_equal(depth_at(t, A + 0x200), 0);
	assert_int_equal(depth_at(t, A + 0x300), 0);
	unwind_table_free(t);
	free_bytes(&eh);
}

static void test_errors(void **state)
{
	struct bytes eh = { 0 }, debug = { 0 };
	struct elf_plan plan = { .eh = &eh, .eh_address = 0x2000, .code[0] = { A, 0x1000 } };
	struct unwind_table *table = NULL;
	struct unwind_stats stats;
	size_t cie = put_cie(&eh, &eh_cie);
	int fd;

	assert_int_equal(build_error(&plan, 0), -ENODATA); /* a CIE alone */
	put_fde(&eh, &eh_cie, cie, A + 0x100, 0x10, DEPTH(2));
	put_fde(&eh, &eh_cie, cie, A + 0x200, 0x10, DEPTH(2));
	assert_int_equal(build_error(&plan, 5), 0);
	assert_int_equal(build_error(&plan, 4), -E2BIG);
	plan.code[0].size = 0;
	assert_int_equal(build_error(&plan, 0), -ENODATA);
	plan.code[0].size = 0x1000;
	plan.eh = NULL;
	assert_int_equal(build_error(&plan, 0), -ENODATA);
	plan.debug = &debug;
	put(&debug, "nonsense", 8);
	assert_int_equal(build_error(&plan, 0), -EBADMSG);
	fd = memfd_create("none", 0);
	assert_int_equal(unwind_table_build(fd, 0, &table, &stats), -ENOEXEC);
	assert_int_equal(write(fd,
			       "\x7f"
			       "ELF\2\1\1",
			       7),
			 7);
	assert_int_equal(unwind_table_build(fd, 0, &table, &stats), -ENOEXEC);
	close(fd);
	assert_int_equal(unwind_table_build(-1, 0, &table, &stats), -EBADF);
	assert_null(table);
	free_bytes(&eh);
	free_bytes(&debug);
}

/* As many rows as a browser has. */
static void test_millions_of_rows(void **state)
{
	static const unsigned int functions = 350000, rows = 8;
	struct bytes eh = { 0 }, program = { 0 };
	const struct elf_plan plan = { .eh = &eh,
				       .eh_address = 0x10000000,
				       .code[0] = { A, functions * 64 } };
	size_t cie = put_cie(&eh, &eh_cie);
	struct unwind_stats stats;
	struct unwind_table *t;

	for (unsigned int i = 1; i < rows; i++) {
		put_u8(&program, DW_CFA_advance_loc | 7);
		put_u8(&program, DW_CFA_def_cfa_offset);
		put_u8(&program, (uint8_t)(8 * (i + 1)));
	}
	for (unsigned int i = functions; i-- > 0;) /* in the worst order */
		put_fde(&eh, &eh_cie, cie, A + 64 * i, 64, program.data, program.size);
	t = build(&plan, &stats);
	assert_int_equal(stats.entries, functions);
	assert_int_equal(t->n_rows, functions * rows);
	for (unsigned int i = 0; i < functions; i += 1000)
		for (unsigned int at = 0; at < 64; at++)
			assert_int_equal(depth_at(t, A + 64 * i + at), at / 7 < 8 ? at / 7 + 1 : 8);
	unwind_table_free(t);
	free_bytes(&program);
	free_bytes(&eh);
}

/* A number below n from a fixed sequence. */
static uint32_t pick(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)((*seed >> 33) % n);
}

static void put_random_expression(struct bytes *b, uint64_t *seed)
{
	static const uint8_t expressions[][12] = {
		{ 3, DW_OP_breg7, 40, DW_OP_deref },
		{ 3, DW_OP_breg6, 0x58, DW_OP_deref },
		{ 5, DW_OP_breg7, 0x10, DW_OP_deref, DW_OP_plus_uconst, 8 },
		{ 9, DW_OP_breg7, 8, DW_OP_breg9, 0, DW_OP_lit8, DW_OP_mul, DW_OP_plus, DW_OP_deref,
		  DW_OP_nop },
		{ 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11,
		  DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus },
		{ 4, DW_OP_breg10, 0, DW_OP_lit8, DW_OP_plus },
	};
	const uint8_t *e = expressions[pick(seed, 6)];

	put_u8(b, DW_CFA_def_cfa_expression);
	put(b, e, e[0] + 1);
}

/* One random instruction that makes sense. */
static void put_random(struct bytes *b, uint64_t *seed, unsigned int *depth, bool *has_register)
{
	static const uint8_t registers[] = { 3, 6, 12, 16, 7, 10 };
	uint8_t reg = registers[pick(seed, 3)];

	switch (pick(seed, 12)) {
	case 0:
		put_u8(b, DW_CFA_def_cfa);
		put_u8(b, registers[pick(seed, 6)] & 15);
		put_uleb(b, 8 * pick(seed, 10000));
		*has_register = true;
		break;
	case 1:
		put_random_expression(b, seed);
		*has_register = false;
		break;
	case 2:
	case 3:
		if (!*has_register)
			break;
		put_u8(b, DW_CFA_def_cfa_offset);
		put_uleb(b, 8 * pick(seed, 100));
		break;
	case 4:
	case 5:
		put_u8(b, DW_CFA_offset | reg);
		put_uleb(b, pick(seed, 20));
		break;
	case 6:
		put_u8(b, DW_CFA_restore | reg);
		break;
	case 7:
		reg = registers[pick(seed, 5)];
		put_u8(b, reg == 7 || pick(seed, 2) ? DW_CFA_same_value : DW_CFA_undefined);
		put_uleb(b, reg);
		break;
	case 8:
		put_u8(b, DW_CFA_register);
		put_uleb(b, registers[pick(seed, 5)]);
		put_uleb(b, pick(seed, 16));
		break;
	case 9:
		put_u8(b, pick(seed, 2) ? DW_CFA_expression : DW_CFA_val_expression);
		put_uleb(b, registers[pick(seed, 5)]);
		put_u8(b, 2);
		put_u8(b, DW_OP_breg0 + (uint8_t)pick(seed, 16));
		put_u8(b, (uint8_t)pick(seed, 128));
		break;
	case 10:
		put_u8(b, DW_CFA_val_offset_sf);
		put_uleb(b, registers[pick(seed, 2)]);
		put_sleb(b, (int)pick(seed, 200) - 100);
		break;
	case 11:
		if (*depth && pick(seed, 2)) {
			put_u8(b, DW_CFA_restore_state);
			*has_register = false; /* whatever it was */
			--*depth;
		} else if (*depth < 8) {
			put_u8(b, DW_CFA_remember_state);
			++*depth;
		}
		break;
	}
}

static void test_random_programs(void **state)
{
	uint64_t seed = 1;
	unsigned long compared = 0;

	for (unsigned int round = 0; round < 300; round++) {
		struct bytes eh = { 0 };
		const struct elf_plan plan = { .eh = &eh,
					       .eh_address = 0x2000,
					       .code[0] = { A, 0x1000 } };
		const struct cie_plan cie_plan = { .augmentation = round % 4 ? "zR" : "zRS" };
		size_t cie = put_cie(&eh, &cie_plan);
		struct subject s;

		for (uint64_t at = A; at < A + 0xf00; at += 0x80) {
			struct bytes program = { 0 };
			bool has_register = true;
			unsigned int depth = 0;

			for (unsigned int i = 0; i < 20; i++) {
				put_random(&program, &seed, &depth, &has_register);
				put_u8(&program, DW_CFA_advance_loc | (uint8_t)pick(&seed, 8));
			}
			put_fde(&eh, &cie_plan, cie, at, 0x60 + pick(&seed, 0x20), program.data,
				program.size);
			free_bytes(&program);
		}
		open_subject(&s, make_elf(&plan));
		for (uint64_t at = A; at < A + 0x1000; at++)
			compare_unless_unknown(&s, "a random program", at);
		assert_int_equal(s.stats.bad_entries, 0);
		assert_int_equal(s.differing, 0);
		assert_true(s.unknown < s.compared / 2);
		compared += s.compared - s.unknown;
		close_subject(&s);
		free_bytes(&eh);
	}
	print_message("%lu addresses compared\n", compared);
}

/* Every byte of a small file replaced by others: any answer will do that is an answer. */
static void test_damaged_files(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct bytes eh = { 0 }, debug = { 0 };
	struct elf_plan plan = { .eh = &eh,
				 .eh_address = 0x2000,
				 .code[0] = { A, 0x40 },
				 .debug = &debug,
				 .compression = ZSTANDARD };
	size_t cie = put_cie(&eh, &eh_cie);

	put_fde(&eh, &eh_cie, cie, A + 0x10, 0x10, DEPTH(2));
	cie = put_cie(&debug, &debug_cie);
	put_fde(&debug, &debug_cie, cie, A + 0x20, 0x10, DEPTH(3));
	for (unsigned int form = 0; form < 2; form++) {
		int fd;
		off_t size;

		plan.no_sections = form;
		fd = make_elf(&plan);
		size = lseek(fd, 0, SEEK_END);
		for (off_t at = 0; at < size; at++)
			for (size_t i = 0; i < sizeof(values); i++) {
				struct unwind_table *t = NULL;
				struct unwind_stats stats;
				uint8_t was;

				assert_int_equal(pread(fd, &was, 1, at), 1);
				assert_int_equal(pwrite(fd, &values[i], 1, at), 1);
				if (unwind_table_build(fd, 0, &t, &stats) == 0)
					for (uint64_t a = 0; a < 0x80; a++)
						unwind_table_find(t, t->base + a);
				unwind_table_free(t);
				assert_int_equal(pwrite(fd, &was, 1, at), 1);
			}
		close(fd);
	}
	free_bytes(&eh);
	free_bytes(&debug);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_equal_neighbours),
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_two_segments),
		cmocka_unit_test(test_both_sections),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_no_section_headers),
		cmocka_unit_test(test_large_figures),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_millions_of_rows),
		cmocka_unit_test(test_random_programs),
		cmocka_unit_test(test_damaged_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
