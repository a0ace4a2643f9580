// SPDX-License-Identifier: BSD-2-Clause
#include "user/contract_events.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/accounting.h"
#include "formats/contract/collector.h"
#include "formats/contract/render.h"
#include "formats/contract/report.h"
#include "formats/profile.h"
#include "user/contract_frames.h"
#include "user/contract_options.h"
#include "user/project_root.h"

#define BACKEND "ebpf_async_stack"
#define COVERAGE "process_threads"

struct run {
	const struct profile *profile;
	struct collector *collector;
	struct contract_frames *frames;
	uint32_t *
		stacks; /* the catalog's records by the profile's ids; CONTRACT_NONE: not added yet */
	uint32_t n_stacks; /* added */
	uint32_t *list; /* scratch: the frames of a stack */
	size_t room;
};

static struct contract_text text(const char *s)
{
	return (struct contract_text){ s, strlen(s) };
}

/* The contract knows rates up to 1,000 ticks a second. */
static int find_rate(const struct profile *p, unsigned int *rate)
{
	uint64_t period = profile_config(p)->period_ns;
	uint64_t found = period ? (1000000000 + period / 2) / period : 0;

	if (found < 1 || found > CONTRACT_MAX_RATE)
		return -ERANGE;
	*rate = (unsigned int)found;
	return 0;
}

static bool has_samples(const struct profile *p)
{
	struct profile_value_type type;

	if (!profile_n_types(p))
		return false;
	type = profile_type(p, 0);
	return strcmp(type.type, "samples") == 0 && strcmp(type.unit, "count") == 0;
}

static int open_collector(struct run *r, const struct contract_options *options)
{
	unsigned int rate;
	struct contract_config config = {
		.mode = CONTRACT_CPU,
		.backend = text(BACKEND),
		.coverage = text(COVERAGE),
		.capabilities = 1U << CONTRACT_CPU_TICK_SOURCE | 1U << CONTRACT_SAFE_STACK_CAPTURE |
				1U << CONTRACT_PROCESS_CPU_TIME,
		.threshold = options->threshold,
		.limit = options->limit,
		.budget = CONTRACT_CPU_BUDGET,
		.no_waiting = !profile_accounting(r->profile)->has_times,
	};
	int err = find_rate(r->profile, &rate);

	if (err)
		return err;
	config.rate_hz = rate;
	r->collector = collector_new(&config);
	return r->collector ? 0 : -ENOMEM;
}

/* Root first, without the kernel's. */
static int list_frames(struct run *r, const struct profile_stack *stack, size_t *n)
{
	*n = 0;
	for (uint32_t i = stack->n; i-- > 0;) {
		struct contract_range range = contract_frames_at(r->frames, stack->locations[i]);

		if (*n + range.n > r->room) {
			size_t room = 2 * (*n + range.n);
			uint32_t *list = reallocarray(r->list, room, sizeof(*list));

			if (!list)
				return -ENOMEM;
			r->list = list;
			r->room = room;
		}
		for (uint32_t j = 0; j < range.n; j++)
			r->list[(*n)++] = range.first + j;
	}
	return 0;
}

static int add_stack(struct run *r, uint32_t id, bool *empty)
{
	struct profile_stack stack = profile_stack(r->profile, id);
	size_t n;
	int err = list_frames(r, &stack, &n);

	*empty = n == 0;
	if (err || n == 0)
		return err;
	err = catalog_add_stack(r->collector->catalog, r->list, n);
	if (!err)
		r->stacks[id] = r->n_stacks++;
	return err;
}

/* Of a sample without user frames. */
static enum contract_state state_without(const struct profile *p, uint32_t stack)
{
	struct profile_stack s = profile_stack(p, stack);

	return s.n > 0 || s.end == PROFILE_END_NO_USER ? CONTRACT_RUNTIME : CONTRACT_UNAVAILABLE;
}

