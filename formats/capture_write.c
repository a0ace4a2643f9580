/* SPDX-License-Identifier: BSD-2-Clause */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "capture.pb-c.h"
#include "formats/capture.h"
#include "formats/capture_file.h"
#include "formats/intern.h"
#include "formats/profile.h"

typedef Profbpf__Capture__Slice Slice;

/* A level at which writing a slice costs less than gathering it. */
#define LEVEL 3

struct capture_writer {
	const struct profile *p;
	FILE *out;
	ZSTD_CCtx *zstd;
	struct intern *strings; /* those written; their ids are the file's numbers */
	/* How much of the profile's tables has been written. */
	bool types;
	uint32_t objects, functions, locations, sources, processes, threads, stacks;
	/* For each location 1 + the number of lines written, 0 if none were. */
	uint32_t *lines;
	/* Each process as it was written. */
	struct profile_process *process_copies;

	/* The slice being built. */
	Slice *slice;
	size_t size; /* of the message, at most */
	size_t string_room; /* allocated for its strings */
	bool failed; /* out of memory */
};

/* Columns grow by doubling whenever their number is a power of two. */
static void put32(struct capture_writer *w, uint32_t **column, size_t *n, uint32_t value)
{
	if (!(*n & (*n - 1))) {
		uint32_t *grown = reallocarray(*column, *n ? *n * 2 : 1, sizeof(value));

		if (!grown) {
			w->failed = true;
			return;
		}
		*column = grown;
	}
	(*column)[(*n)++] = value;
	w->size += 5;
}

static void put64(struct capture_writer *w, uint64_t **column, size_t *n, uint64_t value)
{
	if (!(*n & (*n - 1))) {
		uint64_t *grown = reallocarray(*column, *n ? *n * 2 : 1, sizeof(value));

		if (!grown) {
			w->failed = true;
			return;
		}
		*column = grown;
	}
	(*column)[(*n)++] = value;
	w->size += 10;
}

#define PUT32(w, field, value) put32(w, &(w)->slice->field, &(w)->slice->n_##field, value)
#define PUT64(w, field, value) put64(w, &(w)->slice->field, &(w)->slice->n_##field, value)

/* The file's number of a string; a new one goes into this slice. */
static uint32_t put_string(struct capture_writer *w, const char *s)
{
	ProtobufCBinaryData *bytes = &w->slice->string_bytes;
	size_t length = strlen(s);
	uint32_t id;
	int err = intern_add_string(w->strings, s, &id);

	if (err < 0) {
		w->failed = true;
		return 0;
	}
	if (err == 0)
		return id;
	PUT32(w, string_sizes, length);
	if (bytes->len + length > w->string_room) {
		size_t string_room = (bytes->len + length) * 2;
		uint8_t *grown = realloc(bytes->data, string_room);

		if (!grown) {
			w->failed = true;
			return 0;
		}
		bytes->data = grown;
		w->string_room = string_room;
	}
	if (length)
		memcpy(bytes->data + bytes->len, s, length);
	bytes->len += length;
	w->size += length;
	return id;
}

static void put_object(struct capture_writer *w, uint32_t id)
{
	const struct profile_object *o = profile_object(w->p, id);

	PUT32(w, object_kind, o->kind);
	PUT32(w, object_path, put_string(w, o->path));
	PUT32(w, object_build_id, put_string(w, o->build_id));
	PUT64(w, object_device, o->device);
	PUT64(w, object_inode, o->inode);
	PUT32(w, object_unopened, o->unopened);
	PUT64(w, object_start, o->start);
	PUT64(w, object_limit, o->limit);
	PUT64(w, object_file_offset, o->file_offset);
	PUT64(w, object_modified_ns, o->modified_ns);
}

static void put_function(struct capture_writer *w, uint32_t id)
{
	const struct profile_function *f = profile_function(w->p, id);

	PUT32(w, function_name, put_string(w, f->name));
	PUT32(w, function_system_name, put_string(w, f->system_name));
	PUT32(w, function_file, put_string(w, f->file));
	PUT32(w, function_start_line, f->start_line);
}

static void put_location(struct capture_writer *w, uint32_t id)
{
	const struct profile_location *l = profile_location(w->p, id);

	PUT32(w, location_object, l->object == PROFILE_NONE ? 0 : l->object + 1);
	PUT32(w, location_flags, l->flags);
	PUT64(w, location_address, l->address);
}

