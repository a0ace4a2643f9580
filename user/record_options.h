/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of the record verb, checked as a whole before anything runs. */
#ifndef PROFBPF_RECORD_OPTIONS_H
#define PROFBPF_RECORD_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/contract_options.h"
#include "user/naming_options.h"
#include "user/output.h"

struct record_output {
	const char *path;
	enum output_format format;
};

/* Strings point into the arguments of record_options_parse. */
struct record_options {
	/* The target: pids, or all, or a command, or all while a command runs. */
	pid_t *pids; /* without duplicates */
	size_t n_pids;
	bool all;
	char **command; /* NULL-terminated as for execvp(3); NULL: none */

	bool children; /* of the target are followed */
	pid_t *tids; /* only these threads; none given: all */
	size_t n_tids;
	const char *comm_pattern; /* only threads whose name matches; NULL: all */
	regex_t comm; /* compiled, if there is a pattern */

	unsigned int rate; /* ticks a second on each CPU, at most the kernel's limit */
	uint64_t duration_ns; /* 0: until a signal, or the end of the command */
	uint64_t delay_ns; /* before the first tick */
	unsigned int max_depth;
	bool kernel; /* kernel stacks too */

	struct contract_options contract;
	bool report; /* some output is a bottleneck report, if only that of --profile */

	struct record_output *outputs; /* at least one, save with --profile */
	size_t n_outputs;
	bool keep_old; /* the only output is the default one: keep the one before */
	bool per_thread;

	struct naming_options naming;

	/*
	 * --test-ring-bytes, --test-counters, --test-table-chunks, --test-ranges and --test-waits, not
	 * in --help: sizes of the kernel's buffers so small that the ways to lose ticks, tables and
	 * waits can be tested. 0: the usual size.
	 */
	uint32_t test_ring_bytes, test_counters, test_table_chunks, test_ranges, test_waits;
	/* --test-fail-after, of the same kind: when the clock's programs go away; 0: never. */
	uint64_t test_fail_after_ns;
};

/*
 * Parses the arguments and sets the message level (-v, -q). Returns 0 and the options, which the
 * caller frees, or an exit status after saying what is wrong. --help and --version exit.
 */
int record_options_parse(int argc, char **argv, struct record_options **options);
/* Accepts NULL. */
void record_options_free(struct record_options *options);

#endif
