// SPDX-License-Identifier: BSD-2-Clause
/*
 * The frame pointer walker of the kernel programs, compiled for the host: over stacks of real
 * programs that gdb walked by the unwind tables (tests/fixtures/stacks), and over stacks made to
 * break it.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bpf/walk/walk.h"
#include "formats/profile.h"

#define MAX_WORDS (1 << 16)

/* The memory that the walker reads. */
static struct {
	uint64_t start, words[MAX_WORDS];
	size_t n;
} memory;

static int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	uint64_t bytes = memory.n * sizeof(*memory.words), at = address - memory.start;

	if (address < memory.start || at > bytes || sizeof(*value) > bytes - at)
		return -14;
	memcpy(value, (const char *)memory.words + at, sizeof(*value));
	return 0;
}

/* Where the frames of the walk go. */
static __u64 *kept_frames;

static void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	if (slot < PROFBPF_KEEP_FRAMES)
		kept_frames[slot] = frame;
}

#include "bpf/walk/frame_pointer.h"

/* As bpf/sample.bpf.c walks: one step at a time, PROFBPF_MAX_WALK at most. */
static void walk(struct walk *w)
{
	uint32_t i;

	w->end = WALK_ON;
	for (i = 0; i < PROFBPF_MAX_WALK && w->end == WALK_ON; i++)
		w->end = walk_step(w);
	if (w->end == WALK_ON)
		w->end = WALK_TOO_DEEP;
}

/* --- stacks of real programs --- */

struct stored {
	uint64_t pc, sp, fp;
	uint32_t n;
	uint64_t frames[PROFBPF_KEEP_USER];
};

static void load_memory(FILE *f)
{
	size_t i;

	assert_int_equal(fscanf(f, " memory %" SCNx64 " %zu", &memory.start, &memory.n), 2);
	assert_in_range(memory.n, 1, MAX_WORDS);
	for (i = 0; i < memory.n; i++)
		assert_int_equal(fscanf(f, "%" SCNx64, &memory.words[i]), 1);
}

static void load(const char *name, struct stored *s)
{
	char path[512];
	FILE *f;
	uint32_t i;

	snprintf(path, sizeof(path), "%s/stacks/%s.stack", FIXTURES, name);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "# %*[^\n] pc %" SCNx64 " sp %" SCNx64 " fp %" SCNx64, &s->pc,
				&s->sp, &s->fp),
			 3);
	load_memory(f);
	assert_int_equal(fscanf(f, " frames %" SCNu32, &s->n), 1);
	assert_in_range(s->n, 3, PROFBPF_KEEP_USER);
	for (i = 0; i < s->n; i++)
		assert_int_equal(fscanf(f, "%" SCNx64 " %*[^\n]", &s->frames[i]), 1);
	fclose(f);
}

static uint32_t walk_stored(const char *name)
{
	__u64 frames[PROFBPF_KEEP_FRAMES];
	struct stored s;
	struct walk w;
	uint32_t i;

	load(name, &s);
	kept_frames = frames;
	w = (struct walk){ .pc = s.pc, .sp = s.sp, .fp = s.fp };
	walk(&w);
	assert_true(w.n >= s.n);
	for (i = 0; i < s.n; i++)
		assert_int_equal(frames[i], i ? s.frames[i] - 1 : s.frames[i]);
	assert_int_not_equal(w.end, WALK_TOO_DEEP);
	/* The C library has no frame pointers: what lies beyond the last frame that has is uncertain,
	 * but it may not go on for long. */
	assert_true(w.n <= s.n + 2);
	return w.n - s.n;
}

static void test_real_stacks(void **state)
{
	walk_stored("loop");
	walk_stored("no-pie");
	walk_stored("musl");
	walk_stored("thread");
}

static void test_real_deep_stack(void **state)
{
	struct stored s;

	load("deep", &s);
	assert_true(s.n > 60);
	walk_stored("deep");
}

/* Go keeps frame pointers up to a goroutine's root: nothing may come after it. */
static void test_real_go_stack(void **state)
{
	assert_int_equal(walk_stored("go"), 0);
}

/* --- made stacks --- */

#define BASE 0x7ffc00000000ull
#define FRAME 4 /* words */

