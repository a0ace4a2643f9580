/* SPDX-License-Identifier: BSD-2-Clause */
/* The suggestions: fixed texts, each with an exact predicate over what is reported. */
#ifndef PROFBPF_CONTRACT_SUGGEST_H
#define PROFBPF_CONTRACT_SUGGEST_H

struct collector;
struct bottleneck;

/* Adds those that apply, sorted by rule. Returns 0 or -ENOMEM. */
int suggest(const struct collector *c, struct bottleneck *b);

#endif
