// SPDX-License-Identifier: BSD-2-Clause
/* Lines that threads parse ahead come in their order, and what is wrong with one when its turn comes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "formats/contract/events_ahead.h"
#include "formats/contract/fields.h"

#define MANY 20000 /* lines: more than all batches of some threads hold */

static const unsigned int threads[] = { 0, 1, 2, 7, 1000 };
#define N_THREADS (sizeof(threads) / sizeof(*threads))

/* Lines of all kinds, a bad one among them if its number is not 0. */
static FILE *make(char **text, size_t *size, uint64_t n, uint64_t bad)
{
	FILE *f = open_memstream(text, size);

	assert_non_null(f);
	for (uint64_t i = 1; i <= n; i++) {
		if (i == bad)
			fprintf(f, "{\"op\": \"coalesced\", \"count\": 1, \"count\": 1}\n");
		else if (i % 7 == 0)
			fprintf(f, "{\"stack\": [%lu]}\n", (unsigned long)i);
		else if (i % 11 == 0)
			fprintf(f, "{\"op\": \"guess\", \"number\": %lu}\n", (unsigned long)i);
		else
			fprintf(f, "{\"op\": \"coalesced\", \"count\": %lu}\n", (unsigned long)i);
	}
	fclose(f);
	f = fmemopen(*text, *size, "r");
	assert_non_null(f);
	return f;
}

static void check_line(const struct parsed_line *line, uint64_t i)
{
	json_t *number;

	if (i % 7 && i % 11) {
		assert_null(line->object);
		assert_int_equal(line->event.op, EVENT_COALESCED);
		assert_int_equal(line->event.count, i);
		return;
	}
	assert_non_null(line->object);
	number = i % 7 == 0 ? json_array_get(json_object_get(line->object, "stack"), 0)
			    : json_object_get(line->object, "number");
	assert_int_equal(json_integer_value(number), i);
}

/* Reads until the end or a bad line, and lets go. */
static void read_all(FILE *in, unsigned int n_threads, uint64_t n, uint64_t bad)
{
	struct events_ahead *a = events_ahead_new(in, n_threads);
	const struct parsed_line *line;
	struct complaint c = { "" };
	uint64_t i = 0;
	int got;

	assert_non_null(a);
	while ((got = events_ahead_next(a, &line, &c)) == 1) {
		check_line(line, ++i);
		assert_int_equal(events_ahead_number(a), i);
	}
	assert_int_equal(got, bad ? -EBADMSG : 0);
	assert_int_equal(events_ahead_number(a), bad ? bad : n + 1);
	assert_int_equal(i, bad ? bad - 1 : n);
	if (bad)
		assert_non_null(strstr(c.text, "duplicate"));
	events_ahead_free(a);
}

static void test_order(void **state)
{
	static const uint64_t sizes[] = { 1, 1000, MANY };
	char *text;
	size_t size;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		for (size_t t = 0; t < N_THREADS; t++) {
			FILE *in = make(&text, &size, sizes[s], 0);

			read_all(in, threads[t], sizes[s], 0);
			fclose(in);
			free(text);
		}
	}
}

/* The first of all lines, the first and the last of a batch, and the last of all. */
static void test_bad_line(void **state)
{
	static const uint64_t bad[] = { 1, 2, 1023, 1024, 9999, MANY };
	char *text;
	size_t size;

	for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); b++) {
		for (size_t t = 0; t < N_THREADS; t++) {
			FILE *in = make(&text, &size, MANY, bad[b]);

			read_all(in, threads[t], MANY, bad[b]);
			fclose(in);
			free(text);
		}
	}
}

static void test_empty_line(void **state)
{
	FILE *in = fmemopen("\n{}\n", 4, "r");
	struct events_ahead *a = events_ahead_new(in, 1);
	const struct parsed_line *line;
	struct complaint c = { "" };

	assert_int_equal(events_ahead_next(a, &line, &c), -EBADMSG);
	assert_int_equal(events_ahead_number(a), 1);
	assert_non_null(strstr(c.text, "not JSON"));
	events_ahead_free(a);
	fclose(in);
}

/* While threads are at work on what comes behind. */
static void test_free_early(void **state)
{
	char *text;
	size_t size;

	for (uint64_t stop = 0; stop < 3000; stop += 500) {
		FILE *in = make(&text, &size, MANY, 0);
		struct events_ahead *a = events_ahead_new(in, 3);
		const struct parsed_line *line;
		struct complaint c;

		for (uint64_t i = 0; i < stop; i++)
			assert_int_equal(events_ahead_next(a, &line, &c), 1);
		events_ahead_free(a);
		fclose(in);
		free(text);
	}
}

static ssize_t fail_later(void *cookie, char *buf, size_t size)
{
	uint64_t *left = cookie;

	if (!*left) {
		errno = EIO;
		return -1;
	}
	--*left;
	size -= size % 3;
	for (size_t i = 0; i < size; i += 3)
		memcpy(buf + i, "{}\n", 3);
	return (ssize_t)size;
}

/* What came before a read that fails is given first. */
static void test_failed_read(void **state)
{
	uint64_t left = 40;
	FILE *in = fopencookie(&left, "r", (cookie_io_functions_t){ .read = fail_later });
	struct events_ahead *a = events_ahead_new(in, 2);
	const struct parsed_line *line;
	struct complaint c;
	uint64_t n = 0;
	int got;

	while ((got = events_ahead_next(a, &line, &c)) == 1)
		n++;
	assert_int_equal(got, -EIO);
	assert_true(n > 1000);
	assert_int_equal(events_ahead_number(a), n + 1);
	events_ahead_free(a);
	fclose(in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	    cmocka_unit_test(test_bad_line),
		cmocka_unit_test(test_empty_line),  cmocka_unit_test(test_free_early),
		cmocka_unit_test(test_failed_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
