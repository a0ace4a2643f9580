/* SPDX-License-Identifier: BSD-2-Clause */
/* The stacks of a process's threads, as the kernel's iterator over its tasks finds them. */
#ifndef PROFBPF_THREADS_H
#define PROFBPF_THREADS_H

#include <sys/types.h>

struct bpf_program;
struct thread_record;
struct threads;

/* Visits all threads of the process now. 0, -ESRCH, -ENOMEM, -errno of the kernel's refusal. */
int threads_new(const struct bpf_program *program, pid_t pid, struct threads **threads);
/* Accepts NULL. */
void threads_free(struct threads *t);

/* Calls fn for each thread, with a record as long as its stack; a negative value stops and is
 * returned. */
int threads_each(const struct threads *t, int (*fn)(void *arg, const struct thread_record *r),
		 void *arg);

#endif
