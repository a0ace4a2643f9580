// SPDX-License-Identifier: BSD-2-Clause
/*
 * Through libdebuginfod, debuginfod_find_debuginfo(3): it asks all servers at once, and keeps what came
 * and, for some minutes, what is not to be had. The library is loaded when it is first needed: with all
 * that it needs in turn it would cost every run a megabyte and some milliseconds.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <elfutils/debuginfod.h>

#include "symbolize/debuginfod.h"
#include "symbolize/elf_read.h"
#include "symbolize/symbolize.h"

#define FILE_SECONDS 10 /* for one file, unless DEBUGINFOD_MAXTIME says otherwise */
#define MAX_FILE_SECONDS 3600
#define FILES 6 /* so many times as long for all together */
#define MAX_FILE (4l << 30) /* bytes */
/* Servers are given up after so many failures in a row: one where there are several may be well. */
#define FAILURES_OF_ONE 1
#define FAILURES_OF_SEVERAL 3
/* Bytes that tell a file which is large from a server that hangs. */
#define IS_AT_WORK (1ull << 20)
#define MIN_BUILD_ID 16 /* digits; shorter ones prove little */
#define NS_PER_SECOND 1000000000ull

/* Loaded once, and for good: some of what it needs in turn does not stand being unloaded. */
static struct {
	void *handle;
	__typeof__(&debuginfod_begin) begin;
	__typeof__(&debuginfod_end) end;
	__typeof__(&debuginfod_find_debuginfo) find;
	__typeof__(&debuginfod_set_progressfn) set_progress;
	__typeof__(&debuginfod_set_user_data) set_data;
	__typeof__(&debuginfod_get_user_data) get_data;
	__typeof__(&debuginfod_set_verbose_fd) set_log;
} library;

enum ending { NOT_ENDED, TOO_SLOW, TOO_LARGE, STOPPED };

struct debuginfod {
	struct symbolizer_downloads options;
	char *urls; /* separated by spaces */
	debuginfod_client *client; /* made when first needed */
	int log; /* what the library says of its work, -1: nowhere */
	bool is_off; /* nothing is asked any more */
	unsigned int failures, max_failures;
	uint64_t file_ns, left_ns; /* time for one file, and for all that are to come */

	/* While a file is asked for. */
	uint64_t deadline_ns;
	uint64_t got; /* bytes, or before they come a small number */
	enum ending ending;
};

static bool load_library(void)
{
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		{ "debuginfod_begin", &library.begin },
		{ "debuginfod_end", &library.end },
		{ "debuginfod_find_debuginfo", &library.find },
		{ "debuginfod_set_progressfn", &library.set_progress },
		{ "debuginfod_set_user_data", &library.set_data },
		{ "debuginfod_get_user_data", &library.get_data },
		{ "debuginfod_set_verbose_fd", &library.set_log },
	};
	bool found = true;

	if (!library.handle)
		library.handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);
	if (!library.handle)
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library.handle, functions[i].name);

		memcpy(functions[i].function, &function, sizeof(function));
		found = found && function;
	}
	return found;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

__attribute__((format(printf, 2, 3))) static void note(struct debuginfod *d, const char *format,
						       ...)
{
	char *text;
	va_list args;
	int length;

	if (!d->options.note)
		return;
	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return;
	d->options.note(d->options.arg, text);
	free(text);
}

/* --- the environment --- */

static uint64_t seconds_for_one(void)
{
	const char *text = getenv(DEBUGINFOD_MAXTIME_ENV_VAR);
	unsigned long seconds = text ? strtoul(text, NULL, 10) : 0;

	if (!seconds)
		return FILE_SECONDS;
	return seconds < MAX_FILE_SECONDS ? seconds : MAX_FILE_SECONDS;
}

