/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of jett.profile.v1 and of its event file: each enum has a table of names. */
#ifndef PROFBPF_CONTRACT_TERMS_H
#define PROFBPF_CONTRACT_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No such record: a function without a source, a sample without a stack. */
#define CONTRACT_NONE UINT32_MAX

/* Text of any bytes, NUL included; s[n] is NUL. Owned by whoever says so. */
struct contract_text {
	const char *s;
	size_t n;
};

enum contract_mode { CONTRACT_CPU, CONTRACT_MEMORY };

enum contract_state {
	CONTRACT_JETT,
	CONTRACT_RUNTIME,
	CONTRACT_WAITING,
	CONTRACT_UNAVAILABLE,
	CONTRACT_N_STATES,
};

enum contract_termination {
	CONTRACT_RETURNED,
	CONTRACT_RUNTIME_ERROR,
	CONTRACT_INTERRUPTED,
	CONTRACT_LIVES_ON, /* the target outlived the profile: "unavailable" */
};

/* In the order of precedence: of several the first is reported. */
enum contract_reason {
	CONTRACT_BACKEND_UNSUPPORTED,
	CONTRACT_COLLECTOR_FAILURE,
	CONTRACT_CPU_METADATA_LIMIT,
	CONTRACT_RETENTION_METADATA_LIMIT,
	CONTRACT_INTERRUPT,
	CONTRACT_STACK_CAPTURE_LIMIT,
	CONTRACT_NO_REASON,
};

enum contract_capability {
	CONTRACT_CPU_TICK_SOURCE,
	CONTRACT_SAFE_STACK_CAPTURE,
	CONTRACT_THREAD_REGISTRATION,
	CONTRACT_TASK_ATTRIBUTION,
	CONTRACT_SOURCE_SPANS,
	CONTRACT_PROCESS_CPU_TIME,
	CONTRACT_ALLOCATION_HOOKS,
	CONTRACT_FREE_AND_RESIZE,
};

/* In the order in which equal names are sorted; functions without a source come last. */
enum contract_origin { CONTRACT_PROJECT, CONTRACT_DEPENDENCY, CONTRACT_STDLIB };

/* Names by value, and the value of a name or -EINVAL. */
extern const char *const contract_modes[],
	*const contract_states[], *const contract_terminations[],
					  *const contract_reasons[],
						  *const contract_capabilities[],
							  *const contract_origins[];
int contract_term(const char *const *names, const char *name);

/* Whether capabilities (bits) hold all that a mode can not do without. */
bool contract_can(enum contract_mode mode, uint32_t capabilities);

#endif
