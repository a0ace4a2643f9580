// SPDX-License-Identifier: BSD-2-Clause
/* Names from one run for the next: the same ones, and only as long as nothing changed. */
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "formats/capture.h"
#include "formats/profile.h"
#include "symbolize/answers.h"
#include "symbolize/trail.h"
#include "symbol_fixture.h"
#include "user/naming.h"

#define CACHE "cache"

static uint64_t main_address, table_address;

/* Times are of no account where they lie back: the cache leaves alone what was written just now. */
static void settle(void)
{
	sleep(3);
}

static int build(void **state)
{
	if (enter_folder(state))
		return -1;
	if (system("command -v gcc clang++ >/dev/null && command -v objcopy >/dev/null"))
		return 0; /* each test skips itself */
	run("gcc -O2 -g -Wl,--build-id=sha1 -o whole " SOURCES "/clones.c");
	run("objcopy --only-keep-debug whole whole.debug; objcopy --strip-all "
	    "--add-gnu-debuglink=whole.debug whole stripped; mkdir away debug; mv whole.debug away");
	run("clang++ -O2 -gdwarf-5 -Wl,--build-id=sha1 -o shapes " SOURCES "/shapes.cpp");
	main_address = value_of("whole", "main");
	table_address = value_of("whole", "table.constprop.0");
	settle();
	return 0;
}

static int fresh(void **state)
{
	run("rm -rf " CACHE " && mkdir -m 700 " CACHE);
	return 0;
}

static struct answer *ask_cached(const char *path, bool full, const char *dir,
				 const uint64_t *addresses, size_t n)
{
	const char *dirs[] = { dir, NULL };
	const struct symbolizer_options options = {
		.debug_dirs = dirs,
		.full_names = full,
		.cache_dir = CACHE,
	};
	const struct symbol_source source = { .path = path, .root = "" };

	return ask_with(&options, &source, addresses, n);
}

static unsigned int count_files(void)
{
	return (unsigned int)number_of("printf %%x $(ls " CACHE " | grep -c '\\.names$')");
}

/* The time of the last use of the only file there is, which a use sets. */
static void make_old(void)
{
	run("touch -d '2001-02-03' " CACHE "/*.names");
}

static bool was_used(void)
{
	return system("test -n \"$(find " CACHE " -name '*.names' -newermt 2002-01-01)\"") == 0;
}

static void test_used(void **state)
{
	struct answer *a, *b;
	uint64_t addresses[] = { table_address, main_address, main_address + 1, 0x10 };

	need("gcc objcopy readelf");
	a = ask_cached("whole", false, ".", addresses, 4);
	assert_int_equal(count_files(), 1);
	make_old();
	b = ask_cached("whole", false, ".", addresses, 4);
	assert_true(was_used());
	for (int i = 0; i < 4; i++) {
		assert_int_equal(a[i].n, b[i].n);
		for (size_t k = 0; k < a[i].n; k++) {
			assert_string_equal(a[i].frames[k].name, b[i].frames[k].name);
			assert_string_equal(a[i].frames[k].linkage, b[i].frames[k].linkage);
			assert_string_equal(a[i].frames[k].file, b[i].frames[k].file);
			assert_int_equal(a[i].frames[k].line, b[i].frames[k].line);
			assert_int_equal(a[i].frames[k].column, b[i].frames[k].column);
			assert_int_equal(a[i].frames[k].start_line, b[i].frames[k].start_line);
		}
	}
	assert_string_equal(b[1].frames[b[1].n - 1].name, "main");
	assert_int_equal(b[3].n, 0);
	free_answers(a, 4);
	free_answers(b, 4);
}

static void test_file_is_ours(void **state)
{
	struct answer *a;

	need("gcc objcopy readelf");
	a = ask_cached("whole", false, ".", &main_address, 1);
	free_answers(a, 1);
	run("test $(stat -c %%a " CACHE "/*.names) = 600");
	run("test $(ls -A " CACHE " | wc -l) = 1");
	run("ls " CACHE " | grep -q \"^$(readelf -n whole | sed -n 's/.*Build ID: //p')-\"");
	/* what others may write to is not believed */
	run("chmod 666 " CACHE "/*.names");
	make_old();
	a = ask_cached("whole", false, ".", &main_address, 1);
	assert_string_equal(a->frames[a->n - 1].name, "main");
	free_answers(a, 1);
	run("test $(stat -c %%a " CACHE "/*.names) = 600");
}

