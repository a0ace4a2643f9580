// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/symbolize.h"
#include "user/capture/copied_code.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"

#define PIECE 4096
#define PIECES 16 /* looked at in a mapping, besides the last */

struct comparison {
	int memory, file;
	uint64_t address, offset, size;
};

static bool is_same(const struct comparison *c, uint64_t at)
{
	unsigned char ours[PIECE], theirs[PIECE];
	ssize_t size = c->size - at < PIECE ? c->size - at : PIECE;

	return pread(c->memory, theirs, size, c->address + at) == size &&
	       pread(c->file, ours, size, c->offset + at) == size && !memcmp(ours, theirs, size);
}

static bool are_same(const struct comparison *c)
{
	uint64_t last = (c->size - 1) / PIECE, step = last / PIECES + 1, i;

	for (i = 0; i < last; i += step) {
		if (!is_same(c, i * PIECE))
			return false;
	}
	return is_same(c, last * PIECE);
}

/* What of the segment the mapping would hold if it began at the offset. */
static bool overlap(const struct elf_segment *s, const struct mapping *m, uint64_t offset,
		    struct comparison *c)
{
	uint64_t page = sysconf(_SC_PAGESIZE), before;

	/* The segment's first page begins before it, its last one ends behind it. */
	if (offset + page <= s->offset || offset >= s->offset + s->size ||
	    m->end - m->start > s->offset + s->size + page - 1 - offset)
		return false;
	before = offset < s->offset ? s->offset - offset : 0;
	c->address = m->start + before;
	c->offset = offset + before;
	c->size = s->offset + s->size - c->offset;
	if (c->size > m->end - c->address)
		c->size = m->end - c->address;
	return true;
}

/* Its place is that in the file's mapping near it, or it begins where the whole segment does: segments
 * may lie elsewhere to each other than in the file. */
static bool find(struct comparison *c, const struct mapping *near, const struct mapping *m,
		 uint64_t *offset)
{
	uint64_t page = sysconf(_SC_PAGESIZE), by_place = near->offset + (m->start - near->start);
	const struct elf_segment *segments;
	unsigned int i, n;

	segments = object_segments(near->object, &n);
	for (i = 0; i < n; i++) {
		uint64_t by_start = segments[i].offset & ~(page - 1);

		*offset = by_place;
		if (overlap(&segments[i], m, by_place, c) && are_same(c))
			return true;
		*offset = by_start;
		if (by_start != by_place && overlap(&segments[i], m, by_start, c) && are_same(c))
			return true;
	}
	return false;
}

bool copied_code_find(uint32_t pid, const struct mapping *near, struct mapping *m)
{
	struct comparison c = { .file = object_fd(near->object) };
	uint64_t offset;
	char path[32];
	bool found;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/mem", pid);
	c.memory = open(path, O_RDONLY | O_CLOEXEC);
	if (c.memory < 0)
		return false;
	found = find(&c, near, m, &offset);
	close(c.memory);
	if (!found)
		return false;
	m->object = near->object;
	m->offset = offset;
	return true;
}
