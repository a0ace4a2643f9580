/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>

#include "formats/listing.h"
#include "formats/values.h"

#define NONE SIZE_MAX

/* The range of an address, NONE if there is none. */
static size_t range_of(const uint64_t *starts, size_t n, uint64_t end, uint64_t address)
{
	size_t low = 0, high = n;

	if (!n || address < starts[0] || address >= end)
		return NONE;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle] <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int listing_count_ranges(const struct profile *p, uint32_t object, const uint64_t *starts, size_t n,
			 uint64_t end, struct listing_row *rows)
{
	uint32_t n_locations = profile_n_locations(p);
	size_t *range = calloc(n_locations + (size_t)1, sizeof(*range));
	uint32_t *seen = calloc(n + 1, sizeof(*seen));

	if (!range || !seen) {
		free(range);
		free(seen);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n_locations; i++) {
		const struct profile_location *l = profile_location(p, i);

		range[i] = l->object == object ? range_of(starts, n, end, l->address) : NONE;
	}
	for (uint32_t i = 0; i < profile_n_samples(p); i++) {
		const struct profile_sample *s = profile_sample(p, i);
		struct profile_stack stack = profile_stack(p, s->stack);

		for (uint32_t j = 0; j < stack.n; j++) {
			size_t at = range[stack.locations[j]];

			if (at == NONE)
				continue;
			if (j == 0)
				values_add(rows[at].self, s->values);
			if (seen[at] != i + 1)
				values_add(rows[at].cumulative, s->values);
			seen[at] = i + 1;
		}
	}
	free(range);
	free(seen);
	return 0;
}
