/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The metadata budgets. Charges are fixed, and at least what is really used, so that the same events
 * give the same report everywhere.
 */
#ifndef PROFBPF_CONTRACT_BUDGET_H
#define PROFBPF_CONTRACT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define CONTRACT_CPU_BUDGET (UINT64_C(32) << 20)
#define CONTRACT_RETENTION_BUDGET (UINT64_C(64) << 20)

#define CONTRACT_FUNCTION_COST 128U
#define CONTRACT_HOT_LINE_COST 64U
#define CONTRACT_CHAIN_COST 32U
#define CONTRACT_CHAIN_FRAME_COST 8U
#define CONTRACT_LIVE_COST 48U

struct budget {
	uint64_t bytes, used;
	bool spent; /* something did not fit: nothing is added any more */
};

/* Takes cost out of the budget; false if it does not fit. */
static inline bool budget_take(struct budget *b, uint64_t cost)
{
	if (b->spent || cost > b->bytes - b->used) {
		b->spent = true;
		return false;
	}
	b->used += cost;
	return true;
}

#endif
