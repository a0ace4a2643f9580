/* SPDX-License-Identifier: BSD-2-Clause */
/* The bottleneck report of the report verb. */
#ifndef PROFBPF_REPORT_CONTRACT_H
#define PROFBPF_REPORT_CONTRACT_H

#include <stdbool.h>
#include <stdio.h>

#include "user/contract_options.h"
#include "user/output.h"

struct profile;

/* Strings point into the arguments. */
struct report_contract {
	bool wanted; /* --contract */
	const char *format_name; /* of --format; NULL: the extension says */
	struct contract_options options;
	enum output_format format; /* chosen by the check */
};

/*
 * When all is parsed: chooses the form, and refuses options that need --contract without it. output is where it
 * goes ("-": standard output, as text unless something else is asked for), json whether --json was given. Says
 * what is wrong; 0 or -EINVAL.
 */
int report_contract_check(struct report_contract *c, const char *output, bool json);

/* 0 or -errno. */
int report_contract_write(const struct report_contract *c, const struct profile *p, FILE *out);

#endif
