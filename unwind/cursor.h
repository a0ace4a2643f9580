/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads little-endian and LEB128 numbers of a byte range and never beyond it: past the end every
 * read gives 0 and sets `bad`, so that a caller checks once after several reads.
 */
#ifndef PROFBPF_UNWIND_CURSOR_H
#define PROFBPF_UNWIND_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

static inline const uint8_t *cursor_take(struct cursor *c, uint64_t size)
{
	const uint8_t *p = c->p;

	if (size > cursor_left(c)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	c->p += size;
	return p;
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static inline uint64_t cursor_fixed(struct cursor *c, unsigned int size)
{
	const uint8_t *p = cursor_take(c, size);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, size);
	return v;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	if (c->p == c->end) {
		c->bad = true;
		return 0;
	}
	return *c->p++;
}

/* Bits above the 64th must be zero. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if ((shift == 63 && byte & 0x7e) || (shift > 63 && byte & 0x7f))
			c->bad = true;
		shift = shift > 63 ? 64 : shift + 7;
	} while (byte & 0x80 && !c->bad);
	return c->bad ? 0 : v;
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift = shift > 63 ? 64 : shift + 7;
	} while (byte & 0x80 && !c->bad);
	if (shift < 64 && byte & 0x40)
		v |= ~0ULL << shift;
	return c->bad ? 0 : (int64_t)v;
}

#endif
