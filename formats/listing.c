/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/intern.h"
#include "formats/listing.h"
#include "formats/values.h"

#define NONE UINT32_MAX

/* Strings are interned by the profile: equal ones are the same pointer. */
struct function_key {
	const char *name, *system_name;
	uint32_t object, start_line;
};

struct row_key {
	const char *file;
	uint64_t address;
	uint32_t function, line;
};

struct listing {
	const struct profile *p;
	enum listing_by by;
	bool *meant; /* by function of the profile */
	struct intern *functions; /* record: struct listing_function */
	struct intern *rows; /* record: struct listing_row */
	struct listing_function *sorted;
	struct listing_row *sorted_rows;
	uint32_t n;
};

/* The rows of the profile's locations: of line i of location l it is of[first[l] + i], or NONE. */
struct places {
	uint32_t *first, *of;
	uint32_t *row_seen, *function_seen; /* the last sample that had it, plus 1 */
};

/* Marks the functions that the name stands for. */
static void find_functions(struct listing *l, const char *name)
{
	uint32_t found = 0, n = profile_n_functions(l->p);

	for (uint32_t i = 0; i < n; i++) {
		const struct profile_function *f = profile_function(l->p, i);

		l->meant[i] = strcmp(f->name, name) == 0 || strcmp(f->system_name, name) == 0;
		found += l->meant[i];
	}
	for (uint32_t i = 0; !found && i < n; i++)
		l->meant[i] = strstr(profile_function(l->p, i)->name, name);
}

static int add_function(struct listing *l, const struct profile_function *f, uint32_t object,
			uint32_t *id)
{
	const struct function_key key = { f->name, f->system_name, object, f->start_line };
	int err = intern_add(l->functions, &key, sizeof(key), id);

	if (err > 0)
		*(struct listing_function *)intern_record(l->functions, *id) =
			(struct listing_function){ .name = f->name,
						   .system_name = f->system_name,
						   .object = object,
						   .start_line = f->start_line };
	return err < 0 ? err : 0;
}

static int add_row(struct listing *l, const struct profile_location *location, uint32_t i,
		   uint32_t *row)
{
	const struct profile_line *line = &location->lines[i];
	const struct profile_function *f = profile_function(l->p, line->function);
	struct row_key key = { .file = f->file };
	int err;

	*row = NONE;
	if (!l->meant[line->function])
		return 0;
	if (l->by == LISTING_ADDRESSES && i + 1 < location->n_lines)
		return 0;
	if (l->by == LISTING_ADDRESSES)
		key = (struct row_key){ .address = location->address };
	else
		key.line = line->line;
	err = add_function(l, f, location->object, &key.function);
	if (err)
		return err;
	err = intern_add(l->rows, &key, sizeof(key), row);
	if (err > 0)
		*(struct listing_row *)intern_record(l->rows, *row) = (struct listing_row){
			.file = key.file, .line = key.line, .address = key.address
		};
	return err < 0 ? err : 0;
}

static int find_places(struct listing *l, struct places *places)
{
	uint32_t n = profile_n_locations(l->p);
	size_t used = 0;
	int err = 0;

	places->first = calloc(n + (size_t)1, sizeof(*places->first));
	if (!places->first)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		places->first[i] = used;
		used += profile_location(l->p, i)->n_lines;
	}
	places->first[n] = used;
	places->of = calloc(used + 1, sizeof(*places->of));
	if (!places->of)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct profile_location *location = profile_location(l->p, i);

		for (uint32_t j = 0; !err && j < location->n_lines; j++)
			err = add_row(l, location, j, &places->of[places->first[i] + j]);
	}
	places->row_seen = calloc(intern_count(l->rows) + (size_t)1, sizeof(uint32_t));
	places->function_seen = calloc(intern_count(l->functions) + (size_t)1, sizeof(uint32_t));
	return err ? err : places->row_seen && places->function_seen ? 0 : -ENOMEM;
}

/* own: the row is what the sample was in. */
static void count_row(struct listing *l, struct places *places, uint32_t row, uint32_t stamp,
		      bool own, const uint64_t *values)
{
	const struct row_key *key = intern_key(l->rows, row);
	struct listing_row *r = intern_record(l->rows, row);
	struct listing_function *f = intern_record(l->functions, key->function);

	if (own) {
		values_add(r->self, values);
		values_add(f->self, values);
	}
	if (places->row_seen[row] != stamp)
		values_add(r->cumulative, values);
	if (places->function_seen[key->function] != stamp)
		values_add(f->cumulative, values);
	places->row_seen[row] = stamp;
	places->function_seen[key->function] = stamp;
}

static void count_sample(struct listing *l, struct places *places, uint32_t i)
{
	const struct profile_sample *s = profile_sample(l->p, i);
	struct profile_stack stack = profile_stack(l->p, s->stack);

	for (uint32_t j = 0; j < stack.n; j++) {
		uint32_t first = places->first[stack.locations[j]];
		uint32_t n = places->first[stack.locations[j] + 1] - first;

		for (uint32_t k = 0; k < n; k++) {
			bool own = j == 0 && (k == 0 || l->by == LISTING_ADDRESSES);

			if (places->of[first + k] != NONE)
				count_row(l, places, places->of[first + k], i + 1, own, s->values);
		}
	}
}