/* New addresses are added to those that are known. */
static void test_grows(void **state)
{
	struct answer *a;
	uint64_t both[] = { main_address, table_address };

	need("gcc objcopy readelf");
	free_answers(ask_cached("whole", false, ".", &main_address, 1), 1);
	free_answers(ask_cached("whole", false, ".", &table_address, 1), 1);
	assert_int_equal(count_files(), 1);
	run("cp " CACHE "/*.names before");
	make_old();
	a = ask_cached("whole", false, ".", both, 2);
	assert_true(was_used());
	run("cmp before " CACHE "/*.names");
	assert_string_equal(a[0].frames[a[0].n - 1].name, "main");
	assert_string_equal(a[1].frames[a[1].n - 1].name, "table");
	free_answers(a, 2);
}

static bool is_debugged(bool full)
{
	struct answer *a = ask_cached("./stripped", full, "debug", &table_address, 1);
	bool named = a->n && *a->frames[0].file;

	if (named)
		assert_string_equal(a->frames[a->n - 1].name, full ? "table.constprop.0" : "table");
	free_answers(a, 1);
	return named;
}

/* A debug file that comes, changes, or goes is noticed; and so are other options. */
static void test_debug_file(void **state)
{
	need("gcc objcopy readelf");
	assert_false(is_debugged(false));
	assert_false(is_debugged(false));
	assert_int_equal(count_files(), 1);
	run("cp away/whole.debug .");
	settle();
	assert_true(is_debugged(false));
	assert_true(is_debugged(false));
	assert_true(is_debugged(true));
	assert_true(is_debugged(false));
	run("rm whole.debug");
	assert_false(is_debugged(false));
	assert_false(is_debugged(true));
	/* one in a better place */
	run("cp away/whole.debug debug; d=debug/.build-id; "
	    "i=$(readelf -n whole | sed -n 's/.*Build ID: //p'); "
	    "mkdir -p $d/$(echo $i | cut -c1-2); "
	    "mv debug/whole.debug $d/$(echo $i | cut -c1-2)/$(echo $i | cut -c3-).debug");
	settle();
	assert_true(is_debugged(false));
	run("rm -r debug; mkdir debug");
	assert_false(is_debugged(false));
}

/* Another file under the same name and build id. */
static void test_replaced(void **state)
{
	struct answer *a;

	need("gcc objcopy readelf");
	run("cp whole changed");
	settle();
	free_answers(ask_cached("changed", false, ".", &main_address, 1), 1);
	free_answers(ask_cached("changed", false, ".", &main_address, 1), 1);
	assert_int_equal(count_files(), 1);
	run("objcopy --redefine-sym main=other --strip-debug whole changed");
	settle();
	a = ask_cached("changed", false, ".", &main_address, 1);
	assert_string_equal(a->frames[a->n - 1].name, "other");
	free_answers(a, 1);
}

/* What was written just now may be written once more with the same time. */
static void test_just_written(void **state)
{
	need("gcc objcopy readelf");
	run("cp whole new");
	free_answers(ask_cached("new", false, ".", &main_address, 1), 1);
	assert_int_equal(count_files(), 0);
}

