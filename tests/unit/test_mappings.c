// SPDX-License-Identifier: BSD-2-Clause
/* Mappings of an address space, checked against a plain table of addresses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "user/capture/mappings.h"

/* Objects are only compared by their addresses here. */
static char things[4];
#define OBJECT(i) ((struct object *)&things[i])

static int add(struct mappings **m, uint64_t start, uint64_t end, uint64_t offset,
	       struct object *object)
{
	const struct mapping mapping = { start, end, offset, object };

	return mappings_add(m, &mapping);
}

static void expect(const struct mappings *m, uint64_t address, const struct object *object,
		   uint64_t offset)
{
	const struct mapping *found = mappings_find(m, address);

	assert_non_null(found);
	assert_ptr_equal(found->object, object);
	assert_int_equal(address - found->start + found->offset, offset);
}

static void test_find(void **state)
{
	struct mappings *m = mappings_new();

	assert_null(mappings_find(m, 0));
	assert_int_equal(add(&m, 0x2000, 0x3000, 0x500, OBJECT(0)), 0);
	assert_int_equal(add(&m, 0x1000, 0x2000, 0, OBJECT(1)), 0);
	assert_int_equal(add(&m, 0x5000, UINT64_MAX, 0, OBJECT(2)), 0);
	assert_int_equal(mappings_count(m), 3);
	assert_null(mappings_find(m, 0xfff));
	expect(m, 0x1000, OBJECT(1), 0);
	expect(m, 0x1fff, OBJECT(1), 0xfff);
	expect(m, 0x2000, OBJECT(0), 0x500);
	expect(m, 0x2fff, OBJECT(0), 0x14ff);
	assert_null(mappings_find(m, 0x3000));
	assert_null(mappings_find(m, 0x4fff));
	expect(m, UINT64_MAX - 1, OBJECT(2), UINT64_MAX - 1 - 0x5000);
	assert_null(mappings_find(m, UINT64_MAX));
	mappings_free(m);
	mappings_free(NULL);
}

static void test_empty_range(void **state)
{
	struct mappings *m = mappings_new();

	assert_int_equal(add(&m, 0x1000, 0x1000, 0, OBJECT(0)), -EINVAL);
	assert_int_equal(add(&m, 0x1000, 0xfff, 0, OBJECT(0)), -EINVAL);
	assert_int_equal(mappings_count(m), 0);
	mappings_free(m);
}

static void test_replace(void **state)
{
	struct mappings *m = mappings_new();

	assert_int_equal(add(&m, 0x1000, 0x9000, 0x100, OBJECT(0)), 0);
	/* In the middle: both ends stay, with their offsets. */
	assert_int_equal(add(&m, 0x3000, 0x4000, 0, OBJECT(1)), 1);
	assert_int_equal(mappings_count(m), 3);
	expect(m, 0x2fff, OBJECT(0), 0x20ff);
	expect(m, 0x3000, OBJECT(1), 0);
	expect(m, 0x4000, OBJECT(0), 0x3100);
	/* Over several, and beyond the last. */
	assert_int_equal(add(&m, 0x2000, 0xa000, 0, OBJECT(2)), 1);
	assert_int_equal(mappings_count(m), 2);
	expect(m, 0x1fff, OBJECT(0), 0x10ff);
	expect(m, 0x9fff, OBJECT(2), 0x7fff);
	mappings_free(m);
}

/* What is mapped anew in the same way has not changed its meaning. */
static void test_same_again(void **state)
{
	struct mappings *m = mappings_new();

	assert_int_equal(add(&m, 0x1000, 0x3000, 0x100, OBJECT(0)), 0);
	assert_int_equal(add(&m, 0x1000, 0x3000, 0x100, OBJECT(0)), 0);
	assert_int_equal(add(&m, 0x2000, 0x4000, 0x1100, OBJECT(0)), 0);
	assert_int_equal(add(&m, 0x2000, 0x4000, 0x1200, OBJECT(0)), 1);
	assert_int_equal(add(&m, 0x2000, 0x4000, 0x1200, OBJECT(1)), 1);
	/* Memory without a file has no offset that means anything: /proc writes 0, perf the address. */
	assert_int_equal(add(&m, 0x8000, 0x9000, 0, NULL), 0);
	assert_int_equal(add(&m, 0x8000, 0x9000, 0x8000, NULL), 0);
	assert_int_equal(add(&m, 0x8000, 0x9000, 0, OBJECT(0)), 1);
	assert_int_equal(add(&m, 0x8000, 0x9000, 0, NULL), 1);
	mappings_free(m);
}

static void test_sharing(void **state)
{
	struct mappings *parent = mappings_new(), *child, *other;

	assert_int_equal(add(&parent, 0x1000, 0x2000, 0, OBJECT(0)), 0);
	child = mappings_share(parent);
	other = mappings_share(parent);
	assert_ptr_equal(child, parent);
	assert_int_equal(add(&child, 0x1000, 0x2000, 0, OBJECT(1)), 1);
	assert_ptr_not_equal(child, parent);
	assert_ptr_equal(other, parent);
	expect(child, 0x1000, OBJECT(1), 0);
	expect(parent, 0x1000, OBJECT(0), 0);
	mappings_free(parent);
	expect(other, 0x1000, OBJECT(0), 0);
	assert_int_equal(add(&other, 0x4000, 0x5000, 0, OBJECT(2)), 0);
	expect(other, 0x4000, OBJECT(2), 0);
	mappings_free(other);
	mappings_free(child);
}

static void test_sharing_nothing(void **state)
{
	struct mappings *parent = mappings_new(), *child = mappings_share(parent);

	assert_int_equal(add(&child, 0x1000, 0x2000, 0, OBJECT(0)), 0);
	assert_int_equal(mappings_count(parent), 0);
	assert_int_equal(mappings_count(child), 1);
	mappings_free(parent);
	mappings_free(child);
}

#define PAGES 64

/* 20,000 random mappings over 64 pages, each compared with an array that holds what a page is. */
static void test_against_array(void **state)
{
	struct {
		struct object *object;
		uint64_t offset;
		bool mapped;
	} pages[PAGES] = { 0 };
	struct mappings *m = mappings_new(), *old;
	unsigned int round, i;

	srand(1);
	for (round = 0; round < 20000; round++) {
		uint64_t first = rand() % PAGES, n = 1 + rand() % (PAGES - first);
		uint64_t offset = rand() % 16;
		struct object *object = OBJECT(rand() % 4);

		/* Now and then a fork, whose parent ends first. */
		old = round % 7 ? NULL : mappings_share(m);
		assert_true(add(&m, first, first + n, offset, object) >= 0);
		mappings_free(old);
		for (i = 0; i < n; i++) {
			pages[first + i].object = object;
			pages[first + i].offset = offset + i;
			pages[first + i].mapped = true;
		}
		for (i = 0; i < PAGES; i++) {
			if (pages[i].mapped)
				expect(m, i, pages[i].object, pages[i].offset);
			else
				assert_null(mappings_find(m, i));
		}
		assert_true(mappings_count(m) <= PAGES);
	}
	mappings_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),	      cmocka_unit_test(test_empty_range),
		cmocka_unit_test(test_replace),	      cmocka_unit_test(test_same_again),
		cmocka_unit_test(test_sharing),	      cmocka_unit_test(test_sharing_nothing),
		cmocka_unit_test(test_against_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
