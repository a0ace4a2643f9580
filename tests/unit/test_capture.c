/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Captures written and read back, taken apart with libzstd and protobuf-c, cut off, damaged, and made
 * by hand to be hostile.
 */
#include <errno.h>

#include <zstd.h>

#include "build_profile.h"
#include "capture.pb-c.h"
#include "formats/capture.h"
#include "formats/writers.h"

typedef Profbpf__Capture__Slice Slice;

#define HEADER_SIZE 20

static int read_bytes(const void *bytes, size_t n, struct profile **p, struct capture_info *info)
{
	/* fmemopen refuses an empty buffer. */
	FILE *in = n ? fmemopen((void *)bytes, n, "r") : fopen("/dev/null", "r");
	int err;

	assert_non_null(in);
	err = capture_read(in, p, info);
	fclose(in);
	return err;
}

/* The place behind whole frame number i (from 1) after the header, by libzstd's own account. */
static size_t frame_end(const struct written *w, unsigned int i)
{
	size_t at = 0;

	for (unsigned int k = 0; k <= i; k++) {
		size_t n = ZSTD_findFrameCompressedSize(w->bytes + at, w->n - at);

		assert_false(ZSTD_isError(n));
		at += n;
	}
	return at;
}

static Slice *slice_of(const struct written *w, unsigned int i)
{
	static uint8_t bytes[1 << 20];
	size_t from = frame_end(w, i - 1), n;
	Slice *m;

	n = ZSTD_decompress(bytes, sizeof(bytes), w->bytes + from, frame_end(w, i) - from);
	assert_false(ZSTD_isError(n));
	m = profbpf__capture__slice__unpack(NULL, n, bytes);
	assert_non_null(m);
	return m;
}

static void free_slice(Slice *m)
{
	profbpf__capture__slice__free_unpacked(m, NULL);
}

/* All that the model holds, table by table. */
static void assert_same(const struct profile *a, const struct profile *b)
{
	struct written x = { 0 }, y = { 0 };

	assert_int_equal(profile_n_objects(a), profile_n_objects(b));
	assert_int_equal(profile_n_functions(a), profile_n_functions(b));
	assert_int_equal(profile_n_locations(a), profile_n_locations(b));
	assert_int_equal(profile_n_processes(a), profile_n_processes(b));
	assert_int_equal(profile_n_threads(a), profile_n_threads(b));
	assert_int_equal(profile_n_stacks(a), profile_n_stacks(b));
	assert_int_equal(profile_n_samples(a), profile_n_samples(b));
	for (uint32_t i = 0; i < profile_n_objects(a); i++) {
		const struct profile_object *o = profile_object(a, i), *q = profile_object(b, i);

		assert_int_equal(o->kind, q->kind);
		assert_string_equal(o->path, q->path);
		assert_string_equal(o->build_id, q->build_id);
		assert_int_equal(o->device, q->device);
		assert_int_equal(o->inode, q->inode);
		assert_int_equal(o->unopened, q->unopened);
		assert_int_equal(o->start, q->start);
		assert_int_equal(o->limit, q->limit);
		assert_int_equal(o->file_offset, q->file_offset);
		assert_int_equal(o->modified_ns, q->modified_ns);
	}
	assert_int_equal(profile_n_sources(a), profile_n_sources(b));
	for (uint32_t i = 0; i < profile_n_sources(a); i++) {
		const struct profile_source *s = profile_source(a, i), *t = profile_source(b, i);

		assert_int_equal(s->object, t->object);
		assert_string_equal(s->file, t->file);
		assert_string_equal(s->md5, t->md5);
	}
	for (uint32_t i = 0; i < profile_n_processes(a); i++) {
		const struct profile_process *p = profile_process(a, i);
		const struct profile_process *q = profile_process(b, i);

		assert_int_equal(p->pid, q->pid);
		assert_int_equal(p->parent_pid, q->parent_pid);
		assert_int_equal(p->start_ns, q->start_ns);
		assert_int_equal(p->epoch, q->epoch);
		assert_string_equal(p->name, q->name);
		assert_string_equal(p->exe, q->exe);
		assert_int_equal(p->begin_ns, q->begin_ns);
		assert_int_equal(p->end_ns, q->end_ns);
	}
	for (uint32_t i = 0; i < profile_n_locations(a); i++) {
		const struct profile_location *l = profile_location(a, i);
		const struct profile_location *k = profile_location(b, i);

		assert_int_equal(l->object, k->object);
		assert_int_equal(l->flags, k->flags);
		assert_int_equal(l->address, k->address);
		assert_int_equal(l->symbolized, k->symbolized);
		assert_int_equal(l->n_lines, k->n_lines);
		for (uint32_t j = 0; j < l->n_lines; j++)
			assert_int_equal(l->lines[j].discriminator, k->lines[j].discriminator);
	}
	for (uint32_t i = 0; i < profile_n_stacks(a); i++) {
		struct profile_stack s = profile_stack(a, i), t = profile_stack(b, i);

		assert_int_equal(s.end, t.end);
		assert_int_equal(s.n, t.n);
		assert_memory_equal(s.locations, t.locations, s.n * sizeof(*s.locations));
	}
	assert_memory_equal(profile_accounting(a), profile_accounting(b),
			    sizeof(struct profile_accounting));
	/* Names, lines, threads, samples, configuration. */
	WRITTEN(x, pprof_write(a, out));
	WRITTEN(y, pprof_write(b, out));
	assert_int_equal(x.n, y.n);
	assert_memory_equal(x.bytes, y.bytes, x.n);
	free(x.bytes);
	free(y.bytes);
}

