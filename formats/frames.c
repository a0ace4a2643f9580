/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/frames.h"
#include "formats/intern.h"
#include "formats/text.h"

struct frames {
	const struct profile *p;
	enum frame_key key;
	enum frame_context context;
	uint32_t depth;
	struct intern *strings;
	struct intern *frames; /* key: struct key; record: struct frame */
	struct intern *stacks; /* key: frame ids from the root; record: the values */
	/* The frames of location l, outermost first, are of[first[l]] to of[first[l + 1] - 1]. */
	uint32_t *first, *of;
	size_t of_room;
	uint32_t *sorted; /* stacks */
	struct text text; /* for work on one name */
};

struct key {
	uint32_t name, file, object, line, flags;
};

/* The clean copy of a string. */
static int clean(struct frames *f, const char *s, uint32_t *id)
{
	int err;

	text_clear(&f->text);
	err = text_add_clean(&f->text, s);
	if (err)
		return err;
	if (f->key == FRAME_BY_TEXT) {
		for (char *c = f->text.s; *c; c++) {
			if (*c == ';')
				*c = ':';
		}
	}
	err = intern_add_string(f->strings, f->text.s, id);
	return err < 0 ? err : 0;
}

/* A frame from raw strings. */
static int add_frame(struct frames *f, const char *name, const char *file, const char *object,
		     uint32_t line, uint32_t flags, uint32_t *id)
{
	struct key key = { .line = line, .flags = flags };
	int err = clean(f, name, &key.name);

	if (!err)
		err = clean(f, file, &key.file);
	if (!err)
		err = clean(f, object, &key.object);
	if (err)
		return err;
	err = intern_add(f->frames, &key, sizeof(key), id);
	if (err > 0)
		*(struct frame *)intern_record(f->frames, *id) = (struct frame){
			.name = intern_key(f->strings, key.name),
			.file = intern_key(f->strings, key.file),
			.object = intern_key(f->strings, key.object),
			.line = line,
			.flags = flags,
		};
	return err < 0 ? err : 0;
}

static const char *object_path(const struct profile *p, const struct profile_location *l)
{
	if (l->object != PROFILE_NONE)
		return profile_object(p, l->object)->path;
	if (l->flags & PROFILE_LOCATION_KERNEL)
		return "[kernel]";
	return l->flags & PROFILE_LOCATION_TRUNCATED ? "[truncated]" : "[anon]";
}

/* The name of a line of a location, in f->text and of any length. */
static int line_name(struct frames *f, uint32_t location, uint32_t line)
{
	const struct profile_location *l = profile_location(f->p, location);
	char address[4096 + 32];
	const char *name = "";

	if (line < l->n_lines)
		name = profile_function(f->p, l->lines[line].function)->name;
	if (!*name)
		name = profile_line_name(f->p, location, line, address, sizeof(address));
	text_clear(&f->text);
	return text_add(&f->text, name, strlen(name));
}

static const char *suffix(const struct profile_location *l, uint32_t line)
{
	if (l->flags & PROFILE_LOCATION_KERNEL)
		return "_[k]";
	if (l->n_lines && line + 1 < l->n_lines)
		return "_[i]";
	return l->flags & PROFILE_LOCATION_JIT ? "_[j]" : "";
}

/* The frame of code that has no name, where all such code of an object is one. */
static int add_unnamed(struct frames *f, const struct profile_location *l, uint32_t flags,
		       uint32_t *id)
{
	const char *path = object_path(f->p, l), *slash = strrchr(path, '/');
	char name[4096 + 2];

	if (path[0] == '[')
		snprintf(name, sizeof(name), "%s", path);
	else
		snprintf(name, sizeof(name), "[%s]", slash && slash[1] ? slash + 1 : path);
	return add_frame(f, name, "", path, 0, flags, id);
}

