/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's copy of the unwind tables: one array for all, written through a mapping. */
#ifndef PROFBPF_TABLE_STORE_H
#define PROFBPF_TABLE_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct table_store;
struct unwind_table;

struct table_store_layout {
	int chunks, objects; /* descriptors of the maps; stay the caller's */
	uint32_t n_chunks, n_objects;
};

int table_store_new(const struct table_store_layout *layout, struct table_store **store);
void table_store_free(struct table_store *s);

/* Puts a table in as that of an object. 0, -ENOSPC, -ENOMEM, -errno. */
int table_store_put(struct table_store *s, uint32_t object, const struct unwind_table *table);
/* Takes the object's table out, if it has one. bare: it gets no other. */
void table_store_drop(struct table_store *s, uint32_t object, bool bare);
/* Whether the walker has missed the object's table. May be called in any thread. */
bool table_store_wanted(const struct table_store *s, uint32_t object);
/* After the kernel has been seen to have left what was dropped (extents_settle). */
void table_store_settle(struct table_store *s);

/* Bytes that a table takes. */
uint64_t table_store_bytes(const struct unwind_table *table);

#endif
