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
	const char *scope; /* "ns::Class::" for a C++ name that has no mangled one; or NULL */
	const char *file; /* of the place in this function; NULL: unknown */
	const unsigned char *md5; /* of the file, 16 bytes; NULL: unknown */
	uint32_t line, column, discriminator, start_line;
	const struct dwarf_function *function;
};

/* Whether the function's own code includes the address. */
bool dwarf_function_contains(const struct dwarf_function *f, uint64_t address);

/*
 * What is known of an address: the frames, innermost first, and the place in the line table, which is
 * that of the first frame if there is one. All strings are valid during the call.
 */
struct dwarf_place {
	const struct dwarf_frame *frames;
	size_t n;
	const char *directory; /* where the compiler ran; NULL: unknown */
	const char *file; /* NULL: unknown */
	const unsigned char *md5; /* as above */
	uint32_t line, column, discriminator;
};

/* Told of the address with this index. A negative value stops the work. */
typedef int (*dwarf_sink)(void *arg, size_t index, const struct dwarf_place *place);

struct symbol_source;

/* Where debug data comes from. */
struct dwarf_files {
	Elf *elf; /* has the units */
	Elf *shared; /* what elf shares with others, NULL: nothing */
	Elf *object; /* elf itself, or what elf is the debug file of */
	const struct symbol_source *source; /* of object, beside which split units are looked for */
	const char *const *debug_dirs; /* NULL-terminated, or NULL */
};

/*
 * Looks up n distinct addresses in ascending order. The sink is called for those that a compile unit
 * covers, each once. Each unit is read once. Returns 0, also where there is no debug data or it is
 * damaged; -ENOMEM; the sink's value.
 */
int dwarf_names(const struct dwarf_files *files, const uint64_t *addresses, size_t n,
		dwarf_sink sink, void *arg);

#endif
