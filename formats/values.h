/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of samples: sums and order. */
#ifndef PROFBPF_VALUES_H
#define PROFBPF_VALUES_H

#include <stdint.h>

#include "formats/profile.h"

static inline void values_add(uint64_t *sum, const uint64_t *values)
{
	for (unsigned int i = 0; i < PROFILE_MAX_VALUES; i++)
		sum[i] += values[i];
}

/* As qsort's comparison. */
static inline int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

#endif
