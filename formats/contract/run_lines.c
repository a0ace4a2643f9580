// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/run_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/fields.h"
#include "formats/contract/run.h"
#include "formats/contract/run_read.h"
#include "formats/intern.h"

/* What a field of a log or a segment of a graph takes beside its text. */
#define ITEM_COST 48U

/* Texts and their lists are copied out of the JSON values, which take ten times as much memory. */
struct run_lines {
	struct run run;
	size_t debug_room, log_room;
	size_t budget; /* what is left of it */
	bool full;
	struct intern *arena;
};

struct run_lines *run_lines_new(size_t budget)
{
	struct run_lines *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->run.origin.project = (struct contract_text){ "", 0 };
	r->budget = budget;
	r->arena = intern_new(0);
	if (!r->arena) {
		free(r);
		return NULL;
	}
	return r;
}

void run_lines_free(struct run_lines *r)
{
	if (!r)
		return;
	free(r->run.debug);
	free(r->run.logs);
	intern_free(r->arena);
	free(r);
}

const struct run *run_lines_run(const struct run_lines *r)
{
	return &r->run;
}

/* --- copies --- */

/* One that is not there stays so. */
static int own_text(struct run_lines *r, struct contract_text *text)
{
	char *copy;

	if (!text->s)
		return 0;
	copy = intern_alloc(r->arena, text->n + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text->s, text->n);
	copy[text->n] = '\0';
	text->s = copy;
	return 0;
}

static int own_texts(struct run_lines *r, struct contract_text *const texts[], size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = own_text(r, texts[i]);
	return err;
}

/* NULL when out of memory; not for an empty list. */
static void *own_list(struct run_lines *r, const void *list, size_t bytes)
{
	void *copy = intern_alloc(r->arena, bytes + 1);

	if (copy && bytes)
		memcpy(copy, list, bytes);
	return copy;
}

static int own_origin(struct run_lines *r, struct run_origin *o)
{
	struct contract_text *const texts[] = { &o->project, &o->dependency, &o->distribution,
						&o->version };
	int err = own_texts(r, texts, 4);

	o->graph = own_list(r, o->graph, o->n_graph * sizeof(o->graph[0]));
	if (!o->graph)
		return -ENOMEM;
	for (size_t i = 0; i < o->n_graph && !err; i++)
		err = own_text(r, &o->graph[i]);
	return err;
}

static int own_log(struct run_lines *r, struct run_log *log)
{
	struct contract_text *const texts[] = { &log->message, &log->path };
	int err = own_texts(r, texts, 2);

	log->fields = own_list(r, log->fields, log->n_fields * sizeof(log->fields[0]));
	if (!log->fields)
		return -ENOMEM;
	for (size_t i = 0; i < log->n_fields && !err; i++) {
		struct contract_text *const field[] = { &log->fields[i].name,
							&log->fields[i].value };

		err = own_texts(r, field, 2);
	}
	return err ? err : own_origin(r, &log->origin);
}

/* --- lines --- */

/* A row that does not fit is the last: what is there has no holes that nobody made. */
static int charge(struct run_lines *r, size_t bytes)
{
	if (r->full || bytes > r->budget) {
		r->full = true;
		return -ENOSPC;
	}
	r->budget -= bytes;
	return 0;
}

/* Room for one more row in a list that is returned in its place; NULL when out of memory. */
static void *make_room(void *rows, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 16;
	void *grown;

	if (n < *room)
		return rows;
	grown = reallocarray(rows, more, size);
	if (grown)
		*room = more;
	return grown;
}

static int add_file(struct run_lines *r, json_t *object, struct complaint *c)
{
	struct contract_text file = { 0 };
	struct run_origin origin = { 0 };
	struct run_origin copy;
	json_t *value = NULL;
	const struct field fields[] = {
		{ "file", FIELD_TEXT, .to = &file },
		{ "origin", FIELD_OBJECT, .to = &value },
	};
	int err;

	if (r->run.file.s)
		return complain(c, "a second file");
	err = FIELDS_READ(object, fields, c);
	if (!err)
		err = run_read_origin(value, &origin, c);
	copy = origin;
	if (!err)
		err = own_origin(r, &copy);
	if (!err)
		err = own_text(r, &file);
	free(origin.graph);
	if (err)
		return err;
	r->run.file = file;
	r->run.origin = copy;
	return 0;
}

static int add_termination(struct run_lines *r, json_t *object, struct complaint *c)
{
	static const char *const terms[] = { "runtime_error", NULL };
	struct contract_text message = { 0 };
	int term, err;
	const struct field fields[] = {
		{ "termination", FIELD_TERM, .to = &term, .terms = terms },
		{ "message", FIELD_TEXT, .to = &message },
	};

	if (r->run.failure.s)
		return complain(c, "a second termination");
	err = FIELDS_READ(object, fields, c);
	if (!err)
		err = own_text(r, &message);
	if (!err)
		r->run.failure = message;
	return err;
}

static int add_debug(struct run_lines *r, json_t *value, size_t n, struct complaint *c)
{
	struct run *run = &r->run;
	struct run_debug row = { 0 }, *rows;
	int err = run_read_debug(value, &row, c);

	if (!err)
		err = charge(r, n + sizeof(row));
	if (!err)
		err = own_text(r, &row.message);
	if (err)
		return err;
	rows = make_room(run->debug, run->n_debug, &r->debug_room, sizeof(row));
	if (!rows)
		return -ENOMEM;
	run->debug = rows;
	rows[run->n_debug++] = row;
	return 0;
}

static int keep_log(struct run_lines *r, struct run_log log, size_t n)
{
	struct run *run = &r->run;
	struct run_log *rows;
	int err = charge(r, n + sizeof(log) + (log.n_fields + log.origin.n_graph) * ITEM_COST);

	if (!err)
		err = own_log(r, &log);
	if (err)
		return err;
	rows = make_room(run->logs, run->n_logs, &r->log_room, sizeof(log));
	if (!rows)
		return -ENOMEM;
	run->logs = rows;
	rows[run->n_logs++] = log;
	return 0;
}

static int add_log(struct run_lines *r, json_t *value, size_t n, struct complaint *c)
{
	struct run_log log = { 0 };
	int err = run_read_log(value, &log, c);

	if (!err && r->run.n_logs && log.sequence <= r->run.logs[r->run.n_logs - 1].sequence)
		err = complain(c, "the logs' sequence does not ascend");
	if (!err)
		err = keep_log(r, log, n);
	run_log_clear(&log);
	return err;
}

static int add_object(struct run_lines *r, json_t *object, size_t n, struct complaint *c)
{
	json_t *debug = NULL, *log = NULL;
	const struct field fields[] = {
		{ "debug", FIELD_OBJECT, .optional = true, .to = &debug },
		{ "log", FIELD_OBJECT, .optional = true, .to = &log },
	};
	int err;

	if (json_object_get(object, "file"))
		return add_file(r, object, c);
	if (json_object_get(object, "termination"))
		return add_termination(r, object, c);
	err = FIELDS_READ(object, fields, c);
	if (err)
		return err;
	if (debug && !log)
		return add_debug(r, debug, n, c);
	if (log && !debug)
		return add_log(r, log, n, c);
	return complain(c, "not one of file, debug, log and termination");
}

int run_lines_add(struct run_lines *r, const char *line, size_t n, struct complaint *c)
{
	json_t *object = NULL;
	int err = fields_parse(line, n, &object, c);

	if (err)
		return err;
	err = add_object(r, object, n, c);
	json_decref(object);
	return err;
}
