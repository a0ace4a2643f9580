// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "symbolize/dwarf_alt.h"
#include "symbolize/elf_view.h"

/* An ELF file with nothing but a .debug_info section too short to hold a unit. */
static const struct elf_view_section too_short = { ".debug_info", ELF_VIEW_HEADER, 4 };
#define TABLE_AT (ELF_VIEW_HEADER + 8)
#define FILE_ROOM 512 /* bytes: that, and a table of three sections with their names */

struct dwarf_alt {
	unsigned char file[FILE_ROOM];
	Elf *elf;
	Dwarf *dwarf;
	struct dwarf_alt *next; /* of the shared file, which should have none */
};

struct dwarf_alt *dwarf_alt_new(Dwarf *dwarf, Elf *shared)
{
	struct dwarf_alt *alt = calloc(1, sizeof(*alt));

	if (!alt)
		return NULL;
	if (shared)
		alt->dwarf = dwarf_begin_elf(shared, DWARF_C_READ, NULL);
	if (!alt->dwarf) {
		elf_view_write(alt->file, TABLE_AT, &too_short, 1);
		alt->elf = elf_memory((char *)alt->file, sizeof(alt->file));
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
