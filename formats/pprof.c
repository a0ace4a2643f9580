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
#include "formats/pprof_tables.h"
#include "formats/writers.h"
#include "pprof.pb-c.h"

typedef Profbpf__Pprof__Profile Message;

#define GZIP_LEVEL 5

struct writer {
	struct pprof_tables tables;
	z_stream gzip;
	FILE *out;
	uint8_t *piece;
	size_t piece_room;
};

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
	struct profile_value_type t = profile_type(w->tables.p, i);
	uint32_t id;
	int err = pprof_tables_string(&w->tables, t.type, &id);

	profbpf__pprof__value_type__init(type);
	type->type = id;
	if (!err)
		err = pprof_tables_string(&w->tables, t.unit, &id);
	type->unit = id;
	return err;
}

static int write_types(struct writer *w)
{
	Profbpf__Pprof__ValueType types[PROFILE_MAX_VALUES], *pointers[PROFILE_MAX_VALUES];
	const struct profile_config *c = profile_config(w->tables.p);
	unsigned int n = profile_n_types(w->tables.p);
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

static int write_comment(struct writer *w, const char *s)
{
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	uint32_t id;
	int64_t comment;
	int err = pprof_tables_string(&w->tables, s, &id);

	if (err)
		return err;
	comment = id;
	m.n_comment = 1;
	m.comment = &comment;
	return write_piece(w, &m);
}

/* Each line of s as a comment. */
static int write_lines(struct writer *w, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		char *line = strndup(s, n);
		int err = line ? 0 : -ENOMEM;

		if (!err && n)
			err = write_comment(w, line);
		free(line);
		if (err)
			return err;
		s += n + (s[n] == '\n');
	}
	return 0;
}

static int write_comments(struct writer *w)
{
	const struct profile_config *c = profile_config(w->tables.p);
	struct text t = { 0 };
	char *about;
	int err;

	if (asprintf(&about, "profbpf %s: %s, on %s, %s %s", c->version, c->target, c->host,
		     c->kernel, c->arch) < 0)
		return -ENOMEM;
	err = write_comment(w, about);
	free(about);
	if (!err)
		err = accounting_text(profile_accounting(w->tables.p), &t);
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
	const struct pprof_labels *l = intern_key(w->tables.samples, id);
	const uint32_t *locations = (const uint32_t *)(l + 1);
	size_t n = (intern_key_size(w->tables.samples, id) - sizeof(*l)) / sizeof(*locations);
	const uint64_t *values = intern_record(w->tables.samples, id);
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
	for (unsigned int i = 0; i < profile_n_types(w->tables.p); i++)
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
	s.n_value = profile_n_types(w->tables.p);
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
	int err = pprof_tables_string(&w->tables, "thread", &thread);

	if (!err)
		err = pprof_tables_string(&w->tables, "thread_id", &tid);
	if (!err)
		err = pprof_tables_string(&w->tables, "process", &process);
	if (!err)
		err = pprof_tables_string(&w->tables, "pid", &pid);
	for (uint32_t i = 0; !err && i < intern_count(w->tables.samples); i++)
		err = write_sample(w, i, thread, tid, process, pid);
	return err;
}

static int write_mapping(struct writer *w, uint32_t id)
{
	uint32_t object = *(const uint32_t *)intern_key(w->tables.mappings, id);
	/* Nobody can name code without a file afterwards: a viewer must not try. */
	bool symbolized =
		object == MAPPING_NO_FILE ||
		((const struct pprof_mapping *)intern_record(w->tables.mappings, id))->named;
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
		none.path = w->tables.main_binary;
	else if (object != MAPPING_NO_FILE)
		o = profile_object(w->tables.p, object);
	err = pprof_tables_string(&w->tables, o->path, &filename);
	if (!err)
		err = pprof_tables_string(&w->tables, o->build_id, &build_id);
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
	int err = intern_add(w->tables.functions, &function, sizeof(function), &id);

	if (err < 0)
		return err;
	*number = id + 1;
	return 0;
}

static int write_location(struct writer *w, uint32_t id)
{
	const struct pprof_location *key = intern_key(w->tables.locations, id);
	const struct profile_location *l =
		profile_location(w->tables.p, *(uint32_t *)intern_record(w->tables.locations, id));
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
	uint32_t function = *(const uint32_t *)intern_key(w->tables.functions, id);
	const struct profile_function *f =
		function == PROFILE_NONE ? &marker : profile_function(w->tables.p, function);
	Profbpf__Pprof__Function mf = PROFBPF__PPROF__FUNCTION__INIT, *pointer = &mf;
	Message m = PROFBPF__PPROF__PROFILE__INIT;
	uint32_t name, system_name, file;
	int err = pprof_tables_string(&w->tables, f->name, &name);

	if (!err)
		err = pprof_tables_string(&w->tables, *f->system_name ? f->system_name : f->name,
					  &system_name);
	if (!err)
		err = pprof_tables_string(&w->tables, f->file, &file);
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
	char *s = (char *)intern_key(w->tables.strings, id);

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
		err = write_each(w, w->tables.mappings, write_mapping);
	if (!err)
		err = write_each(w, w->tables.locations, write_location);
	if (!err)
		err = write_each(w, w->tables.functions, write_function);
	/* Last: the others add to it. */
	if (!err)
		err = write_each(w, w->tables.strings, write_string);
	if (!err)
		err = write_bytes(w, NULL, 0, Z_FINISH);
	errno = 0;
	if (!err && fflush(w->out) != 0)
		err = errno ? -errno : -EIO;
	return err;
}

int pprof_write(const struct profile *p, FILE *out)
{
	struct writer w = { .out = out };
	int err = pprof_tables_fill(&w.tables, p);

	/* 16 more than the window's size asks for the gzip format. */
	if (!err && deflateInit2(&w.gzip, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8,
				 Z_DEFAULT_STRATEGY) != Z_OK)
		err = -ENOMEM;
	if (!err)
		err = write_profile(&w);
	deflateEnd(&w.gzip);
	pprof_tables_free(&w.tables);
	free(w.piece);
	return err;
}
