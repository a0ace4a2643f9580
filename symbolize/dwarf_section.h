/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of debug sections, for what is read without libdw. Used by dwarf*.c only. */
#ifndef PROFBPF_DWARF_SECTION_H
#define PROFBPF_DWARF_SECTION_H

#include <stdbool.h>
#include <elfutils/libdw.h>

#include "symbolize/dwarf_bytes.h"

/* The section that a unit is in. False if it can not be told. */
bool dwarf_section_around(Dwarf_Die *unit, struct dwarf_bytes *section);

/*
 * The section ".debug_NAME" of the file that a unit is in, ".debug_NAME.dwo" if the unit is in such a one. It
 * ends at *section's end; without it, and at an offset outside of it, at is NULL.
 */
struct dwarf_bytes dwarf_section_at(Dwarf_Die *unit, const char *name, uint64_t offset);

#endif
