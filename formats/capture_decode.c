/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/capture_decode.h"
#include "formats/intern.h"
#include "formats/profile.h"

typedef Profbpf__Capture__Slice Slice;

struct decoder {
	struct profile *p;
	struct intern *strings;
};

/* String number i, or NULL if there is none. */
static const char *string(const struct decoder *d, uint32_t i)
{
	return i < intern_count(d->strings) ? intern_key(d->strings, i) : NULL;
}

static int read_strings(struct decoder *d, const Slice *m)
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
		err = intern_add_string(d->strings, s, &id);
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

static int read_types(struct decoder *d, const Slice *m)
{
	struct profile_value_type types[PROFILE_MAX_VALUES];
	size_t n = m->n_value_types / 2;

	if (!m->n_value_types)
		return 0;
	if (m->n_value_types % 2 || n > PROFILE_MAX_VALUES)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		types[i].type = string(d, m->value_types[i * 2]);
		types[i].unit = string(d, m->value_types[i * 2 + 1]);
		if (!types[i].type || !types[i].unit)
			return -EBADMSG;
	}
	return profile_set_types(d->p, types, n);
}

static int read_objects(struct decoder *d, const Slice *m)
{
	size_t n = m->n_object_kind;

	if (m->n_object_path != n || m->n_object_build_id != n || m->n_object_device != n ||
	    m->n_object_inode != n || m->n_object_unopened != n || m->n_object_start != n ||
	    m->n_object_limit != n || m->n_object_file_offset != n ||
	    (m->n_object_modified_ns && m->n_object_modified_ns != n))
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_object o = { .kind = m->object_kind[i],
					    .path = string(d, m->object_path[i]),
					    .build_id = string(d, m->object_build_id[i]),
					    .device = m->object_device[i],
					    .inode = m->object_inode[i],
					    .unopened = m->object_unopened[i],
					    .start = m->object_start[i],
					    .limit = m->object_limit[i],
					    .file_offset = m->object_file_offset[i],
					    .modified_ns = m->n_object_modified_ns
								   ? m->object_modified_ns[i]
								   : 0 };
		uint32_t next = profile_n_objects(d->p), id;
		int err;

		if (m->object_kind[i] > PROFILE_OBJECT_KERNEL || !o.path || !o.build_id)
			return -EBADMSG;
		err = profile_add_object(d->p, &o, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_functions(struct decoder *d, const Slice *m)
{
	size_t n = m->n_function_name;

	if (m->n_function_system_name != n || m->n_function_file != n ||
	    m->n_function_start_line != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_function f = { .name = string(d, m->function_name[i]),
					      .system_name = string(d, m->function_system_name[i]),
					      .file = string(d, m->function_file[i]),
					      .start_line = m->function_start_line[i] };
		uint32_t next = profile_n_functions(d->p), id;
		int err;

		if (!f.name || !f.system_name || !f.file)
			return -EBADMSG;
		err = profile_add_function(d->p, &f, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_locations(struct decoder *d, const Slice *m)
{
	size_t n = m->n_location_object;

	if (m->n_location_flags != n || m->n_location_address != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		uint32_t object = m->location_object[i];
		uint32_t next = profile_n_locations(d->p), id;
		int err;

		err = profile_add_location(d->p, object ? object - 1 : PROFILE_NONE,
					   m->location_flags[i], m->location_address[i], &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_names(struct decoder *d, const Slice *m)
{
	size_t left = m->n_line_function, used = 0;

	if (m->n_named_n_lines != m->n_named_location || m->n_line_line != left ||
	    m->n_line_column != left ||
	    (m->n_line_discriminator && m->n_line_discriminator != left))
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
			lines[j] = (struct profile_line){
				.function = m->line_function[used + j],
				.line = m->line_line[used + j],
				.column = m->line_column[used + j],
				.discriminator = m->n_line_discriminator
							 ? m->line_discriminator[used + j]
							 : 0,
			};
		err = profile_set_lines(d->p, m->named_location[i], lines, n);
		free(lines);
		if (err)
			return err;
		used += n;
		left -= n;
	}
	return left ? -EBADMSG : 0;
}

static int read_sources(struct decoder *d, const Slice *m)
{
	size_t n = m->n_source_object;

	if (m->n_source_file != n || m->n_source_md5 != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_source s = { .object = m->source_object[i],
					    .file = string(d, m->source_file[i]),
					    .md5 = string(d, m->source_md5[i]) };
		uint32_t next = profile_n_sources(d->p), id;
		int err;

		if (!s.file || !s.md5)
			return -EBADMSG;
		err = profile_add_source(d->p, &s, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_process(struct decoder *d, uint32_t id, const struct profile_process *process)
{
	uint32_t next = profile_n_processes(d->p), added;
	int err;

	if (!process->name || !process->exe)
		return -EBADMSG;
	if (id < next)
		return profile_set_process(d->p, id, process);
	err = profile_add_process(d->p, process, &added);
	if (err)
		return err;
	return id == next && added == next ? 0 : -EBADMSG;
}

static int read_processes(struct decoder *d, const Slice *m)
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
						   .name = string(d, m->process_name[i]),
						   .exe = string(d, m->process_exe[i]),
						   .begin_ns = m->process_begin_ns[i],
						   .end_ns = m->process_end_ns[i] };
		int err = read_process(d, m->process_id[i], &process);

		if (err)
			return err;
	}
	return 0;
}

static int read_threads(struct decoder *d, const Slice *m)
{
	size_t n = m->n_thread_process;

	if (m->n_thread_tid != n || m->n_thread_name != n)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		struct profile_thread t = { .process = m->thread_process[i],
					    .tid = m->thread_tid[i],
					    .name = string(d, m->thread_name[i]) };
		uint32_t next = profile_n_threads(d->p), id;
		int err;

		if (!t.name)
			return -EBADMSG;
		err = profile_add_thread(d->p, &t, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
	}
	return 0;
}

static int read_stacks(struct decoder *d, const Slice *m)
{
	size_t left = m->n_stack_frames;
	const uint32_t *frames = m->stack_frames;

	if (m->n_stack_end && m->n_stack_end != m->n_stack_n_frames)
		return -EBADMSG;
	for (size_t i = 0; i < m->n_stack_n_frames; i++) {
		uint32_t n = m->stack_n_frames[i];
		uint32_t next = profile_n_stacks(d->p), id;
		int err;

		if (n > left)
			return -EBADMSG;
		err = profile_add_stack(d->p, frames, n,
					m->n_stack_end ? m->stack_end[i] : PROFILE_END_ROOT, &id);
		if (err || id != next)
			return err ? err : -EBADMSG;
		left -= n;
		if (n)
			frames += n;
	}
	return left ? -EBADMSG : 0;
}

static int read_samples(struct decoder *d, const Slice *m)
{
	size_t n = m->n_sample_thread;
	unsigned int n_types = profile_n_types(d->p);

	if (m->n_sample_stack != n || m->n_sample_values != n * n_types)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		int err = profile_add_sample(d->p, m->sample_thread[i], m->sample_stack[i],
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

static int read_accounting(struct decoder *d, const Profbpf__Capture__Accounting *m)
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
		.stolen = m->stolen,
		.truncated_stacks = m->truncated_stacks,
		.lost_records = m->lost_records,
		.lost_events = m->lost_events,
		.unopened_objects = m->unopened_objects,
		.unmapped_frames = m->unmapped_frames,
		.early_samples = m->early_samples,
		.has_times = m->has_times,
		.waiting_ticks = m->has_times ? m->waiting_ticks : 0,
		.cpu_ns = m->has_times ? m->cpu_ns : 0,
	};
	err = read_counts(a.dropped, PROFILE_N_DROPS, m->dropped, m->n_dropped);
	if (!err)
		err = read_counts(a.ends, PROFILE_N_ENDS, m->ends, m->n_ends);
	if (!err)
		profile_set_accounting(d->p, &a);
	return err;
}

static int read_config(struct decoder *d, const Profbpf__Capture__Config *m)
{
	struct profile_config c;

	if (!m)
		return 0;
	c = (struct profile_config){
		.period_ns = m->period_ns,
		.time_ns = m->time_ns,
		.duration_ns = m->duration_ns,
		.target = string(d, m->target),
		.host = string(d, m->host),
		.kernel = string(d, m->kernel),
		.arch = string(d, m->arch),
		.version = string(d, m->version),
		.notes = string(d, m->notes),
		.ending = m->ending < PROFILE_N_ENDINGS ? m->ending : PROFILE_LIVES_ON,
		.failed = m->failed,
	};
	if (!c.target || !c.host || !c.kernel || !c.arch || !c.version || !c.notes)
		return -EBADMSG;
	return profile_set_config(d->p, &c);
}

int capture_decode(struct profile *p, struct intern *strings, const Slice *m)
{
	struct decoder decoder = { p, strings }, *d = &decoder;
	int err = read_strings(d, m);

	if (!err)
		err = read_types(d, m);
	if (!err)
		err = read_objects(d, m);
	if (!err)
		err = read_functions(d, m);
	if (!err)
		err = read_locations(d, m);
	if (!err)
		err = read_names(d, m);
	if (!err)
		err = read_sources(d, m);
	if (!err)
		err = read_processes(d, m);
	if (!err)
		err = read_threads(d, m);
	if (!err)
		err = read_stacks(d, m);
	if (!err)
		err = read_samples(d, m);
	if (!err)
		err = read_accounting(d, m->accounting);
	if (!err)
		err = read_config(d, m->config);
	return err == -EINVAL || err == -EOVERFLOW ? -EBADMSG : err;
}
