/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads captures, which may be damaged or hostile: a slice is bounded in size, decoding it in
 * memory, and every number is checked before it is used.
 */
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

/* Of the file, read at once. */
#define INPUT_SIZE (64U << 10)

/*
 * Decoded, one byte of a packed column becomes at most eight. The decoder needs room for what it
 * scans besides.
 */
#define DECODE_LIMIT ((size_t)CAPTURE_SLICE_LIMIT * 10)

struct reader {
	FILE *in;
	struct profile *p;
	struct intern *strings;
	ZSTD_DCtx *zstd;
	/* The file's bytes that are read and not used yet. */
	uint8_t input[INPUT_SIZE];
	ZSTD_inBuffer have;
	uint64_t read; /* from the file in all */
	/* The slice being read. */
	uint8_t *slice;
	size_t slice_size, slice_room;
};

/* Memory for decoding one slice, up to a limit. */
struct budget {
	size_t left;
	bool out_of_memory; /* the machine's, not the limit's */
};

static void *budget_alloc(void *data, size_t size)
{
	struct budget *b = data;

	void *p;

	if (size > b->left)
		return NULL;
	p = malloc(size);
	if (p)
		b->left -= size;
	else
		b->out_of_memory = true;
	return p;
}

static void budget_free(void *data, void *p)
{
	free(p);
}

/* Reads on when all bytes are used. 1: there are bytes; 0: end of file; -errno. */
static int fill(struct reader *r)
{
	if (r->have.pos < r->have.size)
		return 1;
	errno = 0;
	r->have.pos = 0;
	r->have.size = fread(r->input, 1, sizeof(r->input), r->in);
	r->read += r->have.size;
	if (r->have.size)
		return 1;
	return ferror(r->in) ? (errno ? -errno : -EIO) : 0;
}

/* Reads up to n bytes, fewer only at the end of the file; their number or -errno. */
static int read_bytes(struct reader *r, void *bytes, int n)
{
	int got = 0;

	while (got < n) {
		int more = fill(r);

		if (more < 0)
			return more;
		if (!more)
			break;
		((uint8_t *)bytes)[got++] = r->input[r->have.pos++];
	}
	return got;
}

static int read_header(struct reader *r, struct capture_info *info)
{
	struct {
		uint32_t frame, size;
		char magic[CAPTURE_MAGIC_SIZE];
		uint32_t version;
	} expected = {
		htole32(CAPTURE_SKIPPABLE),
		htole32(CAPTURE_CONTENT_SIZE),
		CAPTURE_MAGIC,
		0,
	}, header;
	int n = read_bytes(r, &header, sizeof(header));
	size_t fixed = CAPTURE_HEADER_SIZE - sizeof(header.version);

	if (n < 0)
		return n;
	if (memcmp(&header, &expected, (size_t)n < fixed ? (size_t)n : fixed) != 0)
		return -EINVAL;
	if (n < (int)sizeof(header))
		return -ENODATA;
	info->version = le32toh(header.version);
	return info->version == CAPTURE_VERSION ? 0 : -EPROTONOSUPPORT;
}

static int slice_grow(struct reader *r)
{
	size_t slice_room = r->slice_room ? r->slice_room * 2 : INPUT_SIZE;
	uint8_t *slice;

	if (slice_room > CAPTURE_SLICE_LIMIT)
		return -EBADMSG;
	slice = realloc(r->slice, slice_room);
	if (!slice)
		return -ENOMEM;
	r->slice = slice;
	r->slice_room = slice_room;
	return 0;
}

/*
 * Decompresses the next frame, whose checksum zstd checks. 1: there is one; 0: the file ends, or
 * what follows is not a whole frame; -EBADMSG: it is too large; -errno.
 */
static int read_frame(struct reader *r)
{
	size_t left = 1;
	int more;

	ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_only);
	r->slice_size = 0;
	while (left != 0) {
		if (r->slice_size == r->slice_room) {
			int err = slice_grow(r);

			if (err)
				return err;
		}
		ZSTD_outBuffer out = { r->slice, r->slice_room, r->slice_size };

		/* With all input used, bytes that did not fit may still be inside zstd. */
		more = fill(r);
		if (more < 0)
			return more;
		left = ZSTD_decompressStream(r->zstd, &out, &r->have);
		if (ZSTD_isError(left))
			return 0;
		if (!more && left && out.pos == r->slice_size)
			return 0;
		r->slice_size = out.pos;
	}
	return 1;
}

