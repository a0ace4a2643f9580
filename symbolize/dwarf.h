/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions, inlined calls and lines from DWARF. Used inside symbolize/ only. */
#ifndef PROFBPF_DWARF_H
#define PROFBPF_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <libelf.h>

struct dwarf_frame {
	const char *name; /* DW_AT_name, NULL if there is none */
	const char *linkage; /* the mangled name, NULL if there is none */
	const char *file; /* of the place in this function; NULL: unknown */
	uint32_t line, column, start_line;
	/* Of the physical function, the last frame: whether a symbol that starts at this address
	 * belongs to it. */
	const struct dwarf_function *function;
};

bool dwarf_function_contains(const struct dwarf_function *f, uint64_t address);

/*
 * Told what is known of the address with this index: the frames, innermost first, and the place in
 * the line table, which is that of the first frame if there is one. Strings are valid until
 * dwarf_names returns. A negative value stops the work.
 */
struct dwarf_place {
	const struct dwarf_frame *frames;
	size_t n;
	const char *file; /* NULL: unknown */
	uint32_t line, column;
};
typedef int (*dwarf_sink)(void *arg, size_t index, const struct dwarf_place *place);

/*
 * Looks up n distinct addresses in ascending order. The sink is called for those that a compile unit
 * covers, each once. Each unit is read once. Returns 0, also where elf has no debug data or
 * it is damaged; -ENOMEM; the sink's value.
 */
int dwarf_names(Elf *elf, const uint64_t *addresses, size_t n, dwarf_sink sink, void *arg);

#endif