/* A chain of n frames, in which the return address of frame i is 0x1000 + i. */
static void build(uint32_t n)
{
	uint32_t i;

	memset(&memory, 0, sizeof(memory));
	memory.start = BASE;
	memory.n = (size_t)(n + 1) * FRAME;
	assert_true(memory.n <= MAX_WORDS);
	for (i = 1; i < n; i++) {
		memory.words[(i - 1) * FRAME] = BASE + i * FRAME * 8;
		memory.words[(i - 1) * FRAME + 1] = 0x1000 + i;
	}
}

/* The frames that a walk along the chain has to store: the first as it is, others moved back. */
static uint64_t expected(uint32_t i)
{
	return i ? 0x1000 + i - 1 : 0x1000;
}

static struct walk start(__u64 *frames)
{
	kept_frames = frames;
	return (struct walk){ .pc = 0x1000, .sp = BASE, .fp = BASE };
}

static void expect_depth(uint32_t n, uint32_t base)
{
	__u64 frames[PROFBPF_KEEP_FRAMES + 1];
	struct walk w = start(frames);
	uint32_t i, kept = n < PROFBPF_MAX_WALK ? n : PROFBPF_MAX_WALK, stored = walk_kept(kept);

	build(n);
	memset(frames, 0xa5, sizeof(frames));
	w.base = base;
	walk(&w);
	assert_int_equal(w.n, kept);
	assert_int_equal(w.end, n > PROFBPF_MAX_WALK ? WALK_TOO_DEEP : WALK_ROOT);
	for (i = 0; i < kept; i++) {
		/* Innermost 384 in order, outermost 128 by depth in a ring. */
		if (i < 384)
			assert_int_equal(frames[base + i], expected(i));
		else if (i + 128 >= kept)
			assert_int_equal(frames[base + 384 + (i - 384) % 128], expected(i));
	}
	for (i = 0; i < base; i++)
		assert_int_equal(frames[i], 0xa5a5a5a5a5a5a5a5);
	for (i = base + stored; i <= PROFBPF_KEEP_FRAMES; i++)
		assert_int_equal(frames[i], 0xa5a5a5a5a5a5a5a5);
}

static void test_depths(void **state)
{
	static const uint32_t depths[] = { 1,	2,   383, 384,	385,  511,  512,
					   513, 640, 641, 4095, 4096, 4097, 5000 };
	size_t i;

	for (i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
		expect_depth(depths[i], 0);
		expect_depth(depths[i], PROFBPF_KEEP_KERNEL);
	}
}

/* More frames of the kernel than there can be: nothing is written behind the array. */
static void test_no_room(void **state)
{
	__u64 frames[PROFBPF_KEEP_FRAMES + 1] = { 0 };
	struct walk w = start(frames);

	build(2000);
	w.base = PROFBPF_KEEP_FRAMES - 1;
	walk(&w);
	assert_int_equal(w.n, 2000);
	assert_int_equal(frames[PROFBPF_KEEP_FRAMES], 0);
}

static void expect_end(uint64_t fp, uint32_t n, uint32_t end)
{
	__u64 frames[PROFBPF_KEEP_FRAMES];
	struct walk w = start(frames);

	w.fp = fp;
	walk(&w);
	assert_int_equal(w.n, n);
	assert_int_equal(w.end, end);
	assert_int_equal(frames[0], 0x1000);
}

static void test_first_frame_pointer(void **state)
{
	build(3);
	expect_end(BASE, 3, WALK_ROOT);
	expect_end(0, 1, WALK_ROOT);
	expect_end(BASE + 4, 1, WALK_BROKEN);
	expect_end(BASE - 8, 1, WALK_BROKEN);
	expect_end(1, 1, WALK_BROKEN);
	expect_end(BASE + memory.n * 8, 1, WALK_UNREADABLE);
	expect_end(BASE + memory.n * 8 - 8, 1, WALK_UNREADABLE);
	expect_end(UINT64_MAX - 7, 1, WALK_UNREADABLE);
	expect_end(0xffff800000000000, 1, WALK_UNREADABLE);
}

