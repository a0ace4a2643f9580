// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/profbpf.h"
#include "user/capture/inbox.h"
#include "user/capture/records.h"

enum letter_kind { LETTER_EVENT, LETTER_RECORD, LETTER_STACK };

struct letter {
	uint64_t time;
	size_t order; /* of arrival, for equal times */
	enum letter_kind kind;
	void *content;
};

struct inbox {
	size_t n, room;
	struct letter *letters;
};

struct inbox *inbox_new(void)
{
	return calloc(1, sizeof(struct inbox));
}

/* Frees the first n letters; the others move up. */
static void forget(struct inbox *i, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		free(i->letters[k].content);
	i->n -= n;
	for (k = 0; k < i->n; k++) {
		i->letters[k] = i->letters[k + n];
		i->letters[k].order = k;
	}
}

void inbox_free(struct inbox *i)
{
	if (!i)
		return;
	forget(i, i->n);
	free(i->letters);
	free(i);
}

/* A letter with room for size bytes of content, the first of them copied from data. */
static void *add(struct inbox *i, enum letter_kind kind, uint64_t time, const void *data,
		 size_t copied, size_t size)
{
	struct letter *letters = i->letters;
	void *content;

	if (i->n == i->room) {
		size_t room = i->room ? 2 * i->room : 256;

		letters = realloc(letters, room * sizeof(*letters));
		if (!letters)
			return NULL;
		i->letters = letters;
		i->room = room;
	}
	content = malloc(size);
	if (!content)
		return NULL;
	memcpy(content, data, copied);
	letters[i->n] = (struct letter){ time, i->n, kind, content };
	i->n++;
	return content;
}

int inbox_add_event(struct inbox *i, const struct process_event *e)
{
	return add(i, LETTER_EVENT, e->time, e, sizeof(*e), sizeof(*e)) ? 0 : -ENOMEM;
}

int inbox_add_record(struct inbox *i, const struct record *r)
{
	size_t text = strlen(r->text) + 1;
	struct record *copy = add(i, LETTER_RECORD, r->time, r, sizeof(*r), sizeof(*r) + text);

	if (!copy)
		return -ENOMEM;
	copy->text = memcpy(copy + 1, r->text, text);
	return 0;
}

int inbox_add_stack(struct inbox *i, const struct stack_record *s, size_t size)
{
	return add(i, LETTER_STACK, s->time, s, size, size) ? 0 : -ENOMEM;
}

static int by_time(const void *a, const void *b)
{
	const struct letter *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int deliver(const struct letter *letter, const struct inbox_reader *reader, void *arg)
{
	switch (letter->kind) {
	case LETTER_EVENT:
		return reader->event(arg, letter->content);
	case LETTER_RECORD:
		return reader->record(arg, letter->content);
	case LETTER_STACK:
		return reader->stack(arg, letter->content);
	}
	return -EINVAL;
}

int inbox_deliver(struct inbox *i, uint64_t until, const struct inbox_reader *reader, void *arg)
{
	size_t k;
	int err = 0;

	if (i->n)
		qsort(i->letters, i->n, sizeof(*i->letters), by_time);
	for (k = 0; k < i->n && i->letters[k].time <= until; k++) {
		if (err >= 0)
			err = deliver(&i->letters[k], reader, arg);
	}
	forget(i, k);
	return err < 0 ? err : 0;
}
