// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/eh_starts.h"
#include "symbolize/elf_view.h"

/* The version, three encodings, the address of .eh_frame, the number of entries. */
struct eh_header {
	uint8_t version, frame_form, count_form, table_form;
	int32_t frame;
	uint32_t count;
};

/* Both relative to the section. */
struct eh_entry {
	int32_t start, entry;
};

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int eh_starts_read(Elf *elf, uint64_t **starts, size_t *n)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data = elf_section_next(elf, ".eh_frame_hdr", &scn);
	struct eh_header header;
	GElf_Shdr section;
	uint64_t *read;

	if (!data || data->d_size < sizeof(header) || !gelf_getshdr(scn, &section))
		return -ENOENT;
	memcpy(&header, data->d_buf, sizeof(header));
	if (header.version != 1 || (header.frame_form & 15) != DW_EH_PE_sdata4 ||
	    header.count_form != DW_EH_PE_udata4 ||
	    header.table_form != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
	    header.count > (data->d_size - sizeof(header)) / sizeof(struct eh_entry))
		return -ENOENT;
	read = calloc(header.count + (size_t)1, sizeof(*read));
	if (!read)
		return -ENOMEM;
	for (size_t i = 0; i < header.count; i++) {
		struct eh_entry e;

		memcpy(&e, (char *)data->d_buf + sizeof(header) + i * sizeof(e), sizeof(e));
		read[i] = section.sh_addr + (uint64_t)(int64_t)e.start;
	}
	qsort(read, header.count, sizeof(*read), ascending);
	*starts = read;
	*n = header.count;
	return 0;
}
