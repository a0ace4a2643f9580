/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps through a unit's entries (DIEs) by itself: libdw looks up every abbreviation under a lock and reads
 * every attribute twice, which is most of the time that names take. What an entry means is left to libdw.
 * Used by dwarf*.c only.
 */
#ifndef PROFBPF_DWARF_SCAN_H
#define PROFBPF_DWARF_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <elfutils/libdw.h>

struct dwarf_scan;

struct dwarf_scan *dwarf_scan_new(void);
void dwarf_scan_free(struct dwarf_scan *scan);

struct dwarf_entry {
	Dwarf_Die die; /* for libdw */
	unsigned int tag;
	bool has_children;
	bool has_extent; /* the code is [low, high) */
	bool has_ranges; /* the code is what dwarf_ranges says; without both, there is none */
	uint64_t low, high;
	const unsigned char *next; /* its first child, else its sibling */
	const unsigned char *sibling; /* as it tells, NULL if it does not */
};

/*
 * Begins with a unit; the scan of another one ends. Returns 0 and where the unit's children begin, NULL if
 * it has none; -ENOEXEC where it is damaged; -ENOMEM.
 */
int dwarf_scan_unit(struct dwarf_scan *scan, Dwarf_Die *unit, const unsigned char **children);

/*
 * Reads the entry at a place in the unit. False at the end of its siblings, where next is set too, and
 * where the unit ends or is damaged: then next is NULL. Each step leads forward.
 */
bool dwarf_scan_read(const struct dwarf_scan *scan, const unsigned char *at, struct dwarf_entry *e);

/* Where what follows an entry and all its children begins; NULL: nothing. */
const unsigned char *dwarf_scan_past(const struct dwarf_scan *scan, const struct dwarf_entry *e);

/* The offset in its section of an entry at a place in the unit. */
Dwarf_Off dwarf_scan_offset(const struct dwarf_scan *scan, const void *at);

#endif
