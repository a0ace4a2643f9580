/* SPDX-License-Identifier: BSD-2-Clause */
/* Two profiles in one: ids of the source are mapped to those of equal things in the destination. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/profile.h"

struct merge {
	struct profile *dst;
	const struct profile *src;
	/* From ids of src to ids of dst. */
	uint32_t *objects, *functions, *locations, *processes, *threads, *stacks;
};

static uint32_t *new_map(uint32_t n)
{
	return calloc(n + (size_t)1, sizeof(uint32_t));
}

static int merge_types(struct profile *dst, const struct profile *src)
{
	struct profile_value_type types[PROFILE_MAX_VALUES];
	unsigned int n = profile_n_types(src);

	for (unsigned int i = 0; i < n; i++)
		types[i] = profile_type(src, i);
	if (!n)
		return 0;
	if (!profile_n_types(dst))
		return profile_set_types(dst, types, n);
	if (profile_n_types(dst) != n)
		return -EINVAL;
	for (unsigned int i = 0; i < n; i++) {
		struct profile_value_type own = profile_type(dst, i);

		if (strcmp(own.type, types[i].type) != 0 || strcmp(own.unit, types[i].unit) != 0)
			return -EINVAL;
	}
	return 0;
}

/* Whether list, which the separator divides, has the part of n bytes at s. */
static bool has_part(const char *list, const char *separator, const char *s, size_t n)
{
	while (list) {
		const char *end = strstr(list, separator);
		size_t length = end ? (size_t)(end - list) : strlen(list);

		if (length == n && strncmp(list, s, n) == 0)
			return true;
		list = end ? end + strlen(separator) : NULL;
	}
	return false;
}

/* The parts of a, and those of b that a lacks; a malloc'd string. */
static char *join(const char *a, const char *separator, const char *b)
{
	char *joined = strdup(a);

	while (joined && b) {
		const char *end = strstr(b, separator);
		size_t n = end ? (size_t)(end - b) : strlen(b);

		if (n && !has_part(joined, separator, b, n)) {
			char *longer;

			if (asprintf(&longer, "%s%s%.*s", joined, *joined ? separator : "", (int)n,
				     b) < 0)
				longer = NULL;
			free(joined);
			joined = longer;
		}
		b = end ? end + strlen(separator) : NULL;
	}
	return joined;
}

static int merge_config(struct profile *dst, const struct profile *src)
{
	const struct profile_config *a = profile_config(dst), *b = profile_config(src);
	struct profile_config c = *a;
	char *target = join(a->target, ", ", b->target);
	char *host = join(a->host, ", ", b->host);
	char *kernel = join(a->kernel, ", ", b->kernel);
	char *arch = join(a->arch, ", ", b->arch);
	char *version = join(a->version, ", ", b->version);
	char *notes = join(a->notes, "\n", b->notes);
	int err = -ENOMEM;

	if (!a->duration_ns) {
		c = *b;
	} else if (b->duration_ns) {
		uint64_t end_a = a->time_ns + a->duration_ns, end_b = b->time_ns + b->duration_ns;

		c.time_ns = a->time_ns < b->time_ns ? a->time_ns : b->time_ns;
		c.duration_ns = (end_a > end_b ? end_a : end_b) - c.time_ns;
		if (a->ending != b->ending)
			c.ending = PROFILE_LIVES_ON;
		c.failed = a->failed || b->failed;
	}
	if (!c.period_ns)
		c.period_ns = b->period_ns;
	if (target && host && kernel && arch && version && notes) {
		c.target = target;
		c.host = host;
		c.kernel = kernel;
		c.arch = arch;
		c.version = version;
		c.notes = notes;
		err = profile_set_config(dst, &c);
	}
	free(target);
	free(host);
	free(kernel);
	free(arch);
	free(version);
	free(notes);
	return err;
}

static void merge_accounting(struct profile *dst, const struct profile *src)
{
	struct profile_accounting sum = *profile_accounting(dst);
	const struct profile_accounting *a = profile_accounting(src);

	sum.requested += a->requested;
	sum.recorded += a->recorded;
	sum.coalesced += a->coalesced;
	for (unsigned int i = 0; i < PROFILE_N_DROPS; i++)
		sum.dropped[i] += a->dropped[i];
	sum.other += a->other;
	sum.idle += a->idle;
	sum.stolen += a->stolen;
	for (unsigned int i = 0; i < PROFILE_N_ENDS; i++)
		sum.ends[i] += a->ends[i];
	sum.truncated_stacks += a->truncated_stacks;
	sum.lost_records += a->lost_records;
	sum.lost_events += a->lost_events;
	sum.unopened_objects += a->unopened_objects;
	sum.unmapped_frames += a->unmapped_frames;
	sum.early_samples += a->early_samples;
	/* Times of a part would pass for those of the whole. */
	sum.has_times = a->has_times && (sum.has_times || !profile_config(dst)->duration_ns);
	sum.waiting_ticks = sum.has_times ? sum.waiting_ticks + a->waiting_ticks : 0;
	sum.cpu_ns = sum.has_times ? sum.cpu_ns + a->cpu_ns : 0;
	profile_set_accounting(dst, &sum);
}

