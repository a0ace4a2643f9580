/* SPDX-License-Identifier: BSD-2-Clause */
/* Which compile unit covers which address. Used by dwarf.c only. */
#ifndef PROFBPF_DWARF_UNITS_H
#define PROFBPF_DWARF_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <elfutils/libdw.h>

/*
 * What may still be spent on address ranges. A damaged or hostile file can make every unit and
 * function share one enormous list; honest ones stay far below.
 */
struct range_budget {
	uint64_t left;
};

/*
 * Walks the ranges of a DIE and calls found for each run of addresses[first..end) in ascending order
 * that lies in one. Ranges that begin at 0 belong to code that the linker dropped. Returns false when
 * the budget is used up.
 */
typedef void (*range_sink)(void *arg, size_t first, size_t end, uint64_t extent);
bool dwarf_ranges_of(Dwarf_Die *die, const uint64_t *addresses, size_t n,
		     struct range_budget *budget, range_sink found, void *arg);
/* The same of a single range, [start, end). */
bool dwarf_range_of(uint64_t start, uint64_t end, const uint64_t *addresses, size_t n,
		    struct range_budget *budget, range_sink found, void *arg);

/* The unit of an address; extent is the size of the range that covers it, 0 if there is none. */
struct unit_match {
	Dwarf_Die unit;
	Dwarf_Off offset; /* of the unit's DIE; equal for equal units */
	uint64_t extent;
};

/* Fills n matches for n addresses in ascending order: the unit with the smallest range. */
void dwarf_match_units(Dwarf *dwarf, const uint64_t *addresses, size_t n,
		       struct range_budget *budget, struct unit_match *matches);

#endif
