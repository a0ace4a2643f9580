/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables for people are printed with. */
#ifndef PROFBPF_TABLE_PRINT_H
#define PROFBPF_TABLE_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/table_rows.h"
#include "formats/text.h"

#define TABLE_DIM "\033[2m"
#define TABLE_BOLD "\033[1m"
#define TABLE_RED "\033[31m"
#define TABLE_GREEN "\033[32m"
#define TABLE_RESET "\033[0m"

/* Columns of the numbers before a name. */
#define TABLE_NUMBERS 37

struct table {
	const struct profile *p;
	const struct table_options *o;
	const struct table_rows *r;
	FILE *out;
	/* In a tree: which ancestors of the row have siblings that follow; by depth. */
	char *branches;
	struct text line;
};

/* An escape sequence, or "" where there are no colours. */
const char *table_color(const struct table *t, const char *code);

/* Appends at most width characters of clean text, with "…" for the rest; all with width 0. */
int table_add_cut(struct text *t, const char *s, size_t width);
/* The same for a path, whose end says most. */
int table_add_cut_left(struct text *t, const char *s, size_t width);

/* Prints the cells of shares and values, and the space behind them. */
void table_print_numbers(const struct table *t, const uint64_t *own_values,
			 const uint64_t *cumulative_values);

/* Prints what was profiled, the totals, the accounting and the notes. Returns 0 or -ENOMEM. */
int table_print_header(struct table *t);

#endif
