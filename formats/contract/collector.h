/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One run's observations: events in, the report's numbers out. It tells nothing apart by where the
 * events come from.
 */
#ifndef PROFBPF_CONTRACT_COLLECTOR_H
#define PROFBPF_CONTRACT_COLLECTOR_H

#include "formats/contract/catalog.h"
#include "formats/contract/cpu.h"
#include "formats/contract/memory.h"
#include "formats/contract/terms.h"

struct contract_config {
	enum contract_mode mode;
	struct contract_text backend, coverage; /* copied */
	uint32_t capabilities; /* bits */
	uint64_t rate_hz; /* CPU only */
	bool no_waiting; /* likewise: the backend can't tell who waits, and gives no such samples */
	uint64_t threshold; /* basis points */
	uint64_t limit; /* bottlenecks, 1 to 100 */
	uint64_t budget; /* metadata bytes, of the mode's budget */
};

#define CONTRACT_MAX_RATE 1000U
#define CONTRACT_MAX_LIMIT 100U
#define CONTRACT_DEFAULT_RATE 1000U
#define CONTRACT_DEFAULT_THRESHOLD 500U
#define CONTRACT_DEFAULT_LIMIT 10U

struct contract_end {
	enum contract_termination termination;
	uint64_t wall_ns, cpu_ns; /* CONTRACT_NO_NUMBER where unknown */
	uint64_t cut_bytes; /* of captured output */
};

struct collector {
	struct contract_config config;
	struct catalog *catalog;
	struct cpu cpu; /* one of the two is used, by the mode */
	struct memory memory;
	uint32_t reasons; /* bits */
	struct contract_end end;
	char *names; /* holds backend and coverage */
};

/* NULL when out of memory. */
struct collector *collector_new(const struct contract_config *config);
/* Accepts NULL. */
void collector_free(struct collector *c);
/* Notes why the profile is not complete; any number of times. */
void collector_note(struct collector *c, enum contract_reason reason);
/* After the last event, once. Returns 0 or -ENOMEM. */
int collector_finish(struct collector *c, const struct contract_end *end);

/* After the end: the reason that comes first, CONTRACT_NO_REASON for a complete profile. */
enum contract_reason collector_reason(const struct collector *c);
/* The status that goes with it: complete, partial or unavailable. */
const char *collector_status(const struct collector *c);

#endif
