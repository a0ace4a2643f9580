/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that work off jobs for one thread, which takes what they found in an order of its own. */
#ifndef PROFBPF_WORKERS_H
#define PROFBPF_WORKERS_H

#include <stddef.h>

struct workers;

/* What is to be done: run(arg, job) once for each job in the order in which they are to begin. */
struct workers_list {
	const size_t *order; /* jobs' numbers, each once */
	size_t n_jobs;
	void (*run)(void *arg, size_t job);
	void *arg;
};

/* The processors that this process may use, at least 1. */
unsigned int workers_processors(void);

/*
 * Begins with so many threads, or as many as can be started. They answer no signals but those of their own faults,
 * so that all others stay with the caller's threads. With none each job runs when it is waited for. list->order
 * must live as long. NULL when out of memory.
 */
struct workers *workers_new(unsigned int n, const struct workers_list *list);

/* Begins no more jobs, and waits for those that have begun. Accepts NULL. */
void workers_free(struct workers *w);

/* The threads there are. */
unsigned int workers_count(const struct workers *w);

/*
 * Returns when a job of the list is done, and all that it wrote can be read. waiting(arg) is called before, and
 * from time to time meanwhile.
 */
void workers_wait(struct workers *w, size_t job, void (*waiting)(void *arg), void *arg);

#endif
