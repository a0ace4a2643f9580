/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text that is safe to hand to a terminal or to a format that must be UTF-8: names come from
 * targets and may hold any bytes.
 */
#ifndef PROFBPF_TEXT_H
#define PROFBPF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A string that grows. Zeroed, it is empty; s is NULL then. */
struct text {
	char *s;
	size_t n, room;
};

void text_free(struct text *t);

/*
 * Appends s, terminated, with bytes that are not UTF-8 and control characters (those that reorder
 * text included) written \xNN or \uNNNN; other text stays as it is. Returns 0 or -ENOMEM.
 */
int text_add_clean(struct text *t, const char *s);
/* The same of n bytes, NUL among them; s[n] is NUL. */
int text_add_clean_bytes(struct text *t, const char *s, size_t n);
/* Appends bytes as they are. Returns 0 or -ENOMEM. */
int text_add(struct text *t, const char *s, size_t n);
/* Empties t and keeps its memory. */
void text_clear(struct text *t);

/*
 * The length of the UTF-8 character at s and its code point, or 0 if the bytes there are not one
 * (overlong, a surrogate, cut off). s is not empty.
 */
size_t text_decode(const char *s, uint32_t *code);

/* Whether a character moves the cursor or changes how the text around it is shown. */
bool text_is_control(uint32_t code);

/* Writes clean text as a JSON string, quotes included. The stream keeps its error. */
void text_write_json(FILE *out, const char *s);

/* Columns of a terminal that clean text takes, by the count of its characters. */
size_t text_width(const char *s);

#endif
