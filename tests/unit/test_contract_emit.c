// SPDX-License-Identifier: BSD-2-Clause
/* The two notations, on what each must treat with care. Decoders read them in the end-to-end tests. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/contract/emit.h"
#include "formats/contract/ratio.h"

#define TEXT(s) ((struct contract_text){ s, sizeof(s) - 1 })

static void write_document(struct emit *e)
{
	emit_string(e, "a", "x");
	emit_object(e, "o");
	emit_number(e, "n", UINT64_MAX);
	emit_array(e, "none", 0);
	emit_end(e);
	emit_array(e, "some", 2);
	emit_string(e, NULL, "b");
	emit_string(e, NULL, "c,d");
	emit_end(e);
	emit_end(e);
	emit_list(e, "list", 2);
	for (int i = 0; i < 2; i++) {
		emit_item(e);
		emit_token(e, "t", "true");
		emit_table(e, "rows", "p,q", 1, false);
		emit_row(e);
		emit_number(e, "p", (uint64_t)i);
		emit_unavailable(e, "q");
		emit_end(e);
		emit_end(e);
		emit_end(e);
	}
	emit_end(e);
	emit_table(e, "header", "p,q", 0, true);
	emit_end(e);
	emit_table(e, "empty", "p,q", 0, false);
	emit_end(e);
	emit_qualified(e, "name", TEXT("<root>"), TEXT("f\0g"));
}

static void check_document(const struct emit_ops *ops, const char *expected)
{
	struct emit e;
	char *bytes = NULL;
	size_t n;
	FILE *out = open_memstream(&bytes, &n);

	assert_non_null(out);
	emit_begin(&e, ops, out);
	write_document(&e);
	assert_int_equal(emit_finish(&e), 0);
	fclose(out);
	assert_string_equal(bytes, expected);
	free(bytes);
}

static void test_toon(void **state)
{
	check_document(&emit_toon, "a: x\n"
				   "o:\n"
				   "  n: 18446744073709551615\n"
				   "  none: []\n"
				   "  some[2]: b,\"c,d\"\n"
				   "list[2]:\n"
				   "  - t: true\n"
				   "    rows[1]{p,q}:\n"
				   "      0,unavailable\n"
				   "  - t: true\n"
				   "    rows[1]{p,q}:\n"
				   "      1,unavailable\n"
				   "header[0]{p,q}:\n"
				   "empty: []\n"
				   "name: \"<root>.f\\u0000g\"\n");
}

static void test_json(void **state)
{
	check_document(&emit_json, "{\n"
				   "  \"a\": \"x\",\n"
				   "  \"o\": {\n"
				   "    \"n\": 18446744073709551615,\n"
				   "    \"none\": [],\n"
				   "    \"some\": [\"b\", \"c,d\"]\n"
				   "  },\n"
				   "  \"list\": [\n"
				   "    {\n"
				   "      \"t\": true,\n"
				   "      \"rows\": [\n"
				   "        {\"p\": 0, \"q\": \"unavailable\"}\n"
				   "      ]\n"
				   "    },\n"
				   "    {\n"
				   "      \"t\": true,\n"
				   "      \"rows\": [\n"
				   "        {\"p\": 1, \"q\": \"unavailable\"}\n"
				   "      ]\n"
				   "    }\n"
				   "  ],\n"
				   "  \"header\": [],\n"
				   "  \"empty\": [],\n"
				   "  \"name\": \"<root>.f\\u0000g\"\n"
				   "}\n");
}

static void check_scalar(struct contract_text text, const char *expected)
{
	struct emit e;
	char *bytes = NULL, line[512];
	size_t n;
	FILE *out = open_memstream(&bytes, &n);

	assert_non_null(out);
	emit_begin(&e, &emit_toon, out);
	emit_text(&e, "k", text);
	assert_int_equal(emit_finish(&e), 0);
	fclose(out);
	snprintf(line, sizeof(line), "k: %s\n", expected);
	assert_string_equal(bytes, line);
	free(bytes);
}

static void test_what_toon_quotes(void **state)
{
	check_scalar(TEXT("plain text-1_é.x"), "plain text-1_é.x");
	check_scalar(TEXT(""), "\"\"");
	check_scalar(TEXT(" a"), "\" a\"");
	check_scalar(TEXT("a "), "\"a \"");
	check_scalar(TEXT("\xC2\xA0"
			  "a"),
		     "\"\xC2\xA0"
		     "a\"");
	check_scalar(TEXT("true"), "\"true\"");
	check_scalar(TEXT("null"), "\"null\"");
	check_scalar(TEXT("nullable"), "nullable");
	check_scalar(TEXT("-a"), "\"-a\"");
	check_scalar(TEXT("a-b"), "a-b");
	check_scalar(TEXT("#a"), "\"#a\"");
	check_scalar(TEXT("12"), "\"12\"");
	check_scalar(TEXT("007"), "\"007\"");
	check_scalar(TEXT("1.5"), "\"1.5\"");
	check_scalar(TEXT("1.5e-3"), "\"1.5e-3\"");
	check_scalar(TEXT("1.5.2"), "1.5.2");
	check_scalar(TEXT("1e"), "1e");
	check_scalar(TEXT("3d"), "3d");
	check_scalar(TEXT("a:b"), "\"a:b\"");
	check_scalar(TEXT("a,b"), "\"a,b\"");
	check_scalar(TEXT("[1]"), "\"[1]\"");
	check_scalar(TEXT("{x}"), "\"{x}\"");
	check_scalar(TEXT("a\\b\"c"), "\"a\\\\b\\\"c\"");
	check_scalar(TEXT("a\nb\r\t"), "\"a\\nb\\r\\t\"");
	check_scalar(TEXT("a\0b\x1b"), "\"a\\u0000b\\u001b\"");
	check_scalar(TEXT("\xE2\x80\xAE"), "\"\\u202e\"");
	check_scalar(TEXT("\xff"), "\"\\ufffd\"");
}

static void test_full_disk(void **state)
{
	struct emit e;
	FILE *out = fopen("/dev/full", "w");

	assert_non_null(out);
	emit_begin(&e, &emit_json, out);
	emit_string(&e, "a", "b");
	assert_int_equal(emit_finish(&e), -ENOSPC);
	fclose(out);
}

static void check_share(uint64_t part, uint64_t scale, uint64_t whole, const char *expected)
{
	char buf[48];

	assert_string_equal(ratio_print(ratio_hundredths(part, scale, whole), buf, sizeof(buf)),
			    expected);
}

static void test_shares(void **state)
{
	check_share(0, 100, 1, "0.00");
	check_share(1, 100, 3, "33.33");
	check_share(2, 100, 3, "66.67");
	check_share(1, 100, 20000, "0.01"); /* half away from zero */
	check_share(1, 100, 20001, "0.00");
	check_share(UINT64_MAX, 100, UINT64_MAX, "100.00");
	check_share(UINT64_MAX, 1000000000, 1, "18446744073709551615000000000.00");
	assert_true(ratio_reaches(UINT64_MAX, UINT64_MAX, 10000));
	assert_false(ratio_reaches(UINT64_MAX - 1, UINT64_MAX, 10000));
	assert_true(ratio_reaches(0, UINT64_MAX, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_toon),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_what_toon_quotes),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
