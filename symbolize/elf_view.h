/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files made in memory to show libdw what it should see. Used inside symbolize/ only. */
#ifndef PROFBPF_ELF_VIEW_H
#define PROFBPF_ELF_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include <libelf.h>

#define ELF_VIEW_SECTIONS 12

struct elf_view_section {
	const char *name;
	uint64_t offset, size; /* in the file */
};

/* Bytes before the contents, and of the table of n sections with their names. */
#define ELF_VIEW_HEADER sizeof(Elf64_Ehdr)
size_t elf_view_table_size(const struct elf_view_section *sections, size_t n);

/*
 * Makes a 64-bit ELF file of this machine's byte order of what lies behind file: writes its header there,
 * and at table_at, a multiple of 8, the table of n (at most ELF_VIEW_SECTIONS) sections.
 */
void elf_view_write(unsigned char *file, uint64_t table_at, const struct elf_view_section *sections,
		    size_t n);

/* The contents of the first section with a name and contents; NULL if there is none. */
Elf_Data *elf_section_named(Elf *elf, const char *name);
/* Of the next one after *scn (NULL: the first), which becomes that. */
Elf_Data *elf_section_next(Elf *elf, const char *name, Elf_Scn **scn);

#endif
