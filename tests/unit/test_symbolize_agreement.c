// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random addresses of programs of all kinds, against llvm-symbolizer: which answers are the same, and why
 * others are not. The number of addresses of each is PROFBPF_ADDRESSES in the environment, 2,000 without:
 *
 *   PROFBPF_ADDRESSES=12500 build/release/test_symbolize_agreement
 */
#include "symbol_peers.h"

#define ADDRESSES 2000

static size_t n_wanted(void)
{
	const char *text = getenv("PROFBPF_ADDRESSES");

	return text ? strtoul(text, NULL, 10) : ADDRESSES;
}

static const char *const cause_names[N_CAUSES] = {
	[SAME] = "same",
	[NO_FUNCTION] = "padding",
	[SYMBOL_FILE] = "file of a symbol",
	[CLONE] = "clone",
	[SHORT] = "short",
	[ALIAS] = "alias",
	[FOREIGN] = "peer's fault",
	[UNEXPLAINED] = "UNEXPLAINED",
};

struct agreement {
	size_t n, function, place, chain;
	unsigned int causes[N_CAUSES];
};

/* Of several symbols at one place each takes another. */
static bool same_function(const struct comparison *c, const struct answer_frame *ours,
			  const struct peer_frame *theirs, bool physical)
{
	return !strcmp(ours->linkage, theirs->name) ||
	       (physical && is_alias(c->path, ours->linkage, theirs->name));
}

/* The file of a symbol table, which has no lines, is no place. */
static bool same_place(const struct answer_frame *ours, const struct peer_frame *theirs)
{
	return ours->line == theirs->line && ours->discriminator == theirs->discriminator &&
	       (same_file(ours->file, theirs->file) || (!ours->line && !*ours->file));
}

static void count_answer(const struct comparison *c, struct agreement *a, uint64_t address,
			 const struct answer *ours, const struct peer_answer *theirs)
{
	static const struct answer_frame unknown = { .linkage = (char *)"??", .file = (char *)"" };
	const struct answer_frame *inner = ours->n ? &ours->frames[0] : &unknown;
	bool function = same_function(c, inner, &theirs->frames[0], ours->n <= 1);
	bool place = same_place(inner, &theirs->frames[0]);
	bool chain = function && place && (ours->n == theirs->n || (!ours->n && theirs->n == 1));
	enum cause cause = compare_answer(c, ours, theirs);

	for (size_t i = 1; chain && i < ours->n; i++)
		chain = same_function(c, &ours->frames[i], &theirs->frames[i], i + 1 == ours->n) &&
			same_place(&ours->frames[i], &theirs->frames[i]);
	a->n++;
	a->function += function;
	a->place += place;
	a->chain += chain;
	if (!chain && cause == SAME)
		cause = UNEXPLAINED;
	a->causes[cause]++;
	if (cause == UNEXPLAINED && a->causes[UNEXPLAINED] <= 5)
		show(address, ours, theirs);
}

static double percent(size_t count, const struct agreement *a)
{
	return 100 * (double)count / (double)a->n;
}

static void print_table(const char *kind, const struct agreement *a)
{
	print_message("%-24s %6zu %8.3f %8.3f %8.3f %8.3f ", kind, a->n, percent(a->function, a),
		      percent(a->place, a), percent(a->chain, a), percent(a->causes[SAME], a));
	for (int i = SAME + 1; i < N_CAUSES; i++)
		if (a->causes[i])
			print_message(" %s %u", cause_names[i], a->causes[i]);
	print_message("\n");
}