/* The frame of one line of a location (0 the innermost). */
static int add_line(struct frames *f, uint32_t location, uint32_t line, uint32_t *id)
{
	static const struct profile_function unknown = { .file = "" };
	const struct profile_location *l = profile_location(f->p, location);
	const struct profile_function *function = &unknown;
	const char *path = object_path(f->p, l);
	uint32_t flags = (l->flags & PROFILE_LOCATION_KERNEL ? FRAME_KERNEL : 0) |
			 (l->flags & PROFILE_LOCATION_JIT ? FRAME_JIT : 0);
	bool named = line < l->n_lines;
	char *name;
	int err;

	if (f->key == FRAME_BY_OBJECT)
		return add_frame(f, path, "", "", 0, flags, id);
	if (named)
		function = profile_function(f->p, l->lines[line].function);
	if ((f->key == FRAME_BY_SYMBOL || f->key == FRAME_BY_PLACE) && !named &&
	    !(l->flags & PROFILE_LOCATION_TRUNCATED))
		return add_unnamed(f, l, flags, id);
	err = line_name(f, location, line);
	if (!err && f->key == FRAME_BY_TEXT)
		err = text_add(&f->text, suffix(l, line), strlen(suffix(l, line)));
	if (err)
		return err;
	name = strdup(f->text.s);
	if (!name)
		return -ENOMEM;
	if (f->key == FRAME_BY_TEXT)
		err = add_frame(f, name, "", "", 0, 0, id);
	else if (f->key == FRAME_BY_LINE || f->key == FRAME_BY_PLACE)
		err = add_frame(f, name, function->file, path, named ? l->lines[line].line : 0,
				flags, id);
	else
		err = add_frame(f, name, function->file, path, function->start_line, flags, id);
	free(name);
	return err;
}

/* Names every location. */
static int name_locations(struct frames *f)
{
	uint32_t n = profile_n_locations(f->p);
	size_t used = 0;

	f->first = malloc((n + (size_t)1) * sizeof(*f->first));
	if (!f->first)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t n_lines = profile_location(f->p, i)->n_lines;

		n_lines = n_lines ? n_lines : 1;
		f->first[i] = used;
		if (used + n_lines > f->of_room) {
			size_t room = (used + n_lines) * 2;
			uint32_t *of = reallocarray(f->of, room, sizeof(*of));

			if (!of)
				return -ENOMEM;
			f->of = of;
			f->of_room = room;
		}
		for (uint32_t line = n_lines; line > 0; line--) {
			uint32_t id;
			int err = add_line(f, i, line - 1, &id);

			if (err)
				return err;
			if (profile_location(f->p, i)->flags & PROFILE_LOCATION_GUESS)
				((struct frame *)intern_record(f->frames, id))->guess = true;
			f->of[used++] = id;
		}
	}
	f->first[n] = used;
	return 0;
}

/* The frames that stand for a sample's process and thread; gives their number. */
static int add_context(struct frames *f, uint32_t thread, uint32_t *ids, uint32_t *n)
{
	const struct profile_thread *t = profile_thread(f->p, thread);
	const char *process = profile_process(f->p, t->process)->name;
	char *name;
	int err;

	*n = 0;
	if (f->context == CONTEXT_NONE)
		return 0;
	err = add_frame(f, *process ? process : "[unknown]", "", "", 0, FRAME_CONTEXT,
			&ids[(*n)++]);
	if (err || f->context == CONTEXT_PROCESS)
		return err;
	if (asprintf(&name, "%s [%u]", t->name, t->tid) < 0)
		return -ENOMEM;
	err = add_frame(f, name, "", "", 0, FRAME_CONTEXT, &ids[(*n)++]);
	free(name);
	return err;
}

