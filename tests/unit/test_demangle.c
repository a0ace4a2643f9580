// SPDX-License-Identifier: BSD-2-Clause
/* Readable names. Expected texts follow from the Itanium C++ ABI and Rust's mangling documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/symbolize.h"

static void check(const char *name, bool full, const char *expected)
{
	char *text = demangle(name, full);

	if (!expected)
		assert_null(text);
	else if (!text)
		fail_msg("%s does not demangle", name);
	else
		assert_string_equal(text, expected);
	free(text);
}

static void both(const char *name, const char *plain, const char *full)
{
	check(name, false, plain);
	check(name, true, full);
}

static void test_cpp(void **state)
{
	both("_Z3fooi", "foo", "foo(int)");
	both("_Z3fooi@plt", "foo@plt", "foo(int)@plt");
	check("free@plt", false, NULL);
	check("@plt", false, NULL);
	both("_ZN4shop4CartIlEpLERKl",
	     "shop::Cart<long>::operator+=", "shop::Cart<long>::operator+=(long const&)");
	both("_ZNK4shop12_GLOBAL__N_15ScaleclEl", "shop::(anonymous namespace)::Scale::operator()",
	     "shop::(anonymous namespace)::Scale::operator()(long) const");
	both("_ZN3FooC2Ev", "Foo::Foo", "Foo::Foo()");
	both("_ZN3FooD0Ev", "Foo::~Foo", "Foo::~Foo()");
	both("_Z3maxIiET_S0_S0_", "max<int>", "int max<int>(int, int)");
	both("_ZZ4mainE3foo", "main::foo", "main::foo");
	both("_Znwm", "operator new", "operator new(unsigned long)");
	both("_ZN3FoocviEv", "Foo::operator int", "Foo::operator int()");
	both("_ZN12_GLOBAL__N_16hiddenEv", "(anonymous namespace)::hidden",
	     "(anonymous namespace)::hidden()");
	both("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()",
	     "main::{lambda(int)#1}::operator()(int) const");
	both("_ZN3FooixB5cxx11Em", "Foo::operator[][abi:cxx11]",
	     "Foo::operator[][abi:cxx11](unsigned long)");
	both("_ZTv0_n24_N3Foo3runEv", "virtual thunk to Foo::run()", "virtual thunk to Foo::run()");
}

static void test_rust(void **state)
{
	both("_ZN1a5total17ha492cf6e0ae23954E", "a::total", "a::total");
	both("_ZN36_$LT$a..Tile$u20$as$u20$a..Shape$GT$4area17h0123456789abcdefE",
	     "<a::Tile as a::Shape>::area", "<a::Tile as a::Shape>::area");
	both("_ZN4core3ops8function6FnOnce28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
	     "core::ops::function::FnOnce::{{closure}}",
	     "core::ops::function::FnOnce::{{closure}}");
	both("_RNvC1a5total", "a::total", "a::total");
	both("_RNvXs_CsaIPdKtaTSMg_1aNtB4_4TileNtB4_5Shape4area", "<a::Tile as a::Shape>::area",
	     "<a::Tile as a::Shape>::area");
	both("_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>",
	     "std::mem::align_of::<usize, f64>");
}

static void test_suffixes(void **state)
{
	both("table.constprop.0", "table", NULL);
	both("report.cold", "report", NULL);
	both("f.isra.0.part.12.cold", "f", NULL);
	both("f.lto_priv.3.llvm.1234567", "f", NULL);
	both("f.clone.4", "f", NULL);
	both("f.localalias", "f", NULL);
	both("f.cold.1", "f", NULL);
	both("f.__uniq.12345.llvm.678", "f", NULL);
	both("_ZL3onev.lto_priv.0", "one", "one() [clone .lto_priv.0]");
	both("_Z3fooi.cold", "foo", "foo(int) [clone .cold]");
	both("_Z3fooi.constprop.0", "foo", "foo(int) [clone .constprop.0]");
	check("_ZN1a5total17ha492cf6e0ae23954E.llvm.8123", false, "a::total");
	check("_RNvC1a5total.llvm.8123", false, "a::total");
	/* not of a compiler, or not at the end */
	both("main.total", NULL, NULL);
	both("a.cold.b", NULL, NULL);
	both("f.1", NULL, NULL);
	both("f.partial", NULL, NULL);
	both("f.part", NULL, NULL); /* without the number it is a word of somebody's */
	both("maps.clone", NULL, NULL);
	both("f.isra.cold", "f.isra", NULL);
	both("f.cold.part", NULL, NULL);
	both("f..0", NULL, NULL);
	both("f.", NULL, NULL);
	both(".cold", NULL, NULL);
	both("_ZN39_$LT$x..part..y$u20$as$u20$a..Shape$GT$4area17h0123456789abcdefE",
	     "<x::part::y as a::Shape>::area", "<x::part::y as a::Shape>::area");
}

