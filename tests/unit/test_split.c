// SPDX-License-Identifier: BSD-2-Clause
/*
 * Debug data that the compiler left in files of its own: all answers are those of the same program built
 * with its debug data inside, and what does not belong to it is not used.
 */
#include <sys/stat.h>

#include "symbol_fixture.h"
#include "symbolize/dwp_index.h"

#define MAX_ADDRESSES (64 * 1024)

struct whole {
	uint64_t addresses[MAX_ADDRESSES];
	size_t n;
	struct answer *answers;
};

static struct whole whole;

static void all_of(const char *path, struct whole *w)
{
	uint64_t start, size;

	text_of(path, &start, &size);
	assert_in_range(size, 1000, MAX_ADDRESSES);
	w->n = 0;
	for (uint64_t at = 0; at < size; at += 3)
		w->addresses[w->n++] = start + at;
}

/* Builds "program" in two ways, of the sources in ours/, and keeps the answers of the one with all inside. */
static void build(const char *compile, const char *options, const char *split)
{
	free_answers(whole.answers, whole.answers ? whole.n : 0);
	run("rm -rf ours program* *.dwo && mkdir ours && cp " SOURCES "/shapes.cpp ours");
	run("cd ours && %s %s -c -o shapes.o shapes.cpp && %s -o ../program shapes.o", compile,
	    options, compile);
	all_of("program", &whole);
	whole.answers = ask("./program", whole.addresses, whole.n);
	run("cd ours && %s %s %s -c -o shapes.o shapes.cpp && %s -o ../program shapes.o", compile,
	    options, split, compile);
}

static bool is_same(const struct answer *a, const struct answer *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct answer_frame *x = &a->frames[i], *y = &b->frames[i];

		if (strcmp(x->name, y->name) || strcmp(x->linkage, y->linkage) ||
		    strcmp(x->file, y->file) || x->line != y->line || x->column != y->column ||
		    x->start_line != y->start_line || x->discriminator != y->discriminator)
			return false;
	}
	return true;
}

/* How many answers of a place are those of the program with all inside; all have its line. */
static size_t same_from(const struct symbol_source *source, const char *dir)
{
	const char *const dirs[] = { dir, NULL };
	const struct symbolizer_options options = { .debug_dirs = dirs };
	struct answer *answers = ask_with(&options, source, whole.addresses, whole.n);
	size_t same = 0;

	for (size_t i = 0; i < whole.n; i++) {
		same += is_same(&answers[i], &whole.answers[i]);
		if (!answers[i].n)
			continue;
		assert_true(whole.answers[i].n > 0);
		assert_int_equal(answers[i].frames[0].line, whole.answers[i].frames[0].line);
		assert_string_equal(answers[i].frames[0].file, whole.answers[i].frames[0].file);
	}
	free_answers(answers, whole.n);
	return same;
}

static const struct symbol_source beside = { .path = "./program", .root = "" };

static bool is_found(const struct symbol_source *source, const char *dir)
{
	size_t same = same_from(source, dir);

	/* what is not inlined, and has no mangled name, has it from its symbol or the line alone */
	assert_true(same == whole.n || same < whole.n / 2);
	return same == whole.n;
}

static void check_places(void)
{
	assert_true(is_found(&beside, NULL));
	run("mv ours gone");
	assert_false(is_found(&beside, NULL));
	run("cp gone/shapes.dwo .");
	assert_true(is_found(&beside, NULL));
	run("mkdir -p dir%s/ours && mv shapes.dwo dir%s/ours", folder, folder);
	assert_false(is_found(&beside, NULL));
	assert_true(is_found(&beside, "dir"));
	run("rm -r dir && mv gone ours");
}

