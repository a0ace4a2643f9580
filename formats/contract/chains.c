// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/chains.h"

#include "formats/contract/catalog.h"

static uint64_t hash_chain(const struct catalog *c, const void *entry)
{
	const struct chain *chain = entry;
	uint64_t hash = chain->n;

	for (uint32_t i = 0; i < chain->n; i++)
		hash = bucket_mix(hash, catalog_function_at(c, chain->stack, i));
	return hash;
}

/* From the leaf on: chains that differ mostly differ there. */
static bool equal_chains(const struct catalog *c, const void *entry, const void *key)
{
	const struct chain *a = entry, *b = key;

	if (a->n != b->n)
		return false;
	for (uint32_t i = a->n; i-- > 0;) {
		if (catalog_function_at(c, a->stack, i) != catalog_function_at(c, b->stack, i))
			return false;
	}
	return true;
}

const struct bucket_ops chain_ops = {
	.size = sizeof(struct chain),
	.hash = hash_chain,
	.equal = equal_chains,
};
