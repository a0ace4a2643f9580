// SPDX-License-Identifier: BSD-2-Clause
/* Text from outside made safe for a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "user/message.h"

static void shows(const char *s, const char *expected)
{
	char buf[128];

	assert_ptr_equal(printable(s, buf, sizeof(buf)), buf);
	assert_string_equal(buf, expected);
}

static void test_plain(void **state)
{
	shows("", "");
	shows("a plain name; [with] brackets", "a plain name; [with] brackets");
	shows("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80",
	      "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80");
}

static void test_controls(void **state)
{
	shows("a\nb\tc\r", "a\\x0ab\\x09c\\x0d");
	shows("\033]0;title\007", "\\x1b]0;title\\x07");
	shows("\x7f", "\\x7f");
	/* U+009B, the one-character form of ESC [, and a right-to-left override. */
	shows("\xc2\x9b"
	      "2J",
	      "\\xc2\\x9b2J");
	shows("\xe2\x80\xaegpj", "\\xe2\\x80\\xaegpj");
}

static void test_bad_utf8(void **state)
{
	shows("\xff", "\\xff");
	shows("\xc3(", "\\xc3(");
	shows("\xe2\x82", "\\xe2\\x82");
	shows("\x80x", "\\x80x");
	shows("\xc0\xaf", "\\xc0\\xaf"); /* overlong '/' */
	shows("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
	shows("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
	shows("\xe2\x82\xc3\xa9", "\\xe2\\x82\xc3\xa9"); /* the good follows the bad */
}

/* Whatever the size, the result is terminated and no character or escape is cut in two. */
static void test_sizes(void **state)
{
	const char *s = "a\xe2\x82\xac\033z";
	static const char *const expected[] = {
		"",
		"a",
		"a",
		"a",
		"a\xe2\x82\xac",
		"a\xe2\x82\xac",
		"a\xe2\x82\xac",
		"a\xe2\x82\xac",
		"a\xe2\x82\xac\\x1b",
		"a\xe2\x82\xac\\x1bz",
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char buf[16];

		memset(buf, '#', sizeof(buf));
		printable(s, buf, i + 1);
		assert_string_equal(buf, expected[i]);
		assert_int_equal(buf[i + 1], '#');
	}
	printable(s, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_bad_utf8),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
