// SPDX-License-Identifier: BSD-2-Clause
/* What /proc tells, from given text and from real processes. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/capture/procfs.h"
#include "user/capture/target.h"

/* Fields 3 to 52 of proc(5), each with its own number but state, ppid, flags and starttime. */
#define STAT_REST                                                                                  \
	" S 77 5 6 7 8 4194560 10 11 12 13 14 15 16 17 18 19 20 21 123456789 23 24 25 26 27 28 29" \
	" 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52\n"

static void test_stat(void **state)
{
	struct proc_stat stat;

	assert_int_equal(proc_stat_parse("42 (cat)" STAT_REST, &stat), 0);
	assert_string_equal(stat.comm, "cat");
	assert_int_equal(stat.state, 'S');
	assert_int_equal(stat.ppid, 77);
	assert_int_equal(stat.flags, 4194560);
	assert_int_equal(stat.start_ticks, 123456789);
}

static void test_stat_names(void **state)
{
	struct proc_stat stat;
	char text[512], longest[100];

	assert_int_equal(proc_stat_parse("42 (a) R (b) S 1 2)" STAT_REST, &stat), 0);
	assert_string_equal(stat.comm, "a) R (b) S 1 2");
	assert_int_equal(stat.ppid, 77);
	assert_int_equal(proc_stat_parse("42 ()" STAT_REST, &stat), 0);
	assert_string_equal(stat.comm, "");
	assert_int_equal(proc_stat_parse("42 (\xff\x01;)" STAT_REST, &stat), 0);
	assert_string_equal(stat.comm, "\xff\x01;");
	memset(longest, 'k', sizeof(longest));
	longest[sizeof(longest) - 1] = 0;
	snprintf(text, sizeof(text), "42 (%s)%s", longest, STAT_REST);
	assert_int_equal(proc_stat_parse(text, &stat), 0);
	assert_int_equal(strlen(stat.comm), sizeof(stat.comm) - 1);
	assert_memory_equal(stat.comm, longest, sizeof(stat.comm) - 1);
}

static void test_stat_damaged(void **state)
{
	static const char *const damaged[] = {
		"",
		"42",
		"42 (cat",
		"42 cat) S",
		")(",
		"42 (cat)",
		"42 (cat) S",
		"42 (cat) S 77 5 6 7 8 4194560 10 11 12 13 14 15 16 17 18 19 20 21",
		"42 (cat) S x 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22",
	};
	struct proc_stat stat = { .ppid = 4711 };
	size_t i;

	for (i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		assert_int_equal(proc_stat_parse(damaged[i], &stat), -EINVAL);
		assert_int_equal(stat.ppid, 4711);
	}
}

static void test_stat_of_this_process(void **state)
{
	struct proc_stat stat;
	struct timespec now;
	uint64_t hz = sysconf(_SC_CLK_TCK), ticks;

	assert_int_equal(proc_stat_read(getpid(), &stat), 0);
	assert_int_equal(stat.ppid, getppid());
	assert_int_equal(stat.state, 'R');
	clock_gettime(CLOCK_BOOTTIME, &now);
	ticks = now.tv_sec * hz + now.tv_nsec / (1000000000 / hz);
	assert_in_range(stat.start_ticks, ticks - 60 * hz, ticks);
	assert_int_equal(proc_stat_read(0, &stat), -ENOENT);
}

/* In stat, unlike in status, the kernel writes a name as it is. */
static void test_stat_odd_names(void **state)
{
	static const char *const names[] = { "two\nlines", "back\\slash", "\\n\n\\", "a) S 9 (b" };
	char own[16];
	struct proc_stat stat;
	size_t i;

	prctl(PR_GET_NAME, own);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		prctl(PR_SET_NAME, names[i]);
		assert_int_equal(proc_stat_read(getpid(), &stat), 0);
		assert_string_equal(stat.comm, names[i]);
	}
	prctl(PR_SET_NAME, own);
}

struct seen {
	size_t n, stop_at;
	struct proc_mapping mappings[8];
	char paths[8][64];
};