static void test_round_trip(void **state)
{
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, NASTY_FUNCTION), *q = NULL;
	struct profile_process process = *profile_process(p, 0);
	struct written w = { 0 };
	struct capture_info info;

	process.begin_ns = UINT64_MAX;
	process.end_ns = 12;
	add_cut_sample(p, 0, (const uint32_t[]){ 0 }, 1, PROFILE_END_NO_RULE, 2);
	add_cut_sample(p, 0, (const uint32_t[]){ 0 }, 1, 1000, 3); /* of a newer version */
	assert_int_equal(profile_set_process(p, 0, &process), 0);
	WRITTEN(w, capture_write(p, out));
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_true(info.complete);
	assert_int_equal(info.version, 1);
	assert_int_equal(info.slices, 2);
	assert_int_equal(info.ignored_bytes, 0);
	assert_same(p, q);
	assert_string_equal(profile_process(q, 0)->name, NASTY_PROCESS);
	profile_free(p);
	profile_free(q);
	free(w.bytes);
}

/* What a bottleneck report needs besides the samples. */
static void test_times_and_ending(void **state)
{
	struct profile *p = sample_profile("app", "worker", "f"), *q = NULL;
	struct profile_config config = *profile_config(p);
	struct profile_accounting a = *profile_accounting(p);
	struct written w = { 0 };
	struct capture_info info;

	config.ending = PROFILE_INTERRUPTED;
	config.failed = true;
	assert_int_equal(profile_set_config(p, &config), 0);
	a.has_times = true;
	a.waiting_ticks = UINT64_MAX;
	a.cpu_ns = 1;
	profile_set_accounting(p, &a);
	WRITTEN(w, capture_write(p, out));
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_same(p, q);
	assert_true(profile_accounting(q)->has_times);
	assert_int_equal(profile_accounting(q)->waiting_ticks, UINT64_MAX);
	assert_int_equal(profile_accounting(q)->cpu_ns, 1);
	assert_int_equal(profile_config(q)->ending, PROFILE_INTERRUPTED);
	assert_true(profile_config(q)->failed);
	profile_free(p);
	profile_free(q);
	free(w.bytes);
}

static void test_empty_profile(void **state)
{
	struct profile *p = profile_new(), *q = NULL;
	struct written w = { 0 };
	struct capture_info info;

	WRITTEN(w, capture_write(p, out));
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_true(info.complete);
	assert_int_equal(profile_n_types(q), 0);
	profile_free(p);
	profile_free(q);
	free(w.bytes);
}

