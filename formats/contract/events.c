// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/events_reader.h"
#include "formats/contract/lines.h"
#include "formats/contract/run_read.h"

#define SCHEMA "profbpf.events.v1"

static int read_config(struct events *e, json_t *value, struct contract_config *config)
{
	bool cpu = config->mode == CONTRACT_CPU;
	uint64_t most = config->budget;
	/* The last one is CPU's only. */
	const struct field fields[] = {
		{ "threshold_basis_points", FIELD_NUMBER, .optional = true,
		  .to = &config->threshold },
		{ "limit", FIELD_NUMBER, .optional = true, .to = &config->limit },
		{ cpu ? "cpu_metadata_budget_bytes" : "retention_metadata_budget_bytes",
		  FIELD_NUMBER, .optional = true, .to = &config->budget },
		{ "requested_rate_hz", FIELD_NUMBER, .optional = true, .to = &config->rate_hz },
	};
	int err = fields_read(value, fields, cpu ? 4 : 3, &e->complaint);

	if (err)
		return err;
	if (config->threshold > 10000)
		return complain(&e->complaint, "threshold_basis_points is above 10000");
	if (config->limit < 1 || config->limit > CONTRACT_MAX_LIMIT)
		return complain(&e->complaint, "limit is not from 1 to 100");
	if (config->rate_hz < 1 || config->rate_hz > CONTRACT_MAX_RATE)
		return complain(&e->complaint, "requested_rate_hz is not from 1 to 1000");
	if (config->budget > most)
		return complain(&e->complaint, "a metadata budget can be lowered only");
	return 0;
}

static int read_capabilities(struct events *e, json_t *array, uint32_t *capabilities)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		int one = 0;
		const struct field field = { "capabilities", FIELD_TERM, .to = &one,
					     .terms = contract_capabilities };
		int err = field_read(json_array_get(array, i), &field, &e->complaint);

		if (err)
			return err;
		*capabilities |= 1U << one;
	}
	return 0;
}

static int read_header(struct events *e, json_t *object)
{
	static const char *const schemas[] = { SCHEMA, NULL };
	struct contract_config config = {
		.rate_hz = CONTRACT_DEFAULT_RATE,
		.threshold = CONTRACT_DEFAULT_THRESHOLD,
		.limit = CONTRACT_DEFAULT_LIMIT,
	};
	json_t *capabilities = NULL, *settings = NULL;
	int schema = 0, mode = 0, err;
	const struct field fields[] = {
		{ "schema", FIELD_TERM, .to = &schema, .terms = schemas },
		{ "mode", FIELD_TERM, .to = &mode, .terms = contract_modes },
		{ "backend", FIELD_TEXT, .to = &config.backend },
		{ "coverage", FIELD_TEXT, .to = &config.coverage },
		{ "capabilities", FIELD_ARRAY, .to = &capabilities },
		{ "config", FIELD_OBJECT, .optional = true, .to = &settings },
	};

	err = FIELDS_READ(object, fields, &e->complaint);
	if (err)
		return err;
	config.mode = (enum contract_mode)mode;
	config.budget = mode == CONTRACT_CPU ? CONTRACT_CPU_BUDGET : CONTRACT_RETENTION_BUDGET;
	err = read_capabilities(e, capabilities, &config.capabilities);
	if (!err && settings)
		err = read_config(e, settings, &config);
	if (err)
		return err;
	e->collector = collector_new(&config);
	return e->collector ? 0 : -ENOMEM;
}

/* {"NAME": …} with nothing beside it. */
static int read_record(struct events *e, json_t *object)
{
	static const struct {
		const char *name;
		json_type type;
		int (*read)(struct events *e, json_t *value);
	} kinds[] = {
		{ "source", JSON_OBJECT, events_source },
		{ "function", JSON_OBJECT, events_function },
		{ "frame", JSON_OBJECT, events_frame },
		{ "stack", JSON_ARRAY, events_stack },
		{ "end", JSON_OBJECT, events_end },
	};
	const char *name = json_object_iter_key(json_object_iter(object));

	if (!name)
		return complain(&e->complaint, "an empty object");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		json_t *value = json_object_get(object, kinds[i].name);

		if (!value)
			continue;
		if (json_object_size(object) != 1)
			return complain_of(&e->complaint, "more than one member beside",
					   kinds[i].name);
		if (json_typeof(value) != kinds[i].type)
			return complain_of(&e->complaint, "of the wrong type:", kinds[i].name);
		if (e->failed && kinds[i].read != events_end)
			return complain(&e->complaint, "only the end may follow a failure");
		return kinds[i].read(e, value);
	}
	return complain_of(&e->complaint, "unknown record", name);
}

static int read_object(struct events *e, json_t *object)
{
	json_t *op = json_object_get(object, "op");

	if (!e->collector)
		return read_header(e, object);
	if (e->ended)
		return complain(&e->complaint, "nothing may follow the end");
	if (!op)
		return read_record(e, object);
	if (!json_is_string(op))
		return complain(&e->complaint, "op is not a string");
	if (e->failed)
		return complain(&e->complaint, "only the end may follow a failure");
	return events_op(e, json_string_value(op), object);
}

static int read_line(struct events *e, const char *line, size_t n)
{
	json_t *object = NULL;
	int err = fields_parse(line, n, &object, &e->complaint);

	if (err)
		return err;
	err = read_object(e, object);
	json_decref(object);
	return err;
}

static int read_lines(struct events *e, struct lines *lines)
{
	const char *line;
	size_t n;
	int got, err;

	while ((got = lines_next(lines, &line, &n)) == 1) {
		err = read_line(e, line, n);
		if (err)
			return err;
	}
	if (got == -EMSGSIZE)
		return complain(&e->complaint, "longer than 256 MiB");
	if (got == 0 && !e->ended) {
		lines->number++;
		return complain(&e->complaint, "the file stops without its end record");
	}
	return got;
}

int events_read(FILE *in, struct events **events, struct events_error *error)
{
	struct events *e = calloc(1, sizeof(*e));
	struct lines lines = { .in = in };
	int err = e ? read_lines(e, &lines) : -ENOMEM;

	if (err == -EBADMSG) {
		error->line = lines.number;
		memcpy(error->text, e->complaint.text, sizeof(error->text));
	}
	lines_free(&lines);
	if (err) {
		events_free(e);
		return err;
	}
	*events = e;
	return 0;
}

void events_free(struct events *e)
{
	if (!e)
		return;
	collector_free(e->collector);
	run_clear(&e->run);
	json_decref(e->end_record);
	free(e);
}

const struct collector *events_collector(const struct events *e)
{
	return e->collector;
}

const struct run *events_run(const struct events *e)
{
	return e->has_run ? &e->run : NULL;
}
