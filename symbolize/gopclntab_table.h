/* SPDX-License-Identifier: BSD-2-Clause */
/* A Go table in memory. Used by gopclntab.c and gopclntab_read.c only. */
#ifndef PROFBPF_GOPCLNTAB_TABLE_H
#define PROFBPF_GOPCLNTAB_TABLE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "symbolize/elf_read.h"

/* What the header says, in words of it or, in old tables, where it is always the same. */
enum { N_FUNCTIONS, N_FILES, TEXT_START, NAMES, UNITS, FILES, PROGRAMS, RECORDS, N_WORDS };

/* A form of the table, from a version of Go to the one before the next form. */
struct gopclntab_form {
	uint32_t magic;
	size_t header_size;
	/* The words in the header after its first 8 bytes. Those that are not there are 0. */
	uint8_t n_words, words[N_WORDS];
	/* Addresses of code are 4 bytes from its start on, or 8 for themselves. */
	uint8_t address_size;
	/* What comes before a record's programs' offsets: the last byte is the number of its data. */
	uint8_t record_size;
	uint8_t data; /* index of the tree of inlined calls among a record's data */
	bool has_units; /* files are numbered in each unit of compilation anew */
	bool has_start_lines; /* and other inlined calls */
	uint8_t module_inlined; /* word of a module's data with the place of all records' data */
};

struct gopclntab {
	int fd;
	struct elf_header elf;
	Elf64_Phdr *segments; /* that are loaded */
	size_t n_segments;
	Elf64_Shdr *sections;
	char *names; /* of the sections */
	size_t names_size;
	bool is_1_13; /* or newer: older programs do not tell which Go made them */

	uint8_t *bytes;
	size_t size;
	uint64_t address; /* of the table */
	const struct gopclntab_form *form;
	uint64_t word[N_WORDS];
	uint64_t functions; /* offset of their list */
	uint64_t text, inlined; /* addresses; inlined 0: unknown */
	uint64_t pieces_left, scan_left;
};

static inline uint32_t gopclntab_u32(const struct gopclntab *t, uint64_t offset)
{
	uint32_t value = 0;

	if (offset <= t->size && t->size - offset >= sizeof(value))
		memcpy(&value, t->bytes + offset, sizeof(value));
	return value;
}

static inline uint64_t gopclntab_u64(const struct gopclntab *t, uint64_t offset)
{
	uint64_t value = 0;

	if (offset <= t->size && t->size - offset >= sizeof(value))
		memcpy(&value, t->bytes + offset, sizeof(value));
	return value;
}

/* Reads what is loaded at an address; false where the file has nothing for it. */
bool gopclntab_read_loaded(const struct gopclntab *t, uint64_t address, void *out, uint64_t size);

#endif
