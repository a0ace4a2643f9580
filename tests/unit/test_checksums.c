// SPDX-License-Identifier: BSD-2-Clause
/*
 * The checksums of source files in line tables: of programs built here, against md5sum, and of headers
 * made by hand.
 */
#include "symbol_fixture.h"

#include "symbolize/dwarf_lines.h"

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

static int read_bytes(const unsigned char *bytes, size_t n, struct dwarf_lines **lines)
{
	const struct dwarf_lines_source source = { .table = { bytes, bytes + n } };

	return dwarf_lines_read(&source, lines);
}

static void test_header(void **state)
{
	for (int is_64 = 0; is_64 < 2; is_64++) {
		struct dwarf_lines *lines = NULL;
		struct table t;

		make(&t, is_64);
		assert_int_equal(read_bytes(t.bytes, t.n, &lines), 0);
		for (unsigned int i = 0; i < 3; i++)
			for (unsigned int k = 0; k < DWARF_MD5_SIZE; k++)
				assert_int_equal(dwarf_lines_md5(lines, i)[k],
						 i * DWARF_MD5_SIZE + k);
		assert_null(dwarf_lines_md5(lines, 3));
		assert_null(dwarf_lines_md5(lines, UINT64_MAX));
		dwarf_lines_free(lines);
	}
	assert_null(dwarf_lines_md5(NULL, 0));
}

/* All checksums lie within the table. */
static void check_within(const struct dwarf_lines *lines, const struct table *t)
{
	for (unsigned int i = 0; i < sizeof(t->bytes); i++) {
		const unsigned char *md5 = dwarf_lines_md5(lines, i);

		assert_true(!md5 || (md5 >= t->bytes && md5 + DWARF_MD5_SIZE <= t->bytes + t->n));
	}
}

/* Cut at every byte, and with every bit changed: nothing, or pointers into the section. */
static void test_damage(void **state)
{
	struct dwarf_lines *lines = NULL;
	struct table t;
	size_t whole;

	make(&t, false);
	whole = t.n;
	for (size_t n = 0; n < whole - 3; n++) {
		unsigned char *copy = malloc(n + 1);

		memcpy(copy, t.bytes, n);
		assert_int_equal(read_bytes(copy, n, &lines), -ENOEXEC);
		assert_null(lines);
		free(copy);
	}
	for (size_t i = 0; i < whole; i++) {
		for (unsigned int bit = 0; bit < 8; bit++) {
			t.bytes[i] ^= 1U << bit;
			lines = NULL;
			if (read_bytes(t.bytes, t.n, &lines))
				assert_null(lines);
			check_within(lines, &t);
			dwarf_lines_free(lines);
			t.bytes[i] ^= 1U << bit;
		}
	}
}

/* Other versions, other forms, and counts that would take all memory. */
static void test_others(void **state)
{
	struct dwarf_lines *lines = NULL;
	struct table t;

	assert_int_equal(read_bytes(NULL, 0, &lines), -ENOEXEC);
	make(&t, false);
	t.bytes[4] = 6;
	assert_int_equal(read_bytes(t.bytes, t.n, &lines), -ENOEXEC);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f); /* entries without any field */
	finish(&t, false);
	assert_int_equal(read_bytes(t.bytes, t.n, &lines), -ENOEXEC);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 1, 1, 0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f);
	finish(&t, false);
	assert_int_equal(read_bytes(t.bytes, t.n, &lines), -ENOEXEC);
	begin(&t, false, 5);
	PUT(&t, 0, 0, 1, 1, 0x19, 1, 0, 0, 0, 0); /* a form that no name has */
	finish(&t, false);
	assert_int_equal(read_bytes(t.bytes, t.n, &lines), -ENOEXEC);
	assert_null(lines);
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
