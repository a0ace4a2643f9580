// SPDX-License-Identifier: BSD-2-Clause
/* Walks through what the kernel's probes put in their way: trampolines, copies of instructions, calls. */
#include "tests/unit/native_walk.h"

static void set_probed(uint32_t rule)
{
	set_rule(rule);
	t.probes.trampoline = PAGE;
}

/* The frames of a walk, of which each was found twice. */
static void expect_frames(const struct walk *start, const uint64_t *frames, uint32_t n,
			  uint32_t end)
{
	for (int round = 0; round < 2; round++) {
		struct walk w = *start;

		w.n_ranges = 2;
		w.ranges_id = 1;
		w.end = WALK_ON;
		while (w.end == WALK_ON)
			w.end = walk_steps(&w);
		assert_int_equal(w.end, end);
		assert_int_equal(w.n, n);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(t.frames[i], frames[i]);
	}
}

/* Of frames of 16 bytes the middle ones return to the trampoline, the second of them after a jump from one
 * probed function to another. */
static void test_replaced_return_addresses(void **state)
{
	const struct walk start = { .pc = CODE + 0x20, .sp = STACK, .registers = WALK_REGS_TICK };

	set_probed(RULE(UNWIND_RSP, 16, 0));
	push_frames(4);
	t.words[3] = t.words[5] = PAGE;
	t.returns[0] = (struct walk_return){ CODE + 0x71, STACK + 8 * 2 }; /* left by a longjmp */
	t.returns[1] = (struct walk_return){ CODE + 0x41, STACK + 8 * 3 };
	t.returns[2] = (struct walk_return){ CODE + 0x51, STACK + 8 * 5 };
	t.returns[3] = (struct walk_return){ CODE + 0x61, STACK + 8 * 5 };
	expect_frames(
		&start,
		(uint64_t[]){ CODE + 0x20, CALL - 1, CODE + 0x40, CODE + 0x50, LAST_CALL - 1 }, 5,
		WALK_ROOT);
	/* The outermost of all. */
	t.words[7] = PAGE;
	t.returns[4] = (struct walk_return){ LAST_CALL, STACK + 8 * 7 };
	expect_frames(
		&start,
		(uint64_t[]){ CODE + 0x20, CALL - 1, CODE + 0x40, CODE + 0x50, LAST_CALL - 1 }, 5,
		WALK_ROOT);
}

/* As many as the kernel follows, and a walk as long as walks are. */
static void test_replaced_beyond_the_depth(void **state)
{
	struct walk w;

	set_probed(RULE(UNWIND_RSP, 16, 0));
	push_frames(5000);
	t.words[1] = t.words[8001] = PAGE;
	t.returns[0] = (struct walk_return){ CALL, STACK + 8 };
	t.returns[1] = (struct walk_return){ CALL, STACK + 8 * 8001 };
	walk_from(&w, CODE + 0x20, 0);
	assert_int_equal(w.end, WALK_TOO_DEEP);
	assert_int_equal(w.n, PROFBPF_MAX_WALK);
}

/* The trampoline's address where no probe put it. */
static void test_replaced_by_nobody_knows_what(void **state)
{
	const struct walk start = { .pc = CODE + 0x20, .sp = STACK, .registers = WALK_REGS_TICK };

	set_probed(RULE(UNWIND_RSP, 16, 0));
	push_frames(4);
	t.words[3] = PAGE;
	t.returns[0] = (struct walk_return){ CODE + 0x41, STACK + 8 };
	expect_frames(&start, (uint64_t[]){ CODE + 0x20, CALL - 1 }, 2, WALK_PROBED);
	/* Into the middle of the page nothing returns. */
	t.words[1] = PAGE + 0x101;
	expect_frames(&start, (uint64_t[]){ CODE + 0x20 }, 1, WALK_PROBED);
}

static void test_replaced_in_code_without_table(void **state)
{
	const struct walk start = {
		.pc = BARE + 0x20, .sp = STACK, .fp = STACK, .registers = WALK_REGS_TICK
	};

	set_probed(RULE(UNWIND_RSP, 16, 0));
	t.words[1] = PAGE;
	t.returns[0] = (struct walk_return){ BARE + 0x41, STACK + 8 };
	expect_frames(&start, (uint64_t[]){ BARE + 0x20, (BARE + 0x40) | WALK_GUESS }, 2,
		      WALK_ROOT);
}

