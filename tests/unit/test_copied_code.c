// SPDX-License-Identifier: BSD-2-Clause
/* Copies of this program's own code are told from what is no copy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/symbolize.h"
#include "user/capture/copied_code.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"

#define PAGE 4096ul

struct fixture {
	struct objects *objects;
	struct object *object;
	uint64_t offset; /* of the segment's first page */
	size_t size;
	unsigned char *copy;
};

static int set_up(void **state)
{
	static struct fixture f;
	const struct elf_segment *s;
	unsigned int n;

	f.objects = objects_new();
	assert_int_equal(objects_find_file(f.objects, "/proc/self/exe", &f.object), 0);
	s = object_segments(f.object, &n);
	assert_true(n > 0);
	f.offset = s->offset & ~(PAGE - 1);
	f.size = (s->offset + s->size - f.offset + PAGE - 1) & ~(PAGE - 1);
	f.copy = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f.copy, MAP_FAILED);
	assert_true(pread(object_fd(f.object), f.copy, f.size, (off_t)f.offset) > 0);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	munmap(f->copy, f->size);
	objects_free(f->objects);
	return 0;
}

/* Looks at pages of the copy, with the file's first page mapped so far before the copy. */
static bool look(const struct fixture *f, size_t from, size_t to, uint64_t before,
		 struct mapping *m)
{
	uint64_t start = (uintptr_t)f->copy;
	const struct mapping near = { start - before, start, 0, f->object };

	*m = (struct mapping){ start + from, start + to, 0, NULL };
	return copied_code_find(getpid(), &near, m);
}

static void test_by_place(void **state)
{
	const struct fixture *f = *state;
	struct mapping m;

	assert_true(f->size > 3 * PAGE);
	assert_true(look(f, 0, f->size, f->offset, &m));
	assert_ptr_equal(m.object, f->object);
	assert_int_equal(m.offset, f->offset);
	assert_true(look(f, PAGE, 2 * PAGE, f->offset, &m));
	assert_int_equal(m.offset, f->offset + PAGE);
	/* Elsewhere to the file's other mapping, and not the segment's beginning. */
	assert_false(look(f, PAGE, 2 * PAGE, f->offset + PAGE, &m));
	assert_null(m.object);
	/* More than there is of it. */
	assert_false(look(f, 0, f->size + PAGE, f->offset, &m));
}

static void test_whole_segment(void **state)
{
	const struct fixture *f = *state;
	struct mapping m;

	assert_true(look(f, 0, f->size, 0x10000000, &m));
	assert_int_equal(m.offset, f->offset);
}

static void test_other_bytes(void **state)
{
	const struct fixture *f = *state;
	const struct elf_segment *s;
	size_t first, last;
	struct mapping m;
	unsigned int n;

	s = object_segments(f->object, &n);
	first = s->offset - f->offset;
	last = first + s->size - 1;
	f->copy[first] ^= 1;
	assert_false(look(f, 0, f->size, f->offset, &m));
	f->copy[first] ^= 1;
	f->copy[last] ^= 1;
	assert_false(look(f, 0, f->size, f->offset, &m));
	f->copy[last] ^= 1;
	/* What is no code of the segment does not count. */
	if (last + 1 < f->size)
		f->copy[last + 1] ^= 1;
	assert_true(look(f, 0, f->size, f->offset, &m));
	munmap(f->copy + PAGE, PAGE);
	assert_false(look(f, PAGE, 2 * PAGE, f->offset, &m));
}

#define ON_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_FIXTURE(test_by_place),
		ON_FIXTURE(test_whole_segment),
		ON_FIXTURE(test_other_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
