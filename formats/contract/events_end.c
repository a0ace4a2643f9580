// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "formats/contract/events_reader.h"

static int check_run(struct events *e, enum contract_termination termination)
{
	if (termination == CONTRACT_LIVES_ON)
		return complain(&e->complaint, "a run has ended: its termination is known");
	if ((termination == CONTRACT_RUNTIME_ERROR) != (e->run.failure.s != NULL))
		return complain(&e->complaint, "failure and termination do not agree");
	return 0;
}

int events_end(struct events *e, json_t *value)
{
	struct contract_end end = { .wall_ns = CONTRACT_NO_NUMBER, .cpu_ns = CONTRACT_NO_NUMBER };
	bool memory = e->collector->config.mode == CONTRACT_MEMORY;
	json_t *run = NULL;
	int termination = 0, err;
	/* A memory report has no place for the time. */
	const struct field fields[] = {
		{ "termination", FIELD_TERM, .to = &termination, .terms = contract_terminations },
		{ "wall_duration_ns", FIELD_NUMBER, .optional = memory, .to = &end.wall_ns },
		{ "process_cpu_ns", FIELD_NUMBER, .optional = true, .to = &end.cpu_ns },
		{ "run", FIELD_OBJECT, .optional = true, .to = &run },
	};

	err = FIELDS_READ(value, fields, &e->complaint);
	if (err)
		return err;
	end.termination = (enum contract_termination)termination;
	e->ended = true;
	e->end_record = json_incref(value);
	if (run) {
		e->has_run = true;
		err = events_read_run(e, run);
		if (!err)
			err = check_run(e, end.termination);
	}
	return err ? err : collector_finish(e->collector, &end);
}
