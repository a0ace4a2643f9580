// SPDX-License-Identifier: BSD-2-Clause
/* Lists of CPUs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/capture/cpus.h"

static unsigned int count(const struct cpus *c)
{
	unsigned int cpu, n = 0;

	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		n += cpus_has(c, cpu);
	return n;
}

static void test_lists(void **state)
{
	struct cpus c;

	assert_int_equal(cpus_parse("0\n", &c), 0);
	assert_int_equal(count(&c), 1);
	assert_int_equal(c.limit, 1);
	assert_int_equal(cpus_parse("0-3,8,10-11\n", &c), 0);
	assert_int_equal(count(&c), 7);
	assert_int_equal(c.limit, 12);
	assert_true(cpus_has(&c, 3) && cpus_has(&c, 8) && cpus_has(&c, 10) && cpus_has(&c, 11));
	assert_false(cpus_has(&c, 4) || cpus_has(&c, 9) || cpus_has(&c, 12));
	assert_int_equal(cpus_parse("8,0", &c), 0);
	assert_int_equal(c.limit, 9);
	assert_int_equal(count(&c), 2);
}

static void test_largest(void **state)
{
	struct cpus c;

	assert_int_equal(cpus_parse("8191", &c), 0);
	assert_int_equal(c.limit, CPUS_MAX);
	assert_true(cpus_has(&c, 8191));
	assert_false(cpus_has(&c, CPUS_MAX));
	assert_int_equal(cpus_parse("0-8191\n", &c), 0);
	assert_int_equal(count(&c), CPUS_MAX);
}

static void test_damaged(void **state)
{
	static const char *const damaged[] = {
		"",
		"\n",
		",",
		"0,",
		"0,\n",
		"-1",
		"0-",
		"3-1",
		"x",
		"0x3",
		"0 1",
		" 0",
		"0--1",
		"8192",
		"0-8192",
		"99999999999999999999999",
		"1-99999999999999999999999",
		"0;1",
	};
	struct cpus c = { .limit = 4711 };
	size_t i;

	for (i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		assert_int_equal(cpus_parse(damaged[i], &c), -EINVAL);
		assert_int_equal(c.limit, 4711);
	}
}

static void test_online(void **state)
{
	struct cpus c;

	assert_int_equal(cpus_online(&c), 0);
	assert_int_equal(count(&c), sysconf(_SC_NPROCESSORS_ONLN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
