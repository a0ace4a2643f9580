// SPDX-License-Identifier: BSD-2-Clause
/* Commands that are started to be profiled. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/launch.h"

static char folder[64];

static int enter_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/profbpf-launch-XXXXXX");
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	signal(SIGPIPE, SIG_IGN);
	return mkdtemp(folder) && chmod(folder, 0777) == 0 && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static struct launch *prepared(char *const argv[])
{
	struct launch *l = NULL;

	assert_int_equal(launch_prepare(argv, NULL, &l), 0);
	assert_non_null(l);
	return l;
}

static struct launch *prepared_shell(const char *script)
{
	char copy[512], shell[] = "sh", flag[] = "-c";
	char *argv[] = { shell, flag, copy, NULL };

	snprintf(copy, sizeof(copy), "%s", script);
	return prepared(argv);
}

static int status_of(const char *script)
{
	struct launch *l = prepared_shell(script);
	int status;

	assert_int_equal(launch_start(l), 0);
	assert_int_equal(launch_wait(l), 0);
	status = launch_exit_status(l);
	launch_free(l);
	return status;
}

static void read_result(char *buf, size_t size)
{
	FILE *f = fopen("result", "r");
	size_t n;

	assert_non_null(f);
	n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	fclose(f);
}

static void test_waits_for_start(void **state)
{
	struct launch *l = prepared_shell("echo $$ > result; exit 7");
	struct pollfd ended = { .fd = launch_pidfd(l), .events = POLLIN };
	char text[32];

	/* Longer than a shell takes to write the file. */
	assert_int_equal(poll(&ended, 1, 200), 0);
	assert_int_equal(access("result", F_OK), -1);
	assert_int_equal(launch_try_wait(l), 0);
	assert_int_equal(launch_start(l), 0);
	assert_int_equal(poll(&ended, 1, 10000), 1);
	assert_int_equal(launch_try_wait(l), 1);
	assert_int_equal(launch_exit_status(l), 7);
	/* The program has the pid that was told before. */
	read_result(text, sizeof(text));
	assert_int_equal(atoi(text), launch_pid(l));
	launch_free(l);
}

static void test_statuses(void **state)
{
	assert_int_equal(status_of("exit 0"), 0);
	assert_int_equal(status_of("exit 255"), 255);
	assert_int_equal(status_of("kill -TERM $$"), 128 + SIGTERM);
	assert_int_equal(status_of("kill -KILL $$"), 128 + SIGKILL);
}

static void test_cannot_execute(void **state)
{
	char missing[] = "profbpf-no-such-command", plain[] = "./plain";
	char *missing_argv[] = { missing, NULL }, *plain_argv[] = { plain, NULL };
	struct launch *l = prepared(missing_argv);
	int fd;

	assert_int_equal(launch_start(l), -ENOENT);
	launch_free(l);
	fd = open(plain, O_CREAT | O_WRONLY, 0644);
	assert_true(fd >= 0);
	close(fd);
	l = prepared(plain_argv);
	assert_int_equal(launch_start(l), -EACCES);
	launch_free(l);
	/* POSIX, Shell Command Language, 2.8.2. */
	assert_int_equal(launch_failure_status(-ENOENT), 127);
	assert_int_equal(launch_failure_status(-EACCES), 126);
	assert_int_equal(launch_failure_status(-ENOEXEC), 126);
}

