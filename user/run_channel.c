// SPDX-License-Identifier: BSD-2-Clause
#include "user/run_channel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/fields.h"
#include "formats/contract/run_lines.h"

struct run_channel {
	struct run_lines *lines;
	char *line; /* the beginning of a line whose end has not come yet */
	size_t n, room;
	bool skipping; /* the rest of a line that has been left out */
	uint64_t number; /* of lines that have ended */
	uint64_t left_out, first;
	struct complaint why; /* of the first */
};

struct run_channel *run_channel_new(void)
{
	struct run_channel *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->lines = run_lines_new(RUN_CHANNEL_TOTAL);
	if (!c->lines) {
		free(c);
		return NULL;
	}
	return c;
}

void run_channel_free(struct run_channel *c)
{
	if (!c)
		return;
	run_lines_free(c->lines);
	free(c->line);
	free(c);
}

/* The line whose end is yet to be counted. */
static void leave_out(struct run_channel *c, const struct complaint *why)
{
	if (c->left_out++)
		return;
	c->first = c->number + 1;
	c->why = *why;
}

static void add_line(struct run_channel *c, const char *line, size_t n)
{
	struct complaint why = { 0 };
	int err = run_lines_add(c->lines, line, n, &why);

	if (err == -ENOSPC)
		complain(&why, "debug rows and logs take more than 16 MiB");
	else if (err == -ENOMEM)
		complain(&why, "out of memory");
	if (err)
		leave_out(c, &why);
}

/* Keeps a part for when the rest has come. */
static void keep(struct run_channel *c, const char *part, size_t n)
{
	struct complaint why = { 0 };
	size_t room = c->room ? c->room : 4096;
	char *grown;

	if (c->skipping)
		return;
	if (n > RUN_CHANNEL_LINE - c->n) {
		complain(&why, "longer than 1 MiB");
		goto skip;
	}
	while (room < c->n + n)
		room *= 2;
	if (room > c->room) {
		grown = realloc(c->line, room);
		if (!grown) {
			complain(&why, "out of memory");
			goto skip;
		}
		c->line = grown;
		c->room = room;
	}
	memcpy(c->line + c->n, part, n);
	c->n += n;
	return;
skip:
	leave_out(c, &why);
	c->skipping = true;
	c->n = 0;
}

static void end_line(struct run_channel *c)
{
	if (!c->skipping)
		add_line(c, c->line, c->n);
	c->skipping = false;
	c->n = 0;
	c->number++;
}

void run_channel_take(void *channel, const char *bytes, size_t n)
{
	struct run_channel *c = channel;
	const char *end;

	while ((end = memchr(bytes, '\n', n))) {
		size_t part = (size_t)(end - bytes);

		keep(c, bytes, part);
		end_line(c);
		bytes += part + 1;
		n -= part + 1;
	}
	if (n)
		keep(c, bytes, n);
}

void run_channel_end(struct run_channel *c)
{
	if (c->n || c->skipping)
		end_line(c);
}

const struct run *run_channel_run(const struct run_channel *c)
{
	return run_lines_run(c->lines);
}

uint64_t run_channel_left_out(const struct run_channel *c, uint64_t *line, const char **why)
{
	if (c->left_out) {
		*line = c->first;
		*why = c->why.text;
	}
	return c->left_out;
}
