// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/catalog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/path.h"
#include "formats/intern.h"

#define UNAVAILABLE_SYMBOL "<unavailable-symbol>"
#define TRUNCATED_STACK "<truncated-stack>"
#define RUNTIME "<runtime>"

/* Ids of the first frames and functions: those that stand for frames cut off, and for what is new in a
 * closed catalog. */
#define TRUNCATED_FRAME 0U
#define NEW_FUNCTION 1U
#define NEW_FRAME 1U

/* Ids by number of record. */
struct records {
	uint32_t *ids;
	uint32_t n, room;
};

struct source_record {
	char *text;
	struct contract_span *secrets;
	size_t text_size, n_secrets;
};

struct function_key {
	uint32_t name_space, name, source;
	/* Not 0: the number of a record that is like no other, by its source or by itself. */
	uint32_t own_source, own;
	uint32_t zero;
	struct contract_span declaration;
};

struct function_record {
	uint64_t line, column;
};

struct frame_key {
	uint64_t function;
	struct contract_span call_site;
	uint64_t line, column;
};

struct catalog {
	struct intern *strings, *paths, *functions, *frames, *stacks;
	bool closed;
	struct records source_records, function_records, frame_records, stack_records;
};

static int records_add(struct records *r, uint32_t id)
{
	if (r->n == r->room) {
		uint32_t room = r->room ? r->room * 2 : 16;
		uint32_t *ids;

		if (r->room > UINT32_MAX / 4)
			return -EOVERFLOW;
		ids = realloc(r->ids, room * sizeof(*ids));
		if (!ids)
			return -ENOMEM;
		r->ids = ids;
		r->room = room;
	}
	r->ids[r->n++] = id;
	return 0;
}

/* Looks up only in a closed catalog: -ENOENT for what is new. */
static int add_key(const struct catalog *c, struct intern *t, const void *key, size_t size,
		   uint32_t *id)
{
	return c->closed ? intern_find(t, key, size, id) : intern_add(t, key, size, id);
}

static int add_text(const struct catalog *c, struct contract_text text, uint32_t *id)
{
	static const char nothing[1];

	/* The terminating NUL is part of the key. */
	return add_key(c, c->strings, text.n ? text.s : nothing, text.n + 1, id);
}

static struct contract_text text_of(const struct intern *t, uint32_t id)
{
	return (struct contract_text){ intern_key(t, id), intern_key_size(t, id) - 1 };
}

/* A function of the runtime, and the frame that is all there is of it. own as in the key. */
static int add_stand_in(struct catalog *c, const char *name, uint32_t own)
{
	struct function_key function = { .source = CONTRACT_NONE,
					 .own = own,
					 .declaration = CONTRACT_NO_SPAN };
	struct frame_key frame = { .call_site = CONTRACT_NO_SPAN,
				   .line = CONTRACT_NO_NUMBER,
				   .column = CONTRACT_NO_NUMBER };
	struct function_record *record;
	uint32_t id;
	int err = intern_add_string(c->strings, RUNTIME, &function.name_space);

	if (err >= 0)
		err = intern_add_string(c->strings, name, &function.name);
	if (err >= 0)
		err = intern_add(c->functions, &function, sizeof(function), &id);
	if (err < 0)
		return err;
	record = intern_record(c->functions, id);
	*record = (struct function_record){ CONTRACT_NO_NUMBER, CONTRACT_NO_NUMBER };
	frame.function = id;
	err = intern_add(c->frames, &frame, sizeof(frame), &id);
	return err < 0 ? err : 0;
}

struct catalog *catalog_new(void)
{
	struct catalog *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->strings = intern_new(0);
	c->paths = intern_new(sizeof(struct source_record));
	c->functions = intern_new(sizeof(struct function_record));
	c->frames = intern_new(0);
	c->stacks = intern_new(0);
	if (c->strings && c->paths && c->functions && c->frames && c->stacks &&
	    add_stand_in(c, TRUNCATED_STACK, 0) == 0 &&
	    add_stand_in(c, RUNTIME, CONTRACT_NONE) == 0)
		return c;
	catalog_free(c);
	return NULL;
}

void catalog_free(struct catalog *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; c->paths && i < intern_count(c->paths); i++) {
		struct source_record *s = intern_record(c->paths, i);

		free(s->text);
		free(s->secrets);
	}
	intern_free(c->strings);
	intern_free(c->paths);
	intern_free(c->functions);
	intern_free(c->frames);
	intern_free(c->stacks);
	free(c->source_records.ids);
	free(c->function_records.ids);
	free(c->frame_records.ids);
	free(c->stack_records.ids);
	free(c);
}

