/* SPDX-License-Identifier: BSD-2-Clause */
/* One operation of an event file: what its line says, without regard to the lines before. */
#ifndef PROFBPF_CONTRACT_EVENT_H
#define PROFBPF_CONTRACT_EVENT_H

#include <jansson.h>

#include "formats/contract/terms.h"

struct complaint;

enum event_op {
	EVENT_SAMPLE,
	EVENT_COALESCED,
	EVENT_DROPPED,
	EVENT_ALLOCATE,
	EVENT_RESIZE,
	EVENT_FREE,
	EVENT_FAILURE,
};
extern const char *const event_ops[]; /* names by op */

/* Those members that its op has. */
struct event {
	enum event_op op;
	enum contract_state state;
	enum contract_reason reason;
	uint32_t stack; /* number of its record; CONTRACT_NONE */
	uint64_t tick, count;
	uint64_t id, size, old_size;
};

/* Returns 0, or -EBADMSG with a complaint. */
int event_decode(json_t *object, struct event *event, struct complaint *c);

#endif
