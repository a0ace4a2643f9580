// SPDX-License-Identifier: BSD-2-Clause
/* Locations of a profile named from this program, and from the running kernel. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "formats/profile.h"
#include "symbolize/symbolize.h"
#include "user/naming.h"

/* Two functions whose names and lines are known from this file. */
enum { FIRST_LINE = __LINE__ + 1 };
__attribute__((noinline)) static int first_landmark(int x)
{
	return x * 3 + 1;
}

enum { SECOND_LINE = __LINE__ + 1 };
__attribute__((noinline)) static int second_landmark(int x)
{
	return x * 5 - 1;
}

/* Keeps both from being left out or called at compile time. */
static int (*volatile landmarks[])(int) = { first_landmark, second_landmark };

static int main_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	*(uint64_t *)bias = info->dlpi_addr;
	return 1; /* the first is the program itself */
}

/* In the address space of the executable file. */
static uint64_t own_address(int (*function)(int))
{
	uint64_t bias = 0;

	dl_iterate_phdr(main_bias, &bias);
	return (uint64_t)(uintptr_t)function - bias;
}

struct lookups {
	uint32_t object; /* that is this program */
	int fd;
	unsigned int n;
};

static struct naming_source lookup(void *arg, uint32_t object)
{
	struct lookups *l = arg;
	struct naming_source source = { .fd = -1, .path = "/gone", .root = "" };

	l->n++;
	if (object == l->object) {
		source.fd = l->fd;
		source.path = "/proc/self/exe";
	}
	return source;
}

struct fixture {
	struct profile *profile;
	struct lookups lookups;
	uint32_t gone, kernel;
};

static uint32_t add_object(struct profile *p, const char *path, enum profile_object_kind kind)
{
	const struct profile_object object = { .kind = kind, .path = path, .build_id = "" };
	uint32_t id;

	assert_int_equal(profile_add_object(p, &object, &id), 0);
	return id;
}

static uint32_t add_location(struct profile *p, uint32_t object, uint32_t flags, uint64_t address)
{
	uint32_t id;

	assert_int_equal(profile_add_location(p, object, flags, address, &id), 0);
	return id;
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->profile = profile_new();
	assert_non_null(f->profile);
	/* Not in the order of their ids' use, to show that grouping does not depend on it. */
	f->gone = add_object(f->profile, "/usr/lib/gone.so", PROFILE_OBJECT_FILE);
	f->kernel = add_object(f->profile, "[kernel]", PROFILE_OBJECT_KERNEL);
	f->lookups.object = add_object(f->profile, "/proc/self/exe", PROFILE_OBJECT_FILE);
	f->lookups.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(f->lookups.fd >= 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	close(f->lookups.fd);
	profile_free(f->profile);
	free(f);
	return 0;
}

static void run(struct fixture *f, struct naming_result *result)
{
	assert_int_equal(naming_run(f->profile, NULL, 0, lookup, &f->lookups, result), 0);
}

static void is_named(const struct profile *p, uint32_t location, const char *name, uint32_t line)
{
	const struct profile_location *l = profile_location(p, location);
	const struct profile_function *function;
	const char *slash;

	assert_true(l->symbolized);
	assert_int_equal(l->n_lines, 1);
	function = profile_function(p, l->lines[0].function);
	assert_string_equal(function->name, name);
	assert_string_equal(function->system_name, name);
	slash = strrchr(function->file, '/');
	assert_non_null(slash);
	assert_string_equal(slash + 1, "test_naming.c");
	assert_int_equal(function->start_line, line);
	assert_in_range(l->lines[0].line, line, line + 3);
}

static void is_unnamed(const struct profile *p, uint32_t location)
{
	assert_true(profile_location(p, location)->symbolized);
	assert_int_equal(profile_location(p, location)->n_lines, 0);
}

static void test_own_functions(void **state)
{
	struct fixture *f = *state;
	struct profile *p = f->profile;
	uint32_t object = f->lookups.object;
	uint64_t first_address = own_address(landmarks[0]);
	uint32_t lost = add_location(p, f->gone, 0, 0x1000);
	uint32_t second = add_location(p, object, 0, own_address(landmarks[1]));
	uint32_t jit = add_location(p, PROFILE_NONE, PROFILE_LOCATION_JIT, 0x7f0000001000);
	uint32_t first = add_location(p, object, 0, first_address);
	uint32_t guess = add_location(p, object, PROFILE_LOCATION_GUESS, first_address);
	uint32_t marker = add_location(p, PROFILE_NONE, PROFILE_LOCATION_TRUNCATED, 0);
	uint32_t nowhere = add_location(p, object, 0, UINT64_C(1) << 40);
	struct naming_result result;

	run(f, &result);
	is_named(p, first, "first_landmark", FIRST_LINE);
	is_named(p, guess, "first_landmark", FIRST_LINE);
	is_named(p, second, "second_landmark", SECOND_LINE);
	is_unnamed(p, lost);
	is_unnamed(p, jit);
	is_unnamed(p, marker);
	is_unnamed(p, nowhere);
	assert_int_equal(result.named, 3);
	assert_int_equal(result.unnamed, 4);
	assert_false(result.kernel_hidden);
	/* One question an object, whatever the number of its locations. */
	assert_int_equal(f->lookups.n, 2);
}

/* A snapshot names what there is; later only what is new is looked at. */
static void test_again(void **state)
{
	struct fixture *f = *state;
	struct profile *p = f->profile;
	uint32_t second;
	struct naming_result result;

	add_location(p, f->lookups.object, 0, own_address(landmarks[0]));
	run(f, &result);
	assert_int_equal(result.named, 1);
	second = add_location(p, f->lookups.object, 0, own_address(landmarks[1]));
	run(f, &result);
	assert_int_equal(result.named, 1);
	is_named(p, second, "second_landmark", SECOND_LINE);
	run(f, &result);
	assert_int_equal(result.named + result.unnamed, 0);
	assert_int_equal(f->lookups.n, 2);
}

static void test_nothing(void **state)
{
	struct fixture *f = *state;
	struct naming_result result = { .named = 9 };

	run(f, &result);
	assert_int_equal(result.named, 0);
	assert_int_equal(result.unnamed, 0);
}

/* The address of a kernel function, as the kernel lists it; 0 if it hides it. */
static uint64_t kernel_address(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], found[256];
	unsigned long long address;
	uint64_t result = 0;

	if (!file)
		return 0;
	while (result == 0 && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %*c %255s", &address, found) == 2 &&
		    strcmp(found, name) == 0)
			result = address;
	}
	fclose(file);
	return result;
}