/* String number i, or NULL if there is none. */
static const char *string(const struct reader *r, uint32_t i)
{
	return i < intern_count(r->strings) ? intern_key(r->strings, i) : NULL;
}

static int read_strings(struct reader *r, const Slice *m)
{
	const uint8_t *bytes = m->string_bytes.data;
	size_t left = m->string_bytes.len;

	for (size_t i = 0; i < m->n_string_sizes; i++) {
		uint32_t size = m->string_sizes[i], id;
		char *s;
		int err;

		if (size > left || (size && memchr(bytes, 0, size)))
			return -EBADMSG;
		s = size ? strndup((const char *)bytes, size) : strdup("");
		if (!s)
			return -ENOMEM;
		err = intern_add_string(r->strings, s, &id);
		free(s);
		if (err < 0)
			return err;
		if (err == 0)
			return -EBADMSG;
		if (size)
			bytes += size;
		left -= size;
	}
	return left ? -EBADMSG : 0;
}

static int read_types(struct reader *r, const Slice *m)
{
	struct profile_value_type types[PROFILE_MAX_VALUES];
	size_t n = m->n_value_types / 2;

	if (!m->n_value_types)
		return 0;
	if (m->n_value_types % 2 || n > PROFILE_MAX_VALUES)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		types[i].type = string(r, m->value_types[i * 2]);
		types[i].unit = string(r, m->value_types[i * 2 + 1]);
		if (!types[i].type || !types[i].unit)
			return -EBADMSG;
	}
	return profile_set_types(r->p, types, n);
}

