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

struct dwarf_lines;

/* The place of an address; file is for dwarf_lines_file, line and column are 0 where unknown. */
struct dwarf_row {
	uint64_t file;
	uint32_t line, column, discriminator;
	bool found;
};

/*
 * Reads the head of a unit's table. What its bytes are in must outlive it. Returns 0; -ENOENT where there is
 * none; -ENOEXEC where it is damaged, or of a version that is not known; -ENOMEM.
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

#endif