static int add_sample(struct frames *f, const struct profile_sample *s)
{
	struct profile_stack stack = profile_stack(f->p, s->stack);
	uint32_t context[2], n_context, n, id;
	uint32_t *ids;
	uint64_t *values;
	size_t room = 2;
	int err = add_context(f, s->thread, context, &n_context);

	if (err)
		return err;
	for (uint32_t i = 0; i < stack.n; i++)
		room += f->first[stack.locations[i] + 1] - f->first[stack.locations[i]];
	ids = malloc(room * sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	n = n_context;
	memcpy(ids, context, n * sizeof(*ids));
	for (uint32_t i = stack.n; i > 0; i--) {
		uint32_t l = stack.locations[i - 1];
		uint32_t n_lines = f->first[l + 1] - f->first[l];

		for (uint32_t line = 0; line < n_lines; line++)
			ids[n++] = f->of[f->first[l] + line];
	}
	if (f->depth && n - n_context > f->depth) {
		memmove(ids + n_context, ids + n - f->depth, f->depth * sizeof(*ids));
		n = n_context + f->depth;
	}
	err = intern_add(f->stacks, ids, n * sizeof(*ids), &id);
	free(ids);
	if (err < 0)
		return err;
	values = intern_record(f->stacks, id);
	for (unsigned int i = 0; i < profile_n_types(f->p); i++)
		values[i] += s->values[i];
	return 0;
}

int frames_compare(const struct frame *a, const struct frame *b)
{
	int c = strcmp(a->name, b->name);

	if (!c)
		c = strcmp(a->file, b->file);
	if (!c)
		c = (a->line > b->line) - (a->line < b->line);
	if (!c)
		c = strcmp(a->object, b->object);
	return c ? c : (a->flags > b->flags) - (a->flags < b->flags);
}

static int compare_frames(const void *a, const void *b, void *frames)
{
	return frames_compare(frames_get(frames, *(const uint32_t *)a),
			      frames_get(frames, *(const uint32_t *)b));
}

struct stack_order {
	const struct frames *f;
	const uint32_t *rank; /* of frames */
};

static int compare_stacks(const void *a, const void *b, void *order)
{
	const struct stack_order *o = order;
	const uint32_t *x = intern_key(o->f->stacks, *(const uint32_t *)a);
	const uint32_t *y = intern_key(o->f->stacks, *(const uint32_t *)b);
	size_t n = intern_key_size(o->f->stacks, *(const uint32_t *)a) / sizeof(*x);
	size_t m = intern_key_size(o->f->stacks, *(const uint32_t *)b) / sizeof(*y);

	for (size_t i = 0; i < n && i < m; i++) {
		if (x[i] != y[i])
			return o->rank[x[i]] < o->rank[y[i]] ? -1 : 1;
	}
	return (n > m) - (n < m);
}

static int sort(struct frames *f)
{
	uint32_t n_frames = frames_count(f), n = intern_count(f->stacks);
	uint32_t *ids = malloc((n_frames + (size_t)1) * sizeof(*ids));
	uint32_t *rank = malloc((n_frames + (size_t)1) * sizeof(*rank));
	struct stack_order order = { f, rank };
	int err = -ENOMEM;

	f->sorted = malloc((n + (size_t)1) * sizeof(*f->sorted));
	if (!ids || !rank || !f->sorted)
		goto out;
	for (uint32_t i = 0; i < n_frames; i++)
		ids[i] = i;
	qsort_r(ids, n_frames, sizeof(*ids), compare_frames, f);
	for (uint32_t i = 0; i < n_frames; i++)
		rank[ids[i]] = i;
	for (uint32_t i = 0; i < n; i++)
		f->sorted[i] = i;
	qsort_r(f->sorted, n, sizeof(*f->sorted), compare_stacks, &order);
	err = 0;
out:
	free(ids);
	free(rank);
	return err;
}

int frames_new(const struct profile *p, enum frame_key key, enum frame_context context,
	       uint32_t depth, struct frames **frames)
{
	struct frames *f = calloc(1, sizeof(*f));
	int err = -ENOMEM;

	if (!f)
		return -ENOMEM;
	f->p = p;
	f->key = key;
	f->context = context;
	f->depth = depth;
	f->strings = intern_new(0);
	f->frames = intern_new(sizeof(struct frame));
	f->stacks = intern_new(PROFILE_MAX_VALUES * sizeof(uint64_t));
	if (f->strings && f->frames && f->stacks)
		err = name_locations(f);
	for (uint32_t i = 0; !err && i < profile_n_samples(p); i++)
		err = add_sample(f, profile_sample(p, i));
	if (!err)
		err = sort(f);
	if (err) {
		frames_free(f);
		return err;
	}
	*frames = f;
	return 0;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	intern_free(f->strings);
	intern_free(f->frames);
	intern_free(f->stacks);
	free(f->first);
	free(f->of);
	free(f->sorted);
	text_free(&f->text);
	free(f);
}

uint32_t frames_count(const struct frames *f)
{
	return intern_count(f->frames);
}

const struct frame *frames_get(const struct frames *f, uint32_t id)
{
	return intern_record(f->frames, id);
}

uint32_t frames_n_stacks(const struct frames *f)
{
	return intern_count(f->stacks);
}

struct frame_stack frames_stack(const struct frames *f, uint32_t i)
{
	uint32_t id = f->sorted[i];

	return (struct frame_stack){ .n = intern_key_size(f->stacks, id) / sizeof(uint32_t),
				     .frames = intern_key(f->stacks, id),
				     .values = intern_record(f->stacks, id) };
}
