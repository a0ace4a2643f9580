// SPDX-License-Identifier: BSD-2-Clause
/*
 * The caller's thread reads lines into a ring of batches, and all threads parse those that have been read. The
 * objects of operations, most of all, are released where and when they were made, which keeps memory warm and
 * threads out of each other's way.
 */
#include "formats/contract/events_ahead.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/fields.h"
#include "formats/contract/lines.h"

#define BATCH_BYTES ((size_t)32 << 10)
#define BATCHES 4 /* for each thread */
#define MAX_THREADS 15
#define STACK_SIZE ((size_t)2 << 20) /* the library goes down 2,048 levels at most */

enum batch_state { BATCH_FREE, BATCH_READ, BATCH_TAKEN, BATCH_PARSED };

struct line {
	size_t end; /* in the text */
	struct parsed_line parsed;
};

struct batch {
	enum batch_state state;
	char *text;
	size_t n_text, text_room;
	struct line *lines;
	size_t n_lines, lines_room;
	size_t n_parsed;
	int err; /* of the line behind those */
	struct complaint complaint;
};

struct events_ahead {
	struct lines in;
	bool at_end; /* of in */
	int err; /* that ended it */
	size_t at; /* line of the first batch that is to be given next */
	uint64_t number;

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t read, parsed;
	struct batch *batches; /* a ring: used ones from the first on */
	size_t n_batches, first, used;
	pthread_t threads[MAX_THREADS];
	unsigned int n_threads, wanted;
	bool stop;
};

static void release_objects(struct batch *b)
{
	while (b->n_parsed)
		json_decref(b->lines[--b->n_parsed].parsed.object);
}

static int parse_line(struct batch *b, const char *text, size_t n, struct parsed_line *parsed)
{
	struct complaint undecoded;
	json_t *object;
	int err = fields_parse(text, n, &object, &b->complaint);

	if (err)
		return err;
	parsed->object = object;
	if (json_object_get(object, "op") && !event_decode(object, &parsed->event, &undecoded)) {
		json_decref(object);
		parsed->object = NULL;
	}
	return 0;
}

static void parse(struct batch *b)
{
	size_t start = 0;

	b->err = 0;
	for (size_t i = 0; i < b->n_lines && !b->err; i++) {
		struct line *l = &b->lines[i];

		b->err = parse_line(b, b->text + start, l->end - start, &l->parsed);
		b->n_parsed += !b->err;
		start = l->end;
	}
}

/* The next one to be parsed; the lock is held. */
static struct batch *take(struct events_ahead *a)
{
	for (size_t i = 0; i < a->used; i++) {
		struct batch *b = &a->batches[(a->first + i) % a->n_batches];

		if (b->state == BATCH_READ) {
			b->state = BATCH_TAKEN;
			return b;
		}
	}
	return NULL;
}

/* Parses a batch, or waits for what changes; the lock is held before and after. */
static void work(struct events_ahead *a, pthread_cond_t *change)
{
	struct batch *b = take(a);

	if (!b) {
		pthread_cond_wait(change, &a->lock);
		return;
	}
	pthread_mutex_unlock(&a->lock);
	parse(b);
	pthread_mutex_lock(&a->lock);
	b->state = BATCH_PARSED;
	pthread_cond_signal(&a->parsed);
}

static void *run(void *arg)
{
	struct events_ahead *a = arg;

	pthread_mutex_lock(&a->lock);
	while (!a->stop)
		work(a, &a->read);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void start_threads(struct events_ahead *a)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	while (a->n_threads < a->wanted &&
	       !pthread_create(&a->threads[a->n_threads], &attr, run, a))
		a->n_threads++;
	a->wanted = 0;
	pthread_attr_destroy(&attr);
}

struct events_ahead *events_ahead_new(FILE *in, unsigned int threads)
{
	struct events_ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->in.in = in;
	a->wanted = threads < MAX_THREADS ? threads : MAX_THREADS;
	a->n_batches = BATCHES * (a->wanted + 1);
	a->batches = calloc(a->n_batches, sizeof(*a->batches));
	if (!a->batches) {
		free(a);
		return NULL;
	}
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->read, NULL);
	pthread_cond_init(&a->parsed, NULL);
	return a;
}

