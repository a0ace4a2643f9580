/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pprof's profile.proto, gzip-compressed. The message is written in pieces, a repeated element at a
 * time: the pieces of a protobuf message, end to end, are the message.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "formats/accounting.h"
#include "formats/intern.h"
#include "formats/profile.h"
#include "formats/text.h"
#include "formats/writers.h"
#include "pprof.pb-c.h"

typedef Profbpf__Pprof__Profile Message;

/* Ids of mappings that stand for no object of the profile. */
#define MAPPING_NO_FILE (PROFILE_NONE - 0)
#define MAPPING_KERNEL (PROFILE_NONE - 1)
#define MAPPING_MAIN (PROFILE_NONE - 2)

#define GZIP_LEVEL 5

/* Where pprof's numbers are one more than ours: they begin at 1. */
struct writer {
	const struct profile *p;
	struct intern *strings;
	struct intern *mappings; /* key: an object's id or MAPPING_…; record: struct mapping */
	struct intern *locations; /* key: struct location_key; record: an id in the profile */
	struct intern *functions; /* key: an id in the profile, or PROFILE_NONE: the marker */
	struct intern *samples; /* key: struct labels and location ids; record: the values */
	uint32_t *location_of; /* from the profile's ids */
	const char *main_binary; /* its path if it is no object */

	z_stream gzip;
	FILE *out;
	uint8_t *piece;
	size_t piece_room;
	struct text text;
};

struct mapping {
	bool symbolized;
};

/* Locations reached by different ways are one place. */
struct location_key {
	uint32_t mapping, marker;
	uint64_t address;
};

struct labels {
	uint32_t thread, tid, process, pid; /* names as strings */
};

static int add_string(struct writer *w, const char *s, uint32_t *id)
{
	int err;

	text_clear(&w->text);
	err = text_add_clean(&w->text, s);
	if (!err)
		err = intern_add_string(w->strings, w->text.s, id);
	return err < 0 ? err : 0;
}

static int add_mapping(struct writer *w, uint32_t object, uint32_t *id)
{
	int err = intern_add(w->mappings, &object, sizeof(object), id);

	return err < 0 ? err : 0;
}

static int add_function(struct writer *w, uint32_t function)
{
	uint32_t id;
	int err = intern_add(w->functions, &function, sizeof(function), &id);

	return err < 0 ? err : 0;
}

static int add_location(struct writer *w, uint32_t location)
{
	const struct profile_location *l = profile_location(w->p, location);
	struct location_key key = { .marker = l->flags & PROFILE_LOCATION_TRUNCATED,
				    .address = l->address };
	uint32_t object = l->object, *named;
	struct mapping *mapping;
	int err;

	if (w->location_of[location] != PROFILE_NONE)
		return 0;
	if (object == PROFILE_NONE)
		object = l->flags & PROFILE_LOCATION_KERNEL ? MAPPING_KERNEL : MAPPING_NO_FILE;
	err = add_mapping(w, object, &key.mapping);
	if (err)
		return err;
	mapping = intern_record(w->mappings, key.mapping);
	mapping->symbolized = mapping->symbolized || l->n_lines;
	err = intern_add(w->locations, &key, sizeof(key), &w->location_of[location]);
	if (err < 0)
		return err;
	named = intern_record(w->locations, w->location_of[location]);
	if (err > 0 || l->n_lines)
		*named = location;
	for (uint32_t i = 0; i < l->n_lines; i++) {
		err = add_function(w, l->lines[i].function);
		if (err)
			return err;
	}
	return key.marker && !l->n_lines ? add_function(w, PROFILE_NONE) : 0;
}

