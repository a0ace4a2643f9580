// SPDX-License-Identifier: BSD-2-Clause
/* Separate debug files: where they are found, and which are refused. */
#include <sys/stat.h>

#include "symbol_fixture.h"

static uint64_t main_address, static_address;
static char *build_id;

/* program: stripped, with a build id and a debuglink to program.debug. */
static int build(void **state)
{
	if (enter_folder(state))
		return -1;
	if (system("command -v gcc >/dev/null && command -v objcopy >/dev/null"))
		return 0; /* each test skips itself */
	run("gcc -O2 -g -Wl,--build-id=sha1 -o whole " SOURCES "/clones.c");
	run("objcopy --only-keep-debug whole program.debug");
	run("objcopy --strip-all --add-gnu-debuglink=program.debug whole program");
	run("objcopy --remove-section=.note.gnu.build-id program bare; mkdir found; "
	    "mv program.debug found");
	main_address = value_of("whole", "main");
	static_address = value_of("whole", "table.constprop.0");
	build_id = output_of("readelf -n whole | sed -n 's/.*Build ID: //p' | tr -d '\\n'");
	return 0;
}

static int leave(void **state)
{
	free(build_id);
	return leave_folder(state);
}

/* Whether the lines and static functions of the debug file are known. */
static bool is_debugged(const char *program, const char *root, const char *dir)
{
	const char *dirs[] = { dir, NULL };
	const struct symbolizer_options options = { .debug_dirs = dirs };
	const struct symbol_source source = { .path = program, .root = root };
	const uint64_t addresses[] = { main_address, static_address };
	struct answer *a = ask_with(&options, &source, addresses, 2);
	bool found = a[0].n && a[1].n;

	if (found) {
		assert_string_equal(a[0].frames[a[0].n - 1].name, "main");
		assert_string_equal(a[0].frames[a[0].n - 1].file, SOURCES "/clones.c");
		assert_int_equal(a[0].frames[a[0].n - 1].start_line,
				 line_of("clones.c", "int main("));
		assert_string_equal(a[1].frames[a[1].n - 1].name, "table");
	} else {
		assert_int_equal(a[1].n, 0);
	}
	free_answers(a, 2);
	return found;
}

/* Places a copy of the debug file, tries, and takes it away. */
static bool works_at(const char *program, const char *place, const char *root, const char *dir)
{
	bool found;

	run("mkdir -p $(dirname %s) && cp found/program.debug %s", place, place);
	found = is_debugged(program, root, dir);
	run("rm %s", place);
	return found;
}

static void test_nowhere(void **state)
{
	need("gcc objcopy readelf");
	assert_false(is_debugged("program", "", "debug"));
	assert_false(is_debugged("program", "", NULL));
}

static void test_build_id(void **state)
{
	char place[256];

	need("gcc objcopy readelf");
	snprintf(place, sizeof(place), "debug/.build-id/%.2s/%s.debug", build_id, build_id + 2);
	assert_true(works_at("program", place, "", "debug"));
	assert_false(works_at("program", place, "", "elsewhere"));
	/* its name is right, its own build id is not */
	run("gcc -O2 -g -DOTHER -Wl,--build-id=md5 -o other " SOURCES "/clones.c && cp other %s",
	    place);
	assert_false(is_debugged("program", "", "debug"));
	run("rm -r debug");
}

static void test_debuglink(void **state)
{
	char place[512], program[256];

	need("gcc objcopy readelf");
	snprintf(program, sizeof(program), "%s/program", folder);
	assert_true(works_at("./program", "./program.debug", "", NULL));
	assert_true(works_at(program, "./program.debug", "", NULL));
	assert_true(works_at("./program", ".debug/program.debug", "", NULL));
	snprintf(place, sizeof(place), "debug%s/program.debug", folder);
	assert_true(works_at(program, place, "", "debug"));
	snprintf(program, sizeof(program), "%s/bare", folder);
	assert_true(works_at(program, "./program.debug", "", NULL)); /* the CRC alone */
	run("rm -r debug");
}

