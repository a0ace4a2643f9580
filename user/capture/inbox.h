/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What came from the kernel since the last drain by several roads, brought into the order of time:
 * process events, mapping and name records, and new stacks.
 */
#ifndef PROFBPF_INBOX_H
#define PROFBPF_INBOX_H

#include <stddef.h>
#include <stdint.h>

struct inbox;
struct process_event;
struct record;
struct stack_record;

struct inbox *inbox_new(void);
void inbox_free(struct inbox *i);

/* Each copies what it is given. 0 or -ENOMEM. */
int inbox_add_event(struct inbox *i, const struct process_event *e);
int inbox_add_record(struct inbox *i, const struct record *r);
int inbox_add_stack(struct inbox *i, const struct stack_record *s, size_t size);

/* Receives the contents in the order of their times; a negative value stops and is returned. */
struct inbox_reader {
	int (*event)(void *arg, const struct process_event *e);
	int (*record)(void *arg, const struct record *r);
	int (*stack)(void *arg, const struct stack_record *s);
};

/*
 * Gives the contents up to a time to the reader, and keeps later ones: an earlier one may still be on
 * another road. Returns 0 or the reader's error, after which nothing of that time is left either.
 */
int inbox_deliver(struct inbox *i, uint64_t until, const struct inbox_reader *reader, void *arg);

#endif
