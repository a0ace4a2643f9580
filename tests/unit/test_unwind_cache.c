// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "unwind/table.h"

#define ID "0123456789abcdef"

static char dir[64], path[128];

static int enter(void **state)
{
	struct unwind_stats stats;
	struct unwind_table *t;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), err;

	snprintf(dir, sizeof(dir), "/tmp/profbpf-unwind-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/" ID ".unwind", dir);
	err = unwind_table_build(fd, 0, &t, &stats);
	close(fd);
	*state = t;
	return err;
}

static int leave(void **state)
{
	char command[128];

	unwind_table_free(*state);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static int read_error(const char *id)
{
	struct unwind_table *t = NULL;
	int err = unwind_cache_read(dir, id, &t);

	assert_true(!err == !!t);
	unwind_table_free(t);
	return err;
}

static void test_round_trip(void **state)
{
	const struct unwind_table *a = *state;
	struct unwind_table *b;

	assert_int_equal(read_error(ID), -ENOENT);
	assert_int_equal(unwind_cache_write(dir, ID, a), 0);
	assert_int_equal(unwind_cache_read(dir, ID, &b), 0);
	assert_int_equal(a->base, b->base);
	assert_int_equal(a->n_blocks, b->n_blocks);
	assert_int_equal(a->n_rows, b->n_rows);
	assert_int_equal(a->n_complex, b->n_complex);
	assert_true(a->n_rows > 0 && a->n_complex > 0);
	assert_memory_equal(a->rows, b->rows, a->n_rows * sizeof(*a->rows));
	assert_memory_equal(a->complex, b->complex, a->n_complex * sizeof(*a->complex));
	assert_memory_equal(a->directory, b->directory, (a->n_blocks + 1) * sizeof(*a->directory));
	/* A table in use outlives its file's replacement. */
	assert_int_equal(unwind_cache_write(dir, ID, a), 0);
	assert_int_equal(unlink(path), 0);
	assert_memory_equal(a->rows, b->rows, a->n_rows * sizeof(*a->rows));
	unwind_table_free(b);
}

/* Every byte matters. */
static void test_damage(void **state)
{
	off_t size;
	int fd;

	assert_int_equal(unwind_cache_write(dir, ID, *state), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	size = lseek(fd, 0, SEEK_END);
	for (off_t at = 0; at < size; at++) {
		uint8_t byte;

		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0x10;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		assert_int_equal(read_error(ID), -ENOENT);
		byte ^= 0x10;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	assert_int_equal(read_error(ID), 0);
	assert_int_equal(pwrite(fd, "", 1, size), 1);
	assert_int_equal(read_error(ID), -ENOENT);
	for (; size >= 0; size -= size > 64 ? 61 : 1) {
		assert_int_equal(ftruncate(fd, size), 0);
		if (size & 1)
			assert_int_equal(read_error(ID), -ENOENT);
	}
	assert_int_equal(read_error(ID), -ENOENT);
	close(fd);
}

static void test_strangers(void **state)
{
	char other[160];

	assert_int_equal(unwind_cache_write(dir, ID, *state), 0);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(read_error(ID), -ENOENT);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(read_error(ID), 0);
	snprintf(other, sizeof(other), "%s/abcd.unwind", dir);
	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(read_error("abcd"), -ENOENT);
	assert_int_equal(unlink(other), 0);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_int_equal(read_error("abcd"), -ENOENT);
	if (geteuid())
		return;
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_int_equal(read_error(ID), -ENOENT);
}

static void test_names(void **state)
{
	static const char *const ids[] = { "", "../etc/passwd", "ABCD", "ab/cd", "ab.cd", "ab\n" };
	char longest[140];

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		assert_int_equal(read_error(ids[i]), -ENOENT);
		assert_int_equal(unwind_cache_write(dir, ids[i], *state), -EINVAL);
	}
	memset(longest, 'a', sizeof(longest));
	longest[129] = '\0';
	assert_int_equal(unwind_cache_write(dir, longest, *state), -EINVAL);
	longest[128] = '\0';
	assert_int_equal(unwind_cache_write(dir, longest, *state), 0);
	assert_int_equal(read_error(longest), 0);
	assert_int_equal(unwind_cache_write("/nonexistent", ID, *state), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
