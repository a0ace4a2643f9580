// SPDX-License-Identifier: BSD-2-Clause
/*
 * The sections of a package are those of its units end to end, and its index tells which part is whose
 * (the strings are for all). So a unit of it is a file of its own under another table of sections.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwp_index.h"
#include "symbolize/elf_view.h"
#include "symbolize/image.h"
#include "symbolize/split_file.h"

enum { STRINGS = DWP_PARTS, N_SECTIONS };

static const char *const names[N_SECTIONS] = {
	[DWP_INFO] = ".debug_info.dwo",		[DWP_ABBREV] = ".debug_abbrev.dwo",
	[DWP_LINE] = ".debug_line.dwo",		[DWP_STR_OFFSETS] = ".debug_str_offsets.dwo",
	[DWP_RNGLISTS] = ".debug_rnglists.dwo", [STRINGS] = ".debug_str.dwo",
};

struct split_file {
	struct image *image;
	struct dwp_slice sections[N_SECTIONS]; /* without a size: not there */
	struct dwp_index index;
	bool is_package;
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

/* Where the sections lie in the image: their contents are handed out in place. */
static void find_sections(struct split_file *f)
{
	uint64_t room_at;
	const unsigned char *bytes = image_bytes(f->image, &room_at);

	for (int i = 0; i < N_SECTIONS; i++) {
		Elf_Data *data = find_section(f, i);

		if (data)
			f->sections[i] = (struct dwp_slice){
				(uint64_t)((const unsigned char *)data->d_buf - bytes),
				data->d_size,
			};
	}
}

static int load(struct split_file *f, int fd)
{
	int err = image_load_split(fd, &f->image);
	Elf_Data *index;

	if (err)
		return err;
	index = elf_section_named(image_elf(f->image), ".debug_cu_index");
	f->is_package = index != NULL;
	if (index && !dwp_index_read(index->d_buf, index->d_size, &f->index))
		return -ENOEXEC;
	find_sections(f);
	return f->sections[DWP_INFO].size && f->sections[DWP_ABBREV].size ? 0 : -ENOEXEC;
}

int split_file_load(int fd, struct split_file **file)
{
	struct split_file *f = calloc(1, sizeof(*f));
	int err = f ? load(f, fd) : -ENOMEM;

	if (err) {
		split_file_free(f);
		return err;
	}
	*file = f;
	return 0;
}

void split_file_free(struct split_file *f)
{
	if (!f)
		return;
	image_free(f->image);
	free(f);
}

int split_file_fd(const struct split_file *f)
{
	return image_fd(f->image);
}

/* A part that reaches beyond its section is not shown. */
static bool cut(const struct dwp_slice *section, struct dwp_slice *slice)
{
	if (slice->offset > section->size || slice->size > section->size - slice->offset)
		return false;
	slice->offset += section->offset;
	return slice->size > 0;
}

int split_file_show(struct split_file *f, uint64_t id)
{
	struct elf_view_section shown[N_SECTIONS];
	struct dwp_slice slices[DWP_PARTS];
	uint64_t room_at;
	unsigned char *bytes = image_bytes(f->image, &room_at);
	size_t n = 0;

	if (f->is_package && !dwp_index_find(&f->index, id, slices))
		return -ENOENT;
	for (int i = 0; i < N_SECTIONS; i++) {
		struct dwp_slice at = f->sections[i];

		if (f->is_package && i < DWP_PARTS) {
			at = slices[i];
			if (!cut(&f->sections[i], &at))
				continue;
		}
		if (at.size)
			shown[n++] = (struct elf_view_section){ names[i], at.offset, at.size };
	}
	elf_view_write(bytes, room_at, shown, n);
	return 0;
}
