// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/run_read.h"

#include <errno.h>
#include <stdlib.h>

#include "formats/contract/catalog.h"
#include "formats/contract/fields.h"
#include "formats/contract/run.h"

static int read_graph(json_t *array, struct run_origin *origin, struct complaint *c)
{
	size_t n = json_array_size(array);
	int err = 0;

	origin->graph = calloc(n + 1, sizeof(*origin->graph));
	if (!origin->graph)
		return -ENOMEM;
	origin->n_graph = n;
	for (size_t i = 0; i < n && !err; i++) {
		const struct field segment = { "graph_path", FIELD_TEXT, .to = &origin->graph[i] };

		err = field_read(json_array_get(array, i), &segment, c);
	}
	return err;
}

/* Which members there are depends on the kind. */
int run_read_origin(json_t *value, struct run_origin *origin, struct complaint *c)
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

	err = field_read(json_object_get(value, "kind"), &term, c);
	if (err)
		return err;
	origin->kind = (enum contract_origin)found;
	if (origin->kind == CONTRACT_PROJECT)
		return FIELDS_READ(value, project, c);
	if (origin->kind == CONTRACT_STDLIB)
		return FIELDS_READ(value, stdlib, c);
	err = FIELDS_READ(value, dependency, c);
	return err ? err : read_graph(graph, origin, c);
}

int run_read_debug(json_t *value, struct run_debug *row, struct complaint *c)
{
	int kind = 0, err;
	const struct field fields[] = {
		{ "kind", FIELD_TERM, .to = &kind, .terms = run_debug_kinds },
		{ "message", FIELD_TEXT, .to = &row->message },
	};

	err = FIELDS_READ(value, fields, c);
	row->kind = (enum run_debug_kind)kind;
	return err;
}

static int read_log_fields(json_t *array, struct run_log *log, struct complaint *c)
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

		err = FIELDS_READ(json_array_get(array, i), fields, c);
	}
	return err;
}

static int read_log_source(json_t *value, struct run_log *log, struct complaint *c)
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
	err = FIELDS_READ(value, fields, c);
	return err ? err : run_read_origin(origin, &log->origin, c);
}

int run_read_log(json_t *value, struct run_log *log, struct complaint *c)
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

	err = FIELDS_READ(value, members, c);
	if (!err)
		err = read_log_fields(fields, log, c);
	if (!err)
		err = read_log_source(source, log, c);
	log->level = (uint32_t)level;
	return err;
}

void run_log_clear(struct run_log *log)
{
	free(log->fields);
	free(log->origin.graph);
}

void run_clear(struct run *run)
{
	for (size_t i = 0; i < run->n_logs; i++)
		run_log_clear(&run->logs[i]);
	free(run->logs);
	free(run->debug);
	free(run->origin.graph);
}
