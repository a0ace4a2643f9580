// SPDX-License-Identifier: BSD-2-Clause
/* The table of stacks that have crossed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "user/capture/stack_table.h"

static struct resolved_stack numbered(uint32_t n)
{
	return (struct resolved_stack){ .process = n, .stack = n + 1, .end = n % 5 };
}

static void set(struct stack_table *t, uint64_t hash, uint32_t n)
{
	struct resolved_stack stack = numbered(n);

	assert_int_equal(stack_table_set(t, hash, &stack), 0);
}

static void test_set_and_find(void **state)
{
	struct stack_table *t = stack_table_new();
	uint64_t i;

	assert_null(stack_table_find(t, 0));
	for (i = 0; i < 10000; i++)
		set(t, i * 0x9e3779b97f4a7c15, i);
	for (i = 0; i < 10000; i++) {
		const struct resolved_stack *s = stack_table_find(t, i * 0x9e3779b97f4a7c15);

		assert_non_null(s);
		assert_int_equal(s->process, i);
		assert_int_equal(s->stack, i + 1);
	}
	assert_null(stack_table_find(t, 1));
	stack_table_free(t);
	stack_table_free(NULL);
}

static void test_replace(void **state)
{
	struct stack_table *t = stack_table_new();

	set(t, UINT64_MAX, 1);
	set(t, UINT64_MAX, 2);
	assert_int_equal(stack_table_find(t, UINT64_MAX)->process, 2);
	stack_table_free(t);
}

/* A stack that did not cross again between two clearings of the kernel's table is forgotten. */
static void test_ages(void **state)
{
	struct stack_table *t = stack_table_new();

	set(t, 1, 1);
	set(t, 2, 2);
	stack_table_age(t);
	assert_non_null(stack_table_find(t, 1));
	assert_non_null(stack_table_find(t, 2));
	set(t, 2, 3);
	set(t, 3, 3);
	stack_table_age(t);
	assert_null(stack_table_find(t, 1));
	assert_int_equal(stack_table_find(t, 2)->process, 3);
	assert_non_null(stack_table_find(t, 3));
	stack_table_age(t);
	assert_null(stack_table_find(t, 2));
	assert_null(stack_table_find(t, 3));
	set(t, 1, 4);
	assert_int_equal(stack_table_find(t, 1)->process, 4);
	stack_table_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_and_find),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_ages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