static int add_sample(struct writer *w, const struct profile_sample *s)
{
	const struct profile_thread *t = profile_thread(w->p, s->thread);
	const struct profile_process *process = profile_process(w->p, t->process);
	struct profile_stack stack = profile_stack(w->p, s->stack);
	struct labels labels = { .tid = t->tid, .pid = process->pid };
	size_t size = sizeof(labels) + stack.n * sizeof(uint32_t);
	uint32_t *key = malloc(size), id;
	uint64_t *values;
	int err = -ENOMEM;

	if (!key)
		return err;
	/* A label whose string is "" would be read as the number 0. */
	err = add_string(w, *t->name ? t->name : "[unknown]", &labels.thread);
	if (!err)
		err = add_string(w, *process->name ? process->name : "[unknown]", &labels.process);
	memcpy(key, &labels, sizeof(labels));
	for (uint32_t i = 0; !err && i < stack.n; i++) {
		err = add_location(w, stack.locations[i]);
		key[sizeof(labels) / sizeof(*key) + i] = w->location_of[stack.locations[i]];
	}
	if (!err)
		err = intern_add(w->samples, key, size, &id);
	free(key);
	if (err < 0)
		return err;
	values = intern_record(w->samples, id);
	for (unsigned int i = 0; i < profile_n_types(w->p); i++)
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
static int add_main_mapping(struct writer *w, const uint32_t *sorted)
{
	uint32_t process, object = MAPPING_MAIN, id;
	int err = busiest_process(w->p, sorted, &process);

	if (err)
		return err;
	w->main_binary = "[unknown]";
	if (process != PROFILE_NONE) {
		const struct profile_process *main = profile_process(w->p, process);

		if (*main->exe || *main->name)
			w->main_binary = *main->exe ? main->exe : main->name;
	}
	for (uint32_t i = 0; i < profile_n_objects(w->p); i++) {
		const struct profile_object *o = profile_object(w->p, i);

		if (o->kind != PROFILE_OBJECT_FILE || strcmp(o->path, w->main_binary) != 0)
			continue;
		if (object == MAPPING_MAIN ||
		    strcmp(o->build_id, profile_object(w->p, object)->build_id) < 0)
			object = i;
	}
	return add_mapping(w, object, &id);
}

static int collect(struct writer *w)
{
	uint32_t *sorted = profile_sorted_samples(w->p), id;
	int err = sorted ? add_string(w, "", &id) : -ENOMEM;

	if (!err)
		err = add_main_mapping(w, sorted);
	for (uint32_t i = 0; !err && i < profile_n_samples(w->p); i++)
		err = add_sample(w, profile_sample(w->p, sorted[i]));
	free(sorted);
	return err;
}

/* Compresses n bytes and writes what comes out. flush is Z_NO_FLUSH or, at the end, Z_FINISH. */
static int write_bytes(struct writer *w, uint8_t *bytes, size_t n, int flush)
{
	uint8_t out[16 << 10];

	if (n > UINT32_MAX)
		return -EOVERFLOW;
	w->gzip.next_in = bytes;
	w->gzip.avail_in = n;
	do {
		size_t ready;

		w->gzip.next_out = out;
		w->gzip.avail_out = sizeof(out);
		if (deflate(&w->gzip, flush) == Z_STREAM_ERROR)
			return -EINVAL;
		ready = sizeof(out) - w->gzip.avail_out;
		errno = 0;
		if (fwrite(out, 1, ready, w->out) != ready)
			return errno ? -errno : -EIO;
	} while (w->gzip.avail_out == 0);
	return 0;
}

static int write_piece(struct writer *w, const Message *m)
{
	size_t n = profbpf__pprof__profile__get_packed_size(m);

	if (n > w->piece_room) {
		uint8_t *piece = realloc(w->piece, n * 2);

		if (!piece)
			return -ENOMEM;
		w->piece = piece;
		w->piece_room = n * 2;
	}
	profbpf__pprof__profile__pack(m, w->piece);
	return write_bytes(w, w->piece, n, Z_NO_FLUSH);
}

static int make_type(struct writer *w, unsigned int i, Profbpf__Pprof__ValueType *type)
{
	struct profile_value_type t = profile_type(w->p, i);
	uint32_t id;
	int err = add_string(w, t.type, &id);

	profbpf__pprof__value_type__init(type);
	type->type = id;
	if (!err)
		err = add_string(w, t.unit, &id);
	type->unit = id;
	return err;
}

static int write_types(struct writer *w)
{
	Profbpf__Pprof__ValueType types[PROFILE_MAX_VALUES], *pointers[PROFILE_MAX_VALUES];
	const struct profile_config *c = profile_config(w->p);
	unsigned int n = profile_n_types(w->p);
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	int err = 0;

	for (unsigned int i = 0; !err && i < n; i++) {
		err = make_type(w, i, &types[i]);
		pointers[i] = &types[i];
	}
	if (err)
		return err;
	if (n) {
		m.n_sample_type = n;
		m.sample_type = pointers;
		m.period_type = &types[n - 1];
		m.default_sample_type = types[n - 1].type;
	}
	m.period = c->period_ns;
	m.time_nanos = c->time_ns;
	m.duration_nanos = c->duration_ns ? c->duration_ns : 1;
	return write_piece(w, &m);
}

/* Each line of s as a comment. */
static int write_lines(struct writer *w, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		char *line = strndup(s, n);
		Message m = PROFBPF__PPROF__PROFILE__INIT;
		uint32_t id;
		int64_t comment;
		int err = line ? add_string(w, line, &id) : -ENOMEM;

		free(line);
		if (err)
			return err;
		comment = id;
		m.n_comment = 1;
		m.comment = &comment;
		err = n ? write_piece(w, &m) : 0;
		if (err)
			return err;
		s += n + (s[n] == '\n');
	}
	return 0;
}

