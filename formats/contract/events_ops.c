// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "formats/contract/events_reader.h"

/* The id of a stack record; none stays none. */
static int stack_id(struct events *e, uint32_t record, uint32_t *id)
{
	if (record == CONTRACT_NONE) {
		*id = CONTRACT_NONE;
		return 0;
	}
	return catalog_stack_id(e->collector->catalog, record, id);
}

static int read_sample(struct events *e, json_t *object)
{
	uint64_t tick = 0, who = 0, count = 1;
	uint32_t record = CONTRACT_NONE, stack = CONTRACT_NONE;
	struct contract_text op;
	int state = 0, err;
	/* Work counts for a function whoever does it: execution ids are checked and not kept. */
	const struct field fields[] = {
		{ "op", FIELD_TEXT, .to = &op },
		{ "tick", FIELD_NUMBER, .to = &tick },
		{ "thread", FIELD_NUMBER, .optional = true, .to = &who },
		{ "task", FIELD_NUMBER, .optional = true, .to = &who },
		{ "actor", FIELD_NUMBER, .optional = true, .to = &who },
		{ "state", FIELD_TERM, .to = &state, .terms = contract_states },
		{ "stack", FIELD_INDEX, .optional = true, .to = &record },
		{ "count", FIELD_NUMBER, .optional = true, .to = &count },
	};

	err = FIELDS_READ(object, fields, &e->complaint);
	if (err)
		return err;
	if (tick < e->last_tick)
		return complain(&e->complaint, "tick is before the one of the last sample");
	e->last_tick = tick;
	err = stack_id(e, record, &stack);
	if (!err)
		err = cpu_sample(&e->collector->cpu, (enum contract_state)state, stack, count);
	return events_explain(e, err);
}

static int read_count(struct events *e, json_t *object, uint64_t *count)
{
	struct contract_text op;
	const struct field fields[] = {
		{ "op", FIELD_TEXT, .to = &op },
		{ "count", FIELD_NUMBER, .optional = true, .to = count },
	};

	*count = 1;
	return FIELDS_READ(object, fields, &e->complaint);
}

static int read_coalesced(struct events *e, json_t *object)
{
	uint64_t count;
	int err = read_count(e, object, &count);

	return events_explain(e, err ? err : cpu_coalesced(&e->collector->cpu, count));
}

static int read_dropped(struct events *e, json_t *object)
{
	uint64_t count;
	int err = read_count(e, object, &count);

	return events_explain(e, err ? err : cpu_dropped(&e->collector->cpu, count));
}

/* What one operation on an allocation says. */
struct change {
	uint64_t id, size, old_size;
	uint32_t record, stack;
};

#define NEEDS_SIZE 1U
#define NEEDS_OLD_SIZE 2U

static int read_change(struct events *e, json_t *object, unsigned int needs, struct change *change)
{
	uint64_t who;
	struct contract_text op;
	const struct field fields[] = {
		{ "op", FIELD_TEXT, .to = &op },
		{ "id", FIELD_NUMBER, .to = &change->id },
		{ "thread", FIELD_NUMBER, .optional = true, .to = &who },
		{ "task", FIELD_NUMBER, .optional = true, .to = &who },
		{ "actor", FIELD_NUMBER, .optional = true, .to = &who },
		{ "size", FIELD_NUMBER, .to = &change->size },
		{ "stack", FIELD_INDEX, .optional = true, .to = &change->record },
		{ "old_size", FIELD_NUMBER, .to = &change->old_size },
	};
	const struct field freed[] = { fields[0], fields[1], fields[2],
				       fields[3], fields[4], fields[7] };
	int err;

	change->record = CONTRACT_NONE;
	if (needs == NEEDS_OLD_SIZE)
		return FIELDS_READ(object, freed, &e->complaint);
	err = fields_read(object, fields, needs & NEEDS_OLD_SIZE ? 8 : 7, &e->complaint);
	return err ? err : stack_id(e, change->record, &change->stack);
}

static int explain_change(struct events *e, int err)
{
	switch (err) {
	case -EEXIST:
		return complain(&e->complaint, "allocation id is not above all before it");
	case -ENOENT:
		return complain(&e->complaint, "no live allocation has this id");
	case -EBADMSG:
		if (e->complaint.text[0])
			return err;
		return complain(&e->complaint, "old_size is not the size of this allocation");
	default:
		return events_explain(e, err);
	}
}

static int read_allocate(struct events *e, json_t *object)
{
	struct memory *m = &e->collector->memory;
	struct change c = { 0 };
	int err = read_change(e, object, NEEDS_SIZE, &c);

	return explain_change(e, err ? err : memory_allocate(m, c.id, c.size, c.stack));
}

static int read_resize(struct events *e, json_t *object)
{
	struct memory *m = &e->collector->memory;
	struct change c = { 0 };
	int err = read_change(e, object, NEEDS_SIZE | NEEDS_OLD_SIZE, &c);

	if (!err)
		err = memory_resize(m, c.id, c.old_size, c.size, c.stack);
	return explain_change(e, err);
}

static int read_free(struct events *e, json_t *object)
{
	struct change c = { 0 };
	int err = read_change(e, object, NEEDS_OLD_SIZE, &c);

	return explain_change(e,
			      err ? err : memory_release(&e->collector->memory, c.id, c.old_size));
}

/* A collector may fail, find that it can not do its work, or stop at a limit of its captures; the
 * other reasons come from the events themselves. */
static int read_failure(struct events *e, json_t *object)
{
	struct contract_text op;
	int reason = 0, err;
	const struct field fields[] = {
		{ "op", FIELD_TEXT, .to = &op },
		{ "reason", FIELD_TERM, .to = &reason, .terms = contract_reasons },
	};

	err = FIELDS_READ(object, fields, &e->complaint);
	if (err)
		return err;
	if (reason != CONTRACT_COLLECTOR_FAILURE && reason != CONTRACT_BACKEND_UNSUPPORTED &&
	    reason != CONTRACT_STACK_CAPTURE_LIMIT)
		return complain_of(&e->complaint, "not a failure:", contract_reasons[reason]);
	collector_note(e->collector, (enum contract_reason)reason);
	e->failed = true;
	return 0;
}

int events_op(struct events *e, const char *op, json_t *object)
{
	static const struct {
		const char *name;
		enum contract_mode mode;
		int (*read)(struct events *e, json_t *object);
	} ops[] = {
		{ "sample", CONTRACT_CPU, read_sample },
		{ "coalesced", CONTRACT_CPU, read_coalesced },
		{ "dropped", CONTRACT_CPU, read_dropped },
		{ "allocate", CONTRACT_MEMORY, read_allocate },
		{ "resize", CONTRACT_MEMORY, read_resize },
		{ "free", CONTRACT_MEMORY, read_free },
	};

	if (strcmp(op, "failure") == 0)
		return read_failure(e, object);
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(ops[i].name, op) != 0)
			continue;
		if (ops[i].mode != e->collector->config.mode)
			return complain_of(&e->complaint, "of the other mode: op", op);
		return ops[i].read(e, object);
	}
	return complain_of(&e->complaint, "unknown op", op);
}
