/* SPDX-License-Identifier: BSD-2-Clause */
/* What the dump verb found, and how it is written. */
#ifndef PROFBPF_DUMP_H
#define PROFBPF_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct profile;

struct dump_thread {
	uint32_t tid;
	char name[17];
	uint32_t state; /* as task_struct's __state */
	int32_t call; /* number of the system call that it is in, -1: none */
	bool running; /* it was on a CPU */
	uint32_t stack; /* in the profile; PROFILE_NONE: it could not be taken */
};

struct dump {
	const struct profile *profile; /* named */
	uint32_t pid;
	const char *name, *exe; /* "" where unknown */
	uint64_t time_ns; /* CLOCK_REALTIME */
	const struct dump_thread *threads; /* by tid */
	size_t n;
};

struct dump_style {
	bool paths; /* whole paths of source files and objects */
	bool no_kernel; /* leave the kernel's frames out */
	uint32_t max_depth; /* innermost frames of each thread, 0: all */
};

/* The thread's state in a word: "running", "waiting", "sleeping", … */
const char *dump_state(const struct dump_thread *thread);

/*
 * What a thread that does not run is waiting for: the system call that it is in, else the kernel's
 * function, in buf; "" if neither is known.
 */
const char *dump_wait(const struct dump *d, const struct dump_thread *thread, char *buf,
		      size_t size);

/* 0 or -ENOMEM; the stream keeps its error. */
int dump_write_text(const struct dump *d, const struct dump_style *style, FILE *out);
int dump_write_json(const struct dump *d, const struct dump_style *style, FILE *out);

#endif