static int keep_mapping(void *arg, const struct proc_mapping *m)
{
	struct seen *seen = arg;

	assert_true(seen->n < 8);
	seen->mappings[seen->n] = *m;
	snprintf(seen->paths[seen->n], sizeof(seen->paths[0]), "%s", m->path);
	seen->n++;
	return seen->n == seen->stop_at ? -ECANCELED : 1;
}

static int parse(const char *text, struct seen *seen)
{
	char *copy = strdup(text);
	int err;

	assert_non_null(copy);
	memset(seen, 0, sizeof(*seen));
	err = proc_maps_parse(copy, keep_mapping, seen);
	free(copy);
	return err;
}

static void test_maps(void **state)
{
	struct seen seen;

	assert_int_equal(
		parse("55d0e6a00000-55d0e6a02000 r-xp 00002000 fe:01 1835022      /usr/bin/a b\n"
		      "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
		      "7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0          [vdso]\n"
		      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]\n",
		      &seen),
		0);
	assert_int_equal(seen.n, 4);
	assert_int_equal(seen.mappings[0].start, 0x55d0e6a00000);
	assert_int_equal(seen.mappings[0].end, 0x55d0e6a02000);
	assert_int_equal(seen.mappings[0].offset, 0x2000);
	assert_int_equal(seen.mappings[0].device, makedev(0xfe, 1));
	assert_int_equal(seen.mappings[0].inode, 1835022);
	assert_true(seen.mappings[0].executable);
	assert_string_equal(seen.paths[0], "/usr/bin/a b");
	assert_false(seen.mappings[1].executable);
	assert_string_equal(seen.paths[1], "");
	assert_string_equal(seen.paths[2], "[vdso]");
	assert_true(seen.mappings[3].end == 0xffffffffff601000);
	assert_true(seen.mappings[3].executable);
}

/* The kernel escapes a newline only; a name may well hold what looks like another escape. */
static void test_maps_paths(void **state)
{
	struct seen seen;

	assert_int_equal(parse("1000-2000 r-xp 0 00:01 7 /tmp/a\\012b\n"
			       "2000-3000 r-xp 0 00:01 7 /tmp/a\\000b\n"
			       "3000-4000 r-xp 0 00:01 7 /tmp/\\040\\\n"
			       "4000-5000 r-xp 0 00:01 7 /tmp/\xff\t  x (deleted)\n",
			       &seen),
			 0);
	assert_int_equal(seen.n, 4);
	assert_string_equal(seen.paths[0], "/tmp/a\nb");
	assert_string_equal(seen.paths[1], "/tmp/a\\000b");
	assert_string_equal(seen.paths[2], "/tmp/\\040\\");
	assert_string_equal(seen.paths[3], "/tmp/\xff\t  x (deleted)");
}

static void test_maps_damaged(void **state)
{
	struct seen seen;

	assert_int_equal(parse("", &seen), 0);
	assert_int_equal(seen.n, 0);
	assert_int_equal(parse("\n\nnonsense\n2000-1000 r-xp 0 0:0 0\n1000-1000 r-xp 0 0:0 0 /x\n"
			       "1000-2000 r-xp 0 0:0\n\n3000-4000 r-xp 10 0:0 5 /last",
			       &seen),
			 0);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.mappings[0].start, 0x3000);
	assert_string_equal(seen.paths[0], "/last");
}

static void test_maps_stop(void **state)
{
	struct seen seen = { .stop_at = 2 };
	char text[] = "1000-2000 r-xp 0 0:0 5 /a\n2000-3000 r-xp 0 0:0 5 /a\n"
		      "3000-4000 r-xp 0 0:0 5 /a\n";

	assert_int_equal(proc_maps_parse(text, keep_mapping, &seen), -ECANCELED);
	assert_int_equal(seen.n, 2);
}

struct wanted {
	uintptr_t start;
	bool executable;
	unsigned int found;
};

static int find_start(void *arg, const struct proc_mapping *m)
{
	struct wanted *w = arg;

	if (m->start <= w->start && w->start < m->end) {
		w->found++;
		w->executable = m->executable;
	}
	return 0;
}

