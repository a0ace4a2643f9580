/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names of one object from one run for the next, in a file called after its build id. Used by symbolizer.c
 * only.
 */
#ifndef PROFBPF_NAMES_CACHE_H
#define PROFBPF_NAMES_CACHE_H

#include <stdbool.h>

#include "symbolize/trail.h"

struct answers;
struct names_cache;
struct symbol_source;

/* What names depend on, besides the object and the files of the trail. */
struct names_options {
	const char *const *debug_dirs; /* NULL-terminated */
	bool full_names;
};

/*
 * Of a file in a folder, for an object. NULL where its names can not be kept: it is no ELF file, or was written
 * just now, so that another change would not show; or out of memory.
 */
struct names_cache *names_cache_new(const char *dir, const struct symbol_source *source,
				    const struct names_options *options);
/* Accepts NULL. */
void names_cache_free(struct names_cache *cache);

/*
 * What is known of the object from earlier runs; NULL if nothing is. Any difference counts: another file under
 * the same build id, other options, another build of the profiler, a debug file that came, went or changed. The
 * answers belong to the cache.
 */
struct answers *names_cache_read(struct names_cache *cache, trail_look look);

/*
 * Keeps answers for the next run, if the trail tells all. With those of names_cache_read among them, the trail gets
 * what was looked for then. That it can not be done is no failure.
 */
void names_cache_write(struct names_cache *cache, struct trail *trail, struct answers *answers);

#endif