/* A file that is cut off anywhere, or damaged anywhere, is as good as none, and is made anew. */
static void test_damage(void **state)
{
	char *name, *bytes;
	size_t size;
	int fd;

	need("gcc objcopy readelf");
	free_answers(ask_cached("whole", false, ".", &main_address, 1), 1);
	name = output_of("ls " CACHE "/*.names | tr -d '\\n'");
	size = (size_t)number_of("printf %%x $(stat -c %%s %s)", name);
	bytes = output_of("cat %s", name);
	for (size_t i = 0; i < 2 * size; i += i < 200 || size < 4000 ? 1 : 7) {
		struct answer *a;
		char other;

		fd = open(name, O_WRONLY | O_TRUNC);
		assert_true(fd >= 0);
		if (i < size) {
			assert_int_equal(write(fd, bytes, i), i);
		} else {
			assert_int_equal(write(fd, bytes, size), size);
			other = (char)(bytes[i - size] ^ 0x41);
			assert_int_equal(pwrite(fd, &other, 1, (off_t)(i - size)), 1);
		}
		close(fd);
		a = ask_cached("whole", false, ".", &main_address, 1);
		assert_string_equal(a->frames[a->n - 1].name, "main");
		assert_int_equal(a->frames[a->n - 1].start_line, line_of("clones.c", "int main("));
		free_answers(a, 1);
		fd = open(name, O_RDONLY);
		assert_true(fd >= 0);
		assert_int_equal(lseek(fd, 0, SEEK_END), size);
		close(fd);
	}
	free(name);
	free(bytes);
}

static struct naming_source lookup(void *arg, uint32_t object)
{
	return (struct naming_source){ .fd = *(int *)arg, .path = "shapes", .root = "" };
}

/* A capture of the whole program's code, its locations in an order of their own. */
static char *capture(const char *cache, size_t *size)
{
	const struct symbolizer_options options = { .cache_dir = cache };
	const struct profile_object object = { .path = "shapes", .build_id = "" };
	uint64_t start = number_of("readelf -SW shapes | sed 's/^ *\\[ *[0-9]*\\] *//' | "
				   "awk '$1 == \".text\" { print $3 }'");
	struct profile *p = profile_new();
	struct naming_result result;
	int fd = open("shapes", O_RDONLY | O_CLOEXEC);
	uint32_t id, location;
	char *bytes;
	FILE *out;

	assert_non_null(p);
	assert_true(fd >= 0);
	assert_int_equal(profile_add_object(p, &object, &id), 0);
	for (uint64_t i = 0; i < 2000; i++)
		assert_int_equal(profile_add_location(p, id, 0, start + i * 7919 % 2003, &location),
				 0);
	assert_int_equal(naming_run(p, &options, 0, lookup, &fd, &result), 0);
	assert_in_range(result.named, 1000, 2000);
	out = open_memstream(&bytes, size);
	assert_non_null(out);
	assert_int_equal(capture_write(p, out), 0);
	fclose(out);
	profile_free(p);
	close(fd);
	return bytes;
}

static void test_same_capture(void **state)
{
	size_t sizes[4];
	char *bytes[4];

	need("gcc clang++ objcopy readelf");
	bytes[0] = capture(NULL, &sizes[0]);
	/* some of it is known before */
	free_answers(ask_cached("shapes", false, NULL,
				(const uint64_t[]){ value_of("shapes", "main") }, 1),
		     1);
	bytes[1] = capture(CACHE, &sizes[1]);
	make_old();
	bytes[2] = capture(CACHE, &sizes[2]);
	assert_true(was_used());
	bytes[3] = capture(NULL, &sizes[3]);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(sizes[i], sizes[0]);
		assert_memory_equal(bytes[i], bytes[0], sizes[0]);
	}
	for (int i = 0; i < 4; i++)
		free(bytes[i]);
}

/* Little is kept in all: what was of no use for longest goes first. */
static void test_limit(void **state)
{
	need("gcc objcopy readelf");
	run("for i in 1 2 3 4; do truncate -s 40M " CACHE "/$i.names; "
	    "touch -d \"2001-01-0$i\" " CACHE "/$i.names; done; truncate -s 500M " CACHE
	    "/a.unwind");
	free_answers(ask_cached("whole", false, ".", &main_address, 1), 1);
	run("cd " CACHE " && test \"$(echo [1234a].*)\" = '3.names 4.names a.unwind'");
	assert_int_equal(count_files(), 3);
}

static bool look(const char *root, const char *path, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	st->st_ino = (ino_t)strlen(path);
	return strcmp(path, "gone") && strcmp(root, "/gone");
}

