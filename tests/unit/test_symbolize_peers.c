// SPDX-License-Identifier: BSD-2-Clause
/*
 * Thousands of addresses of one file, against llvm-symbolizer, addr2line and Go's own addr2line: the
 * functions, files, lines and depth of inlining. What differs must have one of the causes below.
 */
#include "symbol_peers.h"

#define TOOLS FIXTURES "/../../build/tools"

/* Asserts that all differences are explained, and that most answers are the same. */
static void compare(struct comparison *c, uint64_t step, const char *peer)
{
	uint64_t *addresses;
	size_t n = text_addresses(c, step, &addresses);
	struct peer_answer *theirs = calloc(n, sizeof(*theirs));
	struct answer *ours = ask(c->stripped ? c->stripped : c->path, addresses, n);
	char *text = output_of("%s -e %s < addresses", peer, c->path);

	assert_non_null(theirs);
	read_peer(text, theirs, n);
	for (size_t i = 0; i < n; i++) {
		enum cause cause = compare_answer(c, &ours[i], &theirs[i]);

		if (cause == UNEXPLAINED && c->count[UNEXPLAINED] < 5)
			show(addresses[i], &ours[i], &theirs[i]);
		c->count[cause]++;
		if (cause == SAME && ours[i].n > 1)
			c->inlined++;
	}
	print_message("%s, %s: %zu addresses, same %u (inlined %u), padding %u, file of symbol %u, "
		      "clone %u, short %u, alias %u, peer's fault %u\n",
		      c->path, peer, n, c->count[SAME], c->inlined, c->count[NO_FUNCTION],
		      c->count[SYMBOL_FILE], c->count[CLONE], c->count[SHORT], c->count[ALIAS],
		      c->count[FOREIGN]);
	assert_int_equal(c->count[UNEXPLAINED], 0);
	free_answers(ours, n);
	free(theirs);
	free(text);
	free(addresses);
}

static void test_gcc(void **state)
{
	need("g++ readelf llvm-symbolizer addr2line");
	for (int dwarf = 2; dwarf <= 5; dwarf++) {
		struct comparison llvm = { .path = "shapes" };
		struct comparison binutils = { .path = "shapes", .is_addr2line = true };

		run("g++ -O2 -gdwarf-%d %s -o shapes " SOURCES "/shapes.cpp", dwarf,
		    dwarf == 4 ? "-fdebug-types-section" : "");
		compare(&llvm, 7, LLVM);
		assert_true(llvm.count[SAME] > 400 && llvm.inlined > 200);
		assert_true(llvm.count[SAME] * 10 > llvm.count[SYMBOL_FILE] * 100);
		compare(&binutils, 7, ADDR2LINE);
		assert_true(binutils.count[SAME] > 400 && binutils.inlined > 200);
	}
}

static void test_clang(void **state)
{
	static const char *const options[] = {
		"-gdwarf-2",
		"-gdwarf-3",
		"-gdwarf-4 -fdebug-types-section",
		"-gdwarf-5 -fdebug-types-section",
		"-gdwarf-5 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections,--icf=all",
		"-gdwarf-4 -no-pie -fuse-ld=lld -ffunction-sections -Wl,--gc-sections",
	};

	need("clang++ ld.lld readelf llvm-symbolizer");
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		struct comparison llvm = { .path = "shapes" };

		run("clang++ -O2 %s -o shapes " SOURCES "/shapes.cpp", options[i]);
		compare(&llvm, 3, LLVM);
		assert_true(llvm.count[SAME] > 800 && llvm.inlined > 400);
	}
}

/* Functions in several units and libraries linked in, without line information for some. */
static void test_static_musl(void **state)
{
	struct comparison llvm = { .path = "where" };

	need("musl-gcc readelf llvm-symbolizer");
	run("musl-gcc -static -g -O2 -o where " SOURCES "/where.c");
	compare(&llvm, 7, LLVM);
	assert_true(llvm.count[SAME] + llvm.count[SYMBOL_FILE] > 500);
}