/* GCC names the file as the object with its folder, clang without it. */
static const struct {
	const char *compile, *options, *split, *package;
} builds[] = {
	{ "g++", "-O2 -gdwarf-4", "-gsplit-dwarf", "dwp" },
	{ "g++", "-O2 -gdwarf-5", "-gsplit-dwarf", "llvm-dwp" },
	{ "clang++", "-O2 -gdwarf-4", "-gsplit-dwarf", "dwp" },
	{ "clang++", "-O2 -gdwarf-5", "-gsplit-dwarf", "llvm-dwp" },
	{ "g++", "-O2 -gdwarf-5 -ffunction-sections", "-gsplit-dwarf", "llvm-dwp" },
	{ "g++", "-O2 -gdwarf-4", "-gsplit-dwarf -fdebug-types-section", "dwp" },
	{ "g++", "-O2 -gdwarf-5", "-gsplit-dwarf -fdebug-types-section", NULL },
	{ "clang++", "-O2 -gdwarf-4", "-gsplit-dwarf -fdebug-types-section", "dwp" },
	{ "clang++", "-O2 -gdwarf-5", "-gsplit-dwarf -fdebug-types-section", "llvm-dwp" },
	{ "g++", "-O2 -gdwarf-5", "-gsplit-dwarf -gz", NULL },
	{ "clang++", "-O2 -gdwarf-4", "-gsplit-dwarf=single -gz", NULL },
	{ "clang++", "-O2 -gdwarf-5", "-gsplit-dwarf=single", NULL },
};
#define N_BUILDS (sizeof(builds) / sizeof(builds[0]))

static void check_package(const char *tool)
{
	run("(cd ours && %s -e ../program -o ../program.dwp) && rm -r ours", tool);
	assert_true(is_found(&beside, NULL));
	run("mkdir dir && mv program.dwp dir");
	assert_false(is_found(&beside, NULL));
	assert_true(is_found(&beside, "dir"));
	run("rm -r dir");
}

static void test_builds(void **state)
{
	need("g++ clang++ readelf dwp llvm-dwp");
	for (size_t i = 0; i < N_BUILDS; i++) {
		build(builds[i].compile, builds[i].options, builds[i].split);
		assert_true(is_found(&beside, NULL));
		if (i < 4)
			check_places();
		if (builds[i].package)
			check_package(builds[i].package);
	}
}

/* Without one, what GCC calls the same file of another build is not this one's. */
static void test_other_build(void **state)
{
	need("g++ readelf llvm-dwp");
	for (int dwarf = 4; dwarf <= 5; dwarf++) {
		char options[32];

		snprintf(options, sizeof(options), "-O2 -gdwarf-%d", dwarf);
		build("g++", options, "-gsplit-dwarf");
		run("cp ours/shapes.dwo right.dwo");
		run("cd ours && sed -i 's/square/cube/' shapes.cpp && g++ %s -gsplit-dwarf -c "
		    "-o shapes.o shapes.cpp && g++ -o ../other shapes.o && llvm-dwp -e ../other "
		    "-o ../program.dwp",
		    options);
		assert_false(is_found(&beside, NULL));
		/* of several the right one, behind a package without it */
		run("cp right.dwo shapes.dwo");
		assert_true(is_found(&beside, NULL));
		run("rm shapes.dwo");
	}
}

static void test_special_files(void **state)
{
	need("g++ readelf");
	build("g++", "-O2 -g", "-gsplit-dwarf");
	run("mv ours/shapes.dwo right.dwo");
	alarm(120);
	assert_int_equal(mkfifo("ours/shapes.dwo", 0600), 0);
	assert_int_equal(mkfifo("program.dwp", 0600), 0);
	assert_false(is_found(&beside, NULL));
	run("rm ours/shapes.dwo program.dwp && ln -s /dev/zero ours/shapes.dwo && mkdir program.dwp");
	assert_false(is_found(&beside, NULL));
	run("rmdir program.dwp && ln -s program.dwp program.dwp");
	assert_false(is_found(&beside, NULL));
	run("rm program.dwp && ln -s $PWD/right.dwo shapes.dwo");
	assert_true(is_found(&beside, NULL));
	alarm(0);
}

