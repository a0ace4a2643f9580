/* SPDX-License-Identifier: BSD-2-Clause */
/* Read back with jansson, which is strict about JSON and UTF-8. */
#include <errno.h>

#include <jansson.h>

#include "build_profile.h"
#include "formats/writers.h"

static json_t *speedscope(const struct profile *p, bool per_thread)
{
	const struct speedscope_options options = { .per_thread = per_thread };
	struct written w = { 0 };
	json_error_t error;
	json_t *root;

	WRITTEN(w, speedscope_write(p, &options, out));
	root = json_loadb(w.bytes, w.n, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%d: %s", error.line, error.text);
	free(w.bytes);
	return root;
}

static const char *text(const json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	assert_non_null(s);
	return s;
}

/* A sampled profile's rules; gives the sum of its weights. */
static json_int_t check_profile(const json_t *root, const json_t *profile)
{
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	const json_t *samples = json_object_get(profile, "samples");
	const json_t *weights = json_object_get(profile, "weights");
	json_int_t sum = 0;

	assert_string_equal(text(profile, "type"), "sampled");
	assert_string_equal(text(profile, "unit"), "nanoseconds");
	assert_int_equal(json_array_size(samples), json_array_size(weights));
	for (size_t i = 0; i < json_array_size(samples); i++) {
		const json_t *sample = json_array_get(samples, i);

		for (size_t j = 0; j < json_array_size(sample); j++) {
			const json_t *frame = json_array_get(sample, j);

			assert_true(json_is_integer(frame));
			assert_in_range(json_integer_value(frame), 0, json_array_size(frames) - 1);
		}
		sum += json_integer_value(json_array_get(weights, i));
	}
	assert_int_equal(json_integer_value(json_object_get(profile, "startValue")), 0);
	assert_int_equal(json_integer_value(json_object_get(profile, "endValue")), sum);
	return sum;
}

/* The frames of the sample that weighs so many samples, "root;…;leaf", malloc'd. */
static char *stack_of(const json_t *root, const json_t *profile, json_int_t count)
{
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	const json_t *weights = json_object_get(profile, "weights");
	char *stack = strdup("");

	for (size_t i = 0; i < json_array_size(weights); i++) {
		const json_t *sample = json_array_get(json_object_get(profile, "samples"), i);

		if (json_integer_value(json_array_get(weights, i)) != count * PERIOD)
			continue;
		for (size_t j = 0; j < json_array_size(sample); j++) {
			json_int_t frame = json_integer_value(json_array_get(sample, j));
			char *longer;

			assert_true(asprintf(&longer, "%s%s%s", stack, j ? ";" : "",
					     text(json_array_get(frames, frame), "name")) > 0);
			free(stack);
			stack = longer;
		}
	}
	return stack;
}

static void assert_stack(const json_t *root, const json_t *profile, json_int_t count,
			 const char *expected)
{
	char *stack = stack_of(root, profile, count);

	assert_string_equal(stack, expected);
	free(stack);
}

static void test_one_profile(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = speedscope(p, false);
	const json_t *profiles = json_object_get(root, "profiles");
	const json_t *profile = json_array_get(profiles, 0);

	assert_string_equal(text(root, "$schema"),
			    "https://www.speedscope.app/file-format-schema.json");
	assert_string_equal(text(root, "name"), "pid 100");
	assert_int_equal(json_integer_value(json_object_get(root, "activeProfileIndex")), 0);
	assert_int_equal(json_array_size(profiles), 1);
	assert_int_equal(check_profile(root, profile), 100 * (json_int_t)PERIOD);
	assert_stack(root, profile, 30, "app;main;work;helper");
	assert_stack(root, profile, 5, "app;main;work;work");
	assert_stack(root, profile, 10, "app;main;libc.so.6+0x2040;sys_read");
	assert_stack(root, profile, 40, "app;nasty;0xcafe0");
	assert_stack(root, profile, 15, "app;main;<truncated-stack>;work");
	json_decref(root);
	profile_free(p);
}

static void test_a_function_is_one_frame(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = speedscope(p, false);
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	unsigned int works = 0;

	for (size_t i = 0; i < json_array_size(frames); i++) {
		const json_t *frame = json_array_get(frames, i);

		if (strcmp(text(frame, "name"), "work") != 0)
			continue;
		works++;
		assert_string_equal(text(frame, "file"), "/src/app.c");
		assert_int_equal(json_integer_value(json_object_get(frame, "line")), 20);
	}
	assert_int_equal(works, 1);
	json_decref(root);
	profile_free(p);
}

static void test_threads(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = speedscope(p, true);
	const json_t *profiles = json_object_get(root, "profiles");
	const json_t *first = json_array_get(profiles, 0), *second = json_array_get(profiles, 1);

	assert_int_equal(json_array_size(profiles), 2);
	assert_string_equal(text(first, "name"), "app / app [100]");
	assert_int_equal(check_profile(root, first), 45 * (json_int_t)PERIOD);
	assert_stack(root, first, 30, "main;work;helper");
	assert_string_equal(text(second, "name"), "app / worker [101]");
	assert_int_equal(check_profile(root, second), 55 * (json_int_t)PERIOD);
	assert_stack(root, second, 40, "nasty;0xcafe0");
	json_decref(root);
	profile_free(p);
}

static void test_nasty_names(void **state)
{
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, NASTY_FUNCTION);
	struct profile_config config = *profile_config(p);
	json_t *root, *second;

	config.target = "</script>\"\n";
	assert_int_equal(profile_set_config(p, &config), 0);
	root = speedscope(p, true);
	second = json_array_get(json_object_get(root, "profiles"), 1);

	assert_string_equal(text(root, "name"), "</script>\"\\x0a");
	assert_string_equal(text(second, "name"), "ev;il\\x1b[31m\\x0a / th\"r\\ead\\xff [101]");
	assert_stack(root, second, 40, "op\\x01;<script>\"\\xc3(;0xcafe0");
	json_decref(root);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = cpu_profile();

	for (int per_thread = 0; per_thread < 2; per_thread++) {
		json_t *root = speedscope(p, per_thread);
		const json_t *profiles = json_object_get(root, "profiles");

		assert_int_equal(json_array_size(profiles), 1);
		assert_int_equal(check_profile(root, json_array_get(profiles, 0)), 0);
		json_decref(root);
	}
	profile_free(p);
}

static void test_disk_full(void **state)
{
	const struct speedscope_options options = { 0 };
	struct profile *p = sample_profile("app", "worker", "nasty");

	ASSERT_FULL(speedscope_write(p, &options, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_profile), cmocka_unit_test(test_a_function_is_one_frame),
		cmocka_unit_test(test_threads),	    cmocka_unit_test(test_nasty_names),
		cmocka_unit_test(test_empty),	    cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
