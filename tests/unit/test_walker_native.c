// SPDX-License-Identifier: BSD-2-Clause
/*
 * The walker by tables, compiled for the host, over made stacks and made tables: what it does where
 * either makes no sense. That it is right about real programs the oracle shows (tests/oracle).
 */
#include "tests/unit/native_walk.h"

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

/* By the frame pointer to another stack, which may lie below. */
static void test_switch(void **state)
{
	set_rule(UNWIND_SWITCH);
	t.words[1] = LAST_CALL;
	expect(CODE + 0x20, STACK, 2, WALK_ROOT);
	assert_int_equal(t.frames[1], LAST_CALL - 1);
}

/* What the runtime had a signal's handler put there was not called: its caller may be at the first byte of its
 * code, and the byte before belongs to another function. */
static void test_not_called(void **state)
{
	set_rule(RULE(UNWIND_SWITCH, 16, 0));
	t.words[1] = CODE + 0x80;
	expect(CODE + 0x20, STACK, 2, WALK_ROOT);
	assert_int_equal(t.frames[1], CODE + 0x80);
	assert_int_equal(t.frames[0], CODE + 0x20);
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

/* A rule that may be wrong marks the caller; what it says otherwise holds. */
static void test_guess_by_rule(void **state)
{
	struct walk w;

	set_rule(RULE(UNWIND_RSP, 16, 0) | UNWIND_GUESS);
	push_frames(3);
	expect(CODE + 0x20, 0, 4, WALK_ROOT);
	assert_int_equal(t.frames[0], CODE + 0x20);
	assert_int_equal(t.frames[1], (CALL - 1) | WALK_GUESS);
	assert_int_equal(t.frames[3], (LAST_CALL - 1) | WALK_GUESS);
	for (uint32_t slot = 0; slot <= UNWIND_GUESS_SLOT; slot++) {
		set_rule(RULE(UNWIND_RSP, 128, 0) | slot << 20);
		t.words[15] = CALL;
		w = (struct walk){ .sp = STACK };
		assert_int_equal(walk_packed(&w, t.chunk.words[2] >> 8), WALK_ON);
		assert_int_equal(w.guess, slot == UNWIND_GUESS_SLOT ? WALK_GUESS : 0);
		assert_int_equal(w.bx_at,
				 slot && slot != UNWIND_GUESS_SLOT ? STACK + 128 - 8 * slot : 0);
	}
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
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_not_called),
		cmocka_unit_test(test_rules_that_are_not_there),
		cmocka_unit_test(test_guess),
		cmocka_unit_test(test_guess_by_rule),
		cmocka_unit_test(test_no_frame_pointer_is_no_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