static void test_file_layout(void **state)
{
	/* By the words of the format's description, not by the writer's header. */
	static const unsigned char header[HEADER_SIZE] = {
		0x50, 0x2A, 0x4D, 0x18, 12,  0, 0, 0, 'p', 'r',
		'o',  'f',  'b',  'p',	'f', 0, 1, 0, 0,   0,
	};
	struct profile *p = sample_profile("app", "worker", "f");
	struct written w = { 0 };
	size_t at = HEADER_SIZE;
	unsigned int frames = 0;

	WRITTEN(w, capture_write(p, out));
	assert_memory_equal(w.bytes, header, sizeof(header));
	while (at < w.n) {
		/* RFC 8878: the magic, then a descriptor whose bit 2 says that a checksum follows. */
		assert_memory_equal(w.bytes + at, "\x28\xB5\x2F\xFD", 4);
		assert_true(w.bytes[at + 4] & 4);
		at += ZSTD_findFrameCompressedSize(w.bytes + at, w.n - at);
		frames++;
	}
	assert_int_equal(frames, 2);
	profile_free(p);
	free(w.bytes);
}

/* A recording of three slices and the end, as a capture goes. */
static struct written record(struct profile **recorded)
{
	struct profile *p = cpu_profile();
	uint32_t lib = add_object(p, PROFILE_OBJECT_FILE, "/lib/a.so", "aa");
	uint32_t l[4], thread = add_thread(p, 5, "app", "/bin/app", 5, "app");
	struct capture_sample sample = { .thread = thread, .values = { 2, 2 * PERIOD } };
	struct profile_process process;
	struct capture_writer *writer = NULL;
	struct written w = { 0 };
	FILE *out = open_memstream(&w.bytes, &w.n);

	assert_int_equal(capture_writer_new(p, out, &writer), 0);
	for (uint32_t i = 0; i < 3; i++) {
		l[i] = add_location(p, lib, 0, 0x10 + i);
		add_sample(p, thread, l, i + 1, 2);
		sample.stack = i;
		set_numbers(p, 2 * (i + 1));
		assert_int_equal(capture_writer_slice(writer, i * 10, i * 10 + 10, &sample, 1), 0);
	}
	/* Again the first stack: nothing but the sample is new. */
	add_sample(p, thread, l, 1, 2);
	sample.stack = 0;
	set_numbers(p, 8);
	assert_int_equal(capture_writer_slice(writer, 30, 40, &sample, 1), 0);
	/* Names, and how the process ended, become known last. */
	process = *profile_process(p, profile_thread(p, thread)->process);
	process.name = "renamed";
	process.end_ns = 77;
	assert_int_equal(profile_set_process(p, 0, &process), 0);
	for (uint32_t i = 0; i < 3; i++) {
		const struct profile_line line = { add_function(p, i ? "f" : "g", "a.c", 1), i, 0,
						   0 };

		assert_int_equal(profile_set_lines(p, l[i], &line, 1), 0);
	}
	assert_int_equal(capture_writer_end(writer), 0);
	capture_writer_free(writer);
	assert_int_equal(fclose(out), 0);
	*recorded = p;
	return w;
}

