/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbol tables of an object. Used inside symbolize/ only. */
#ifndef PROFBPF_SYMBOLS_H
#define PROFBPF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <libelf.h>

struct symbol_table;

struct symbol_table *symbol_table_new(void);
void symbol_table_free(struct symbol_table *t);

/*
 * Adds the code symbols of the first section of a type (SHT_SYMTAB or SHT_DYNSYM). Names point into
 * elf, which must outlive the table. Returns the number added, 0 also where there is no such
 * section, or -ENOMEM.
 */
long symbol_table_add(struct symbol_table *t, Elf *elf, unsigned int section_type);

/* Adds a stub of the function with this name, which must outlive the table. Returns 0 or -ENOMEM. */
int symbol_table_add_stub(struct symbol_table *t, uint64_t start, uint64_t size, const char *name);

/* Whether one of the names is of LLGo's runtime: names with dots are then Go's. */
bool symbol_table_is_llgo(const struct symbol_table *t);

/*
 * Tells where functions start that have no symbol, as in a stripped file: n addresses in ascending order,
 * which must outlive the table. A symbol without a size ends there.
 */
void symbol_table_set_starts(struct symbol_table *t, const uint64_t *starts, size_t n);

/* The best name, with its version, of what starts at an address; NULL if nothing does. */
const char *symbol_table_name_at(struct symbol_table *t, uint64_t address);

struct symbol_hit {
	const char *name; /* NULL: no symbol covers the address */
	size_t length; /* of the name, without a version ("@@GLIBC_2.14") */
	uint64_t start, end; /* end == start: its size is not known */
	bool stub; /* not the function of this name, but a stub that jumps to it */
};

/*
 * Finds the symbols of n addresses in ascending order, in one sweep over both.
 *
 * The rule: the symbol with a size that covers the address, the one that starts last if several do.
 * Of those that start together: the shortest in extent; a function before a symbol without a type;
 * global before local before weak; the shorter name; the lexically first. Where none covers it, the
 * last symbol without a size, if no other symbol, or function without one, starts between it and the address,
 * both lie in one section, and it lies itself inside no symbol that has a size. Everything else is a gap, and has
 * no name.
 *
 * Returns 0 or -ENOMEM.
 */
int symbol_table_find(struct symbol_table *t, const uint64_t *addresses, size_t n,
		      struct symbol_hit *hits);

#endif
