// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "bpf/profbpf.h"
#include "symbolize/symbolize.h"
#include "unwind/table.h"
#include "user/capture/extents.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"
#include "user/capture/table_builder.h"
#include "user/capture/table_store.h"
#include "user/capture/unwinder.h"

enum slot_state { SLOT_FREE, SLOT_ASKED, SLOT_LOADED, SLOT_FAILED, SLOT_DEGRADED };

struct slot {
	enum slot_state state;
	uint32_t
		ticket; /* of its question to the builder: the slot may have been another object's */
	uint64_t bytes; /* of a loaded or degraded table */
	bool damaged; /* its unwind data */
	char *path;
	struct unwind_file_key key;
};

struct unwinder {
	struct unwinder_layout layout;
	struct table_builder *builder;
	struct table_store *store;
	struct extents *extents; /* of ranges */
	struct unwind_range *ranges; /* mapped */
	size_t range_bytes;
	uint32_t next_list; /* number of the next list of ranges */
	uint32_t next_ticket;
	uint32_t n_slots; /* ever used */
	struct slot *slots;
	uint64_t unlisted;
};

static void forget_slot(void *arg, uint32_t slot)
{
	struct unwinder *u = arg;

	if (slot >= u->n_slots)
		return;
	/* Before the slot is another object's, and before the file's numbers are another file's. */
	bpf_map_delete_elem(u->layout.files, &u->slots[slot].key);
	table_store_drop(u->store, slot, false);
	free(u->slots[slot].path);
	u->slots[slot] = (struct slot){ .state = SLOT_FREE };
}

/* The ranges of a mapping set that nobody has any more. */
static void forget_list(void *arg, uint32_t first, uint32_t n)
{
	struct unwinder *u = arg;

	extents_give(u->extents, first, n);
}

/* In the builder's thread. A token's lower half is the object's slot. */
static bool is_wanted(void *arg, uint64_t token)
{
	return table_store_wanted(arg, (uint32_t)token);
}

static int open_parts(struct unwinder *u)
{
	struct table_store_layout store = {
		.chunks = u->layout.chunks,
		.objects = u->layout.objects,
		.n_chunks = u->layout.n_chunks,
		.n_objects = u->layout.n_objects,
	};
	int err;

	u->range_bytes = u->layout.n_ranges * sizeof(*u->ranges);
	u->ranges =
		mmap(NULL, u->range_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, u->layout.ranges, 0);
	if (u->ranges == MAP_FAILED)
		return -errno;
	u->slots = calloc(u->layout.n_objects, sizeof(*u->slots));
	u->extents = extents_new(u->layout.n_ranges);
	if (!u->slots || !u->extents)
		return -ENOMEM;
	err = table_store_new(&store, &u->store);
	return err ? err : table_builder_new(u->layout.cache_dir, is_wanted, u->store, &u->builder);
}

int unwinder_new(const struct unwinder_layout *layout, struct unwinder **unwinder)
{
	struct unwinder *u = calloc(1, sizeof(*u));
	int err;

	if (!u)
		return -ENOMEM;
	u->layout = *layout;
	u->ranges = MAP_FAILED;
	u->next_list = 1;
	err = open_parts(u);
	if (err) {
		unwinder_free(u);
		return err;
	}
	objects_on_drop(layout->dropped_from, forget_slot, u);
	*unwinder = u;
	return 0;
}

void unwinder_free(struct unwinder *u)
{
	uint32_t i;

	if (!u)
		return;
	objects_on_drop(u->layout.dropped_from, NULL, NULL);
	table_builder_free(u->builder);
	table_store_free(u->store);
	extents_free(u->extents);
	if (u->ranges != MAP_FAILED)
		munmap(u->ranges, u->range_bytes);
	for (i = 0; i < u->n_slots; i++)
		free(u->slots[i].path);
	free(u->slots);
	free(u);
}

