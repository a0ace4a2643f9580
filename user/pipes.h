/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pipes that a command writes to, read in a thread of their own from its start to its end: whatever else
 * this process does, or however much the command writes, the command is never kept waiting for long.
 */
#ifndef PROFBPF_PIPES_H
#define PROFBPF_PIPES_H

#include <stdbool.h>
#include <stddef.h>

#define PIPES_MAX 3U

/* Takes what has come; called in the thread, which must not outlive arg. */
struct pipe_reader {
	void (*take)(void *arg, const char *bytes, size_t n);
	void *arg;
};

struct pipes;

/* A pipe for each of n readers, PIPES_MAX at most. Returns 0 or -errno. */
int pipes_open(const struct pipe_reader *readers, size_t n, struct pipes **pipes);
/* For a child to write to; above standard error, closed on execution, gone when reading has been started. */
int pipes_write_end(const struct pipes *p, size_t i);
/* Once, after the child has its copies. Returns 0 or -errno. */
int pipes_start(struct pipes *p);
/*
 * Waits until nobody can write any more, timeout_ms at most, takes what is in the pipes then, and stops: no
 * reader is called from there on, and whoever still writes gets EPIPE. Returns whether nobody could.
 */
bool pipes_finish(struct pipes *p, unsigned int timeout_ms);
/* Stops at once, if need be. Accepts NULL. */
void pipes_free(struct pipes *p);

#endif
