// SPDX-License-Identifier: BSD-2-Clause
/* Debug data of many megabytes, of which little is needed: the names are right, and the memory is not spent. */
#include <elf.h>
#include <sys/stat.h>

#include "symbol_fixture.h"

#define MIB (1024 * 1024)

static int build(void **state)
{
	if (enter_folder(state))
		return -1;
	if (system("command -v gcc >/dev/null && command -v objcopy >/dev/null"))
		return 0; /* each test skips itself */
	run("gcc -O2 -g -o program " SOURCES "/clones.c");
	run("objcopy --dump-section .debug_str=strings program program");
	return 0;
}

static size_t peak_kib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	size_t kib = 0;

	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, "VmHWM:", 6))
			kib = strtoul(line + 6, NULL, 10);
	fclose(status);
	assert_int_not_equal(kib, 0);
	return kib;
}

/* Asks for main and a static function; what they are told does not depend on the strings' size. */
static void check_names(const char *path)
{
	const uint64_t addresses[] = { value_of("program", "main"),
				       value_of("program", "table.constprop.0") };
	struct answer *a = ask(path, addresses, 2);

	for (int i = 0; i < 2; i++) {
		assert_true(a[i].n);
		assert_string_equal(a[i].frames[a[i].n - 1].file, SOURCES "/clones.c");
	}
	assert_string_equal(a[0].frames[a[0].n - 1].name, "main");
	assert_int_equal(a[0].frames[a[0].n - 1].start_line, line_of("clones.c", "int main("));
	assert_string_equal(a[1].frames[a[1].n - 1].name, "table");
	free_answers(a, 2);
}

/* Moves a section to the end of a file, and makes it that long; what is behind its contents is a hole. */
static void lengthen(const char *path, const char *section, uint64_t length)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	Elf64_Shdr *table, names, *found = NULL;
	char *text, *contents;
	Elf64_Ehdr header;
	struct stat st;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(pread(fd, &header, sizeof(header), 0), sizeof(header));
	table = calloc(header.e_shnum, sizeof(*table));
	assert_non_null(table);
	assert_int_equal(pread(fd, table, header.e_shnum * sizeof(*table), (off_t)header.e_shoff),
			 header.e_shnum * sizeof(*table));
	names = table[header.e_shstrndx];
	text = malloc(names.sh_size);
	assert_non_null(text);
	assert_int_equal(pread(fd, text, names.sh_size, (off_t)names.sh_offset), names.sh_size);
	for (int i = 0; i < header.e_shnum; i++)
		if (!strcmp(text + table[i].sh_name, section))
			found = &table[i];
	assert_non_null(found);
	contents = malloc(found->sh_size);
	assert_non_null(contents);
	assert_int_equal(pread(fd, contents, found->sh_size, (off_t)found->sh_offset),
			 found->sh_size);
	assert_int_equal(pwrite(fd, contents, found->sh_size, st.st_size), found->sh_size);
	assert_int_equal(ftruncate(fd, (off_t)((uint64_t)st.st_size + length)), 0);
	found->sh_offset = (uint64_t)st.st_size;
	found->sh_size = length;
	assert_int_equal(pwrite(fd, table, header.e_shnum * sizeof(*table), (off_t)header.e_shoff),
			 header.e_shnum * sizeof(*table));
	free(contents);
	free(text);
	free(table);
	close(fd);
}

static void test_untouched(void **state)
{
	size_t before;

	need("gcc objcopy readelf");
	run("cp program long");
	lengthen("long", ".debug_str", 1024ul * MIB);
	before = peak_kib();
	check_names("long");
	assert_in_range(peak_kib() - before, 0, 64 * 1024);
}

/* Decompressed, the strings are larger than what may be in memory; GCC's come first. */
static void check_compressed(const char *how)
{
	size_t before;

	need("gcc objcopy readelf");
	run("{ cat strings; seq -f 'a text that nobody asks for, %%.0f' 1 2000000; printf '\\0'; } "
	    ">more");
	run("objcopy --update-section .debug_str=more program compressed");
	run("%s compressed", how);
	run("readelf -SW compressed | grep -q '\\.z*debug_str.*C\\|\\.zdebug_str'");
	before = peak_kib();
	check_names("compressed");
	assert_in_range(peak_kib() - before, 0, 48 * 1024);
	run("rm more compressed");
}

static void test_zlib(void **state)
{
	check_compressed("objcopy --compress-debug-sections=zlib");
}

static void test_zlib_gnu(void **state)
{
	check_compressed("objcopy --compress-debug-sections=zlib-gnu");
}

static void test_zstd(void **state)
{
	need("gcc objcopy readelf");
	if (system("objcopy --compress-debug-sections=zstd program packed 2>/dev/null")) {
		print_message("objcopy knows no zstd\n");
		skip();
	}
	check_compressed("objcopy --compress-debug-sections=zstd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_untouched),
		cmocka_unit_test(test_zlib),
		cmocka_unit_test(test_zlib_gnu),
		cmocka_unit_test(test_zstd),
	};

	return cmocka_run_group_tests(tests, build, leave_folder);
}