static void test_rust(void **state)
{
	struct comparison llvm = { .path = "shapes-rs" };

	need("rustc readelf llvm-symbolizer");
	run("rustc -O -g -C symbol-mangling-version=v0 -o shapes-rs " SOURCES "/shapes.rs");
	compare(&llvm, 71, LLVM);
	assert_true(llvm.count[SAME] > 2000 && llvm.inlined > 1000);
}

static void test_go(void **state)
{
	struct comparison llvm = { .path = "shapes-go" };

	need("go readelf llvm-symbolizer");
	run("GO111MODULE=off GOFLAGS= go build -o shapes-go " SOURCES "/shapes.go");
	compare(&llvm, 71, LLVM);
	assert_true(llvm.count[SAME] > 5000 && llvm.inlined > 1000);
}

/* Debian's older toolchain is tried besides, if it is there: the table had another form. */
static const char *const toolchains[] = { "go", "/usr/lib/go-1.19/bin/go" };

static void check_stripped_go(size_t toolchain, const char *options, const char *source)
{
	struct comparison llvm = { .path = "whole", .stripped = "stripped", .is_old = toolchain };

	run("unset GOROOT; GO111MODULE=off GOFLAGS= GOTOOLCHAIN=local %s build %s -o whole " SOURCES
	    "/%s",
	    toolchains[toolchain], options, source);
	run("strip -o stripped whole 2>/dev/null");
	compare(&llvm, 37, LLVM);
	assert_true(llvm.count[SAME] > 5000 && llvm.inlined > 1000);
	assert_in_range(llvm.count[FOREIGN], 0, toolchain ? 14 : 0);
	assert_true(llvm.count[SHORT] > 0 && llvm.count[SHORT] < llvm.count[SAME] / 5);
}

static void test_stripped_go(void **state)
{
	need("go gcc readelf strip llvm-symbolizer");
	for (size_t i = 0; i < sizeof(toolchains) / sizeof(toolchains[0]); i++) {
		if (i && access(toolchains[i], X_OK)) {
			print_message("no %s\n", toolchains[i]);
			continue;
		}
		check_stripped_go(i, "", "shapes.go");
		check_stripped_go(i, "-buildmode=pie", "shapes.go");
		check_stripped_go(i, "", "both.go");
		expect_name("stripped", value_of("whole", "deregister_tm_clones"), NULL);
		check_stripped_go(i, "-buildmode=pie", "both.go");
		check_stripped_go(i, "-buildmode=c-shared", "both.go");
	}
}

/*
 * The same addresses, of the file without DWARF, by Go's own addr2line: it knows the function that the
 * code belongs to, and the innermost line.
 */
static void compare_go(const struct comparison *c, uint64_t step)
{
	uint64_t *addresses;
	size_t n = text_addresses(c, step, &addresses), same = 0;
	struct peer_answer *theirs = calloc(n, sizeof(*theirs));
	struct answer *ours = ask(c->stripped, addresses, n);
	char *text;

	assert_non_null(theirs);
	text = output_of("go tool addr2line %s < addresses | paste -d '\\n' addresses - -",
			 c->stripped);
	read_peer(text, theirs, n);
	for (size_t i = 0; i < n; i++) {
		const struct answer_frame *inner = ours[i].frames, *outer = inner + ours[i].n - 1;
		const struct peer_frame *peer = theirs[i].frames;

		if (!ours[i].n && peer->line == UINT32_MAX) /* padding */
			continue;
		same++;
		if (!ours[i].n || strcmp(outer->linkage, peer->name) || inner->line != peer->line ||
		    !same_file(inner->file, peer->file)) {
			show(addresses[i], &ours[i], &theirs[i]);
			fail();
		}
	}
	print_message("%s, go tool addr2line: %zu addresses, same %zu\n", c->path, n, same);
	assert_true(same > 5000);
	free_answers(ours, n);
	free(theirs);
	free(text);
	free(addresses);
}

/*
 * Against the traceback of a program's own runtime, of which TRACE makes what a peer prints: the address of
 * each call, then the functions and lines there. The first frame of a goroutine is no call.
 */