static int order_spans(const void *a, const void *b)
{
	const struct contract_span *of_a = a, *of_b = b;

	return of_a->start < of_b->start ? -1 : of_a->start > of_b->start;
}

/* Sorts spans and joins those that overlap; returns how many are left. */
static size_t join_spans(struct contract_span *spans, size_t n)
{
	size_t kept = 0;

	qsort(spans, n, sizeof(*spans), order_spans);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && spans[i].start < spans[kept - 1].end) {
			if (spans[i].end > spans[kept - 1].end)
				spans[kept - 1].end = spans[i].end;
		} else if (spans[i].start < spans[i].end) {
			spans[kept++] = spans[i];
		}
	}
	return kept;
}

static bool is_within_character(const struct source_record *source, uint64_t at)
{
	return at < source->text_size && ((unsigned char)source->text[at] & 0xC0) == 0x80;
}

/* A character that is secret in part is secret. */
static void widen_spans(const struct source_record *source, struct contract_span *spans, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		while (is_within_character(source, spans[i].start))
			spans[i].start--;
		while (is_within_character(source, spans[i].end))
			spans[i].end++;
	}
}

/* Of several records of one source the first that can be shown is kept. */
static int keep_text(struct source_record *kept, const struct contract_source *source)
{
	if (kept->text || !source->text.s || !source->secrets)
		return 0;
	char *text = malloc(source->text.n + 1);
	struct contract_span *secrets = calloc(source->n_secrets + 1, sizeof(*secrets));

	if (!text || !secrets) {
		free(text);
		free(secrets);
		return -ENOMEM;
	}
	memcpy(text, source->text.s, source->text.n);
	text[source->text.n] = '\0';
	if (source->n_secrets)
		memcpy(secrets, source->secrets, source->n_secrets * sizeof(*secrets));
	kept->text = text;
	kept->text_size = source->text.n;
	kept->secrets = secrets;
	widen_spans(kept, secrets, source->n_secrets);
	kept->n_secrets = join_spans(secrets, source->n_secrets);
	return 0;
}

static int add_usable_source(struct catalog *c, const struct contract_source *source,
			     const char *path, size_t n, uint32_t *id)
{
	char *key = malloc(n + 2);
	int err;

	if (!key)
		return -ENOMEM;
	/* One byte before the path keeps the origins apart. */
	key[0] = (char)source->origin;
	memcpy(key + 1, path, n);
	key[n + 1] = '\0';
	err = intern_add(c->paths, key, n + 2, id);
	free(key);
	return err < 0 ? err : keep_text(intern_record(c->paths, *id), source);
}

int catalog_add_source(struct catalog *c, const struct contract_source *source)
{
	char *path = malloc(source->path.n + 1);
	uint32_t id = CONTRACT_NONE;
	size_t n;
	int err = 0;

	if (!path)
		return -ENOMEM;
	n = contract_path_normalise(source->path, path);
	if (n > 0)
		err = add_usable_source(c, source, path, n, &id);
	free(path);
	return err < 0 ? err : records_add(&c->source_records, id);
}

static bool is_named(struct contract_text name, const char *s)
{
	return name.n == strlen(s) && memcmp(name.s, s, name.n) == 0;
}

int catalog_add_function(struct catalog *c, const struct contract_function *function)
{
	struct function_key key = { .source = CONTRACT_NONE, .declaration = function->declaration };
	struct function_record *record;
	uint32_t id;
	int added;

	if (function->source != CONTRACT_NONE) {
		if (function->source >= c->source_records.n)
			return -ERANGE;
		key.source = c->source_records.ids[function->source];
		if (key.source == CONTRACT_NONE)
			key.own_source = function->source + 1;
	}
	/* Two addresses without a symbol are two places, whatever they look like. */
	if (is_named(function->name, UNAVAILABLE_SYMBOL))
		key.own = c->function_records.n + 1;
	added = add_text(c, function->name_space, &key.name_space);
	if (added >= 0)
		added = add_text(c, function->name, &key.name);
	if (added >= 0)
		added = add_key(c, c->functions, &key, sizeof(key), &id);
	if (added == -ENOENT)
		return records_add(&c->function_records, NEW_FUNCTION);
	if (added < 0)
		return added;
	record = intern_record(c->functions, id);
	if (added)
		*record = (struct function_record){ CONTRACT_NO_NUMBER, CONTRACT_NO_NUMBER };
	if (record->line == CONTRACT_NO_NUMBER && function->line != CONTRACT_NO_NUMBER)
		*record = (struct function_record){ function->line, function->column };
	return records_add(&c->function_records, id);
}

