// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's names: the real list against grep, and crafted ones. */
#include "symbol_fixture.h"

static struct kernel_symbols *load_text(const char *text, int expected)
{
	struct kernel_symbols *k = NULL;
	FILE *out = fopen("kallsyms", "w");

	assert_non_null(out);
	assert_int_equal(fputs(text, out) >= 0, 1);
	fclose(out);
	assert_int_equal(kernel_symbols_new("kallsyms", &k), expected);
	assert_int_equal(k != NULL, expected == 0);
	return k;
}

static void expect(const struct kernel_symbols *k, uint64_t address, const char *name,
		   const char *module, uint64_t start)
{
	const char *found_name = "none", *found_module = "none";
	uint64_t found_start = 1;

	if (!name) {
		assert_false(
			kernel_symbols_find(k, address, &found_name, &found_module, &found_start));
		assert_string_equal(found_name, "none");
		assert_int_equal(found_start, 1);
		return;
	}
	assert_true(kernel_symbols_find(k, address, &found_name, &found_module, &found_start));
	assert_string_equal(found_name, name);
	assert_string_equal(found_module, module);
	assert_int_equal(found_start, start);
}

static void test_lookup(void **state)
{
	struct kernel_symbols *k =
		load_text("ffffffff81000000 T _text\n"
			  "ffffffff81000000 T _stext\n"
			  "ffffffff81000000 T first_function\n"
			  "ffffffff81000100 t second\n"
			  "ffffffff81000200 W weak_one\n"
			  "ffffffff81000200 T the_global\n"
			  "ffffffff81000200 t a_local\n"
			  "ffffffff81000300 D some_data\n"
			  "ffffffff81000400 t unaligned.cold\n"
			  "ffffffffc0001000 t in_module\t[ext4]\n"
			  "ffffffffc0002000 t bpf_prog_1234_run\t[bpf]\n"
			  "ffffffffc0002800 t bpf_trampoline_6442489\t[bpf]\n"
			  "ffffffffc0002c00 t bpf_dispatcher_xdp\t[bpf]\n"
			  "ffffffffc0003000 w after\t[second_module]\n"
			  "ffffffffc0004000 t ftrace_trampoline\t[__builtin__ftrace]\n",
			  0);

	expect(k, 0xffffffff80ffffff, NULL, NULL, 0);
	expect(k, 0xffffffff81000000, "first_function", "", 0xffffffff81000000);
	expect(k, 0xffffffff810000ff, "first_function", "", 0xffffffff81000000);
	expect(k, 0xffffffff81000100, "second", "", 0xffffffff81000100);
	expect(k, 0xffffffff81000250, "the_global", "", 0xffffffff81000200);
	expect(k, 0xffffffff81000350, NULL, NULL, 0); /* data names no code */
	expect(k, 0xffffffff81000400, "unaligned.cold", "", 0xffffffff81000400);
	expect(k, 0xffffffff91000400, NULL, NULL, 0); /* the last symbol does not reach modules */
	expect(k, 0xffffffffc0001fff, "in_module", "ext4", 0xffffffffc0001000);
	expect(k, 0xffffffffc0002001, "bpf_prog_1234_run", "bpf", 0xffffffffc0002000);
	expect(k, 0xffffffffc0002801, "bpf_trampoline_6442489", "bpf", 0xffffffffc0002800);
	expect(k, 0xffffffffc0002fff, "bpf_dispatcher_xdp", "bpf", 0xffffffffc0002c00);
	expect(k, 0xffffffffc0003000, "after", "second_module", 0xffffffffc0003000);
	expect(k, 0xffffffffc0004010, "ftrace_trampoline", "__builtin__ftrace", 0xffffffffc0004000);
	expect(k, UINT64_MAX, NULL, NULL, 0);
	expect(k, 0, NULL, NULL, 0);
	kernel_symbols_free(k);
}

static void test_order_does_not_matter(void **state)
{
	struct kernel_symbols *k = load_text("ffffffffc0001000 t in_module\t[m]\n"
					     "ffffffff81000100 t second\n"
					     "ffffffff81000000 T first\n"
					     "ffffffff81000100 t also\n",
					     0);

	expect(k, 0xffffffff81000080, "first", "", 0xffffffff81000000);
	expect(k, 0xffffffff81000180, "also", "", 0xffffffff81000100); /* the shorter */
	expect(k, 0xffffffffc0001001, "in_module", "m", 0xffffffffc0001000);
	kernel_symbols_free(k);
}

static void test_hidden(void **state)
{
	load_text("0000000000000000 T _text\n"
		  "0000000000000000 t first\n"
		  "0000000000000000 t in_module\t[m]\n",
		  -EPERM);
}

static void test_damaged(void **state)
{
	struct kernel_symbols *k = load_text("\n"
					     "nonsense\n"
					     "ffffffff81000000\n"
					     "ffffffff81000000 T\n"
					     "ffffffff81000000 T \n"
					     "fffffffffffffffff81000000 T too_wide\n"
					     "-1 T negative\n"
					     "ffffffff81000100 T good\n"
					     "ffffffff81000200  T two_spaces\n"
					     "ffffffff81000300 T unterminated\t[mod",
					     0);

	expect(k, 0xffffffff81000000, NULL, NULL, 0);
	expect(k, 0xffffffff81000250, "good", "", 0xffffffff81000100);
	expect(k, 0xffffffff81000300, "unterminated", "mod", 0xffffffff81000300);
	kernel_symbols_free(k);
	k = load_text("", 0);
	expect(k, 0xffffffff81000000, NULL, NULL, 0);
	kernel_symbols_free(k);
}

static void test_no_file(void **state)
{
	struct kernel_symbols *k = NULL;

	assert_int_equal(kernel_symbols_new("/nonexistent/kallsyms", &k), -ENOENT);
	assert_int_equal(kernel_symbols_new("/tmp", &k), -EISDIR);
	assert_null(k);
	kernel_symbols_free(NULL);
}

/* Each of a few hundred functions of the running kernel is found by its start, as grep shows it. BPF
 * programs come and go between two looks. */
static void test_running_kernel(void **state)
{
	struct kernel_symbols *k = NULL;
	char line[1024], address_text[32], type, name[512], module[512];
	unsigned int compared = 0;
	FILE *in;
	int err = kernel_symbols_new(NULL, &k);

	if (err == -EPERM) {
		print_message("the kernel hides its addresses\n");
		skip();
	}
	assert_int_equal(err, 0);
	in = popen("awk '$2 ~ /^[tTwW]$/ && $4 != \"[bpf]\"' /proc/kallsyms | awk 'NR % 101 == 0'",
		   "re");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		const char *found, *found_module;
		uint64_t address, start;
		char command[256];

		module[0] = '\0';
		assert_true(sscanf(line, "%31s %c %511s [%511[^]]", address_text, &type, name,
				   module) >= 3);
		address = strtoull(address_text, NULL, 16);
		assert_true(kernel_symbols_find(k, address, &found, &found_module, &start));
		assert_int_equal(start, address);
		assert_string_equal(found_module, module);
		/* of several names of one address another may be the better one */
		snprintf(command, sizeof(command), "grep -q '^%s . %s\\(\\s\\|$\\)' /proc/kallsyms",
			 address_text, found);
		if (strcmp(found, name))
			assert_int_equal(system(command), 0);
		compared++;
	}
	pclose(in);
	assert_in_range(compared, 100, 100000);
	kernel_symbols_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),	cmocka_unit_test(test_order_does_not_matter),
		cmocka_unit_test(test_hidden),	cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_no_file), cmocka_unit_test(test_running_kernel),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
