// SPDX-License-Identifier: BSD-2-Clause
#include "user/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "formats/text.h"

#define NS_PER_SEC 1000000000ULL
#define PROGRESS_DELAY_NS NS_PER_SEC
#define PROGRESS_INTERVAL_NS (NS_PER_SEC / 10)

/* The state of the one terminal line that this process writes to. */
static struct {
	enum message_level level;
	bool shown; /* a progress line is on the terminal */
	uint64_t begin_ns; /* of the work that is shown, 0: none */
	uint64_t last_ns;
} messages = { .level = MESSAGE_NORMAL };

void message_set_level(enum message_level level)
{
	messages.level = level;
}

enum message_level message_level(void)
{
	return messages.level;
}

static void erase_progress(void)
{
	if (!messages.shown)
		return;
	fputs("\r\033[K", stderr);
	messages.shown = false;
}

__attribute__((format(printf, 2, 0))) static void say(const char *prefix, const char *format,
						      va_list args)
{
	erase_progress();
	fputs("profbpf: ", stderr);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	fflush(stderr);
}

#define SAY(prefix, format)                                                                        \
	do {                                                                                       \
		va_list args_;                                                                     \
		va_start(args_, format);                                                           \
		say(prefix, format, args_);                                                        \
		va_end(args_);                                                                     \
	} while (0)

void error(const char *format, ...)
{
	SAY("", format);
}

void warning(const char *format, ...)
{
	SAY("warning: ", format);
}

void note(const char *format, ...)
{
	if (messages.level >= MESSAGE_NORMAL)
		SAY("", format);
}

void detail(const char *format, ...)
{
	if (messages.level >= MESSAGE_VERBOSE)
		SAY("", format);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

void progress(const char *format, ...)
{
	char line[256];
	struct winsize size = { 0 };
	uint64_t now = now_ns();
	va_list args;

	if (messages.level == MESSAGE_QUIET || !isatty(STDERR_FILENO))
		return;
	if (messages.begin_ns == 0)
		messages.begin_ns = now;
	if (now - messages.begin_ns < PROGRESS_DELAY_NS ||
	    now - messages.last_ns < PROGRESS_INTERVAL_NS)
		return;
	messages.last_ns = now;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* A line that wraps could not be erased. */
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
	    size.ws_col <= sizeof(line))
		line[size.ws_col - 1] = '\0';
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
	messages.shown = true;
}

void progress_clear(void)
{
	erase_progress();
	fflush(stderr);
	messages.begin_ns = 0;
}

const char *printable(const char *s, char *buf, size_t size)
{
	size_t used = 0;

	while (*s) {
		uint32_t code = 0;
		size_t n = text_decode(s, &code);
		bool plain = n > 0 && !text_is_control(code);
		size_t need;

		/* Of a bad sequence one byte only: the rest may begin a good one. */
		if (n == 0)
			n = 1;
		need = plain ? n : 4 * n;
		if (used + need >= size)
			break;
		for (size_t i = 0; i < n; i++) {
			if (plain)
				buf[used + i] = s[i];
			else
				snprintf(buf + used + 4 * i, 5, "\\x%02x", (unsigned char)s[i]);
		}
		s += n;
		used += need;
	}
	if (size > 0)
		buf[used] = '\0';
	return buf;
}
