// SPDX-License-Identifier: BSD-2-Clause
/*
 * The checksums of source files in line tables: of programs built here, against md5sum, and of headers
 * made by hand.
 */
#include "symbol_fixture.h"

#include "symbolize/dwarf_checksums.h"

/* --- programs --- */

#define HEADER                                                                                     \
	"static inline __attribute__((always_inline)) int inner(int x)\n{\n\tvolatile int y = x;\n\treturn y * 3;\n}\n"
#define SOURCE                                                                                     \
	"#include \"inner.h\"\nint outer(int x)\n{\n\treturn inner(x) + 1;\n}\nint main(void) { return outer(4); }\n"

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void make_sources(void)
{
	run("mkdir -p include");
	write_text("include/inner.h", HEADER);
	write_text("outer.c", SOURCE);
}

static char *md5sum(const char *path)
{
	char *text = output_of("md5sum %s", path);

	text[32] = '\0';
	return text;
}

/* Each place in outer is known, the calls inlined into it too. */
static void check(const char *file, bool expected)
{
	char *inner = md5sum("include/inner.h"), *outer = md5sum("outer.c");
	uint64_t start = value_of(file, "outer");
	unsigned int inlined = 0;

	for (uint64_t address = start; address < start + 8; address++) {
		struct answer *a = ask(file, &address, 1);

		assert_in_range(a->n, 1, 2);
		assert_string_equal(a->frames[a->n - 1].name, "outer");
		assert_string_equal(a->frames[a->n - 1].md5, expected ? outer : "");
		if (a->n == 2) {
			assert_string_equal(a->frames[0].name, "inner");
			assert_string_equal(a->frames[0].md5, expected ? inner : "");
			inlined++;
		}
		free_answers(a, 1);
	}
	assert_true(inlined > 0);
	free(inner);
	free(outer);
}

static void test_clang(void **state)
{
	need("clang readelf md5sum");
	make_sources();
	run("clang -gdwarf-5 -O1 -Iinclude -o five outer.c");
	check("five", true);
	run("clang -gdwarf-5 -gz=zlib -O1 -Iinclude -o zipped outer.c");
	check("zipped", true);
	run("clang -gdwarf-4 -O1 -Iinclude -o four outer.c");
	check("four", false);
}

static void test_gcc(void **state)
{
	need("gcc readelf md5sum");
	make_sources();
	run("gcc -gdwarf-4 -O1 -Iinclude -o gcc4 outer.c");
	check("gcc4", false);
}

/* --- headers --- */

struct table {
	unsigned char bytes[512];
	size_t n;
};

static void put(struct table *t, const void *bytes, size_t n)
{
	assert_true(t->n + n <= sizeof(t->bytes));
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

#define PUT(t, ...)                                                                                \
	put(t, (const unsigned char[]){ __VA_ARGS__ }, sizeof((unsigned char[]){ __VA_ARGS__ }))

/* The bytes up to the tables; lengths are set by finish. */
static void begin(struct table *t, bool is_64, unsigned char version)
{
	t->n = 0;
	if (is_64)
		PUT(t, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
	PUT(t, 0, 0, 0, 0, version, 0, 8, 0, 0, 0, 0, 0);
	if (is_64)
		PUT(t, 0, 0, 0, 0);
	PUT(t, 1, 1, 1, 0xfb, 14, 4, 0, 1, 1); /* opcode_base 4: three lengths */
}

static void finish(struct table *t, bool is_64)
{
	uint64_t at = is_64 ? 4 : 0, size = is_64 ? 8 : 4, length = t->n - at - size, rest;

	memcpy(t->bytes + at, &length, size);
	at += size + 4; /* version and sizes */
	rest = t->n - at - size;
	memcpy(t->bytes + at, &rest, size);
	put(t, "\x01\x02\x03", 3); /* what follows is another table's */
}

/* Two directories, each a string; then three files of name, directory, time and MD5. */
static void make(struct table *t, bool is_64)
{
	begin(t, is_64, 5);
	PUT(t, 1, 1, 0x08, 2, '/', 'a', 0, '/', 0);
	/* DW_LNCT_path, directory_index, timestamp, MD5: line_strp, udata, block, data16 */
	PUT(t, 4, 1, 0x1f, 2, 0x0f, 3, 0x09, 5, 0x1e, 3);
	for (unsigned char i = 0; i < 3; i++) {
		put(t, "\0\0\0\0\0\0\0\0", is_64 ? 8 : 4);
		PUT(t, 0x80, 0x01, 2, 0xaa, 0xbb);
		for (unsigned char k = 0; k < 16; k++)
			PUT(t, (unsigned char)(i * 16 + k));
	}
	finish(t, is_64);
}

static void test_header(void **state)
{
	for (int is_64 = 0; is_64 < 2; is_64++) {
		struct dwarf_checksums c = { 0 };
		struct table t;

		make(&t, is_64);
		assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
		assert_int_equal(c.n, 3);
		for (unsigned int i = 0; i < 3; i++)
			for (unsigned int k = 0; k < 16; k++)
				assert_int_equal(c.md5[i][k], i * 16 + k);
		dwarf_checksums_free(&c);
	}
}

/* Cut at every byte, and with every byte changed: nothing, or pointers into the section. */
static void test_damage(void **state)
{
	struct table t;
	size_t whole;

	make(&t, false);
	whole = t.n;
	for (size_t n = 0; n < whole - 3; n++) {
		unsigned char *copy = malloc(n + 1);
		struct dwarf_checksums c = { 0 };

		memcpy(copy, t.bytes, n);
		assert_int_equal(dwarf_checksums_read(&c, copy, n, 0), 0);
		assert_int_equal(c.n, 0);
		free(copy);
	}
	for (size_t i = 0; i < whole; i++) {
		for (unsigned int bit = 0; bit < 8; bit++) {
			struct dwarf_checksums c = { 0 };

			t.bytes[i] ^= 1U << bit;
			assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
			for (size_t k = 0; k < c.n; k++)
				assert_true(!c.md5[k] || (c.md5[k] >= t.bytes &&
							  c.md5[k] + 16 <= t.bytes + t.n));
			dwarf_checksums_free(&c);
			t.bytes[i] ^= 1U << bit;
		}
	}
}

/* Other versions, other forms, offsets outside, and counts that would take all memory. */
static void test_others(void **state)
{
	struct dwarf_checksums c = { 0 };
	struct table t;

	make(&t, false);
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, t.n), 0);
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, UINT64_MAX), 0);
	assert_int_equal(dwarf_checksums_read(&c, NULL, 0, 0), 0);
	t.bytes[4] = 4;
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
	assert_int_equal(c.n, 0);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f); /* entries without any field */
	finish(&t, false);
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
	assert_int_equal(c.n, 0);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 1, 1, 0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f);
	finish(&t, false);
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
	assert_int_equal(c.n, 0);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 1, 1, 0x19, 1, 0, 0, 0, 0); /* a form that no name has */
	finish(&t, false);
	assert_int_equal(dwarf_checksums_read(&c, t.bytes, t.n, 0), 0);
	assert_int_equal(c.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_clang, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(test_gcc, enter_folder, leave_folder),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
