// SPDX-License-Identifier: BSD-2-Clause
#include <gelf.h>
#include <string.h>

#include "symbolize/dwarf_section.h"

#define PREFIX ".debug_"
#define SPLIT ".dwo"

struct section {
	const char *name;
	Elf_Data *data;
};

static bool next_section(Elf *elf, size_t names, Elf_Scn **scn, struct section *s)
{
	GElf_Shdr h;

	while ((*scn = elf_nextscn(elf, *scn))) {
		s->name = gelf_getshdr(*scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		if (!s->name || h.sh_type == SHT_NOBITS || strncmp(s->name, PREFIX, strlen(PREFIX)))
			continue;
		s->data = elf_rawdata(*scn, NULL);
		if (s->data && s->data->d_buf && s->data->d_size)
			return true;
	}
	return false;
}

static bool find_around(Elf *elf, const unsigned char *at, struct section *s)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	while (next_section(elf, names, &scn, s)) {
		const unsigned char *start = s->data->d_buf;

		if (at >= start && at < start + s->data->d_size)
			return true;
	}
	return false;
}

static Elf *elf_of(Dwarf_Die *unit)
{
	return dwarf_getelf(dwarf_cu_getdwarf(unit->cu));
}

bool dwarf_section_around(Dwarf_Die *unit, struct dwarf_bytes *section)
{
	struct section s;

	if (!find_around(elf_of(unit), unit->addr, &s))
		return false;
	section->at = s.data->d_buf;
	section->end = section->at + s.data->d_size;
	return true;
}

static bool is_split(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(SPLIT) && !strcmp(name + length - strlen(SPLIT), SPLIT);
}

static bool is_called(const char *section, const char *name, bool split)
{
	size_t length = strlen(name);

	section += strlen(PREFIX);
	return !strncmp(section, name, length) && !strcmp(section + length, split ? SPLIT : "");
}

struct dwarf_bytes dwarf_section_at(Dwarf_Die *unit, const char *name, uint64_t offset)
{
	struct dwarf_bytes found = { NULL, NULL };
	Elf *elf = elf_of(unit);
	Elf_Scn *scn = NULL;
	struct section s;
	size_t names;
	bool split;

	if (!find_around(elf, unit->addr, &s) || elf_getshdrstrndx(elf, &names))
		return found;
	split = is_split(s.name);
	while (next_section(elf, names, &scn, &s)) {
		if (!is_called(s.name, name, split))
			continue;
		found.end = (const unsigned char *)s.data->d_buf + s.data->d_size;
		if (offset < s.data->d_size)
			found.at = (const unsigned char *)s.data->d_buf + offset;
		break;
	}
	return found;
}
