/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table that people read: flat and cumulative shares, or a call tree, and the same as JSON.
 */
#ifndef PROFBPF_TABLE_H
#define PROFBPF_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct profile;

enum table_by { TABLE_FUNCTION, TABLE_LINE, TABLE_THREAD, TABLE_PROCESS, TABLE_OBJECT };

struct table_options {
	enum table_by by;
	bool places; /* by line: the place first, and all code of an object without a line in few rows */
	bool tree; /* a call tree from the roots instead of a flat table */
	unsigned int top; /* rows at most, 0 for all */
	double percent_limit; /* rows below this cumulative share are left out */
	bool json;
	unsigned int max_depth; /* frames of a stack shown by the tree, innermost; 0 for all */
	unsigned int width; /* columns of the terminal, 0: do not cut names */
	bool color; /* ANSI colours */
};

/*
 * Writes the table to out: the totals and the accounting, then the rows, the heaviest first by their
 * own share (in a tree, by their cumulative one), then a line that says how many rows were left out.
 * Shares are of the last value type, the CPU time. A recursive function counts once a sample.
 * By function, and with places, all code of an object that has no name is one row, "[libfoo.so]". With
 * places a line at the end tells the share of code whose line is not known.
 *
 * Names are made safe for a terminal: control characters and invalid UTF-8 are escaped. Returns 0 or
 * -errno.
 */
int table_write(const struct profile *p, const struct table_options *options, FILE *out);

/*
 * Writes how complete the stacks are: the share that reached its root, and for the others why they end
 * and in which object; the share of frames found by a guess, by object. Of the options json, color and
 * top count. As above.
 */
int table_write_unwind(const struct profile *p, const struct table_options *options, FILE *out);

#endif
