// SPDX-License-Identifier: BSD-2-Clause
#include "user/capture_output.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM ((size_t)4096)

/* Room for n bytes and a NUL, n being within the limit. */
static bool make_room(struct capture_output *o, size_t n)
{
	size_t room = o->room ? o->room : FIRST_ROOM;
	char *grown;

	while (room < n + 1)
		room *= 2;
	if (room > o->limit + 1)
		room = o->limit + 1;
	if (room == o->room)
		return true;
	grown = realloc(o->bytes, room);
	if (!grown)
		return false;
	o->bytes = grown;
	o->room = room;
	return true;
}

void capture_output_take(void *output, const char *bytes, size_t n)
{
	struct capture_output *o = output;
	size_t kept = o->limit - o->n < n ? o->limit - o->n : n;

	/* Behind a gap nothing may follow. */
	if (o->cut || (kept && !make_room(o, o->n + kept)))
		kept = 0;
	if (kept) {
		memcpy(o->bytes + o->n, bytes, kept);
		o->n += kept;
		o->bytes[o->n] = '\0';
	}
	o->cut += n - kept;
}

/* How long the character is that a byte begins; 1 for one that begins none. */
static size_t character_length(unsigned char byte)
{
	if (byte >= 0xf0 && byte < 0xf8)
		return 4;
	if (byte >= 0xe0)
		return byte < 0xf0 ? 3 : 1;
	return byte >= 0xc0 ? 2 : 1;
}

void capture_output_end(struct capture_output *o)
{
	size_t back = 1;

	if (!o->cut)
		return;
	while (back < 4 && back < o->n && ((unsigned char)o->bytes[o->n - back] & 0xc0) == 0x80)
		back++;
	if (back > o->n || character_length((unsigned char)o->bytes[o->n - back]) <= back)
		return;
	o->n -= back;
	o->bytes[o->n] = '\0';
	o->cut += back;
}

void capture_output_clear(struct capture_output *o)
{
	free(o->bytes);
	o->bytes = NULL;
	o->n = o->room = 0;
}
