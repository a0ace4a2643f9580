/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call chains: the functions from the root to one of them. A chain is remembered as the beginning of
 * the stack in which it was first seen; call sites do not tell chains apart.
 */
#ifndef PROFBPF_CONTRACT_CHAINS_H
#define PROFBPF_CONTRACT_CHAINS_H

#include "formats/contract/buckets.h"

struct chain {
	uint64_t samples;
	uint32_t stack, n; /* its first n frames */
};

extern const struct bucket_ops chain_ops;

static inline uint64_t chain_cost(uint32_t n)
{
	return CONTRACT_CHAIN_COST + (uint64_t)n * CONTRACT_CHAIN_FRAME_COST;
}

#endif
