/* SPDX-License-Identifier: BSD-2-Clause */
/* Units whose tree is in another file than their addresses (split DWARF). Used by dwarf.c only. */
#ifndef PROFBPF_DWARF_SPLIT_H
#define PROFBPF_DWARF_SPLIT_H

#include <elfutils/libdw.h>

struct symbol_source;
struct dwarf_split;

/*
 * For the units of elf, the object's or its debug file's. All arguments must outlive it; object is what
 * source is the file of. NULL when out of memory.
 */
struct dwarf_split *dwarf_split_new(Elf *elf, Elf *object, const struct symbol_source *source,
				    const char *const *debug_dirs);
/* Accepts NULL. */
void dwarf_split_free(struct dwarf_split *split);

/*
 * Finds the unit that belongs to a skeleton, in the object's package or in a file of its own. It and all
 * that is got from it is valid until the next call. Returns 0; -ENOENT where unit is no skeleton or there is
 * none with its id, *unit untouched; -ENOMEM.
 */
int dwarf_split_open(struct dwarf_split *split, Dwarf_Die *skeleton, Dwarf_Die *unit);

#endif
