/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The live allocations. Their ids ascend, so they are a sorted array that grows at its end: 24 bytes
 * each, freed ones included until as many as a quarter of all are gone and the others move together.
 */
#ifndef PROFBPF_CONTRACT_LIVE_H
#define PROFBPF_CONTRACT_LIVE_H

#include <stdint.h>

struct allocation {
	uint64_t id;
	uint64_t size;
	uint32_t site; /* the function that made it, CONTRACT_NONE if that is not known */
	uint32_t freed;
};

/* Zeroed, it is empty. */
struct live {
	struct allocation *list;
	uint32_t n, room, n_freed;
};

void live_free(struct live *l);
/* id is greater than any before. Returns 0 or -ENOMEM. */
int live_add(struct live *l, uint64_t id, uint64_t size, uint32_t site);
/* NULL if there is none of that id. Valid until the next addition. */
struct allocation *live_find(const struct live *l, uint64_t id);
void live_remove(struct live *l, struct allocation *a);

#endif
