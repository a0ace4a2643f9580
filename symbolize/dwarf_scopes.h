/* SPDX-License-Identifier: BSD-2-Clause */
/* The namespaces and classes around the functions of a unit. Used by dwarf.c only. */
#ifndef PROFBPF_DWARF_SCOPES_H
#define PROFBPF_DWARF_SCOPES_H

#include <elfutils/libdw.h>

struct dwarf_scan;
struct dwarf_scopes;

/*
 * Walks the whole unit that is being scanned once, from its children on. For functions without a mangled name only (lambdas, templates over a
 * lambda's type), so that "operator()" says of what. NULL when out of memory.
 */
struct dwarf_scopes *dwarf_scopes_new(const struct dwarf_scan *scan, const unsigned char *children);
void dwarf_scopes_free(struct dwarf_scopes *s);

/*
 * "std::", "shop::Cart<long>::", "main::<lambda(int)>::", of where a function, or the function that
 * an inlined call or a definition refers to, is declared. NULL for a plain function, where it is
 * unknown, when out of memory, or s is NULL. The string belongs to s.
 */
const char *dwarf_scope_of(struct dwarf_scopes *s, Dwarf_Die *function);

#endif
