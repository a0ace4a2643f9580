// SPDX-License-Identifier: BSD-2-Clause
/* Debug data that no compiler writes: names still come, and soon. */
#include "symbol_fixture.h"

#define SECONDS 10 /* more than that for one object is a hang */

static void test_cycles(void **state)
{
	static const char *const kinds[] = { "ORIGIN", "SIBLING", "NEST" };

	need("gcc readelf");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct answer *a;
		uint64_t at;

		run("gcc -D%s -o cyclic " SOURCES "/cyclic.S", kinds[i]);
		at = value_of("cyclic", "main");
		alarm(SECONDS);
		a = ask("./cyclic", &at, 1);
		alarm(0);
		assert_in_range(a->n, 1, 2);
		assert_string_equal(a->frames[a->n - 1].name, "main");
		free_answers(a, 1);
	}
}

/* The program has the name of its own split unit, and is the package too. */
static void test_own_split_unit(void **state)
{
	uint64_t at;

	need("gcc readelf");
	run("cp " SOURCES "/where.c program.c && gcc -g -gsplit-dwarf -c -o program.o program.c && "
	    "gcc -o program.dwo program.o && ln program.dwo program.dwo.dwp");
	at = value_of("program.dwo", "main");
	alarm(SECONDS);
	expect_name("./program.dwo", at, "main");
	alarm(0);
}

/* A file of many gigabytes, nearly all of which is a hole, as a package. */
static void test_huge_package(void **state)
{
	uint64_t at;

	need("gcc readelf truncate");
	run("cp " SOURCES "/where.c huge.c && gcc -g -gsplit-dwarf -c -o huge.o huge.c && "
	    "gcc -o huge huge.o && cp huge.dwo huge.dwp && truncate -s 64G huge.dwp");
	at = value_of("huge", "main");
	alarm(SECONDS);
	expect_name("./huge", at, "main");
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_own_split_unit),
		cmocka_unit_test(test_huge_package),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
