/* SPDX-License-Identifier: BSD-2-Clause */
/* The executable mappings of one address space, shared by processes until one of them changes. */
#ifndef PROFBPF_MAPPINGS_H
#define PROFBPF_MAPPINGS_H

#include <stdbool.h>
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
/* The first that ends above an address. */
const struct mapping *mappings_above(const struct mappings *m, uint64_t address);

/*
 * Where the walker finds these mappings, as long as they are as they are. fn is called with the list
 * when they change or nobody has them any more.
 */
struct mappings_list {
	uint32_t first, n, id;
};
void mappings_set_list(struct mappings *m, const struct mappings_list *list,
		       void (*fn)(void *arg, uint32_t first, uint32_t n), void *arg);
bool mappings_get_list(const struct mappings *m, struct mappings_list *list);

/* Whether that would return 1. */
bool mappings_would_replace(const struct mappings *m, const struct mapping *mapping);

size_t mappings_count(const struct mappings *m);
/* All of them, by address; valid until the next addition. */
const struct mapping *mappings_all(const struct mappings *m);

#endif
