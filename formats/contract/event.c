// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/event.h"

#include <errno.h>

#include "formats/contract/fields.h"

const char *const event_ops[] = { "sample", "coalesced", "dropped", "allocate",
				  "resize", "free",	 "failure", NULL };

static int decode_sample(json_t *object, struct event *event, struct complaint *c)
{
	int op = 0, state = 0, err;
	uint64_t who;
	/* Work counts for a function whoever does it: execution ids are checked and not kept. */
	const struct field fields[] = {
		{ "op", FIELD_TERM, .to = &op, .terms = event_ops },
		{ "tick", FIELD_NUMBER, .to = &event->tick },
		{ "thread", FIELD_NUMBER, .optional = true, .to = &who },
		{ "task", FIELD_NUMBER, .optional = true, .to = &who },
		{ "actor", FIELD_NUMBER, .optional = true, .to = &who },
		{ "state", FIELD_TERM, .to = &state, .terms = contract_states },
		{ "stack", FIELD_INDEX, .optional = true, .to = &event->stack },
		{ "count", FIELD_NUMBER, .optional = true, .to = &event->count },
	};

	err = FIELDS_READ(object, fields, c);
	event->state = (enum contract_state)state;
	return err;
}

static int decode_count(json_t *object, struct event *event, struct complaint *c)
{
	int op = 0;
	const struct field fields[] = {
		{ "op", FIELD_TERM, .to = &op, .terms = event_ops },
		{ "count", FIELD_NUMBER, .optional = true, .to = &event->count },
	};

	return FIELDS_READ(object, fields, c);
}

static int decode_allocation(json_t *object, struct event *event, struct complaint *c)
{
	uint64_t who;
	int op = 0;
	const struct field fields[] = {
		{ "op", FIELD_TERM, .to = &op, .terms = event_ops },
		{ "id", FIELD_NUMBER, .to = &event->id },
		{ "thread", FIELD_NUMBER, .optional = true, .to = &who },
		{ "task", FIELD_NUMBER, .optional = true, .to = &who },
		{ "actor", FIELD_NUMBER, .optional = true, .to = &who },
		{ "size", FIELD_NUMBER, .to = &event->size },
		{ "stack", FIELD_INDEX, .optional = true, .to = &event->stack },
		{ "old_size", FIELD_NUMBER, .to = &event->old_size },
	};
	const struct field freed[] = { fields[0], fields[1], fields[2],
				       fields[3], fields[4], fields[7] };

	if (event->op == EVENT_FREE)
		return FIELDS_READ(object, freed, c);
	return fields_read(object, fields, event->op == EVENT_RESIZE ? 8 : 7, c);
}

/* A collector may fail, find that it can not do its work, or stop at a limit of its captures; the
 * other reasons come from the events themselves. */
static int decode_failure(json_t *object, struct event *event, struct complaint *c)
{
	int op = 0, reason = 0, err;
	const struct field fields[] = {
		{ "op", FIELD_TERM, .to = &op, .terms = event_ops },
		{ "reason", FIELD_TERM, .to = &reason, .terms = contract_reasons },
	};

	err = FIELDS_READ(object, fields, c);
	event->reason = (enum contract_reason)reason;
	if (!err && reason != CONTRACT_COLLECTOR_FAILURE &&
	    reason != CONTRACT_BACKEND_UNSUPPORTED && reason != CONTRACT_STACK_CAPTURE_LIMIT)
		return complain_of(c, "not a failure:", contract_reasons[reason]);
	return err;
}

int event_decode(json_t *object, struct event *event, struct complaint *c)
{
	static int (*const decode[])(json_t * object, struct event * event,
				     struct complaint * c) = {
		[EVENT_SAMPLE] = decode_sample,	    [EVENT_COALESCED] = decode_count,
		[EVENT_DROPPED] = decode_count,	    [EVENT_ALLOCATE] = decode_allocation,
		[EVENT_RESIZE] = decode_allocation, [EVENT_FREE] = decode_allocation,
		[EVENT_FAILURE] = decode_failure,
	};
	struct event read = { .stack = CONTRACT_NONE, .count = 1 };
	json_t *op = json_object_get(object, "op");
	int found, err;

	if (!json_is_string(op))
		return complain(c, "op is not a string");
	found = contract_term(event_ops, json_string_value(op));
	if (found < 0)
		return complain_of(c, "unknown op", json_string_value(op));
	read.op = (enum event_op)found;
	err = decode[found](object, &read, c);
	if (!err)
		*event = read;
	return err;
}
