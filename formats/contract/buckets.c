// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/buckets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64U
#define EMPTY UINT32_MAX

void buckets_init(struct buckets *b, const struct bucket_ops *ops, const struct catalog *c)
{
	*b = (struct buckets){ .ops = ops, .catalog = c };
}

void buckets_free(struct buckets *b)
{
	free(b->entries);
	free(b->slots);
}

void *buckets_at(const struct buckets *b, uint32_t i)
{
	return b->entries + i * b->ops->size;
}

/* The slot of an equal entry, or the empty one where it would be. */
static uint32_t slot_of(const struct buckets *b, const void *key)
{
	uint32_t mask = b->n_slots - 1, i = (uint32_t)b->ops->hash(b->catalog, key) & mask;

	while (b->slots[i] != EMPTY && !b->ops->equal(b->catalog, buckets_at(b, b->slots[i]), key))
		i = (i + 1) & mask;
	return i;
}

void *buckets_find(const struct buckets *b, const void *key)
{
	uint32_t slot;

	if (!b->n_slots)
		return NULL;
	slot = slot_of(b, key);
	return b->slots[slot] == EMPTY ? NULL : buckets_at(b, b->slots[slot]);
}

/* Entries grow by a quarter: doubling would leave half of the budget unused. */
static int grow_entries(struct buckets *b)
{
	uint32_t room = b->room < FIRST_ROOM ? FIRST_ROOM : b->room + b->room / 4;
	unsigned char *entries;

	if (b->n < b->room)
		return 0;
	entries = realloc(b->entries, room * b->ops->size);
	if (!entries)
		return -ENOMEM;
	b->entries = entries;
	b->room = room;
	return 0;
}

/* Two thirds of the slots at most are taken. */
static int grow_slots(struct buckets *b)
{
	uint32_t n = b->n_slots ? b->n_slots * 2 : FIRST_ROOM;
	uint32_t *slots;

	if (b->n < b->n_slots / 3 * 2)
		return 0;
	slots = malloc(n * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	memset(slots, 0xff, n * sizeof(*slots));
	free(b->slots);
	b->slots = slots;
	b->n_slots = n;
	for (uint32_t i = 0; i < b->n; i++)
		b->slots[slot_of(b, buckets_at(b, i))] = i;
	return 0;
}

int buckets_touch(struct buckets *b, const void *key, struct budget *budget, uint64_t cost,
		  void **entry)
{
	int err;

	*entry = buckets_find(b, key);
	if (*entry || (budget && !budget_take(budget, cost)))
		return 0;
	err = grow_entries(b);
	if (!err)
		err = grow_slots(b);
	if (err)
		return err;
	b->slots[slot_of(b, key)] = b->n;
	*entry = buckets_at(b, b->n++);
	memcpy(*entry, key, b->ops->size);
	return 0;
}
