/* SPDX-License-Identifier: BSD-2-Clause */
/* What is written is decompressed with zlib and decoded with protobuf-c. */
#include <errno.h>

#include <zlib.h>

#include "build_profile.h"
#include "formats/writers.h"
#include "pprof.pb-c.h"

typedef Profbpf__Pprof__Profile Message;

static Message *decode(const struct written *w)
{
	static unsigned char bytes[1 << 20];
	z_stream z = { .next_in = (unsigned char *)w->bytes,
		       .avail_in = w->n,
		       .next_out = bytes,
		       .avail_out = sizeof(bytes) };
	Message *m;

	assert_int_equal(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	m = profbpf__pprof__profile__unpack(NULL, z.total_out, bytes);
	assert_non_null(m);
	inflateEnd(&z);
	return m;
}

static Message *pprof(const struct profile *p)
{
	struct written w = { 0 };
	Message *m;

	WRITTEN(w, pprof_write(p, out));
	m = decode(&w);
	free(w.bytes);
	return m;
}

static const char *string(const Message *m, int64_t i)
{
	assert_in_range(i, 0, m->n_string_table - 1);
	return m->string_table[i];
}

/* The rules of the format that hold for every profile. */
static void check(const Message *m)
{
	assert_string_equal(string(m, 0), "");
	assert_int_equal(m->n_sample_type, 2);
	assert_string_equal(string(m, m->sample_type[0]->type), "samples");
	assert_string_equal(string(m, m->sample_type[0]->unit), "count");
	assert_string_equal(string(m, m->sample_type[1]->type), "cpu");
	assert_string_equal(string(m, m->sample_type[1]->unit), "nanoseconds");
	assert_string_equal(string(m, m->default_sample_type), "cpu");
	assert_string_equal(string(m, m->period_type->type), "cpu");
	assert_string_equal(string(m, m->period_type->unit), "nanoseconds");
	assert_true(m->duration_nanos > 0);
	assert_true(m->n_mapping > 0);
	for (size_t i = 0; i < m->n_mapping; i++)
		assert_int_equal(m->mapping[i]->id, i + 1);
	for (size_t i = 0; i < m->n_function; i++)
		assert_int_equal(m->function[i]->id, i + 1);
	for (size_t i = 0; i < m->n_location; i++) {
		assert_int_equal(m->location[i]->id, i + 1);
		assert_in_range(m->location[i]->mapping_id, 1, m->n_mapping);
		for (size_t j = 0; j < m->location[i]->n_line; j++)
			assert_in_range(m->location[i]->line[j]->function_id, 1, m->n_function);
	}
	for (size_t i = 0; i < m->n_sample; i++) {
		assert_int_equal(m->sample[i]->n_value, m->n_sample_type);
		for (size_t j = 0; j < m->sample[i]->n_location_id; j++)
			assert_in_range(m->sample[i]->location_id[j], 1, m->n_location);
		for (size_t j = 0; j < m->sample[i]->n_label; j++)
			assert_false(m->sample[i]->label[j]->str && m->sample[i]->label[j]->num);
	}
}

static const Profbpf__Pprof__Sample *sample_of(const Message *m, int64_t count)
{
	for (size_t i = 0; i < m->n_sample; i++) {
		if (m->sample[i]->value[0] == count)
			return m->sample[i];
	}
	fail_msg("no sample with %ld", (long)count);
	return NULL;
}

static const Profbpf__Pprof__Label *label(const Message *m, const Profbpf__Pprof__Sample *s,
					  const char *key)
{
	for (size_t i = 0; i < s->n_label; i++) {
		if (strcmp(string(m, s->label[i]->key), key) == 0)
			return s->label[i];
	}
	fail_msg("no label %s", key);
	return NULL;
}

static bool has_comment(const Message *m, const char *s)
{
	for (size_t i = 0; i < m->n_comment; i++) {
		if (strcmp(string(m, m->comment[i]), s) == 0)
			return true;
	}
	return false;
}

static void test_numbers(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	Message *m = pprof(p);
	int64_t samples = 0, cpu = 0;

	check(m);
	for (size_t i = 0; i < m->n_sample; i++) {
		samples += m->sample[i]->value[0];
		cpu += m->sample[i]->value[1];
	}
	assert_int_equal(samples, 100);
	assert_int_equal(cpu, 100 * PERIOD);
	assert_int_equal(m->period, PERIOD);
	assert_int_equal(m->time_nanos, 1700000000000000000);
	assert_int_equal(m->duration_nanos, 2000000000);
	assert_true(has_comment(m, "ticks: 107 requested = 100 recorded + 4 coalesced + 3 dropped "
				   "(stack_ring_full 1, stack_lost 2)"));
	assert_true(has_comment(
		m, "ticks elsewhere: 11 other processes, 13 idle, 17 stolen by the hypervisor"));
	assert_true(has_comment(m, "first note"));
	assert_true(has_comment(m, "second note"));
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_target_is_one_comment(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct profile_config c = *profile_config(p);
	Message *m;

	c.target = "command sh -c a\nb";
	assert_int_equal(profile_set_config(p, &c), 0);
	m = pprof(p);
	assert_true(has_comment(m, "profbpf 0.1.0: command sh -c a\\x0ab, on host, 6.1.0 x86_64"));
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_inlined(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	Message *m = pprof(p);
	const Profbpf__Pprof__Sample *s = sample_of(m, 30);
	const Profbpf__Pprof__Location *leaf = m->location[s->location_id[0] - 1];
	const Profbpf__Pprof__Function *f;

	assert_int_equal(s->n_location_id, 2);
	assert_int_equal(leaf->address, 0x1200);
	assert_int_equal(leaf->n_line, 2);
	f = m->function[leaf->line[0]->function_id - 1];
	assert_string_equal(string(m, f->name), "helper");
	assert_string_equal(string(m, f->system_name), "helper");
	assert_string_equal(string(m, f->filename), "/src/app.h");
	assert_int_equal(f->start_line, 5);
	assert_int_equal(leaf->line[0]->line, 7);
	assert_int_equal(leaf->line[0]->column, 3);
	f = m->function[leaf->line[1]->function_id - 1];
	assert_string_equal(string(m, f->name), "work");
	assert_int_equal(leaf->line[1]->line, 25);
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_mappings(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	Message *m = pprof(p);

	assert_string_equal(string(m, m->mapping[0]->filename), "/usr/bin/app");
	for (size_t i = 0; i < m->n_mapping; i++) {
		const Profbpf__Pprof__Mapping *mapping = m->mapping[i];
		const char *file = string(m, mapping->filename);
		bool named = strcmp(file, "/lib/libc.so.6") != 0;

		assert_int_equal(mapping->has_functions, named);
		assert_int_equal(mapping->has_filenames, named);
		assert_int_equal(mapping->has_line_numbers, named);
		assert_int_equal(mapping->has_inline_frames, named);
		if (strcmp(file, "/lib/libc.so.6") == 0) {
			assert_string_equal(string(m, mapping->build_id), "abcd02");
			assert_int_equal(mapping->memory_start, 0x1000);
			assert_int_equal(mapping->memory_limit, 0x9000);
			assert_int_equal(mapping->file_offset, 0x1000);
		}
	}
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_labels(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	Message *m = pprof(p);
	const Profbpf__Pprof__Sample *s = sample_of(m, 40);

	assert_string_equal(string(m, label(m, s, "thread")->str), "worker");
	assert_int_equal(label(m, s, "thread_id")->num, 101);
	assert_string_equal(string(m, label(m, s, "process")->str), "app");
	assert_int_equal(label(m, s, "pid")->num, 100);
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_truncated_marker(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	Message *m = pprof(p);
	const Profbpf__Pprof__Sample *s = sample_of(m, 15);
	const Profbpf__Pprof__Location *marker = m->location[s->location_id[1] - 1];
	const Profbpf__Pprof__Function *f;

	assert_int_equal(marker->n_line, 1);
	f = m->function[marker->line[0]->function_id - 1];
	assert_string_equal(string(m, f->name), "<truncated-stack>");
	/* Else Google's pprof takes it for C++ and makes the name empty. */
	assert_string_not_equal(string(m, f->system_name), string(m, f->name));
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_nasty_names(void **state)
{
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, NASTY_FUNCTION);
	Message *m = pprof(p);
	const Profbpf__Pprof__Sample *s = sample_of(m, 40);
	const Profbpf__Pprof__Location *root = m->location[s->location_id[1] - 1];

	check(m);
	for (size_t i = 0; i < m->n_string_table; i++) {
		for (const unsigned char *c = (unsigned char *)m->string_table[i]; *c; c++)
			assert_in_range(*c, ' ', '~');
	}
	assert_string_equal(string(m, label(m, s, "thread")->str), "th\"r\\ead\\xff");
	assert_string_equal(string(m, label(m, s, "process")->str), "ev;il\\x1b[31m\\x0a");
	assert_string_equal(string(m, m->function[root->line[0]->function_id - 1]->name),
			    "op\\x01;<script>\"\\xc3(");
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_equal_samples_are_one(void **state)
{
	/* The same place reached in two ways, by a process before and after an exec. */
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "");
	uint32_t sure = add_location(p, app, 0, 0x1000);
	uint32_t guess = add_location(p, app, PROFILE_LOCATION_GUESS, 0x1000);
	struct profile_process process = { .pid = 5, .epoch = 0, .name = "app", .exe = "" };
	struct profile_thread t = { .tid = 5, .name = "app" };
	uint32_t before, after;
	Message *m;

	assert_int_equal(profile_add_process(p, &process, &t.process), 0);
	assert_int_equal(profile_add_thread(p, &t, &before), 0);
	process.epoch = 1;
	assert_int_equal(profile_add_process(p, &process, &t.process), 0);
	assert_int_equal(profile_add_thread(p, &t, &after), 0);
	assert_int_not_equal(before, after);
	add_sample(p, before, &sure, 1, 3);
	add_sample(p, after, &guess, 1, 4);
	m = pprof(p);
	check(m);
	assert_int_equal(m->n_location, 1);
	assert_int_equal(m->n_sample, 1);
	assert_int_equal(m->sample[0]->value[0], 7);
	assert_int_equal(m->sample[0]->value[1], 7 * PERIOD);
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_main_binary(void **state)
{
	/* The program of the process with the most samples, mapped or not. */
	struct profile *p = cpu_profile();
	uint32_t lib = add_object(p, PROFILE_OBJECT_FILE, "/lib/libc.so.6", "");
	uint32_t l = add_location(p, lib, 0, 0x1000);
	Message *m;

	add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/big", "aa");
	add_sample(p, add_thread(p, 1, "small", "/usr/bin/small", 1, "small"), &l, 1, 3);
	add_sample(p, add_thread(p, 2, "big", "/usr/bin/big", 2, "big"), &l, 1, 4);
	m = pprof(p);
	check(m);
	assert_string_equal(string(m, m->mapping[0]->filename), "/usr/bin/big");
	assert_string_equal(string(m, m->mapping[0]->build_id), "aa");
	profbpf__pprof__profile__free_unpacked(m, NULL);
	add_sample(p, add_thread(p, 1, "small", "/usr/bin/small", 1, "small"), &l, 1, 3);
	m = pprof(p);
	check(m);
	assert_string_equal(string(m, m->mapping[0]->filename), "/usr/bin/small");
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = cpu_profile();
	Message *m = pprof(p);

	check(m);
	assert_int_equal(m->n_sample, 0);
	profbpf__pprof__profile__free_unpacked(m, NULL);
	/* A sample without frames. */
	add_sample(p, add_thread(p, 1, "", "", 1, ""), NULL, 0, 2);
	m = pprof(p);
	check(m);
	assert_int_equal(m->sample[0]->n_location_id, 0);
	/* Without a name, still a label of text: one key never carries both kinds. */
	assert_string_equal(string(m, label(m, m->sample[0], "thread")->str), "[unknown]");
	assert_string_equal(string(m, label(m, m->sample[0], "process")->str), "[unknown]");
	profbpf__pprof__profile__free_unpacked(m, NULL);
	profile_free(p);
}

static void test_disk_full(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");

	ASSERT_FULL(pprof_write(p, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	    cmocka_unit_test(test_target_is_one_comment),
		cmocka_unit_test(test_inlined),	    cmocka_unit_test(test_mappings),
		cmocka_unit_test(test_labels),	    cmocka_unit_test(test_truncated_marker),
		cmocka_unit_test(test_nasty_names), cmocka_unit_test(test_equal_samples_are_one),
		cmocka_unit_test(test_main_binary), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
