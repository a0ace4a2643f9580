/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps libdw from opening files on its own. Used by dwarf.c only. */
#ifndef PROFBPF_DWARF_ALT_H
#define PROFBPF_DWARF_ALT_H

#include <elfutils/libdw.h>

struct dwarf_alt;

/*
 * Gives dwarf its supplementary file, which must outlive it, or where that is NULL or no good an empty
 * one. Without any libdw opens whatever path .gnu_debugaltlink holds, be it a FIFO, where it would wait
 * forever, as soon as an attribute refers to it. NULL when out of memory. Free it after
 * dwarf_end(dwarf).
 */
struct dwarf_alt *dwarf_alt_new(Dwarf *dwarf, Elf *shared);
void dwarf_alt_free(struct dwarf_alt *alt);

#endif