static bool is_own_folder(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/*
 * sudo may leave the caller's HOME to root: what root downloads must not fill a folder of theirs with
 * files they cannot replace, nor follow what they put there.
 */
static int choose_cache(void)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");
	const struct passwd *user;
	char *path;
	int err;

	if (getenv(DEBUGINFOD_CACHE_PATH_ENV_VAR) ||
	    (is_own_folder(home) && (!xdg || is_own_folder(xdg))))
		return 0;
	user = getpwuid(geteuid());
	if (!user || !is_own_folder(user->pw_dir))
		return 0;
	if (asprintf(&path, "%s/.cache", user->pw_dir) < 0)
		return -ENOMEM;
	mkdir(path, 0700); /* the library makes the last part only */
	free(path);
	if (asprintf(&path, "%s/.cache/debuginfod_client", user->pw_dir) < 0)
		return -ENOMEM;
	err = setenv(DEBUGINFOD_CACHE_PATH_ENV_VAR, path, 1);
	free(path);
	return err ? -ENOMEM : 0;
}

struct debuginfod *debuginfod_new(const struct symbolizer_downloads *downloads)
{
	struct debuginfod *d = calloc(1, sizeof(*d));
	size_t n = 0;

	if (!d)
		return NULL;
	d->log = -1;
	d->options = *downloads;
	d->urls = strdup(downloads->urls);
	if (!d->urls)
		goto fail;
	d->options.urls = d->urls;
	for (char *at = d->urls; *at; at++) {
		if (*at == ',')
			*at = ' ';
		n += *at != ' ' && (at == d->urls || at[-1] == ' ');
	}
	d->max_failures = n > 1 ? FAILURES_OF_SEVERAL : FAILURES_OF_ONE;
	d->file_ns = seconds_for_one() * NS_PER_SECOND;
	d->left_ns = FILES * d->file_ns;
	if (setenv(DEBUGINFOD_URLS_ENV_VAR, d->urls, 1) || choose_cache())
		goto fail;
	return d;
fail:
	debuginfod_free(d);
	return NULL;
}

void debuginfod_free(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		library.end(d->client);
	if (d->log >= 0)
		close(d->log);
	free(d->urls);
	free(d);
}

/* --- asking --- */

/* Called by the library at least each second; not 0 ends the work on the file. */
static int watch(debuginfod_client *client, long got, long size)
{
	struct debuginfod *d = library.get_data(client);

	d->got = got > 0 ? (uint64_t)got : 0;
	if (now_ns() > d->deadline_ns)
		d->ending = TOO_SLOW;
	else if (got > MAX_FILE || size > MAX_FILE)
		d->ending = TOO_LARGE;
	else if (d->options.go_on &&
		 !d->options.go_on(d->options.arg, d->got, size > 0 ? (uint64_t)size : 0))
		d->ending = STOPPED;
	return d->ending != NOT_ENDED;
}

static bool begin(struct debuginfod *d)
{
	if (d->client)
		return true;
	if (!load_library()) {
		note(d, "debuginfod: cannot load " DEBUGINFOD_SONAME ": install libdebuginfod1");
		return false;
	}
	d->client = library.begin();
	if (!d->client)
		return false;
	library.set_data(d->client, d);
	library.set_progress(d->client, watch);
	d->log = memfd_create("debuginfod", MFD_CLOEXEC);
	if (d->log >= 0)
		library.set_log(d->client, d->log);
	return true;
}

/*
 * A transfer that failed half-way is "no such file" to the library. What tells it from a server that
 * lacks the file is the log, "server response" and libcurl's words. Returns those words, "" if there is
 * nothing to complain of.
 */
static const char *complaint(struct debuginfod *d, char *text, size_t size)
{
	static const char lead[] = "server response ";
	ssize_t length = d->log < 0 ? 0 : pread(d->log, text, size - 1, 0);
	char *at;

	text[length > 0 ? length : 0] = '\0';
	for (at = text; (at = strstr(at, lead)); at++) {
		at += strlen(lead);
		at[strcspn(at, "\n")] = '\0';
		/* The second is every answer but 200. */
		if (strcmp(at, "No error") && strcmp(at, "HTTP response code said error"))
			return at;
		at += strlen(at);
	}
	return "";
}