/* A leaf, and a function with a frame, that no entry tells of. */
static void test_replaced_in_code_without_entry(void **state)
{
	struct walk start = {
		.pc = CODE + 0x20, .sp = STACK, .fp = 3, .registers = WALK_REGS_TICK
	};

	set_probed(UNWIND_NONE);
	t.words[0] = PAGE;
	t.returns[0] = (struct walk_return){ LAST_CALL, STACK };
	expect_frames(&start, (uint64_t[]){ CODE + 0x20, LAST_CALL - 1 }, 2, WALK_ROOT);
	t.words[0] = 2 * PAGE; /* begins a page, too */
	expect_frames(&start, (uint64_t[]){ CODE + 0x20 }, 1, WALK_NO_RULE);
	t.words[9] = PAGE;
	t.returns[0].at = STACK + 8 * 9;
	start.fp = STACK + 8 * 8;
	expect_frames(&start, (uint64_t[]){ CODE + 0x20, (LAST_CALL - 1) | WALK_GUESS }, 2,
		      WALK_ROOT);
}

/* An instruction that is executed elsewhere: before it, behind it; and one that has called. */
static void test_executed_elsewhere(void **state)
{
	struct walk start = { .pc = PAGE + 0x80, .sp = STACK, .registers = WALK_REGS_TICK };

	set_probed(RULE(UNWIND_RSP, 16, 0));
	push_frames(1);
	t.probes.copy = PAGE + 0x80;
	t.probes.original = CODE + 0x30;
	expect_frames(&start, (uint64_t[]){ CODE + 0x30, LAST_CALL - 1 }, 2, WALK_ROOT);
	start.pc += 7;
	expect_frames(&start, (uint64_t[]){ CODE + 0x37, LAST_CALL - 1 }, 2, WALK_ROOT);
	push_frames(2);
	t.words[1] = PAGE + 0x86;
	start.pc = CODE + 0x20;
	expect_frames(&start, (uint64_t[]){ CODE + 0x20, CODE + 0x35, LAST_CALL - 1 }, 3,
		      WALK_ROOT);
	/* Another thread's. */
	t.returns[0] = (struct walk_return){ CODE + 0x41, STACK };
	start.pc = PAGE + 0x100;
	expect_frames(&start, NULL, 0, WALK_PROBED);
}

/* push %rax; push %rcx; push %r11; mov $335, %rax; syscall; pop %r11; pop %rcx; ret */
static const unsigned char trampoline[] = { 0x50, 0x51, 0x41, 0x53, 0x48, 0xc7, 0xc0, 0x4f, 0x01,
					    0x00, 0x00, 0x0f, 0x05, 0x41, 0x5b, 0x59, 0xc3 };

/* At each of its instructions: words on the stack below the place of the return address, plus one. */
static void test_within_the_trampoline(void **state)
{
	static const struct {
		uint32_t at, pushed, before, after; /* the system call */
	} places[] = { { 0, 0, 1, 0 },	{ 1, 1, 1, 0 },	 { 2, 2, 1, 0 },  { 4, 3, 1, 0 },
		       { 11, 3, 1, 0 }, { 13, 3, 1, 1 }, { 15, 2, 0, 1 }, { 16, 1, 0, 1 } };
	const uint64_t frames[] = { CODE + 0x3f, LAST_CALL - 1 };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct walk start = { .pc = PAGE + places[i].at,
				      .sp = STACK + 8 * (8 - places[i].pushed),
				      .registers = WALK_REGS_TICK };

		set_probed(RULE(UNWIND_RSP, 16, 0));
		memcpy(t.page, trampoline, sizeof(trampoline));
		t.words[9] = LAST_CALL;
		/* That of the caller's caller is close, and not meant. */
		t.returns[0] = (struct walk_return){ CODE + 0x40, STACK + 8 * 7 };
		t.returns[1] = (struct walk_return){ CODE + 0x60, STACK + 8 * 8 };
		if (places[i].before)
			expect_frames(&start, frames, 2, WALK_ROOT);
		t.returns[0] = t.returns[1];
		t.returns[1].address = 0;
		t.words[7] = CODE + 0x40;
		if (places[i].after)
			expect_frames(&start, frames, 2, WALK_ROOT);
		/* Not put there yet. */
		t.words[7] = 0xdead;
		if (places[i].after)
			expect_frames(&start, NULL, 0, WALK_PROBED);
	}
}

/* As it was before: a breakpoint, behind which the thread stands once it is in the kernel. */
static void test_at_a_breakpoint_of_the_trampoline(void **state)
{
	struct walk start = { .sp = STACK + 8, .registers = WALK_REGS_TICK };

	for (start.pc = PAGE; start.pc <= PAGE + 1; start.pc++) {
		set_probed(RULE(UNWIND_RSP, 16, 0));
		t.page[0] = 0xcc;
		t.words[2] = LAST_CALL;
		t.returns[0] = (struct walk_return){ CODE + 0x40, STACK };
		expect_frames(&start, (uint64_t[]){ CODE + 0x3f, LAST_CALL - 1 }, 2, WALK_ROOT);
		t.returns[0].address = 0;
		expect_frames(&start, NULL, 0, WALK_PROBED);
	}
}

