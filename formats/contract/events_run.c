// SPDX-License-Identifier: BSD-2-Clause
/* What a run's envelope is made of. Its texts stay in the JSON value. */
#include <errno.h>
#include <stdlib.h>

#include "formats/contract/events_reader.h"
#include "formats/contract/run_read.h"

static int read_debug(struct events *e, json_t *array)
{
	size_t n = json_array_size(array);
	int err = 0;

	e->run.debug = calloc(n + 1, sizeof(*e->run.debug));
	if (!e->run.debug)
		return -ENOMEM;
	e->run.n_debug = n;
	for (size_t i = 0; i < n && !err; i++)
		err = run_read_debug(json_array_get(array, i), &e->run.debug[i], &e->complaint);
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

		err = run_read_log(json_array_get(array, i), log, &e->complaint);
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
		err = run_read_origin(origin, &e->run.origin, &e->complaint);
	if (!err)
		err = read_debug(e, debug);
	if (!err)
		err = read_logs(e, logs);
	if (!err && failure)
		err = read_failure(e, failure);
	return err;
}
