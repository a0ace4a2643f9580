// SPDX-License-Identifier: BSD-2-Clause
/* What aggregation really takes while it stays within its budgets, and that it stays exact beyond. */
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/contract/catalog.h"
#include "formats/contract/cpu.h"
#include "formats/contract/memory.h"

#define MANY 900000U

/* Bytes that the heap has handed out. The sanitizers' heap does not tell. */
static size_t heap(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static uint32_t add_function(struct catalog *c, uint32_t number)
{
	char name[16];
	struct contract_function f = {
		.name_space = { "n", 1 },
		.name = { name, 0 },
		.source = 0,
		.declaration = CONTRACT_NO_SPAN,
		.line = CONTRACT_NO_NUMBER,
		.column = CONTRACT_NO_NUMBER,
	};

	f.name.n = (size_t)snprintf(name, sizeof(name), "%u", number);
	assert_int_equal(catalog_add_function(c, &f), 0);
	return number;
}

static void add_frame(struct catalog *c, uint32_t function, uint64_t line)
{
	const struct contract_frame f = {
		.function = function,
		.call_site = CONTRACT_NO_SPAN,
		.line = line,
		.column = CONTRACT_NO_NUMBER,
	};

	assert_int_equal(catalog_add_frame(c, &f), 0);
}

static struct catalog *new_catalog(void)
{
	const struct contract_source s = { .origin = CONTRACT_PROJECT, .path = { "a", 1 } };
	struct catalog *c = catalog_new();

	assert_non_null(c);
	assert_int_equal(catalog_add_source(c, &s), 0);
	return c;
}

static struct catalog *many_functions(void)
{
	struct catalog *c = new_catalog();

	for (uint32_t i = 0; i < MANY / 3; i++) {
		add_frame(c, add_function(c, i), CONTRACT_NO_NUMBER);
		assert_int_equal(catalog_add_stack(c, &i, 1), 0);
	}
	return c;
}

static struct catalog *many_lines(void)
{
	struct catalog *c = new_catalog();

	add_function(c, 0);
	for (uint32_t i = 0; i < MANY; i++) {
		add_frame(c, 0, i);
		assert_int_equal(catalog_add_stack(c, &i, 1), 0);
	}
	return c;
}

/* Three functions in ever other orders. */
static struct catalog *many_chains(void)
{
	struct catalog *c = new_catalog();
	uint32_t frames[13];

	for (uint32_t i = 0; i < 3; i++)
		add_frame(c, add_function(c, i), CONTRACT_NO_NUMBER);
	for (uint32_t i = 0; i < MANY / 3; i++) {
		uint32_t n = 0;

		for (uint32_t left = i; n < 13; left /= 3)
			frames[n++] = left % 3;
		assert_int_equal(catalog_add_stack(c, frames, n), 0);
	}
	return c;
}

static void check_cpu(struct catalog *c)
{
	size_t before = heap(), taken;
	uint32_t n = catalog_n_stacks(c);
	struct cpu cpu;

	cpu_init(&cpu, c, CONTRACT_CPU_BUDGET);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(cpu_sample(&cpu, CONTRACT_JETT, i, 2), 0);
	assert_int_equal(cpu_finish(&cpu), 0);
	taken = heap() - before;
	assert_true(cpu.budget.spent);
	assert_true(cpu.budget.used <= CONTRACT_CPU_BUDGET);
	assert_int_equal(cpu.states[CONTRACT_JETT], 2 * n);
	/* Counters of stacks are a part of the stacks, which the file brings. */
	taken -= taken > cpu.n_samples * sizeof(*cpu.samples) ? cpu.n_samples * sizeof(*cpu.samples)
							      : 0;
	print_message("%zu bytes for %llu charged\n", taken, (unsigned long long)cpu.budget.used);
	assert_true(taken <= CONTRACT_CPU_BUDGET);
	cpu_free(&cpu);
	catalog_free(c);
}

static void test_functions(void **state)
{
	check_cpu(many_functions());
}

static void test_lines(void **state)
{
	check_cpu(many_lines());
}

static void test_chains(void **state)
{
	check_cpu(many_chains());
}

#define MOST_LIVE (CONTRACT_RETENTION_BUDGET / CONTRACT_LIVE_COST)

static void test_live_allocations(void **state)
{
	struct catalog *c = catalog_new();
	size_t before = heap(), taken;
	struct memory m;

	assert_non_null(c);
	memory_init(&m, c, CONTRACT_RETENTION_BUDGET);
	/* Twice as many as fit, of which every other one is freed: old and new lie mixed. */
	for (uint64_t i = 1; i < 2 * MOST_LIVE; i++) {
		assert_int_equal(memory_allocate(&m, i, i, CONTRACT_NONE), 0);
		if (i % 2)
			assert_int_equal(memory_release(&m, i, i), 0);
	}
	assert_false(m.budget.spent);
	taken = heap() - before;
	print_message("%zu bytes for %llu charged\n", taken, (unsigned long long)m.budget.used);
	assert_true(taken <= CONTRACT_RETENTION_BUDGET);
	assert_int_equal(m.allocated - m.freed, m.live);
	assert_int_equal(memory_release(&m, 3, 3), -ENOENT);
	assert_int_equal(memory_resize(&m, 4, 5, 6, CONTRACT_NONE), -EBADMSG);
	for (uint64_t i = 2 * MOST_LIVE; i < 2 * MOST_LIVE + 2; i++)
		assert_int_equal(memory_allocate(&m, i, 1, CONTRACT_NONE), 0);
	assert_true(m.budget.spent);
	assert_int_equal(m.allocations, 2 * MOST_LIVE + 1);
	assert_true(heap() - before < CONTRACT_RETENTION_BUDGET / 64);
	memory_free(&m);
	catalog_free(c);
}

/* Random allocations and frees against a plain array. */
static void test_live_against_an_array(void **state)
{
	enum { IDS = 20000 };
	static uint64_t sizes[IDS];
	struct live l = { 0 };
	uint64_t seed = 1, id = 0;

	while (id < IDS) {
		struct allocation *a;

		seed = seed * 6364136223846793005U + 1442695040888963407U;
		uint64_t any = (seed >> 33) % IDS;

		if (seed >> 63) {
			sizes[id] = (seed >> 40) + 1;
			assert_int_equal(live_add(&l, id, sizes[id], 7), 0);
			id++;
		}
		a = live_find(&l, any);
		assert_int_equal(a ? a->size : 0, sizes[any]);
		if (a && seed & 1U << 20) {
			live_remove(&l, a);
			sizes[any] = 0;
		}
	}
	live_free(&l);
}

static void test_counters(void **state)
{
	struct catalog *c = catalog_new();
	struct memory m;
	struct cpu cpu;

	assert_non_null(c);
	cpu_init(&cpu, c, 0);
	assert_int_equal(cpu_coalesced(&cpu, UINT64_MAX - 1), 0);
	assert_int_equal(cpu_dropped(&cpu, 2), -EOVERFLOW);
	assert_int_equal(cpu_sample(&cpu, CONTRACT_WAITING, CONTRACT_NONE, 2), -EOVERFLOW);
	assert_int_equal(cpu_sample(&cpu, CONTRACT_WAITING, CONTRACT_NONE, 1), 0);
	assert_int_equal(cpu.recorded + cpu.coalesced + cpu.dropped, UINT64_MAX);
	memory_init(&m, c, CONTRACT_RETENTION_BUDGET);
	assert_int_equal(memory_allocate(&m, 1, UINT64_MAX, CONTRACT_NONE), 0);
	assert_int_equal(memory_allocate(&m, 2, 1, CONTRACT_NONE), -EOVERFLOW);
	memory_free(&m);
	cpu_free(&cpu);
	catalog_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_live_allocations),
		cmocka_unit_test(test_live_against_an_array),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
