/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps the kernel's walker supplied: builds the unwind tables of objects in the background, puts them
 * where the walker finds them, and tells it which ranges of a process belong to which.
 */
#ifndef PROFBPF_UNWINDER_H
#define PROFBPF_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct mappings;
struct object;
struct objects;
struct unwinder;

struct unwinder_layout {
	/* Descriptors of the maps; stay the caller's. */
	int chunks, objects, ranges, processes, files;
	uint32_t n_chunks, n_objects, n_ranges;
	const char *cache_dir; /* NULL: none */
	struct objects *dropped_from; /* whose drops are to be heard */
};

/* Starts the thread that builds. 0 or -errno. */
int unwinder_new(const struct unwinder_layout *layout, struct unwinder **unwinder);
void unwinder_free(struct unwinder *u);

/*
 * Tells the walker the mappings of a process as they are now; tables that are not there yet are
 * asked for. start or epoch of the instance may be 0 where they are not known: the walker takes what
 * it meets first. 0, -ENOMEM, -errno; mappings that find no room are left to the frame pointer,
 * counted.
 */
int unwinder_publish(struct unwinder *u, const struct instance *instance, struct mappings *m);

/* Asks for the table of an object that is going to be mapped. */
void unwinder_expect(struct unwinder *u, struct object *object);

/* Of a process that has exited. */
void unwinder_forget(struct unwinder *u, const struct instance *instance);

/* Readable when a table has been built. */
int unwinder_fd(const struct unwinder *u);
/* Hands the tables that have been built to the kernel. 0 or -errno. */
int unwinder_collect(struct unwinder *u);
/* Waits until all tables that were asked for are built, timeout_ms at most, and collects them. */
int unwinder_settle_tables(struct unwinder *u, int timeout_ms);

/* After each turn of the kernel's buffers: what was given up before is free now. */
void unwinder_turned(struct unwinder *u);

/* How often a process's mappings, or one of its files, found no room in the kernel's tables. */
uint64_t unwinder_unlisted(const struct unwinder *u);

/* The paths of objects whose unwind tables found no room, or whose unwind data are damaged, a line each, in
 * a new string; NULL if there are none. */
char *unwinder_degraded(const struct unwinder *u, bool damaged);

#endif