/* Says what went wrong with a file, and gives up servers that fail. */
static void failed(struct debuginfod *d, const char *build_id, const char *why)
{
	const char *last = "";

	if (d->ending == STOPPED) {
		d->is_off = true;
		return;
	}
	if (d->ending == TOO_LARGE) {
		note(d, "debuginfod: the debug file of build %s is too large", build_id);
		return;
	}
	d->failures += d->ending != TOO_SLOW || d->got < IS_AT_WORK;
	d->is_off = d->failures >= d->max_failures;
	if (d->is_off)
		last = "; no more files are asked for";
	if (d->ending == TOO_SLOW)
		note(d,
		     "debuginfod: no debug file of build %s within %llu s: DEBUGINFOD_MAXTIME=SECONDS "
		     "allows more%s",
		     build_id, (unsigned long long)(d->file_ns / NS_PER_SECOND), last);
	else
		note(d, "debuginfod: %s: no debug file of build %s: %s%s", d->urls, build_id, why,
		     last);
}

static void take_time(struct debuginfod *d, uint64_t spent)
{
	d->left_ns -= spent < d->left_ns ? spent : d->left_ns;
	if (d->left_ns || d->is_off)
		return;
	d->is_off = true;
	note(d, "debuginfod: %llu s went by for debug files: no more are asked for",
	     (unsigned long long)(FILES * d->file_ns / NS_PER_SECOND));
}

static int find(struct debuginfod *d, const char *build_id, char **path)
{
	char log[16 * 1024];
	const char *why = "";
	uint64_t start = now_ns();
	int fd;

	d->deadline_ns = start + (d->file_ns < d->left_ns ? d->file_ns : d->left_ns);
	d->ending = NOT_ENDED;
	d->got = 0;
	if (d->log >= 0 && (ftruncate(d->log, 0) || lseek(d->log, 0, SEEK_SET)))
		return -EIO;
	fd = library.find(d->client, (const unsigned char *)build_id, 0, path);
	if (fd == -ETIME)
		d->ending = TOO_SLOW;
	if (fd == -ENOENT)
		why = complaint(d, log, sizeof(log));
	else if (fd < 0)
		why = strerror(-fd);
	if (fd < 0 && (*why || d->ending != NOT_ENDED))
		failed(d, build_id, why);
	else
		d->failures = 0;
	take_time(d, now_ns() - start);
	return fd;
}

/* --- the proof --- */

/* Whether the file holds all sections that its headers tell of. */
static bool is_whole(int fd)
{
	struct elf_header h;
	struct stat st;
	uint64_t size, table;
	void *headers;
	bool whole;

	if (elf_read_header(fd, &h) || fstat(fd, &st) || !h.shnum ||
	    h.shentsize != elf_section_size(h.is_64))
		return false;
	size = (uint64_t)st.st_size;
	table = (uint64_t)h.shnum * h.shentsize;
	if (h.shoff > size || table > size - h.shoff)
		return false;
	headers = malloc(table);
	whole = headers && !elf_read_at(fd, headers, table, h.shoff);
	for (uint32_t i = 1; i < h.shnum && whole; i++) {
		Elf64_Shdr s = elf_section_at(headers, i, h.is_64);

		whole = s.sh_type == SHT_NOBITS || s.sh_type == SHT_NULL ||
			(s.sh_offset <= size && s.sh_size <= size - s.sh_offset);
	}
	free(headers);
	return whole;
}

/* Why a file is not what was asked for; NULL if it is. */
static const char *fault_of(int fd, const struct elf_shape *wanted)
{
	struct elf_shape shape;

	if (elf_shape_read(fd, &shape))
		return "what came is no ELF file";
	if (shape.machine != wanted->machine || shape.is_64 != wanted->is_64 ||
	    strcmp(shape.build_id, wanted->build_id))
		return "what came is of another build";
	return is_whole(fd) ? NULL : "what came is cut off";
}

int debuginfod_open(struct debuginfod *d, const struct elf_shape *shape)
{
	const char *fault;
	char *path = NULL;
	int fd;

	if (!d || d->is_off || strlen(shape->build_id) < MIN_BUILD_ID)
		return -ENOENT;
	if (!begin(d)) {
		d->is_off = true;
		return -ENOENT;
	}
	fd = find(d, shape->build_id, &path);
	if (fd < 0)
		return -ENOENT;
	fault = fault_of(fd, shape);
	if (fault) {
		note(d, "debuginfod: %s: no debug file of build %s, it is ignored: %s", d->urls,
		     shape->build_id, fault);
		unlink(path); /* from the cache, which would give it again */
		close(fd);
		fd = -ENOENT;
	}
	free(path);
	return fd;
}
