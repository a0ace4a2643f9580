// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are .debug_line, .debug_line_str and .debug_str at once; tables are read at some offsets and run. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_lines.h"

#define OFFSETS 8
#define FILES 64
#define ADDRESSES 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touched, so that the sanitizers see it. */
static size_t touch_files(struct dwarf_lines *lines)
{
	size_t sum = 0;

	for (uint64_t i = 0; i < FILES; i++) {
		const unsigned char *md5 = dwarf_lines_md5(lines, i);
		const char *file = dwarf_lines_file(lines, i);

		for (size_t k = 0; md5 && k < DWARF_MD5_SIZE; k++)
			sum += md5[k];
		sum += file ? strlen(file) : 0;
		if (file != dwarf_lines_file(lines, i))
			abort();
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwarf_bytes all = { data, data + size };
	struct dwarf_row rows[ADDRESSES];
	uint64_t addresses[ADDRESSES];
	size_t sum = 0;

	for (uint64_t i = 0; i < ADDRESSES; i++)
		addresses[i] = i * i * 16;
	for (uint64_t offset = 0; offset < OFFSETS && offset <= size; offset++) {
		struct dwarf_lines_source source = {
			.table = { data + offset, data + size },
			.line_strings = all,
			.strings = all,
			.directory = "/d",
		};
		struct dwarf_lines *lines = NULL;
		int err = dwarf_lines_read(&source, &lines);

		if (err ? err != -ENOEXEC || lines : !lines)
			abort();
		if (err)
			continue;
		sum += touch_files(lines);
		dwarf_lines_find(lines, addresses, ADDRESSES, rows);
		for (size_t i = 0; i < ADDRESSES; i++)
			sum += rows[i].line;
		dwarf_lines_free(lines);
	}
	return sum == SIZE_MAX;
}
