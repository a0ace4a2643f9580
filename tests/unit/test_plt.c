// SPDX-License-Identifier: BSD-2-Clause
/* Stubs of procedure linkage tables; expectations come from objdump and readelf. */
#include "symbol_fixture.h"

#define SECTIONS "-j .plt -j .plt.got -j .plt.sec"

static uint64_t plt_of(const char *file)
{
	return number_of("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\] *//' | "
			 "awk '$1 == \".plt\" { print $3 }'",
			 file);
}

/* Each stub that objdump names, from its first byte to its eighth. */
static void check(const char *file, const char *section)
{
	char *text = output_of("objdump -d %s %s 2>/dev/null | "
			       "sed -n 's/^\\([0-9a-f]*\\) <\\(.*@plt\\)>:$/\\1 \\2/p'",
			       section, file);
	char *line, *rest, name[256];
	uint64_t address;
	size_t n = 0;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		assert_int_equal(sscanf(line, "%" SCNx64 " %255s", &address, name), 2);
		expect_name(file, address, name);
		expect_name(file, address + 7, name);
		n++;
	}
	free(text);
	assert_true(n > 0);
}

static void test_plain(void **state)
{
	need("gcc objdump strip");
	run("gcc -fno-builtin -fcf-protection=none -pie -o pie " SOURCES "/stubs.c");
	check("pie", SECTIONS);
	check("pie", "-j .plt.got");
	expect_name("pie", plt_of("pie"), NULL); /* what the others go on to */
	run("gcc -fno-builtin -no-pie -o fixed " SOURCES "/stubs.c && strip fixed");
	check("fixed", SECTIONS);
}

static void test_lld(void **state)
{
	need("clang ld.lld objdump");
	run("clang -fuse-ld=lld -fno-builtin -o lld " SOURCES "/stubs.c");
	check("lld", SECTIONS);
	run("clang -fuse-ld=lld -fno-builtin -fcf-protection -Wl,-z,force-ibt -o lld-ibt " SOURCES
	    "/stubs.c");
	check("lld-ibt", SECTIONS);
}

/* With indirect branch tracking there are two stubs a function; objdump names the second. */
static void test_branch_tracking(void **state)
{
	char name[256], *text, *line, *rest;
	uint64_t address;
	size_t n = 0;

	need("gcc objdump readelf");
	run("gcc -fno-builtin -fcf-protection -Wl,-z,ibtplt -o ibt " SOURCES "/stubs.c");
	check("ibt", SECTIONS);
	check("ibt", "-j .plt.sec");
	address = plt_of("ibt");
	expect_name("ibt", address, NULL);
	text = output_of("readelf -rW ibt | awk '/JUMP_SLO/ { sub(/@.*/, \"\", $5); print $5 }'");
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		snprintf(name, sizeof(name), "%s@plt", line);
		expect_name("ibt", address += 16, name);
		n++;
	}
	assert_true(n > 3);
	free(text);
}

/* Of a function that is chosen at start the name is that of the chooser, of which there may be aliases. */
static void check_chosen(const char *file)
{
	char *text = output_of("objdump -d -j .plt %s | awk '/jmp.*# [0-9a-f]/ "
			       "{ sub(/.*# /, \"\"); sub(/ .*/, \"\"); print }'",
			       file);
	char *line, *rest, symbol[300];
	size_t n = 0;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		uint64_t stub = number_of(
			"objdump -d -j .plt %s | awk -F: '/# %s( |$)/ { print $1 }'", file, line);
		char *chooser, *names;
		struct answer *a;

		chooser = output_of("readelf -rW %s | awk '$1 ~ /^0*%s$/ { printf \"%%s\", $NF }'",
				    file, line);
		names = output_of(
			"readelf -sW %s | awk '$2 ~ /^0*%s$/ { print $8 \"@plt\" }'; echo", file,
			chooser);
		a = ask(file, &stub, 1);
		assert_int_equal(a->n, 1);
		snprintf(symbol, sizeof(symbol), "%s\n", a->frames[0].name);
		assert_non_null(strstr(names, symbol));
		free_answers(a, 1);
		free(chooser);
		free(names);
		n++;
	}
	free(text);
	assert_true(n > 5);
}

static void test_static(void **state)
{
	need("gcc objdump readelf");
	run("gcc -static -o static " SOURCES "/stubs.c");
	check_chosen("static");
}

static void test_cpp(void **state)
{
	const struct symbolizer_options full = { .full_names = true };
	const struct symbol_source source = { .path = "stubs", .root = "" };
	uint64_t address;
	struct answer *a;

	need("g++ objdump");
	run("g++ -o stubs " SOURCES "/stubs.cpp");
	address = number_of("objdump -d " SECTIONS
			    " stubs 2>/dev/null | grep '<_ZNSo5writeEPKcl@plt>:'");
	a = ask("stubs", &address, 1);
	assert_string_equal(a->frames[0].linkage, "_ZNSo5writeEPKcl@plt");
	assert_string_equal(a->frames[0].name, "std::ostream::write@plt");
	free_answers(a, 1);
	a = ask_with(&full, &source, &address, 1);
	assert_string_equal(a->frames[0].name, "std::ostream::write(char const*, long)@plt");
	free_answers(a, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_lld),
		cmocka_unit_test(test_branch_tracking),
		cmocka_unit_test(test_static),
		cmocka_unit_test(test_cpp),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
