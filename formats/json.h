/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces of JSON that several writers use. The stream keeps its error. */
#ifndef PROFBPF_JSON_H
#define PROFBPF_JSON_H

#include <stdint.h>
#include <stdio.h>

/* A string of any bytes, cleaned as text_add_clean does. Returns 0 or -ENOMEM. */
int json_string(FILE *out, const char *s);

/* Members of an object after the first, each on a line of its own. As above. */
int json_member(FILE *out, const char *name, const char *value);
void json_number(FILE *out, const char *name, uint64_t value);
/* An array with each line of a text. */
int json_lines(FILE *out, const char *name, const char *text);

/* A member after the first, on the same line; with a point whatever the locale. */
void json_percent(FILE *out, const char *name, double percent);

#endif