static void test_slices_hold_what_is_new(void **state)
{
	struct profile *p, *q = NULL;
	struct written w = record(&p);
	struct capture_info info;
	Slice *m = slice_of(&w, 1);

	assert_int_equal(m->n_object_path, 1);
	assert_int_equal(m->n_location_address, 1);
	assert_int_equal(m->n_thread_tid, 1);
	assert_int_equal(m->n_value_types, 4);
	assert_false(m->end);
	free_slice(m);
	m = slice_of(&w, 3);
	assert_int_equal(m->start_ns, 20);
	assert_int_equal(m->end_ns, 30);
	assert_int_equal(m->n_string_sizes + m->n_object_path + m->n_thread_tid, 0);
	assert_int_equal(m->n_process_id + m->n_value_types + m->n_named_location, 0);
	assert_int_equal(m->n_location_address, 1);
	assert_int_equal(m->n_stack_n_frames, 1);
	assert_int_equal(m->n_stack_frames, 3);
	assert_int_equal(m->n_sample_stack, 1);
	assert_int_equal(m->accounting->recorded, 6);
	free_slice(m);
	m = slice_of(&w, 4);
	assert_int_equal(m->n_location_address + m->n_stack_n_frames + m->n_process_id, 0);
	assert_int_equal(m->n_sample_stack, 1);
	free_slice(m);
	m = slice_of(&w, 5);
	assert_true(m->end);
	assert_int_equal(m->n_named_location, 3);
	assert_int_equal(m->n_function_name, 2);
	assert_int_equal(m->n_process_id, 1);
	assert_int_equal(m->n_sample_stack, 0);
	free_slice(m);
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_int_equal(info.slices, 5);
	assert_int_equal(profile_total(q, 0), 8);
	assert_same(p, q);
	profile_free(p);
	profile_free(q);
	free(w.bytes);
}

static void test_cut_at_every_byte(void **state)
{
	struct profile *p;
	struct written w = record(&p);
	size_t ends[5];

	for (unsigned int i = 0; i < 5; i++)
		ends[i] = frame_end(&w, i + 1);
	assert_int_equal(ends[4], w.n);
	for (size_t n = 0; n < w.n; n++) {
		struct profile *q = NULL;
		struct capture_info info;
		unsigned int whole = 0;
		int err = read_bytes(w.bytes, n, &q, &info);

		while (whole < 5 && ends[whole] <= n)
			whole++;
		if (!whole) {
			assert_int_equal(err, -ENODATA);
			assert_null(q);
			continue;
		}
		assert_int_equal(err, 0);
		assert_false(info.complete);
		assert_int_equal(info.slices, whole);
		assert_int_equal(info.ignored_bytes, n - ends[whole - 1]);
		assert_int_equal(profile_total(q, 0), whole * 2);
		assert_int_equal(profile_accounting(q)->recorded, whole * 2);
		profile_free(q);
	}
	profile_free(p);
	free(w.bytes);
}

static void test_bytes_behind_the_end(void **state)
{
	struct profile *p, *q = NULL;
	struct written w = record(&p);
	struct capture_info info;
	char *longer = calloc(1, w.n + 100000);

	memcpy(longer, w.bytes, w.n);
	assert_int_equal(read_bytes(longer, w.n + 100000, &q, &info), 0);
	assert_true(info.complete);
	assert_int_equal(info.ignored_bytes, 100000);
	assert_same(p, q);
	profile_free(p);
	profile_free(q);
	free(longer);
	free(w.bytes);
}

static void test_flipped_bits(void **state)
{
	struct profile *p;
	struct written w = record(&p);
	unsigned int slice = 0; /* whole ones before the bit */

	for (size_t i = HEADER_SIZE * 8; i < w.n * 8; i++) {
		struct profile *q = NULL;
		struct capture_info info;
		int err;

		while (frame_end(&w, slice + 1) <= i / 8)
			slice++;
		w.bytes[i / 8] ^= 1 << i % 8;
		err = read_bytes(w.bytes, w.n, &q, &info);
		w.bytes[i / 8] ^= 1 << i % 8;
		if (err) {
			assert_true(err == -EBADMSG || (err == -ENODATA && slice == 0));
			assert_null(q);
			continue;
		}
		/* The slices before are read. The damaged one can pass only if the bit is one that
		 * says nothing of the content, such as whether there is a checksum. */
		assert_in_range(info.slices, slice, 5);
		assert_int_equal(profile_total(q, 0), 2 * (info.slices < 4 ? info.slices : 4));
		profile_free(q);
	}
	profile_free(p);
	free(w.bytes);
}

static void test_flipped_header(void **state)
{
	struct profile *p, *q = NULL;
	struct written w = record(&p);
	struct capture_info info;

	for (size_t i = 0; i < HEADER_SIZE * 8; i++) {
		w.bytes[i / 8] ^= 1 << i % 8;
		assert_int_equal(read_bytes(w.bytes, w.n, &q, &info),
				 i / 8 < 16 ? -EINVAL : -EPROTONOSUPPORT);
		w.bytes[i / 8] ^= 1 << i % 8;
	}
	assert_null(q);
	profile_free(p);
	free(w.bytes);
}

