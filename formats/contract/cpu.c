// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/cpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/catalog.h"
#include "formats/contract/chains.h"

static uint64_t hash_function(const struct catalog *c, const void *entry)
{
	const struct cpu_function *f = entry;

	return bucket_mix(0, f->function);
}

static bool equal_functions(const struct catalog *c, const void *entry, const void *key)
{
	const struct cpu_function *a = entry, *b = key;

	return a->function == b->function;
}

static uint64_t hash_line(const struct catalog *c, const void *entry)
{
	const struct cpu_line *l = entry;
	struct contract_frame frame = catalog_frame(c, l->frame);

	return bucket_mix(bucket_mix(bucket_mix(1, frame.function), frame.line), frame.column);
}

static bool equal_lines(const struct catalog *c, const void *entry, const void *key)
{
	const struct cpu_line *a = entry, *b = key;
	struct contract_frame of_a = catalog_frame(c, a->frame), of_b = catalog_frame(c, b->frame);

	return of_a.function == of_b.function && of_a.line == of_b.line &&
	       of_a.column == of_b.column;
}

static const struct bucket_ops function_ops = {
	.size = sizeof(struct cpu_function),
	.hash = hash_function,
	.equal = equal_functions,
};

static const struct bucket_ops line_ops = {
	.size = sizeof(struct cpu_line),
	.hash = hash_line,
	.equal = equal_lines,
};

void cpu_init(struct cpu *cpu, const struct catalog *c, uint64_t budget)
{
	*cpu = (struct cpu){ .budget.bytes = budget };
	buckets_init(&cpu->functions, &function_ops, c);
	buckets_init(&cpu->lines, &line_ops, c);
	buckets_init(&cpu->chains, &chain_ops, c);
}

void cpu_free(struct cpu *cpu)
{
	buckets_free(&cpu->functions);
	buckets_free(&cpu->lines);
	buckets_free(&cpu->chains);
	free(cpu->samples);
}

/* Recursion counts once, at its deepest. */
static bool is_deepest(const uint32_t *functions, uint32_t n, uint32_t i)
{
	for (uint32_t j = i + 1; j < n; j++) {
		if (functions[j] == functions[i])
			return false;
	}
	return true;
}

static int touch_line(struct cpu *cpu, uint32_t leaf, uint64_t count)
{
	const struct catalog *c = cpu->lines.catalog;
	const struct cpu_line key = { .frame = leaf, .site = leaf };
	struct contract_frame frame = catalog_frame(c, leaf);
	struct contract_function function = catalog_function(c, frame.function);
	struct cpu_line *line;
	void *entry;
	int err;

	if (frame.line == CONTRACT_NO_NUMBER || function.source == CONTRACT_NONE ||
	    catalog_is_bucket(&function))
		return 0;
	err = buckets_touch(&cpu->lines, &key, &cpu->budget, CONTRACT_HOT_LINE_COST, &entry);
	line = entry;
	if (err || !line)
		return err;
	line->samples += count;
	if (catalog_frame(c, line->site).call_site.start == CONTRACT_NO_SPAN.start)
		line->site = leaf;
	return 0;
}

static int touch_function(struct cpu *cpu, uint32_t stack, uint32_t depth, bool leaf,
			  uint64_t count)
{
	const struct cpu_function key = {
		.function = catalog_function_at(cpu->functions.catalog, stack, depth),
	};
	const struct chain chain_key = { .stack = stack, .n = depth + 1 };
	struct cpu_function *function;
	struct chain *chain;
	void *entry;
	int err =
		buckets_touch(&cpu->functions, &key, &cpu->budget, CONTRACT_FUNCTION_COST, &entry);

	function = entry;
	if (err || !function)
		return err;
	function->inclusive += count;
	if (leaf)
		function->self += count;
	err = buckets_touch(&cpu->chains, &chain_key, &cpu->budget, chain_cost(chain_key.n),
			    &entry);
	chain = entry;
	if (!err && chain)
		chain->samples += count;
	return err;
}

/* Adds count to everything that a stack stands for, and makes what is missing. */
static int touch_stack(struct cpu *cpu, uint32_t id, uint64_t count)
{
	const struct catalog *c = cpu->functions.catalog;
	struct contract_stack stack = catalog_stack(c, id);
	uint32_t functions[CONTRACT_MAX_DEPTH] = { 0 };
	int err = 0;

	for (uint32_t i = 0; i < stack.n; i++)
		functions[i] = catalog_function_at(c, id, i);
	for (uint32_t i = 0; i < stack.n && !err; i++) {
		if (is_deepest(functions, stack.n, i))
			err = touch_function(cpu, id, i, i + 1 == stack.n, count);
	}
	return err ? err : touch_line(cpu, stack.frames[stack.n - 1], count);
}

static int reserve(struct cpu *cpu, uint32_t stack)
{
	uint32_t n = catalog_n_stacks(cpu->functions.catalog);
	uint64_t *samples;

	if (stack < cpu->n_samples)
		return 0;
	n += n / 4;
	samples = realloc(cpu->samples, n * sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	memset(samples + cpu->n_samples, 0, (n - cpu->n_samples) * sizeof(*samples));
	cpu->samples = samples;
	cpu->n_samples = n;
	return 0;
}

static int attribute(struct cpu *cpu, uint32_t stack, uint64_t count)
{
	int err = reserve(cpu, stack);

	if (!err && cpu->samples[stack] == 0)
		err = touch_stack(cpu, stack, 0);
	if (!err)
		cpu->samples[stack] += count;
	return err;
}

/* Adds to one of the parts of all requested ticks, whose sum must stay a number too. */
static int add_ticks(struct cpu *cpu, uint64_t *part, uint64_t count)
{
	uint64_t all;

	if (__builtin_add_overflow(cpu->recorded + cpu->coalesced + cpu->dropped, count, &all))
		return -EOVERFLOW;
	*part += count;
	return 0;
}

int cpu_sample(struct cpu *cpu, enum contract_state state, uint32_t stack, uint64_t count)
{
	const struct catalog *c = cpu->functions.catalog;
	bool has_frames = false;
	int err = add_ticks(cpu, &cpu->recorded, count);

	if (err || count == 0)
		return err;
	if (stack != CONTRACT_NONE) {
		struct contract_stack seen = catalog_stack(c, stack);

		has_frames = seen.n > 0;
		cpu->truncated += seen.truncated ? count : 0;
	}
	if (state == CONTRACT_JETT && !has_frames)
		state = CONTRACT_UNAVAILABLE;
	cpu->states[state] += count;
	return state == CONTRACT_JETT ? attribute(cpu, stack, count) : 0;
}

int cpu_coalesced(struct cpu *cpu, uint64_t count)
{
	return add_ticks(cpu, &cpu->coalesced, count);
}

int cpu_dropped(struct cpu *cpu, uint64_t count)
{
	return add_ticks(cpu, &cpu->dropped, count);
}

int cpu_finish(struct cpu *cpu)
{
	int err = 0;

	for (uint32_t i = 0; i < cpu->n_samples && !err; i++) {
		if (cpu->samples[i])
			err = touch_stack(cpu, i, cpu->samples[i]);
	}
	return err;
}