static int write_comments(struct writer *w)
{
	const struct profile_config *c = profile_config(w->p);
	struct text t = { 0 };
	char *about;
	int err;

	if (asprintf(&about, "profbpf %s: %s, on %s, %s %s\n", c->version, c->target, c->host,
		     c->kernel, c->arch) < 0)
		return -ENOMEM;
	err = write_lines(w, about);
	free(about);
	if (!err)
		err = accounting_text(profile_accounting(w->p), &t);
	if (!err)
		err = write_lines(w, t.s);
	if (!err)
		err = write_lines(w, c->notes);
	text_free(&t);
	return err;
}

static int write_sample(struct writer *w, uint32_t id, uint32_t thread_key, uint32_t tid_key,
			uint32_t process_key, uint32_t pid_key)
{
	const struct labels *l = intern_key(w->samples, id);
	const uint32_t *locations = (const uint32_t *)(l + 1);
	size_t n = (intern_key_size(w->samples, id) - sizeof(*l)) / sizeof(*locations);
	const uint64_t *values = intern_record(w->samples, id);
	uint64_t *location_ids = malloc((n + 1) * sizeof(*location_ids));
	int64_t signed_values[PROFILE_MAX_VALUES];
	Profbpf__Pprof__Label labels[4], *pointers[4];
	Profbpf__Pprof__Sample s = PROFBPF__PPROF__SAMPLE__INIT, *sample = &s;
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	int err;

	if (!location_ids)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		location_ids[i] = locations[i] + 1;
	for (unsigned int i = 0; i < profile_n_types(w->p); i++)
		signed_values[i] = values[i];
	for (size_t i = 0; i < 4; i++) {
		profbpf__pprof__label__init(&labels[i]);
		pointers[i] = &labels[i];
	}
	labels[0].key = thread_key;
	labels[0].str = l->thread;
	labels[1].key = tid_key;
	labels[1].num = l->tid;
	labels[2].key = process_key;
	labels[2].str = l->process;
	labels[3].key = pid_key;
	labels[3].num = l->pid;
	s.n_location_id = n;
	s.location_id = location_ids;
	s.n_value = profile_n_types(w->p);
	s.value = signed_values;
	s.n_label = 4;
	s.label = pointers;
	m.n_sample = 1;
	m.sample = &sample;
	err = write_piece(w, &m);
	free(location_ids);
	return err;
}

static int write_samples(struct writer *w)
{
	uint32_t thread, tid, process, pid;
	int err = add_string(w, "thread", &thread);

	if (!err)
		err = add_string(w, "thread_id", &tid);
	if (!err)
		err = add_string(w, "process", &process);
	if (!err)
		err = add_string(w, "pid", &pid);
	for (uint32_t i = 0; !err && i < intern_count(w->samples); i++)
		err = write_sample(w, i, thread, tid, process, pid);
	return err;
}

static int write_mapping(struct writer *w, uint32_t id)
{
	uint32_t object = *(const uint32_t *)intern_key(w->mappings, id);
	/* Nobody can name code without a file afterwards: a viewer must not try. */
	bool symbolized = object == MAPPING_NO_FILE ||
			  ((const struct mapping *)intern_record(w->mappings, id))->symbolized;
	Profbpf__Pprof__Mapping mm = PROFBPF__PPROF__MAPPING__INIT, *pointer = &mm;
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	/* perf's name for code without a file. */
	struct profile_object none = { .path = "//anon", .build_id = "" };
	const struct profile_object *o = &none;
	uint32_t filename, build_id;
	int err;

	if (object == MAPPING_KERNEL)
		none.path = "[kernel]";
	else if (object == MAPPING_MAIN)
		none.path = w->main_binary;
	else if (object != MAPPING_NO_FILE)
		o = profile_object(w->p, object);
	err = add_string(w, o->path, &filename);
	if (!err)
		err = add_string(w, o->build_id, &build_id);
	if (err)
		return err;
	mm.id = id + 1;
	mm.memory_start = o->start;
	mm.memory_limit = o->limit;
	mm.file_offset = o->file_offset;
	mm.filename = filename;
	mm.build_id = build_id;
	mm.has_functions = symbolized;
	mm.has_filenames = symbolized;
	mm.has_line_numbers = symbolized;
	mm.has_inline_frames = symbolized;
	m.n_mapping = 1;
	m.mapping = &pointer;
	return write_piece(w, &m);
}

/* pprof's id of a function that was added before. */
static int function_id(struct writer *w, uint32_t function, uint64_t *number)
{
	uint32_t id;
	int err = intern_add(w->functions, &function, sizeof(function), &id);

	if (err < 0)
		return err;
	*number = id + 1;
	return 0;
}

