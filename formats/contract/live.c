// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/live.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define FIRST_ROOM 64U

void live_free(struct live *l)
{
	free(l->list);
	*l = (struct live){ 0 };
}

static void compact(struct live *l)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		if (!l->list[i].freed)
			l->list[kept++] = l->list[i];
	}
	l->n = kept;
	l->n_freed = 0;
}

static int make_room(struct live *l)
{
	uint32_t room = l->room ? l->room * 2 : FIRST_ROOM;
	struct allocation *list;

	if (l->n < l->room)
		return 0;
	if (l->room && l->n_freed >= l->n / 4) {
		compact(l);
		return 0;
	}
	list = realloc(l->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	l->list = list;
	l->room = room;
	return 0;
}

int live_add(struct live *l, uint64_t id, uint64_t size, uint32_t site)
{
	int err = make_room(l);

	if (err)
		return err;
	l->list[l->n++] = (struct allocation){ .id = id, .size = size, .site = site };
	return 0;
}

struct allocation *live_find(const struct live *l, uint64_t id)
{
	uint32_t from = 0, to = l->n;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (l->list[middle].id < id)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == l->n || l->list[from].id != id || l->list[from].freed)
		return NULL;
	return &l->list[from];
}

void live_remove(struct live *l, struct allocation *a)
{
	a->freed = 1;
	l->n_freed++;
}