static void end_threads(struct events_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->read);
	pthread_mutex_unlock(&a->lock);
	for (unsigned int i = 0; i < a->n_threads; i++)
		pthread_join(a->threads[i], NULL);
}

void events_ahead_free(struct events_ahead *a)
{
	if (!a)
		return;
	end_threads(a);
	for (size_t i = 0; i < a->n_batches; i++) {
		release_objects(&a->batches[i]);
		free(a->batches[i].lines);
		free(a->batches[i].text);
	}
	pthread_cond_destroy(&a->parsed);
	pthread_cond_destroy(&a->read);
	pthread_mutex_destroy(&a->lock);
	lines_free(&a->in);
	free(a->batches);
	free(a);
}

static int grow_text(struct batch *b, size_t n)
{
	size_t room = 2 * b->text_room + n + 1; /* there is a text, be all lines empty */
	char *grown = realloc(b->text, room);

	if (!grown)
		return -ENOMEM;
	b->text = grown;
	b->text_room = room;
	return 0;
}

static int grow_lines(struct batch *b)
{
	size_t room = 2 * b->lines_room + 16;
	struct line *grown = reallocarray(b->lines, room, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	b->lines = grown;
	b->lines_room = room;
	return 0;
}

static int add_line(struct batch *b, const char *text, size_t n)
{
	int err = b->n_text + n >= b->text_room ? grow_text(b, n) : 0;

	if (!err && b->n_lines == b->lines_room)
		err = grow_lines(b);
	if (err)
		return err;
	memcpy(b->text + b->n_text, text, n);
	b->n_text += n;
	b->lines[b->n_lines++].end = b->n_text;
	return 0;
}

static void read_batch(struct events_ahead *a, struct batch *b)
{
	b->n_text = b->n_lines = 0;
	while (!a->at_end && b->n_text < BATCH_BYTES) {
		const char *line;
		size_t n;
		int got = lines_next(&a->in, &line, &n);

		a->err = got == 1 ? add_line(b, line, n) : got;
		a->at_end = got != 1 || a->err;
	}
}

static void read_ahead(struct events_ahead *a)
{
	while (!a->at_end && a->used < a->n_batches) {
		struct batch *b = &a->batches[(a->first + a->used) % a->n_batches];

		read_batch(a, b);
		if (!b->n_lines)
			return;
		pthread_mutex_lock(&a->lock);
		b->state = BATCH_READ;
		a->used++;
		pthread_cond_signal(&a->read);
		pthread_mutex_unlock(&a->lock);
		if (!a->at_end)
			start_threads(a);
	}
}

/* The first batch when it has been parsed. NULL: there is none any more. */
static struct batch *await_first(struct events_ahead *a)
{
	struct batch *b = &a->batches[a->first];

	if (!a->used)
		return NULL;
	pthread_mutex_lock(&a->lock);
	while (b->state != BATCH_PARSED)
		work(a, &a->parsed);
	pthread_mutex_unlock(&a->lock);
	return b;
}

static void drop_first(struct events_ahead *a)
{
	release_objects(&a->batches[a->first]);
	pthread_mutex_lock(&a->lock);
	a->batches[a->first].state = BATCH_FREE;
	a->first = (a->first + 1) % a->n_batches;
	a->used--;
	pthread_mutex_unlock(&a->lock);
	a->at = 0;
}

int events_ahead_next(struct events_ahead *a, const struct parsed_line **line, struct complaint *c)
{
	struct batch *b = a->at ? &a->batches[a->first] : NULL;

	if (b && a->at == b->n_parsed && !b->err) {
		drop_first(a);
		b = NULL;
	}
	if (!b) {
		read_ahead(a);
		b = await_first(a);
	}
	a->number++;
	if (!b)
		return a->err == -EMSGSIZE ? complain(c, "longer than 256 MiB") : a->err;
	if (a->at == b->n_parsed) {
		*c = b->complaint;
		return b->err;
	}
	*line = &b->lines[a->at++].parsed;
	return 1;
}

uint64_t events_ahead_number(const struct events_ahead *a)
{
	return a->number;
}
