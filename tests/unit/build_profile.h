/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Profiles for the tests of the model and the writers. Each test program is one file, so these are
 * static functions in a header.
 */
#ifndef BUILD_PROFILE_H
#define BUILD_PROFILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/profile.h"

#define UNUSED __attribute__((unused))

#define PERIOD 1000000

/* Names that no format may let through as they are. */
#define NASTY_PROCESS "ev;il\033[31m\n"
#define NASTY_THREAD "th\"r\\ead\xff"
#define NASTY_FUNCTION "op\x01;<script>\"\xc3("

static UNUSED struct profile *cpu_profile(void)
{
	static const struct profile_value_type types[] = { { "samples", "count" },
							   { "cpu", "nanoseconds" } };
	struct profile *p = profile_new();

	assert_non_null(p);
	assert_int_equal(profile_set_types(p, types, 2), 0);
	return p;
}

static UNUSED uint32_t add_object(struct profile *p, enum profile_object_kind kind,
				  const char *path, const char *build_id)
{
	const struct profile_object object = { .kind = kind,
					       .path = path,
					       .build_id = build_id,
					       .start = 0x1000,
					       .limit = 0x9000,
					       .file_offset = 0x1000,
					       .modified_ns = 1600000000000000000 };
	uint32_t id = PROFILE_NONE;

	assert_int_equal(profile_add_object(p, &object, &id), 0);
	return id;
}

static UNUSED uint32_t add_function(struct profile *p, const char *name, const char *file,
				    uint32_t start_line)
{
	const struct profile_function f = {
		.name = name, .system_name = name, .file = file, .start_line = start_line
	};
	uint32_t id = PROFILE_NONE;

	assert_int_equal(profile_add_function(p, &f, &id), 0);
	return id;
}

static UNUSED uint32_t add_location(struct profile *p, uint32_t object, uint32_t flags,
				    uint64_t address)
{
	uint32_t id = PROFILE_NONE;

	assert_int_equal(profile_add_location(p, object, flags, address, &id), 0);
	return id;
}

static UNUSED uint32_t add_named(struct profile *p, uint32_t object, uint32_t flags,
				 uint64_t address, uint32_t function, uint32_t line)
{
	const struct profile_line l = { .function = function, .line = line };
	uint32_t id = add_location(p, object, flags, address);

	assert_int_equal(profile_set_lines(p, id, &l, 1), 0);
	return id;
}

static UNUSED uint32_t add_thread(struct profile *p, uint32_t pid, const char *process,
				  const char *exe, uint32_t tid, const char *name)
{
	const struct profile_process own = {
		.pid = pid, .parent_pid = 1, .start_ns = pid * 7, .name = process, .exe = exe
	};
	struct profile_thread t = { .tid = tid, .name = name };
	uint32_t id = PROFILE_NONE;

	assert_int_equal(profile_add_process(p, &own, &t.process), 0);
	assert_int_equal(profile_add_thread(p, &t, &id), 0);
	return id;
}

static UNUSED void add_sample(struct profile *p, uint32_t thread, const uint32_t *locations,
			      uint32_t n, uint64_t count)
{
	const uint64_t values[] = { count, count * PERIOD };
	uint32_t stack = PROFILE_NONE;

	assert_int_equal(profile_add_stack(p, locations, n, PROFILE_END_ROOT, &stack), 0);
	assert_int_equal(profile_add_sample(p, thread, stack, values), 0);
}

/* The same of a stack that ends early. */
static UNUSED void add_cut_sample(struct profile *p, uint32_t thread, const uint32_t *locations,
				  uint32_t n, uint32_t end, uint64_t count)
{
	const uint64_t values[] = { count, count * PERIOD };
	uint32_t stack = PROFILE_NONE;

	assert_int_equal(profile_add_stack(p, locations, n, end, &stack), 0);
	assert_int_equal(profile_add_sample(p, thread, stack, values), 0);
}

static UNUSED void set_numbers(struct profile *p, uint64_t recorded)
{
	const struct profile_config config = {
		.period_ns = PERIOD,
		.time_ns = 1700000000000000000,
		.duration_ns = 2000000000,
		.target = "pid 100",
		.host = "host",
		.kernel = "6.1.0",
		.arch = "x86_64",
		.version = "0.1.0",
		.notes = "first note\nsecond note",
	};
	struct profile_accounting a = {
		.requested = recorded + 7,
		.recorded = recorded,
		.coalesced = 4,
		.other = 11,
		.idle = 13,
		.stolen = 17,
	};

	a.dropped[PROFILE_DROP_STACK_RING] = 1;
	a.dropped[PROFILE_DROP_STACK_LOST] = 2;
	a.ends[PROFILE_END_ROOT] = recorded;
	assert_int_equal(profile_set_config(p, &config), 0);
	profile_set_accounting(p, &a);
}

