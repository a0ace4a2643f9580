/* SPDX-License-Identifier: BSD-2-Clause */
/* Source code made fit to be shown: without comments, literals and secrets, short, on one line. */
#ifndef PROFBPF_CONTRACT_EXCERPT_H
#define PROFBPF_CONTRACT_EXCERPT_H

#include <stdbool.h>

#include "formats/contract/catalog.h"
#include "formats/text.h"

#define EXCERPT_LIMIT 160U

/*
 * Appends what may be shown of a span to code and sets *redacted if it is not the very text. Returns 1;
 * 0 if nothing may be shown (then code is unchanged, and *redacted tells whether the text is there but
 * withheld); or -ENOMEM.
 */
int excerpt_make(const struct contract_source *source, struct contract_span span, struct text *code,
		 bool *redacted);

#endif
