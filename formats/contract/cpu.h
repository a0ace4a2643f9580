/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU samples added up. Totals are always exact; details (functions, hot lines, call chains) are kept
 * as long as the metadata budget lets new ones in.
 *
 * A stack is looked into when it is first sampled, which is when its details are charged, and when
 * the profile is finished; in between samples of it are counted.
 */
#ifndef PROFBPF_CONTRACT_CPU_H
#define PROFBPF_CONTRACT_CPU_H

#include "formats/contract/buckets.h"
#include "formats/contract/terms.h"

struct cpu_function {
	uint64_t inclusive, self;
	uint32_t function;
};

struct cpu_line {
	uint64_t samples;
	uint32_t frame; /* whose function, line and column it is */
	uint32_t site; /* the first frame there with a call site, or the same */
};

struct cpu {
	struct budget budget;
	uint64_t states[CONTRACT_N_STATES], recorded, coalesced, dropped, truncated;
	struct buckets functions, lines, chains;
	uint64_t *samples; /* by stack */
	uint32_t n_samples;
};

void cpu_init(struct cpu *cpu, const struct catalog *c, uint64_t budget);
void cpu_free(struct cpu *cpu);

/* stack is an id of the catalog or CONTRACT_NONE. Returns 0, -ENOMEM, or -EOVERFLOW for a counter
 * that does not fit; these leave the totals as they were. */
int cpu_sample(struct cpu *cpu, enum contract_state state, uint32_t stack, uint64_t count);
int cpu_coalesced(struct cpu *cpu, uint64_t count);
int cpu_dropped(struct cpu *cpu, uint64_t count);
/* Hands the samples of stacks on to functions, lines and chains; once, at the end. 0 or -ENOMEM. */
int cpu_finish(struct cpu *cpu);

#endif
