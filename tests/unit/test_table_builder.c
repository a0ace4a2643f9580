// SPDX-License-Identifier: BSD-2-Clause
/* In which order the tables of objects are built. Many that take as long as libc's keep the builder busy until all
 * have been asked for. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "unwind/table.h"
#include "user/capture/table_builder.h"

#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"
#define MANY 60
#define NONE UINT64_MAX

struct asked {
	struct table_builder *builder;
	uint64_t wanted; /* token */
	uint64_t order[MANY + 2]; /* of tokens, as they came back */
	bool built[MANY + 2]; /* by token */
	uint64_t n;
};

static bool is_wanted(void *arg, uint64_t token)
{
	const struct asked *a = arg;

	return token == a->wanted;
}

static void ask(struct asked *a, uint64_t token, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(table_builder_ask(a->builder, token, fd, ""), 0);
	close(fd);
}

static void take_all(struct asked *a, uint64_t n)
{
	struct pollfd ready = { .fd = table_builder_fd(a->builder), .events = POLLIN };
	struct built_table built;

	while (a->n < n) {
		assert_true(poll(&ready, 1, 60000) > 0);
		while (table_builder_next(a->builder, &built)) {
			a->order[a->n++] = built.token;
			a->built[built.token] = built.table != NULL;
			assert_false(built.damaged);
			unwind_table_free(built.table);
		}
	}
}

/* Where token came. */
static uint64_t place_of(const struct asked *a, uint64_t token)
{
	uint64_t i = 0;

	while (i < a->n && a->order[i] != token)
		i++;
	return i;
}

static void begin(struct asked *a, uint64_t wanted)
{
	*a = (struct asked){ .wanted = wanted };
	assert_int_equal(table_builder_new(NULL, is_wanted, a, &a->builder), 0);
}

/* Of the same length, the first asked come first; one that is wanted passes them. */
static void test_wanted_first(void **state)
{
	struct asked a;

	begin(&a, MANY);
	for (uint64_t i = 0; i <= MANY; i++)
		ask(&a, i, LIBC);
	take_all(&a, MANY + 1);
	assert_true(place_of(&a, MANY) < MANY / 2);
	for (uint64_t i = 0; i <= MANY; i++)
		assert_true(a.built[i]);
	table_builder_free(a.builder);

	begin(&a, NONE);
	for (uint64_t i = 0; i <= MANY; i++)
		ask(&a, i, LIBC);
	take_all(&a, MANY + 1);
	assert_int_equal(place_of(&a, MANY), MANY);
	table_builder_free(a.builder);
}

/* The file is small, but all of its code must be read: no entry tells of it. */
static void test_code_last(void **state)
{
	char folder[] = "/tmp/profbpf-builder-XXXXXX", path[64], command[256];
	struct asked a;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/bare.so", folder);
	snprintf(command, sizeof(command),
		 "echo 'int f(int n) { return n ? f(n - 1) * n : 1; }' | "
		 "cc -x c -shared -nostdlib -fno-asynchronous-unwind-tables -o %s -",
		 path);
	assert_int_equal(system(command), 0);
	begin(&a, NONE);
	for (uint64_t i = 0; i < MANY; i++)
		ask(&a, i, LIBC);
	ask(&a, MANY, path);
	take_all(&a, MANY + 1);
	assert_int_equal(place_of(&a, MANY), MANY);
	assert_true(a.built[MANY]);
	table_builder_free(a.builder);

	/* Unless a walk waits for it. */
	begin(&a, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		ask(&a, i, LIBC);
	ask(&a, MANY, path);
	take_all(&a, MANY + 1);
	assert_true(place_of(&a, MANY) < MANY / 2);
	table_builder_free(a.builder);
	unlink(path);
	rmdir(folder);
}

/* What has not been built is let go. */
static void test_free_in_between(void **state)
{
	struct asked a;

	begin(&a, NONE);
	for (uint64_t i = 0; i < MANY; i++)
		ask(&a, i, LIBC);
	take_all(&a, 1);
	table_builder_free(a.builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wanted_first),
		cmocka_unit_test(test_code_last),
		cmocka_unit_test(test_free_in_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
