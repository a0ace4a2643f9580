/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A report in the three forms that say the same in the same order. They flush and return 0, -ENOMEM or
 * -errno of the failed write.
 */
#ifndef PROFBPF_CONTRACT_RENDER_H
#define PROFBPF_CONTRACT_RENDER_H

#include <stdio.h>

struct contract_report;
struct emit;

int contract_write_toon(const struct contract_report *r, FILE *out);
int contract_write_json(const struct contract_report *r, FILE *out);
int contract_write_human(const struct contract_report *r, FILE *out);

/* The member "profile" of a document that is being written. */
void contract_emit(const struct contract_report *r, struct emit *e);

#endif