/* A clone that the compiler made of a kernel function, 0 if none is seen. */
static uint64_t kernel_clone(char name[256])
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], type;
	unsigned long long address;
	uint64_t result = 0;

	while (file && result == 0 && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %255s", &address, &type, name) == 3 && type == 't' &&
		    strncmp(name, "__pfx_", 6) != 0 && strlen(name) > 7 &&
		    strcmp(name + strlen(name) - 7, ".isra.0") == 0)
			result = address;
	}
	if (file)
		fclose(file);
	return result;
}

static void test_kernel_clone(void **state)
{
	const struct symbolizer_options full = { .full_names = true };
	struct fixture *f = *state;
	struct profile *p = f->profile;
	char name[256];
	uint64_t address = kernel_clone(name);
	const struct profile_function *function;
	struct naming_result result;
	uint32_t location;

	if (address == 0)
		skip();
	for (int is_full = 0; is_full < 2; is_full++) {
		location = add_location(p, f->kernel, PROFILE_LOCATION_KERNEL,
					address + 1 + (uint64_t)is_full);
		assert_int_equal(
			naming_run(p, is_full ? &full : NULL, 0, lookup, &f->lookups, &result), 0);
		function = profile_function(p, profile_location(p, location)->lines[0].function);
		assert_string_equal(function->system_name, name);
		if (is_full)
			assert_string_equal(function->name, name);
		else
			assert_int_equal(strlen(function->name), strlen(name) - strlen(".isra.0"));
		assert_memory_equal(function->name, name, strlen(name) - strlen(".isra.0"));
	}
}

static void test_kernel(void **state)
{
	struct fixture *f = *state;
	struct profile *p = f->profile;
	uint64_t address = kernel_address("schedule");
	uint32_t location = add_location(p, f->kernel, PROFILE_LOCATION_KERNEL, address + 1);
	const struct profile_location *l;
	struct naming_result result;

	run(f, &result);
	if (address == 0) {
		assert_true(result.kernel_hidden);
		is_unnamed(p, location);
		return;
	}
	l = profile_location(p, location);
	assert_int_equal(l->n_lines, 1);
	assert_string_equal(profile_function(p, l->lines[0].function)->name, "schedule");
	assert_string_equal(profile_function(p, l->lines[0].function)->file, "");
	assert_int_equal(f->lookups.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_own_functions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kernel_clone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
