// SPDX-License-Identifier: BSD-2-Clause
/* Output files: whole or absent, whatever happens. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/output.h"

/* A folder of its own for each test, which is the working directory meanwhile. */
static char folder[64];

static int enter_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/profbpf-output-XXXXXX");
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static unsigned int n_files(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int n = 0;
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return n;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void holds(const char *path, const char *text)
{
	char found[128] = "";
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(found, 1, sizeof(found) - 1, f);
	found[n] = '\0';
	fclose(f);
	assert_string_equal(found, text);
}

static struct output *opened(const char *path, bool keep_old)
{
	struct output *out = NULL;

	assert_int_equal(output_open(path, keep_old, &out), 0);
	assert_non_null(out);
	assert_string_equal(output_path(out), path);
	return out;
}

static void test_appears_when_complete(void **state)
{
	struct output *out = opened("a.folded", false);

	assert_int_equal(access("a.folded", F_OK), -1);
	assert_int_equal(n_files("."), 1);
	fputs("main 1\n", output_stream(out));
	assert_int_equal(access("a.folded", F_OK), -1);
	assert_int_equal(output_commit(out), 0);
	holds("a.folded", "main 1\n");
	assert_int_equal(n_files("."), 1);
}

static void test_replaces(void **state)
{
	struct output *out;

	put("a.folded", "old");
	out = opened("a.folded", false);
	fputs("new", output_stream(out));
	holds("a.folded", "old");
	assert_int_equal(output_commit(out), 0);
	holds("a.folded", "new");
	assert_int_equal(n_files("."), 1);
}

static void test_keeps_old(void **state)
{
	struct output *out = opened("a.profbpf", true);

	fputs("1", output_stream(out));
	assert_int_equal(output_commit(out), 0);
	assert_int_equal(n_files("."), 1);
	for (int i = 2; i <= 3; i++) {
		out = opened("a.profbpf", true);
		fprintf(output_stream(out), "%d", i);
		assert_int_equal(output_commit(out), 0);
	}
	holds("a.profbpf", "3");
	holds("a.profbpf.old", "2");
	assert_int_equal(n_files("."), 2);
}

static void test_discard(void **state)
{
	struct output *out;

	put("a.folded", "old");
	out = opened("a.folded", true);
	fputs("half", output_stream(out));
	output_discard(out);
	output_discard(NULL);
	holds("a.folded", "old");
	assert_int_equal(n_files("."), 1);
}

static void test_refused_at_once(void **state)
{
	char name[300];
	struct output *out = NULL;

	assert_int_equal(mkdir("dir.folded", 0755), 0);
	assert_int_equal(output_open("none/a.folded", false, &out), -ENOENT);
	assert_int_equal(output_open("dir.folded", false, &out), -EISDIR);
	assert_int_equal(output_open("dir.folded/", false, &out), -EISDIR);
	assert_int_equal(output_open("", false, &out), -ENOENT);
	put("file", "");
	assert_int_equal(output_open("file/a.folded", false, &out), -ENOTDIR);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(output_open(name, false, &out), -ENAMETOOLONG);
	assert_null(out);
	assert_int_equal(n_files("."), 2);
}

/* As a user whom permissions bind; the parent sees the status. */
static void test_folder_not_writable(void **state)
{
	pid_t pid;
	int status;

	assert_int_equal(mkdir("locked", 0555), 0);
	assert_int_equal(chmod(folder, 0755), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct output *out;

		if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
			_exit(100);
		_exit(-output_open("locked/a.folded", false, &out));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EACCES);
}

static void test_mode_follows_umask(void **state)
{
	mode_t before = umask(027);
	struct output *out = opened("a.folded", false);
	struct stat st;

	assert_int_equal(output_commit(out), 0);
	umask(before);
	assert_int_equal(stat("a.folded", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void test_disk_full(void **state)
{
	static const char block[65536];
	struct output *out;

	if (geteuid() != 0) {
		print_message("skipped: mounting a small disk needs root\n");
		skip();
	}
	assert_int_equal(mkdir("disk", 0755), 0);
	if (mount("tmpfs", "disk", "tmpfs", 0, "size=64k") < 0) {
		print_message("skipped: mount: %s\n", strerror(errno));
		skip();
	}
	put("disk/a.folded", "old");
	out = opened("disk/a.folded", true);
	for (int i = 0; i < 4; i++)
		fwrite(block, 1, sizeof(block), output_stream(out));
	assert_int_equal(output_commit(out), -ENOSPC);
	holds("disk/a.folded", "old");
	assert_int_equal(n_files("disk"), 1);
	assert_int_equal(umount("disk"), 0);
}

static void test_special_files(void **state)
{
	struct output *out = opened("/dev/full", false);
	struct stat before, after;
	char line[16] = "";
	FILE *fifo;
	int fd;

	assert_int_equal(stat("/dev/full", &before), 0);
	fputs("x", output_stream(out));
	assert_int_equal(output_commit(out), -ENOSPC);
	assert_int_equal(stat("/dev/full", &after), 0);
	assert_int_equal(before.st_rdev, after.st_rdev);
	assert_true(S_ISCHR(after.st_mode));

	assert_int_equal(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	out = opened("pipe", true);
	fputs("through\n", output_stream(out));
	assert_int_equal(output_commit(out), 0);
	fifo = fdopen(fd, "r");
	assert_non_null(fgets(line, sizeof(line), fifo));
	assert_string_equal(line, "through\n");
	fclose(fifo);
	assert_int_equal(n_files("."), 1);
}

/* "-" and its other names go to whatever standard output is, and never replace it. */
static void test_standard_output(void **state)
{
	static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };
	int saved = dup(STDOUT_FILENO), fd;

	put("redirected", "");
	fd = open("redirected", O_WRONLY | O_APPEND);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct output *out = NULL;

		if (output_open(names[i], true, &out) == 0) {
			fprintf(output_stream(out), "%zu", i);
			output_commit(out);
		}
	}
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(fd);
	holds("redirected", "0123");
	assert_int_equal(n_files("."), 1);
}

/* A link that someone planted must not lead a write elsewhere. */
static void test_link_is_replaced(void **state)
{
	struct output *out;
	struct stat st;

	put("victim", "precious");
	assert_int_equal(symlink("victim", "a.folded"), 0);
	out = opened("a.folded", false);
	fputs("new", output_stream(out));
	assert_int_equal(output_commit(out), 0);
	holds("victim", "precious");
	holds("a.folded", "new");
	assert_int_equal(lstat("a.folded", &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void test_given_to_sudo_user(void **state)
{
	struct output *out;
	struct stat st;

	if (geteuid() != 0) {
		print_message("skipped: giving files away needs root\n");
		skip();
	}
	setenv("SUDO_UID", "1234", 1);
	setenv("SUDO_GID", "5678", 1);
	out = opened("a.folded", false);
	assert_int_equal(output_commit(out), 0);
	assert_int_equal(stat("a.folded", &st), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_gid, 5678);
	/* What is no number changes nothing. */
	setenv("SUDO_UID", "1234x", 1);
	out = opened("b.folded", false);
	assert_int_equal(output_commit(out), 0);
	assert_int_equal(stat("b.folded", &st), 0);
	assert_int_equal(st.st_uid, 0);
}

static void test_signal_removes(void **state)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct output *a, *b;

		output_discard_on_signals();
		if (output_open("a.folded", false, &a) < 0 ||
		    output_open("b.folded", false, &b) < 0)
			_exit(1);
		raise(SIGINT);
		_exit(2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGINT);
	assert_int_equal(n_files("."), 0);
}

static void test_formats(void **state)
{
	static const struct {
		const char *path, *name;
		enum output_format format;
	} known[] = {
		{ "a.profbpf", "capture", OUTPUT_CAPTURE },
		{ "b/a.b.pb.gz", "pprof", OUTPUT_PPROF },
		{ "a.folded", "folded", OUTPUT_FOLDED },
		{ "a.speedscope.json", "speedscope", OUTPUT_SPEEDSCOPE },
		{ "a.txt", "text", OUTPUT_TABLE },
		{ "a.toon", "toon", OUTPUT_TOON },
		{ "a.json", "json", OUTPUT_JSON },
	};
	static const char *const unknown[] = { "a",	 "a.yaml",     "a.pb",	   "a.folded.gz",
					       ".pb.gz", "folded",     "a.FOLDED", "a.html",
					       "a.tron", "d.folded/a", "",	   "a.otlp" };
	enum output_format format;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(output_format_by_path(known[i].path, &format), 0);
		assert_int_equal(format, known[i].format);
		assert_int_equal(output_format_by_name(known[i].name, &format), 0);
		assert_int_equal(format, known[i].format);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_int_equal(output_format_by_path(unknown[i], &format), -EINVAL);
	assert_int_equal(output_format_by_name("Pprof", &format), -EINVAL);
	assert_int_equal(output_format_by_name("", &format), -EINVAL);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_appears_when_complete),
		IN_FOLDER(test_replaces),
		IN_FOLDER(test_keeps_old),
		IN_FOLDER(test_discard),
		IN_FOLDER(test_refused_at_once),
		IN_FOLDER(test_folder_not_writable),
		IN_FOLDER(test_mode_follows_umask),
		IN_FOLDER(test_disk_full),
		IN_FOLDER(test_special_files),
		IN_FOLDER(test_standard_output),
		IN_FOLDER(test_link_is_replaced),
		IN_FOLDER(test_given_to_sudo_user),
		IN_FOLDER(test_signal_removes),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
