// SPDX-License-Identifier: BSD-2-Clause
#include "user/disassemble.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of one function: the largest have some hundred thousand instructions. */
#define MAX_OUTPUT (64U << 20)
#define MAX_MESSAGES (64U << 10)
/* Without any output in between; a large file's symbols are read first. */
#define PATIENCE_MS 60000

#define OBJECT_FD 3
#define EXIT_NOT_FOUND 127

struct child {
	pid_t pid;
	int output; /* the reading end of a pipe */
	int messages; /* a file in memory */
};

static void run_child(const char *tool, int fd, int output, int messages, uint64_t start,
		      uint64_t end, pid_t parent)
{
	const struct rlimit limit = { MAX_MESSAGES, MAX_MESSAGES };
	char from[64], to[64], object[32];
	char *const argv[] = { (char *)tool, "-d", "-C",   "--no-show-raw-insn",
			       from,	     to,   object, NULL };
	int null = open("/dev/null", O_RDONLY);

	snprintf(from, sizeof(from), "--start-address=0x%" PRIx64, start);
	snprintf(to, sizeof(to), "--stop-address=0x%" PRIx64, end);
	snprintf(object, sizeof(object), "/proc/self/fd/%d", OBJECT_FD);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	/* None of them is below OBJECT_FD: standard descriptors are open, or occupied. */
	if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(messages, 2) < 0)
		_exit(EXIT_FAILURE);
	if (fd == OBJECT_FD ? fcntl(fd, F_SETFD, 0) < 0 : dup2(fd, OBJECT_FD) < 0)
		_exit(EXIT_FAILURE);
	setrlimit(RLIMIT_FSIZE, &limit);
	setenv("LC_ALL", "C", 1);
	execvp(tool, argv);
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_FAILURE);
}

static int start_child(struct child *c, const char *tool, int fd, uint64_t start, uint64_t end)
{
	pid_t self = getpid();
	int ends[2], err;

	c->messages = memfd_create("messages", MFD_CLOEXEC);
	if (c->messages < 0)
		return -errno;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		err = -errno;
		close(c->messages);
		return err;
	}
	c->pid = fork();
	if (c->pid == 0)
		run_child(tool, fd, ends[1], c->messages, start, end, self);
	err = -errno;
	close(ends[1]);
	c->output = ends[0];
	if (c->pid > 0)
		return 0;
	close(c->output);
	close(c->messages);
	return err;
}

/* Reads all that the child writes; a malloc'd, terminated text. */
static int read_output(const struct child *c, char **text)
{
	size_t room = 64 * 1024, n = 0;
	char *buf = malloc(room);
	int err = 0;

	while (buf && !err) {
		struct pollfd poll_fd = { .fd = c->output, .events = POLLIN };
		int ready = poll(&poll_fd, 1, PATIENCE_MS);
		ssize_t got = 0;

		if (ready > 0)
			got = read(c->output, buf + n, room - n - 1);
		if (ready > 0 && !got)
			break;
		if (!ready)
			err = -ETIMEDOUT;
		else if ((ready < 0 || got < 0) && errno != EINTR)
			err = -errno;
		n += got > 0 ? (size_t)got : 0;
		if (n > MAX_OUTPUT)
			err = -EFBIG;
		if (n + 1 == room) {
			char *more = realloc(buf, room *= 2);

			if (!more)
				free(buf);
			buf = more;
		}
	}
	if (!buf)
		return -ENOMEM;
	if (err) {
		free(buf);
		return err;
	}
	buf[n] = '\0';
	*text = buf;
	return 0;
}

/* The first line of what the child complained of. */
static void read_messages(const struct child *c, char *failure, size_t size)
{
	ssize_t n = pread(c->messages, failure, size - 1, 0);

	failure[n > 0 ? n : 0] = '\0';
	failure[strcspn(failure, "\n")] = '\0';
}

static int wait_child(const struct child *c, bool stop, int *status)
{
	pid_t ended;

	if (stop)
		kill(c->pid, SIGKILL);
	do {
		ended = waitpid(c->pid, status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended < 0 ? -errno : 0;
}

/* A line of an instruction: blanks, its address, a colon, its text. */
static bool parse_line(const char *line, struct instruction *instruction)
{
	const char *digits = line + strspn(line, " ");
	char *end;

	if (digits == line || !strspn(digits, "0123456789abcdef"))
		return false;
	errno = 0;
	instruction->address = strtoull(digits, &end, 16);
	if (errno || *end != ':')
		return false;
	instruction->text = end + 1 + strspn(end + 1, " \t");
	return *instruction->text;
}

/* Ends the lines of the output and keeps the instructions, as long as their addresses ascend. */
static int parse_output(struct disassembly *d)
{
	size_t n = 1;

	for (const char *c = d->output; *c; c++)
		n += *c == '\n';
	d->instructions = calloc(n, sizeof(*d->instructions));
	if (!d->instructions)
		return -ENOMEM;
	for (char *line = d->output, *next; line; line = next) {
		struct instruction found;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (parse_line(line, &found) &&
		    (!d->n || found.address > d->instructions[d->n - 1].address))
			d->instructions[d->n++] = found;
	}
	return d->n ? 0 : -ENOEXEC;
}

static int run_tool(const char *tool, int fd, uint64_t start, uint64_t end, struct disassembly *d)
{
	struct child c = { .output = -1 };
	int status = 0, err = start_child(&c, tool, fd, start, end), wait_err;

	if (err)
		return err;
	err = read_output(&c, &d->output);
	wait_err = wait_child(&c, err != 0, &status);
	read_messages(&c, d->failure, sizeof(d->failure));
	close(c.output);
	close(c.messages);
	if (err || wait_err)
		return err ? err : wait_err;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND)
		return -ENOENT;
	if (WIFSIGNALED(status))
		snprintf(d->failure, sizeof(d->failure), "%s was ended by signal %d", tool,
			 WTERMSIG(status));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return -ENOEXEC;
	return parse_output(d);
}

int disassemble(int fd, uint64_t start, uint64_t end, struct disassembly *d)
{
	static const char *const tools[] = { "objdump", "llvm-objdump" };
	int result = -ENOENT;

	*d = (struct disassembly){ 0 };
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		struct disassembly one = { 0 };
		int err = run_tool(tools[i], fd, start, end, &one);

		/* A tool may lack the machine that the other knows. */
		if (err == -ENOENT) {
			disassembly_free(&one);
			continue;
		}
		disassembly_free(d);
		*d = one;
		result = err;
		if (err != -ENOEXEC)
			break;
	}
	return result;
}

void disassembly_free(struct disassembly *d)
{
	free(d->instructions);
	free(d->output);
	*d = (struct disassembly){ 0 };
}
