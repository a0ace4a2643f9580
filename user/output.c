// SPDX-License-Identifier: BSD-2-Clause
#include "user/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/arguments.h"
#include "user/message.h"

struct output {
	struct output *next;
	char *path;
	char *temporary; /* NULL: written to directly */
	FILE *stream;
	int fd;
	int failure; /* -errno of the first write that failed: stdio forgets it */
	bool keep_old;
};

/* All that are open; a signal handler walks it, so each change is one store. */
static struct output *volatile outputs;

static void remember(struct output *out)
{
	out->next = outputs;
	outputs = out;
}

static void forget(const struct output *out)
{
	if (outputs == out) {
		outputs = out->next;
		return;
	}
	for (struct output *o = outputs; o; o = o->next) {
		if (o->next == out) {
			o->next = out->next;
			return;
		}
	}
}

static void output_free(struct output *out)
{
	forget(out);
	if (out->stream)
		fclose(out->stream);
	else if (out->fd >= 0)
		close(out->fd);
	free(out->temporary);
	free(out->path);
	free(out);
}

/* The open descriptor that a path stands for, -1 if it stands for none. */
static int standard_descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t number;

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t length = strlen(folders[i]);

		if (strncmp(path, folders[i], length) == 0 &&
		    number_parse(path + length, 0, INT32_MAX, &number) == 0)
			return (int)number;
	}
	return -1;
}

bool output_path_is_stdout(const char *path)
{
	return standard_descriptor(path) == STDOUT_FILENO;
}

/* Opens what is not to be renamed over. Returns a descriptor, -ENOTSUP for all else, or -errno. */
static int open_directly(const char *path)
{
	int fd = standard_descriptor(path);
	struct stat st;

	if (fd >= 0) {
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		return fd >= 0 ? fd : -errno;
	}
	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ELOOP ? -ENOTSUP : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode))
		return -ENOTSUP;
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return fd >= 0 ? fd : -errno;
}

/* ".NAME.XXXXXX" in the folder of path; malloc'd. */
static char *temporary_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	uint32_t number;
	char *temporary;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return NULL;
	if (asprintf(&temporary, "%.*s.%.200s.%08" PRIx32, (int)(name - path), path, name, number) <
	    0)
		return NULL;
	return temporary;
}

