// SPDX-License-Identifier: BSD-2-Clause
/*
 * The walker by tables, compiled for the host, over made stacks and made tables: what it does where
 * either makes no sense. That it is right about real programs the oracle shows (tests/oracle).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bpf/walk/rules.h"
#include "bpf/walk/walk.h"

#define STACK 0x7ffc00000000ull
#define WORDS 20000
#define CODE 0x400000ull /* one block of code, whose table begins there */
#define BARE 0x500000ull /* code without a table */
#define CALL (CODE + 0x11) /* a return address in the first function */

static struct {
	uint64_t words[WORDS];
	uint64_t registers[16];
	uint64_t frames[PROFBPF_KEEP_FRAMES];
	struct unwind_cached cache[UNWIND_CACHE];
	struct unwind_chunk chunk;
} t;

static const struct unwind_range ranges[] = {
	{ .start = CODE, .end = CODE + UNWIND_BLOCK, .bias = -CODE, .object = 0 },
	{ .start = BARE, .end = BARE + 0x1000, .object = UNWIND_NO_OBJECT },
};
/* Directory: words 0 and 1. */
static const struct unwind_object only_object = {
	.n_blocks = 1, .rows = 2, .complex = 8, .n_complex = 1
};

static int walk_read_code(struct walk *w, __u64 *value, __u64 address)
{
	uint64_t at = address - STACK;

	if (at > sizeof(t.words) - sizeof(*value))
		return -14;
	memcpy(value, (const char *)t.words + at, sizeof(*value));
	return 0;
}

static int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	return walk_read_code(w, value, address);
}

static void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	assert_true(slot < PROFBPF_KEEP_FRAMES);
	t.frames[slot] = frame;
}

static const struct unwind_range *walk_range(__u32 i)
{
	return i < 2 ? &ranges[i] : NULL;
}

static const struct unwind_object *walk_object(__u32 i)
{
	return i ? NULL : &only_object;
}

static const struct unwind_chunk *walk_chunk(__u32 i)
{
	return i ? NULL : &t.chunk;
}

static struct unwind_cached *walk_cached(__u32 i)
{
	return &t.cache[i];
}

static int walk_ask(struct walk *w, __u64 pc)
{
	return -1;
}

static __u64 walk_tick_register(struct walk *w, __u32 n)
{
	return t.registers[n & 15];
}

__u32 walk_caller(struct walk *w);
#include "bpf/walk/native.h"

#define ROW(offset, rule) ((uint32_t)(rule) << 8 | (offset))
#define RULE(kind, cfa_bytes, rbp_slot) ((kind) | (cfa_bytes) / 8 << 3 | (rbp_slot) << 16)

/* A function at 0 with the rule, one at 0x80 that is the outermost. */
static void set_rule(uint32_t rule)
{
	memset(&t, 0, sizeof(t));
	t.chunk.words[1] = 2;
	t.chunk.words[2] = ROW(0, rule);
	t.chunk.words[3] = ROW(0x80, UNWIND_END);
}

static void walk_from(struct walk *w, uint64_t pc, uint64_t fp)
{
	*w = (struct walk){ .pc = pc,
			    .sp = STACK,
			    .fp = fp,
			    .registers = WALK_REGS_TICK,
			    .n_ranges = 2,
			    .ranges_id = 1,
			    .end = WALK_ON };
	while (w->end == WALK_ON)
		w->end = walk_steps(w);
}

static void expect(uint64_t pc, uint64_t fp, uint32_t n, uint32_t end)
{
	struct walk w;

	/* The second time by rules that are cached. */
	for (int i = 0; i < 2; i++) {
		walk_from(&w, pc, fp);
		assert_int_equal(w.end, end);
		assert_int_equal(w.n, n);
		assert_int_equal(t.frames[0], pc);
	}
}

/* Frames of 16 bytes, n of them, up to the outermost. */
static void push_frames(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		t.words[2 * i + 1] = i + 1 < n ? CALL : CODE + 0x81;
}

