// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

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

static int apply_sample(struct events *e, const struct event *event, uint32_t stack)
{
	if (event->tick < e->last_tick)
		return complain(&e->complaint, "tick is before the one of the last sample");
	e->last_tick = event->tick;
	return cpu_sample(&e->collector->cpu, event->state, stack, event->count);
}

static int apply_coalesced(struct events *e, const struct event *event, uint32_t stack)
{
	return cpu_coalesced(&e->collector->cpu, event->count);
}

static int apply_dropped(struct events *e, const struct event *event, uint32_t stack)
{
	return cpu_dropped(&e->collector->cpu, event->count);
}

static int explain_change(struct events *e, int err)
{
	switch (err) {
	case -EEXIST:
		return complain(&e->complaint, "allocation id is not above all before it");
	case -ENOENT:
		return complain(&e->complaint, "no live allocation has this id");
	case -EBADMSG:
		return complain(&e->complaint, "old_size is not the size of this allocation");
	default:
		return err;
	}
}

static int apply_allocate(struct events *e, const struct event *event, uint32_t stack)
{
	struct memory *m = &e->collector->memory;

	return explain_change(e, memory_allocate(m, event->id, event->size, stack));
}

static int apply_resize(struct events *e, const struct event *event, uint32_t stack)
{
	struct memory *m = &e->collector->memory;

	return explain_change(e, memory_resize(m, event->id, event->old_size, event->size, stack));
}

static int apply_free(struct events *e, const struct event *event, uint32_t stack)
{
	struct memory *m = &e->collector->memory;

	return explain_change(e, memory_release(m, event->id, event->old_size));
}

static int apply_failure(struct events *e, const struct event *event)
{
	collector_note(e->collector, event->reason);
	e->failed = true;
	return 0;
}

int events_apply(struct events *e, const struct event *event)
{
	static const struct {
		enum contract_mode mode;
		int (*apply)(struct events *e, const struct event *event, uint32_t stack);
	} ops[] = {
		[EVENT_SAMPLE] = { CONTRACT_CPU, apply_sample },
		[EVENT_COALESCED] = { CONTRACT_CPU, apply_coalesced },
		[EVENT_DROPPED] = { CONTRACT_CPU, apply_dropped },
		[EVENT_ALLOCATE] = { CONTRACT_MEMORY, apply_allocate },
		[EVENT_RESIZE] = { CONTRACT_MEMORY, apply_resize },
		[EVENT_FREE] = { CONTRACT_MEMORY, apply_free },
	};
	uint32_t stack = CONTRACT_NONE;
	int err;

	if (event->op == EVENT_FAILURE)
		return apply_failure(e, event);
	if (ops[event->op].mode != e->collector->config.mode)
		return complain_of(&e->complaint, "of the other mode: op", event_ops[event->op]);
	err = stack_id(e, event->stack, &stack);
	return events_explain(e, err ? err : ops[event->op].apply(e, event, stack));
}