static void test_debuglink_refused(void **state)
{
	need("gcc objcopy readelf");
	run("cp found/program.debug . && echo >> program.debug");
	assert_false(
		is_debugged("./program", "", NULL)); /* the build id is right, the CRC is not */
	assert_false(is_debugged("./bare", "", NULL));
	run("gcc -O2 -g -Wl,--build-id=md5 -o other " SOURCES "/clones.c");
	run("objcopy --only-keep-debug other program.debug");
	run("objcopy --remove-section=.gnu_debuglink program mixed");
	run("objcopy --add-gnu-debuglink=program.debug mixed");
	assert_false(is_debugged("./mixed", "", NULL)); /* the CRC is right, the build id is not */
	run("rm program.debug; objcopy --remove-section=.gnu_debuglink program itself; "
	    "cp itself copy; objcopy --add-gnu-debuglink=copy itself; rm copy; ln itself copy");
	assert_false(is_debugged("./itself", "", NULL));
}

/* Makes crafted, whose .gnu_debuglink is what a command prints. */
static void craft_link(const char *print)
{
	run("(%s) > link && objcopy --remove-section=.gnu_debuglink program crafted && "
	    "objcopy --add-section .gnu_debuglink=link crafted",
	    print);
}

static void test_damaged_debuglink(void **state)
{
	static const char *const links[] = {
		"printf 'program.debug'", /* neither an end nor a CRC */
		"printf 'program.debug\\0\\0\\0'", /* no CRC */
		"printf 'program.debug\\0\\0\\0\\1\\2'", /* half a CRC */
		"printf '\\0\\0\\0\\0\\1\\2\\3\\4'", /* an empty name */
		"printf '\\0'",
		"head -c 10M /dev/zero | tr '\\0' n", /* a name without an end */
		"head -c 10M /dev/zero | tr '\\0' n; printf '\\0\\0\\0\\0\\1\\2\\3\\4'",
		"head -c 10M /dev/zero",
		"printf '..\\0\\0\\1\\2\\3\\4'",
		"printf '%%s%%n%%s%%n%%s\\0\\0\\0\\0\\1\\2\\3\\4'",
	};
	char *sum;

	need("gcc objcopy readelf gzip od");
	run("cp found/program.debug .");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		craft_link(links[i]);
		assert_false(is_debugged("./crafted", "", "."));
	}
	/* The right sum, as gzip keeps it, makes the link whole, but a path is no name. */
	sum = output_of("gzip -c program.debug | tail -c 8 | head -c 4 | od -An -v -to1 | "
			"sed 's/ /\\\\/g' | tr -d '\\n'");
	for (int path = 0; path < 2; path++) {
		char print[256];

		snprintf(print, sizeof(print), "printf '%s%s'",
			 path ? "../program.debug\\0\\0\\0\\0" : "program.debug\\0\\0\\0", sum);
		craft_link(print);
		run("mkdir -p below && cp crafted below/");
		assert_true(is_debugged(path ? "below/crafted" : "./crafted", "", NULL) == !path);
	}
	free(sum);
	run("rm -r below program.debug");
}

/* What --debug-dir names need not be a folder, nor be there, nor be of use. */
static void test_odd_folders(void **state)
{
	char *longest = calloc(1, 9000), deep[512];

	need("gcc objcopy readelf");
	assert_non_null(longest);
	memset(longest, '/', 8999);
	alarm(120);
	run("echo > file; mkfifo fifo; ln -s loop loop; mkdir -p empty");
	assert_false(is_debugged("program", "", ""));
	assert_false(is_debugged("program", "", "file"));
	assert_false(is_debugged("program", "", "fifo"));
	assert_false(is_debugged("program", "", "loop"));
	assert_false(is_debugged("program", "", "empty"));
	assert_false(is_debugged("program", "", "\n"));
	assert_false(is_debugged("program", "", longest));
	assert_false(is_debugged("program", "nowhere", "empty"));
	assert_false(is_debugged("program", "file", "empty"));
	snprintf(deep, sizeof(deep), "good/.build-id/%.2s/%s.debug", build_id, build_id + 2);
	run("mkdir -p $(dirname %s) && cp found/program.debug %s", deep, deep);
	assert_true(is_debugged("program", "", "good/"));
	assert_true(is_debugged("program", "", "./empty/../good"));
	run("rm -r file fifo loop empty good");
	alarm(0);
	free(longest);
}