static uint32_t free_slot(const struct unwinder *u)
{
	uint32_t i;

	for (i = 0; i < u->n_slots; i++) {
		if (u->slots[i].state == SLOT_FREE)
			return i;
	}
	return i;
}

/* The kernel's number of a device, as a superblock has it (include/linux/kdev_t.h). */
static uint64_t kernel_device(dev_t device)
{
	return (uint64_t)major(device) << 20 | minor(device);
}

/*
 * Lets the walker recognise the file in mappings that it finds before we can list them. Without room
 * there it waits for the list.
 */
static void list_file(struct unwinder *u, const struct object *object, struct unwind_file_key *key)
{
	struct unwind_file file = { .object = object_slot(object) };
	const struct elf_segment *segments;
	uint64_t device, inode;
	unsigned int n, i;

	object_numbers(object, &device, &inode);
	*key = (struct unwind_file_key){ .inode = inode, .device = kernel_device(device) };
	segments = object_segments(object, &n);
	for (i = 0; i < n && i < UNWIND_FILE_SEGMENTS; i++) {
		file.segments[i].offset = segments[i].offset;
		file.segments[i].size = segments[i].size;
		file.segments[i].bias = segments[i].address - segments[i].offset;
	}
	bpf_map_update_elem(u->layout.files, key, &file, BPF_ANY);
}

/* The number under which the walker knows the object; its table is asked for the first time. */
static uint32_t slot_of(struct unwinder *u, struct object *object)
{
	uint32_t slot = object_slot(object);
	uint64_t token;
	char *path;

	if (slot != OBJECT_NO_SLOT)
		return slot;
	if (object_fd(object) < 0)
		return UNWIND_NO_OBJECT;
	slot = free_slot(u);
	path = strdup(object_path(object));
	token = (uint64_t)++u->next_ticket << 32 | slot;
	u->unlisted += slot >= u->layout.n_objects;
	if (!path || slot >= u->layout.n_objects ||
	    table_builder_ask(u->builder, token, object_fd(object), object_build_id(object))) {
		free(path);
		return UNWIND_NO_OBJECT;
	}
	u->slots[slot] =
		(struct slot){ .state = SLOT_ASKED, .ticket = u->next_ticket, .path = path };
	if (slot == u->n_slots)
		u->n_slots++;
	object_set_slot(object, slot);
	list_file(u, object, &u->slots[slot].key);
	return slot;
}

void unwinder_expect(struct unwinder *u, struct object *object)
{
	unsigned int n;

	object_segments(object, &n);
	if (n)
		slot_of(u, object);
}

static struct unwind_range as_range(struct unwinder *u, const struct mapping *m)
{
	struct unwind_range r = { .start = m->start, .end = m->end, .object = UNWIND_NO_OBJECT };
	uint64_t address;

	if (m->object && object_mapping(m->object, m->offset, &address)) {
		r.bias = address - m->start;
		r.object = slot_of(u, m->object);
	}
	return r;
}

/* Writes the ranges of a set of mappings that the walker doesn't know yet. */
static int list(struct unwinder *u, struct mappings *m, struct mappings_list *l)
{
	const struct mapping *all = mappings_all(m);
	uint32_t n = mappings_count(m), i;
	int err = extents_take(u->extents, n, &l->first);

	if (err)
		return err;
	for (i = 0; i < n; i++)
		u->ranges[l->first + i] = as_range(u, &all[i]);
	l->n = n;
	l->id = u->next_list++;
	mappings_set_list(m, l, forget_list, u);
	return 0;
}

int unwinder_publish(struct unwinder *u, const struct instance *instance, struct mappings *m)
{
	struct unwind_process entry = { .start = instance->start, .epoch = instance->epoch };
	uint32_t tgid = instance->tgid;
	struct mappings_list l;
	int err;

	if (!mappings_count(m))
		return 0;
	if (!mappings_get_list(m, &l)) {
		err = list(u, m, &l);
		if (err == -ENOSPC) {
			u->unlisted++;
			return 0;
		}
		if (err)
			return err;
	}
	entry.first = l.first;
	entry.n = l.n;
	entry.id = l.id;
	/* The ranges are written before the kernel can see that they are there. */
	if (bpf_map_update_elem(u->layout.processes, &tgid, &entry, BPF_ANY)) {
		u->unlisted++;
		return errno == E2BIG ? 0 : -errno;
	}
	return 0;
}

