/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call frame information: whole ELF files, and bare sections, whose first byte says how they are put
 * together. Whatever comes out must be a table that can be searched.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind/go_marks.h"
#include "unwind/object.h"

#define CODE 0x1000
#define CODE_SIZE 0x4000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct unwind_table *t)
{
	uint32_t blocks = t->n_blocks < 4096 ? t->n_blocks : 4096;

	if (!t->n_rows || t->directory[0] || t->directory[t->n_blocks] != t->n_rows ||
	    t->rows[0] & 0xff)
		abort();
	for (uint32_t b = 0; b < blocks; b++) {
		if (t->directory[b] > t->directory[b + 1])
			abort();
		for (uint32_t i = t->directory[b] + 1; i < t->directory[b + 1]; i++)
			if ((t->rows[i] & 0xff) <= (t->rows[i - 1] & 0xff))
				abort();
	}
	for (uint32_t i = 1; i < t->n_rows; i++)
		if (t->rows[i] >> 8 == t->rows[i - 1] >> 8)
			abort();
	for (uint64_t at = 0; at < (uint64_t)blocks * UNWIND_BLOCK; at += at < 0x800 ? 3 : 997) {
		uint32_t rule = unwind_table_find(t, t->base + at);

		if (UNWIND_KIND(rule) > UNWIND_UNKNOWN ||
		    (UNWIND_KIND(rule) == UNWIND_COMPLEX &&
		     UNWIND_COMPLEX_INDEX(rule) >= t->n_complex))
			abort();
	}
}

static void read_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct unwind_go_marks marks;
	struct unwind_stats stats;
	struct unwind_table *t;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	unwind_go_marks(fd, &marks);
	if (unwind_table_build(fd, 0, &t, &stats) == 0) {
		check(t);
		if (unwind_table_amend(fd, &t) == 0)
			check(t);
		unwind_table_free(t);
	}
	if (unwind_table_from_code(fd, &t) == 0) {
		check(t);
		unwind_table_free(t);
	}
	close(fd);
}

/* A part of the input as a section of its own, so that a sanitizer sees a read beyond its end. */
static struct cfi_section copy(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size ? size : 1);

	if (!bytes)
		abort();
	memcpy(bytes, data, size);
	return (struct cfi_section){ .data = bytes, .size = size };
}

static void read_sections(uint8_t form, const uint8_t *data, size_t size)
{
	struct unwind_object o = {
		.code = { { CODE, CODE + CODE_SIZE }, { 0x100080, 0x100180 } },
		.n_code = 2,
	};
	size_t half = form & 2 ? size / 2 : size;
	struct unwind_stats stats;
	struct unwind_table *t;

	o.eh = copy(data, half);
	o.eh.eh = true;
	o.eh.address = CODE + CODE_SIZE;
	o.eh.text = CODE;
	o.eh.got = CODE + 0x100;
	o.eh.open_ended = form & 1;
	o.debug = copy(data + half, size - half);
	if (form & 4) {
		struct cfi_section eh = o.eh;

		o.eh = o.debug;
		o.debug = eh;
		o.eh.eh = true;
		o.debug.eh = false;
	}
	if (unwind_object_table(&o, form & 8 ? 100 : 0, &t, &stats) == 0) {
		check(t);
		unwind_table_free(t);
	}
	unwind_object_clear(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (size > 4 && !memcmp(data,
				"\x7f"
				"ELF",
				4))
		read_file(data, size);
	else
		read_sections(data[0], data + 1, size - 1);
	return 0;
}
