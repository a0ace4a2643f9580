// SPDX-License-Identifier: BSD-2-Clause
/* Many objects named in several threads: the same capture as in one, whatever is wrong with some of them. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "formats/capture.h"
#include "formats/profile.h"
#include "symbol_fixture.h"
#include "user/naming.h"

#define PLACES 300 /* an object */
#define MAX_THREADS 9

static const struct {
	const char *path; /* with a folder, beside which debug files are looked for */
	const char *like; /* whose code it has, and symbols that tell of it */
	bool is_whole;
} files[] = {
	{ "./clones-0", "clones-0", true }, { "./shapes-0", "shapes-0", true },
	{ "./stripped", "clones-2", true }, { "./clones-1", "clones-1", true },
	{ "./cut", "clones-2", false },	    { "./garbled", "shapes-3", false },
	{ "./shapes-1", "shapes-1", true }, { "./text", "clones-2", false },
	{ "./clones-2", "clones-2", true }, { "./bare", "shapes-2", false },
	{ "./gone", "clones-2", false },    { "./shapes-2", "shapes-2", true },
	{ "./clones-3", "clones-3", true }, { "./libc", "libc", false },
	{ "./shapes-3", "shapes-3", true },
};
#define N_FILES (sizeof(files) / sizeof(files[0]))

static int build(void **state)
{
	if (enter_folder(state))
		return -1;
	if (system("command -v gcc clang++ >/dev/null && command -v objcopy >/dev/null"))
		return 0; /* each test skips itself */
	for (int i = 0; i < 4; i++) {
		run("gcc -O%d -g -o clones-%d " SOURCES "/clones.c", i, i);
		run("clang++ -O%d -gdwarf-%d -o shapes-%d " SOURCES "/shapes.cpp", i, 5 - i % 2, i);
	}
	run("objcopy --only-keep-debug clones-2 apart.debug && "
	    "objcopy --strip-all --add-gnu-debuglink=apart.debug clones-2 stripped");
	run("head -c 9000 clones-2 >cut; strip -o bare shapes-2; echo no program >text");
	run("cp shapes-3 garbled && dd if=/dev/urandom of=garbled bs=1 count=4000 conv=notrunc "
	    "seek=$((0x$(readelf -SW garbled | sed 's/^ *\\[ *[0-9]*\\] *//' | "
	    "awk '$1 == \".debug_info\" { print $4 }') + 40)) 2>dd.log");
	run("cp $(gcc -print-file-name=libc.so.6) libc");
	return 0;
}

struct opened {
	int fds[N_FILES];
};

static struct naming_source lookup(void *arg, uint32_t object)
{
	struct opened *o = arg;

	assert_in_range(object, 0, N_FILES - 1);
	return (struct naming_source){ .fd = o->fds[object],
				       .path = files[object].path,
				       .root = "" };
}

static void open_files(struct opened *o)
{
	for (size_t i = 0; i < N_FILES; i++)
		o->fds[i] = open(files[i].path, O_RDONLY | O_CLOEXEC);
}

static void close_files(struct opened *o)
{
	for (size_t i = 0; i < N_FILES; i++)
		if (o->fds[i] >= 0)
			close(o->fds[i]);
}

static void add_places(struct profile *p)
{
	const struct profile_object kernel = { .kind = PROFILE_OBJECT_KERNEL, .path = "[kernel]" };
	uint64_t starts[N_FILES], sizes[N_FILES];
	uint32_t id, location;

	for (size_t i = 0; i < N_FILES; i++) {
		const struct profile_object object = { .path = files[i].path, .build_id = "" };

		assert_int_equal(profile_add_object(p, &object, &id), 0);
		assert_int_equal(id, i);
		text_of(files[i].like, &starts[i], &sizes[i]);
	}
	assert_int_equal(profile_add_object(p, &kernel, &id), 0);
	/* One of each in turn, each object's in no order. */
	for (uint64_t k = 0; k < PLACES; k++) {
		for (size_t i = 0; i < N_FILES; i++)
			assert_int_equal(profile_add_location(p, (uint32_t)i, 0,
							      starts[i] + k * 7919 % sizes[i],
							      &location),
					 0);
		profile_add_location(p, id, PROFILE_LOCATION_KERNEL, 0xffffffff81000000 + k * 977,
				     &location);
		profile_add_location(p, PROFILE_NONE, PROFILE_LOCATION_JIT, 0x7f0000001000 + k,
				     &location);
	}
}

static struct profile *name(unsigned int threads, const char *cache, struct naming_result *result)
{
	const struct symbolizer_options options = { .cache_dir = cache };
	struct profile *p = profile_new();
	struct opened opened;

	assert_non_null(p);
	add_places(p);
	open_files(&opened);
	assert_int_equal(naming_run(p, &options, threads, lookup, &opened, result), 0);
	close_files(&opened);
	return p;
}