static void test_free_before_start(void **state)
{
	struct launch *l = prepared_shell("echo ran > result");
	pid_t pid = launch_pid(l);

	launch_free(l);
	assert_int_equal(access("result", F_OK), -1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	launch_free(NULL);
}

/* A profiler that dies before the start takes the child with it. */
static void test_parent_dies(void **state)
{
	int ends[2], status;
	pid_t child = 0, parent;
	char byte;

	assert_int_equal(pipe(ends), 0);
	parent = fork();
	assert_true(parent >= 0);
	if (parent == 0) {
		char shell[] = "sh", flag[] = "-c", script[] = "echo ran > result";
		char *argv[] = { shell, flag, script, NULL };
		struct launch *l;

		close(ends[0]);
		if (launch_prepare(argv, NULL, &l) < 0)
			_exit(1);
		child = launch_pid(l);
		if (write(ends[1], &child, sizeof(child)) != sizeof(child))
			_exit(1);
		raise(SIGKILL);
	}
	close(ends[1]);
	assert_int_equal(waitpid(parent, &status, 0), parent);
	assert_int_equal(read(ends[0], &child, sizeof(child)), sizeof(child));
	/* Its copy of the pipe is closed when it ends; only then comes the end of file. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	assert_int_equal(access("result", F_OK), -1);
	close(ends[0]);
}

/* What the program finds is what a shell would have given it. */
static void test_clean_signals(void **state)
{
	sigset_t mask;
	char text[512];

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	assert_int_equal(status_of("grep -E '^Sig(Blk|Ign)' /proc/self/status > result"), 0);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	read_result(text, sizeof(text));
	assert_non_null(strstr(text, "SigBlk:\t0000000000000000"));
	/* SIGPIPE is 13: its bit is 0x1000, in the fourth digit from the right. */
	assert_non_null(strstr(text, "SigIgn:"));
	assert_int_equal(strtoull(strstr(text, "SigIgn:") + 8, NULL, 16) & 0x1000, 0);
}

static void test_signal(void **state)
{
	struct launch *l = prepared_shell("exec sleep 60");

	assert_int_equal(launch_start(l), 0);
	assert_int_equal(launch_signal(l, SIGTERM), 0);
	assert_int_equal(launch_wait(l), 0);
	assert_int_equal(launch_exit_status(l), 128 + SIGTERM);
	/* The pid may be another's by now. */
	assert_int_equal(launch_signal(l, SIGTERM), 0);
	launch_free(l);
}

static void test_descriptors_are_kept(void **state)
{
	int saved = dup(STDOUT_FILENO);
	int fd = open("result", O_CREAT | O_WRONLY, 0644);
	char text[64], expected[64];

	assert_true(fd >= 0);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	status_of("echo out");
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	read_result(text, sizeof(text));
	assert_string_equal(text, "out\n");
	/* It gets none of the pipes: as many as a command that the C library runs. */
	status_of("ls /proc/self/fd | wc -l > result");
	read_result(text, sizeof(text));
	assert_int_equal(system("ls /proc/self/fd | wc -l > result"), 0);
	read_result(expected, sizeof(expected));
	assert_string_equal(text, expected);
}

/* What a script writes to its three outputs, each of which holds it until it is read. */
static void check_outputs(const char *script, const char *const expected[3])
{
	char copy[512], shell[] = "sh", flag[] = "-c", text[512];
	char *argv[] = { shell, flag, copy, NULL };
	struct launch_outputs outputs;
	struct launch *l = NULL;
	int ends[3][2];

	snprintf(copy, sizeof(copy), "%s", script);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pipe2(ends[i], O_CLOEXEC), 0);
	outputs = (struct launch_outputs){ ends[0][1], ends[1][1], ends[2][1] };
	assert_int_equal(launch_prepare(argv, &outputs, &l), 0);
	for (int i = 0; i < 3; i++)
		close(ends[i][1]);
	assert_int_equal(launch_start(l), 0);
	assert_int_equal(launch_wait(l), 0);
	assert_int_equal(launch_exit_status(l), 0);
	launch_free(l);
	for (int i = 0; i < 3; i++) {
		ssize_t n = read(ends[i][0], text, sizeof(text) - 1);

		assert_true(n >= 0);
		text[n] = '\0';
		assert_string_equal(text, expected[i]);
		close(ends[i][0]);
	}
}

static const char *const three[] = { "out\n", "err\n", "run\n" };

static void test_outputs(void **state)
{
	char script[256], others[32];

	assert_int_equal(system("ls /proc/self/fd | wc -l > result"), 0);
	read_result(others, sizeof(others));
	/* Beside the standard ones it gets the run channel alone. Some shells can write to descriptors of one
	 * digit only. */
	snprintf(
		script, sizeof(script),
		"set -e; test $(ls /proc/self/fd | wc -l) = %d; case $PROFBPF_RUN_FD in ?) ;; *) exit 1;; "
		"esac; echo out; echo err >&2; eval \"echo run >&$PROFBPF_RUN_FD\"",
		atoi(others) + 1);
	check_outputs(script, three);
}

/* A descriptor that our caller means for the command stays what it is. */
static void test_outputs_beside_others(void **state)
{
	int fd = open("result", O_CREAT | O_WRONLY, 0644);

	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, 3), 3);
	check_outputs(
		"echo theirs >&3; echo out; echo err >&2; eval \"echo run >&$PROFBPF_RUN_FD\"; "
		"test $PROFBPF_RUN_FD -gt 3",
		three);
	if (fd != 3)
		close(fd);
	close(3);
	assert_int_equal(system("grep -q theirs result"), 0);
}

/* Descriptors that are opened by their names are another user's then. */
static void test_outputs_of_a_sudo_user(void **state)
{
	if (geteuid() != 0) {
		print_message("skipped: needs root\n");
		skip();
	}
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	check_outputs(
		"set -e; test $(id -u) = 65534; echo out > /dev/stdout; echo err > /dev/stderr; "
		"echo run > /dev/fd/$PROFBPF_RUN_FD",
		three);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

static void test_runs_as_sudo_user(void **state)
{
	char text[256];

	if (geteuid() != 0) {
		print_message("skipped: needs root\n");
		skip();
	}
	/* The user nobody, as Debian sets it up. */
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	assert_int_equal(status_of("(id -u; id -g; id -G; grep CapEff /proc/self/status; echo "
				   "$USER $LOGNAME $HOME) > result"),
			 0);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	read_result(text, sizeof(text));
	assert_string_equal(text, "65534\n65534\n65534\nCapEff:\t0000000000000000\n"
				  "nobody nobody /nonexistent\n");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_waits_for_start),
		IN_FOLDER(test_statuses),
		IN_FOLDER(test_cannot_execute),
		IN_FOLDER(test_free_before_start),
		IN_FOLDER(test_parent_dies),
		IN_FOLDER(test_clean_signals),
		IN_FOLDER(test_signal),
		IN_FOLDER(test_descriptors_are_kept),
		IN_FOLDER(test_outputs),
		IN_FOLDER(test_outputs_beside_others),
		IN_FOLDER(test_outputs_of_a_sudo_user),
		IN_FOLDER(test_runs_as_sudo_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
