/* SPDX-License-Identifier: BSD-2-Clause */
/* Many objects' addresses looked up, each object on one thread, in several threads where that helps. */
#ifndef PROFBPF_NAME_JOBS_H
#define PROFBPF_NAME_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbolize/symbolize.h"

/* One object's. */
struct name_job {
	bool is_kernel; /* the kernel's symbols are all that is read; addresses count for progress */
	struct symbol_source source;
	const uint64_t *addresses;
	size_t n_addresses;

	/* What was found, when the job is done; freed with the jobs, if it is not before and then NULL. */
	int err; /* as symbolizer_ask or kernel_symbols_new */
	struct symbol_answers *answers;
	struct kernel_symbols *kernel;
};

struct name_jobs;

/*
 * Begins with n jobs, those that take long first. threads is how many at most, 0: as many as help, 1: each job is done
 * by whoever waits for it. The symbolizer, the jobs and what they point to must live as long. NULL when out
 * of memory.
 */
struct name_jobs *name_jobs_new(struct symbolizer *s, struct name_job *jobs, size_t n,
				unsigned int threads);
/* Waits for the jobs that have begun. Accepts NULL. */
void name_jobs_free(struct name_jobs *j);

/* The threads at work, 0: none but the caller's. */
unsigned int name_jobs_threads(const struct name_jobs *j);
/* How many addresses are done with. */
size_t name_jobs_done(const struct name_jobs *j);

/* Returns when a job is done. waiting(arg) is called before, and from time to time meanwhile. */
void name_jobs_wait(struct name_jobs *j, size_t job, void (*waiting)(void *arg), void *arg);

#endif
