// SPDX-License-Identifier: BSD-2-Clause
/* What is kept of a command's output, and the pipes that it comes through. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "user/capture_output.h"
#include "user/pipes.h"

/* --- one output --- */

static void take(struct capture_output *o, const char *s)
{
	capture_output_take(o, s, strlen(s));
}

/* What is left of s, taken at once and byte by byte. */
static void check_limit(const char *s, size_t limit, const char *kept)
{
	for (int piece = 0; piece < 2; piece++) {
		struct capture_output o = { .limit = limit };

		for (size_t i = 0; piece && i < strlen(s); i++)
			capture_output_take(&o, s + i, 1);
		if (!piece)
			take(&o, s);
		capture_output_end(&o);
		assert_int_equal(o.n, strlen(kept));
		if (o.n)
			assert_string_equal(o.bytes, kept);
		assert_int_equal(o.cut, strlen(s) - strlen(kept));
		capture_output_clear(&o);
	}
}

static void test_nothing(void **state)
{
	struct capture_output o = { .limit = 10 };

	capture_output_end(&o);
	assert_null(o.bytes);
	assert_int_equal(o.n, 0);
	assert_int_equal(o.cut, 0);
	capture_output_clear(&o);
}

static void test_limits(void **state)
{
	check_limit("abcdef", 6, "abcdef");
	check_limit("abcdef", 5, "abcde");
	check_limit("abcdef", 0, "");
}

/* Characters of two, three and four bytes (RFC 3629). */
static void test_no_half_characters(void **state)
{
	check_limit("a\xc3\xa9z", 2, "a");
	check_limit("a\xc3\xa9z", 3, "a\xc3\xa9");
	check_limit("\xe2\x82\xacz", 1, "");
	check_limit("\xe2\x82\xacz", 2, "");
	check_limit("\xe2\x82\xacz", 3, "\xe2\x82\xac");
	check_limit("a\xf0\x9f\x8e\x89z", 4, "a");
	check_limit("a\xf0\x9f\x8e\x89z", 5, "a\xf0\x9f\x8e\x89");
	/* What is no character is not mended. */
	check_limit("a\x80\x80\x80\x80\x80z", 5, "a\x80\x80\x80\x80");
	check_limit("\xff\xffz", 2, "\xff\xff");
	/* One that the program itself left unfinished. */
	check_limit("a\xe2\x82", 3, "a\xe2\x82");
}

static void test_grows(void **state)
{
	struct capture_output o = { .limit = 1000000 };
	char block[1000];

	for (int i = 0; i < 1234; i++) {
		memset(block, 'a' + i % 26, sizeof(block));
		capture_output_take(&o, block, sizeof(block));
	}
	assert_int_equal(o.n, 1000000);
	assert_int_equal(o.cut, 234000);
	for (size_t i = 0; i < o.n; i++)
		assert_int_equal(o.bytes[i], 'a' + (int)(i / 1000) % 26);
	capture_output_clear(&o);
}

/* --- pipes --- */

#define TIMEOUT_MS 20000U

struct opened {
	struct capture_output outputs[2];
	struct pipes *pipes;
};

static struct opened *open_two(size_t limit)
{
	struct opened *o = calloc(1, sizeof(*o));
	struct pipe_reader readers[2];

	assert_non_null(o);
	for (int i = 0; i < 2; i++) {
		o->outputs[i].limit = limit;
		readers[i] = (struct pipe_reader){ capture_output_take, &o->outputs[i] };
	}
	assert_int_equal(pipes_open(readers, 2, &o->pipes), 0);
	return o;
}

static void close_two(struct opened *o)
{
	pipes_free(o->pipes);
	for (int i = 0; i < 2; i++)
		capture_output_clear(&o->outputs[i]);
	free(o);
}

static int ready[2] = { -1, -1 };

/* A command's: in a process of its own, which ends when write_all does and, as after an execution, has no end
 * to read from. */