static void test_broken_chain(void **state)
{
	build(10);
	memory.words[4 * FRAME] = BASE + 4 * FRAME * 8; /* leads to itself */
	expect_end(BASE, 6, WALK_BROKEN);
	build(10);
	memory.words[4 * FRAME] = BASE; /* leads back */
	expect_end(BASE, 6, WALK_BROKEN);
	build(10);
	memory.words[4 * FRAME] = BASE + 4 * FRAME * 8 + 8; /* into the record */
	expect_end(BASE, 6, WALK_BROKEN);
	build(10);
	memory.words[4 * FRAME] |= 3;
	expect_end(BASE, 6, WALK_BROKEN);
	build(10);
	memory.words[4 * FRAME] = 0; /* the outermost frame, which has a caller's address */
	expect_end(BASE, 6, WALK_ROOT);
	build(10);
	memory.words[4 * FRAME + 1] = 0; /* no return address */
	expect_end(BASE, 5, WALK_ROOT);
	build(10);
	memory.n = 4 * FRAME + 1; /* half a record */
	expect_end(BASE, 5, WALK_UNREADABLE);
}

static uint64_t hash_of(uint32_t n)
{
	__u64 frames[PROFBPF_KEEP_FRAMES];
	struct walk w = start(frames);

	w.hash = 42;
	walk(&w);
	assert_int_equal(w.n, n);
	return w.hash;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Stacks that differ in one frame, those that are not kept included, or in depth only. */
static void test_hashes(void **state)
{
	static uint64_t hashes[3000];
	uint32_t i, n = 0;

	build(1000);
	hashes[n++] = hash_of(1000);
	assert_int_equal(hash_of(1000), hashes[0]);
	for (i = 1; i < 1000; i++) {
		memory.words[(i - 1) * FRAME + 1] ^= 0x40;
		hashes[n++] = hash_of(1000);
		memory.words[(i - 1) * FRAME + 1] ^= 0x40;
	}
	for (i = 1; i < 1000; i++) {
		build(i);
		hashes[n++] = hash_of(i);
	}
	/* Two frames swapped. */
	build(1000);
	for (i = 10; i < 900; i++) {
		uint64_t *a = &memory.words[i * FRAME + 1], *b = a + 3 * FRAME, old = *a;

		*a = *b;
		*b = old;
		hashes[n++] = hash_of(1000);
		*b = *a;
		*a = old;
	}
	qsort(hashes, n, sizeof(*hashes), by_value);
	for (i = 1; i < n; i++)
		assert_true(hashes[i - 1] != hashes[i]);
}

/* The codes of the kernel's side are those of the profile. */
static void test_codes(void **state)
{
	assert_int_equal(WALK_ROOT, PROFILE_END_ROOT);
	assert_int_equal(WALK_NO_USER, PROFILE_END_NO_USER);
	assert_int_equal(WALK_UNREADABLE, PROFILE_END_UNREADABLE);
	assert_int_equal(WALK_BROKEN, PROFILE_END_BROKEN);
	assert_int_equal(WALK_TOO_DEEP, PROFILE_END_TOO_DEEP);
	assert_int_equal(WALK_COMPAT, PROFILE_END_COMPAT);
	assert_int_equal(WALK_NO_RULE, PROFILE_END_NO_RULE);
	assert_int_equal(WALK_UNMAPPED, PROFILE_END_UNMAPPED);
	assert_int_equal(WALK_NO_REGISTER, PROFILE_END_NO_REGISTER);
	assert_int_equal(WALK_PROBED, PROFILE_END_PROBED);
	assert_true(WALK_AGAIN >= PROFILE_N_ENDS);
	assert_true(WALK_ON >= PROFILE_N_ENDS);
	assert_int_equal(PROFBPF_DROP_STACK_RING, PROFILE_DROP_STACK_RING);
	assert_int_equal(PROFBPF_DROP_COUNTER_TABLE, PROFILE_DROP_COUNTER_TABLE);
	assert_true(PROFBPF_KEEP_KERNEL + PROFBPF_KEEP_USER <= PROFBPF_KEEP_FRAMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_stacks),   cmocka_unit_test(test_real_deep_stack),
		cmocka_unit_test(test_real_go_stack), cmocka_unit_test(test_depths),
		cmocka_unit_test(test_no_room),	      cmocka_unit_test(test_first_frame_pointer),
		cmocka_unit_test(test_broken_chain),  cmocka_unit_test(test_hashes),
		cmocka_unit_test(test_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
