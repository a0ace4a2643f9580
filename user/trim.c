// SPDX-License-Identifier: BSD-2-Clause
#include "user/trim.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/profile.h"

static bool is_deeper(const struct profile *p, unsigned int depth)
{
	for (uint32_t i = 0; i < profile_n_stacks(p); i++) {
		if (profile_stack(p, i).n > depth)
			return true;
	}
	return false;
}

static int copy_head(struct profile *to, const struct profile *p)
{
	struct profile_value_type types[PROFILE_MAX_VALUES];
	unsigned int n = profile_n_types(p);
	int err;

	for (unsigned int i = 0; i < n; i++)
		types[i] = profile_type(p, i);
	err = n > 0 ? profile_set_types(to, types, n) : 0;
	if (err == 0)
		err = profile_set_config(to, profile_config(p));
	if (err == 0)
		profile_set_accounting(to, profile_accounting(p));
	return err;
}

static int copy_code(struct profile *to, const struct profile *p)
{
	uint32_t id;
	int err = 0;

	for (uint32_t i = 0; i < profile_n_objects(p) && err == 0; i++)
		err = profile_add_object(to, profile_object(p, i), &id);
	for (uint32_t i = 0; i < profile_n_functions(p) && err == 0; i++)
		err = profile_add_function(to, profile_function(p, i), &id);
	for (uint32_t i = 0; i < profile_n_sources(p) && err == 0; i++)
		err = profile_add_source(to, profile_source(p, i), &id);
	for (uint32_t i = 0; i < profile_n_locations(p) && err == 0; i++) {
		const struct profile_location *l = profile_location(p, i);

		err = profile_add_location(to, l->object, l->flags, l->address, &id);
		if (err == 0 && l->symbolized)
			err = profile_set_lines(to, id, l->lines, l->n_lines);
	}
	return err;
}

/* Copies all but stacks and samples. Ids are dense and in order of addition, so all stay the same. */
static int copy_tables(struct profile *to, const struct profile *p)
{
	uint32_t id;
	int err = copy_head(to, p);

	if (err == 0)
		err = copy_code(to, p);
	for (uint32_t i = 0; i < profile_n_processes(p) && err == 0; i++)
		err = profile_add_process(to, profile_process(p, i), &id);
	for (uint32_t i = 0; i < profile_n_threads(p) && err == 0; i++)
		err = profile_add_thread(to, profile_thread(p, i), &id);
	return err;
}

static int add_trimmed(struct profile *to, const struct profile *p, unsigned int depth,
		       uint32_t *locations)
{
	uint32_t marker, stack;
	int err = profile_add_location(to, PROFILE_NONE, PROFILE_LOCATION_TRUNCATED, 0, &marker);

	for (uint32_t i = 0; i < profile_n_samples(p) && err == 0; i++) {
		const struct profile_sample *sample = profile_sample(p, i);
		struct profile_stack full = profile_stack(p, sample->stack);
		uint32_t n = full.n;

		if (n <= depth) {
			err = profile_add_stack(to, full.locations, n, full.end, &stack);
		} else {
			memcpy(locations, full.locations, (depth - 1) * sizeof(*locations));
			locations[depth - 1] = marker;
			err = profile_add_stack(to, locations, depth, full.end, &stack);
		}
		if (err == 0)
			err = profile_add_sample(to, sample->thread, stack, sample->values);
	}
	return err;
}

int profile_trim(const struct profile *p, unsigned int depth, struct profile **trimmed)
{
	struct profile *to;
	uint32_t *locations;
	int err = -ENOMEM;

	if (depth == 0 || !is_deeper(p, depth))
		return 0;
	to = profile_new();
	locations = calloc(depth, sizeof(*locations));
	if (!to || !locations)
		goto fail;
	err = copy_tables(to, p);
	if (err == 0)
		err = add_trimmed(to, p, depth, locations);
	if (err < 0)
		goto fail;
	free(locations);
	*trimmed = to;
	return 0;
fail:
	free(locations);
	profile_free(to);
	return err;
}