/* Files below the root of another mount namespace come first, and links do not lead out of it. */
static void test_root(void **state)
{
	char place[512];

	need("gcc objcopy readelf");
	snprintf(place, sizeof(place), "root/usr/lib/debug/.build-id/%.2s/%s.debug", build_id,
		 build_id + 2);
	assert_true(works_at("program", place, "root", NULL));
	assert_false(works_at("program", place, "", NULL));
	snprintf(place, sizeof(place), "root/usr/lib/debug/.build-id/%.2s", build_id);
	run("mkdir -p %s root/pool && cp found/program.debug root/pool/", place);
	run("ln -s /pool/program.debug %s/%s.debug", place, build_id + 2);
	assert_true(
		is_debugged("program", "root", NULL)); /* an absolute link, seen from the root */
	run("rm %s/%s.debug && ln -s %s/found/program.debug %s/%s.debug", place, build_id + 2,
	    folder, place, build_id + 2);
	assert_false(is_debugged("program", "root", NULL));
	run("rm %s/%s.debug && ln -s ../../../../../../../../%s/found/program.debug %s/%s.debug",
	    place, build_id + 2, folder, place, build_id + 2);
	assert_false(is_debugged("program", "root", NULL));
	run("rm -r root");
}

/* What is no regular file is not opened: a FIFO would block. */
static void test_special_files(void **state)
{
	char place[512];

	need("gcc objcopy readelf");
	alarm(120);
	assert_int_equal(mkfifo("program.debug", 0600), 0);
	assert_false(is_debugged("./program", "", NULL));
	snprintf(place, sizeof(place), "debug/.build-id/%.2s", build_id);
	run("mkdir -p %s && mkfifo %s/%s.debug", place, place, build_id + 2);
	assert_false(is_debugged("./program", "", "debug"));
	run("rm %s/%s.debug program.debug && mkdir %s/%s.debug && ln -s /dev/zero program.debug",
	    place, build_id + 2, place, build_id + 2);
	assert_false(is_debugged("./program", "", "debug"));
	run("rm -r debug program.debug");
	alarm(0);
}

/* Compressed debug sections are read, in each of the three ways to store them. */
static void test_compressed(void **state)
{
	static const char *const kinds[] = { "zlib", "zlib-gnu", "zstd" };

	need("gcc objcopy readelf");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct answer *a;

		if (system("objcopy --compress-debug-sections=zstd whole packed 2>/dev/null") &&
		    !strcmp(kinds[i], "zstd")) {
			print_message("objcopy knows no zstd\n");
			continue;
		}
		run("objcopy --compress-debug-sections=%s whole packed", kinds[i]);
		run("! cmp -s whole packed");
		a = ask("packed", &main_address, 1);
		assert_int_equal(a->n, 1);
		assert_string_equal(a->frames[0].file, SOURCES "/clones.c");
		assert_int_equal(a->frames[0].start_line, line_of("clones.c", "int main("));
		free_answers(a, 1);
	}
}

/* A section whose compressed data is damaged costs the lines, not the names. */
static void test_damaged_compression(void **state)
{
	static const char *const kinds[] = { "zlib", "zstd" };

	need("gcc objcopy readelf");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct answer *a;

		if (system("objcopy --compress-debug-sections=zstd whole packed 2>/dev/null"))
			continue;
		run("objcopy --compress-debug-sections=%s whole packed", kinds[i]);
		run("o=$(readelf -SW packed | sed 's/^ *\\[ *[0-9]*\\] *//' | "
		    "awk '$1 == \".debug_info\" { print $4 }'); "
		    "printf 'damaged!damaged!' | "
		    "dd of=packed bs=1 seek=$((0x$o + 40)) conv=notrunc 2>/dev/null");
		a = ask("packed", &main_address, 1);
		assert_int_equal(a->n, 1);
		assert_string_equal(a->frames[0].name, "main");
		free_answers(a, 1);
	}
}

/* mini: stripped, with the symbols of its functions in .gnu_debugdata, packed by what is given. */
static void build_mini(const char *pack)
{
	need("gcc objcopy xz readelf nm");
	run("nm whole | awk '$2 == \"t\" || $2 == \"T\" { print $3 }' > keep");
	run("objcopy --only-keep-debug whole only && "
	    "objcopy -S --remove-section=.comment --keep-symbols=keep only mini.debug");
	run("(%s) < mini.debug > packed", pack);
	run("objcopy --strip-all whole mini && objcopy --remove-section=.note.gnu.build-id "
	    "--add-section .gnu_debugdata=packed mini");
}