/*
 * Two threads of one process. In brackets the frames from the root on, and the samples:
 *
 *   main thread   main:12 > work:25 > helper:7 (inlined into work)      30
 *   main thread   main:12 > work:26 > work:26 (recursion)                5
 *   main thread   main:12 > libc.so.6+0x2040 (unnamed) > sys_read (k)   10
 *   worker        <nasty>:1 > 0xcafe0 (generated code)                  40
 *   worker        main:12 > <truncated-stack> > work:26                 15
 *
 * 100 samples in all.
 */
static UNUSED struct profile *sample_profile(const char *process, const char *worker,
					     const char *nasty)
{
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "abcd01");
	uint32_t libc = add_object(p, PROFILE_OBJECT_FILE, "/lib/libc.so.6", "abcd02");
	uint32_t kernel = add_object(p, PROFILE_OBJECT_KERNEL, "[kernel]", "");
	uint32_t f_main = add_function(p, "main", "/src/app.c", 10);
	uint32_t f_work = add_function(p, "work", "/src/app.c", 20);
	uint32_t f_helper = add_function(p, "helper", "/src/app.h", 5);
	uint32_t f_read = add_function(p, "sys_read", "", 0);
	uint32_t f_nasty = add_function(p, nasty, "/src/na;sty.c", 1);
	uint32_t l_main = add_named(p, app, 0, 0x1100, f_main, 12);
	uint32_t l_inlined = add_location(p, app, 0, 0x1200);
	uint32_t l_work = add_named(p, app, 0, 0x1210, f_work, 26);
	uint32_t l_libc = add_location(p, libc, 0, 0x2040);
	uint32_t l_read =
		add_named(p, kernel, PROFILE_LOCATION_KERNEL, 0xffffffff81000100, f_read, 0);
	uint32_t l_nasty = add_named(p, app, 0, 0x1300, f_nasty, 1);
	uint32_t l_jit = add_location(p, PROFILE_NONE, PROFILE_LOCATION_JIT, 0xcafe0);
	uint32_t l_cut = add_location(p, PROFILE_NONE, PROFILE_LOCATION_TRUNCATED, 0);
	const struct profile_source source = { app, "/src/app.c",
					       "00112233445566778899aabbccddeeff" };
	const struct profile_line inlined[] = { { f_helper, 7, 3, 2 }, { f_work, 25, 0, 0 } };
	uint32_t first = add_thread(p, 100, process, "/usr/bin/app", 100, process);
	uint32_t second = add_thread(p, 100, process, "/usr/bin/app", 101, worker), id;

	assert_int_equal(profile_set_lines(p, l_inlined, inlined, 2), 0);
	assert_int_equal(profile_add_source(p, &source, &id), 0);
	assert_int_equal(profile_set_lines(p, l_libc, NULL, 0), 0);
	add_sample(p, first, (const uint32_t[]){ l_inlined, l_main }, 2, 30);
	add_sample(p, first, (const uint32_t[]){ l_work, l_work, l_main }, 3, 5);
	add_sample(p, first, (const uint32_t[]){ l_read, l_libc, l_main }, 3, 10);
	add_sample(p, second, (const uint32_t[]){ l_jit, l_nasty }, 2, 40);
	add_sample(p, second, (const uint32_t[]){ l_work, l_cut, l_main }, 3, 15);
	set_numbers(p, 100);
	return p;
}

/* What a writer wrote, terminated. The caller frees it. */
struct written {
	char *bytes;
	size_t n;
};

/* Runs statement with out as a stream into memory. */
#define WRITTEN(result, statement)                                                                 \
	do {                                                                                       \
		FILE *out = open_memstream(&(result).bytes, &(result).n);                          \
		assert_non_null(out);                                                              \
		assert_int_equal(statement, 0);                                                    \
		assert_int_equal(fclose(out), 0);                                                  \
	} while (0)

/* A full device: the error must come back, whether the writer or the flush meets it. */
#define ASSERT_FULL(statement)                                                                     \
	do {                                                                                       \
		FILE *out = fopen("/dev/full", "w");                                               \
		assert_non_null(out);                                                              \
		assert_int_equal(statement, -ENOSPC);                                              \
		fclose(out);                                                                       \
	} while (0)

#endif
