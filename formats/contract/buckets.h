/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables in which observations are added up: entries of a fixed size, found by their content. What
 * an entry costs beyond its size is 4 to 12 bytes; the budgets leave no room for a handle in each.
 * Hashes are not seeded: the same events fill a table alike everywhere.
 */
#ifndef PROFBPF_CONTRACT_BUCKETS_H
#define PROFBPF_CONTRACT_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/contract/budget.h"

struct catalog;

/* A key is an entry, of which these look at the identity only. */
struct bucket_ops {
	size_t size;
	uint64_t (*hash)(const struct catalog *c, const void *entry);
	bool (*equal)(const struct catalog *c, const void *entry, const void *key);
};

struct buckets {
	const struct bucket_ops *ops;
	const struct catalog *catalog;
	unsigned char *entries;
	uint32_t *slots;
	uint32_t n, room, n_slots;
};

void buckets_init(struct buckets *b, const struct bucket_ops *ops, const struct catalog *c);
void buckets_free(struct buckets *b);

/* By number, in order of addition. Valid until the next addition. */
void *buckets_at(const struct buckets *b, uint32_t i);
/* The entry equal to key, NULL if there is none. Valid likewise. */
void *buckets_find(const struct buckets *b, const void *key);
/*
 * The entry equal to key, or a copy of key that is added and charged. *entry is NULL if the budget
 * does not let it in; budget may be NULL. Returns 0 or -ENOMEM.
 */
int buckets_touch(struct buckets *b, const void *key, struct budget *budget, uint64_t cost,
		  void **entry);

/* Mixes a number into a hash. */
static inline uint64_t bucket_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

#endif