static void test_maps_of_this_process(void **state)
{
	struct wanted code = { .start = (uintptr_t)&test_maps_of_this_process };
	struct wanted stack = { .start = (uintptr_t)&code };

	assert_int_equal(proc_maps_read(getpid(), find_start, &code), 0);
	assert_int_equal(code.found, 1);
	assert_true(code.executable);
	assert_int_equal(proc_maps_read(getpid(), find_start, &stack), 0);
	assert_int_equal(stack.found, 1);
	assert_false(stack.executable);
	assert_int_equal(proc_maps_read(0, find_start, &stack), -ENOENT);
}

static void test_status(void **state)
{
	uint64_t value = 5;
	char own[16];

	prctl(PR_GET_NAME, own);
	prctl(PR_SET_NAME, "x\nTgid:\t1");
	assert_int_equal(proc_status_number(getpid(), "Tgid", &value), 0);
	prctl(PR_SET_NAME, own);
	assert_int_equal(value, getpid());
	value = 5;
	assert_int_equal(proc_status_number(getpid(), "Tgi", &value), -EINVAL);
	assert_int_equal(value, 5);
	assert_int_equal(proc_status_number(0, "Tgid", &value), -ENOENT);
}

struct order {
	uint32_t last;
	unsigned int self, calls;
};

static int in_order(void *arg, uint32_t pid)
{
	struct order *o = arg;

	assert_true(pid > o->last);
	o->last = pid;
	o->self += pid == (uint32_t)getpid();
	o->calls++;
	return 0;
}

static int stop_at_once(void *arg, uint32_t pid)
{
	(*(unsigned int *)arg)++;
	return -ECANCELED;
}

static void test_each(void **state)
{
	struct order o = { 0 };
	unsigned int calls = 0;

	assert_int_equal(proc_each(in_order, &o), 0);
	assert_int_equal(o.self, 1);
	assert_true(o.calls > 1);
	assert_int_equal(proc_each(stop_at_once, &calls), -ECANCELED);
	assert_int_equal(calls, 1);
}

static void test_read_and_link(void **state)
{
	char link[] = "/tmp/profbpf-link-XXXXXX", buf[16];
	char *text;
	int fd = mkstemp(link);
	unsigned int i;

	/* Longer than the first piece that is read, by exact multiples too. */
	for (i = 0; i < 8192; i++)
		assert_int_equal(write(fd, "x", 1), 1);
	close(fd);
	text = proc_read(link);
	assert_non_null(text);
	assert_int_equal(strlen(text), 8192);
	free(text);
	unlink(link);
	assert_null(proc_read(link));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(proc_link(link, buf, sizeof(buf)), -ENOENT);
	assert_int_equal(symlink("0123456789abcdefgh", link), 0);
	assert_int_equal(proc_link(link, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "0123456789abcde");
	unlink(link);
}

static void test_target_check(void **state)
{
	pid_t process = 0, child = fork();
	siginfo_t info;

	if (!child)
		_exit(0);
	assert_int_equal(waitid(P_PID, child, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(target_check(child, &process), TARGET_ZOMBIE);
	waitpid(child, NULL, 0);
	assert_int_equal(target_check(child, &process), TARGET_MISSING);
	assert_int_equal(target_check(getpid(), &process), TARGET_GOOD);
	assert_int_equal(process, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat),	       cmocka_unit_test(test_stat_names),
		cmocka_unit_test(test_stat_damaged),   cmocka_unit_test(test_stat_of_this_process),
		cmocka_unit_test(test_stat_odd_names), cmocka_unit_test(test_maps),
		cmocka_unit_test(test_maps_paths),     cmocka_unit_test(test_maps_damaged),
		cmocka_unit_test(test_maps_stop),      cmocka_unit_test(test_maps_of_this_process),
		cmocka_unit_test(test_status),	       cmocka_unit_test(test_each),
		cmocka_unit_test(test_read_and_link),  cmocka_unit_test(test_target_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
