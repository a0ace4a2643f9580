// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/fields.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "formats/contract/catalog.h"
#include "formats/text.h"

int complain(struct complaint *c, const char *what)
{
	snprintf(c->text, sizeof(c->text), "%s", what);
	return -EBADMSG;
}

int complain_of(struct complaint *c, const char *what, const char *subject)
{
	struct text clean = { 0 };

	if (text_add_clean(&clean, subject) == 0)
		snprintf(c->text, sizeof(c->text), "%s '%.100s'", what, clean.s);
	else
		complain(c, what);
	text_free(&clean);
	return -EBADMSG;
}

static bool to_number(json_t *value, uint64_t *number)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*number = (uint64_t)json_integer_value(value);
	return true;
}

static int read_span(json_t *value, const struct field *f, struct complaint *c)
{
	struct contract_span span;

	if (!json_is_array(value) || json_array_size(value) != 2 ||
	    !to_number(json_array_get(value, 0), &span.start) ||
	    !to_number(json_array_get(value, 1), &span.end) || span.start > span.end)
		return complain_of(c, "not a span [start, end]:", f->name);
	*(struct contract_span *)f->to = span;
	return 0;
}

static int read_term(json_t *value, const struct field *f, struct complaint *c)
{
	int term;

	if (!json_is_string(value))
		return complain_of(c, "not a string:", f->name);
	term = contract_term(f->terms, json_string_value(value));
	if (term < 0)
		return complain_of(c, "unknown value", json_string_value(value));
	*(int *)f->to = term;
	return 0;
}

static int read_index(json_t *value, const struct field *f, struct complaint *c)
{
	uint64_t number;

	if (!to_number(value, &number))
		return complain_of(c, "not a whole number from 0 on:", f->name);
	if (number >= CONTRACT_NONE)
		return complain_of(c, "no such record:", f->name);
	*(uint32_t *)f->to = (uint32_t)number;
	return 0;
}

int field_read(json_t *value, const struct field *f, struct complaint *c)
{
	switch (f->kind) {
	case FIELD_NUMBER:
		if (!to_number(value, f->to))
			return complain_of(c, "not a whole number from 0 on:", f->name);
		return 0;
	case FIELD_INDEX:
		return read_index(value, f, c);
	case FIELD_TEXT:
		if (!json_is_string(value))
			return complain_of(c, "not a string:", f->name);
		*(struct contract_text *)f->to =
			(struct contract_text){ json_string_value(value),
						json_string_length(value) };
		return 0;
	case FIELD_TERM:
		return read_term(value, f, c);
	case FIELD_SPAN:
		return read_span(value, f, c);
	case FIELD_OBJECT:
		if (!json_is_object(value))
			return complain_of(c, "not an object:", f->name);
		*(json_t **)f->to = value;
		return 0;
	case FIELD_ARRAY:
		if (!json_is_array(value))
			return complain_of(c, "not an array:", f->name);
		*(json_t **)f->to = value;
		return 0;
	}
	return complain_of(c, "unknown member", f->name);
}

int fields_read(json_t *object, const struct field *fields, size_t n, struct complaint *c)
{
	uint32_t seen = 0;
	size_t i = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		size_t tried = 0;
		int err;

		/* From the last one on: most files have them in the same order. */
		for (; tried < n && strcmp(fields[i].name, key) != 0; tried++)
			i = (i + 1) % n;
		if (tried == n)
			return complain_of(c, "unknown member", key);
		if (json_is_null(value) && fields[i].optional)
			continue;
		err = field_read(value, &fields[i], c);
		if (err)
			return err;
		seen |= 1U << i;
	}
	for (i = 0; i < n; i++) {
		if (!fields[i].optional && !(seen & 1U << i))
			return complain_of(c, "missing member", fields[i].name);
	}
	return 0;
}

int fields_parse(const char *line, size_t n, json_t **object, struct complaint *c)
{
	json_error_t error;
	json_t *value = json_loadb(line, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);

	if (!value) {
		if (json_error_code(&error) == json_error_out_of_memory)
			return -ENOMEM;
		return complain_of(c, "not JSON:", error.text);
	}
	if (!json_is_object(value)) {
		json_decref(value);
		return complain(c, "not a JSON object");
	}
	*object = value;
	return 0;
}
