/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a run was besides its profile, and the envelope that holds both: one TOON document of fixed
 * members, in which nothing that a program writes can pass for a member.
 */
#ifndef PROFBPF_CONTRACT_RUN_H
#define PROFBPF_CONTRACT_RUN_H

#include <stdio.h>

#include "formats/contract/terms.h"

struct contract_report;

struct run_origin {
	enum contract_origin kind;
	struct contract_text project, dependency, distribution, version;
	struct contract_text *graph; /* of a dependency */
	size_t n_graph;
};

enum run_debug_kind { RUN_DEBUG, RUN_TRACE, RUN_BREAKPOINT };

struct run_debug {
	enum run_debug_kind kind;
	struct contract_text message;
};

struct run_field {
	struct contract_text name, value;
};

struct run_log {
	uint64_t sequence;
	uint32_t level; /* of run_levels */
	struct contract_text message;
	struct run_field *fields;
	size_t n_fields;
	struct run_origin origin;
	struct contract_text path;
	uint64_t line, column; /* CONTRACT_NO_NUMBER where unknown */
};

struct run {
	struct contract_text file, out, err;
	struct run_origin origin;
	struct run_debug *debug;
	size_t n_debug;
	struct run_log *logs;
	size_t n_logs;
	struct contract_text
		failure; /* the runtime's own message, read with that termination only */
};

extern const char *const run_debug_kinds[], *const run_levels[];

/* Writes the envelope and flushes. Returns 0, -ENOMEM, or -errno of the failed write. */
int run_write(const struct run *run, const struct contract_report *r, FILE *out);
/* The same for a run that did not come about because the profiler failed: its status and why. */
int run_write_failure(const char *message, FILE *out);

#endif
