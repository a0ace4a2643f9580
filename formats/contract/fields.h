/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the members of JSON objects by a table: what is unknown, missing or of another type is refused. */
#ifndef PROFBPF_CONTRACT_FIELDS_H
#define PROFBPF_CONTRACT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* Why something was refused, for people; printable. */
struct complaint {
	char text[256];
};

/* Both return -EBADMSG. subject comes from the file: it is quoted and made printable. */
int complain(struct complaint *c, const char *what);
int complain_of(struct complaint *c, const char *what, const char *subject);

enum field_kind {
	FIELD_NUMBER, /* uint64_t */
	FIELD_INDEX, /* uint32_t, the number of a record: less than CONTRACT_NONE */
	FIELD_TEXT, /* struct contract_text, owned by the JSON value */
	FIELD_TERM, /* int, of the names in terms */
	FIELD_SPAN, /* struct contract_span */
	FIELD_OBJECT, /* json_t *, borrowed */
	FIELD_ARRAY, /* json_t *, borrowed */
};

struct field {
	const char *name;
	enum field_kind kind;
	bool optional; /* absent or null: to is left as it is */
	void *to;
	const char *const *terms;
};

/* At most 32 fields. Returns 0 or -EBADMSG. */
int fields_read(json_t *object, const struct field *fields, size_t n, struct complaint *c);
/* One value as a field of that kind; its name is for the complaint. */
int field_read(json_t *value, const struct field *field, struct complaint *c);

/* An object from its text, without a duplicate key; the caller releases it. Returns 0, -EBADMSG or -ENOMEM. */
int fields_parse(const char *line, size_t n, json_t **object, struct complaint *c);

#define FIELDS_READ(object, fields, c)                                                             \
	fields_read(object, fields, sizeof(fields) / sizeof((fields)[0]), c)

#endif
