// SPDX-License-Identifier: BSD-2-Clause
/*
 * libdw puts the two halves of a unit together by itself, but opens whatever path the skeleton tells, be
 * it a FIFO, knows no packages (elfutils 0.188), and would map a file that may be truncated meanwhile. So
 * it is shown another skeleton, with the same id, bases and addresses, whose path is that of a checked copy.
 */
#include <dwarf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/debugfile.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/elf_view.h"
#include "symbolize/split_file.h"

#define MAX_PATH 4096
/* Bytes of all own files of an object's units. A hostile one may let each of them be an enormous one. */
#define MAX_READ (8ULL << 30)
#define UNIT_ROOM 128 /* bytes of the skeleton, and of its abbreviation */
#define PADDING 64 /* zeros behind all, where reading comes to an end */

/* The sections of the file with the skeleton. The last two are copies of elf's. */
enum { INFO, ABBREV, ADDR, RANGES, N_SECTIONS };

struct dwarf_split {
	Elf *elf, *object;
	const struct symbol_source *source;
	const char *const *debug_dirs;

	unsigned char *bytes; /* the file with the skeleton; made when first needed */
	size_t size;
	struct elf_view_section sections[N_SECTIONS];

	struct split_file *package;
	bool looked_for_package;
	uint64_t read; /* bytes of own files so far */

	/* of the open unit */
	struct split_file *file;
	Elf *skeleton_elf;
	Dwarf *dwarf;
};

/* What of a skeleton its other half needs. */
struct skeleton {
	uint16_t version;
	uint8_t address_size;
	uint64_t id, base, addr_base, ranges_base;
};

struct dwarf_split *dwarf_split_new(Elf *elf, Elf *object, const struct symbol_source *source,
				    const char *const *debug_dirs)
{
	struct dwarf_split *split = calloc(1, sizeof(*split));

	if (!split)
		return NULL;
	split->elf = elf;
	split->object = object;
	split->source = source;
	split->debug_dirs = debug_dirs;
	return split;
}

static void close_unit(struct dwarf_split *split)
{
	dwarf_end(split->dwarf);
	elf_end(split->skeleton_elf);
	split_file_free(split->file);
	split->dwarf = NULL;
	split->skeleton_elf = NULL;
	split->file = NULL;
}

void dwarf_split_free(struct dwarf_split *split)
{
	if (!split)
		return;
	close_unit(split);
	split_file_free(split->package);
	free(split->bytes);
	free(split);
}

/* The path of a skeleton's other half; in DWARF 4 the attribute is GNU's. */
static const char *split_name(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(unit, DW_AT_dwo_name, &attr) &&
	    !dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr))
		return NULL;
	return dwarf_formstring(&attr);
}

static uint64_t number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? value : 0;
}

static bool read_skeleton(Dwarf_Die *unit, struct skeleton *s)
{
	Dwarf_Half version;
	Dwarf_Addr base = 0;
	Dwarf_Attribute attr;

	/* No sub-DIE is asked for: libdw would open the file. */
	if (dwarf_cu_info(unit->cu, &version, NULL, NULL, NULL, &s->id, &s->address_size, NULL) ||
	    version < 4 || version > 5)
		return false;
	s->version = version;
	if (dwarf_lowpc(unit, &base) && dwarf_attr(unit, DW_AT_entry_pc, &attr) &&
	    dwarf_formaddr(&attr, &base))
		base = 0;
	s->base = base;
	s->addr_base = number(unit, version < 5 ? DW_AT_GNU_addr_base : DW_AT_addr_base);
	s->ranges_base = version < 5 ? number(unit, DW_AT_GNU_ranges_base) : 0;
	return s->addr_base <= UINT32_MAX && s->ranges_base <= UINT32_MAX &&
	       (s->address_size == 8 || s->address_size == 4);
}

static size_t aligned(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* Lays out the file with the skeleton, which has the same addresses and ranges for all units. */
static bool make_room(struct dwarf_split *split)
{
	static const char *const names[N_SECTIONS] = {
		".debug_info",
		".debug_abbrev",
		".debug_addr",
		".debug_ranges",
	};
	size_t at = aligned(ELF_VIEW_HEADER), table;

	for (int i = 0; i < N_SECTIONS; i++) {
		Elf_Data *data = i >= ADDR ? elf_section_named(split->elf, names[i]) : NULL;

		split->sections[i] = (struct elf_view_section){
			names[i],
			at,
			i < ADDR ? UNIT_ROOM
			: data	 ? data->d_size
				 : 0,
		};
		at += aligned(split->sections[i].size);
	}
	table = at;
	at += elf_view_table_size(split->sections, N_SECTIONS) + PADDING;
	split->bytes = calloc(1, at);
	if (!split->bytes)
		return false;
	split->size = at;
	for (int i = ADDR; i < N_SECTIONS; i++) {
		Elf_Data *data = elf_section_named(split->elf, names[i]);

		if (data)
			memcpy(split->bytes + split->sections[i].offset, data->d_buf, data->d_size);
	}
	elf_view_write(split->bytes, table, split->sections, N_SECTIONS);
	return true;
}

struct writer {
	unsigned char *at;
};

static void put(struct writer *w, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		w->at[i] = (unsigned char)(value >> 8 * i);
#else
		w->at[i] = (unsigned char)(value >> 8 * (size - 1 - i));
#endif
	}
	w->at += size;
}

