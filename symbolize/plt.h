/* SPDX-License-Identifier: BSD-2-Clause */
/* The stubs through which an object calls functions of others. Used inside symbolize/ only. */
#ifndef PROFBPF_PLT_H
#define PROFBPF_PLT_H

#include <libelf.h>

#include "symbolize/symbols.h"

/*
 * Adds the stubs of an x86-64 object to its symbols, which must be all there: that of a function with
 * a resolver has the resolver's name. Names point into elf, which must outlive the table. Stubs that
 * cannot be told apart are left out. Returns 0 or -ENOMEM.
 */
int plt_add(struct symbol_table *t, Elf *elf);

#endif