static int write_location(struct writer *w, uint32_t id)
{
	const struct location_key *key = intern_key(w->locations, id);
	const struct profile_location *l =
		profile_location(w->p, *(uint32_t *)intern_record(w->locations, id));
	uint32_t n = !l->n_lines && key->marker ? 1 : l->n_lines;
	Profbpf__Pprof__Location ml = PROFBPF__PPROF__LOCATION__INIT, *pointer = &ml;
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	Profbpf__Pprof__Line *lines = calloc(n + (size_t)1, sizeof(*lines));
	Profbpf__Pprof__Line **pointers = calloc(n + (size_t)1, sizeof(*pointers));
	int err = lines && pointers ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < n; i++) {
		profbpf__pprof__line__init(&lines[i]);
		pointers[i] = &lines[i];
		if (i < l->n_lines) {
			lines[i].line = l->lines[i].line;
			lines[i].column = l->lines[i].column;
		}
		err = function_id(w, i < l->n_lines ? l->lines[i].function : PROFILE_NONE,
				  &lines[i].function_id);
	}
	if (!err) {
		ml.id = id + 1;
		ml.mapping_id = key->mapping + 1;
		ml.address = key->address;
		ml.n_line = n;
		ml.line = pointers;
		m.n_location = 1;
		m.location = &pointer;
		err = write_piece(w, &m);
	}
	free(lines);
	free(pointers);
	return err;
}

static int write_function(struct writer *w, uint32_t id)
{
	/* Google's pprof takes what is in <> out of a name unless the system name differs. */
	static const struct profile_function marker = { .name = "<truncated-stack>",
							.system_name = "truncated_stack",
							.file = "" };
	uint32_t function = *(const uint32_t *)intern_key(w->functions, id);
	const struct profile_function *f =
		function == PROFILE_NONE ? &marker : profile_function(w->p, function);
	Profbpf__Pprof__Function mf = PROFBPF__PPROF__FUNCTION__INIT, *pointer = &mf;
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	uint32_t name, system_name, file;
	int err = add_string(w, f->name, &name);

	if (!err)
		err = add_string(w, *f->system_name ? f->system_name : f->name, &system_name);
	if (!err)
		err = add_string(w, f->file, &file);
	if (err)
		return err;
	mf.id = id + 1;
	mf.name = name;
	mf.system_name = system_name;
	mf.filename = file;
	mf.start_line = f->start_line;
	m.n_function = 1;
	m.function = &pointer;
	return write_piece(w, &m);
}

static int write_string(struct writer *w, uint32_t id)
{
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	char *s = (char *)intern_key(w->strings, id);

	m.n_string_table = 1;
	m.string_table = &s;
	return write_piece(w, &m);
}

static int write_each(struct writer *w, const struct intern *table,
		      int (*write)(struct writer *w, uint32_t id))
{
	int err = 0;

	for (uint32_t i = 0; !err && i < intern_count(table); i++)
		err = write(w, i);
	return err;
}

static int write_profile(struct writer *w)
{
	int err = write_types(w);

	if (!err)
		err = write_comments(w);
	if (!err)
		err = write_samples(w);
	if (!err)
		err = write_each(w, w->mappings, write_mapping);
	if (!err)
		err = write_each(w, w->locations, write_location);
	if (!err)
		err = write_each(w, w->functions, write_function);
	/* Last: the others add to it. */
	if (!err)
		err = write_each(w, w->strings, write_string);
	if (!err)
		err = write_bytes(w, NULL, 0, Z_FINISH);
	errno = 0;
	if (!err && fflush(w->out) != 0)
		err = errno ? -errno : -EIO;
	return err;
}

static int allocate(struct writer *w)
{
	size_t n = profile_n_locations(w->p);

	w->strings = intern_new(0);
	w->mappings = intern_new(sizeof(struct mapping));
	w->locations = intern_new(sizeof(uint32_t));
	w->functions = intern_new(0);
	w->samples = intern_new(PROFILE_MAX_VALUES * sizeof(uint64_t));
	w->location_of = malloc((n + 1) * sizeof(*w->location_of));
	if (!w->strings || !w->mappings || !w->locations || !w->functions || !w->samples ||
	    !w->location_of)
		return -ENOMEM;
	memset(w->location_of, 0xFF, (n + 1) * sizeof(*w->location_of));
	/* 16 more than the window's size asks for the gzip format. */
	if (deflateInit2(&w->gzip, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY))
		return -ENOMEM;
	return 0;
}

int pprof_write(const struct profile *p, FILE *out)
{
	struct writer w = { .p = p, .out = out };
	int err = allocate(&w);

	if (!err)
		err = collect(&w);
	if (!err)
		err = write_profile(&w);
	deflateEnd(&w.gzip);
	intern_free(w.strings);
	intern_free(w.mappings);
	intern_free(w.locations);
	intern_free(w.functions);
	intern_free(w.samples);
	free(w.location_of);
	free(w.piece);
	text_free(&w.text);
	return err;
}
