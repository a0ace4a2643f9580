// SPDX-License-Identifier: BSD-2-Clause
/*
 * A cache file is a table as it lies in memory, so that reading it is mapping it: a head, then complex
 * rules, rows and directory. Files are only ever replaced by renaming, so a mapped one does not
 * change.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "unwind/table_private.h"

/* Raised whenever the meaning of rows or this layout changes. */
#define VERSION 7
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

static int map_file(int fd, struct unwind_table **table)
{
	struct table_memory *m;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (st.st_uid && st.st_uid != geteuid()) ||
	    st.st_mode & (S_IWGRP | S_IWOTH) || st.st_size < (off_t)sizeof(struct head))
		return -ENOENT;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->map_size = (size_t)st.st_size;
	m->map = mmap(NULL, m->map_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (m->map == MAP_FAILED) {
		free(m);
		return -ENOMEM;
	}
	if (!take_parts(&m->table, m->map, m->map_size)) {
		unwind_table_free(&m->table);
		return -ENOENT;
	}
	*table = &m->table;
	return 0;
}

int unwind_cache_read(const char *dir, const char *build_id, struct unwind_table **table)
{
	char *path;
	int fd, err;

	if (!is_build_id(build_id))
		return -ENOENT;
	if (asprintf(&path, "%s/%s.unwind", dir, build_id) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	err = fd < 0 ? -errno : map_file(fd, table);
	if (fd >= 0)
		close(fd);
	free(path);
	return err == -ELOOP ? -ENOENT : err;
}

static int write_bytes(int fd, const void *bytes, size_t size)
{
	const char *p = bytes;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

static int write_table(int fd, const struct unwind_table *t)
{
	const struct {
		const void *bytes;
		size_t size;
	} parts[] = {
		{ t->complex, t->n_complex * sizeof(*t->complex) },
		{ t->rows, t->n_rows * sizeof(*t->rows) },
		{ t->directory, ((size_t)t->n_blocks + 1) * sizeof(*t->directory) },
	};
	struct head h = {
		.version = VERSION,
		.base = t->base,
		.n_blocks = t->n_blocks,
		.n_rows = t->n_rows,
		.n_complex = t->n_complex,
		.block_size = UNWIND_BLOCK,
	};
	uLong crc = checksum(&h, NULL, 0);
	int err;

	memcpy(h.magic, magic, sizeof(magic));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].size)
			crc = crc32_z(crc, parts[i].bytes, parts[i].size);
	h.crc = (uint32_t)crc;
	err = write_bytes(fd, &h, sizeof(h));
	for (size_t i = 0; !err && i < sizeof(parts) / sizeof(*parts); i++)
		err = write_bytes(fd, parts[i].bytes, parts[i].size);
	return err;
}

int unwind_cache_write(const char *dir, const char *build_id, const struct unwind_table *table)
{
	char *path = NULL, *temporary = NULL;
	int fd, err = -ENOMEM;

	if (!is_build_id(build_id))
		return -EINVAL;
	if (asprintf(&path, "%s/%s.unwind", dir, build_id) < 0) {
		path = NULL;
		goto out;
	}
	if (asprintf(&temporary, "%s/.%s.XXXXXX", dir, build_id) < 0) {
		temporary = NULL;
		goto out;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		goto out;
	}
	err = write_table(fd, table);
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
out:
	free(temporary);
	free(path);
	return err;
}