static void test_other_names(void **state)
{
	both("main", NULL, NULL);
	both("", NULL, NULL);
	both("main.(*T).Method", NULL, NULL);
	both("$s4main3fooyyF", NULL, NULL);
	both("_Z", NULL, NULL);
	both("_R", NULL, NULL);
	both("_Zebra", NULL, NULL);
	both("_Z3fooi is no name", NULL, NULL);
	both("_ZN3fooE garbage", NULL, NULL);
	both("i", NULL, NULL); /* a type's code */
}

/*
 * Nested pairs, each of the one before twice: the readable text doubles with each level. It must
 * neither take long nor much memory.
 */
static void test_explosion(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[2048] = "_Z1fSt4pairIiiE", last[16], next[64], *text;

	alarm(120);
	for (int level = 0; level < 60; level++) {
		/* each level is two substitutions: the template, and what it makes */
		if (2 * level < 36)
			snprintf(last, sizeof(last), "S%c_", digits[2 * level]);
		else
			snprintf(last, sizeof(last), "S%c%c_", digits[2 * level / 36],
				 digits[2 * level % 36]);
		snprintf(next, sizeof(next), "St4pairI%s%sE", last, last);
		strcat(name, next);
		text = demangle(name, true);
		if (level == 0)
			assert_string_equal(
				text, "f(std::pair<int, int>, "
				      "std::pair<std::pair<int, int>, std::pair<int, int> >)");
		if (text)
			assert_true(strlen(text) < 64 * 1024);
		free(text);
		free(demangle(name, false));
	}
	check(name, true, NULL);
	alarm(0);
}

static void test_deep_and_long(void **state)
{
	size_t size = 100000;
	char *name = malloc(size + 1);

	assert_non_null(name);
	alarm(120);
	memset(name, 'P', size);
	memcpy(name, "_Z1f", 4);
	for (size_t n = 8; n <= size; n = n * 5 / 4) {
		name[n] = '\0';
		free(demangle(name, false));
		free(demangle(name, true));
		name[n] = 'P';
	}
	memset(name, '.', size);
	memcpy(name, "_R", 2);
	name[size] = '\0';
	check(name, false, NULL);
	for (size_t i = 1; i + 5 <= 4000; i += 5)
		memcpy(name + i, ".part", 5);
	name[0] = 'f';
	name[4000] = '\0';
	check(name, false, NULL);
	alarm(0);
	free(name);
}

/* Drops spaces, and writes one type as libiberty does. */
static void normalize(char *text)
{
	static const char llvm[] = "std::nullptr_t", iberty[] = "decltype(nullptr)";
	char *to = text, *at;

	for (const char *from = text; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
	while ((at = strstr(text, llvm))) {
		memmove(at + sizeof(iberty) - 1, at + sizeof(llvm) - 1,
			strlen(at + sizeof(llvm) - 1) + 1);
		memcpy(at, iberty, sizeof(iberty) - 1);
	}
}

/*
 * Where LLVM 14 differs: clones for transactional memory are not known to it, it loses the name of
 * the constructor of a tagged class, and it has its own spelling of the abbreviated std::string etc.
 */
static bool explained(const char *name, const char *expected)
{
	const char *rest = name + strcspn(name, "S");

	return !strcmp(name, expected) || strstr(expected, "[abi:") ||
	       ((rest == name + 3 || rest == name + 4) && rest[1] && strchr("absiod", rest[1]));
}

/* Every name of the C++ library reads as LLVM's demangler has it. */
static void test_against_llvm(void **state)
{
	char name[65536], expected[2 * 65536];
	unsigned int compared = 0;
	FILE *in;

	if (system("command -v llvm-cxxfilt >/dev/null && command -v nm >/dev/null")) {
		print_message("skipped: no llvm-cxxfilt or nm\n");
		skip();
	}
	in = popen("l=$(ldconfig -p | awk '/libstdc\\+\\+.so.6/ { print $NF; exit }'); "
		   "f=$(mktemp); nm -D --defined-only --without-symbol-versions $l | "
		   "awk '$2 ~ /[TW]/ && $3 ~ /^_Z/ { print $3 }' > $f; "
		   "llvm-cxxfilt < $f | paste -d '\\n' $f -; rm $f",
		   "re");
	assert_non_null(in);
	while (fgets(name, sizeof(name), in) && fgets(expected, sizeof(name), in)) {
		char *text;

		name[strcspn(name, "\n")] = expected[strcspn(expected, "\n")] = '\0';
		if (explained(name, expected))
			continue;
		text = demangle(name, true);
		assert_non_null(text);
		normalize(text);
		normalize(expected);
		assert_string_equal(text, expected);
		free(text);
		compared++;
	}
	pclose(in);
	assert_in_range(compared, 1000, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpp),	     cmocka_unit_test(test_rust),
		cmocka_unit_test(test_suffixes),     cmocka_unit_test(test_other_names),
		cmocka_unit_test(test_explosion),    cmocka_unit_test(test_deep_and_long),
		cmocka_unit_test(test_against_llvm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
