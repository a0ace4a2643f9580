// SPDX-License-Identifier: BSD-2-Clause
/* Shorter stacks for an output: the innermost frames, a marker, and the same totals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "formats/profile.h"
#include "user/trim.h"

#define N_FRAMES 10

/* Two stacks that differ only in their outermost frame, one short stack, one named location. */
static struct profile *deep_profile(void)
{
	static const struct profile_value_type types[] = { { "samples", "count" },
							   { "cpu", "nanoseconds" } };
	static const struct profile_config config = { .period_ns = 1000,
						      .duration_ns = 5,
						      .target = "pid 1",
						      .host = "h",
						      .kernel = "k",
						      .arch = "a",
						      .version = "v",
						      .notes = "" };
	static const struct profile_accounting accounting = { .requested = 6, .recorded = 6 };
	const struct profile_object object = { .path = "/bin/x", .build_id = "ab" };
	const struct profile_function function = { .name = "leaf",
						   .system_name = "leaf",
						   .file = "x.c" };
	const struct profile_process process = { .pid = 1, .name = "x", .exe = "/bin/x" };
	struct profile_thread thread = { .tid = 1, .name = "x" };
	struct profile_line line = { .line = 7 };
	struct profile *p = profile_new();
	uint32_t o, l[N_FRAMES + 1], stack, t;

	assert_non_null(p);
	assert_int_equal(profile_set_types(p, types, 2), 0);
	assert_int_equal(profile_set_config(p, &config), 0);
	profile_set_accounting(p, &accounting);
	assert_int_equal(profile_add_object(p, &object, &o), 0);
	for (uint32_t i = 0; i <= N_FRAMES; i++)
		assert_int_equal(profile_add_location(p, o, 0, 0x100 + i, &l[i]), 0);
	assert_int_equal(profile_add_function(p, &function, &line.function), 0);
	assert_int_equal(profile_set_lines(p, l[0], &line, 1), 0);
	assert_int_equal(profile_add_process(p, &process, &thread.process), 0);
	assert_int_equal(profile_add_thread(p, &thread, &t), 0);
	assert_int_equal(profile_add_stack(p, l, N_FRAMES, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(profile_add_sample(p, t, stack, (uint64_t[]){ 1, 1000 }), 0);
	l[N_FRAMES - 1] = l[N_FRAMES];
	assert_int_equal(profile_add_stack(p, l, N_FRAMES, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(profile_add_sample(p, t, stack, (uint64_t[]){ 2, 2000 }), 0);
	assert_int_equal(profile_add_stack(p, l, 2, PROFILE_END_BROKEN, &stack), 0);
	assert_int_equal(profile_add_sample(p, t, stack, (uint64_t[]){ 3, 3000 }), 0);
	return p;
}

static void test_trims(void **state)
{
	struct profile *p = deep_profile(), *trimmed = NULL;
	struct profile_stack stack;

	assert_int_equal(profile_trim(p, 4, &trimmed), 0);
	assert_non_null(trimmed);
	/* The two deep stacks have become one. */
	assert_int_equal(profile_n_samples(trimmed), 2);
	assert_int_equal(profile_sample(trimmed, 0)->values[0], 3);
	assert_int_equal(profile_sample(trimmed, 0)->values[1], 3000);
	stack = profile_stack(trimmed, profile_sample(trimmed, 0)->stack);
	assert_int_equal(stack.n, 4);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(profile_location(trimmed, stack.locations[i])->address, 0x100 + i);
	assert_int_equal(profile_location(trimmed, stack.locations[3])->flags,
			 PROFILE_LOCATION_TRUNCATED);
	/* The short one stays as it is. */
	stack = profile_stack(trimmed, profile_sample(trimmed, 1)->stack);
	assert_int_equal(stack.n, 2);
	assert_int_equal(profile_location(trimmed, stack.locations[1])->address, 0x101);
	profile_free(trimmed);
	profile_free(p);
}

static void test_keeps_the_rest(void **state)
{
	struct profile *p = deep_profile(), *trimmed = NULL;
	const struct profile_location *leaf;

	assert_int_equal(profile_trim(p, 1, &trimmed), 0);
	assert_non_null(trimmed);
	assert_int_equal(profile_total(trimmed, 0), 6);
	assert_int_equal(profile_total(trimmed, 1), 6000);
	assert_int_equal(profile_config(trimmed)->period_ns, 1000);
	assert_string_equal(profile_config(trimmed)->target, "pid 1");
	assert_int_equal(profile_accounting(trimmed)->requested, 6);
	assert_string_equal(profile_object(trimmed, 0)->path, "/bin/x");
	assert_string_equal(profile_thread(trimmed, 0)->name, "x");
	leaf = profile_location(trimmed, 0);
	assert_true(leaf->symbolized);
	assert_int_equal(leaf->lines[0].line, 7);
	assert_string_equal(profile_function(trimmed, leaf->lines[0].function)->name, "leaf");
	profile_free(trimmed);
	profile_free(p);
}

static void test_nothing_to_trim(void **state)
{
	struct profile *p = deep_profile(), *trimmed = NULL;

	assert_int_equal(profile_trim(p, 0, &trimmed), 0);
	assert_null(trimmed);
	assert_int_equal(profile_trim(p, N_FRAMES, &trimmed), 0);
	assert_null(trimmed);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trims),
		cmocka_unit_test(test_keeps_the_rest),
		cmocka_unit_test(test_nothing_to_trim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
