/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the bottleneck report, parsed as a child of a verb's argp. */
#ifndef PROFBPF_CONTRACT_OPTIONS_H
#define PROFBPF_CONTRACT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Strings point into the arguments. */
struct contract_options {
	bool cpu, memory; /* --profile, --profile-memory: never both */
	unsigned int rate; /* ticks a second that --profile asks for, 1 to 1000 */
	unsigned int threshold; /* basis points, 0 to 10000 */
	unsigned int limit; /* bottlenecks, 1 to 100 */
	bool agent; /* the whole run as one document on standard output */
	uint64_t capture_limit; /* bytes kept of each of the command's outputs, for agent */
	const char *project_root; /* NULL: the source tree around the current directory */

	/* The last one given of those that need a mode, NULL: none was. */
	const char *control;
	bool rate_given, limit_given;
};

/* The input is a struct contract_options with its defaults. The first for a verb that records, the
 * second for one that reports: without the modes and the rate. */
extern const struct argp contract_record_argp;
extern const struct argp contract_report_argp;

/* What holds unless an option says otherwise. */
void contract_options_init(struct contract_options *o);

/*
 * For a verb that records, when all is parsed: whether the options go together. report says that some
 * output is a bottleneck report, command that one is run. Says what is wrong; 0 or -EINVAL.
 */
int contract_options_check(const struct contract_options *o, bool report, bool command);

#endif
