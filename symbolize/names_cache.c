// SPDX-License-Identifier: BSD-2-Clause
/*
 * A cache file is a head, the key, the trail of files that were looked for, and the answers. The key is compared
 * as a whole: whoever can choose an object's build id chooses the file's name, but not the inode and the time of
 * its last change, which are in the key.
 */
#include "symbolize/names_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <zlib.h>

#include "symbolize/answers.h"
#include "symbolize/cache_file.h"
#include "symbolize/symbolize.h"

/* Raised whenever this layout or that of answers changes. */
#define VERSION 1
#define SUFFIX ".names"
#define MAX_FILE (32u << 20)
#define MAX_ALL (128u << 20) /* of all files together */

struct head {
	char magic[8];
	uint32_t version, crc; /* of all that follows this field */
	uint32_t key_size, trail_size; /* each is filled up to a multiple of 8 */
};

static const char magic[8] = "profnam";

struct names_cache {
	char *dir, *root;
	char name[2 * 64 + 32];
	char *key;
	size_t key_size;

	void *map;
	size_t map_size;
	struct answers *answers;
};

static size_t filled_up(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* The program that names: what it makes of an object is its own. */
static struct file_identity own_identity(void)
{
	struct stat st;

	return stat("/proc/self/exe", &st) ? (struct file_identity){ 0 } : file_identity_of(&st);
}

static bool make_key(struct names_cache *c, const struct symbol_source *source,
		     const struct names_options *options, const struct stat *st,
		     const char *build_id)
{
	const struct file_identity identities[] = { own_identity(), file_identity_of(st) };
	FILE *key = open_memstream(&c->key, &c->key_size);

	if (!key)
		return false;
	fwrite(identities, sizeof(identities), 1, key);
	fprintf(key, "%s%c%d%c%s%c", build_id, 0, options->full_names, 0,
		source->path ? source->path : "", 0);
	for (const char *const *dir = options->debug_dirs; dir && *dir; dir++)
		fprintf(key, "%s%c", *dir, 0);
	return !fclose(key) && c->key_size < UINT16_MAX;
}

struct names_cache *names_cache_new(const char *dir, const struct symbol_source *source,
				    const struct names_options *options)
{
	struct elf_shape shape;
	struct names_cache *c;
	struct stat st;

	if (fstat(source->fd, &st) || !file_is_settled(&st) || elf_shape_read(source->fd, &shape))
		return NULL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->dir = strdup(dir);
	c->root = strdup(source->root ? source->root : "");
	if (!c->dir || !c->root || !make_key(c, source, options, &st, shape.build_id)) {
		names_cache_free(c);
		return NULL;
	}
	snprintf(c->name, sizeof(c->name), "%s-%08lx" SUFFIX,
		 *shape.build_id ? shape.build_id : "none",
		 crc32_z(0, (const Bytef *)c->key, c->key_size));
	return c;
}

void names_cache_free(struct names_cache *c)
{
	if (!c)
		return;
	answers_free(c->answers);
	if (c->map)
		munmap(c->map, c->map_size);
	free(c->dir);
	free(c->root);
	free(c->key);
	free(c);
}

static uint32_t checksum(const struct head *h, const struct iovec *rest, size_t n)
{
	const Bytef *from = (const Bytef *)&h->crc + sizeof(h->crc);
	uLong crc = crc32_z(0, from, (size_t)((const Bytef *)(h + 1) - from));

	for (size_t i = 0; i < n; i++)
		if (rest[i].iov_len)
			crc = crc32_z(crc, rest[i].iov_base, rest[i].iov_len);
	return (uint32_t)crc;
}

/* Finds the parts in the mapped bytes, and whether they are what is asked for. */
static bool take(struct names_cache *c, trail_look look)
{
	const struct head *h = c->map;
	struct iovec rest = { (char *)c->map + sizeof(*h), c->map_size - sizeof(*h) };
	const char *at = rest.iov_base;
	size_t key_room, trail_room;

	if (c->map_size < sizeof(*h) || memcmp(h->magic, magic, sizeof(magic)) ||
	    h->version != VERSION || h->key_size != c->key_size)
		return false;
	key_room = filled_up(h->key_size);
	trail_room = filled_up(h->trail_size);
	if (rest.iov_len < key_room || rest.iov_len - key_room < trail_room ||
	    h->crc != checksum(h, &rest, 1) || memcmp(at, c->key, c->key_size) ||
	    !trail_holds(at + key_room, h->trail_size, c->root, look))
		return false;
	at += key_room + trail_room;
	return !answers_unpack(at, rest.iov_len - key_room - trail_room, &c->answers);
}

struct answers *names_cache_read(struct names_cache *c, trail_look look)
{
	if (cache_file_map(c->dir, c->name, &c->map, &c->map_size)) {
		c->map = NULL;
		return NULL;
	}
	if (!take(c, look))
		return NULL;
	cache_file_touch(c->dir, c->name);
	return c->answers;
}

static void write_all(const struct names_cache *c, const struct trail *trail,
		      struct answers *answers)
{
	static const char zeros[8];
	struct head h = {
		.version = VERSION,
		.key_size = (uint32_t)c->key_size,
		.trail_size = (uint32_t)trail->size,
	};
	struct iovec parts[5 + ANSWERS_PARTS] = {
		{ &h, sizeof(h) },
		{ c->key, c->key_size },
		{ (void *)(uintptr_t)zeros, filled_up(c->key_size) - c->key_size },
		{ trail->bytes, trail->size },
		{ (void *)(uintptr_t)zeros, filled_up(trail->size) - trail->size },
	};
	const size_t n = sizeof(parts) / sizeof(*parts);
	size_t size = 0;

	answers_pack(answers, &parts[5]);
	for (size_t i = 0; i < n; i++)
		size += parts[i].iov_len;
	if (size > MAX_FILE)
		return;
	memcpy(h.magic, magic, sizeof(magic));
	h.crc = checksum(&h, parts + 1, n - 1);
	if (!cache_file_write(c->dir, c->name, parts, n))
		cache_file_limit(c->dir, SUFFIX, MAX_ALL);
}

void names_cache_write(struct names_cache *c, struct trail *trail, struct answers *answers)
{
	const struct head *old = c->map;

	if (c->answers)
		trail_merge(trail, (const char *)(old + 1) + filled_up(old->key_size),
			    old->trail_size);
	if (!trail->spoiled)
		write_all(c, trail, answers);
}
