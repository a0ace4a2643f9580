/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of distinct keys: gives equal keys the same dense id, from 0 in order of first
 * appearance, and keeps a fixed-size record beside each key. Keys and records never move, so
 * pointers to them stay valid until the table is freed.
 */
#ifndef PROFBPF_INTERN_H
#define PROFBPF_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern;

/* A table whose records have record_size bytes (may be 0). NULL when out of memory. */
struct intern *intern_new(size_t record_size);
/* Accepts NULL. */
void intern_free(struct intern *t);

/*
 * Looks the key up and adds a copy of it, with a zeroed record, if it is missing. Returns 1 if it
 * was added, 0 if it was there, -ENOMEM, or -EOVERFLOW for a key over 1 GiB or too many keys; the
 * table and *id are unchanged on failure. The copy is aligned to 8 bytes.
 */
int intern_add(struct intern *t, const void *key, size_t size, uint32_t *id);
/* The same for a string; the key includes the terminating NUL. */
int intern_add_string(struct intern *t, const char *s, uint32_t *id);

/* Looks up only: 0, or -ENOENT, and *id is unchanged. */
int intern_find(const struct intern *t, const void *key, size_t size, uint32_t *id);

uint32_t intern_count(const struct intern *t);

/* An id out of range is a programming error: these abort. */
const void *intern_key(const struct intern *t, uint32_t id);
size_t intern_key_size(const struct intern *t, uint32_t id);
void *intern_record(const struct intern *t, uint32_t id);

/* Memory of the table's own arena, aligned to 8 bytes, freed with the table. NULL when out of
 * memory. */
void *intern_alloc(struct intern *t, size_t size);

#endif