static void test_no_capture(void **state)
{
	struct profile *q = NULL;
	struct capture_info info;

	assert_int_equal(read_bytes("", 0, &q, &info), -ENODATA);
	assert_int_equal(read_bytes("hello, this is no capture", 25, &q, &info), -EINVAL);
	/* A zstd file of somebody else's. */
	assert_int_equal(read_bytes("\x28\xB5\x2F\xFD\x24\x00\x01\x00\x00", 9, &q, &info), -EINVAL);
	assert_null(q);
}

static void test_other_version(void **state)
{
	struct profile *p, *q = NULL;
	struct written w = record(&p);
	struct capture_info info;

	w.bytes[16] = 2;
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), -EPROTONOSUPPORT);
	assert_int_equal(info.version, 2);
	assert_null(q);
	profile_free(p);
	free(w.bytes);
}

/* Reads a capture of one slice whose message has these bytes. */
static int read_message(const void *message, size_t n, struct profile **q)
{
	static const char header[HEADER_SIZE] = "\x50\x2A\x4D\x18\x0C\0\0\0profbpf\0\x01\0\0";
	size_t room = HEADER_SIZE + ZSTD_compressBound(n), compressed;
	char *bytes = malloc(room);
	struct capture_info info;
	int err;

	memcpy(bytes, header, HEADER_SIZE);
	compressed = ZSTD_compress(bytes + HEADER_SIZE, room - HEADER_SIZE, message, n, 1);
	assert_false(ZSTD_isError(compressed));
	err = read_bytes(bytes, HEADER_SIZE + compressed, q, &info);
	free(bytes);
	return err;
}

/* The slice of a whole profile, changed by the test. */
static void assert_refused(void (*change)(Slice *m), int expected)
{
	struct profile *p = sample_profile("app", "worker", "f"), *q = NULL;
	struct written w = { 0 };
	uint8_t *bytes;
	size_t n;
	Slice *m;

	WRITTEN(w, capture_write(p, out));
	m = slice_of(&w, 1);
	change(m);
	n = profbpf__capture__slice__get_packed_size(m);
	bytes = malloc(n);
	profbpf__capture__slice__pack(m, bytes);
	assert_int_equal(read_message(bytes, n, &q), expected);
	profile_free(q);
	profile_free(p);
	free(bytes);
	free_slice(m);
	free(w.bytes);
}

static void change_nothing(Slice *m)
{
}

/* Each column out of range, and each one element shorter than its neighbours. */
#define CHANGES(X)                                                                                 \
	X(object_kind)                                                                             \
	X(object_path)                                                                             \
	X(object_build_id)                                                                         \
	X(function_name)                                                                           \
	X(function_system_name)                                                                    \
	X(function_file)                                                                           \
	X(location_object)                                                                         \
	X(named_location)                                                                          \
	X(named_n_lines)                                                                           \
	X(line_function)                                                                           \
	X(process_id)                                                                              \
	X(process_name)                                                                            \
	X(process_exe)                                                                             \
	X(thread_process)                                                                          \
	X(thread_name)                                                                             \
	X(stack_n_frames)                                                                          \
	X(stack_frames)                                                                            \
	X(sample_thread)                                                                           \
	X(sample_stack)                                                                            \
	X(source_object)                                                                           \
	X(source_file)                                                                             \
	X(source_md5)                                                                              \
	X(value_types)                                                                             \
	X(string_sizes)
