// SPDX-License-Identifier: BSD-2-Clause
/* Which folder a report's paths are relative to, and what is in it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/project_root.h"

static char folder[64];

static void make_folder(const char *path)
{
	assert_int_equal(mkdir(path, 0755), 0);
}

/* FOLDER/tree/.git, FOLDER/tree/a/b, FOLDER/link -> tree, FOLDER/bare */
static int enter(void **state)
{
	strcpy(folder, "/tmp/profbpf-root-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	make_folder("tree");
	make_folder("tree/.git");
	make_folder("tree/a");
	make_folder("tree/a/b");
	make_folder("bare");
	assert_int_equal(symlink("tree", "link"), 0);
	unsetenv("PWD");
	return 0;
}

static int leave(void **state)
{
	static const char *const made[] = { "link",   "bare",	   "tree/a/b",
					    "tree/a", "tree/.git", "tree" };

	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		assert_int_equal(remove(made[i]), 0);
	return rmdir(folder);
}

/* The relative path of FOLDER/path below the root that dir gives is expected, or NULL. */
static void check(const char *dir, const char *path, const char *expected)
{
	struct project_root *root = NULL;
	char absolute[256];
	const char *found;

	snprintf(absolute, sizeof(absolute), "%s/%s", folder, path);
	assert_int_equal(project_root_new(dir, &root), 0);
	found = project_root_relative(root, absolute);
	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
	project_root_free(root);
}

static void test_around(void **state)
{
	assert_int_equal(chdir("tree/a/b"), 0);
	check(NULL, "tree/a/x.c", "a/x.c");
	check(NULL, "tree/x.c", "x.c");
	check(NULL, "tree", NULL);
	check(NULL, "tree/", NULL);
	check(NULL, "treetop/x.c", NULL);
	check(NULL, "bare/x.c", NULL);
	/* In no source tree: the folder itself. */
	assert_int_equal(chdir("../../../bare"), 0);
	check(NULL, "bare/x.c", "x.c");
	check(NULL, "tree/x.c", NULL);
}

static void test_named(void **state)
{
	char absolute[256];

	check("tree/a", "tree/a/b/x.c", "b/x.c");
	check("tree/a/", "tree/a/b/x.c", "b/x.c");
	check("tree/a/../a", "tree/x.c", NULL);
	/* The folder is meant, not the tree around it. */
	check("tree/a", "tree/x.c", NULL);
	/* By either name that the compiler may have seen. */
	snprintf(absolute, sizeof(absolute), "%s/link", folder);
	check(absolute, "link/x.c", "x.c");
	check(absolute, "tree/x.c", "x.c");
}

/* Whoever asks for it gets it; nobody gets it by being there. */
static void test_whole_machine(void **state)
{
	struct project_root *root = NULL;

	assert_int_equal(project_root_new("/", &root), 0);
	assert_string_equal(project_root_relative(root, "/usr/include/stdio.h"),
			    "usr/include/stdio.h");
	project_root_free(root);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(project_root_new(NULL, &root), 0);
	assert_null(project_root_relative(root, "/usr/include/stdio.h"));
	project_root_free(root);
}

static void test_spelling_of_the_shell(void **state)
{
	char spelled[128];

	snprintf(spelled, sizeof(spelled), "%s/link/a", folder);
	assert_int_equal(chdir(spelled), 0);
	setenv("PWD", spelled, 1);
	check(NULL, "link/a/x.c", "a/x.c");
	check(NULL, "tree/a/x.c", "a/x.c");
	/* One that is not where we are counts for nothing. */
	setenv("PWD", "/usr", 1);
	check(NULL, "link/a/x.c", NULL);
	check(NULL, "tree/a/x.c", "a/x.c");
}

static void test_refused(void **state)
{
	struct project_root *root = NULL;

	assert_int_equal(project_root_new("nowhere", &root), -ENOENT);
	assert_null(root);
	/* That of another machine. */
	assert_int_equal(project_root_new("/nowhere/at/all", &root), 0);
	assert_string_equal(project_root_relative(root, "/nowhere/at/all/x.c"), "x.c");
	assert_null(project_root_relative(root, "/nowhere/at/x.c"));
	project_root_free(root);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_around),	       IN_FOLDER(test_named),
		IN_FOLDER(test_whole_machine), IN_FOLDER(test_spelling_of_the_shell),
		IN_FOLDER(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
