/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The canonical order of samples. Things are compared by their content, never by their ids, which
 * depend on the order of arrival. Each kind is sorted once and then compared by rank.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/profile.h"
#include "formats/values.h"

struct order {
	const struct profile *p;
	uint32_t *object_rank, *location_rank, *thread_rank, *stack_rank;
};

/* A function that compares two ids of one kind, for qsort_r with the order as its argument. */
typedef int (*compare_ids)(const void *a, const void *b, void *order);

/* The n ids of one kind in order; NULL when out of memory. */
static uint32_t *sorted_ids(struct order *o, uint32_t n, compare_ids compare)
{
	uint32_t *ids = malloc((n + (size_t)1) * sizeof(*ids));

	if (!ids)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	qsort_r(ids, n, sizeof(*ids), compare, o);
	return ids;
}

/* The place of each id in the order; NULL when out of memory. */
static uint32_t *ranks(struct order *o, uint32_t n, compare_ids compare)
{
	uint32_t *ids = sorted_ids(o, n, compare);
	uint32_t *rank = ids ? malloc((n + (size_t)1) * sizeof(*rank)) : NULL;

	for (uint32_t i = 0; rank && i < n; i++)
		rank[ids[i]] = i;
	free(ids);
	return rank;
}

static int compare_objects(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	const struct profile_object *x = profile_object(o->p, *(const uint32_t *)a);
	const struct profile_object *y = profile_object(o->p, *(const uint32_t *)b);
	int c = compare_u64(x->kind, y->kind);

	if (!c)
		c = strcmp(x->path, y->path);
	if (!c)
		c = strcmp(x->build_id, y->build_id);
	if (!c)
		c = compare_u64(x->device, y->device);
	if (!c)
		c = compare_u64(x->inode, y->inode);
	return c ? c : compare_u64(x->unopened, y->unopened);
}

static int compare_locations(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	const struct profile_location *x = profile_location(o->p, *(const uint32_t *)a);
	const struct profile_location *y = profile_location(o->p, *(const uint32_t *)b);
	uint32_t rank_x = x->object == PROFILE_NONE ? PROFILE_NONE : o->object_rank[x->object];
	uint32_t rank_y = y->object == PROFILE_NONE ? PROFILE_NONE : o->object_rank[y->object];
	int c = compare_u64(rank_x, rank_y);

	if (!c)
		c = compare_u64(x->address, y->address);
	return c ? c : compare_u64(x->flags, y->flags);
}

static int compare_threads(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	const struct profile_thread *x = profile_thread(o->p, *(const uint32_t *)a);
	const struct profile_thread *y = profile_thread(o->p, *(const uint32_t *)b);
	const struct profile_process *p = profile_process(o->p, x->process);
	const struct profile_process *q = profile_process(o->p, y->process);
	int c = compare_u64(p->pid, q->pid);

	if (!c)
		c = compare_u64(p->start_ns, q->start_ns);
	if (!c)
		c = compare_u64(p->epoch, q->epoch);
	if (!c)
		c = compare_u64(x->tid, y->tid);
	return c ? c : strcmp(x->name, y->name);
}

static int compare_stacks(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	struct profile_stack x = profile_stack(o->p, *(const uint32_t *)a);
	struct profile_stack y = profile_stack(o->p, *(const uint32_t *)b);

	for (uint32_t i = 0; i < x.n && i < y.n; i++) {
		int c = compare_u64(o->location_rank[x.locations[i]],
				    o->location_rank[y.locations[i]]);

		if (c)
			return c;
	}
	return x.n != y.n ? compare_u64(x.n, y.n) : compare_u64(x.end, y.end);
}

static int compare_samples(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	const struct profile_sample *x = profile_sample(o->p, *(const uint32_t *)a);
	const struct profile_sample *y = profile_sample(o->p, *(const uint32_t *)b);
	int c = compare_u64(o->thread_rank[x->thread], o->thread_rank[y->thread]);

	return c ? c : compare_u64(o->stack_rank[x->stack], o->stack_rank[y->stack]);
}

uint32_t *profile_sorted_samples(const struct profile *p)
{
	struct order o = { .p = p };
	uint32_t *sorted = NULL;

	o.object_rank = ranks(&o, profile_n_objects(p), compare_objects);
	if (!o.object_rank)
		goto out;
	o.location_rank = ranks(&o, profile_n_locations(p), compare_locations);
	o.thread_rank = ranks(&o, profile_n_threads(p), compare_threads);
	if (!o.location_rank || !o.thread_rank)
		goto out;
	o.stack_rank = ranks(&o, profile_n_stacks(p), compare_stacks);
	if (!o.stack_rank)
		goto out;
	sorted = sorted_ids(&o, profile_n_samples(p), compare_samples);
out:
	free(o.object_rank);
	free(o.location_rank);
	free(o.thread_rank);
	free(o.stack_rank);
	return sorted;
}