int catalog_add_frame(struct catalog *c, const struct contract_frame *frame)
{
	struct frame_key key = { .call_site = frame->call_site,
				 .line = frame->line,
				 .column = frame->column };
	uint32_t id;
	int err;

	if (frame->function >= c->function_records.n)
		return -ERANGE;
	key.function = c->function_records.ids[frame->function];
	if (key.function == NEW_FUNCTION)
		return records_add(&c->frame_records, NEW_FRAME);
	err = intern_add(c->frames, &key, sizeof(key), &id);
	return err < 0 ? err : records_add(&c->frame_records, id);
}

int catalog_add_stack(struct catalog *c, const uint32_t *frames, size_t n)
{
	uint32_t ids[CONTRACT_MAX_DEPTH] = { 0 };
	size_t kept = n > CONTRACT_MAX_DEPTH ? CONTRACT_MAX_DEPTH - 1 : n;
	uint32_t id;
	int err;

	for (size_t i = 0; i < n; i++) {
		if (frames[i] >= c->frame_records.n)
			return -ERANGE;
		if (i < kept)
			ids[i] = c->frame_records.ids[frames[i]];
	}
	if (kept < n)
		ids[kept++] = TRUNCATED_FRAME;
	err = intern_add(c->stacks, ids, kept * sizeof(*ids), &id);
	return err < 0 ? err : records_add(&c->stack_records, id);
}

void catalog_close(struct catalog *c)
{
	c->closed = true;
}

int catalog_stack_id(const struct catalog *c, uint64_t record, uint32_t *id)
{
	if (record >= c->stack_records.n)
		return -ERANGE;
	*id = c->stack_records.ids[record];
	return 0;
}

uint32_t catalog_n_stacks(const struct catalog *c)
{
	return intern_count(c->stacks);
}

struct contract_source catalog_source(const struct catalog *c, uint32_t id)
{
	struct contract_text path = text_of(c->paths, id);
	const struct source_record *record = intern_record(c->paths, id);

	return (struct contract_source){
		.origin = (enum contract_origin)path.s[0],
		.path = { path.s + 1, path.n - 1 },
		.text = { record->text, record->text_size },
		.secrets = record->secrets,
		.n_secrets = record->n_secrets,
	};
}

struct contract_function catalog_function(const struct catalog *c, uint32_t id)
{
	const struct function_key *key = intern_key(c->functions, id);
	const struct function_record *record = intern_record(c->functions, id);

	return (struct contract_function){
		.name_space = text_of(c->strings, key->name_space),
		.name = text_of(c->strings, key->name),
		.source = key->source,
		.declaration = key->declaration,
		.line = record->line,
		.column = record->column,
	};
}

struct contract_frame catalog_frame(const struct catalog *c, uint32_t id)
{
	const struct frame_key *key = intern_key(c->frames, id);

	return (struct contract_frame){
		.function = (uint32_t)key->function,
		.call_site = key->call_site,
		.line = key->line,
		.column = key->column,
	};
}

struct contract_stack catalog_stack(const struct catalog *c, uint32_t id)
{
	struct contract_stack s = {
		.frames = intern_key(c->stacks, id),
		.n = (uint32_t)(intern_key_size(c->stacks, id) / sizeof(uint32_t)),
	};

	s.truncated = s.n > 0 && s.frames[s.n - 1] == TRUNCATED_FRAME;
	return s;
}

uint32_t catalog_function_at(const struct catalog *c, uint32_t stack, uint32_t depth)
{
	const uint32_t *frames = intern_key(c->stacks, stack);
	const struct frame_key *key = intern_key(c->frames, frames[depth]);

	return (uint32_t)key->function;
}

bool catalog_is_bucket(const struct contract_function *function)
{
	return is_named(function->name, UNAVAILABLE_SYMBOL) ||
	       is_named(function->name, TRUNCATED_STACK) || is_named(function->name, RUNTIME);
}