static void put_source(struct capture_writer *w, uint32_t id)
{
	const struct profile_source *s = profile_source(w->p, id);

	PUT32(w, source_object, s->object);
	PUT32(w, source_file, put_string(w, s->file));
	PUT32(w, source_md5, put_string(w, s->md5));
}

static void put_lines(struct capture_writer *w, uint32_t id)
{
	const struct profile_location *l = profile_location(w->p, id);

	PUT32(w, named_location, id);
	PUT32(w, named_n_lines, l->n_lines);
	for (uint32_t i = 0; i < l->n_lines; i++) {
		PUT32(w, line_function, l->lines[i].function);
		PUT32(w, line_line, l->lines[i].line);
		PUT32(w, line_column, l->lines[i].column);
		PUT32(w, line_discriminator, l->lines[i].discriminator);
	}
}

static void put_process(struct capture_writer *w, uint32_t id)
{
	const struct profile_process *process = profile_process(w->p, id);

	PUT32(w, process_id, id);
	PUT32(w, process_pid, process->pid);
	PUT32(w, process_parent_pid, process->parent_pid);
	PUT64(w, process_start_ns, process->start_ns);
	PUT64(w, process_epoch, process->epoch);
	PUT32(w, process_name, put_string(w, process->name));
	PUT32(w, process_exe, put_string(w, process->exe));
	PUT64(w, process_begin_ns, process->begin_ns);
	PUT64(w, process_end_ns, process->end_ns);
}

static void put_thread(struct capture_writer *w, uint32_t id)
{
	const struct profile_thread *t = profile_thread(w->p, id);

	PUT32(w, thread_process, t->process);
	PUT32(w, thread_tid, t->tid);
	PUT32(w, thread_name, put_string(w, t->name));
}

static void put_stack(struct capture_writer *w, uint32_t id)
{
	struct profile_stack stack = profile_stack(w->p, id);

	PUT32(w, stack_n_frames, stack.n);
	PUT32(w, stack_end, stack.end);
	for (uint32_t i = 0; i < stack.n; i++)
		PUT32(w, stack_frames, stack.locations[i]);
}

static void put_sample(struct capture_writer *w, const struct capture_sample *s)
{
	PUT32(w, sample_thread, s->thread);
	PUT32(w, sample_stack, s->stack);
	for (unsigned int i = 0; i < profile_n_types(w->p); i++)
		PUT64(w, sample_values, s->values[i]);
}

static bool room(const struct capture_writer *w)
{
	return !w->failed && w->size < CAPTURE_SLICE_SIZE;
}

/* Appends from one table what is new, as far as the slice has room; true when all is written. */
static bool put_table(struct capture_writer *w, uint32_t *written, uint32_t n,
		      void (*put)(struct capture_writer *w, uint32_t id))
{
	for (; *written < n && room(w); (*written)++)
		put(w, *written);
	return *written == n;
}

/* Appends the names that were set since they were last written. */
static bool put_names(struct capture_writer *w)
{
	for (uint32_t i = 0; i < w->locations; i++) {
		const struct profile_location *l = profile_location(w->p, i);
		uint32_t lines = l->symbolized ? l->n_lines + 1 : 0;

		if (lines == w->lines[i])
			continue;
		if (!room(w))
			return false;
		put_lines(w, i);
		w->lines[i] = lines;
	}
	return true;
}

static bool process_changed(const struct profile_process *a, const struct profile_process *b)
{
	/* Names are interned by the profile: equal ones are the same pointer. */
	return a->parent_pid != b->parent_pid || a->name != b->name || a->exe != b->exe ||
	       a->begin_ns != b->begin_ns || a->end_ns != b->end_ns;
}

static bool put_processes(struct capture_writer *w)
{
	for (uint32_t i = 0; i < profile_n_processes(w->p); i++) {
		const struct profile_process *process = profile_process(w->p, i);

		if (i < w->processes && !process_changed(&w->process_copies[i], process))
			continue;
		if (!room(w))
			return false;
		put_process(w, i);
		w->process_copies[i] = *process;
		if (i == w->processes)
			w->processes++;
	}
	return true;
}