static int count_all(struct listing *l)
{
	struct places places = { 0 };
	int err = find_places(l, &places);

	for (uint32_t i = 0; !err && i < profile_n_samples(l->p); i++)
		count_sample(l, &places, i);
	free(places.first);
	free(places.of);
	free(places.row_seen);
	free(places.function_seen);
	return err;
}

static const char *object_path(const struct listing *l, uint32_t object)
{
	return object == PROFILE_NONE ? "" : profile_object(l->p, object)->path;
}

static const char *object_build_id(const struct listing *l, uint32_t object)
{
	return object == PROFILE_NONE ? "" : profile_object(l->p, object)->build_id;
}

static int compare_functions(const void *a, const void *b, void *listing)
{
	const struct listing *l = listing;
	const struct listing_function *x = a, *y = b;
	unsigned int value = profile_n_types(l->p) ? profile_n_types(l->p) - 1 : 0;
	int c = compare_u64(y->cumulative[value], x->cumulative[value]);

	if (!c)
		c = compare_u64(y->self[value], x->self[value]);
	if (!c)
		c = strcmp(x->name, y->name);
	if (!c)
		c = strcmp(x->system_name, y->system_name);
	if (!c)
		c = strcmp(object_path(l, x->object), object_path(l, y->object));
	if (!c)
		c = strcmp(object_build_id(l, x->object), object_build_id(l, y->object));
	return c ? c : compare_u64(x->start_line, y->start_line);
}

static int compare_rows(const void *a, const void *b)
{
	const struct listing_row *x = a, *y = b;
	int c = x->file && y->file ? strcmp(x->file, y->file) : 0;

	if (!c)
		c = compare_u64(x->line, y->line);
	return c ? c : compare_u64(x->address, y->address);
}

/* Puts the rows of each function together, and functions and rows in order. */
static int sort(struct listing *l)
{
	uint32_t n_rows = intern_count(l->rows), *at;
	uint32_t used = 0;

	l->n = intern_count(l->functions);
	l->sorted = calloc(l->n + (size_t)1, sizeof(*l->sorted));
	l->sorted_rows = calloc(n_rows + (size_t)1, sizeof(*l->sorted_rows));
	at = calloc(l->n + (size_t)1, sizeof(*at));
	if (!l->sorted || !l->sorted_rows || !at) {
		free(at);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < l->n; i++)
		l->sorted[i] = *(const struct listing_function *)intern_record(l->functions, i);
	for (uint32_t i = 0; i < n_rows; i++)
		l->sorted[((const struct row_key *)intern_key(l->rows, i))->function].n_rows++;
	for (uint32_t i = 0; i < l->n; i++) {
		at[i] = used;
		l->sorted[i].rows = l->sorted_rows + used;
		used += l->sorted[i].n_rows;
	}
	for (uint32_t i = 0; i < n_rows; i++) {
		const struct row_key *key = intern_key(l->rows, i);

		l->sorted_rows[at[key->function]++] =
			*(const struct listing_row *)intern_record(l->rows, i);
	}
	used = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		qsort(l->sorted_rows + used, l->sorted[i].n_rows, sizeof(*l->sorted_rows),
		      compare_rows);
		used += l->sorted[i].n_rows;
	}
	free(at);
	qsort_r(l->sorted, l->n, sizeof(*l->sorted), compare_functions, l);
	return 0;
}

/* Those that no sample has, which are not worth a listing, are last. */
static void drop_empty(struct listing *l)
{
	while (l->n && !l->sorted[l->n - 1].cumulative[0])
		l->n--;
}

int listing_new(const struct profile *p, const char *name, enum listing_by by,
		struct listing **listing)
{
	struct listing *l = calloc(1, sizeof(*l));
	int err = -ENOMEM;

	if (!l)
		return -ENOMEM;
	l->p = p;
	l->by = by;
	l->meant = calloc(profile_n_functions(p) + (size_t)1, sizeof(*l->meant));
	l->functions = intern_new(sizeof(struct listing_function));
	l->rows = intern_new(sizeof(struct listing_row));
	if (!l->meant || !l->functions || !l->rows)
		goto fail;
	find_functions(l, name);
	err = count_all(l);
	if (!err)
		err = sort(l);
	if (err)
		goto fail;
	drop_empty(l);
	err = l->n ? 0 : -ENOENT;
	if (err)
		goto fail;
	*listing = l;
	return 0;
fail:
	listing_free(l);
	return err;
}

void listing_free(struct listing *l)
{
	if (!l)
		return;
	intern_free(l->functions);
	intern_free(l->rows);
	free(l->meant);
	free(l->sorted);
	free(l->sorted_rows);
	free(l);
}

uint32_t listing_count(const struct listing *l)
{
	return l->n;
}

const struct listing_function *listing_function(const struct listing *l, uint32_t i)
{
	return &l->sorted[i];
}
