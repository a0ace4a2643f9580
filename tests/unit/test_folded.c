/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>

#include "build_profile.h"
#include "formats/writers.h"

static struct written folded(const struct profile *p, bool per_thread)
{
	const struct folded_options options = { .per_thread = per_thread };
	struct written w = { 0 };

	WRITTEN(w, folded_write(p, &options, out));
	return w;
}

static void test_stacks(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct written w = folded(p, false);

	assert_string_equal(w.bytes, "app;main;<truncated-stack>;work 15\n"
				     "app;main;libc.so.6+0x2040;sys_read_[k] 10\n"
				     "app;main;work;helper_[i] 30\n"
				     "app;main;work;work 5\n"
				     "app;nasty;0xcafe0_[j] 40\n");
	free(w.bytes);
	profile_free(p);
}

static void test_threads(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct written w = folded(p, true);

	assert_string_equal(w.bytes, "app;app [100];main;libc.so.6+0x2040;sys_read_[k] 10\n"
				     "app;app [100];main;work;helper_[i] 30\n"
				     "app;app [100];main;work;work 5\n"
				     "app;worker [101];main;<truncated-stack>;work 15\n"
				     "app;worker [101];nasty;0xcafe0_[j] 40\n");
	free(w.bytes);
	profile_free(p);
}

/* Reads lines as flame graph tools do: the count is what follows the last space. */
static void check_lines(char *bytes, uint64_t total, unsigned int frames_at_most)
{
	uint64_t sum = 0;
	char *line, *rest = bytes;

	while ((line = strsep(&rest, "\n")) && *line) {
		char *count = strrchr(line, ' '), *end;
		unsigned int frames = 1;

		assert_non_null(count);
		sum += strtoull(count + 1, &end, 10);
		assert_true(end > count + 1 && *end == '\0');
		for (char *c = line; c < count; c++) {
			assert_true((unsigned char)*c >= ' ' && *c != 0x7f);
			frames += *c == ';';
		}
		assert_true(frames <= frames_at_most);
	}
	assert_int_equal(sum, total);
	assert_string_equal(line, "");
	assert_null(rest);
}

static void test_nasty_names(void **state)
{
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, NASTY_FUNCTION);
	struct written w = folded(p, true);

	/* ";" is ":", what is not text is escaped, the rest is recognisable. */
	assert_non_null(strstr(w.bytes, "ev:il\\x1b[31m\\x0a;th\"r\\ead\\xff [101];"
					"op\\x01:<script>\"\\xc3(;0xcafe0_[j] 40\n"));
	check_lines(w.bytes, 100, 5);
	free(w.bytes);
	profile_free(p);
}

static void test_equal_lines_are_one(void **state)
{
	/* A name that already looks as the escape of another, and two processes of one name. */
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "");
	uint32_t a = add_named(p, app, 0, 1, add_function(p, "f;g", "", 0), 1);
	uint32_t b = add_named(p, app, 0, 2, add_function(p, "f:g", "", 0), 1);
	uint32_t c = add_named(p, app, PROFILE_LOCATION_KERNEL, 3, add_function(p, "h", "", 0), 1);
	uint32_t d = add_named(p, app, 0, 4, add_function(p, "h_[k]", "", 0), 1);
	struct written w;

	add_sample(p, add_thread(p, 1, "app", "", 1, "app"), &a, 1, 3);
	add_sample(p, add_thread(p, 2, "app", "", 2, "app"), &b, 1, 4);
	add_sample(p, add_thread(p, 2, "app", "", 2, "app"), &c, 1, 1);
	add_sample(p, add_thread(p, 2, "app", "", 2, "app"), &d, 1, 1);
	w = folded(p, false);
	assert_string_equal(w.bytes, "app;f:g 7\napp;h_[k] 2\n");
	free(w.bytes);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = cpu_profile();
	struct written w = folded(p, false);

	assert_int_equal(w.n, 0);
	free(w.bytes);
	/* A sample without frames is still counted, and a process without a name shown. */
	add_sample(p, add_thread(p, 1, "", "", 1, ""), NULL, 0, 2);
	w = folded(p, false);
	assert_string_equal(w.bytes, "[unknown] 2\n");
	free(w.bytes);
	profile_free(p);
}

static void test_disk_full(void **state)
{
	const struct folded_options options = { 0 };
	struct profile *p = sample_profile("app", "worker", "nasty");

	ASSERT_FULL(folded_write(p, &options, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),	    cmocka_unit_test(test_threads),
		cmocka_unit_test(test_nasty_names), cmocka_unit_test(test_equal_lines_are_one),
		cmocka_unit_test(test_empty),	    cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
