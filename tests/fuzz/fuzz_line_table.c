// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are .debug_line, in which a table is read at each of some offsets. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "symbolize/dwarf_checksums.h"

#define OFFSETS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t sum = 0;

	for (uint64_t offset = 0; offset < OFFSETS; offset++) {
		struct dwarf_checksums c = { 0 };

		if (dwarf_checksums_read(&c, data, size, offset))
			abort();
		if (c.n > size)
			abort();
		for (size_t i = 0; i < c.n; i++) {
			/* Touched, so that the sanitizers see it. */
			for (size_t k = 0; c.md5[i] && k < DWARF_MD5_SIZE; k++)
				sum += c.md5[i][k];
		}
		dwarf_checksums_free(&c);
	}
	return sum == SIZE_MAX;
}
