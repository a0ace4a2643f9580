/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pprof_tables.h"

int pprof_tables_string(struct pprof_tables *t, const char *s, uint32_t *id)
{
	int err;

	text_clear(&t->text);
	err = text_add_clean(&t->text, s);
	if (!err)
		err = intern_add_string(t->strings, t->text.s, id);
	return err < 0 ? err : 0;
}

static int add_mapping(struct pprof_tables *t, uint32_t object, uint32_t *id)
{
	int err = intern_add(t->mappings, &object, sizeof(object), id);

	return err < 0 ? err : 0;
}

static int add_function(struct pprof_tables *t, uint32_t function)
{
	uint32_t id;
	int err = intern_add(t->functions, &function, sizeof(function), &id);

	return err < 0 ? err : 0;
}

static int add_location(struct pprof_tables *t, uint32_t location)
{
	const struct profile_location *l = profile_location(t->p, location);
	struct pprof_location key = { .marker = l->flags & PROFILE_LOCATION_TRUNCATED,
				      .address = l->address };
	uint32_t object = l->object, *named;
	struct pprof_mapping *mapping;
	int err;

	if (t->location_of[location] != PROFILE_NONE)
		return 0;
	if (object == PROFILE_NONE)
		object = l->flags & PROFILE_LOCATION_KERNEL ? MAPPING_KERNEL : MAPPING_NO_FILE;
	err = add_mapping(t, object, &key.mapping);
	if (err)
		return err;
	mapping = intern_record(t->mappings, key.mapping);
	mapping->named = mapping->named || l->n_lines;
	err = intern_add(t->locations, &key, sizeof(key), &t->location_of[location]);
	if (err < 0)
		return err;
	named = intern_record(t->locations, t->location_of[location]);
	if (err > 0 || l->n_lines)
		*named = location;
	for (uint32_t i = 0; i < l->n_lines; i++) {
		err = add_function(t, l->lines[i].function);
		if (err)
			return err;
	}
	return key.marker && !l->n_lines ? add_function(t, PROFILE_NONE) : 0;
}

static int add_sample(struct pprof_tables *t, const struct profile_sample *s)
{
	const struct profile_thread *thread = profile_thread(t->p, s->thread);
	const struct profile_process *process = profile_process(t->p, thread->process);
	struct profile_stack stack = profile_stack(t->p, s->stack);
	struct pprof_labels labels = { .tid = thread->tid, .pid = process->pid };
	size_t size = sizeof(labels) + stack.n * sizeof(uint32_t);
	uint32_t *key = malloc(size), id = 0;
	uint64_t *values;
	int err;

	if (!key)
		return -ENOMEM;
	/* A label whose string is "" would be read as the number 0. */
	err = pprof_tables_string(t, *thread->name ? thread->name : "[unknown]", &labels.thread);
	if (!err)
		err = pprof_tables_string(t, *process->name ? process->name : "[unknown]",
					  &labels.process);
	memcpy(key, &labels, sizeof(labels));
	for (uint32_t i = 0; !err && i < stack.n; i++) {
		err = add_location(t, stack.locations[i]);
		key[sizeof(labels) / sizeof(*key) + i] = t->location_of[stack.locations[i]];
	}
	if (!err)
		err = intern_add(t->samples, key, size, &id);
	free(key);
	if (err < 0)
		return err;
	values = intern_record(t->samples, id);
	for (unsigned int i = 0; i < profile_n_types(t->p); i++)
		values[i] += s->values[i];
	return 0;
}

/* The process with the most samples; of several the first in order. PROFILE_NONE without samples. */
static int busiest_process(const struct profile *p, const uint32_t *sorted, uint32_t *busiest)
{
	uint64_t *count = calloc(profile_n_processes(p) + (size_t)1, sizeof(*count));

	if (!count)
		return -ENOMEM;
	for (uint32_t i = 0; i < profile_n_samples(p); i++) {
		const struct profile_sample *s = profile_sample(p, i);

		count[profile_thread(p, s->thread)->process] += s->values[0];
	}
	*busiest = PROFILE_NONE;
	for (uint32_t i = 0; i < profile_n_samples(p); i++) {
		uint32_t process = profile_thread(p, profile_sample(p, sorted[i])->thread)->process;

		if (*busiest == PROFILE_NONE || count[process] > count[*busiest])
			*busiest = process;
	}
	free(count);
	return 0;
}

/* Viewers take the first mapping for the program that was profiled. */
static int add_main_mapping(struct pprof_tables *t, const uint32_t *sorted)
{
	uint32_t process, object = MAPPING_MAIN, id;
	int err = busiest_process(t->p, sorted, &process);

	if (err)
		return err;
	t->main_binary = "[unknown]";
	if (process != PROFILE_NONE) {
		const struct profile_process *main = profile_process(t->p, process);

		if (*main->exe || *main->name)
			t->main_binary = *main->exe ? main->exe : main->name;
	}
	for (uint32_t i = 0; i < profile_n_objects(t->p); i++) {
		const struct profile_object *o = profile_object(t->p, i);

		if (o->kind != PROFILE_OBJECT_FILE || strcmp(o->path, t->main_binary) != 0)
			continue;
		if (object == MAPPING_MAIN ||
		    strcmp(o->build_id, profile_object(t->p, object)->build_id) < 0)
			object = i;
	}
	return add_mapping(t, object, &id);
}

static int collect(struct pprof_tables *t)
{
	uint32_t *sorted = profile_sorted_samples(t->p), id;
	int err = sorted ? pprof_tables_string(t, "", &id) : -ENOMEM;

	if (!err)
		err = add_main_mapping(t, sorted);
	for (uint32_t i = 0; !err && i < profile_n_samples(t->p); i++)
		err = add_sample(t, profile_sample(t->p, sorted[i]));
	free(sorted);
	return err;
}

static int allocate(struct pprof_tables *t)
{
	size_t n = profile_n_locations(t->p);

	t->strings = intern_new(0);
	t->mappings = intern_new(sizeof(struct pprof_mapping));
	t->locations = intern_new(sizeof(uint32_t));
	t->functions = intern_new(0);
	t->samples = intern_new(PROFILE_MAX_VALUES * sizeof(uint64_t));
	t->location_of = malloc((n + 1) * sizeof(*t->location_of));
	if (!t->strings || !t->mappings || !t->locations || !t->functions || !t->samples ||
	    !t->location_of)
		return -ENOMEM;
	memset(t->location_of, 0xFF, (n + 1) * sizeof(*t->location_of));
	return 0;
}

int pprof_tables_fill(struct pprof_tables *t, const struct profile *p)
{
	int err;

	t->p = p;
	err = allocate(t);
	return err ? err : collect(t);
}

void pprof_tables_free(struct pprof_tables *t)
{
	intern_free(t->strings);
	intern_free(t->mappings);
	intern_free(t->locations);
	intern_free(t->functions);
	intern_free(t->samples);
	free(t->location_of);
	text_free(&t->text);
}