static int read_objects(struct reader *r, const Slice *m)
{
	size_t n = m->n_object_kind;

	if (m->n_object_path != n || m->n_object_build_id != n || m->n_object_device != n ||
	    m->n_object_inode != n || m->n_object_unopened != n || m->n_object_start != n ||
	    m->n_object_limit != n || m->n_object_file_offset != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_object o = { .kind = m->object_kind[i],
					    .path = string(r, m->object_path[i]),
					    .build_id = string(r, m->object_build_id[i]),
					    .device = m->object_device[i],
					    .inode = m->object_inode[i],
					    .unopened = m->object_unopened[i],
					    .start = m->object_start[i],
					    .limit = m->object_limit[i],
					    .file_offset = m->object_file_offset[i] };
		uint32_t next = profile_n_objects(r->p), id;
		int err;

		if (m->object_kind[i] > PROFILE_OBJECT_KERNEL || !o.path || !o.build_id)
			return -EBADMSG;
		err = profile_add_object(r->p, &o, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_functions(struct reader *r, const Slice *m)
{
	size_t n = m->n_function_name;

	if (m->n_function_system_name != n || m->n_function_file != n ||
	    m->n_function_start_line != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_function f = { .name = string(r, m->function_name[i]),
					      .system_name = string(r, m->function_system_name[i]),
					      .file = string(r, m->function_file[i]),
					      .start_line = m->function_start_line[i] };
		uint32_t next = profile_n_functions(r->p), id;
		int err;

		if (!f.name || !f.system_name || !f.file)
			return -EBADMSG;
		err = profile_add_function(r->p, &f, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_locations(struct reader *r, const Slice *m)
{
	size_t n = m->n_location_object;

	if (m->n_location_flags != n || m->n_location_address != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		uint32_t object = m->location_object[i];
		uint32_t next = profile_n_locations(r->p), id;
		int err;

		err = profile_add_location(r->p, object ? object - 1 : PROFILE_NONE,
					   m->location_flags[i], m->location_address[i], &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_names(struct reader *r, const Slice *m)
{
	size_t left = m->n_line_function, used = 0;

	if (m->n_named_n_lines != m->n_named_location || m->n_line_line != left ||
	    m->n_line_column != left)
		return -EBADMSG;
	for (size_t i = 0; i < m->n_named_location; i++) {
		uint32_t n = m->named_n_lines[i];
		struct profile_line *lines;
		int err;

		if (n > left)
			return -EBADMSG;
		lines = calloc(n + (size_t)1, sizeof(*lines));
		if (!lines)
			return -ENOMEM;
		for (uint32_t j = 0; j < n; j++)
			lines[j] = (struct profile_line){ m->line_function[used + j],
							  m->line_line[used + j],
							  m->line_column[used + j] };
		err = profile_set_lines(r->p, m->named_location[i], lines, n);
		free(lines);
		if (err)
			return err;
		used += n;
		left -= n;
	}
	return left ? -EBADMSG : 0;
}

static int read_process(struct reader *r, uint32_t id, const struct profile_process *process)
{
	uint32_t next = profile_n_processes(r->p), added;
	int err;

	if (!process->name || !process->exe)
		return -EBADMSG;
	if (id < next)
		return profile_set_process(r->p, id, process);
	err = profile_add_process(r->p, process, &added);
	if (err)
		return err;
	return id == next && added == next ? 0 : -EBADMSG;
}

static int read_processes(struct reader *r, const Slice *m)
{
	size_t n = m->n_process_id;

	if (m->n_process_pid != n || m->n_process_parent_pid != n || m->n_process_start_ns != n ||
	    m->n_process_epoch != n || m->n_process_name != n || m->n_process_exe != n ||
	    m->n_process_begin_ns != n || m->n_process_end_ns != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_process process = { .pid = m->process_pid[i],
						   .parent_pid = m->process_parent_pid[i],
						   .start_ns = m->process_start_ns[i],
						   .epoch = m->process_epoch[i],
						   .name = string(r, m->process_name[i]),
						   .exe = string(r, m->process_exe[i]),
						   .begin_ns = m->process_begin_ns[i],
						   .end_ns = m->process_end_ns[i] };
		int err = read_process(r, m->process_id[i], &process);

		if (err)
			return err;
	}
	return 0;
}

static int read_threads(struct reader *r, const Slice *m)
{
	size_t n = m->n_thread_process;

	if (m->n_thread_tid != n || m->n_thread_name != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_thread t = { .process = m->thread_process[i],
					    .tid = m->thread_tid[i],
					    .name = string(r, m->thread_name[i]) };
		uint32_t next = profile_n_threads(r->p), id;
		int err;

		if (!t.name)
			return -EBADMSG;
		err = profile_add_thread(r->p, &t, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_stacks(struct reader *r, const Slice *m)
{
	size_t left = m->n_stack_frames;
	const uint32_t *frames = m->stack_frames;

	for (size_t i = 0; i < m->n_stack_n_frames; i++) {
		uint32_t n = m->stack_n_frames[i];
		uint32_t next = profile_n_stacks(r->p), id;
		int err;

		if (n > left)
			return -EBADMSG;
		err = profile_add_stack(r->p, frames, n, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
		left -= n;
		if (n)
			frames += n;
	}
	return left ? -EBADMSG : 0;
}

static int read_samples(struct reader *r, const Slice *m)
{
	size_t n = m->n_sample_thread;
	unsigned int n_types = profile_n_types(r->p);

	if (m->n_sample_stack != n || m->n_sample_values != n * n_types)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		int err = profile_add_sample(r->p, m->sample_thread[i], m->sample_stack[i],
					     &m->sample_values[i * n_types]);

		if (err)
			return err;
	}
	return 0;
}

/* Copies counts of which a newer version may have more; those must be 0 to be left out. */
static int read_counts(uint64_t *counts, size_t n, const uint64_t *column, size_t n_column)
{
	for (size_t i = 0; i < n_column; i++) {
		if (i < n)
			counts[i] = column[i];
		else if (column[i])
			return -EPROTONOSUPPORT;
	}
	return 0;
}

static int read_accounting(struct reader *r, const Profbpf__Capture__Accounting *m)
{
	struct profile_accounting a;
	int err;

	if (!m)
		return 0;
	a = (struct profile_accounting){
		.requested = m->requested,
		.recorded = m->recorded,
		.coalesced = m->coalesced,
		.other = m->other,
		.idle = m->idle,
		.truncated_stacks = m->truncated_stacks,
		.lost_records = m->lost_records,
		.lost_events = m->lost_events,
		.unopened_objects = m->unopened_objects,
		.unmapped_frames = m->unmapped_frames,
	};
	err = read_counts(a.dropped, PROFILE_N_DROPS, m->dropped, m->n_dropped);
	if (!err)
		err = read_counts(a.ends, PROFILE_N_ENDS, m->ends, m->n_ends);
	if (!err)
		profile_set_accounting(r->p, &a);
	return err;
}

static int read_config(struct reader *r, const Profbpf__Capture__Config *m)
{
	struct profile_config c;

	if (!m)
		return 0;
	c = (struct profile_config){
		.period_ns = m->period_ns,
		.time_ns = m->time_ns,
		.duration_ns = m->duration_ns,
		.target = string(r, m->target),
		.host = string(r, m->host),
		.kernel = string(r, m->kernel),
		.arch = string(r, m->arch),
		.version = string(r, m->version),
		.notes = string(r, m->notes),
	};
	if (!c.target || !c.host || !c.kernel || !c.arch || !c.version || !c.notes)
		return -EBADMSG;
	return profile_set_config(r->p, &c);
}

/* Adds a slice to the profile. Whatever does not fit together is a damaged message. */
static int read_tables(struct reader *r, const Slice *m)
{
	int err = read_strings(r, m);

	if (!err)
		err = read_types(r, m);
	if (!err)
		err = read_objects(r, m);
	if (!err)
		err = read_functions(r, m);
	if (!err)
		err = read_locations(r, m);
	if (!err)
		err = read_names(r, m);
	if (!err)
		err = read_processes(r, m);
	if (!err)
		err = read_threads(r, m);
	if (!err)
		err = read_stacks(r, m);
	if (!err)
		err = read_samples(r, m);
	if (!err)
		err = read_accounting(r, m->accounting);
	if (!err)
		err = read_config(r, m->config);
	return err == -EINVAL || err == -EOVERFLOW ? -EBADMSG : err;
}

static int read_slice(struct reader *r, struct capture_info *info)
{
	struct budget budget = { .left = DECODE_LIMIT };
	ProtobufCAllocator allocator = { budget_alloc, budget_free, &budget };
	Slice *m = profbpf__capture__slice__unpack(&allocator, r->slice_size, r->slice);
	int err;

	if (!m)
		return budget.out_of_memory ? -ENOMEM : -EBADMSG;
	err = read_tables(r, m);
	if (!err) {
		info->slices++;
		info->complete = m->end;
	}
	profbpf__capture__slice__free_unpacked(m, &allocator);
	return err;
}

/* Reads whole slices up to the end of the recording or of the file. */
static int read_slices(struct reader *r, struct capture_info *info)
{
	uint64_t whole = r->read - (r->have.size - r->have.pos);
	int more;

	while (!info->complete) {
		int err;

		more = read_frame(r);
		if (more <= 0)
			break;
		/* A frame without content, such as a skippable one, is no slice. */
		err = r->slice_size ? read_slice(r, info) : 0;
		if (err)
			return err;
		whole = r->read - (r->have.size - r->have.pos);
	}
	if (!info->complete && more < 0)
		return more;
	do {
		r->have.pos = r->have.size;
		more = fill(r);
	} while (more > 0);
	info->ignored_bytes = r->read - whole;
	if (more < 0)
		return more;
	return info->slices ? 0 : -ENODATA;
}

int capture_read(FILE *in, struct profile **p, struct capture_info *info)
{
	struct reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	*info = (struct capture_info){ 0 };
	if (!r)
		return -ENOMEM;
	r->in = in;
	r->have.src = r->input;
	r->p = profile_new();
	r->strings = intern_new(0);
	r->zstd = ZSTD_createDCtx();
	if (!r->p || !r->strings || !r->zstd)
		goto out;
	if (ZSTD_isError(ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, CAPTURE_WINDOW_LOG)))
		goto out;
	err = read_header(r, info);
	if (!err)
		err = read_slices(r, info);
	if (!err) {
		*p = r->p;
		r->p = NULL;
	}
out:
	ZSTD_freeDCtx(r->zstd);
	intern_free(r->strings);
	profile_free(r->p);
	free(r->slice);
	free(r);
	return err;
}
