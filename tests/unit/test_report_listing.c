/* SPDX-License-Identifier: BSD-2-Clause */
/* What report lists of functions that have no text, no line, no code of their own, or too many namesakes. */
#include <errno.h>

#include "build_profile.h"
#include "formats/listing.h"
#include "formats/table.h"
#include "user/report_listing.h"
#include "user/verb.h"

static struct profile *p;

static int make_profile(void **state)
{
	p = sample_profile("app", "worker", "nasty");
	return 0;
}

static int drop_profile(void **state)
{
	profile_free(p);
	return 0;
}

static struct written source_of(const char *name)
{
	const struct table_options o = { 0 };
	struct listing *l = NULL;
	struct written w = { 0 };

	assert_int_equal(report_source_find(p, name, &l), 0);
	WRITTEN(w, report_source_write(p, l, NULL, &o, out));
	listing_free(l);
	return w;
}

#define HEAD "  self%      self    cum%       cum  "

/* A line that is not known is a row too, so that the function's sum is that of its rows. */
static void test_unknown_lines(void **state)
{
	uint32_t f = add_function(p, "half_known", "/none/x.c", 3);
	uint32_t g = add_function(p, "half_known", "", 3);
	struct written w;

	add_sample(p, 0, (const uint32_t[]){ add_named(p, 0, 0, 0x2000, f, 5) }, 1, 50);
	add_sample(p, 0, (const uint32_t[]){ add_named(p, 0, 0, 0x2008, f, 0) }, 1, 30);
	add_sample(p, 0, (const uint32_t[]){ add_named(p, 0, 0, 0x2010, g, 0) }, 1, 20);
	w = source_of("half_known");
	assert_non_null(strstr(
		w.bytes,
		"\n 50.00%   100.0ms  50.00%   100.0ms  half_known  /usr/bin/app\n" HEAD
		"[no file]\n"
		" 10.00%    20.0ms  10.00%    20.0ms  -  (no line)\n" HEAD "/none/x.c\n"
		" 15.00%    30.0ms  15.00%    30.0ms  -  (no line)\n"
		"note: /none/x.c is not here: name a folder of its tree with --source-dir\n" HEAD
		"/none/x.c\n"
		" 25.00%    50.0ms  25.00%    50.0ms  5\n"));
	free(w.bytes);
}

static void test_generated_code(void **state)
{
	uint32_t f = add_function(p, "generated", "/none/y.scm", 1);
	struct report_asm *a = NULL;
	struct written w;

	add_sample(p, 0,
		   (const uint32_t[]){
			   add_named(p, PROFILE_NONE, PROFILE_LOCATION_JIT, 0x7000, f, 2) },
		   1, 5);
	w = source_of("generated");
	assert_non_null(strstr(w.bytes, "  generated  [anon]\n"));
	free(w.bytes);
	assert_int_equal(report_asm_new(p, "generated", &a), EXIT_FAILED);
	assert_int_equal(report_asm_new(p, "sys_read", &a), EXIT_FAILED);
	assert_int_equal(report_asm_new(p, "helper", &a), EXIT_FAILED); /* inlined */
	assert_int_equal(report_asm_new(p, "work", &a), EXIT_FAILED); /* /usr/bin/app */
	assert_null(a);
}

static void test_nothing_to_list(void **state)
{
	struct listing *l = NULL;

	assert_int_equal(report_source_find(p, "sys_read", &l), -ENOENT);
	assert_int_equal(report_source_find(p, "absent", &l), -ENOENT);
	assert_null(l);
}

static void test_too_many(void **state)
{
	struct written w;
	char name[32];
	unsigned int n = 0;

	for (unsigned int i = 0; i < LISTING_FUNCTIONS + 3; i++) {
		snprintf(name, sizeof(name), "namesake_%u", i);
		add_sample(p, 0,
			   (const uint32_t[]){ add_named(
				   p, 0, 0, 0x3000 + i, add_function(p, name, "/none/z.c", 1), 1) },
			   1, 100 - i);
	}
	w = source_of("namesake");
	for (const char *s = w.bytes; (s = strstr(s, "  namesake_")); s++)
		n++;
	assert_int_equal(n, LISTING_FUNCTIONS);
	assert_non_null(strstr(w.bytes, "  namesake_0  "));
	assert_non_null(strstr(w.bytes, "  namesake_9  "));
	assert_non_null(strstr(w.bytes, "\n3 more functions have the name: give more of it\n"));
	free(w.bytes);
	w = source_of("namesake_12");
	assert_null(strstr(w.bytes, "more functions"));
	free(w.bytes);
}

static void test_disk_full(void **state)
{
	const struct table_options o = { 0 };
	struct listing *l = NULL;

	assert_int_equal(report_source_find(p, "work", &l), 0);
	ASSERT_FULL(report_source_write(p, l, NULL, &o, out));
	listing_free(l);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, make_profile, drop_profile)
	const struct CMUnitTest tests[] = {
		TEST(test_unknown_lines), TEST(test_generated_code), TEST(test_nothing_to_list),
		TEST(test_too_many),	  TEST(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
