/* SPDX-License-Identifier: BSD-2-Clause */
/* perf's records, in memory of exactly their size. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/capture/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record r;
	char *copy = malloc(size);

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	if (record_parse(copy, size, &r)) {
		if (r.text < copy || r.text + strlen(r.text) >= copy + size)
			abort();
		if (r.kind == RECORD_MAP && r.start >= r.end)
			abort();
	}
	free(copy);
	return 0;
}