#define SHORTER(X)                                                                                 \
	X(stack_end)                                                                               \
	X(object_device)                                                                           \
	X(object_inode)                                                                            \
	X(object_unopened)                                                                         \
	X(object_start)                                                                            \
	X(object_limit)                                                                            \
	X(object_file_offset)                                                                      \
	X(object_modified_ns)                                                                      \
	X(function_start_line)                                                                     \
	X(location_flags)                                                                          \
	X(location_address)                                                                        \
	X(line_line)                                                                               \
	X(line_column)                                                                             \
	X(line_discriminator)                                                                      \
	X(process_pid)                                                                             \
	X(process_parent_pid)                                                                      \
	X(process_start_ns)                                                                        \
	X(process_epoch)                                                                           \
	X(process_begin_ns)                                                                        \
	X(process_end_ns)                                                                          \
	X(thread_tid)                                                                              \
	X(sample_values)

#define CHANGE(field)                                                                              \
	static void large_##field(Slice *m)                                                        \
	{                                                                                          \
		assert_true(m->n_##field > 0);                                                     \
		m->field[m->n_##field - 1] = 0xFFFFFF00;                                           \
	}                                                                                          \
	SHORT(field)
#define SHORT(field)                                                                               \
	static void short_##field(Slice *m)                                                        \
	{                                                                                          \
		assert_true(m->n_##field > 0);                                                     \
		m->n_##field--;                                                                    \
	}
CHANGES(CHANGE)
SHORTER(SHORT)

static void duplicate_location(Slice *m)
{
	m->location_object[1] = m->location_object[0];
	m->location_flags[1] = m->location_flags[0];
	m->location_address[1] = m->location_address[0];
}

static void nul_in_string(Slice *m)
{
	m->string_bytes.data[0] = 0;
}

static void duplicate_string(Slice *m)
{
	/* "samples" and "count": made two strings of three equal bytes each, and the rest. */
	assert_int_equal(m->string_sizes[0] + m->string_sizes[1], 12);
	memset(m->string_bytes.data, 'x', 12);
	m->string_sizes[0] = 6;
	m->string_sizes[1] = 6;
}

/* As captures had it before stacks had ends. */
static void without_ends(Slice *m)
{
	assert_int_equal(m->n_stack_end, m->n_stack_n_frames);
	m->n_stack_end = 0;
}

/* As captures had it before the times of files and the checksums of sources. */
static void without_sources(Slice *m)
{
	assert_int_equal(m->n_object_modified_ns, m->n_object_kind);
	m->n_object_modified_ns = 0;
	assert_true(m->n_source_object > 0);
	m->n_source_object = m->n_source_file = m->n_source_md5 = 0;
}

/* Nor lines discriminators. */
static void without_discriminators(Slice *m)
{
	assert_int_equal(m->n_line_discriminator, m->n_line_line);
	m->n_line_discriminator = 0;
}

static void accounting_of_the_future(Slice *m)
{
	Profbpf__Capture__Accounting *a = m->accounting;

	a->dropped = realloc(a->dropped, (a->n_dropped + 1) * sizeof(*a->dropped));
	a->dropped[a->n_dropped++] = 0;
}

static void drops_of_the_future(Slice *m)
{
	accounting_of_the_future(m);
	m->accounting->dropped[m->accounting->n_dropped - 1] = 1;
}

static void config_without_string(Slice *m)
{
	m->config->notes = 100000;
}

static void ending_of_the_future(Slice *m)
{
	m->config->ending = 1000;
}

static void test_nonsense(void **state)
{
	assert_refused(change_nothing, 0);
#define REFUSE(field)                                                                              \
	assert_refused(large_##field, -EBADMSG);                                                   \
	REFUSE_SHORT(field)
#define REFUSE_SHORT(field) assert_refused(short_##field, -EBADMSG);
	CHANGES(REFUSE)
	SHORTER(REFUSE_SHORT)
	assert_refused(without_ends, 0);
	assert_refused(without_sources, 0);
	assert_refused(without_discriminators, 0);
	assert_refused(duplicate_location, -EBADMSG);
	assert_refused(nul_in_string, -EBADMSG);
	assert_refused(duplicate_string, -EBADMSG);
	assert_refused(config_without_string, -EBADMSG);
	assert_refused(accounting_of_the_future, 0);
	assert_refused(drops_of_the_future, -EPROTONOSUPPORT);
	assert_refused(ending_of_the_future, 0);
}

static void test_fields_of_the_future(void **state)
{
	/* Field 999, a varint. */
	struct profile *q = NULL;

	assert_int_equal(read_message("\xB8\x3E\x05", 3, &q), 0);
	assert_non_null(q);
	profile_free(q);
	q = NULL;
	/* Not protobuf. */
	assert_int_equal(read_message("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11, &q),
			 -EBADMSG);
	assert_null(q);
}

static void test_bombs(void **state)
{
	size_t n = 65U << 20;
	char *bytes = calloc(1, n);
	struct profile *q = NULL;

	/* A slice over the limit. */
	assert_int_equal(read_message(bytes, n, &q), -EBADMSG);
	/* One below it, of unknown fields of two bytes, that would take gigabytes decoded. */
	for (size_t i = 0; i + 1 < n; i += 2)
		bytes[i] = 15 << 3;
	assert_int_equal(read_message(bytes, n - (2U << 20), &q), -EBADMSG);
	assert_null(q);
	free(bytes);
}

static void test_large_profile(void **state)
{
	/* More than fits one slice: the writer divides it. */
	enum { STACKS = 130, FRAMES = 65000 };
	struct profile *p = cpu_profile(), *q = NULL;
	uint32_t *frames = malloc(FRAMES * sizeof(*frames)), thread;
	struct written w = { 0 };
	struct capture_info info;

	for (uint32_t i = 0; i < 500; i++)
		add_location(p, PROFILE_NONE, 0, i);
	thread = add_thread(p, 1, "a", "", 1, "a");
	for (uint32_t i = 0; i < STACKS; i++) {
		for (uint32_t j = 0; j < FRAMES; j++)
			frames[j] = (i * j) % 500;
		add_sample(p, thread, frames, FRAMES, i + 1);
	}
	set_numbers(p, 1);
	WRITTEN(w, capture_write(p, out));
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_true(info.complete);
	assert_true(info.slices > 2);
	assert_int_equal(profile_n_stacks(q), STACKS);
	assert_int_equal(profile_total(q, 0), STACKS * (STACKS + 1) / 2);
	assert_memory_equal(profile_stack(p, STACKS - 1).locations,
			    profile_stack(q, STACKS - 1).locations, FRAMES * sizeof(*frames));
	profile_free(p);
	profile_free(q);
	free(frames);
	free(w.bytes);
}

static void test_names_that_change(void **state)
{
	/* Looked at without success, written, and named afterwards. */
	struct profile *p = cpu_profile(), *q = NULL;
	uint32_t l = add_location(p, PROFILE_NONE, 0, 1);
	struct profile_line line = { .line = 3 };
	struct capture_writer *writer = NULL;
	struct capture_info info;
	struct written w = { 0 };
	FILE *out = open_memstream(&w.bytes, &w.n);

	assert_int_equal(profile_set_lines(p, l, NULL, 0), 0);
	assert_int_equal(capture_writer_new(p, out, &writer), 0);
	assert_int_equal(capture_writer_slice(writer, 0, 1, NULL, 0), 0);
	line.function = add_function(p, "f", "", 0);
	assert_int_equal(profile_set_lines(p, l, &line, 1), 0);
	assert_int_equal(capture_writer_end(writer), 0);
	capture_writer_free(writer);
	fclose(out);
	assert_int_equal(read_bytes(w.bytes, w.n, &q, &info), 0);
	assert_int_equal(profile_location(q, l)->n_lines, 1);
	profile_free(p);
	profile_free(q);
	free(w.bytes);
}

static void test_disk_full(void **state)
{
	struct profile *p = sample_profile("app", "worker", "f");

	ASSERT_FULL(capture_write(p, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_times_and_ending),
		cmocka_unit_test(test_empty_profile),
		cmocka_unit_test(test_file_layout),
		cmocka_unit_test(test_slices_hold_what_is_new),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_bytes_behind_the_end),
		cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_flipped_header),
		cmocka_unit_test(test_no_capture),
		cmocka_unit_test(test_other_version),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_fields_of_the_future),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_large_profile),
		cmocka_unit_test(test_names_that_change),
		cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