/* The files that two runs looked for, each once. */
static void test_trails(void **state)
{
	struct trail first = { 0 }, second = { 0 };
	struct stat st;
	size_t size;

	look("", "one", &st);
	trail_add(&first, false, "one", &st);
	trail_add(&first, true, "gone", NULL);
	trail_add(&second, true, "gone", NULL);
	size = second.size;
	look("", "three", &st);
	trail_add(&second, true, "three", &st);
	trail_merge(&second, first.bytes, first.size);
	assert_int_equal(second.size, first.size + size + strlen("three") - strlen("gone"));
	assert_true(trail_holds(second.bytes, second.size, "/", look));
	assert_false(trail_holds(second.bytes, second.size, "/gone", look));
	assert_true(trail_holds(first.bytes, first.size, "/gone", look));
	for (size_t n = 1; n < first.size; n++)
		if (n != first.size - size)
			assert_false(trail_holds(first.bytes, n, "/", look));
	assert_false(first.spoiled || second.spoiled);
	st.st_ctim.tv_sec = time(NULL);
	trail_add(&first, true, "four", &st);
	assert_true(first.spoiled);
	trail_free(&first);
	trail_free(&second);
}

/* Answers alone: texts that are equal are kept once, ends and order are kept. */
static void test_answers(void **state)
{
	const struct symbol_frame frames[] = {
		{ .name = "a",
		  .linkage_name = "_a",
		  .file = "f",
		  .line = 1,
		  .start_line = 2,
		  .md5 = (const unsigned char *)"0123456789abcdef" },
		{ .name = "", .linkage_name = "a", .file = "", .column = 9, .discriminator = 4 },
	};
	struct answers *a = answers_new(), *b;
	const struct symbol_frame *got;
	struct iovec parts[ANSWERS_PARTS];
	char *packed, *at;
	size_t n, size = 0;

	assert_non_null(a);
	assert_int_equal(answers_add(a, 7, frames, 2), 0);
	assert_int_equal(answers_add(a, 3, frames + 1, 1), 0);
	assert_int_equal(answers_add(a, 5, NULL, 0), 0);
	answers_pack(a, parts);
	for (int i = 0; i < ANSWERS_PARTS; i++)
		size += parts[i].iov_len;
	assert_int_equal(parts[ANSWERS_PARTS - 1].iov_len,
			 strlen("a") + strlen("_a") + strlen("f") + 4);
	packed = at = malloc(size);
	assert_non_null(packed);
	for (int i = 0; i < ANSWERS_PARTS; i++)
		at = (char *)memcpy(at, parts[i].iov_base, parts[i].iov_len) + parts[i].iov_len;
	for (size_t cut = 0; cut < size; cut++)
		assert_int_equal(answers_unpack(packed, cut, &b), -EINVAL);
	assert_int_equal(answers_unpack(packed, size, &b), 0);
	assert_true(answers_find(b, 7, &got, &n));
	assert_int_equal(n, 2);
	assert_string_equal(got[0].linkage_name, "_a");
	assert_int_equal(got[0].start_line, 2);
	assert_memory_equal(got[0].md5, "0123456789abcdef", 16);
	assert_null(got[1].md5);
	assert_string_equal(got[1].name, "");
	assert_int_equal(got[1].column, 9);
	assert_int_equal(got[1].discriminator, 4);
	assert_true(answers_find(b, 5, &got, &n));
	assert_int_equal(n, 0);
	assert_false(answers_find(b, 4, &got, &n));
	answers_free(b);
	answers_free(a);
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_used, fresh),
		cmocka_unit_test_setup(test_file_is_ours, fresh),
		cmocka_unit_test_setup(test_grows, fresh),
		cmocka_unit_test_setup(test_debug_file, fresh),
		cmocka_unit_test_setup(test_replaced, fresh),
		cmocka_unit_test_setup(test_just_written, fresh),
		cmocka_unit_test_setup(test_damage, fresh),
		cmocka_unit_test_setup(test_same_capture, fresh),
		cmocka_unit_test_setup(test_limit, fresh),
		cmocka_unit_test(test_trails),
		cmocka_unit_test(test_answers),
	};

	return cmocka_run_group_tests(tests, build, leave_folder);
}
