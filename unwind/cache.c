// SPDX-License-Identifier: BSD-2-Clause
/*
 * A cache file is a table as it lies in memory, so that reading it is mapping it: a head, then complex
 * rules, rows and directory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <zlib.h>

#include "symbolize/cache_file.h"
#include "unwind/table_private.h"

/* Raised whenever the meaning of rows or this layout changes. */
#define VERSION 9
#define MAX_BUILD_ID 128 /* digits */

struct head {
	char magic[8];
	uint32_t version, crc; /* of all that follows this field */
	uint64_t base;
	uint32_t n_blocks, n_rows, n_complex, block_size;
	uint64_t reserved[3];
};
_Static_assert(sizeof(struct head) == 64, "complex rules begin at a cache line");

static const char magic[8] = "profunw";

/* Build ids come from the profiled side and become part of a path. */
static bool is_build_id(const char *id)
{
	size_t n = strspn(id, "0123456789abcdef");

	return n && n <= MAX_BUILD_ID && !id[n];
}

static size_t file_size(const struct head *h)
{
	return sizeof(*h) + (size_t)h->n_complex * sizeof(struct unwind_complex) +
	       (size_t)h->n_rows * sizeof(uint32_t) + ((size_t)h->n_blocks + 1) * sizeof(uint32_t);
}

static uint32_t checksum(const struct head *h, const void *rest, size_t size)
{
	const unsigned char *from = (const unsigned char *)&h->crc + sizeof(h->crc);
	uLong crc = crc32_z(0, from, (size_t)((const unsigned char *)(h + 1) - from));

	return (uint32_t)(size ? crc32_z(crc, rest, size) : crc);
}

/* The sum guards against damage; this against a file that never was right. */
static bool is_sound(const struct unwind_table *t)
{
	if (!t->n_rows || t->directory[0] || t->directory[t->n_blocks] != t->n_rows)
		return false;
	for (uint32_t i = 0; i < t->n_blocks; i++)
		if (t->directory[i] > t->directory[i + 1])
			return false;
	for (uint32_t i = 0; i < t->n_rows; i++) {
		uint32_t rule = t->rows[i] >> 8;

		if (UNWIND_KIND(rule) > UNWIND_UNKNOWN)
			return false;
		if (UNWIND_KIND(rule) == UNWIND_COMPLEX &&
		    UNWIND_COMPLEX_INDEX(rule) >= t->n_complex)
			return false;
	}
	for (uint32_t i = 0; i < t->n_complex; i++) {
		const struct unwind_complex *c = &t->complex[i];

		if (c->cfa > UNWIND_CFA_PLT || (c->cfa_reg | c->cfa_index) > 15 ||
		    (c->rbp_reg | c->rbx_reg | c->ra_reg) > 15 || c->rbp > UNWIND_FROM_CFA ||
		    c->rbx > UNWIND_FROM_CFA || c->ra > UNWIND_FROM_CFA)
			return false;
	}
	return true;
}

static bool take_parts(struct unwind_table *t, void *map, size_t size)
{
	const struct head *h = map;

	if (memcmp(h->magic, magic, sizeof(magic)) || h->version != VERSION ||
	    h->block_size != UNWIND_BLOCK || file_size(h) != size ||
	    h->crc != checksum(h, h + 1, size - sizeof(*h)))
		return false;
	t->base = h->base;
	t->n_blocks = h->n_blocks;
	t->n_rows = h->n_rows;
	t->n_complex = h->n_complex;
	t->complex = (struct unwind_complex *)((char *)map + sizeof(*h));
	t->rows = (uint32_t *)(t->complex + h->n_complex);
	t->directory = t->rows + h->n_rows;
	return is_sound(t);
}

/* The name of an object's file; false if that is no build id. */
static bool make_name(const char *build_id, char name[MAX_BUILD_ID + sizeof(".unwind")])
{
	if (!is_build_id(build_id))
		return false;
	sprintf(name, "%s.unwind", build_id);
	return true;
}

int unwind_cache_read(const char *dir, const char *build_id, struct unwind_table **table)
{
	char name[MAX_BUILD_ID + sizeof(".unwind")];
	struct table_memory *m;
	int err;

	if (!make_name(build_id, name))
		return -ENOENT;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	err = cache_file_map(dir, name, &m->map, &m->map_size);
	if (err) {
		free(m);
		return err;
	}
	if (m->map_size < sizeof(struct head) || !take_parts(&m->table, m->map, m->map_size)) {
		unwind_table_free(&m->table);
		return -ENOENT;
	}
	*table = &m->table;
	return 0;
}

int unwind_cache_write(const char *dir, const char *build_id, const struct unwind_table *t)
{
	struct head h = {
		.version = VERSION,
		.base = t->base,
		.n_blocks = t->n_blocks,
		.n_rows = t->n_rows,
		.n_complex = t->n_complex,
		.block_size = UNWIND_BLOCK,
	};
	const struct iovec parts[] = {
		{ &h, sizeof(h) },
		{ t->complex, t->n_complex * sizeof(*t->complex) },
		{ t->rows, t->n_rows * sizeof(*t->rows) },
		{ t->directory, ((size_t)t->n_blocks + 1) * sizeof(*t->directory) },
	};
	const size_t n_parts = sizeof(parts) / sizeof(*parts);
	char name[MAX_BUILD_ID + sizeof(".unwind")];
	uLong crc;

	if (!make_name(build_id, name))
		return -EINVAL;
	memcpy(h.magic, magic, sizeof(magic));
	crc = checksum(&h, NULL, 0);
	for (size_t i = 1; i < n_parts; i++)
		if (parts[i].iov_len)
			crc = crc32_z(crc, parts[i].iov_base, parts[i].iov_len);
	h.crc = (uint32_t)crc;
	return cache_file_write(dir, name, parts, n_parts);
}
