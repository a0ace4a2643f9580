// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are the index of a package of split debug data; the ids in it are looked up. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwp_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwp_slice slices[DWP_PARTS];
	struct dwp_index index;

	if (!dwp_index_read(data, size, &index))
		return 0;
	for (size_t at = 0; at + 8 <= size && at < 4096; at += 8) {
		uint64_t id;

		memcpy(&id, data + at, sizeof(id));
		if (!dwp_index_find(&index, id, slices))
			continue;
		for (int i = 0; i < DWP_PARTS; i++)
			if (slices[i].offset > UINT32_MAX || slices[i].size > UINT32_MAX)
				abort();
	}
	return 0;
}
