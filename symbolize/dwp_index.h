/* SPDX-License-Identifier: BSD-2-Clause */
/* The index of a package of split debug data. Used inside symbolize/ only. */
#ifndef PROFBPF_DWP_INDEX_H
#define PROFBPF_DWP_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a unit that functions and lines are read from. */
enum dwp_part {
	DWP_INFO,
	DWP_ABBREV,
	DWP_LINE,
	DWP_STR_OFFSETS,
	DWP_RNGLISTS,
	DWP_PARTS,
};

/* A view of a .debug_cu_index section, which must outlive it. */
struct dwp_index {
	const unsigned char *bytes;
	uint32_t n_columns, n_units, n_slots;
	uint32_t column[DWP_PARTS]; /* of a row; UINT32_MAX: the package has no such part */
};

/* Where the part of a unit lies in the section of the package for all parts of its kind. */
struct dwp_slice {
	uint64_t offset, size;
};

/*
 * Reads the head of an index of version 5 (DWARF 5, 7.3.5.3) or 2, which GCC and LLVM wrote before ("DWARF
 * Extensions for Separate Debug Information Files", GCC's wiki). Returns whether it is one, and whole.
 */
bool dwp_index_read(const void *bytes, size_t size, struct dwp_index *index);

/* Finds the unit with an id. Returns false, slices untouched, if there is none. */
bool dwp_index_find(const struct dwp_index *index, uint64_t id, struct dwp_slice *slices);

#endif
