// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_alt.h"

#define NAMES "\0.debug_info\0.shstrtab"

/* An ELF file with nothing but a .debug_info section too short to hold a unit. */
struct empty_file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char info[4];
	char names[sizeof(NAMES)];
};

struct dwarf_alt {
	struct empty_file file;
	Elf *elf;
	Dwarf *dwarf;
	struct dwarf_alt *next; /* of the shared file, which should have none */
};

static void fill(struct empty_file *f)
{
	const uint16_t one = 1;
	bool little = *(const unsigned char *)&one;

	*f = (struct empty_file){
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				     little ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_shoff = offsetof(struct empty_file, sections),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = 3,
			.e_shstrndx = 2,
		},
		.sections = {
			{ .sh_type = SHT_NULL },
			{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
			  .sh_offset = offsetof(struct empty_file, info),
			  .sh_size = sizeof(f->info) },
			{ .sh_name = sizeof("\0.debug_info"), .sh_type = SHT_STRTAB,
			  .sh_offset = offsetof(struct empty_file, names),
			  .sh_size = sizeof(f->names), .sh_addralign = 1 },
		},
		.names = NAMES,
	};
}

struct dwarf_alt *dwarf_alt_new(Dwarf *dwarf, Elf *shared)
{
	struct dwarf_alt *alt = calloc(1, sizeof(*alt));

	if (!alt)
		return NULL;
	if (shared)
		alt->dwarf = dwarf_begin_elf(shared, DWARF_C_READ, NULL);
	if (!alt->dwarf) {
		fill(&alt->file);
		alt->elf = elf_memory((char *)&alt->file, sizeof(alt->file));
		alt->dwarf = alt->elf ? dwarf_begin_elf(alt->elf, DWARF_C_READ, NULL) : NULL;
	}
	if (alt->dwarf && !alt->elf)
		alt->next = dwarf_alt_new(alt->dwarf, NULL);
	if (!alt->dwarf || (!alt->elf && !alt->next)) {
		dwarf_alt_free(alt);
		return NULL;
	}
	dwarf_setalt(dwarf, alt->dwarf);
	return alt;
}

void dwarf_alt_free(struct dwarf_alt *alt)
{
	if (!alt)
		return;
	dwarf_end(alt->dwarf);
	elf_end(alt->elf);
	dwarf_alt_free(alt->next);
	free(alt);
}