static int add_sample(struct run *r, const struct profile_sample *s)
{
	uint32_t stack = CONTRACT_NONE;
	bool empty = false;
	int err = 0;

	if (r->stacks[s->stack] == CONTRACT_NONE)
		err = add_stack(r, s->stack, &empty);
	if (!err && empty)
		return cpu_sample(&r->collector->cpu, state_without(r->profile, s->stack),
				  CONTRACT_NONE, s->values[0]);
	if (!err)
		err = catalog_stack_id(r->collector->catalog, r->stacks[s->stack], &stack);
	return err ? err : cpu_sample(&r->collector->cpu, CONTRACT_JETT, stack, s->values[0]);
}

/* In their canonical order: a capture of the run gives the same report. */
static int add_samples(struct run *r)
{
	uint32_t n = profile_n_samples(r->profile), *order = profile_sorted_samples(r->profile);
	int err = order ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < n && !err; i++)
		err = add_sample(r, profile_sample(r->profile, order[i]));
	free(order);
	return err;
}

static int add_accounting(struct run *r)
{
	const struct profile_accounting *a = profile_accounting(r->profile);
	struct cpu *cpu = &r->collector->cpu;
	int err = cpu_coalesced(cpu, a->coalesced);

	if (!err)
		err = cpu_dropped(cpu, accounting_dropped(a));
	if (!err && a->has_times)
		err = cpu_sample(cpu, CONTRACT_WAITING, CONTRACT_NONE, a->waiting_ticks);
	return err;
}

static int finish(struct run *r)
{
	static const enum contract_termination terminations[] = {
		[PROFILE_LIVES_ON] = CONTRACT_LIVES_ON,
		[PROFILE_RETURNED] = CONTRACT_RETURNED,
		[PROFILE_KILLED] = CONTRACT_RUNTIME_ERROR,
		[PROFILE_INTERRUPTED] = CONTRACT_INTERRUPTED,
	};
	const struct profile_accounting *a = profile_accounting(r->profile);
	const struct profile_config *config = profile_config(r->profile);
	struct contract_end end = {
		.termination = terminations[config->ending],
		.wall_ns = config->duration_ns,
		.cpu_ns = a->has_times ? a->cpu_ns : CONTRACT_NO_NUMBER,
	};

	if (config->failed)
		collector_note(r->collector, CONTRACT_COLLECTOR_FAILURE);
	return collector_finish(r->collector, &end);
}

static int collect(struct run *r, const struct contract_options *options)
{
	uint32_t n = profile_n_stacks(r->profile);
	struct project_root *root = NULL;
	int err = open_collector(r, options);

	if (!err)
		err = project_root_new(options->project_root, &root);
	if (!err)
		err = contract_frames_new(r->profile, root, r->collector->catalog, &r->frames);
	project_root_free(root);
	if (err)
		return err;
	r->stacks = malloc((n + 1) * sizeof(*r->stacks));
	if (!r->stacks)
		return -ENOMEM;
	memset(r->stacks, 0xff, (n + 1) * sizeof(*r->stacks));
	err = add_samples(r);
	if (!err)
		err = add_accounting(r);
	return err ? err : finish(r);
}

int contract_collect(const struct profile *p, const struct contract_options *options,
		     struct collector **collector)
{
	struct run r = { .profile = p };
	int err = has_samples(p) || !profile_n_samples(p) ? collect(&r, options) : -EINVAL;

	contract_frames_free(r.frames);
	free(r.stacks);
	free(r.list);
	if (err)
		collector_free(r.collector);
	else
		*collector = r.collector;
	return err;
}

int contract_write(const struct profile *p, const struct contract_options *options,
		   enum contract_form form, FILE *out)
{
	static int (*const writers[])(const struct contract_report *r, FILE *out) = {
		[CONTRACT_FORM_TOON] = contract_write_toon,
		[CONTRACT_FORM_JSON] = contract_write_json,
		[CONTRACT_FORM_HUMAN] = contract_write_human,
	};
	struct contract_report *report = NULL;
	struct collector *collector = NULL;
	int err = contract_collect(p, options, &collector);

	if (!err)
		err = report_make(collector, &report);
	if (!err)
		err = writers[form](report, out);
	report_free(report);
	collector_free(collector);
	return err;
}