/* What a process in another root sees at the path; its links do not lead out of it. */
static void test_root(void **state)
{
	const struct symbol_source inside = { .path = "./program", .root = "root" };

	need("g++ readelf");
	build("g++", "-O2 -g", "-gsplit-dwarf");
	run("mkdir -p root%s outside && mv ours root%s/ && cp program root/", folder, folder);
	assert_true(is_found(&inside, NULL));
	run("mv root%s/ours/shapes.dwo outside", folder);
	assert_false(is_found(&inside, NULL));
	run("ln -s ../../../outside/shapes.dwo root%s/ours/shapes.dwo", folder);
	assert_false(is_found(&inside, NULL));
	run("ln -sf $PWD/outside/shapes.dwo root%s/ours/shapes.dwo", folder);
	assert_false(is_found(&inside, NULL));
	run("cp outside/shapes.dwo root/ && ln -sf /shapes.dwo root%s/ours/shapes.dwo", folder);
	assert_true(is_found(&inside, NULL));
	run("rm -r root outside");
}

/* The debug file has the skeletons, and may give the package its name. */
static void test_debug_file(void **state)
{
	char path[sizeof(folder) + sizeof("/program")];
	const struct symbol_source absolute = { .path = path, .root = "" };

	snprintf(path, sizeof(path), "%s/program", folder);
	need("g++ readelf objcopy strip llvm-dwp");
	build("g++", "-O2 -g", "-gsplit-dwarf");
	run("(cd ours && llvm-dwp -e ../program -o ../program.dwp) && "
	    "objcopy --only-keep-debug program program.debug && strip program && "
	    "objcopy --add-gnu-debuglink=program.debug program && rm -r ours");
	assert_true(is_found(&beside, NULL));
	run("mv program.dwp program.debug.dwp");
	assert_true(is_found(&beside, NULL));
	run("mkdir -p dir%s && mv program.debug program.debug.dwp dir%s", folder, folder);
	assert_true(is_found(&absolute, "dir"));
	run("rm -r dir");
}

static void test_rust(void **state)
{
	static const char *const split[] = { "packed", "unpacked" };

	need("rustc readelf");
	for (size_t i = 0; i < 2; i++) {
		struct answer *a;
		uint64_t at;

		run("rm -rf ours && mkdir ours && cp " SOURCES
		    "/shapes.rs ours && cd ours && rustc -O "
		    "-g -C split-debuginfo=%s -C codegen-units=4 -o shapes-rs shapes.rs",
		    split[i]);
		at = number_of("cd ours && readelf -sW shapes-rs | grep ' FUNC .*shapes.*total' | "
			       "awk '{ print $2; exit }'");
		a = ask("./ours/shapes-rs", &at, 1);
		assert_in_range(a->n, 2, MAX_FRAMES); /* within what is inlined there */
		assert_string_equal(a->frames[a->n - 1].name, "shapes::total");
		assert_int_equal(a->frames[a->n - 1].start_line, line_of("shapes.rs", "fn total"));
		free_answers(a, 1);
	}
}

/* --- the index of packages --- */

/* One of two units and three columns: of kinds 1, 3 and an unknown one. */
struct index_of_two {
	uint32_t head[4];
	uint64_t ids[4];
	uint32_t rows[4], kinds[3], offsets[2][3], sizes[2][3];
};

/* Both ids belong into slot 1; the second goes 3 on. */
#define FIRST 0x0000000100000001
#define SECOND 0x0000000300000005

static const struct index_of_two two = {
	.head = { 5, 3, 2, 4 },
	.ids = { SECOND, FIRST },
	.rows = { 2, 1 },
	.kinds = { 3, 99, 1 },
	.offsets = { { 1, 2, 3 }, { 4, 5, 6 } },
	.sizes = { { 7, 8, 9 }, { 10, 11, 12 } },
};

static void test_index(void **state)
{
	struct dwp_slice slices[DWP_PARTS];
	struct dwp_index index;

	assert_true(dwp_index_read(&two, sizeof(two), &index));
	assert_true(dwp_index_find(&index, FIRST, slices));
	assert_int_equal(slices[DWP_INFO].offset, 3);
	assert_int_equal(slices[DWP_INFO].size, 9);
	assert_int_equal(slices[DWP_ABBREV].offset, 1);
	assert_int_equal(slices[DWP_ABBREV].size, 7);
	assert_int_equal(slices[DWP_LINE].size, 0);
	assert_true(dwp_index_find(&index, SECOND, slices));
	assert_int_equal(slices[DWP_INFO].offset, 6);
	assert_int_equal(slices[DWP_INFO].size, 12);
	assert_false(dwp_index_find(&index, 0, slices));
	assert_false(dwp_index_find(&index, FIRST + 4, slices));
}

