/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of an event file in their order. Threads parse some lines ahead of the one that is asked for: the
 * JSON library takes most of the time.
 */
#ifndef PROFBPF_CONTRACT_EVENTS_AHEAD_H
#define PROFBPF_CONTRACT_EVENTS_AHEAD_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/contract/event.h"

struct complaint;
struct events_ahead;

struct parsed_line {
	json_t *object; /* NULL: it is an operation, */
	struct event event; /* this one */
};

/*
 * Reads from in, which stays the caller's, with so many threads beside the caller's, or as many as can be had, once
 * there is enough for them to do. NULL when out of memory.
 */
struct events_ahead *events_ahead_new(FILE *in, unsigned int threads);
/* Accepts NULL. */
void events_ahead_free(struct events_ahead *a);

/*
 * The next line, borrowed until the next call. An operation that could not be decoded comes as an object. Returns
 * 1; 0 at the end; -EBADMSG with a complaint for what is no object, has a duplicate key or is too long;
 * -ENOMEM; -errno of the failed read. Not to be called again after anything but 1.
 */
int events_ahead_next(struct events_ahead *a, const struct parsed_line **line, struct complaint *c);

/* Number of the line given last, or of what was wrong, from 1. At the end that behind the last. */
uint64_t events_ahead_number(const struct events_ahead *a);

#endif
