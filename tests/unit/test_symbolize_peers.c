// SPDX-License-Identifier: BSD-2-Clause
/*
 * Thousands of addresses of one file, against llvm-symbolizer, addr2line and Go's own addr2line: the
 * functions, files, lines and depth of inlining. What differs must have one of the causes below.
 */
#include "symbol_fixture.h"

/* One frame as a peer prints it: a line with the function, one with FILE:LINE. */
struct peer_frame {
	char *name, *file;
	uint32_t line;
};

struct peer_answer {
	size_t n;
	struct peer_frame frames[MAX_FRAMES];
};

#define TOOLS FIXTURES "/../../build/tools"

enum cause {
	SAME,
	NO_FUNCTION, /* padding between functions: a line, or a guess at the name before it, only */
	SYMBOL_FILE, /* the peer takes a file name from the symbol table, without a line */
	CLONE, /* we have the clone's symbol, or the mangled name that DWARF lacks */
	SHORT, /* Go's own table may lack type arguments, and what its linker adds; DWARF has
		* no place for generated code */
	ALIAS, /* another of the symbols at the same address */
	FOREIGN, /* a fault of the peer's, see where it is allowed */
	UNEXPLAINED,
	N_CAUSES,
};

struct comparison {
	const char *path;
	const char *stripped; /* the same without debug data, that we are asked of; or NULL */
	/* addr2line takes the symbol's name for an inlined function that has no mangled one, and
	 * gives padding the name before it. */
	bool is_addr2line;
	bool is_old; /* made by an older Go */
	bool is_bare; /* no symbols at all, and nothing but Go */
	unsigned int count[N_CAUSES];
	unsigned int inlined; /* agreed answers with an inlined call */
};

static size_t text_addresses(const struct comparison *c, uint64_t step, uint64_t **addresses)
{
	uint64_t start = number_of("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\] *//' | "
				   "awk '$1 == \".text\" { print $3 }'",
				   c->path);
	uint64_t size = number_of("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\] *//' | "
				  "awk '$1 == \".text\" { print $5 }'",
				  c->path);
	size_t n = 0;
	FILE *out = fopen("addresses", "w");

	if (c->stripped && !c->is_bare) { /* Go knows nothing of C's code */
		start = value_of(c->path, "runtime.text");
		size = value_of(c->path, "runtime.etext") - start;
	}
	*addresses = calloc(size / step + 1, sizeof(**addresses));
	assert_non_null(*addresses);
	assert_non_null(out);
	for (uint64_t at = 0; at < size; at += step) {
		fprintf(out, "0x%" PRIx64 "\n", start + at);
		(*addresses)[n++] = start + at;
	}
	fclose(out);
	return n;
}

/* Cuts "FILE:LINE[:COLUMN][ (discriminator N)]"; "?" is no line, "??" no file. */
static void cut_place(char *text, struct peer_frame *frame)
{
	char *colon, *end = strstr(text, " (discriminator");

	if (end)
		*end = '\0';
	colon = strrchr(text, ':');
	assert_non_null(colon);
	*colon = '\0';
	frame->line = (uint32_t)strtoul(colon + 1, NULL, 10);
	frame->file = strcmp(text, "??") ? text : text + 2;
}

/* Reads what a peer printed: "0x…" for each address, then pairs of lines. */
static void read_peer(char *text, struct peer_answer *answers, size_t n)
{
	char *line, *rest, *function = NULL;
	size_t at = 0;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!function && !strncmp(line, "0x", 2)) {
			at++;
			continue;
		}
		assert_in_range(at, 1, n);
		if (!function) {
			function = line;
			continue;
		}
		struct peer_answer *a = &answers[at - 1];

		assert_in_range(a->n, 0, MAX_FRAMES - 1);
		cut_place(line, &a->frames[a->n]);
		a->frames[a->n++].name = function;
		function = NULL;
	}
	assert_int_equal(at, n);
}

/* A path without ".", ".." and empty parts, part by part. */
static void simplify(const char *path, char *out, size_t size)
{
	char copy[4096], *parts[512], *part, *rest;
	size_t n = 0;

	snprintf(copy, sizeof(copy), "%s", path);
	for (part = strtok_r(copy, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
		if (!strcmp(part, ".."))
			n -= n > 0;
		else if (strcmp(part, ".") && n < 512)
			parts[n++] = part;
	}
	*out = '\0';
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(out);

		snprintf(out + length, size - length, "%s%s", i || *path == '/' ? "/" : "",
			 parts[i]);
	}
}

static bool same_file(const char *ours, const char *theirs)
{
	char simple[4096];

	simplify(theirs, simple, sizeof(simple));
	return !strcmp(ours, simple);
}

static bool is_alias(const char *path, const char *ours, const char *theirs)
{
	static char last[8192];
	char command[8192];

	/* one pair comes for many addresses in turn */
	snprintf(command, sizeof(command),
		 "readelf -sW %s | awk -v a='%s' -v b='%s' '$8 == a { x[$2] } $8 == b { y[$2] } "
		 "END { for (at in x) if (at in y) found = 1; exit !found }'",
		 path, ours, theirs);
	if (!strcmp(last, command))
		return true;
	if (system(command))
		return false;
	memcpy(last, command, sizeof(last));
	return true;
}