static int open_temporary(struct output *out)
{
	int fd;

	if (!*out->path)
		return -ENOENT;
	if (out->path[strlen(out->path) - 1] == '/')
		return -EISDIR;
	do {
		free(out->temporary);
		out->temporary = temporary_name(out->path);
		if (!out->temporary)
			return -ENOMEM;
		/* Not mkostemp(3): with this mode the umask and the folder's default ACL apply. */
		fd = open(out->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST);
	if (fd >= 0)
		return fd;
	fd = -errno;
	free(out->temporary);
	out->temporary = NULL;
	return fd;
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
	struct output *out = cookie;
	ssize_t written;

	do {
		written = write(out->fd, bytes, n);
	} while (written < 0 && errno == EINTR);
	if (written >= 0)
		return written;
	if (out->failure == 0)
		out->failure = -errno;
	return 0; /* as fopencookie(3) wants it */
}

static int stream_close(void *cookie)
{
	struct output *out = cookie;
	int result = close(out->fd);

	if (result < 0 && out->failure == 0)
		out->failure = -errno;
	out->fd = -1;
	return result;
}

static int open_stream(struct output *out)
{
	const cookie_io_functions_t functions = { .write = stream_write, .close = stream_close };

	out->fd = open_directly(out->path);
	if (out->fd == -ENOTSUP)
		out->fd = open_temporary(out);
	if (out->fd < 0)
		return out->fd;
	out->stream = fopencookie(out, "w", functions);
	return out->stream ? 0 : -ENOMEM;
}

int output_open(const char *path, bool keep_old, struct output **out)
{
	struct output *o = calloc(1, sizeof(*o));
	int err = -ENOMEM;

	if (!o)
		return -ENOMEM;
	o->fd = -1;
	o->keep_old = keep_old;
	o->path = strdup(path);
	/* First, so that a signal finds the file as soon as there is one. */
	remember(o);
	if (o->path)
		err = open_stream(o);
	if (err < 0) {
		output_discard(o);
		return err;
	}
	*out = o;
	return 0;
}

FILE *output_stream(struct output *out)
{
	return out->stream;
}

bool output_is_terminal(const struct output *out, unsigned int *width)
{
	struct winsize size = { 0 };

	if (!isatty(out->fd))
		return false;
	*width = ioctl(out->fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
	return true;
}

const char *output_path(const struct output *out)
{
	return out->path;
}

bool output_is_file(const struct output *out)
{
	return out->temporary;
}

/* Under sudo the result belongs to the user who called it. */
static int give_to_caller(int fd)
{
	const char *uid_text = getenv("SUDO_UID"), *gid_text = getenv("SUDO_GID");
	uint64_t uid, gid;

	if (geteuid() != 0 || !uid_text || !gid_text)
		return 0;
	/* UINT32_MAX would mean "unchanged" to fchown(2). */
	if (number_parse(uid_text, 0, UINT32_MAX - 1, &uid) < 0 ||
	    number_parse(gid_text, 0, UINT32_MAX - 1, &gid) < 0)
		return 0;
	return fchown(fd, (uid_t)uid, (gid_t)gid) < 0 ? -errno : 0;
}

static int close_stream(struct output *out)
{
	bool failed = ferror(out->stream) != 0;

	if (fclose(out->stream) != 0)
		failed = true;
	out->stream = NULL;
	if (out->failure < 0)
		return out->failure;
	return failed ? -EIO : 0;
}

static int rename_into_place(const struct output *out)
{
	char *old = NULL;
	bool moved = false;
	int err = 0;

	if (out->keep_old) {
		if (asprintf(&old, "%s.old", out->path) < 0)
			return -ENOMEM;
		moved = rename(out->path, old) == 0;
		if (!moved && errno != ENOENT) {
			err = -errno;
			free(old);
			return err;
		}
	}
	if (rename(out->temporary, out->path) < 0) {
		err = -errno;
		if (moved)
			rename(old, out->path);
	}
	free(old);
	return err;
}

int output_commit(struct output *out)
{
	int err = 0;

	if (out->temporary)
		err = give_to_caller(out->fd);
	/* Some file systems cannot change owners; the file is the result all the same. */
	if (err == -EPERM || err == -ENOTSUP || err == -EINVAL)
		err = 0;
	if (err == 0)
		err = close_stream(out);
	if (err == 0 && out->temporary)
		err = rename_into_place(out);
	if (err < 0 && out->temporary)
		unlink(out->temporary);
	output_free(out);
	return err;
}

void output_discard(struct output *out)
{
	if (!out)
		return;
	if (out->temporary)
		unlink(out->temporary);
	output_free(out);
}

void output_discard_all(void)
{
	for (struct output *o = outputs; o; o = o->next) {
		if (o->temporary)
			unlink(o->temporary);
	}
}

static void discard_and_die(int number)
{
	output_discard_all();
	/* SA_RESETHAND has put the default action back, which ends the process. */
	raise(number);
}

void output_discard_on_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction action = { .sa_handler = discard_and_die, .sa_flags = SA_RESETHAND };
	struct sigaction old;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

void output_say_failed(const char *path, int error_code)
{
	char shown[512];
	const char *remedy = "";

	switch (-error_code) {
	case ENOENT:
		remedy = ": create the folder first, or name another with -o";
		break;
	case EACCES:
	case EPERM:
	case EROFS:
		remedy = ": name a file in a folder that you may write to";
		break;
	case EISDIR:
		remedy = ": name a file in it";
		break;
	case ENOSPC:
	case EDQUOT:
		remedy = ": make room, or name a file on another disk";
		break;
	case ERANGE:
		remedy =
			": a bottleneck report is of 1 to 1000 samples a second: record again with "
			"--profile";
		break;
	default:
		break;
	}
	if (standard_descriptor(path) >= 0)
		remedy = "";
	error("cannot write to %s: %s%s",
	      strcmp(path, "-") == 0 ? "standard output" : printable(path, shown, sizeof(shown)),
	      strerror(-error_code), remedy);
}
