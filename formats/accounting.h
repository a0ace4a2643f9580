/* SPDX-License-Identifier: BSD-2-Clause */
/* The accounting in words, as every output that can carry it says it. */
#ifndef PROFBPF_ACCOUNTING_H
#define PROFBPF_ACCOUNTING_H

#include <stdint.h>

struct profile_accounting;
struct text;

/* All ticks dropped, for whatever reason. */
uint64_t accounting_dropped(const struct profile_accounting *a);

/*
 * Appends lines, each ended by a newline: the equation
 * "R requested = R recorded + C coalesced + D dropped (reasons)", the ticks of others, and whatever
 * else was lost, where there was something. Returns 0 or -ENOMEM.
 */
int accounting_text(const struct profile_accounting *a, struct text *t);

#endif
