/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --agent: one TOON document on standard output that tells all of a command's run. Its outputs and its run
 * channel are taken while it runs.
 */
#ifndef PROFBPF_AGENT_H
#define PROFBPF_AGENT_H

#include <stdbool.h>
#include <stddef.h>

struct agent;
struct contract_options;
struct launch;
struct profile;

/* How long an interrupted command may take to end, and then whoever else has its outputs to close them. */
#define AGENT_GRACE_MS 2000
#define AGENT_PATIENCE_MS 1000U

/* Prepares the launch of a command with limit bytes kept of each of its outputs. Returns 0 or -errno. */
int agent_launch(char *const argv[], size_t limit, struct launch **launch, struct agent **agent);
/* Accepts NULL. */
void agent_free(struct agent *a);

/* When the command has ended, or was interrupted: takes what it has still to say. */
void agent_finish(struct agent *a, struct launch *launch);

/* The following after that. Whether the runtime told of an error. */
bool agent_runtime_failed(const struct agent *a);

/*
 * Writes the run to standard output: the report of the profile, which is named by now, and the command,
 * argv[0] of which the launch is. Says what fails; what standard output does not take is said when it is
 * closed. Returns 0 or -errno.
 */
int agent_tell(const struct agent *a, const struct profile *p,
	       const struct contract_options *options, const char *command,
	       const struct launch *launch);
/* In its place when there is no such report: the profiler failed, before the command ran or after. */
void agent_tell_failure(bool ran, bool unsupported);

#endif