static void test_bad_index(void **state)
{
	struct dwp_slice slices[DWP_PARTS];
	struct index_of_two bad = two;
	struct dwp_index index;

	for (size_t size = 0; size < sizeof(two) - 4; size++)
		assert_false(dwp_index_read(&two, size, &index));
	bad.head[0] = 3;
	assert_false(dwp_index_read(&bad, sizeof(bad), &index));
	for (int i = 1; i < 4; i++) {
		bad = two;
		bad.head[i] = UINT32_MAX;
		assert_false(dwp_index_read(&bad, sizeof(bad), &index));
		bad.head[i] = 0;
		if (dwp_index_read(&bad, sizeof(bad), &index))
			assert_false(dwp_index_find(&index, FIRST, slices));
	}
	bad = two;
	bad.head[3] = 3; /* no power of two */
	assert_false(dwp_index_read(&bad, sizeof(bad), &index));
	bad = two;
	bad.rows[1] = 3; /* a row that is not there */
	assert_true(dwp_index_read(&bad, sizeof(bad), &index));
	assert_false(dwp_index_find(&index, FIRST, slices));
	bad = two;
	bad.rows[2] = bad.rows[3] = 1; /* a full table ends */
	assert_true(dwp_index_read(&bad, sizeof(bad), &index));
	assert_false(dwp_index_find(&index, 77, slices));
	bad = two;
	bad.kinds[0] = 99;
	assert_false(dwp_index_read(&bad, sizeof(bad), &index));
}

static int count(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	*(size_t *)arg += n > 0;
	return 0;
}

/* A package cut anywhere and with bytes changed all over never stops the names from coming. */
static void test_damage(void **state)
{
	static unsigned char bytes[1024 * 1024], copy[1024 * 1024];
	struct symbolizer *s = symbolizer_new(NULL);
	struct symbol_source source = beside;
	size_t size, named = 0;
	FILE *in;

	need("g++ readelf llvm-dwp");
	build("g++", "-O2 -g", "-gsplit-dwarf");
	run("cd ours && llvm-dwp -e ../program -o ../whole.dwp && rm -r ../ours");
	in = fopen("whole.dwp", "re");
	assert_non_null(in);
	size = fread(bytes, 1, sizeof(bytes), in);
	assert_in_range(size, 1000, sizeof(bytes) - 1);
	fclose(in);
	source.fd = open("program", O_RDONLY | O_CLOEXEC);
	alarm(300);
	srand(1);
	for (int round = 0; round < 300; round++) {
		size_t length = round < 100 ? size * (size_t)round / 100 : size;
		FILE *out = fopen("program.dwp", "we");

		memcpy(copy, bytes, size);
		for (int i = 0; round >= 100 && i < round / 4; i++)
			copy[(size_t)rand() % size] = (unsigned char)rand();
		assert_non_null(out);
		assert_int_equal(fwrite(copy, 1, length, out), length);
		fclose(out);
		assert_int_equal(
			symbolizer_object(s, &source, whole.addresses, 1024, count, &named), 0);
	}
	alarm(0);
	assert_true(named > 300 * 500);
	close(source.fd);
	symbolizer_free(s);
	run("rm program.dwp");
}

static int done(void **state)
{
	free_answers(whole.answers, whole.answers ? whole.n : 0);
	return leave_folder(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_builds),	      cmocka_unit_test(test_other_build),
		cmocka_unit_test(test_special_files), cmocka_unit_test(test_root),
		cmocka_unit_test(test_debug_file),    cmocka_unit_test(test_rust),
		cmocka_unit_test(test_index),	      cmocka_unit_test(test_bad_index),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, enter_folder, done);
}
