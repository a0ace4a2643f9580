/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "build_profile.h"
#include "formats/writers.h"

static void test_equal_things_are_one(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "");
	uint32_t a, b, stack;

	assert_int_equal(app, 0);
	assert_int_equal(add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", ""), app);
	assert_int_equal(add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "aa"), 1);
	assert_int_equal(add_object(p, PROFILE_OBJECT_VDSO, "/usr/bin/app", ""), 2);
	assert_int_equal(profile_n_objects(p), 3);
	a = add_location(p, app, 0, 0x10);
	assert_int_equal(add_location(p, app, 0, 0x10), a);
	assert_int_not_equal(add_location(p, app, PROFILE_LOCATION_GUESS, 0x10), a);
	b = add_location(p, PROFILE_NONE, 0, 0x10);
	assert_int_equal(profile_n_locations(p), 3);
	assert_int_equal(
		profile_add_stack(p, (const uint32_t[]){ a, b }, 2, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(stack, 0);
	assert_int_equal(
		profile_add_stack(p, (const uint32_t[]){ b, a }, 2, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(stack, 1);
	assert_int_equal(profile_add_stack(p, (const uint32_t[]){ a }, 1, PROFILE_END_ROOT, &stack),
			 0);
	assert_int_equal(stack, 2);
	assert_int_equal(
		profile_add_stack(p, (const uint32_t[]){ a, b }, 2, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(stack, 0);
	assert_int_equal(profile_stack(p, 1).n, 2);
	assert_int_equal(profile_stack(p, 1).locations[0], b);
	profile_free(p);
}

static void test_stacks_are_told_apart_by_their_ends(void **state)
{
	struct profile *p = cpu_profile(), *q = profile_new();
	uint32_t thread = add_thread(p, 1, "p", "/p", 1, "t");
	uint32_t l = add_location(p, PROFILE_NONE, 0, 0x10), *order;

	add_cut_sample(p, thread, &l, 1, PROFILE_END_BROKEN, 1);
	add_cut_sample(p, thread, &l, 1, PROFILE_END_ROOT, 2);
	add_cut_sample(p, thread, NULL, 0, PROFILE_END_NO_USER, 3);
	add_cut_sample(p, thread, &l, 1, PROFILE_END_BROKEN, 4);
	assert_int_equal(profile_merge(q, p), 0);
	assert_int_equal(profile_n_stacks(q), 3);
	assert_int_equal(profile_stack(q, 0).end, PROFILE_END_BROKEN);
	assert_int_equal(profile_stack(q, 0).n, 1);
	assert_int_equal(profile_stack(q, 1).end, PROFILE_END_ROOT);
	assert_int_equal(profile_stack(q, 2).end, PROFILE_END_NO_USER);
	assert_int_equal(profile_stack(q, 2).n, 0);
	assert_int_equal(profile_sample(q, 0)->values[0], 5);
	/* By content: no frames, then the lower code. */
	order = profile_sorted_samples(q);
	assert_non_null(order);
	assert_memory_equal(order, ((uint32_t[]){ 2, 1, 0 }), 3 * sizeof(*order));
	free(order);
	profile_free(p);
	profile_free(q);
}

static void test_objects_without_build_id(void **state)
{
	/* A file replaced on disk is another object; the same file on two machines is not. */
	struct profile *p = cpu_profile();
	struct profile_object o = { .path = "/a", .build_id = "", .device = 1, .inode = 2 };
	uint32_t first, second;

	assert_int_equal(profile_add_object(p, &o, &first), 0);
	o.inode = 3;
	assert_int_equal(profile_add_object(p, &o, &second), 0);
	assert_int_not_equal(first, second);
	o.build_id = "aa";
	assert_int_equal(profile_add_object(p, &o, &first), 0);
	o.inode = 4;
	assert_int_equal(profile_add_object(p, &o, &second), 0);
	assert_int_equal(first, second);
	assert_int_equal(profile_object(p, second)->inode, 3);
	profile_free(p);
}

static void test_sources(void **state)
{
	struct profile *p = cpu_profile(), *q = cpu_profile();
	uint32_t a = add_object(p, PROFILE_OBJECT_FILE, "/a", "aa"), id, other;
	uint32_t b = add_object(p, PROFILE_OBJECT_FILE, "/b", "bb");
	struct profile_source s = { a, "/src/x.c", "11" };

	assert_int_equal(profile_add_source(p, &s, &id), 0);
	s.md5 = "22";
	assert_int_equal(profile_add_source(p, &s, &other), 0);
	assert_int_equal(other, id);
	s.object = b;
	assert_int_equal(profile_add_source(p, &s, &other), 0);
	assert_int_equal(profile_n_sources(p), 2);
	assert_string_equal(profile_find_source(p, a, "/src/x.c")->md5, "11");
	assert_string_equal(profile_find_source(p, b, "/src/x.c")->md5, "22");
	assert_null(profile_find_source(p, a, "/src/y.c"));
	assert_null(profile_find_source(p, a, "/b"));
	s.object = 2;
	assert_int_equal(profile_add_source(p, &s, &other), -EINVAL);
	/* Merged into a profile where the object has another number. */
	add_object(q, PROFILE_OBJECT_FILE, "/b", "bb");
	assert_int_equal(profile_merge(q, p), 0);
	assert_int_equal(profile_n_sources(q), 2);
	assert_string_equal(profile_find_source(q, 0, "/src/x.c")->md5, "22");
	assert_string_equal(profile_find_source(q, 1, "/src/x.c")->md5, "11");
	profile_free(p);
	profile_free(q);
}

static void test_process_instances(void **state)
{
	struct profile *p = cpu_profile();
	struct profile_process process = {
		.pid = 1, .start_ns = 10, .epoch = 0, .name = "a", .exe = "/a"
	};
	uint32_t id, other;

	assert_int_equal(profile_add_process(p, &process, &id), 0);
	process.name = "renamed";
	process.end_ns = 99;
	assert_int_equal(profile_add_process(p, &process, &other), 0);
	assert_int_equal(other, id);
	assert_string_equal(profile_process(p, id)->name, "a");
	assert_int_equal(profile_set_process(p, id, &process), 0);
	assert_string_equal(profile_process(p, id)->name, "renamed");
	assert_int_equal(profile_process(p, id)->end_ns, 99);
	/* The pid used again, and an exec. */
	process.start_ns = 11;
	assert_int_equal(profile_add_process(p, &process, &other), 0);
	assert_int_not_equal(other, id);
	process.epoch = 1;
	assert_int_equal(profile_add_process(p, &process, &other), 0);
	assert_int_equal(other, 2);
	/* The identity stays whatever is set. */
	assert_int_equal(profile_set_process(p, id, &process), 0);
	assert_int_equal(profile_process(p, id)->start_ns, 10);
	assert_int_equal(profile_process(p, id)->epoch, 0);
	profile_free(p);
}

static void test_bad_ids(void **state)
{
	struct profile *p = cpu_profile();
	const struct profile_thread thread = { .process = 0, .name = "" };
	const struct profile_line line = { .function = 0 };
	const struct profile_process process = { .name = "", .exe = "" };
	const uint64_t values[2] = { 1, 1 };
	uint32_t id = 42, location;

	assert_int_equal(profile_add_location(p, 0, 0, 1, &id), -EINVAL);
	assert_int_equal(profile_add_thread(p, &thread, &id), -EINVAL);
	assert_int_equal(profile_add_stack(p, (const uint32_t[]){ 0 }, 1, PROFILE_END_ROOT, &id),
			 -EINVAL);
	assert_int_equal(profile_add_sample(p, 0, 0, values), -EINVAL);
	assert_int_equal(profile_set_process(p, 0, &process), -EINVAL);
	assert_int_equal(profile_set_lines(p, 0, NULL, 0), -EINVAL);
	location = add_location(p, PROFILE_NONE, 0, 1);
	assert_int_equal(profile_set_lines(p, location, &line, 1), -EINVAL);
	assert_false(profile_location(p, location)->symbolized);
	/* Out-parameters are untouched, and nothing was added. */
	assert_int_equal(id, 42);
	assert_int_equal(profile_n_threads(p) + profile_n_stacks(p) + profile_n_samples(p), 0);
	profile_free(p);
}

static void test_types(void **state)
{
	const struct profile_value_type type = { "samples", "count" };
	struct profile *p = profile_new();
	const uint64_t value = 1;

	assert_int_equal(profile_set_types(p, &type, 0), -EINVAL);
	assert_int_equal(profile_set_types(p, &type, PROFILE_MAX_VALUES + 1), -EINVAL);
	/* No samples before the types are known. */
	add_thread(p, 1, "a", "", 1, "a");
	assert_int_equal(profile_add_stack(p, NULL, 0, PROFILE_END_ROOT, &(uint32_t){ 0 }), 0);
	assert_int_equal(profile_add_sample(p, 0, 0, &value), -EINVAL);
	assert_int_equal(profile_set_types(p, &type, 1), 0);
	assert_int_equal(profile_set_types(p, &type, 1), -EINVAL);
	assert_int_equal(profile_add_sample(p, 0, 0, &value), 0);
	assert_int_equal(profile_add_sample(p, 0, 0, &value), 0);
	assert_int_equal(profile_n_samples(p), 1);
	assert_int_equal(profile_total(p, 0), 2);
	profile_free(p);
}

static void test_names(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t lib = add_object(p, PROFILE_OBJECT_FILE, "/usr/lib/libfoo.so", "");
	uint32_t module = add_object(p, PROFILE_OBJECT_KERNEL, "[ext4]", "");
	uint32_t f = add_function(p, "f", "", 0), empty = add_function(p, "", "", 0);
	char buf[64];

	assert_string_equal(
		profile_line_name(p, add_location(p, lib, 0, 0x1234), 0, buf, sizeof(buf)),
		"libfoo.so+0x1234");
	assert_string_equal(profile_line_name(p,
					      add_location(p, module, PROFILE_LOCATION_KERNEL, 16),
					      0, buf, sizeof(buf)),
			    "[ext4]+0x10");
	assert_string_equal(
		profile_line_name(p, add_location(p, PROFILE_NONE, PROFILE_LOCATION_KERNEL, 16), 0,
				  buf, sizeof(buf)),
		"[kernel]+0x10");
	assert_string_equal(
		profile_line_name(p, add_location(p, PROFILE_NONE, 0, 0x7f00), 0, buf, sizeof(buf)),
		"0x7f00");
	assert_string_equal(
		profile_line_name(p, add_location(p, PROFILE_NONE, PROFILE_LOCATION_TRUNCATED, 0),
				  0, buf, sizeof(buf)),
		"<truncated-stack>");
	assert_string_equal(
		profile_line_name(p, add_named(p, lib, 0, 0x10, f, 1), 0, buf, sizeof(buf)), "f");
	assert_string_equal(
		profile_line_name(p, add_named(p, lib, 0, 0x20, empty, 1), 0, buf, sizeof(buf)),
		"libfoo.so+0x20");
	/* Cut to size. */
	assert_string_equal(profile_line_name(p, 0, 0, buf, 5), "libf");
	assert_string_equal(profile_drop_id(PROFILE_DROP_STACK_RING), "stack_ring_full");
	assert_string_equal(profile_drop_id(PROFILE_N_DROPS), "unknown");
	assert_string_equal(profile_end_id(PROFILE_END_ROOT), "root");
	assert_string_equal(profile_end_id(UINT32_MAX), "unknown");
	profile_free(p);
}

static void assert_same_written(const struct profile *a, const struct profile *b)
{
	const struct folded_options folded = { .per_thread = true };
	const struct speedscope_options speedscope = { .per_thread = true };
	struct written x = { 0 }, y = { 0 };

	WRITTEN(x, pprof_write(a, out));
	WRITTEN(y, pprof_write(b, out));
	assert_int_equal(x.n, y.n);
	assert_memory_equal(x.bytes, y.bytes, x.n);
	free(x.bytes);
	free(y.bytes);
	WRITTEN(x, folded_write(a, &folded, out));
	WRITTEN(y, folded_write(b, &folded, out));
	assert_string_equal(x.bytes, y.bytes);
	free(x.bytes);
	free(y.bytes);
	WRITTEN(x, speedscope_write(a, &speedscope, out));
	WRITTEN(y, speedscope_write(b, &speedscope, out));
	assert_string_equal(x.bytes, y.bytes);
	free(x.bytes);
	free(y.bytes);
}

#define MIX_LOCATIONS 40

/*
 * Samples numbered from to end - 1 of a fixed series, added in steps. With steps over 1 the things
 * arrive in another order and get other ids.
 */
static struct profile *mix(unsigned int from, unsigned int end, unsigned int step)
{
	struct profile *p = cpu_profile();
	unsigned int n = end - from;

	for (unsigned int k = 0; k < n; k++) {
		unsigned int i = from + k * step % n, depth = i % 7 + 1;
		uint32_t stack[8], thread;
		char name[32];

		snprintf(name, sizeof(name), "/lib/%u.so", i % 5);
		for (unsigned int j = 0; j < depth; j++) {
			uint32_t object = add_object(p, PROFILE_OBJECT_FILE, name, "");
			unsigned int address = (i * 7 + j * 13) % MIX_LOCATIONS;
			char function[32];

			snprintf(function, sizeof(function), "f%u", address % 11);
			stack[j] = add_named(p, object, 0, address,
					     add_function(p, function, "x.c", 1), address);
		}
		thread = add_thread(p, 1 + i % 3, "app", "/bin/app", 10 + i % 4, "t");
		add_sample(p, thread, stack, depth, i + 1);
	}
	set_numbers(p, n);
	return p;
}

static void test_order_does_not_matter(void **state)
{
	struct profile *a = mix(0, 500, 1), *b = mix(0, 500, 7);

	assert_int_equal(profile_n_samples(a), profile_n_samples(b));
	assert_same_written(a, b);
	profile_free(a);
	profile_free(b);
}

static void test_merge_equals_both(void **state)
{
	struct profile *a = mix(0, 300, 1), *b = mix(300, 500, 1), *both = mix(0, 500, 1);
	struct profile *merged = profile_new();
	struct profile_accounting sum = *profile_accounting(both);

	assert_int_equal(profile_merge(merged, b), 0);
	assert_int_equal(profile_merge(merged, a), 0);
	assert_int_equal(profile_total(merged, 0), 500 * 501 / 2);
	assert_int_equal(profile_n_samples(merged), profile_n_samples(both));
	assert_int_equal(profile_accounting(merged)->recorded, 500);
	/* What each of the two has besides its recorded ticks is there twice. */
	sum.requested += 7;
	sum.coalesced += 4;
	sum.dropped[PROFILE_DROP_STACK_RING] += 1;
	sum.dropped[PROFILE_DROP_STACK_LOST] += 2;
	sum.other += 11;
	sum.idle += 13;
	sum.stolen += 17;
	assert_memory_equal(profile_accounting(merged), &sum, sizeof(sum));
	profile_set_accounting(both, &sum);
	assert_same_written(merged, both);
	profile_free(a);
	profile_free(b);
	profile_free(both);
	profile_free(merged);
}

static void test_merge_windows(void **state)
{
	struct profile *a = mix(0, 1, 1), *b = mix(0, 1, 1);
	struct profile_config c = *profile_config(b);

	c.time_ns += 5000000000;
	c.target = "pid 7";
	c.notes = "second note\nthird note";
	assert_int_equal(profile_set_config(b, &c), 0);
	assert_int_equal(profile_merge(a, b), 0);
	/* From the first start to the last end. */
	assert_int_equal(profile_config(a)->time_ns, 1700000000000000000);
	assert_int_equal(profile_config(a)->duration_ns, 7000000000);
	assert_string_equal(profile_config(a)->target, "pid 100, pid 7");
	assert_string_equal(profile_config(a)->host, "host");
	assert_string_equal(profile_config(a)->notes, "first note\nsecond note\nthird note");
	profile_free(a);
	profile_free(b);
}

static void set_times(struct profile *p, uint64_t waiting, enum profile_ending ending, bool failed)
{
	struct profile_accounting a = *profile_accounting(p);
	struct profile_config c = *profile_config(p);

	a.has_times = waiting > 0;
	a.waiting_ticks = waiting;
	a.cpu_ns = 10 * waiting;
	profile_set_accounting(p, &a);
	c.ending = ending;
	c.failed = failed;
	assert_int_equal(profile_set_config(p, &c), 0);
}

static void test_merge_times(void **state)
{
	struct profile *a = mix(0, 1, 1), *b = mix(0, 1, 1), *merged = profile_new();

	set_times(a, 5, PROFILE_RETURNED, false);
	set_times(b, 7, PROFILE_RETURNED, true);
	assert_int_equal(profile_merge(merged, a), 0);
	assert_true(profile_accounting(merged)->has_times);
	assert_int_equal(profile_accounting(merged)->waiting_ticks, 5);
	assert_int_equal(profile_merge(merged, b), 0);
	assert_int_equal(profile_accounting(merged)->waiting_ticks, 12);
	assert_int_equal(profile_accounting(merged)->cpu_ns, 120);
	assert_int_equal(profile_config(merged)->ending, PROFILE_RETURNED);
	assert_true(profile_config(merged)->failed);
	/* One that does not know its times leaves none for the sum, whichever comes first. */
	set_times(b, 0, PROFILE_KILLED, false);
	assert_int_equal(profile_merge(merged, b), 0);
	assert_false(profile_accounting(merged)->has_times);
	assert_int_equal(profile_accounting(merged)->waiting_ticks, 0);
	assert_int_equal(profile_accounting(merged)->cpu_ns, 0);
	assert_int_equal(profile_config(merged)->ending, PROFILE_LIVES_ON);
	assert_int_equal(profile_merge(merged, a), 0);
	assert_false(profile_accounting(merged)->has_times);
	profile_free(a);
	profile_free(b);
	profile_free(merged);
}

static void test_merge_names_and_processes(void **state)
{
	/* One profile knows the name and the end of the process, the other its beginning. */
	struct profile *a = cpu_profile(), *b = cpu_profile();
	uint32_t lib = add_object(a, PROFILE_OBJECT_FILE, "/lib/a.so", "aa");
	uint32_t l = add_location(a, lib, 0, 1), id;
	struct profile_process process = { .pid = 1, .name = "a", .exe = "", .begin_ns = 5 };

	add_function(b, "other", "", 0);
	lib = add_object(b, PROFILE_OBJECT_FILE, "/lib/a.so", "aa");
	add_named(b, lib, 0, 1, add_function(b, "f", "f.c", 3), 4);
	assert_int_equal(profile_add_process(a, &process, &id), 0);
	process.begin_ns = 0;
	process.end_ns = 50;
	process.exe = "/bin/a";
	assert_int_equal(profile_add_process(b, &process, &id), 0);
	assert_int_equal(profile_merge(a, b), 0);
	assert_int_equal(profile_n_locations(a), 1);
	assert_int_equal(profile_location(a, l)->n_lines, 1);
	assert_string_equal(profile_function(a, profile_location(a, l)->lines[0].function)->name,
			    "f");
	assert_int_equal(profile_n_processes(a), 1);
	assert_int_equal(profile_process(a, 0)->begin_ns, 5);
	assert_int_equal(profile_process(a, 0)->end_ns, 50);
	assert_string_equal(profile_process(a, 0)->exe, "/bin/a");
	profile_free(a);
	profile_free(b);
}

static void test_merge_other_types(void **state)
{
	const struct profile_value_type type = { "alloc_space", "bytes" };
	struct profile *a = sample_profile("app", "worker", "f"), *b = profile_new();

	assert_int_equal(profile_set_types(b, &type, 1), 0);
	assert_int_equal(profile_merge(a, b), -EINVAL);
	assert_int_equal(profile_total(a, 0), 100);
	profile_free(a);
	profile_free(b);
}

static void test_many_deep_stacks(void **state)
{
	enum { LOCATIONS = 5000, STACKS = 20000, FRAMES = 500 };
	struct profile *p = cpu_profile();
	static uint32_t frames[FRAMES];
	uint32_t id;

	for (uint64_t i = 0; i < LOCATIONS; i++)
		assert_int_equal(add_location(p, PROFILE_NONE, 0, i), i);
	/* Twice: the second time all are known. */
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < STACKS; i++) {
			for (uint32_t j = 0; j < FRAMES; j++)
				frames[j] = j < 2 ? (j ? i / 200 : i % 200) : j;
			assert_int_equal(
				profile_add_stack(p, frames, FRAMES, PROFILE_END_ROOT, &id), 0);
			assert_int_equal(id, i);
		}
	}
	assert_int_equal(profile_n_stacks(p), STACKS);
	assert_int_equal(profile_stack(p, STACKS - 1).n, FRAMES);
	assert_int_equal(profile_stack(p, STACKS - 1).locations[0], (STACKS - 1) % 200);
	profile_free(p);
}

static void test_limits(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t *frames = calloc(1 << 17, sizeof(*frames)), id = 7;
	struct profile_function f = { .name = NULL, .system_name = "", .file = "" };
	char *name = malloc((1 << 24) + 1);

	add_location(p, PROFILE_NONE, 0, 1);
	assert_int_equal(profile_add_stack(p, frames, 1 << 17, PROFILE_END_ROOT, &id), -EOVERFLOW);
	memset(name, 'x', 1 << 24);
	name[1 << 24] = '\0';
	f.name = name;
	assert_int_equal(profile_add_function(p, &f, &id), -EOVERFLOW);
	assert_int_equal(id, 7);
	f.name = NULL;
	assert_int_equal(profile_add_function(p, &f, &id), 0);
	assert_string_equal(profile_function(p, id)->name, "");
	free(frames);
	free(name);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_things_are_one),
		cmocka_unit_test(test_stacks_are_told_apart_by_their_ends),
		cmocka_unit_test(test_objects_without_build_id),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_process_instances),
		cmocka_unit_test(test_bad_ids),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_order_does_not_matter),
		cmocka_unit_test(test_merge_equals_both),
		cmocka_unit_test(test_merge_windows),
		cmocka_unit_test(test_merge_times),
		cmocka_unit_test(test_merge_names_and_processes),
		cmocka_unit_test(test_merge_other_types),
		cmocka_unit_test(test_many_deep_stacks),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
