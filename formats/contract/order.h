/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order of things that are alike in number: namespace and name by bytes, source, declaration,
 * first appearance. Results as of strcmp.
 */
#ifndef PROFBPF_CONTRACT_ORDER_H
#define PROFBPF_CONTRACT_ORDER_H

#include <stdint.h>

struct catalog;
struct chain;

int order_functions(const struct catalog *c, uint32_t a, uint32_t b);
/* By their functions from the root on; the beginning of another comes first. */
int order_chains(const struct catalog *c, const struct chain *a, const struct chain *b);

static inline int order_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

#endif
