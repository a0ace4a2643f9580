/* SPDX-License-Identifier: BSD-2-Clause */
/* Which parts of an array are in use: first fit, neighbours that are freed grow together. */
#ifndef PROFBPF_EXTENTS_H
#define PROFBPF_EXTENTS_H

#include <stdint.h>

struct extents;

/* All size units are free. NULL when out of memory. */
struct extents *extents_new(uint32_t size);
void extents_free(struct extents *e);

/* Takes n units that lie together. 0, -ENOSPC, -ENOMEM. */
int extents_take(struct extents *e, uint32_t n, uint32_t *first);

/*
 * Gives units back. They can be taken again only after two calls of extents_settle: until then the
 * kernel may still be reading them.
 */
int extents_give(struct extents *e, uint32_t first, uint32_t n);
void extents_settle(struct extents *e);

#endif
