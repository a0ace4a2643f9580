/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The line table of a unit. libdw keeps and sorts all rows of a table before the first can be looked up; here
 * a table is run through once for all addresses asked for. Used by dwarf.c only.
 */
#ifndef PROFBPF_DWARF_LINES_H
#define PROFBPF_DWARF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <elfutils/libdw.h>

#include "symbolize/dwarf_bytes.h"

#define DWARF_MD5_SIZE 16

struct dwarf_lines;

/* The place of an address; file is for dwarf_lines_file, line and column are 0 where unknown. */
struct dwarf_row {
	uint64_t file;
	uint32_t line, column, discriminator;
	bool found;
};

/* What a table is read from. All of it must outlive the table. */
struct dwarf_lines_source {
	struct dwarf_bytes table; /* up to the end of its section */
	struct dwarf_bytes line_strings, strings; /* the sections that names may be in */
	const char *directory; /* where the compiler ran, NULL: unknown */
};

/* Reads the head of a table. Returns 0; -ENOEXEC where it is damaged, or of a version that is not known; -ENOMEM. */
int dwarf_lines_read(const struct dwarf_lines_source *source, struct dwarf_lines **lines);

/*
 * The same of a unit's table, which what the unit's bytes are in must outlive; -ENOENT where there is none.
 */
int dwarf_lines_new(Dwarf_Die *unit, struct dwarf_lines **lines);
void dwarf_lines_free(struct dwarf_lines *lines);

/* Fills the rows of n addresses in ascending order. */
void dwarf_lines_find(struct dwarf_lines *lines, const uint64_t *addresses, size_t n,
		      struct dwarf_row *rows);

/*
 * The file of a number, in the table or in the unit's DW_AT_call_file, below its directory if it has one: that
 * may be relative to where the compiler ran. Equal numbers give equal pointers. NULL if there is no such file,
 * or out of memory. The string belongs to lines.
 */
const char *dwarf_lines_file(struct dwarf_lines *lines, uint64_t number);

/* The MD5 checksum of that file's contents, a part of the table: DWARF 5 may have them. NULL if it has none. */
const unsigned char *dwarf_lines_md5(const struct dwarf_lines *lines, uint64_t number);

#endif
