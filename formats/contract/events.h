/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The event file, profbpf.events.v1: one JSON object a line, read as a stream. docs/profile.md
 * describes it.
 */
#ifndef PROFBPF_CONTRACT_EVENTS_H
#define PROFBPF_CONTRACT_EVENTS_H

#include <stdint.h>
#include <stdio.h>

struct collector;
struct run;
struct events;

/* What is wrong with a file, and in which line (from 1). The text is printable. */
struct events_error {
	uint64_t line;
	char text[256];
};

/*
 * Reads a whole file, with so many threads beside the caller's at most. Returns 0; -EBADMSG for a file that is not right, with error filled in; -ENOMEM;
 * or -errno of the failed read. *events is set on success only; the caller frees it.
 */
int events_read(FILE *in, unsigned int threads, struct events **events, struct events_error *error);
/* Accepts NULL. */
void events_free(struct events *e);

/* Finished. They belong to the events; the run is NULL if the file has none. */
const struct collector *events_collector(const struct events *e);
const struct run *events_run(const struct events *e);

#endif