static void test_to_the_root(void **state)
{
	set_rule(RULE(UNWIND_RSP, 16, 0));
	push_frames(3);
	expect(CODE + 0x20, 0, 4, WALK_ROOT);
	assert_int_equal(t.frames[1], CALL - 1);
	assert_int_equal(t.frames[3], CODE + 0x80);
}

static void test_depths(void **state)
{
	static const uint32_t depths[] = { 1,	2,    3,    4,	  383,	384,  385,
					   512, 4094, 4095, 4096, 4097, 5000, 9000 };

	for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		set_rule(RULE(UNWIND_RSP, 16, 0));
		push_frames(depths[i]);
		if (depths[i] < PROFBPF_MAX_WALK)
			expect(CODE + 0x20, 0, depths[i] + 1, WALK_ROOT);
		else
			expect(CODE + 0x20, 0, PROFBPF_MAX_WALK, WALK_TOO_DEEP);
	}
}

/* A saved frame pointer that leads back would lead round for ever. */
static void test_loop_by_frame_pointer(void **state)
{
	set_rule(RULE(UNWIND_RBP, 16, 2));
	t.words[0] = STACK; /* its own place */
	t.words[1] = CALL;
	expect(CODE + 0x20, STACK, 2, WALK_BROKEN);
	t.words[0] = STACK + 32;
	t.words[4] = STACK;
	t.words[5] = CALL;
	expect(CODE + 0x20, STACK, 3, WALK_BROKEN);
}

static void test_unreadable(void **state)
{
	struct walk w;

	set_rule(RULE(UNWIND_RBP, 16, 2));
	expect(CODE + 0x20, STACK + sizeof(t.words), 1, WALK_UNREADABLE);
	set_rule(RULE(UNWIND_RSP, 8000, 0));
	for (uint32_t i = 999; i < WORDS; i += 1000)
		t.words[i] = CALL;
	walk_from(&w, CODE + 0x20, 0);
	assert_int_equal(w.end, WALK_UNREADABLE);
	assert_int_equal(w.n, WORDS / 1000 + 1);
}

static void test_return_address_in_no_mapping(void **state)
{
	set_rule(RULE(UNWIND_RSP, 16, 0));
	t.words[1] = CALL;
	t.words[3] = 0xdead;
	expect(CODE + 0x20, 0, 2, WALK_UNMAPPED);
	set_rule(RULE(UNWIND_RSP, 16, 0));
	expect(CODE + 0x20, 0, 1, WALK_ROOT); /* of zero */
}

/* Nothing tells of a complex rule that is not in the table. */
static void test_rules_that_are_not_there(void **state)
{
	set_rule(UNWIND_COMPLEX | 7 << 3);
	expect(CODE + 0x20, 0, 1, WALK_NO_RULE);
}

static void test_guess(void **state)
{
	struct walk w;

	set_rule(RULE(UNWIND_RSP, 16, 0));
	t.words[2] = 0;
	t.words[3] = BARE + 0x11;
	walk_from(&w, BARE + 0x20, STACK + 16);
	assert_int_equal(w.end, WALK_ROOT);
	assert_int_equal(w.n, 2);
	assert_int_equal(t.frames[1], (BARE + 0x10) | WALK_GUESS);
}

/* Where nothing is known of the code, a frame pointer of zero in the interrupted frame is a register like
 * any other; in one that a frame pointer led to it marks the root. */
static void test_no_frame_pointer_is_no_root(void **state)
{
	set_rule(RULE(UNWIND_RSP, 16, 0));
	expect(BARE + 0x20, 0, 1, WALK_BROKEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_to_the_root),
		cmocka_unit_test(test_depths),
		cmocka_unit_test(test_loop_by_frame_pointer),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_return_address_in_no_mapping),
		cmocka_unit_test(test_rules_that_are_not_there),
		cmocka_unit_test(test_guess),
		cmocka_unit_test(test_no_frame_pointer_is_no_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