/* push %rcx; push %r11; push %rax; mov $336, %rax; syscall; pop %rax; pop %r11; pop %rcx; ret */
static const unsigned char called[] = { 0x51, 0x41, 0x53, 0x50, 0x48, 0xc7, 0xc0, 0x50, 0x01,
					0x00, 0x00, 0x0f, 0x05, 0x58, 0x41, 0x5b, 0x59, 0xc3 };

static void test_probes_that_call(void **state)
{
	static const struct {
		uint32_t at, pushed;
	} places[] = { { 0, 0 },  { 1, 1 },  { 3, 2 },	{ 4, 3 }, { 11, 3 },
		       { 13, 3 }, { 14, 2 }, { 16, 1 }, { 17, 0 } };

	uint32_t distance;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct walk start = { .pc = CALLED + places[i].at,
				      .sp = STACK + 8 * (3 - places[i].pushed),
				      .registers = WALK_REGS_TICK };

		set_rule(RULE(UNWIND_RSP, 16, 0));
		t.probes.calls = 1;
		memcpy(t.called, called, sizeof(called));
		t.code[0x20] = 0xe8;
		distance = (uint32_t)(CALLED - (CODE + 0x25));
		memcpy(t.code + 0x21, &distance, sizeof(distance));
		t.words[3] = CODE + 0x25;
		t.words[5] = LAST_CALL;
		expect_frames(&start, (uint64_t[]){ CODE + 0x20, LAST_CALL - 1 }, 2, WALK_ROOT);
		/* What the word says is no such call. */
		t.code[0x21]++;
		expect_frames(&start, NULL, 0, WALK_PROBED);
		/* Other code there is no probe's. */
		t.called[3] = 0x90;
		expect_frames(&start, (uint64_t[]){ CALLED + places[i].at }, 1, WALK_BROKEN);
	}
}

/* The thread is to execute the first instruction of a page that nobody has touched before. */
static void test_first_call_of_a_probe(void **state)
{
	struct walk start = { .pc = CALLED, .sp = STACK + 8 * 3, .registers = WALK_REGS_TICK };
	uint32_t distance = (uint32_t)(CALLED - (CODE + 0x25));

	set_rule(RULE(UNWIND_RSP, 16, 0));
	t.probes.calls = 1;
	t.called_is_absent = 1;
	t.code[0x20] = 0xe8;
	memcpy(t.code + 0x21, &distance, sizeof(distance));
	t.words[3] = CODE + 0x25;
	t.words[5] = LAST_CALL;
	expect_frames(&start, (uint64_t[]){ CODE + 0x20, LAST_CALL - 1 }, 2, WALK_ROOT);
	/* In the middle of such a page nothing can be. */
	start.pc += 4;
	expect_frames(&start, (uint64_t[]){ CALLED + 4 }, 1, WALK_BROKEN);
}

static uint64_t at_breakpoint(uint64_t pc, uint64_t word)
{
	struct walk w = { .pc = pc, .sp = STACK, .fp = 11, .bx = 12, .registers = WALK_REGS_TICK };

	t.registers[0] = 13;
	t.words[0] = word;
	walk_at_breakpoint(&w);
	return w.pc;
}

/* Behind a breakpoint is before the instruction, unless that was a push. */
static void test_at_a_breakpoint(void **state)
{
	set_rule(RULE(UNWIND_RSP, 16, 0));
	t.page[20] = 0xcc;
	assert_int_equal(at_breakpoint(PAGE + 21, CALL), PAGE + 20);
	assert_int_equal(at_breakpoint(PAGE + 20, CALL), PAGE + 20);
	assert_int_equal(at_breakpoint(PAGE + 22, CALL), PAGE + 22);
	for (uint64_t reg = 11; reg <= 13; reg++)
		assert_int_equal(at_breakpoint(PAGE + 21, reg), PAGE + 21);
	assert_int_equal(at_breakpoint(BARE + 1, CALL), BARE + 1); /* can't be read */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replaced_return_addresses),
		cmocka_unit_test(test_replaced_beyond_the_depth),
		cmocka_unit_test(test_replaced_by_nobody_knows_what),
		cmocka_unit_test(test_replaced_in_code_without_table),
		cmocka_unit_test(test_replaced_in_code_without_entry),
		cmocka_unit_test(test_executed_elsewhere),
		cmocka_unit_test(test_within_the_trampoline),
		cmocka_unit_test(test_at_a_breakpoint_of_the_trampoline),
		cmocka_unit_test(test_probes_that_call),
		cmocka_unit_test(test_first_call_of_a_probe),
		cmocka_unit_test(test_at_a_breakpoint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
