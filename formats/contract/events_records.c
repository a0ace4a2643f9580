// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "formats/contract/events_reader.h"

int events_explain(struct events *e, int err)
{
	switch (err) {
	case -ERANGE:
		return complain(&e->complaint, "refers to a record that is not there yet");
	case -EOVERFLOW:
		return complain(&e->complaint, "a counter would exceed 64 bits");
	default:
		return err;
	}
}

/* A malloc'd array of spans. */
static int read_secrets(struct events *e, json_t *array, struct contract_span **spans)
{
	size_t n = json_array_size(array);
	struct contract_span *list = calloc(n + 1, sizeof(*list));
	int err = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++) {
		const struct field span = { "secret_spans", FIELD_SPAN, .to = &list[i] };

		err = field_read(json_array_get(array, i), &span, &e->complaint);
	}
	if (err) {
		free(list);
		return err;
	}
	*spans = list;
	return 0;
}

int events_source(struct events *e, json_t *value)
{
	struct contract_source source = { 0 };
	struct contract_span *secrets = NULL;
	json_t *secret_array = NULL;
	int origin = 0, err;
	const struct field fields[] = {
		{ "origin", FIELD_TERM, .to = &origin, .terms = contract_origins },
		{ "path", FIELD_TEXT, .to = &source.path },
		{ "text", FIELD_TEXT, .optional = true, .to = &source.text },
		{ "secret_spans", FIELD_ARRAY, .optional = true, .to = &secret_array },
	};

	err = FIELDS_READ(value, fields, &e->complaint);
	if (!err && secret_array)
		err = read_secrets(e, secret_array, &secrets);
	if (err)
		return err;
	source.origin = (enum contract_origin)origin;
	source.secrets = secrets;
	source.n_secrets = json_array_size(secret_array);
	err = catalog_add_source(e->collector->catalog, &source);
	free(secrets);
	return events_explain(e, err);
}

int events_function(struct events *e, json_t *value)
{
	struct contract_function function = {
		.source = CONTRACT_NONE,
		.declaration = CONTRACT_NO_SPAN,
		.line = CONTRACT_NO_NUMBER,
		.column = CONTRACT_NO_NUMBER,
	};
	const struct field fields[] = {
		{ "namespace", FIELD_TEXT, .to = &function.name_space },
		{ "function", FIELD_TEXT, .to = &function.name },
		{ "source", FIELD_INDEX, .optional = true, .to = &function.source },
		{ "declaration", FIELD_SPAN, .optional = true, .to = &function.declaration },
		{ "line", FIELD_NUMBER, .optional = true, .to = &function.line },
		{ "column", FIELD_NUMBER, .optional = true, .to = &function.column },
	};
	int err = FIELDS_READ(value, fields, &e->complaint);

	if (e->collector->cpu.budget.spent)
		catalog_close(e->collector->catalog);
	if (!err)
		err = catalog_add_function(e->collector->catalog, &function);
	return events_explain(e, err);
}

int events_frame(struct events *e, json_t *value)
{
	struct contract_frame frame = {
		.call_site = CONTRACT_NO_SPAN,
		.line = CONTRACT_NO_NUMBER,
		.column = CONTRACT_NO_NUMBER,
	};
	const struct field fields[] = {
		{ "function", FIELD_INDEX, .to = &frame.function },
		{ "call_site", FIELD_SPAN, .optional = true, .to = &frame.call_site },
		{ "line", FIELD_NUMBER, .optional = true, .to = &frame.line },
		{ "column", FIELD_NUMBER, .optional = true, .to = &frame.column },
	};
	int err = FIELDS_READ(value, fields, &e->complaint);

	if (!err)
		err = catalog_add_frame(e->collector->catalog, &frame);
	return events_explain(e, err);
}

int events_stack(struct events *e, json_t *value)
{
	size_t n = json_array_size(value);
	uint32_t *frames = calloc(n + 1, sizeof(*frames));
	int err = frames ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !err; i++) {
		const struct field frame = { "stack", FIELD_INDEX, .to = &frames[i] };

		err = field_read(json_array_get(value, i), &frame, &e->complaint);
	}
	if (!err)
		err = catalog_add_stack(e->collector->catalog, frames, n);
	free(frames);
	return events_explain(e, err);
}
