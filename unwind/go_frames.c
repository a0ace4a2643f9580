// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/go_frames.h"

#define MAX_FRAMES (256u << 20) /* bytes */

struct bytes {
	uint8_t *data;
	size_t size, room;
	int err; /* once set, nothing is added */
};

static void put(struct bytes *b, const void *data, size_t size)
{
	if (!b->err && b->room - b->size < size) {
		size_t room = 2 * b->room + 4096;
		uint8_t *grown = room > MAX_FRAMES ? NULL : realloc(b->data, room);

		b->err = room > MAX_FRAMES ? -EFBIG : grown ? 0 : -ENOMEM;
		if (grown) {
			b->data = grown;
			b->room = room;
		}
	}
	if (b->err)
		return;
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_number(struct bytes *b, uint64_t value, size_t size)
{
	put(b, &value, size);
}

static void put_uleb(struct bytes *b, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_number(b, value | 0x80, 1);
	put_number(b, value, 1);
}

/* CFA = rsp + 8 on entry, the return address below it. */
static void put_cie(struct bytes *b)
{
	static const uint8_t body[] = { 3, 0, 1, 0x78, 16, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16,
					1 };

	put_number(b, 4 + sizeof(body), 4);
	put_number(b, UINT32_MAX, 4);
	put(b, body, sizeof(body));
}

/* Returns how many bytes of code, of so many, the pieces say something about. */
static uint64_t put_pieces(struct bytes *b, struct gopclntab_pieces p, uint64_t size)
{
	uint64_t done = 0, step = 0;

	while (gopclntab_next(&p)) {
		if (p.offset > size || p.value < -8 || p.value > INT32_MAX - 8)
			break;
		if (step)
			put_number(b, DW_CFA_advance_loc4 | step << 8, 5);
		put_number(b, DW_CFA_def_cfa_offset, 1);
		put_uleb(b, (uint64_t)p.value + 8);
		step = p.offset - done;
		done = p.offset;
	}
	return done;
}

static void put_function(struct bytes *b, const struct gopclntab *table, size_t i)
{
	struct gopclntab_function function;
	size_t start = b->size;
	uint64_t size;

	if (gopclntab_function(table, i, &function))
		return;
	put_number(b, 0, 4); /* its length and how much code, known later */
	put_number(b, 0, 4); /* the CIE */
	put_number(b, function.start, 8);
	put_number(b, 0, 8);
	size = put_pieces(b, gopclntab_stack(table, i), function.end - function.start);
	if (b->err)
		return;
	if (!size) {
		b->size = start;
		return;
	}
	memcpy(b->data + start + 16, &size, 8);
	size = b->size - start - 4;
	memcpy(b->data + start, &size, 4);
}

int unwind_go_frames(const struct gopclntab *table, struct cfi_section *section)
{
	struct bytes b = { 0 };

	put_cie(&b);
	for (size_t i = 0; !b.err && i < gopclntab_count(table); i++)
		put_function(&b, table, i);
	if (b.err) {
		free(b.data);
		return b.err;
	}
	section->data = b.data;
	section->size = b.size;
	return 0;
}
