/* SPDX-License-Identifier: BSD-2-Clause */
/* Listings for people: the lines of a text, or instructions, with counts beside them. */
#ifndef PROFBPF_LISTING_WRITE_H
#define PROFBPF_LISTING_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct listing_function;
struct listing_row;
struct profile;
struct table_options;

struct listing_line {
	char place[24]; /* a line's number, an instruction's address */
	const char *text; /* any bytes, NULL: not to be had */
	const struct listing_row *row; /* NULL: nothing was counted here */
	bool keep; /* shown, with its surroundings, though nothing was counted */
};

struct listing_writer;

/*
 * Of the options width and color count; all must outlive the writer, which the caller frees. The
 * following write to out, in this order. They return 0 or -ENOMEM; the stream keeps its error. All text
 * is made safe for a terminal, tabs are expanded, and lines are cut.
 */
int listing_writer_new(const struct profile *p, const struct table_options *o, FILE *out,
		       struct listing_writer **w);
/* Accepts NULL. */
void listing_writer_free(struct listing_writer *w);

/* What was profiled, as a table has it. */
int listing_write_header(struct listing_writer *w);
/* A function's name, object and counts, after an empty line. */
int listing_write_function(struct listing_writer *w, const struct listing_function *f);
/* A line to the reader. */
int listing_write_note(struct listing_writer *w, const char *note);
/* The lines near one that has counts or is kept, under a heading; the others are left out, with a mark. */
int listing_write_lines(struct listing_writer *w, const char *heading,
			const struct listing_line *lines, size_t n);

#endif
