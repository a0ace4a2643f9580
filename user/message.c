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

/*
 * The length of the UTF-8 sequence at s and its code point; 0 if it is none (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF).
 */
static size_t utf8_decode(const unsigned char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n;

	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	if ((s[0] & 0xe0) == 0xc0)
		n = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		n = 3;
	else if ((s[0] & 0xf8) == 0xf0)
		n = 4;
	else
		return 0;
	*code = s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3fU);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return n;
}

/* Characters that steer a terminal or reorder the text around them. */
static bool is_unsafe(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

const char *printable(const char *s, char *buf, size_t size)
{
	const unsigned char *at = (const unsigned char *)s;
	size_t used = 0;

	while (*at) {
		uint32_t code = 0;
		size_t n = utf8_decode(at, &code);
		bool plain = n > 0 && !is_unsafe(code);
		size_t need;

		/* Of a bad sequence one byte only: the rest may begin a good one. */
		if (n == 0)
			n = 1;
		need = plain ? n : 4 * n;
		if (used + need >= size)
			break;
		for (size_t i = 0; i < n; i++) {
			if (plain)
				buf[used + i] = (char)at[i];
			else
				snprintf(buf + used + 4 * i, 5, "\\x%02x", at[i]);
		}
		at += n;
		used += need;
	}
	if (size > 0)
		buf[used] = '\0';
	return buf;
}