static void put_types(struct capture_writer *w)
{
	if (w->types)
		return;
	for (unsigned int i = 0; i < profile_n_types(w->p); i++) {
		struct profile_value_type t = profile_type(w->p, i);

		PUT32(w, value_types, put_string(w, t.type));
		PUT32(w, value_types, put_string(w, t.unit));
		w->types = true;
	}
}

static void put_accounting(struct capture_writer *w)
{
	const struct profile_accounting *a = profile_accounting(w->p);
	Profbpf__Capture__Accounting *m = malloc(sizeof(*m));

	if (!m) {
		w->failed = true;
		return;
	}
	profbpf__capture__accounting__init(m);
	w->slice->accounting = m;
	m->requested = a->requested;
	m->recorded = a->recorded;
	m->coalesced = a->coalesced;
	for (unsigned int i = 0; i < PROFILE_N_DROPS; i++)
		put64(w, &m->dropped, &m->n_dropped, a->dropped[i]);
	m->other = a->other;
	m->idle = a->idle;
	m->stolen = a->stolen;
	for (unsigned int i = 0; i < PROFILE_N_ENDS; i++)
		put64(w, &m->ends, &m->n_ends, a->ends[i]);
	m->truncated_stacks = a->truncated_stacks;
	m->lost_records = a->lost_records;
	m->lost_events = a->lost_events;
	m->unopened_objects = a->unopened_objects;
	m->unmapped_frames = a->unmapped_frames;
	m->early_samples = a->early_samples;
	m->has_times = a->has_times;
	m->waiting_ticks = a->waiting_ticks;
	m->cpu_ns = a->cpu_ns;
}

static void put_config(struct capture_writer *w)
{
	const struct profile_config *c = profile_config(w->p);
	Profbpf__Capture__Config *m = malloc(sizeof(*m));

	if (!m) {
		w->failed = true;
		return;
	}
	profbpf__capture__config__init(m);
	w->slice->config = m;
	m->period_ns = c->period_ns;
	m->time_ns = c->time_ns;
	m->duration_ns = c->duration_ns;
	m->target = put_string(w, c->target);
	m->host = put_string(w, c->host);
	m->kernel = put_string(w, c->kernel);
	m->arch = put_string(w, c->arch);
	m->version = put_string(w, c->version);
	m->notes = put_string(w, c->notes);
	m->ending = c->ending;
	m->failed = c->failed;
}

static int write_bytes(FILE *out, const void *bytes, size_t n)
{
	errno = 0;
	if (fwrite(bytes, 1, n, out) != n)
		return errno ? -errno : -EIO;
	return 0;
}

/* Writes the slice as one zstd frame. */
static int write_slice(struct capture_writer *w)
{
	size_t size = profbpf__capture__slice__get_packed_size(w->slice);
	size_t bound = ZSTD_compressBound(size), compressed;
	uint8_t *message = malloc(size + 1), *frame = malloc(bound);
	int err = -ENOMEM;

	if (!message || !frame)
		goto out;
	profbpf__capture__slice__pack(w->slice, message);
	compressed = ZSTD_compress2(w->zstd, frame, bound, message, size);
	if (ZSTD_isError(compressed))
		goto out;
	err = write_bytes(w->out, frame, compressed);
out:
	free(message);
	free(frame);
	return err;
}

/* Room to remember what was written of each location and process. */
static int remember(struct capture_writer *w)
{
	size_t locations = profile_n_locations(w->p), processes = profile_n_processes(w->p);
	uint32_t *lines = reallocarray(w->lines, locations + 1, sizeof(*lines));
	struct profile_process *copies;

	if (!lines)
		return -ENOMEM;
	w->lines = lines;
	memset(lines + w->locations, 0, (locations - w->locations) * sizeof(*lines));
	copies = reallocarray(w->process_copies, processes + 1, sizeof(*copies));
	if (!copies)
		return -ENOMEM;
	w->process_copies = copies;
	return 0;
}

static bool put_samples(struct capture_writer *w, const struct capture_sample *samples, size_t n,
			size_t *written)
{
	for (; *written < n && room(w); (*written)++)
		put_sample(w, &samples[*written]);
	return *written == n;
}

