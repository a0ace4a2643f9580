/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Allocation events added up by the function at the leaf. While the retention budget lasts, what is
 * freed, live and retained is known exactly; afterwards none of it is claimed.
 */
#ifndef PROFBPF_CONTRACT_MEMORY_H
#define PROFBPF_CONTRACT_MEMORY_H

#include "formats/contract/buckets.h"
#include "formats/contract/live.h"

struct memory_site {
	uint64_t allocations, resizes, allocated;
	/* Of allocations made here, wherever they are resized or freed. */
	uint64_t freed, live, live_at_peak;
	uint64_t peak; /* the number of the peak that live_at_peak is of */
	uint32_t function;
};

struct memory {
	struct budget budget;
	uint64_t allocations, resizes, allocated, attributed, freed, live, peak_live;
	uint64_t peaks; /* how many times a new greatest total was reached */
	uint64_t last_id;
	struct live allocated_now;
	struct buckets sites, chains;
};

void memory_init(struct memory *m, const struct catalog *c, uint64_t budget);
void memory_free(struct memory *m);

/*
 * stack is an id of the catalog or CONTRACT_NONE. They return 0, -ENOMEM, -EOVERFLOW for a counter
 * that does not fit, or for an event that can not be: -EEXIST, an id that does not ascend; -ENOENT,
 * one that is not live; -EBADMSG, an old size that is not the one known.
 */
int memory_allocate(struct memory *m, uint64_t id, uint64_t size, uint32_t stack);
int memory_resize(struct memory *m, uint64_t id, uint64_t old_size, uint64_t size, uint32_t stack);
int memory_release(struct memory *m, uint64_t id, uint64_t old_size);
/* Once, at the end. */
void memory_finish(struct memory *m);

#endif
