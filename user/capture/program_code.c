// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/capture/copied_code.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"
#include "user/capture/program_code.h"
#include "user/capture/programs.h"
#include "user/capture/timeline.h"

#define COPY_LOOKS 10

int program_code_mapping(struct objects *o, const struct map_event *e, struct mapping *m)
{
	struct object_sighting sighting = {
		.pid = e->pid,
		.start = e->start,
		.end = e->end,
		.device = e->device,
		.inode = e->inode,
		.path = e->path,
	};

	*m = (struct mapping){ .start = e->start, .end = e->end, .offset = e->offset };
	return objects_find(o, &sighting, &m->object);
}

static bool has_code(const struct mapping *m)
{
	unsigned int n = 0;

	if (m->object)
		object_segments(m->object, &n);
	return n;
}

/* Memory without code of a file, in the place of code: perhaps a copy, which may not be done yet. */
static void look_for_copy(struct program *g, struct mapping *m)
{
	const struct mapping *old = mappings_find(g->mappings, m->start);

	if (has_code(m) || !old || !has_code(old) || copied_code_find(g->pid, old, m))
		return;
	g->copying = COPY_LOOKS;
}

int program_code_map(struct objects *o, struct program *g, const struct map_event *e)
{
	struct mapping m;
	int err = program_code_mapping(o, e, &m);

	if (!err) {
		look_for_copy(g, &m);
		err = mappings_add(&g->mappings, &m);
	}
	g->unpublished = true;
	return err == -ENOMEM ? err : err > 0;
}

struct scan {
	struct objects *objects;
	struct program *g;
	uint64_t *replaced;
	struct map_event file; /* the last mapping of a file; pid 0: none */
	uint64_t bare; /* where memory begins that has code of no file known so far; 0: nowhere */
};

/* Looks whether executable memory from there on was copied out of the file that is mapped at e. */
static int claim_copies(struct scan *scan, const struct map_event *e, uint64_t from, uint64_t to)
{
	struct program *g = scan->g;
	struct mapping near, m;
	const struct mapping *next;
	int err = program_code_mapping(scan->objects, e, &near);

	while (!err && has_code(&near) && (next = mappings_above(g->mappings, from)) &&
	       next->start < to) {
		m = *next;
		from = m.end;
		if (has_code(&m) || !copied_code_find(g->pid, &near, &m))
			continue;
		g->copying = 0;
		err = mappings_add(&g->mappings, &m);
	}
	return err;
}

static int scan_copies(struct scan *scan, const struct map_event *e, bool executable)
{
	const struct mapping *m = executable ? mappings_find(scan->g->mappings, e->start) : NULL;
	int err = 0;

	if (m && !has_code(m)) {
		if (scan->file.pid)
			err = claim_copies(scan, &scan->file, e->start, e->end);
		if (!scan->bare)
			scan->bare = e->start;
	} else if (e->inode) {
		if (scan->bare)
			err = claim_copies(scan, e, scan->bare, e->start);
		scan->bare = 0;
		scan->file = *e;
	}
	return err;
}

static int scan_mapping(void *arg, const struct proc_mapping *m)
{
	struct scan *scan = arg;
	int err = 0;
	struct map_event e = {
		.pid = scan->g->pid,
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.device = m->device,
		.inode = m->inode,
		.path = m->path,
	};

	if (m->executable)
		err = program_code_map(scan->objects, scan->g, &e);
	if (err > 0)
		++*scan->replaced;
	return err < 0 ? err : scan_copies(scan, &e, m->executable);
}

int program_code_scan(struct objects *o, struct program *g, uint64_t *replaced)
{
	struct scan scan = { .objects = o, .g = g, .replaced = replaced };
	char link[64], exe[PATH_MAX];
	int err;

	snprintf(link, sizeof(link), "/proc/%" PRIu32 "/exe", g->pid);
	if (!proc_link(link, exe, sizeof(exe))) {
		free(g->exe);
		g->exe = strdup(exe);
		if (!g->exe)
			return -ENOMEM;
	}
	err = proc_maps_read(g->pid, scan_mapping, &scan);
	return err == -ENOMEM ? err : 0;
}

int program_code_look_again(struct objects *o, struct program *g, uint64_t *replaced)
{
	g->copying--;
	return program_code_scan(o, g, replaced);
}