static void test_minidebug(void **state)
{
	struct answer *a;

	build_mini("xz");
	expect_name("mini", main_address, "main");
	expect_name("mini", static_address, "table");
	a = ask("mini", &static_address, 1);
	assert_string_equal(a->frames[0].linkage, "table.constprop.0");
	assert_string_equal(a->frames[0].file, "");
	free_answers(a, 1);
	build_mini("xz -9 --check=crc32");
	expect_name("mini", static_address, "table");
}

/* What is damaged, cut, of another kind or without end gives no names and no harm. */
static void test_damaged_minidebug(void **state)
{
	build_mini("xz | head -c -60");
	expect_name("mini", static_address, NULL);
	build_mini("cat");
	expect_name("mini", static_address, NULL);
	build_mini("gzip");
	expect_name("mini", static_address, NULL);
	build_mini("cat - /dev/zero | head -c 200M | xz -0");
	expect_name("mini", static_address, NULL);
	build_mini("cat > /dev/null; echo none | xz");
	expect_name("mini", static_address, NULL);
}

/* Two programs whose debug data dwz moved, as far as they are the same, to a third file at a path. */
static void build_shared(const char *path)
{
	need("g++ dwz readelf nm");
	run("g++ -O2 -g -Wl,--build-id=sha1 -o one " SOURCES "/shapes.cpp && "
	    "g++ -O1 -g -Wl,--build-id=sha1 -o two " SOURCES "/shapes.cpp && cp one plain");
	run("mkdir -p $(dirname %s) && dwz -m %s -M %s/%s one two", path, path, folder, path);
	run("readelf -SW one | grep -q gnu_debugaltlink");
}

/* Whether all of the program's functions, files and lines are as before. */
static bool is_whole(const char *dir)
{
	const char *dirs[] = { dir, NULL };
	const struct symbolizer_options options = { .debug_dirs = dirs };
	const struct symbol_source source = { .path = "one", .root = "" };
	uint64_t addresses[256], start = value_of("plain", "main");
	struct answer *a, *b;
	bool same = true;
	size_t inlined = 0;

	for (size_t i = 0; i < 256; i++)
		addresses[i] = start + i;
	a = ask_with(&options, &source, addresses, 256);
	b = ask("plain", addresses, 256);
	for (size_t i = 0; i < 256 && same; i++) {
		same = a[i].n == b[i].n;
		inlined += b[i].n > 1;
		for (size_t k = 0; k < b[i].n && same; k++)
			same = !strcmp(a[i].frames[k].name, b[i].frames[k].name) &&
			       !strcmp(a[i].frames[k].file, b[i].frames[k].file) &&
			       a[i].frames[k].line == b[i].frames[k].line;
	}
	assert_true(!same || inlined > 10);
	free_answers(a, 256);
	free_answers(b, 256);
	return same;
}

static void test_shared(void **state)
{
	char *id;

	build_shared(".dwz/common.debug");
	assert_true(is_whole("nowhere"));
	run("mkdir -p moved && mv .dwz moved");
	assert_false(is_whole("nowhere"));
	assert_true(is_whole("moved"));
	id = output_of(
		"readelf -n moved/.dwz/common.debug | sed -n 's/.*Build ID: //p' | tr -d '\\n'");
	run("mkdir -p ids/.build-id/%.2s && mv moved/.dwz/common.debug ids/.build-id/%.2s/%s.debug",
	    id, id, id + 2);
	assert_false(is_whole("moved"));
	assert_true(is_whole("ids"));
	free(id);
}

/* Another build's file at the right place is not taken. */
static void test_shared_of_another_build(void **state)
{
	build_shared(".dwz/common.debug");
	run("cp .dwz/common.debug kept; objcopy --remove-section=.note.gnu.build-id "
	    ".dwz/common.debug");
	assert_false(is_whole("nowhere"));
	run("cp whole .dwz/common.debug");
	assert_false(is_whole("nowhere"));
	run("cp kept .dwz/common.debug");
	assert_true(is_whole("nowhere"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_build_id),
		cmocka_unit_test(test_debuglink),
		cmocka_unit_test(test_debuglink_refused),
		cmocka_unit_test(test_damaged_debuglink),
		cmocka_unit_test(test_odd_folders),
		cmocka_unit_test(test_root),
		cmocka_unit_test(test_special_files),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_damaged_compression),
		cmocka_unit_test(test_minidebug),
		cmocka_unit_test(test_damaged_minidebug),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_shared_of_another_build),
	};

	return cmocka_run_group_tests(tests, build, leave);
}