#define TRACE                                                                                            \
	"awk '/^goroutine/ { first = 1; pairs = \"\" } "                                                 \
	"/^[a-zA-Z].*\\)$/ && !/^created by/ { name = $0; sub(/\\([^()]*\\)$/, \"\", name) } "           \
	"/^created by/ { name = \"\" } "                                                                 \
	"/^\t/ && name != \"\" { pairs = pairs name \"\\n\" $1 \"\\n\"; "                                \
	"if (match($0, /pc=0x[0-9a-f]+/)) { if (!first) "                                                \
	"print substr($0, RSTART + 3, RLENGTH - 3) \"\\n\" pairs; first = 0; pairs = \"\" } }' trace | " \
	"sed '/^$/d'"

static void compare_trace(const char *path)
{
	const struct comparison c = { .path = path, .stripped = path };
	uint64_t addresses[256];
	struct peer_answer theirs[256] = { 0 };
	size_t n = 0, inlined = 0;
	struct answer *ours;
	char *text, *lines;

	run("v=$(./%s --version 2>&1); rm -f hold; mkfifo hold; sleep 3 > hold & "
	    "GOTRACEBACK=system ./%s --service=$v < hold > /dev/null 2> trace & "
	    "p=$!; sleep 1; kill -QUIT $p; wait",
	    path, path);
	text = output_of(TRACE);
	lines = strdup(text);
	for (char *at = lines; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
		if (!strncmp(at, "0x", 2) && n < 256)
			addresses[n++] = strtoull(at, NULL, 16) - 1;
	read_peer(text, theirs, n);
	ours = ask(path, addresses, n);
	for (size_t i = 0; i < n; i++) {
		enum cause cause = compare_answer(&c, &ours[i], &theirs[i]);

		inlined += ours[i].n > 1;
		if (cause != SAME && cause != SHORT) {
			show(addresses[i], &ours[i], &theirs[i]);
			fail();
		}
	}
	print_message("%s, its own traceback: %zu calls, %zu inlined\n", path, n, inlined);
	assert_true(n > 15 && inlined > 3);
	free_answers(ours, n);
	free(lines);
	free(text);
}

/*
 * Programs of older versions of Go: one with its symbols and DWARF, a library with them, whose table an
 * external linker relocates, and programs with neither.
 */
static void test_old_go(void **state)
{
	static const struct {
		const char *path, *version;
		bool has_debug, is_program;
	} programs[] = {
		{ TOOLS "/node_modules/esbuild-go1.14/bin/esbuild", "go1.14.2", true, true },
		{ TOOLS "/go1.15/pybluemonday/bluemonday.cpython-38-x86_64-linux-gnu.so",
		  "go1.15.5", true, false },
		{ TOOLS "/node_modules/esbuild-go1.16/bin/esbuild", "go1.16", false, true },
		{ TOOLS "/node_modules/esbuild-go1.17/bin/esbuild", "go1.17.1", false, true },
	};

	need("go readelf strip llvm-symbolizer awk");
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct comparison c = {
			.path = "whole",
			.stripped = "stripped",
			.is_old = true,
			.is_bare = !programs[i].has_debug,
		};

		if (access(programs[i].path, R_OK)) {
			print_message("no %s: tools/setup --test installs it\n", programs[i].path);
			skip();
		}
		run("cp %s whole && go version whole | grep -q ': %s$' && strip -o stripped whole",
		    programs[i].path, programs[i].version);
		if (programs[i].has_debug) {
			compare(&c, 37, LLVM);
			assert_true(c.count[SAME] > 5000 && c.inlined > 1000);
			/* lines mostly, in DWARF of that time */
			assert_in_range(c.count[FOREIGN], 0, c.count[SAME] / 50);
		}
		if (programs[i].is_program)
			compare_go(&c, 37);
		if (c.is_bare)
			compare_trace("stripped");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),	    cmocka_unit_test(test_clang),
		cmocka_unit_test(test_static_musl), cmocka_unit_test(test_rust),
		cmocka_unit_test(test_go),	    cmocka_unit_test(test_stripped_go),
		cmocka_unit_test(test_old_go),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