void unwinder_forget(struct unwinder *u, const struct instance *instance)
{
	struct unwind_process entry;
	uint32_t tgid = instance->tgid;

	/* The pid may be another's by now. */
	if (!bpf_map_lookup_elem(u->layout.processes, &tgid, &entry) &&
	    entry.start == instance->start)
		bpf_map_delete_elem(u->layout.processes, &tgid);
}

int unwinder_fd(const struct unwinder *u)
{
	return table_builder_fd(u->builder);
}

/* The largest loaded table. */
static uint32_t largest(const struct unwinder *u)
{
	uint32_t i, found = UNWIND_NO_OBJECT;

	for (i = 0; i < u->n_slots; i++) {
		if (u->slots[i].state == SLOT_LOADED &&
		    (found == UNWIND_NO_OBJECT || u->slots[i].bytes > u->slots[found].bytes))
			found = i;
	}
	return found;
}

static void fail(struct unwinder *u, uint32_t slot)
{
	table_store_drop(u->store, slot, true);
	u->slots[slot].state = SLOT_FAILED;
}

static void degrade(struct unwinder *u, uint32_t slot)
{
	table_store_drop(u->store, slot, true);
	u->slots[slot].state = SLOT_DEGRADED;
}

/*
 * Where there is no room the largest table goes, be it the new one: that spoils the fewest objects.
 * What goes is free only after the next turns, so the new one is kept out until it is asked again.
 */
static int place(struct unwinder *u, uint32_t number, const struct unwind_table *table)
{
	struct slot *slot = &u->slots[number];
	uint32_t victim;
	int err;

	slot->bytes = table_store_bytes(table);
	err = table_store_put(u->store, number, table);
	if (!err) {
		slot->state = SLOT_LOADED;
		return 0;
	}
	if (err != -ENOSPC) {
		fail(u, number);
		return err == -ENOMEM ? err : 0;
	}
	degrade(u, number);
	victim = largest(u);
	if (victim != UNWIND_NO_OBJECT && u->slots[victim].bytes > slot->bytes)
		degrade(u, victim);
	return 0;
}

static int take_built(struct unwinder *u, const struct built_table *b)
{
	uint32_t number = b->token, ticket = b->token >> 32;

	if (number >= u->n_slots || u->slots[number].ticket != ticket)
		return 0;
	u->slots[number].damaged = b->damaged;
	if (b->table)
		return place(u, number, b->table);
	fail(u, number);
	return 0;
}

int unwinder_collect(struct unwinder *u)
{
	struct built_table b;
	int err = 0;

	while (!err && table_builder_next(u->builder, &b)) {
		err = take_built(u, &b);
		unwind_table_free(b.table);
	}
	return err;
}

int unwinder_settle_tables(struct unwinder *u, int timeout_ms)
{
	table_builder_wait(u->builder, timeout_ms);
	return unwinder_collect(u);
}

void unwinder_turned(struct unwinder *u)
{
	extents_settle(u->extents);
	table_store_settle(u->store);
}

uint64_t unwinder_unlisted(const struct unwinder *u)
{
	return u->unlisted;
}

char *unwinder_degraded(const struct unwinder *u, bool damaged)
{
	char *text = NULL;
	size_t size;
	FILE *f = NULL;
	uint32_t i;

	for (i = 0; i < u->n_slots; i++) {
		if (damaged ? !u->slots[i].damaged : u->slots[i].state != SLOT_DEGRADED)
			continue;
		if (!f)
			f = open_memstream(&text, &size);
		if (!f)
			return NULL;
		fprintf(f, "%s\n", u->slots[i].path);
	}
	if (f)
		fclose(f);
	return text;
}
