/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the reader of event files: records, operations, the end. */
#ifndef PROFBPF_CONTRACT_EVENTS_READER_H
#define PROFBPF_CONTRACT_EVENTS_READER_H

#include <stdbool.h>

#include "formats/contract/collector.h"
#include "formats/contract/event.h"
#include "formats/contract/fields.h"
#include "formats/contract/run.h"

struct events {
	struct collector *collector; /* NULL before the first line */
	struct complaint complaint;
	uint64_t last_tick;
	bool failed; /* only the end may follow */
	bool ended;
	/* Of the end, which owns the texts in run. */
	json_t *end_record;
	struct run run;
	bool has_run;
};

/* Each takes what stands behind the record's name. They return 0, -EBADMSG with a complaint, or
 * -ENOMEM. */
int events_source(struct events *e, json_t *value);
int events_function(struct events *e, json_t *value);
int events_frame(struct events *e, json_t *value);
int events_stack(struct events *e, json_t *value);
int events_end(struct events *e, json_t *value);
/* An operation, on the state that those before have left. Likewise. */
int events_apply(struct events *e, const struct event *event);
/* The member run of the end. */
int events_read_run(struct events *e, json_t *value);

/* Turns -ERANGE and -EOVERFLOW of the tables into complaints. */
int events_explain(struct events *e, int err);

#endif
