// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/capture/mappings.h"

struct mappings {
	unsigned int refs;
	size_t n, room;
	struct mapping *items; /* by address, without overlaps */
	struct mappings_list list;
	void (*forget)(void *arg, uint32_t first, uint32_t n); /* NULL: there is no list */
	void *forget_arg;
};

static void forget_list(struct mappings *m)
{
	if (m->forget)
		m->forget(m->forget_arg, m->list.first, m->list.n);
	m->forget = NULL;
}

void mappings_set_list(struct mappings *m, const struct mappings_list *list,
		       void (*fn)(void *arg, uint32_t first, uint32_t n), void *arg)
{
	forget_list(m);
	m->list = *list;
	m->forget = fn;
	m->forget_arg = arg;
}

bool mappings_get_list(const struct mappings *m, struct mappings_list *list)
{
	if (!m->forget)
		return false;
	*list = m->list;
	return true;
}

struct mappings *mappings_new(void)
{
	struct mappings *m = calloc(1, sizeof(*m));

	if (m)
		m->refs = 1;
	return m;
}

struct mappings *mappings_share(struct mappings *m)
{
	m->refs++;
	return m;
}

void mappings_free(struct mappings *m)
{
	if (!m || --m->refs)
		return;
	forget_list(m);
	free(m->items);
	free(m);
}

size_t mappings_count(const struct mappings *m)
{
	return m->n;
}

const struct mapping *mappings_all(const struct mappings *m)
{
	return m->items;
}

/* Index of the first mapping that ends above the address. */
static size_t first_above(const struct mappings *m, uint64_t address)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->items[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct mapping *mappings_find(const struct mappings *m, uint64_t address)
{
	size_t i = first_above(m, address);

	return i < m->n && m->items[i].start <= address ? &m->items[i] : NULL;
}

const struct mapping *mappings_above(const struct mappings *m, uint64_t address)
{
	size_t i = first_above(m, address);

	return i < m->n ? &m->items[i] : NULL;
}

/* Makes *m one that is not shared and has room for two more. */
static int make_writable(struct mappings **m)
{
	struct mappings *old = *m, *own = old;
	struct mapping *items;
	size_t room = old->n + 2 > old->room ? 2 * old->n + 16 : old->room;

	if (old->refs > 1) {
		own = mappings_new();
		if (!own)
			return -ENOMEM;
	} else if (room == old->room) {
		return 0;
	}
	items = realloc(own->items, room * sizeof(*items));
	if (!items) {
		if (own != old)
			mappings_free(own);
		return -ENOMEM;
	}
	own->items = items;
	own->room = room;
	if (own != old) {
		if (old->n)
			memcpy(items, old->items, old->n * sizeof(*items));
		own->n = old->n;
		old->refs--;
		*m = own;
	}
	return 0;
}

/* Whether two overlapping mappings put different code at the same address. An offset means nothing
 * in memory without a file. */
static bool differ(const struct mapping *a, const struct mapping *b)
{
	if (a->object != b->object)
		return true;
	return a->object && a->start - a->offset != b->start - b->offset;
}

bool mappings_would_replace(const struct mappings *m, const struct mapping *new)
{
	size_t i = first_above(m, new->start);

	for (; i < m->n && m->items[i].start < new->end; i++) {
		if (differ(&m->items[i], new))
			return true;
	}
	return false;
}

int mappings_add(struct mappings **shared, const struct mapping *new)
{
	struct mapping parts[3], *items;
	size_t first, last, n = 0;
	struct mappings *m;
	int err, changed = 0;

	if (new->end <= new->start)
		return -EINVAL;
	err = make_writable(shared);
	if (err)
		return err;
	m = *shared;
	forget_list(m);
	items = m->items;
	first = first_above(m, new->start);
	for (last = first; last < m->n && items[last].start < new->end; last++)
		changed |= differ(&items[last], new);
	/* items[first] to items[last - 1] are covered, the outer two perhaps in part. */
	if (first < last && items[first].start < new->start) {
		parts[n] = items[first];
		parts[n++].end = new->start;
	}
	parts[n++] = *new;
	if (first < last && items[last - 1].end > new->end) {
		parts[n] = items[last - 1];
		parts[n].offset += new->end - parts[n].start;
		parts[n++].start = new->end;
	}
	memmove(items + first + n, items + last, (m->n - last) * sizeof(*items));
	memcpy(items + first, parts, n * sizeof(*items));
	m->n += n - (last - first);
	return changed;
}
