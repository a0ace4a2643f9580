// SPDX-License-Identifier: BSD-2-Clause
/*
 * The sections of a package are those of its units end to end, and its index tells which part is whose
 * (the strings are for all). So the parts of a unit, put together, are a file of its own.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/dwp_index.h"
#include "symbolize/elf_view.h"
#include "symbolize/image.h"
#include "symbolize/split_file.h"

#define PADDING 4096

enum { STRINGS = DWP_PARTS, N_SECTIONS };

static const char *const names[N_SECTIONS] = {
	[DWP_INFO] = ".debug_info.dwo",		[DWP_ABBREV] = ".debug_abbrev.dwo",
	[DWP_LINE] = ".debug_line.dwo",		[DWP_STR_OFFSETS] = ".debug_str_offsets.dwo",
	[DWP_RNGLISTS] = ".debug_rnglists.dwo", [STRINGS] = ".debug_str.dwo",
};

struct split_file {
	struct image *image;
	Elf_Data *sections[N_SECTIONS]; /* NULL: not there */
	struct dwp_index index;
	bool is_package;

	int fd; /* what is shown: a file of memory, and its mapping */
	unsigned char *bytes;
	uint64_t size, unit_at; /* the strings are before the unit, and stay */
};

/*
 * GCC makes a section of this name for each type unit too. Of DWARF 4, which has another section for them,
 * the byte in question is in the offset of the abbreviations, zero.
 */
static bool is_type_unit(const Elf_Data *data)
{
	const unsigned char *unit = data->d_buf;
	static const unsigned char wide[] = { 0xff, 0xff, 0xff, 0xff };
	size_t version_at = data->d_size > 4 && !memcmp(unit, wide, 4) ? 12 : 4;

	return data->d_size > version_at + 2 && unit[version_at + 2] == DW_UT_split_type;
}

static Elf_Data *find_section(const struct split_file *f, int section)
{
	Elf *elf = image_elf(f->image);
	Elf_Scn *scn = NULL;
	Elf_Data *first = elf_section_next(elf, names[section], &scn), *data = first;

	if (section != DWP_INFO || f->is_package)
		return first;
	while (data && is_type_unit(data))
		data = elf_section_next(elf, names[section], &scn);
	return data ? data : first;
}

/* Makes what is shown larger. */
static int grow(struct split_file *f, uint64_t size)
{
	void *bytes;

	if (size <= f->size)
		return 0;
	if (ftruncate(f->fd, (off_t)size))
		return -errno;
	bytes = f->bytes ? mremap(f->bytes, f->size, size, MREMAP_MAYMOVE)
			 : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	if (bytes == MAP_FAILED)
		return -ENOMEM;
	f->bytes = bytes;
	f->size = size;
	return 0;
}

static uint64_t aligned(uint64_t size)
{
	return (size + 15) & ~(uint64_t)15;
}

static int load(struct split_file *f, int fd)
{
	int err = image_load_split(fd, &f->image);
	Elf_Data *index, *strings;

	if (err)
		return err;
	index = elf_section_named(image_elf(f->image), ".debug_cu_index");
	f->is_package = index != NULL;
	if (index && !dwp_index_read(index->d_buf, index->d_size, &f->index))
		return -ENOEXEC;
	for (int i = 0; i < N_SECTIONS; i++)
		f->sections[i] = find_section(f, i);
	if (!f->sections[DWP_INFO] || !f->sections[DWP_ABBREV])
		return -ENOEXEC;
	f->fd = memfd_create("split", MFD_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	strings = f->sections[STRINGS];
	f->unit_at = aligned(ELF_VIEW_HEADER) + (strings ? aligned(strings->d_size) : 0);
	err = grow(f, f->unit_at);
	if (!err && strings)
		memcpy(f->bytes + aligned(ELF_VIEW_HEADER), strings->d_buf, strings->d_size);
	return err;
}

int split_file_load(int fd, struct split_file **file)
{
	struct split_file *f = calloc(1, sizeof(*f));
	int err = -ENOMEM;

	if (f) {
		f->fd = -1;
		err = load(f, fd);
	}
	if (err) {
		split_file_free(f);
		return err;
	}
	*file = f;
	return 0;
}

uint64_t split_file_size(const struct split_file *f)
{
	uint64_t size = 0;

	for (int i = 0; i < N_SECTIONS; i++)
		size += f->sections[i] ? f->sections[i]->d_size : 0;
	return size;
}

void split_file_free(struct split_file *f)
{
	if (!f)
		return;
	if (f->bytes)
		munmap(f->bytes, f->size);
	if (f->fd >= 0)
		close(f->fd);
	image_free(f->image);
	free(f);
}

int split_file_fd(const struct split_file *f)
{
	return f->fd;
}

/* The part of a section that is the unit's; one that reaches beyond the section is none. */
static struct dwp_slice part_of(const struct split_file *f, int section,
				const struct dwp_slice *slices)
{
	const struct dwp_slice none = { 0 };
	uint64_t size = f->sections[section] ? f->sections[section]->d_size : 0;
	struct dwp_slice part = { 0, size };

	if (f->is_package && section != STRINGS)
		part = slices[section];
	return part.offset > size || part.size > size - part.offset ? none : part;
}

/* The table of sections is put behind them, and zeros, in which reading comes to an end. */
static int write_table(struct split_file *f, uint64_t at, const struct elf_view_section *shown,
		       size_t n)
{
	size_t size = elf_view_table_size(shown, n);
	int err = grow(f, at + size + PADDING);

	if (err)
		return err;
	elf_view_write(f->bytes, at, shown, n);
	memset(f->bytes + at + size, 0, PADDING);
	return 0;
}

int split_file_show(struct split_file *f, uint64_t id)
{
	struct elf_view_section shown[N_SECTIONS];
	struct dwp_slice slices[DWP_PARTS];
	uint64_t at = f->unit_at;
	size_t n = 0;
	int err;

	if (f->is_package && !dwp_index_find(&f->index, id, slices))
		return -ENOENT;
	for (int i = 0; i < N_SECTIONS; i++) {
		struct dwp_slice part = part_of(f, i, slices);
		bool is_there = i == STRINGS;

		if (!part.size)
			continue;
		shown[n++] = (struct elf_view_section){ names[i],
							is_there ? aligned(ELF_VIEW_HEADER) : at,
							part.size };
		if (is_there)
			continue;
		err = grow(f, at + aligned(part.size));
		if (err)
			return err;
		memcpy(f->bytes + at, (char *)f->sections[i]->d_buf + part.offset, part.size);
		at += aligned(part.size);
	}
	return write_table(f, at, shown, n);
}
