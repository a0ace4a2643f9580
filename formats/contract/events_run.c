// SPDX-License-Identifier: BSD-2-Clause
/* What a run's envelope is made of. Its texts stay in the JSON value. */
#include <errno.h>
#include <stdlib.h>

#include "formats/contract/events_reader.h"

static int read_graph(struct events *e, json_t *array, struct run_origin *origin)
{
	size_t n = json_array_size(array);
	int err = 0;

	origin->graph = calloc(n + 1, sizeof(*origin->graph));
	if (!origin->graph)
		return -ENOMEM;
	origin->n_graph = n;
	for (size_t i = 0; i < n && !err; i++) {
		const struct field segment = { "graph_path", FIELD_TEXT, .to = &origin->graph[i] };

		err = field_read(json_array_get(array, i), &segment, &e->complaint);
	}
	return err;
}

/* Which members there are depends on the kind. */
static int read_origin(struct events *e, json_t *value, struct run_origin *origin)
{
	struct contract_text kind = { "", 0 };
	json_t *graph = NULL;
	int found, err;
	const struct field project[] = {
		{ "kind", FIELD_TEXT, .to = &kind },
		{ "canonical_name", FIELD_TEXT, .to = &origin->project },
	};
	const struct field dependency[] = {
		{ "kind", FIELD_TEXT, .to = &kind },
		{ "canonical_name", FIELD_TEXT, .to = &origin->dependency },
		{ "graph_path", FIELD_ARRAY, .to = &graph },
	};
	const struct field stdlib[] = {
		{ "kind", FIELD_TEXT, .to = &kind },
		{ "compiler_distribution", FIELD_TEXT, .to = &origin->distribution },
		{ "stdlib_version", FIELD_TEXT, .to = &origin->version },
	};
	const struct field term = { "kind", FIELD_TERM, .to = &found, .terms = contract_origins };

	err = field_read(json_object_get(value, "kind"), &term, &e->complaint);
	if (err)
		return err;
	origin->kind = (enum contract_origin)found;
	if (origin->kind == CONTRACT_PROJECT)
		return FIELDS_READ(value, project, &e->complaint);
	if (origin->kind == CONTRACT_STDLIB)
		return FIELDS_READ(value, stdlib, &e->complaint);
	err = FIELDS_READ(value, dependency, &e->complaint);
	return err ? err : read_graph(e, graph, origin);
}

static int read_debug_row(struct events *e, json_t *value, struct run_debug *row)
{
	int kind = 0, err;
	const struct field fields[] = {
		{ "kind", FIELD_TERM, .to = &kind, .terms = run_debug_kinds },
		{ "message", FIELD_TEXT, .to = &row->message },
	};

	err = FIELDS_READ(value, fields, &e->complaint);
	row->kind = (enum run_debug_kind)kind;
	return err;
}

static int read_debug(struct events *e, json_t *array)
{
	size_t n = json_array_size(array);
	int err = 0;

	e->run.debug = calloc(n + 1, sizeof(*e->run.debug));
	if (!e->run.debug)
		return -ENOMEM;
	e->run.n_debug = n;
	for (size_t i = 0; i < n && !err; i++)
		err = read_debug_row(e, json_array_get(array, i), &e->run.debug[i]);
	return err;
}

static int read_log_fields(struct events *e, json_t *array, struct run_log *log)
{
	size_t n = json_array_size(array);
	int err = 0;

	log->fields = calloc(n + 1, sizeof(*log->fields));
	if (!log->fields)
		return -ENOMEM;
	log->n_fields = n;
	for (size_t i = 0; i < n && !err; i++) {
		const struct field fields[] = {
			{ "name", FIELD_TEXT, .to = &log->fields[i].name },
			{ "value", FIELD_TEXT, .to = &log->fields[i].value },
		};

		err = FIELDS_READ(json_array_get(array, i), fields, &e->complaint);
	}
	return err;
}

static int read_log_source(struct events *e, json_t *value, struct run_log *log)
{
	json_t *origin = NULL;
	int err;
	const struct field fields[] = {
		{ "origin", FIELD_OBJECT, .to = &origin },
		{ "path", FIELD_TEXT, .to = &log->path },
		{ "line", FIELD_NUMBER, .optional = true, .to = &log->line },
		{ "column", FIELD_NUMBER, .optional = true, .to = &log->column },
	};

	log->line = log->column = CONTRACT_NO_NUMBER;
	err = FIELDS_READ(value, fields, &e->complaint);
	return err ? err : read_origin(e, origin, &log->origin);
}

static int read_log(struct events *e, json_t *value, struct run_log *log)
{
	json_t *fields = NULL, *source = NULL;
	int level = 0, err;
	const struct field members[] = {
		{ "sequence", FIELD_NUMBER, .to = &log->sequence },
		{ "level", FIELD_TERM, .to = &level, .terms = run_levels },
		{ "message", FIELD_TEXT, .to = &log->message },
		{ "fields", FIELD_ARRAY, .to = &fields },
		{ "source", FIELD_OBJECT, .to = &source },
	};

	err = FIELDS_READ(value, members, &e->complaint);
	if (!err)
		err = read_log_fields(e, fields, log);
	if (!err)
		err = read_log_source(e, source, log);
	log->level = (uint32_t)level;
	return err;
}

/* A failed attempt leaves a gap in the sequence; it never goes back. */
static int read_logs(struct events *e, json_t *array)
{
	size_t n = json_array_size(array);
	int err = 0;

	e->run.logs = calloc(n + 1, sizeof(*e->run.logs));
	if (!e->run.logs)
		return -ENOMEM;
	e->run.n_logs = n;
	for (size_t i = 0; i < n && !err; i++) {
		struct run_log *log = &e->run.logs[i];

		err = read_log(e, json_array_get(array, i), log);
		if (!err && i > 0 && log->sequence <= log[-1].sequence)
			err = complain(&e->complaint, "the logs' sequence does not ascend");
	}
	return err;
}

static int read_failure(struct events *e, json_t *value)
{
	static const char *const kinds[] = { "runtime_error", NULL };
	int kind;
	const struct field fields[] = {
		{ "kind", FIELD_TERM, .to = &kind, .terms = kinds },
		{ "message", FIELD_TEXT, .to = &e->run.failure },
	};

	return FIELDS_READ(value, fields, &e->complaint);
}

int events_read_run(struct events *e, json_t *value)
{
	json_t *origin = NULL, *debug = NULL, *logs = NULL, *failure = NULL;
	int err;
	const struct field fields[] = {
		{ "file", FIELD_TEXT, .to = &e->run.file },
		{ "file_origin", FIELD_OBJECT, .to = &origin },
		{ "stdout", FIELD_TEXT, .to = &e->run.out },
		{ "stderr", FIELD_TEXT, .to = &e->run.err },
		{ "debug", FIELD_ARRAY, .optional = true, .to = &debug },
		{ "logs", FIELD_ARRAY, .optional = true, .to = &logs },
		{ "failure", FIELD_OBJECT, .optional = true, .to = &failure },
	};

	err = FIELDS_READ(value, fields, &e->complaint);
	if (!err)
		err = read_origin(e, origin, &e->run.origin);
	if (!err)
		err = read_debug(e, debug);
	if (!err)
		err = read_logs(e, logs);
	if (!err && failure)
		err = read_failure(e, failure);
	return err;
}

void events_free_run(struct run *run)
{
	for (size_t i = 0; i < run->n_logs; i++) {
		free(run->logs[i].fields);
		free(run->logs[i].origin.graph);
	}
	free(run->logs);
	free(run->debug);
	free(run->origin.graph);
}