static char *capture(unsigned int threads, const char *cache, size_t *size)
{
	struct naming_result result;
	struct profile *p = name(threads, cache, &result);
	char *bytes;
	FILE *out = open_memstream(&bytes, size);

	assert_non_null(out);
	assert_int_equal(result.named + result.unnamed, profile_n_locations(p));
	/* most of the nine whole programs' */
	assert_in_range(result.named, 9 * PLACES / 2, profile_n_locations(p));
	assert_int_equal(capture_write(p, out), 0);
	fclose(out);
	profile_free(p);
	return bytes;
}

static void same(const char *bytes, size_t size, unsigned int threads, const char *cache)
{
	size_t other_size;
	char *other = capture(threads, cache, &other_size);

	assert_int_equal(other_size, size);
	assert_memory_equal(other, bytes, size);
	free(other);
}

static void test_same_capture(void **state)
{
	size_t size;
	char *bytes;

	need("gcc clang++ objcopy readelf");
	bytes = capture(1, NULL, &size);
	for (unsigned int threads = 2; threads <= MAX_THREADS; threads++)
		same(bytes, size, threads, NULL);
	same(bytes, size, 0, NULL);
	free(bytes);
}

/* Threads that write and read what is kept for the next run. */
static void test_same_capture_with_a_cache(void **state)
{
	size_t size;
	char *bytes;

	need("gcc clang++ objcopy readelf");
	sleep(3); /* files that were just written are not kept */
	run("rm -rf cache && mkdir -m 700 cache");
	bytes = capture(1, NULL, &size);
	same(bytes, size, 4, "cache");
	assert_in_range(number_of("printf %%x $(ls cache | grep -c names)"), 10, N_FILES);
	same(bytes, size, 4, "cache");
	same(bytes, size, 1, "cache");
	free(bytes);
}

static void is_main(const struct profile *p, uint32_t location, const char *source)
{
	const struct profile_location *l = profile_location(p, location);
	const struct profile_function *f;

	assert_int_equal(l->n_lines, 1);
	f = profile_function(p, l->lines[0].function);
	assert_string_equal(f->name, "main");
	assert_int_equal(f->start_line, line_of(source, "int main("));
}

/* What readelf and the source tell of whole programs, named next to damaged ones. */
static void test_right_names(void **state)
{
	struct naming_result result;
	struct profile *p = profile_new();
	struct opened opened;
	uint32_t id, locations[N_FILES];

	need("gcc clang++ objcopy readelf");
	assert_non_null(p);
	open_files(&opened);
	for (size_t i = 0; i < N_FILES; i++) {
		const struct profile_object object = { .path = files[i].path, .build_id = "" };
		uint64_t address =
			strcmp(files[i].like, "libc") ? value_of(files[i].like, "main") : 0;

		assert_int_equal(profile_add_object(p, &object, &id), 0);
		assert_int_equal(profile_add_location(p, id, 0, address, &locations[i]), 0);
	}
	assert_int_equal(naming_run(p, NULL, 3, lookup, &opened, &result), 0);
	for (size_t i = 0; i < N_FILES; i++) {
		if (files[i].is_whole)
			is_main(p, locations[i],
				files[i].like[0] == 'c' ? "clones.c" : "shapes.cpp");
		if (opened.fds[i] < 0 || !strcmp(files[i].path, "./text"))
			assert_int_equal(profile_location(p, locations[i])->n_lines, 0);
	}
	close_files(&opened);
	profile_free(p);
}

static unsigned int count_threads(pid_t pid)
{
	char path[64];
	unsigned int n = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && readdir(tasks))
		n++;
	if (tasks)
		closedir(tasks);
	return n > 2 ? n - 2 : 0;
}

/* Names for ever: the sum of a debug file of a terabyte of zeros is asked for twice at the same time. */
static void name_endless(void)
{
	struct profile *p = profile_new();
	struct opened opened;
	struct naming_result result;
	uint32_t id, location;

	for (size_t i = 0; i < N_FILES; i++)
		opened.fds[i] = open("endless", O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < 2; i++) {
		const struct profile_object object = { .path = files[i].path, .build_id = "" };

		if (profile_add_object(p, &object, &id) ||
		    profile_add_location(p, id, 0, 0x1000, &location))
			_exit(2);
	}
	naming_run(p, NULL, 2, lookup, &opened, &result);
	_exit(3);
}

static void test_interrupt(void **state)
{
	int status;
	pid_t pid;

	need("gcc objcopy readelf");
	run("gcc -g -Wl,--build-id=none -o whole " SOURCES "/clones.c && objcopy --only-keep-debug "
	    "whole endless.debug && objcopy --strip-all --add-gnu-debuglink=endless.debug whole endless "
	    "&& truncate -s 1T endless.debug");
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		name_endless();
	while (count_threads(pid) < 3 && !waitpid(pid, &status, WNOHANG))
		usleep(10000);
	assert_in_range(count_threads(pid), 3, 99); /* the sanitizer may have its own */
	usleep(100000); /* in the middle of it */
	assert_int_equal(kill(pid, SIGINT), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_capture),
		cmocka_unit_test(test_same_capture_with_a_cache),
		cmocka_unit_test(test_right_names),
		cmocka_unit_test(test_interrupt),
	};

	return cmocka_run_group_tests(tests, build, leave_folder);
}
