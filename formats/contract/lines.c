// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define FIRST_ROOM ((size_t)64 << 10)

void lines_free(struct lines *l)
{
	free(l->buf);
}

/* Moves what is left to the front and makes room behind it. */
static int make_room(struct lines *l)
{
	size_t room;
	char *grown;

	if (l->at > 0)
		memmove(l->buf, l->buf + l->at, l->n);
	l->at = 0;
	if (l->n < l->room)
		return 0;
	if (l->room >= LINES_LONGEST)
		return -EMSGSIZE;
	room = l->room ? l->room * 2 : FIRST_ROOM;
	grown = realloc(l->buf, room);
	if (!grown)
		return -ENOMEM;
	l->buf = grown;
	l->room = room;
	return 0;
}

/* Returns how many bytes came, 0 at the end. */
static ssize_t read_more(struct lines *l)
{
	size_t got;
	int err = make_room(l);

	if (err)
		return err;
	errno = 0;
	got = fread(l->buf + l->n, 1, l->room - l->n, l->in);
	if (got == 0 && ferror(l->in))
		return -(errno ? errno : EIO);
	l->n += got;
	return (ssize_t)got;
}

static int give(struct lines *l, size_t size, size_t skip, const char **line, size_t *n)
{
	*line = l->buf + l->at;
	*n = size;
	l->at += skip;
	l->n -= skip;
	l->number++;
	return 1;
}

int lines_next(struct lines *l, const char **line, size_t *n)
{
	size_t searched = 0;

	for (;;) {
		const char *end = NULL;
		ssize_t got;

		if (l->n > searched)
			end = memchr(l->buf + l->at + searched, '\n', l->n - searched);
		if (end) {
			size_t size = (size_t)(end - (l->buf + l->at));

			return give(l, size, size + 1, line, n);
		}
		searched = l->n;
		got = read_more(l);
		if (got < 0) {
			l->number++;
			return (int)got;
		}
		if (got == 0)
			return l->n ? give(l, l->n, l->n, line, n) : 0;
	}
}
