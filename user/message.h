/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the program says on stderr. Verbs print, libraries do not. Each message is one line that
 * begins "profbpf: "; strings from outside must go through printable() first.
 */
#ifndef PROFBPF_MESSAGE_H
#define PROFBPF_MESSAGE_H

#include <stddef.h>

enum message_level { MESSAGE_QUIET, MESSAGE_NORMAL, MESSAGE_VERBOSE };

/* -q and -v. Errors are always said. */
void message_set_level(enum message_level level);
enum message_level message_level(void);

void error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2))); /* not with -q */
void detail(const char *format, ...) __attribute__((format(printf, 1, 2))); /* with -v */

/* Shows work of over a second on a terminal, on one line that the next message erases. Nothing if
 * stderr is no terminal, or with -q. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_clear(void);

/* s with control characters and bytes that are not UTF-8 escaped, in buf; returns buf. */
const char *printable(const char *s, char *buf, size_t size);

#endif
