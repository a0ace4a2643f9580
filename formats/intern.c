/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "formats/intern.h"

#define FIRST_CHUNK 4096
#define LARGEST_CHUNK ((size_t)256 * 1024)
#define LARGEST_KEY (1U << 30)

/* Memory that is handed out in small pieces and freed as a whole. */
struct chunk {
	struct chunk *next;
	uint64_t data[];
};

struct arena {
	struct chunk *chunks;
	char *free;
	size_t left, chunk_size;
};

struct node {
	UT_hash_handle hh;
	uint32_t id;
	/* The record, then the key, each aligned to 8 bytes. */
	uint64_t data[];
};

struct intern {
	struct arena arena;
	struct node *by_key;
	struct node **by_id;
	uint32_t count, capacity;
	size_t record_size;
};

static size_t align8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static void *arena_alloc(struct arena *a, size_t size)
{
	size = align8(size);
	if (size > a->left) {
		/* A piece that would waste most of a chunk gets one of its own, and the current
		 * chunk goes on being filled. */
		bool own = size > a->chunk_size / 4;
		size_t room = own ? size : a->chunk_size;
		struct chunk *c = malloc(sizeof(*c) + room);

		if (!c)
			return NULL;
		c->next = a->chunks;
		a->chunks = c;
		if (own)
			return c->data;
		a->free = (char *)c->data;
		a->left = room;
		if (a->chunk_size < LARGEST_CHUNK)
			a->chunk_size *= 2;
	}
	void *p = a->free;

	a->free += size;
	a->left -= size;
	return p;
}

struct intern *intern_new(size_t record_size)
{
	struct intern *t = calloc(1, sizeof(*t));

	if (t) {
		t->record_size = align8(record_size);
		t->arena.chunk_size = FIRST_CHUNK;
	}
	return t;
}

void intern_free(struct intern *t)
{
	if (!t)
		return;
	HASH_CLEAR(hh, t->by_key);
	while (t->arena.chunks) {
		struct chunk *c = t->arena.chunks;

		t->arena.chunks = c->next;
		free(c);
	}
	free(t->by_id);
	free(t);
}

static int grow(struct intern *t)
{
	if (t->count < t->capacity)
		return 0;
	if (t->capacity > UINT32_MAX / 4)
		return -EOVERFLOW;
	uint32_t capacity = t->capacity ? t->capacity * 2 : 16;
	struct node **by_id = realloc(t->by_id, capacity * sizeof(*by_id));

	if (!by_id)
		return -ENOMEM;
	t->by_id = by_id;
	t->capacity = capacity;
	return 0;
}

int intern_add(struct intern *t, const void *key, size_t size, uint32_t *id)
{
	struct node *node = NULL;
	unsigned int hash;
	int err;

	if (size > LARGEST_KEY)
		return -EOVERFLOW;
	HASH_VALUE(key, (unsigned int)size, hash);
	HASH_FIND_BYHASHVALUE(hh, t->by_key, key, (unsigned int)size, hash, node);
	if (node) {
		*id = node->id;
		return 0;
	}
	err = grow(t);
	if (err)
		return err;
	node = arena_alloc(&t->arena, sizeof(*node) + t->record_size + size);
	if (!node)
		return -ENOMEM;
	char *copy = (char *)node->data + t->record_size;

	memset(node, 0, sizeof(*node) + t->record_size);
	memcpy(copy, key, size);
	node->id = t->count;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, t->by_key, copy, (unsigned int)size, hash, node);
	if (!node->hh.tbl)
		return -ENOMEM;
	t->by_id[t->count++] = node;
	*id = node->id;
	return 1;
}

int intern_find(const struct intern *t, const void *key, size_t size, uint32_t *id)
{
	struct node *node = NULL;

	if (size <= LARGEST_KEY)
		HASH_FIND(hh, t->by_key, key, (unsigned int)size, node);
	if (!node)
		return -ENOENT;
	*id = node->id;
	return 0;
}

int intern_add_string(struct intern *t, const char *s, uint32_t *id)
{
	return intern_add(t, s, strlen(s) + 1, id);
}

uint32_t intern_count(const struct intern *t)
{
	return t->count;
}

static struct node *node_of(const struct intern *t, uint32_t id)
{
	if (id >= t->count)
		abort();
	return t->by_id[id];
}

const void *intern_key(const struct intern *t, uint32_t id)
{
	return (const char *)node_of(t, id)->data + t->record_size;
}

size_t intern_key_size(const struct intern *t, uint32_t id)
{
	return node_of(t, id)->hh.keylen;
}

void *intern_record(const struct intern *t, uint32_t id)
{
	return node_of(t, id)->data;
}

void *intern_alloc(struct intern *t, size_t size)
{
	return arena_alloc(&t->arena, size);
}
