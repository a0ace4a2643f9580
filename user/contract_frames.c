// SPDX-License-Identifier: BSD-2-Clause
#include "user/contract_frames.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/catalog.h"
#include "formats/intern.h"
#include "formats/profile.h"
#include "symbolize/symbolize.h"
#include "user/project_root.h"
#include "user/qualified.h"

#define NO_NAMESPACE "<root>"
#define UNAVAILABLE_SYMBOL "<unavailable-symbol>"

/* What makes functions of an object one, whatever files their code comes from. */
struct function_key {
	uint32_t name, linkage_name; /* strings */
	uint32_t start_line;
	uint32_t object;
};

struct function {
	uint32_t seen; /* the profile's function that shows it */
	uint32_t source; /* the place that most of its lines are in */
};

/* A function's lines in one file. */
struct place_key {
	uint32_t function, file;
};

struct place {
	uint32_t lines;
};

/* A file that may be shown, by its relative path; another one by its object too. */
struct source_key {
	uint32_t path, object;
};

struct contract_frames {
	const struct profile *profile;
	const struct project_root *root;
	struct catalog *catalog;
	struct intern *strings, *functions, *places, *sources;
	struct contract_range *ranges; /* by location */
	uint32_t n_functions, n_frames; /* records in the catalog */
};

static bool is_kernel(const struct profile *p, const struct profile_location *l)
{
	return (l->flags & PROFILE_LOCATION_KERNEL) ||
	       (l->object != PROFILE_NONE &&
		profile_object(p, l->object)->kind == PROFILE_OBJECT_KERNEL);
}

/* The number of the function that a line of a location is in. */
static int find_function(struct contract_frames *f, const struct profile_location *l, uint32_t line,
			 uint32_t *id)
{
	uint32_t number = l->lines[line].function;
	const struct profile_function *seen = profile_function(f->profile, number);
	struct function_key key = { .start_line = seen->start_line, .object = l->object };
	int err = intern_add_string(f->strings, seen->name, &key.name);

	if (err >= 0)
		err = intern_add_string(f->strings, seen->system_name, &key.linkage_name);
	if (err >= 0)
		err = intern_add(f->functions, &key, sizeof(key), id);
	if (err > 0)
		*(struct function *)intern_record(f->functions, *id) = (struct function){
			.seen = number,
			.source = PROFILE_NONE,
		};
	return err < 0 ? err : 0;
}

static int find_place(struct contract_frames *f, const struct profile_location *l, uint32_t line,
		      uint32_t *function, uint32_t *place)
{
	const struct profile_function *seen = profile_function(f->profile, l->lines[line].function);
	struct place_key key;
	int err = find_function(f, l, line, &key.function);

	if (!err)
		err = intern_add_string(f->strings, seen->file, &key.file);
	if (err >= 0)
		err = intern_add(f->places, &key, sizeof(key), place);
	if (err >= 0)
		*function = key.function;
	return err < 0 ? err : 0;
}

/* A line in another file, by a macro or a generated one, must not decide where a function is. */
static int count_lines(struct contract_frames *f)
{
	int err = 0;

	for (uint32_t i = 0; i < profile_n_locations(f->profile); i++) {
		const struct profile_location *l = profile_location(f->profile, i);

		if (is_kernel(f->profile, l))
			continue;
		for (uint32_t j = 0; j < l->n_lines && !err; j++) {
			uint32_t function, place;

			err = find_place(f, l, j, &function, &place);
			if (!err)
				((struct place *)intern_record(f->places, place))->lines++;
		}
		if (err)
			return err;
	}
	return 0;
}

static void choose_sources(struct contract_frames *f)
{
	for (uint32_t i = 0; i < intern_count(f->places); i++) {
		const struct place_key *key = intern_key(f->places, i);
		struct function *function = intern_record(f->functions, key->function);
		const struct place *place = intern_record(f->places, i), *chosen;

		chosen = function->source == PROFILE_NONE
				 ? NULL
				 : intern_record(f->places, function->source);
		if (!chosen || place->lines > chosen->lines)
			function->source = i;
	}
}

/* The catalog's record of a file. */
static int add_source(struct contract_frames *f, const char *file, uint32_t object, uint32_t *id)
{
	const char *path = project_root_relative(f->root, file);
	struct contract_source source = { .origin = CONTRACT_PROJECT };
	struct source_key key = { .object = path ? PROFILE_NONE : object };
	int err = intern_add_string(f->strings, path ? path : file, &key.path);

	if (err >= 0)
		err = intern_add(f->sources, &key, sizeof(key), id);
	if (err <= 0)
		return err;
	/* An empty path is one that can't be shown. */
	source.path = (struct contract_text){ path ? path : "", path ? strlen(path) : 0 };
	return catalog_add_source(f->catalog, &source);
}

/* The readable name as it would be without --full-names, so that a report has one name for one function. */
static int add_named(struct contract_frames *f, const struct profile_function *seen,
		     struct contract_function *record)
{
	const char *linkage = seen->system_name, *name = seen->name;
	char *plain = NULL;
	size_t end, own;
	int err;