static pid_t writer(struct opened *o, void (*write_all)(int out, int err))
{
	int out = pipes_write_end(o->pipes, 0), err = pipes_write_end(o->pipes, 1);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGPIPE, SIG_IGN);
		for (int fd = STDERR_FILENO + 1; fd < 64; fd++) {
			if (fd != out && fd != err && fd != ready[1])
				close(fd);
		}
		write_all(out, err);
		_exit(0);
	}
	return pid;
}

static void write_both(int out, int err)
{
	if (write(out, "out\0put", 7) < 0 || write(err, "error", 5) < 0)
		_exit(1);
}

static void test_both(void **state)
{
	struct opened *o = open_two(100);
	pid_t pid = writer(o, write_both);

	assert_int_equal(pipes_start(o->pipes), 0);
	assert_true(pipes_finish(o->pipes, TIMEOUT_MS));
	waitpid(pid, NULL, 0);
	assert_int_equal(o->outputs[0].n, 7);
	assert_memory_equal(o->outputs[0].bytes, "out\0put", 7);
	assert_string_equal(o->outputs[1].bytes, "error");
	close_two(o);
}

#define MUCH 3000000U

static void write_much(int out, int err)
{
	static char block[10000];

	for (unsigned int i = 0; i < MUCH / sizeof(block); i++) {
		if (write(err, block, sizeof(block)) != sizeof(block) ||
		    write(out, block, sizeof(block)) != sizeof(block))
			_exit(1);
	}
}

/* Far more than the pipes hold and than is kept: the writer comes to its end all the same. */
static void test_goes_on_past_the_limit(void **state)
{
	struct opened *o = open_two(1000);
	pid_t pid = writer(o, write_much);
	int status = -1;

	assert_int_equal(pipes_start(o->pipes), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(pipes_finish(o->pipes, TIMEOUT_MS));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(o->outputs[i].n, 1000);
		assert_int_equal(o->outputs[i].cut, MUCH - 1000);
	}
	close_two(o);
}

static void write_and_stay(int out, int err)
{
	if (write(out, "last words", 10) < 0 || write(ready[1], "", 1) < 0)
		_exit(1);
	pause();
}

/* What was written before is taken, however short the wait. */
static void test_a_writer_that_stays(void **state)
{
	struct opened *o = open_two(100);
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid = writer(o, write_and_stay);
	assert_int_equal(pipes_start(o->pipes), 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_false(pipes_finish(o->pipes, 0));
	assert_string_equal(o->outputs[0].bytes, "last words");
	assert_int_equal(o->outputs[1].n, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	ready[0] = ready[1] = -1;
	close_two(o);
}

static void write_without_end(int out, int err)
{
	static char block[10000];

	while (write(out, block, sizeof(block)) > 0)
		;
	_exit(errno == EPIPE ? 0 : 1);
}

static void test_a_writer_without_end(void **state)
{
	struct opened *o = open_two(100);
	pid_t pid = writer(o, write_without_end);
	int status = -1;

	assert_int_equal(pipes_start(o->pipes), 0);
	assert_false(pipes_finish(o->pipes, 50));
	/* It learns that nobody reads any more. */
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close_two(o);
}

static void test_free_at_any_time(void **state)
{
	struct opened *o = open_two(100);

	close_two(o);
	o = open_two(100);
	assert_int_equal(pipes_start(o->pipes), 0);
	close_two(o);
	pipes_free(NULL);
}

static void test_write_ends_are_not_inherited(void **state)
{
	struct opened *o = open_two(100);

	for (size_t i = 0; i < 2; i++) {
		int fd = pipes_write_end(o->pipes, i);

		assert_true(fd > STDERR_FILENO);
		assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
		/* The command's end blocks, as it knows pipes. */
		assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	}
	close_two(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_no_half_characters),
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_both),
		cmocka_unit_test(test_goes_on_past_the_limit),
		cmocka_unit_test(test_a_writer_that_stays),
		cmocka_unit_test(test_a_writer_without_end),
		cmocka_unit_test(test_free_at_any_time),
		cmocka_unit_test(test_write_ends_are_not_inherited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
