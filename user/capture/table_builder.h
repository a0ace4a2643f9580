/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds unwind tables in a thread of its own, or reads them from the cache of earlier runs. */
#ifndef PROFBPF_TABLE_BUILDER_H
#define PROFBPF_TABLE_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

struct table_builder;
struct unwind_table;

/*
 * cache_dir may be NULL and is copied. Tables for whose token is_wanted says so come before the others; it is
 * called in the builder's thread, with its lock held. 0 or -errno.
 */
int table_builder_new(const char *cache_dir, bool (*is_wanted)(void *arg, uint64_t token),
		      void *arg, struct table_builder **builder);
/* Waits for the table that is being built. */
void table_builder_free(struct table_builder *b);

/* Asks for a table, which comes back with the token. The descriptor is duplicated. 0, -ENOMEM, -errno. */
int table_builder_ask(struct table_builder *b, uint64_t token, int fd, const char *build_id);

struct built_table {
	uint64_t token;
	struct unwind_table *table; /* NULL: there is none, or it could not be built */
	bool damaged; /* what there is could not be read, or much of it makes no sense */
};
/* The next one that is done; its table is the caller's then. False if there is none. */
bool table_builder_next(struct table_builder *b, struct built_table *built);

/* Waits until nothing is asked for and not done, timeout_ms at most. */
void table_builder_wait(struct table_builder *b, int timeout_ms);

/* Readable while table_builder_next has something. */
int table_builder_fd(const struct table_builder *b);

#endif
