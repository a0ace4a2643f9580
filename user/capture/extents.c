// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/capture/extents.h"

#define WAITING 2 /* settlements before given units are free */

struct extent {
	uint32_t first, n;
	unsigned int age; /* of a given one */
};

struct list {
	size_t n, room;
	struct extent *items;
};

struct extents {
	struct list free_list; /* by place, never adjacent */
	struct list given;
};

static int reserve(struct list *l)
{
	size_t room = l->room ? 2 * l->room : 16;
	struct extent *items;

	if (l->n < l->room)
		return 0;
	items = realloc(l->items, room * sizeof(*items));
	if (!items)
		return -ENOMEM;
	l->items = items;
	l->room = room;
	return 0;
}

static void insert(struct list *l, size_t at, struct extent item)
{
	memmove(l->items + at + 1, l->items + at, (l->n - at) * sizeof(item));
	l->items[at] = item;
	l->n++;
}

static void delete (struct list *l, size_t at)
{
	l->n--;
	memmove(l->items + at, l->items + at + 1, (l->n - at) * sizeof(*l->items));
}

struct extents *extents_new(uint32_t size)
{
	struct extents *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	if (reserve(&e->free_list)) {
		free(e);
		return NULL;
	}
	if (size)
		insert(&e->free_list, 0, (struct extent){ 0, size, 0 });
	return e;
}

void extents_free(struct extents *e)
{
	if (!e)
		return;
	free(e->free_list.items);
	free(e->given.items);
	free(e);
}

int extents_take(struct extents *e, uint32_t n, uint32_t *first)
{
	size_t i;

	for (i = 0; i < e->free_list.n; i++) {
		struct extent *x = &e->free_list.items[i];

		if (x->n < n)
			continue;
		*first = x->first;
		x->first += n;
		x->n -= n;
		if (!x->n)
			delete (&e->free_list, i);
		return 0;
	}
	return -ENOSPC;
}

int extents_give(struct extents *e, uint32_t first, uint32_t n)
{
	int err;

	if (!n)
		return 0;
	err = reserve(&e->given);
	if (!err)
		insert(&e->given, e->given.n, (struct extent){ first, n, 0 });
	return err;
}

/* Puts an extent back, together with its free neighbours. False when out of memory: it stays given. */
static int put_back(struct extents *e, struct extent x)
{
	struct list *l = &e->free_list;
	size_t at = 0;

	while (at < l->n && l->items[at].first < x.first)
		at++;
	if (at && l->items[at - 1].first + l->items[at - 1].n == x.first) {
		l->items[at - 1].n += x.n;
		at--;
	} else {
		if (reserve(l))
			return -ENOMEM;
		insert(l, at, x);
	}
	if (at + 1 < l->n && l->items[at].first + l->items[at].n == l->items[at + 1].first) {
		l->items[at].n += l->items[at + 1].n;
		delete (l, at + 1);
	}
	return 0;
}

void extents_settle(struct extents *e)
{
	size_t i = 0;

	while (i < e->given.n) {
		struct extent *x = &e->given.items[i];

		if (++x->age >= WAITING && !put_back(e, (struct extent){ x->first, x->n, 0 }))
			delete (&e->given, i);
		else
			i++;
	}
}