/* Whether ours is "name[...]" of "name[argument,…]", or "name" of "name.abi0". */
static bool is_short(const char *ours, const char *theirs)
{
	size_t same = strcspn(ours, "[");

	if (strncmp(ours, theirs, same))
		return false;
	if (strncmp(ours + same, "[...]", 5))
		return !ours[same] && !strcmp(theirs + same, ".abi0");
	ours += same + 5;
	theirs = strrchr(theirs, ']');
	return theirs && !strcmp(ours, theirs + 1);
}

/* Equal but for the dot before the number of a local type, which DWARF has as another one. */
static bool is_spelled(const char *ours, const char *theirs)
{
	for (; *ours && *theirs; ours++, theirs++) {
		if (!strncmp(ours, "·", strlen("·")) && *theirs == '.')
			ours += strlen("·") - 1;
		else if (*ours != *theirs)
			return false;
	}
	return *ours == *theirs;
}

static enum cause compare_frame(const struct comparison *c, const struct answer_frame *ours,
				const struct peer_frame *theirs, bool physical)
{
	size_t length = strlen(theirs->name);

	if (c->stripped && !strcmp(ours->file, "<autogenerated>") && ours->line == 1 &&
	    (!theirs->line || strstr(theirs->file, "<autogenerated>")) &&
	    (is_spelled(ours->linkage, theirs->name) || is_short(ours->linkage, theirs->name)))
		return SHORT;
	if (ours->line != theirs->line || !same_file(ours->file, theirs->file))
		return !ours->line && !theirs->line && !*ours->file ? SYMBOL_FILE : UNEXPLAINED;
	if (!strcmp(ours->linkage, theirs->name))
		return SAME;
	if (physical && !strncmp(ours->linkage, theirs->name, length) &&
	    ours->linkage[length] == '.')
		return CLONE;
	if (physical && !strncmp(ours->linkage, "_Z", 2) && strncmp(theirs->name, "_Z", 2))
		return CLONE;
	if (c->stripped && is_short(ours->linkage, theirs->name))
		return SHORT;
	if (c->is_addr2line && strncmp(ours->linkage, "_", 1))
		return FOREIGN;
	if (physical && is_alias(c->path, ours->linkage, theirs->name))
		return ALIAS;
	return UNEXPLAINED;
}

static enum cause compare_answer(const struct comparison *c, const struct answer *ours,
				 const struct peer_answer *theirs)
{
	enum cause worst = SAME;
	bool named = true;

	if (!ours->n && theirs->n == 1 &&
	    (!strcmp(theirs->frames[0].name, "??") || c->is_addr2line))
		return strcmp(theirs->frames[0].name, "??") || theirs->frames[0].line ? NO_FUNCTION
										      : SAME;
	/* DWARF may not tell of what Go's compiler inlined into a wrapper that it made. */
	if (c->stripped && ours->n > 1 && theirs->n == 1 &&
	    !strcmp(ours->frames[ours->n - 1].file, "<autogenerated>") &&
	    !strcmp(ours->frames[ours->n - 1].linkage, theirs->frames[0].name) &&
	    ours->frames[0].line == theirs->frames[0].line)
		return FOREIGN;
	if (ours->n != theirs->n)
		return UNEXPLAINED;
	for (size_t i = 0; i < ours->n; i++) {
		enum cause cause =
			compare_frame(c, &ours->frames[i], &theirs->frames[i], i + 1 == ours->n);

		named &= !strcmp(ours->frames[i].linkage, theirs->frames[i].name);
		if (cause > worst)
			worst = cause;
	}
	/* A few lines are others in older DWARF, some behind the file's end; Go's addr2line has ours. */
	return worst == UNEXPLAINED && named && c->is_old ? FOREIGN : worst;
}

static void show(uint64_t address, const struct answer *ours, const struct peer_answer *theirs)
{
	print_message("%#" PRIx64 "\n", address);
	for (size_t i = 0; i < ours->n; i++)
		print_message("\tours   %s %s:%u\n", ours->frames[i].linkage, ours->frames[i].file,
			      ours->frames[i].line);
	for (size_t i = 0; i < theirs->n; i++)
		print_message("\ttheirs %s %s:%u\n", theirs->frames[i].name, theirs->frames[i].file,
			      theirs->frames[i].line);
}

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

#define LLVM "llvm-symbolizer --output-style=GNU --no-demangle -a -f -i"
#define ADDR2LINE "addr2line -a -f -i"

static void test_gcc(void **state)
{
	need("g++ readelf llvm-symbolizer addr2line");
	for (int dwarf = 4; dwarf <= 5; dwarf++) {
		struct comparison llvm = { .path = "shapes" };
		struct comparison binutils = { .path = "shapes", .is_addr2line = true };

		run("g++ -O2 -gdwarf-%d -o shapes " SOURCES "/shapes.cpp", dwarf);
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
		"-gdwarf-4",
		"-gdwarf-5",
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
