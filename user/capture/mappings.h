/* SPDX-License-Identifier: BSD-2-Clause */
/* The executable mappings of one address space, shared by processes until one of them changes. */
#ifndef PROFBPF_MAPPINGS_H
#define PROFBPF_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

struct object;
struct mappings;

struct mapping {
	uint64_t start, end;
	uint64_t offset; /* of start, in the file */
	struct object *object; /* NULL: memory without a file */
};

struct mappings *mappings_new(void);
/* Another reference to m. */
struct mappings *mappings_share(struct mappings *m);
/* Gives one reference back. Accepts NULL. */
void mappings_free(struct mappings *m);

/*
 * Adds a mapping; what it covers of older ones is gone. *m is replaced by a copy if it is shared.
 * Returns 1 if addresses have changed their meaning (another object, another offset), else 0;
 * -EINVAL for an empty range, -ENOMEM.
 */
int mappings_add(struct mappings **m, const struct mapping *mapping);

/* The mapping that holds an address, NULL if none; valid until the next addition. */
const struct mapping *mappings_find(const struct mappings *m, uint64_t address);

size_t mappings_count(const struct mappings *m);
/* All of them, by address; valid until the next addition. */
const struct mapping *mappings_all(const struct mappings *m);

#endif
