// SPDX-License-Identifier: BSD-2-Clause
/* Where the text of a source file is taken from, and what is not taken for it. */
#include <sys/stat.h>

#include "symbol_fixture.h"

#include "user/source_file.h"

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static char *md5sum(const char *path)
{
	char *text = output_of("md5sum %s", path);

	text[32] = '\0';
	return text;
}

static void expect(const struct source_query *q, const char *path, const char *first)
{
	struct source_file *f = NULL;

	assert_int_equal(source_file_read(q, &f), 0);
	assert_string_equal(f->path, path);
	assert_true(f->n > 0);
	assert_string_equal(f->lines[0], first);
	source_file_free(f);
}

static void expect_failure(const struct source_query *q, int err)
{
	struct source_file *f = NULL;

	assert_int_equal(source_file_read(q, &f), err);
	assert_null(f);
}

static void test_places(void **state)
{
	char path[128];
	struct source_query q = { .path = path };

	snprintf(path, sizeof(path), "%s/there/sub/a.c", folder);
	run("mkdir -p there/sub moved/sub sub");
	expect_failure(&q, -ENOENT);
	write_text("a.c", "by its name, here\n");
	expect(&q, "./a.c", "by its name, here");
	write_text("sub/a.c", "here\n");
	expect(&q, "./sub/a.c", "here");
	write_text(path, "recorded\n");
	expect(&q, path, "recorded");
	write_text("moved/a.c", "moved, by its name\n");
	q.folder = "moved";
	expect(&q, "moved/a.c", "moved, by its name");
	write_text("moved/sub/a.c", "moved\n");
	expect(&q, "moved/sub/a.c", "moved");
	/* A path that is not absolute is known from here, or from a folder, only. */
	q = (struct source_query){ .path = "../sub/a.c" };
	expect(&q, "./sub/a.c", "here");
	q.path = "/";
	expect_failure(&q, -ENOTSUP);
	q.path = "";
	expect_failure(&q, -ENOENT);
}

/* With a checksum only those contents count, wherever they are. */
static void test_md5(void **state)
{
	char path[128], *md5;
	struct source_query q = { .path = path };

	need("md5sum");
	snprintf(path, sizeof(path), "%s/a.c", folder);
	write_text("a.c", "one\ntwo");
	q.md5 = md5 = md5sum("a.c");
	expect(&q, path, "one");
	write_text("a.c", "one\ntwo\n");
	expect_failure(&q, -ESTALE);
	run("mkdir -p old wrong");
	write_text("old/a.c", "one\ntwo");
	q.folder = "old";
	expect(&q, "old/a.c", "one");
	write_text("wrong/a.c", "one\nthree");
	q.folder = "wrong";
	expect_failure(&q, -ESTALE);
	write_text("a.c", "one\ntwo");
	expect(&q, path, "one");
	run(": > empty.c");
	free(md5);
	q = (struct source_query){ .path = "empty.c", .md5 = md5 = md5sum("empty.c") };
	struct source_file *f = NULL;

	assert_int_equal(source_file_read(&q, &f), 0);
	assert_int_equal(f->n, 0);
	source_file_free(f);
	free(md5);
}

static void test_newer(void **state)
{
	struct source_query q = { .path = "a.c", .built_ns = 1000000000ULL * 1000000000 };
	struct source_file *f = NULL;

	write_text("a.c", "x\n");
	run("touch -d @1000000000 a.c");
	assert_int_equal(source_file_read(&q, &f), 0);
	assert_false(f->newer);
	source_file_free(f);
	run("touch -d @1000000000.5 a.c");
	assert_int_equal(source_file_read(&q, &f), 0);
	assert_true(f->newer);
	source_file_free(f);
	q.built_ns = 0;
	assert_int_equal(source_file_read(&q, &f), 0);
	assert_false(f->newer);
	source_file_free(f);
}

static void test_lines(void **state)
{
	struct source_query q = { .path = "a.c" };
	struct source_file *f = NULL;

	run("printf 'one\\n\\nthr\\000ee\\nfour' > a.c");
	assert_int_equal(source_file_read(&q, &f), 0);
	assert_int_equal(f->n, 4);
	assert_string_equal(f->lines[0], "one");
	assert_string_equal(f->lines[1], "");
	assert_string_equal(f->lines[2], "thr ee");
	assert_string_equal(f->lines[3], "four");
	source_file_free(f);
}

/* Nothing blocks, acts or is read without end. */
static void test_no_text(void **state)
{
	struct source_query q = { .path = "a.c" };

	assert_int_equal(mkfifo("a.c", 0600), 0);
	expect_failure(&q, -ENOTSUP);
	run("rm a.c && mkdir a.c");
	expect_failure(&q, -ENOTSUP);
	run("rmdir a.c && ln -s /dev/zero a.c");
	expect_failure(&q, -ENOTSUP);
	run("rm a.c && ln -s a.c a.c");
	expect_failure(&q, -ELOOP);
	run("rm a.c && truncate -s 16777216 a.c");
	struct source_file *f = NULL;

	assert_int_equal(source_file_read(&q, &f), 0);
	source_file_free(f);
	run("truncate -s 16777217 a.c");
	expect_failure(&q, -EFBIG);
	run("yes '' | head -n 1048577 > a.c");
	expect_failure(&q, -EFBIG);
	q.path = "a.c/below";
	expect_failure(&q, -ENOENT);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
	const struct CMUnitTest tests[] = {
		TEST(test_places), TEST(test_md5),     TEST(test_newer),
		TEST(test_lines),  TEST(test_no_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