/* The parts of .text that are a function's, by the symbol table; between them is padding. */
static bool *code_of(const char *path, uint64_t start, uint64_t size)
{
	char *rows = output_of(
		"readelf -sW %s | awk '$4 == \"FUNC\" && $7 != \"UND\" { print $2, $3 }'", path);
	bool *code = calloc(size, sizeof(*code));
	char *line, *rest;

	assert_non_null(code);
	for (line = strtok_r(rows, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *end;
		uint64_t at = strtoull(line, &end, 16) - start, length = strtoull(end, NULL, 0);

		for (uint64_t i = at; at < size && i < size && i - at < length; i++)
			code[i] = true;
	}
	free(rows);
	return code;
}

/* Distinct addresses of code in any order, always the same. */
static size_t random_addresses(const char *path, uint64_t *addresses)
{
	uint64_t start, size, state = 1;
	size_t n = n_wanted(), left = 0;
	bool *code;
	FILE *out = fopen("addresses", "we");

	assert_non_null(out);
	text_of(path, &start, &size);
	code = code_of(path, start, size);
	for (uint64_t i = 0; i < size; i++)
		left += code[i];
	if (n > left / 2)
		n = left / 2;
	for (size_t i = 0; i < n;) {
		uint64_t at;

		state = state * 6364136223846793005 + 1442695040888963407;
		at = (state >> 20) % size;
		if (!code[at])
			continue;
		code[at] = false;
		addresses[i++] = start + at;
		fprintf(out, "0x%" PRIx64 "\n", start + at);
	}
	free(code);
	fclose(out);
	return n;
}

/* Asks of one file here and of another there; the other has the symbols. */
static void agree_with(const char *kind, const char *path, const char *theirs_path)
{
	const struct comparison c = { .path = theirs_path };
	uint64_t *addresses = calloc(n_wanted(), sizeof(*addresses));
	size_t n = random_addresses(theirs_path, addresses);
	struct peer_answer *theirs = calloc(n, sizeof(*theirs));
	struct answer *ours = ask(path, addresses, n);
	char *text = output_of("%s -e %s < addresses", LLVM, theirs_path);
	struct agreement a = { 0 };

	assert_non_null(theirs);
	read_peer(text, theirs, n);
	for (size_t i = 0; i < n; i++)
		count_answer(&c, &a, addresses[i], &ours[i], &theirs[i]);
	print_table(kind, &a);
	assert_int_equal(a.causes[UNEXPLAINED], 0);
	assert_true(a.chain * 1000 >= a.n * 999);
	free_answers(ours, n);
	free(theirs);
	free(text);
	free(addresses);
}

static void agree(const char *kind, const char *path)
{
	agree_with(kind, path, path);
}

static void test_c(void **state)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	need("readelf llvm-symbolizer");
	print_message("%-24s %6s %8s %8s %8s %8s\n", "", "places", "function", "line", "chain",
		      "all same");
	assert_in_range(length, 1, sizeof(self) - 1);
	self[length] = '\0';
	agree("C, gcc, DWARF 5", self);
}

/* Builds two programs at once: it takes most of the time. */
static void build_large(void)
{
	if (!access("large", F_OK))
		return;
	run("g++ -std=c++17 -O2 -gdwarf-4 -gsplit-dwarf -c -o split.o " SOURCES "/large.cpp & "
	    "g++ -std=c++17 -O2 -gdwarf-5 -o large " SOURCES "/large.cpp && wait $! && "
	    "g++ -o split split.o");
}

static void test_cpp(void **state)
{
	need("g++ objcopy strip readelf llvm-symbolizer");
	build_large();
	agree("C++, g++, DWARF 5", "./large");
	run("objcopy --compress-debug-sections=zlib large compressed");
	agree("the same compressed", "./compressed");
	run("objcopy --only-keep-debug large stripped.debug && strip -o stripped large && "
	    "objcopy --add-gnu-debuglink=stripped.debug stripped");
	agree_with("the same stripped", "./stripped", "large");
}

static void test_split(void **state)
{
	need("g++ dwp readelf llvm-symbolizer");
	build_large();
	agree("C++, split, DWARF 4", "./split");
	run("dwp -e split -o split.dwp && rm split.dwo");
	agree("the same in a package", "./split");
}

static void test_clang(void **state)
{
	need("clang++ llvm-dwp readelf llvm-symbolizer");
	run("clang++ -O2 -gdwarf-4 -o shapes " SOURCES "/shapes.cpp");
	agree("C++, clang, DWARF 4", "./shapes");
	run("clang++ -O2 -gdwarf-5 -gsplit-dwarf -c -o shapes.o " SOURCES "/shapes.cpp && "
	    "clang++ -o shapes shapes.o && llvm-dwp -e shapes -o shapes.dwp && rm shapes.dwo");
	agree("the same, 5, package", "./shapes");
}

static void test_rust(void **state)
{
	need("rustc readelf llvm-symbolizer");
	run("rustc -O -g -C symbol-mangling-version=v0 -o shapes-rs " SOURCES "/shapes.rs");
	agree("Rust, v0", "./shapes-rs");
}

static void test_go(void **state)
{
	need("go readelf llvm-symbolizer");
	run("GO111MODULE=off GOFLAGS= go build -o shapes-go " SOURCES "/shapes.go");
	agree("Go", "./shapes-go");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),     cmocka_unit_test(test_cpp),
		cmocka_unit_test(test_split), cmocka_unit_test(test_clang),
		cmocka_unit_test(test_rust),  cmocka_unit_test(test_go),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
