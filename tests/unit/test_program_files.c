// SPDX-License-Identifier: BSD-2-Clause
/* The files of a command, compared with what the dynamic loader itself says (ld.so --list). */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/capture/program_files.h"

struct found {
	size_t n;
	char paths[256][PATH_MAX]; /* without links */
};

static struct found found;

static void note(void *arg, const char *path)
{
	char real[PATH_MAX];

	assert_true(found.n < 256);
	snprintf(found.paths[found.n++], PATH_MAX, "%s", realpath(path, real) ? real : path);
}

static void look(const char *command)
{
	found.n = 0;
	assert_int_equal(program_files_each(command, note, NULL), 0);
}

static bool has(const char *path)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return false;
	for (size_t i = 0; i < found.n; i++) {
		if (!strcmp(found.paths[i], real))
			return true;
	}
	return false;
}

/* Each library that the loader lists, "NAME => PATH (ADDRESS)" or "PATH (ADDRESS)". */
static unsigned int check_listed(const char *program)
{
	char command[PATH_MAX + 64], line[2 * PATH_MAX];
	unsigned int n = 0;
	FILE *f;

	snprintf(command, sizeof(command), "ldd '%s'", program);
	f = popen(command, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;

		if (!end)
			continue;
		*end = 0;
		if (!has(path))
			fail_msg("%s: %s is missing", program, path);
		n++;
	}
	pclose(f);
	return n;
}

static void test_own_program(void **state)
{
	char self[PATH_MAX] = "";

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	look(self);
	assert_true(has(self));
	assert_true(check_listed(self) >= 5);
}

static void test_by_name(void **state)
{
	look("sh");
	assert_true(has("/bin/sh"));
	assert_true(check_listed("/bin/sh") >= 2);
	if (!access("/usr/bin/python3", X_OK)) {
		look("/usr/bin/python3");
		assert_true(check_listed("/usr/bin/python3") >= 2);
	}
}

static char folder[] = "/tmp/program_files.XXXXXX";

static void write_file(const char *name, const char *text, char path[static PATH_MAX])
{
	FILE *f;

	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, 0755), 0);
}

static void test_scripts(void **state)
{
	char path[PATH_MAX], self[PATH_MAX + 16];

	write_file("plain", "#! /bin/sh -e\necho\n", path);
	look(path);
	assert_true(has(path) && has("/bin/sh"));
	check_listed("/bin/sh");
	write_file("by_env", "#!/usr/bin/env -S A=b sh -x\n", path);
	look(path);
	assert_true(has("/usr/bin/env") && has("/bin/sh"));
	write_file("self", "", path);
	snprintf(self, sizeof(self), "#!%s\n", path);
	write_file("self", self, path);
	look(path);
	assert_int_equal(found.n, 1);
	write_file("empty", "#!", path);
	look(path);
	assert_int_equal(found.n, 1);
}

static void test_nothing_there(void **state)
{
	char path[PATH_MAX];

	look("/does/not/exist");
	look("no such program");
	assert_int_equal(found.n, 0);
	look("");
	assert_int_equal(found.n, 0);
	look("/tmp");
	write_file("text", "\177ELF and no more", path);
	look(path);
	assert_int_equal(found.n, 1);
	snprintf(path, sizeof(path), "%s/fifo", folder);
	assert_int_equal(mkfifo(path, 0700), 0);
	look(path); /* and does not wait for a writer */
}

/* A program with each byte of its first headers and of its dynamic section damaged. */
static void test_damage(void **state)
{
	char path[PATH_MAX], self[PATH_MAX] = "";
	unsigned char *bytes;
	FILE *f = fopen("/bin/sh", "r");
	size_t size, i;

	assert_non_null(f);
	bytes = malloc(1 << 20);
	assert_non_null(bytes);
	size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
	snprintf(self, sizeof(self), "%s/damaged", folder);
	srand(1);
	for (i = 0; i < 2000; i++) {
		size_t at = i < 1000 ? i : (size_t)rand() % size, cut = i % 7 ? size : size / 2;
		unsigned char old = bytes[at];

		bytes[at] = rand();
		f = fopen(self, "w");
		assert_non_null(f);
		assert_int_equal(fwrite(bytes, 1, cut, f), cut);
		fclose(f);
		look(self);
		assert_true(found.n >= 1);
		bytes[at] = old;
	}
	free(bytes);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_program), cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_scripts),	    cmocka_unit_test(test_nothing_there),
		cmocka_unit_test(test_damage),
	};

	if (!mkdtemp(folder))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