	if (strncmp(linkage, "_Z", 2) == 0 || strncmp(linkage, "_R", 2) == 0)
		plain = demangle(linkage, false);
	if (plain)
		name = plain;
	own = qualified_split(name, linkage, seen->file, &end);
	record->name_space = own ? (struct contract_text){ name, end }
				 : (struct contract_text){ NO_NAMESPACE, strlen(NO_NAMESPACE) };
	record->name = (struct contract_text){ name + own, strlen(name + own) };
	err = catalog_add_function(f->catalog, record);
	free(plain);
	return err;
}

static int add_functions(struct contract_frames *f)
{
	int err = 0;

	for (uint32_t i = 0; i < intern_count(f->functions) && !err; i++) {
		const struct function_key *key = intern_key(f->functions, i);
		const struct function *function = intern_record(f->functions, i);
		const struct place_key *place = intern_key(f->places, function->source);
		struct contract_function record = {
			.declaration = CONTRACT_NO_SPAN,
			.line = key->start_line ? key->start_line : CONTRACT_NO_NUMBER,
			.column = CONTRACT_NO_NUMBER,
		};

		err = add_source(f, intern_key(f->strings, place->file), key->object,
				 &record.source);
		if (err >= 0)
			err = add_named(f, profile_function(f->profile, function->seen), &record);
	}
	f->n_functions = intern_count(f->functions);
	return err;
}

static int add_frame(struct contract_frames *f, uint32_t function, uint32_t line, uint32_t column)
{
	const struct contract_frame frame = {
		.function = function,
		.call_site = CONTRACT_NO_SPAN,
		.line = line ? line : CONTRACT_NO_NUMBER,
		.column = line && column ? column : CONTRACT_NO_NUMBER,
	};
	int err = catalog_add_frame(f->catalog, &frame);

	if (!err)
		f->n_frames++;
	return err;
}

static int add_unnamed(struct contract_frames *f)
{
	const struct contract_function function = {
		.name_space = { NO_NAMESPACE, strlen(NO_NAMESPACE) },
		.name = { UNAVAILABLE_SYMBOL, strlen(UNAVAILABLE_SYMBOL) },
		.source = CONTRACT_NONE,
		.declaration = CONTRACT_NO_SPAN,
		.line = CONTRACT_NO_NUMBER,
		.column = CONTRACT_NO_NUMBER,
	};
	int err = catalog_add_function(f->catalog, &function);

	return err ? err : add_frame(f, f->n_functions++, 0, 0);
}

/* Inlined calls are frames like others. */
static int add_location(struct contract_frames *f, const struct profile_location *l)
{
	int err = l->n_lines == 0 ? add_unnamed(f) : 0;

	for (uint32_t i = l->n_lines; i-- > 0 && !err;) {
		const struct function *function;
		uint32_t id, place;

		err = find_place(f, l, i, &id, &place);
		if (err)
			return err;
		function = intern_record(f->functions, id);
		/* The number of a line in another file would point into the wrong one. */
		if (place == function->source)
			err = add_frame(f, id, l->lines[i].line, l->lines[i].column);
		else
			err = add_frame(f, id, 0, 0);
	}
	return err;
}

static int add_locations(struct contract_frames *f)
{
	uint32_t n = profile_n_locations(f->profile);
	int err = 0;

	f->ranges = calloc((size_t)n + 1, sizeof(*f->ranges));
	if (!f->ranges)
		return -ENOMEM;
	for (uint32_t i = 0; i < n && !err; i++) {
		const struct profile_location *l = profile_location(f->profile, i);

		f->ranges[i].first = f->n_frames;
		if (!is_kernel(f->profile, l))
			err = add_location(f, l);
		f->ranges[i].n = f->n_frames - f->ranges[i].first;
	}
	return err;
}

int contract_frames_new(const struct profile *p, const struct project_root *root,
			struct catalog *catalog, struct contract_frames **frames)
{
	struct contract_frames *f = calloc(1, sizeof(*f));
	int err = -ENOMEM;

	if (!f)
		return -ENOMEM;
	f->profile = p;
	f->root = root;
	f->catalog = catalog;
	f->strings = intern_new(0);
	f->functions = intern_new(sizeof(struct function));
	f->places = intern_new(sizeof(struct place));
	f->sources = intern_new(0);
	if (f->strings && f->functions && f->places && f->sources)
		err = count_lines(f);
	if (!err) {
		choose_sources(f);
		err = add_functions(f);
	}
	if (!err)
		err = add_locations(f);
	if (err) {
		contract_frames_free(f);
		return err;
	}
	*frames = f;
	return 0;
}

void contract_frames_free(struct contract_frames *f)
{
	if (!f)
		return;
	intern_free(f->strings);
	intern_free(f->functions);
	intern_free(f->places);
	intern_free(f->sources);
	free(f->ranges);
	free(f);
}

struct contract_range contract_frames_at(const struct contract_frames *f, uint32_t location)
{
	return f->ranges[location];
}
