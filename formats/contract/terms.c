// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/terms.h"

#include <errno.h>
#include <string.h>

const char *const contract_modes[] = { "cpu", "memory", NULL };
const char *const contract_states[] = { "jett", "runtime", "waiting", "unavailable", NULL };
const char *const contract_terminations[] = { "returned", "runtime_error", "interrupted",
					      "unavailable", NULL };
const char *const contract_reasons[] = { "backend_unsupported",
					 "collector_failure",
					 "cpu_metadata_limit",
					 "retention_metadata_limit",
					 "interrupted",
					 "stack_capture_limit",
					 NULL };
const char *const contract_capabilities[] = {
	"cpu_tick_source",
	"safe_stack_capture",
	"jett_runtime_thread_registration",
	"task_attribution",
	"source_spans",
	"process_cpu_time",
	"jett_heap_allocation_hooks",
	"free_and_resize_events",
	NULL,
};
const char *const contract_origins[] = { "project", "dependency", "stdlib", NULL };

int contract_term(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return -EINVAL;
}

bool contract_can(enum contract_mode mode, uint32_t capabilities)
{
	static const uint32_t required[] = {
		[CONTRACT_CPU] = 1U << CONTRACT_CPU_TICK_SOURCE | 1U << CONTRACT_SAFE_STACK_CAPTURE,
		[CONTRACT_MEMORY] =
			1U << CONTRACT_ALLOCATION_HOOKS | 1U << CONTRACT_FREE_AND_RESIZE,
	};

	return (capabilities & required[mode]) == required[mode];
}
