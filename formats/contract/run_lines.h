/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a runtime says of its run while it lasts, one JSON object a line:
 *
 *	{"file": …, "origin": {…}}                        once
 *	{"debug": {"kind": …, "message": …}}
 *	{"log": {…}}                                      a canonical record; sequences ascend
 *	{"termination": "runtime_error", "message": …}    once
 */
#ifndef PROFBPF_CONTRACT_RUN_LINES_H
#define PROFBPF_CONTRACT_RUN_LINES_H

#include <stddef.h>

struct complaint;
struct run;
struct run_lines;

/* budget: bytes of debug rows and logs; each is charged its line and a fixed cost. NULL when out of memory. */
struct run_lines *run_lines_new(size_t budget);
/* Accepts NULL. */
void run_lines_free(struct run_lines *r);

/*
 * Adds what a line says, without its end; nothing of it is kept by reference. Returns 0; -EBADMSG for a line
 * that is none of the above, with a complaint; -ENOSPC for a debug row or log beyond the budget, with which
 * the adding of those ends; or -ENOMEM. A line that failed has changed nothing else.
 */
int run_lines_add(struct run_lines *r, const char *line, size_t n, struct complaint *c);

/* All of it so far; belongs to r. Untold, file.s and failure.s are NULL, the origin a project without a
 * name. */
const struct run *run_lines_run(const struct run_lines *r);

#endif
