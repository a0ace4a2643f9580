/* SPDX-License-Identifier: BSD-2-Clause */
/* The bottlenecks of a finished run: chosen, sorted, with what is shown of each. */
#ifndef PROFBPF_CONTRACT_REPORT_H
#define PROFBPF_CONTRACT_REPORT_H

#include "formats/contract/chains.h"
#include "formats/contract/collector.h"

#define REPORT_CHAINS 3U
#define REPORT_LINES 3U
#define REPORT_SUGGESTIONS 2U

struct report_line {
	struct cpu_line counted;
	uint64_t line, column;
	char *code; /* NULL: unavailable */
	bool redacted;
};

struct suggestion {
	const char *rule;
	struct contract_text text;
};

struct bottleneck {
	uint32_t function;
	bool is_bucket; /* stands for no function: nothing is said of its place */
	uint64_t impact, second; /* what it is sorted by */
	const struct memory_site *site; /* memory only */
	unsigned __int128 hundredths; /* its share, in hundredths of a per cent */
	struct report_line lines[REPORT_LINES];
	struct chain chains[REPORT_CHAINS];
	struct suggestion suggestions[REPORT_SUGGESTIONS];
	uint32_t n_lines, n_chains, n_suggestions;
};

struct contract_report {
	const struct collector *collector;
	uint64_t eligible;
	struct bottleneck *bottlenecks;
	uint32_t n;
};

/* Of a finished collector, which must outlive it. Returns 0 or -ENOMEM. */
int report_make(const struct collector *c, struct contract_report **report);
/* Accepts NULL. */
void report_free(struct contract_report *r);

/* What shares are shares of: attributed samples, or attributed bytes. */
uint64_t report_denominator(const struct collector *c);

#endif
