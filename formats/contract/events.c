// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/events_reader.h"
#include "formats/contract/events_ahead.h"
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

/* Whether an operation may stand here. */
static int check_place(struct events *e)
{
	if (!e->collector)
		return complain(&e->complaint, "an operation before the header");
	if (e->ended)
		return complain(&e->complaint, "nothing may follow the end");
	if (e->failed)
		return complain(&e->complaint, "only the end may follow a failure");
	return 0;
}

static int read_event(struct events *e, const struct event *event)
{
	int err = check_place(e);

	return err ? err : events_apply(e, event);
}

static int read_object(struct events *e, json_t *object)
{
	struct event event;
	int err;

	if (!e->collector)
		return read_header(e, object);
	if (e->ended)
		return complain(&e->complaint, "nothing may follow the end");
	if (!json_object_get(object, "op"))
		return read_record(e, object);
	err = check_place(e);
	if (!err)
		err = event_decode(object, &event, &e->complaint);
	return err ? err : events_apply(e, &event);
}

static int read_lines(struct events *e, struct events_ahead *lines)
{
	const struct parsed_line *line;
	int got, err;

	while ((got = events_ahead_next(lines, &line, &e->complaint)) == 1) {
		err = line->object ? read_object(e, line->object) : read_event(e, &line->event);
		if (err)
			return err;
	}
	if (got == 0 && !e->ended)
		return complain(&e->complaint, "the file stops without its end record");
	return got;
}

int events_read(FILE *in, unsigned int threads, struct events **events, struct events_error *error)
{
	struct events_ahead *lines = events_ahead_new(in, threads);
	struct events *e = calloc(1, sizeof(*e));
	int err = e && lines ? read_lines(e, lines) : -ENOMEM;

	if (err == -EBADMSG) {
		error->line = events_ahead_number(lines);
		memcpy(error->text, e->complaint.text, sizeof(error->text));
	}
	events_ahead_free(lines);
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
