// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <gelf.h>
#include <string.h>

#include "symbolize/elf_view.h"

#define NAME_OF_NAMES ".shstrtab"

static size_t names_size(const struct elf_view_section *sections, size_t n)
{
	size_t size = 1 + sizeof(NAME_OF_NAMES);

	for (size_t i = 0; i < n; i++)
		size += strlen(sections[i].name) + 1;
	return size;
}

/* One without a name is the first, another with the names is the last. */
size_t elf_view_table_size(const struct elf_view_section *sections, size_t n)
{
	return (n + 2) * sizeof(Elf64_Shdr) + names_size(sections, n);
}

static void write_header(unsigned char *file, uint64_t table_at, size_t n)
{
	const uint16_t one = 1;
	const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64, /* libdw wants one that it knows */
		.e_version = EV_CURRENT,
		.e_shoff = table_at,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(n + 2),
		.e_shstrndx = (Elf64_Half)(n + 1),
	};

	memcpy(file, &header, sizeof(header));
}

/* Appends a name to those written so far; returns where it is among them. */
static uint32_t write_name(unsigned char *names, size_t *used, const char *name)
{
	uint32_t at = (uint32_t)*used;
	size_t size = strlen(name) + 1;

	memcpy(names + at, name, size);
	*used += size;
	return at;
}

void elf_view_write(unsigned char *file, uint64_t table_at, const struct elf_view_section *sections,
		    size_t n)
{
	uint64_t names_at = table_at + (n + 2) * sizeof(Elf64_Shdr);
	unsigned char *names = file + names_at;
	Elf64_Shdr table[ELF_VIEW_SECTIONS + 2] = { 0 };
	size_t used = 1;

	*names = '\0';
	for (size_t i = 0; i < n; i++)
		table[i + 1] = (Elf64_Shdr){
			.sh_name = write_name(names, &used, sections[i].name),
			.sh_type = SHT_PROGBITS,
			.sh_offset = sections[i].offset,
			.sh_size = sections[i].size,
			.sh_addralign = 1,
		};
	table[n + 1] = (Elf64_Shdr){
		.sh_name = write_name(names, &used, NAME_OF_NAMES),
		.sh_type = SHT_STRTAB,
		.sh_offset = names_at,
		.sh_size = used,
		.sh_addralign = 1,
	};
	memcpy(file + table_at, table, (n + 2) * sizeof(Elf64_Shdr));
	write_header(file, table_at, n);
}

Elf_Data *elf_section_next(Elf *elf, const char *name, Elf_Scn **scn)
{
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((*scn = elf_nextscn(elf, *scn))) {
		const char *s = gelf_getshdr(*scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		Elf_Data *data;

		if (!s || h.sh_type == SHT_NOBITS || strcmp(s, name))
			continue;
		data = elf_rawdata(*scn, NULL);
		if (data && data->d_buf && data->d_size)
			return data;
	}
	return NULL;
}

Elf_Data *elf_section_named(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;

	return elf_section_next(elf, name, &scn);
}