static int merge_objects(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_objects(m->src); i++)
		err = profile_add_object(m->dst, profile_object(m->src, i), &m->objects[i]);
	return err;
}

static int merge_functions(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_functions(m->src); i++)
		err = profile_add_function(m->dst, profile_function(m->src, i), &m->functions[i]);
	return err;
}

/* Gives a location of dst the names that src knows; those it has already stay. */
static int merge_lines(struct merge *m, const struct profile_location *l, uint32_t id)
{
	const struct profile_location *own = profile_location(m->dst, id);
	struct profile_line *lines;
	int err;

	if (!l->symbolized || own->n_lines || (own->symbolized && !l->n_lines))
		return 0;
	lines = malloc((l->n_lines + (size_t)1) * sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	for (uint32_t i = 0; i < l->n_lines; i++) {
		lines[i] = l->lines[i];
		lines[i].function = m->functions[lines[i].function];
	}
	err = profile_set_lines(m->dst, id, lines, l->n_lines);
	free(lines);
	return err;
}

static int merge_locations(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_locations(m->src); i++) {
		const struct profile_location *l = profile_location(m->src, i);
		uint32_t object = l->object == PROFILE_NONE ? l->object : m->objects[l->object];

		err = profile_add_location(m->dst, object, l->flags, l->address, &m->locations[i]);
		if (!err)
			err = merge_lines(m, l, m->locations[i]);
	}
	return err;
}

static int merge_sources(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_sources(m->src); i++) {
		struct profile_source s = *profile_source(m->src, i);
		uint32_t id;

		s.object = m->objects[s.object];
		err = profile_add_source(m->dst, &s, &id);
	}
	return err;
}

/* A process that began or ended in one recording was there before or after it in the other. */
static int merge_process(struct merge *m, const struct profile_process *process, uint32_t *id)
{
	struct profile_process both;
	int err = profile_add_process(m->dst, process, id);

	if (err)
		return err;
	both = *profile_process(m->dst, *id);
	if (!both.begin_ns || (process->begin_ns && process->begin_ns < both.begin_ns))
		both.begin_ns = process->begin_ns;
	if (process->end_ns > both.end_ns)
		both.end_ns = process->end_ns;
	if (!*both.name)
		both.name = process->name;
	if (!*both.exe)
		both.exe = process->exe;
	return profile_set_process(m->dst, *id, &both);
}

static int merge_threads(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_processes(m->src); i++)
		err = merge_process(m, profile_process(m->src, i), &m->processes[i]);
	for (uint32_t i = 0; !err && i < profile_n_threads(m->src); i++) {
		struct profile_thread t = *profile_thread(m->src, i);

		t.process = m->processes[t.process];
		err = profile_add_thread(m->dst, &t, &m->threads[i]);
	}
	return err;
}

static int merge_stack(struct merge *m, struct profile_stack stack, uint32_t *id)
{
	uint32_t *locations = new_map(stack.n);
	int err;

	if (!locations)
		return -ENOMEM;
	for (uint32_t i = 0; i < stack.n; i++)
		locations[i] = m->locations[stack.locations[i]];
	err = profile_add_stack(m->dst, locations, stack.n, stack.end, id);
	free(locations);
	return err;
}

static int merge_samples(struct merge *m)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < profile_n_stacks(m->src); i++)
		err = merge_stack(m, profile_stack(m->src, i), &m->stacks[i]);
	for (uint32_t i = 0; !err && i < profile_n_samples(m->src); i++) {
		const struct profile_sample *s = profile_sample(m->src, i);

		err = profile_add_sample(m->dst, m->threads[s->thread], m->stacks[s->stack],
					 s->values);
	}
	return err;
}

int profile_merge(struct profile *dst, const struct profile *src)
{
	struct merge m = { .dst = dst, .src = src };
	int err = merge_types(dst, src);

	if (err)
		return err;
	m.objects = new_map(profile_n_objects(src));
	m.functions = new_map(profile_n_functions(src));
	m.locations = new_map(profile_n_locations(src));
	m.processes = new_map(profile_n_processes(src));
	m.threads = new_map(profile_n_threads(src));
	m.stacks = new_map(profile_n_stacks(src));
	err = -ENOMEM;
	if (!m.objects || !m.functions || !m.locations || !m.processes || !m.threads || !m.stacks)
		goto out;
	err = merge_objects(&m);
	if (!err)
		err = merge_functions(&m);
	if (!err)
		err = merge_locations(&m);
	if (!err)
		err = merge_sources(&m);
	if (!err)
		err = merge_threads(&m);
	if (!err)
		err = merge_samples(&m);
	if (!err) {
		merge_accounting(dst, src);
		err = merge_config(dst, src);
	}
out:
	free(m.objects);
	free(m.functions);
	free(m.locations);
	free(m.processes);
	free(m.threads);
	free(m.stacks);
	return err;
}
