// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/profbpf.h"
#include "unwind/table.h"
#include "user/capture/extents.h"
#include "user/capture/table_store.h"

#define CHUNK_WORDS (sizeof(struct unwind_chunk) / sizeof(uint32_t))
#define COMPLEX_WORDS (sizeof(struct unwind_complex) / sizeof(uint32_t))

struct placed {
	uint32_t first, n; /* chunks; n = 0: none */
};

struct table_store {
	struct table_store_layout layout;
	struct unwind_chunk *chunks; /* mapped */
	struct unwind_object *objects; /* likewise */
	struct extents *extents;
	size_t n_placed;
	struct placed *placed; /* by object */
};

/* An array map's elements, or MAP_FAILED. The kernel rounds the size up, here and in munmap. */
static void *map_all(int fd, size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

int table_store_new(const struct table_store_layout *layout, struct table_store **store)
{
	struct table_store *s = calloc(1, sizeof(*s));
	int err = -ENOMEM;

	if (!s)
		return err;
	s->layout = *layout;
	s->chunks = map_all(layout->chunks, layout->n_chunks * sizeof(*s->chunks));
	s->objects = map_all(layout->objects, layout->n_objects * sizeof(*s->objects));
	if (s->chunks == MAP_FAILED || s->objects == MAP_FAILED)
		err = -errno;
	else
		s->extents = extents_new(layout->n_chunks);
	if (!s->extents) {
		table_store_free(s);
		return err;
	}
	*store = s;
	return 0;
}

void table_store_free(struct table_store *s)
{
	if (!s)
		return;
	if (s->chunks != MAP_FAILED)
		munmap(s->chunks, s->layout.n_chunks * sizeof(*s->chunks));
	if (s->objects != MAP_FAILED)
		munmap(s->objects, s->layout.n_objects * sizeof(*s->objects));
	extents_free(s->extents);
	free(s->placed);
	free(s);
}

/* The complex rules come first, for they must not cross the end of a chunk. */
static uint64_t words_of(const struct unwind_table *t)
{
	return (uint64_t)t->n_complex * COMPLEX_WORDS + t->n_blocks + 1 + t->n_rows;
}

uint64_t table_store_bytes(const struct unwind_table *t)
{
	return (words_of(t) + CHUNK_WORDS - 1) / CHUNK_WORDS * sizeof(struct unwind_chunk);
}

static int reserve_object(struct table_store *s, uint32_t object)
{
	size_t n = object + 1ul;
	struct placed *placed;

	if (n <= s->n_placed)
		return 0;
	placed = realloc(s->placed, n * sizeof(*placed));
	if (!placed)
		return -ENOMEM;
	memset(placed + s->n_placed, 0, (n - s->n_placed) * sizeof(*placed));
	s->placed = placed;
	s->n_placed = n;
	return 0;
}

int table_store_put(struct table_store *s, uint32_t object, const struct unwind_table *t)
{
	uint64_t chunks = table_store_bytes(t) / sizeof(struct unwind_chunk);
	struct unwind_object entry = { .base = t->base,
				       .n_blocks = t->n_blocks,
				       .n_complex = t->n_complex };
	uint32_t first, *words;
	int err = reserve_object(s, object);

	if (err)
		return err;
	if (chunks > s->layout.n_chunks)
		return -ENOSPC;
	err = extents_take(s->extents, chunks, &first);
	if (err)
		return err;
	words = s->chunks[first].words;
	entry.complex = first * CHUNK_WORDS;
	entry.directory = entry.complex + t->n_complex * COMPLEX_WORDS;
	entry.rows = entry.directory + t->n_blocks + 1;
	if (t->n_complex)
		memcpy(words, t->complex, t->n_complex * sizeof(*t->complex));
	words += t->n_complex * COMPLEX_WORDS;
	memcpy(words, t->directory, (t->n_blocks + 1ul) * sizeof(*words));
	words += t->n_blocks + 1;
	memcpy(words, t->rows, t->n_rows * sizeof(*words));
	/* The rows are written before the kernel can see that they are there. */
	if (bpf_map_update_elem(s->layout.objects, &object, &entry, BPF_ANY)) {
		err = -errno;
		extents_give(s->extents, first, chunks);
		return err;
	}
	s->placed[object] = (struct placed){ first, chunks };
	return 0;
}

void table_store_drop(struct table_store *s, uint32_t object, bool bare)
{
	struct unwind_object none = { .bare = bare };

	bpf_map_update_elem(s->layout.objects, &object, &none, BPF_ANY);
	if (object >= s->n_placed || !s->placed[object].n)
		return;
	extents_give(s->extents, s->placed[object].first, s->placed[object].n);
	s->placed[object].n = 0;
}

bool table_store_wanted(const struct table_store *s, uint32_t object)
{
	return object < s->layout.n_objects &&
	       __atomic_load_n(&s->objects[object].wanted, __ATOMIC_RELAXED);
}

void table_store_settle(struct table_store *s)
{
	extents_settle(s->extents);
}