/* Fills a slice with what is new; true when nothing is left for another. */
static bool put_news(struct capture_writer *w, const struct capture_sample *samples, size_t n,
		     size_t *written)
{
	const struct profile *p = w->p;

	/* In the order in which one refers to another, so that a slice never refers to a later. */
	put_types(w);
	return put_table(w, &w->objects, profile_n_objects(p), put_object) &&
	       put_table(w, &w->functions, profile_n_functions(p), put_function) &&
	       put_table(w, &w->locations, profile_n_locations(p), put_location) && put_names(w) &&
	       put_table(w, &w->sources, profile_n_sources(p), put_source) && put_processes(w) &&
	       put_table(w, &w->threads, profile_n_threads(p), put_thread) &&
	       put_table(w, &w->stacks, profile_n_stacks(p), put_stack) &&
	       put_samples(w, samples, n, written);
}

static int append(struct capture_writer *w, uint64_t start_ns, uint64_t end_ns,
		  const struct capture_sample *samples, size_t n, bool end)
{
	size_t written = 0;
	bool done = false;
	int err = remember(w);

	while (!err && !done) {
		w->slice = malloc(sizeof(*w->slice));
		if (!w->slice)
			return -ENOMEM;
		profbpf__capture__slice__init(w->slice);
		w->size = 0;
		w->string_room = 0;
		w->failed = false;
		w->slice->start_ns = start_ns;
		w->slice->end_ns = end_ns;
		done = put_news(w, samples, n, &written);
		put_accounting(w);
		put_config(w);
		w->slice->end = end && done;
		err = w->failed ? -ENOMEM : write_slice(w);
		profbpf__capture__slice__free_unpacked(w->slice, NULL);
		w->slice = NULL;
	}
	errno = 0;
	if (!err && fflush(w->out) != 0)
		err = errno ? -errno : -EIO;
	return err;
}

static int write_header(FILE *out)
{
	struct {
		uint32_t frame, size;
		char magic[CAPTURE_MAGIC_SIZE];
		uint32_t version;
	} header = {
		htole32(CAPTURE_SKIPPABLE),
		htole32(CAPTURE_CONTENT_SIZE),
		CAPTURE_MAGIC,
		htole32(CAPTURE_VERSION),
	};

	_Static_assert(sizeof(header) == CAPTURE_HEADER_SIZE, "no padding");
	return write_bytes(out, &header, sizeof(header));
}

int capture_writer_new(const struct profile *p, FILE *out, struct capture_writer **writer)
{
	struct capture_writer *w = calloc(1, sizeof(*w));
	int err = -ENOMEM;

	if (!w)
		return -ENOMEM;
	w->p = p;
	w->out = out;
	w->zstd = ZSTD_createCCtx();
	w->strings = intern_new(0);
	if (!w->zstd || !w->strings)
		goto fail;
	if (ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1)))
		goto fail;
	err = write_header(out);
	if (err)
		goto fail;
	*writer = w;
	return 0;
fail:
	capture_writer_free(w);
	return err;
}

void capture_writer_free(struct capture_writer *w)
{
	if (!w)
		return;
	ZSTD_freeCCtx(w->zstd);
	intern_free(w->strings);
	free(w->lines);
	free(w->process_copies);
	free(w);
}

int capture_writer_slice(struct capture_writer *w, uint64_t start_ns, uint64_t end_ns,
			 const struct capture_sample *samples, size_t n)
{
	return append(w, start_ns, end_ns, samples, n, false);
}

int capture_writer_end(struct capture_writer *w)
{
	return append(w, 0, 0, NULL, 0, true);
}

int capture_write(const struct profile *p, FILE *out)
{
	uint32_t n = profile_n_samples(p);
	struct capture_sample *samples = calloc(n + (size_t)1, sizeof(*samples));
	struct capture_writer *w = NULL;
	int err = -ENOMEM;

	if (!samples)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct profile_sample *s = profile_sample(p, i);

		samples[i].thread = s->thread;
		samples[i].stack = s->stack;
		memcpy(samples[i].values, s->values, sizeof(s->values));
	}
	err = capture_writer_new(p, out, &w);
	if (!err)
		err = capture_writer_slice(w, 0, profile_config(p)->duration_ns, samples, n);
	if (!err)
		err = capture_writer_end(w);
	capture_writer_free(w);
	free(samples);
	return err;
}
