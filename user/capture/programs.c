// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "formats/profile.h"
#include "user/capture/mappings.h"
#include "user/capture/programs.h"

static void program_free(struct program *g)
{
	mappings_free(g->mappings);
	free(g->exe);
	free(g);
}

void programs_drop(struct program **table, struct program *g)
{
	HASH_DEL(*table, g);
	program_free(g);
}

void programs_free(struct program **table)
{
	struct program *g, *next;

	HASH_ITER(hh, *table, g, next) {
		programs_drop(table, g);
	}
}

struct program *programs_find(struct program *table, uint32_t pid)
{
	struct program *g;

	HASH_FIND(hh, table, &pid, sizeof(pid), g);
	return g;
}

struct program *programs_add(struct program **table, uint32_t pid)
{
	struct program *g = calloc(1, sizeof(*g)), *old = programs_find(*table, pid);

	if (!g)
		return NULL;
	g->pid = pid;
	g->id = PROFILE_NONE;
	g->mappings = mappings_new();
	if (!g->mappings)
		goto fail;
	if (old)
		programs_drop(table, old);
	HASH_ADD(hh, *table, pid, sizeof(g->pid), g);
	if (!g->hh.tbl)
		goto fail;
	return g;
fail:
	program_free(g);
	return NULL;
}

struct program *programs_succeed(struct program **table, const struct program *old, uint64_t time)
{
	struct program keep = *old, *g;

	g = programs_add(table, old->pid);
	if (!g)
		return NULL;
	g->parent_pid = keep.parent_pid;
	g->start = keep.start;
	g->start_ticks = keep.start_ticks;
	g->epoch = keep.epoch + 1;
	g->epoch_known = keep.epoch_known;
	g->begin = time;
	return g;
}
