/* SPDX-License-Identifier: BSD-2-Clause */
/* Debug files from servers that speak debuginfod's protocol. Used inside symbolize/ only. */
#ifndef PROFBPF_DEBUGINFOD_H
#define PROFBPF_DEBUGINFOD_H

struct elf_shape;
struct debuginfod;
struct symbolizer_downloads;

/*
 * Prepares for asking servers. Sets DEBUGINFOD_URLS in the environment, which libdebuginfod reads, and
 * DEBUGINFOD_CACHE_PATH where its own choice would be another user's folder; so call it before there are
 * threads. downloads is copied. NULL when out of memory.
 */
struct debuginfod *debuginfod_new(const struct symbolizer_downloads *downloads);
/* Accepts NULL. */
void debuginfod_free(struct debuginfod *d);

/*
 * Opens the debug file of a build id, from libdebuginfod's cache or a server. It is taken only if it is
 * a whole ELF file of that build id, machine and class. The time for one file and that for all together
 * are limited, and servers that fail are not asked again. d may be NULL.
 *
 * Returns a descriptor that the caller closes, -ENOENT if there is none.
 */
int debuginfod_open(struct debuginfod *d, const struct elf_shape *shape);

#endif
