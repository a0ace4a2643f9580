// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "user/capture/counts.h"

struct counts {
	struct counts_layout layout;
	uint32_t full; /* the buffer that is being, or was last, read */
	size_t front_bytes;
	struct front_slot *front; /* mapped: both buffers */
	uint64_t *ids;
	struct counter *counters; /* room for all of a buffer */
	struct tick_account *accounts; /* a CPU */
};

int counts_new(const struct counts_layout *layout, struct counts **counts)
{
	size_t slots = 2ul * layout->cpus * layout->front_slots;
	struct counts *c = calloc(1, sizeof(*c));
	int err = -ENOMEM;

	if (!c)
		return err;
	c->layout = *layout;
	c->front = MAP_FAILED;
	c->front_bytes = slots * sizeof(*c->front);
	c->ids = calloc(layout->entries, sizeof(*c->ids));
	c->counters = calloc(layout->entries + slots / 2, sizeof(*c->counters));
	c->accounts = calloc(layout->copies, sizeof(*c->accounts));
	if (!c->ids || !c->counters || !c->accounts)
		goto fail;
	c->front = mmap(NULL, c->front_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, layout->front, 0);
	if (c->front == MAP_FAILED) {
		err = -errno;
		goto fail;
	}
	*counts = c;
	return 0;
fail:
	counts_free(c);
	return err;
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	if (c->front != MAP_FAILED)
		munmap(c->front, c->front_bytes);
	free(c->ids);
	free(c->counters);
	free(c->accounts);
	free(c);
}

int counts_turn(struct counts *c, uint64_t *turned)
{
	uint32_t zero = 0;
	struct timespec t;

	c->full = *c->layout.side & 1;
	__atomic_store_n(c->layout.side, !c->full, __ATOMIC_SEQ_CST);
	clock_gettime(CLOCK_MONOTONIC, &t);
	/* An update of a map of maps returns after an RCU grace period (maybe_wait_bpf_programs in
	 * kernel/bpf/syscall.c). */
	if (bpf_map_update_elem(c->layout.grace, &zero, &c->layout.tables[0], BPF_ANY))
		return -errno;
	*turned = t.tv_sec * 1000000000ull + t.tv_nsec;
	return 0;
}

/* Reads the table in one batch and empties it. */
static int read_table(struct counts *c, uint32_t *n)
{
	int table = c->layout.tables[c->full];
	uint32_t count = c->layout.entries, deleted, position;

	if (bpf_map_lookup_batch(table, NULL, &position, c->ids, c->counters, &count, NULL) &&
	    errno != ENOENT)
		return -errno;
	deleted = count;
	if (count && bpf_map_delete_batch(table, c->ids, &deleted, NULL))
		return -errno;
	*n = count;
	return 0;
}

/* Moves the front array's counters behind the n of the table. Returns how many there are then. */
static uint32_t take_front(struct counts *c, uint32_t n)
{
	size_t slots = (size_t)c->layout.cpus * c->layout.front_slots, i;
	struct front_slot *front = c->front + c->full * slots;

	for (i = 0; i < slots; i++) {
		if (!front[i].id)
			continue;
		c->counters[n++] = front[i].counter;
		front[i].id = 0;
	}
	return n;
}

static int read_accounts(struct counts *c, struct tick_account *sum)
{
	uint64_t *to = (uint64_t *)sum;
	uint32_t cpu, i;

	memset(sum, 0, sizeof(*sum));
	if (bpf_map_lookup_elem(c->layout.accounts, &c->full, c->accounts))
		return -errno;
	for (cpu = 0; cpu < c->layout.copies; cpu++) {
		const uint64_t *from = (const uint64_t *)&c->accounts[cpu];

		for (i = 0; i < sizeof(*sum) / sizeof(*to); i++)
			to[i] += from[i];
	}
	memset(c->accounts, 0, c->layout.copies * sizeof(*c->accounts));
	if (bpf_map_update_elem(c->layout.accounts, &c->full, c->accounts, BPF_ANY))
		return -errno;
	return 0;
}

int counts_read(struct counts *c, struct counts_result *result)
{
	struct counts_result r = { .counters = c->counters };
	uint32_t n = 0;
	int err = read_table(c, &n);

	if (!err)
		err = read_accounts(c, &r.account);
	if (err)
		return err;
	r.n = take_front(c, n);
	*result = r;
	return 0;
}
