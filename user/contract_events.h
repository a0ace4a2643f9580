/* SPDX-License-Identifier: BSD-2-Clause */
/* The bottleneck report of a profile: its samples as the contract's events. */
#ifndef PROFBPF_CONTRACT_EVENTS_H
#define PROFBPF_CONTRACT_EVENTS_H

#include <stdio.h>

struct collector;
struct contract_options;
struct profile;

/*
 * Adds up the profile, which is named by now, under the threshold, the limit and the project root of the
 * options. The collector is finished, knows nothing of the profile any more, and is the caller's. Returns
 * 0, -ENOMEM, -EINVAL for a profile that is not one of CPU samples, or -ERANGE for one that was taken at
 * a rate which the contract does not know.
 */
int contract_collect(const struct profile *p, const struct contract_options *options,
		     struct collector **collector);

enum contract_form { CONTRACT_FORM_TOON, CONTRACT_FORM_JSON, CONTRACT_FORM_HUMAN };

/* Writes the report in a form and flushes. As above, or -errno of the failed write. */
int contract_write(const struct profile *p, const struct contract_options *options,
		   enum contract_form form, FILE *out);

#endif