/* In an abbreviation: unsigned LEB128 of what is below 2^14. */
static void put_leb(struct writer *w, unsigned int value)
{
	if (value >= 128)
		put(w, 128 | (value & 127), 1);
	put(w, value >= 128 ? value >> 7 : value, 1);
}

static void put_attribute(struct writer *w, unsigned int name, unsigned int form)
{
	put_leb(w, name);
	put_leb(w, form);
}

static void write_abbreviation(struct dwarf_split *split, bool is_5)
{
	struct writer w = { split->bytes + split->sections[ABBREV].offset };

	memset(w.at, 0, UNIT_ROOM);
	put_leb(&w, 1);
	put_leb(&w, is_5 ? DW_TAG_skeleton_unit : DW_TAG_compile_unit);
	put(&w, DW_CHILDREN_no, 1);
	put_attribute(&w, is_5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name, DW_FORM_string);
	put_attribute(&w, DW_AT_low_pc, DW_FORM_addr);
	put_attribute(&w, is_5 ? DW_AT_addr_base : DW_AT_GNU_addr_base, DW_FORM_sec_offset);
	if (!is_5) {
		put_attribute(&w, DW_AT_GNU_ranges_base, DW_FORM_sec_offset);
		put_attribute(&w, DW_AT_GNU_dwo_id, DW_FORM_data8);
	}
}

/* Writes the unit: its header (DWARF 5, 7.5.1), and its only entry. */
static void write_skeleton(struct dwarf_split *split, const struct skeleton *s, int fd)
{
	unsigned char *start = split->bytes + split->sections[INFO].offset;
	struct writer w = { start };
	bool is_5 = s->version == 5;

	write_abbreviation(split, is_5);
	memset(start, 0, UNIT_ROOM);
	put(&w, UNIT_ROOM - 4, 4);
	put(&w, s->version, 2);
	if (is_5) {
		put(&w, DW_UT_skeleton, 1);
		put(&w, s->address_size, 1);
	}
	put(&w, 0, 4); /* of the abbreviations */
	put(&w, is_5 ? s->id : s->address_size, is_5 ? 8 : 1);
	put_leb(&w, 1);
	w.at += sprintf((char *)w.at, "/proc/self/fd/%d", fd) + 1;
	put(&w, s->base, s->address_size);
	put(&w, s->addr_base, 4);
	if (!is_5) {
		put(&w, s->ranges_base, 4);
		put(&w, s->id, 8);
	}
}

/* Has libdw put the skeleton and a file together. False if the file has no unit with the id. */
static bool join(struct dwarf_split *split, const struct skeleton *s, struct split_file *file,
		 Dwarf_Die *unit)
{
	Dwarf_CU *cu;
	Dwarf_Die die = { 0 };

	if (split_file_show(file, s->id))
		return false;
	write_skeleton(split, s, split_file_fd(file));
	split->skeleton_elf = elf_memory((char *)split->bytes, split->size - PADDING);
	split->dwarf = split->skeleton_elf
			       ? dwarf_begin_elf(split->skeleton_elf, DWARF_C_READ, NULL)
			       : NULL;
	if (split->dwarf && !dwarf_get_units(split->dwarf, NULL, &cu, NULL, NULL, NULL, &die) &&
	    die.addr) {
		*unit = die;
		return true;
	}
	dwarf_end(split->dwarf);
	elf_end(split->skeleton_elf);
	split->dwarf = NULL;
	split->skeleton_elf = NULL;
	return false;
}

static int load_package(struct dwarf_split *split)
{
	int fd, err;

	if (split->looked_for_package)
		return 0;
	split->looked_for_package = true;
	fd = debug_package_open(split->source, split->object, split->debug_dirs);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	err = split_file_load(fd, &split->package);
	close(fd);
	return err == -ENOMEM ? err : 0;
}

static int open_own_file(struct dwarf_split *split, const struct skeleton *s, Dwarf_Die *skeleton,
			 Dwarf_Die *unit)
{
	const char *name = split_name(skeleton);
	Dwarf_Attribute attr;
	const char *directory =
		dwarf_attr(skeleton, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
	unsigned int place = 0;
	int fd = -ENOENT, err;

	if (!name || strnlen(name, MAX_PATH) == MAX_PATH ||
	    (directory && strnlen(directory, MAX_PATH) == MAX_PATH))
		return -ENOENT;
	while (split->read < MAX_READ && (fd = debug_split_open(split->source, split->debug_dirs,
								directory, name, &place)) >= 0) {
		err = split_file_load(fd, &split->file);
		close(fd);
		if (err == -ENOMEM)
			return err;
		split->read += err ? 0 : split_file_size(split->file);
		if (!err && join(split, s, split->file, unit))
			return 0;
		split_file_free(split->file);
		split->file = NULL;
	}
	return fd < 0 ? fd : -ENOENT;
}

int dwarf_split_open(struct dwarf_split *split, Dwarf_Die *skeleton, Dwarf_Die *unit)
{
	struct skeleton s = { 0 };
	int err;

	close_unit(split);
	if (!split_name(skeleton) || !read_skeleton(skeleton, &s))
		return -ENOENT;
	if (!split->bytes && !make_room(split))
		return -ENOMEM;
	err = load_package(split);
	if (err)
		return err;
	if (split->package && join(split, &s, split->package, unit))
		return 0;
	return open_own_file(split, &s, skeleton, unit);
}
