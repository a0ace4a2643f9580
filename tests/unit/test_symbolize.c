// SPDX-License-Identifier: BSD-2-Clause
/* Functions, lines and inlined calls of objects built here; expectations come from their sources. */
#include <sys/stat.h>

#include "symbol_fixture.h"

/* --- symbols alone --- */

static void test_symbols(void **state)
{
	need("gcc readelf");
	run("gcc -nostdlib -static -Wl,-e,sized -Wl,--build-id=none -o labels " SOURCES
	    "/labels.S");

	uint64_t sized = value_of("labels", "sized"), bare = value_of("labels", "bare");
	uint64_t typed = value_of("labels", "typed"), shared = value_of("labels", "shared");
	uint64_t last = value_of("labels", "last");

	expect_name("labels", sized - 1, NULL);
	expect_name("labels", sized, "sized");
	expect_name("labels", value_of("labels", "inside"), "sized");
	expect_name("labels", sized + 4, "sized");
	expect_name("labels", sized + 5, NULL); /* the hole after its size */
	expect_name("labels", bare - 1, NULL);
	expect_name("labels", bare, "bare");
	expect_name("labels", typed - 1, "bare"); /* no size: up to the next */
	expect_name("labels", typed, "typed");
	expect_name("labels", shared - 1, "typed");
	expect_name("labels", shared + 2, "Zed"); /* of the globals the shorter */
	expect_name("labels", shared + 3, NULL);
	expect_name("labels", last + 1, "last");
	expect_name("labels", last + 2, NULL); /* the end of the section */
	expect_name("labels", 0, NULL);
	expect_name("labels", UINT64_MAX, NULL);
}

/* The choice does not hang on the order of the symbols. */
static void test_order_of_symbols(void **state)
{
	static const char *const orders[] = { "shared weak_name local_name Zed",
					      "Zed local_name weak_name shared",
					      "local_name Zed shared weak_name" };

	need("gcc readelf");
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		run("{ echo '.text\n.globl shared, Zed, sized\n.weak weak_name\nsized: nop'; "
		    "for n in %s; do echo .type $n, @function; done; "
		    "for n in %s; do echo \"$n:\"; done; echo 'nop\nnop'; "
		    "for n in %s; do echo \".size $n, . - $n\"; done; } > order.S && "
		    "gcc -nostdlib -static -Wl,-e,sized -o order order.S",
		    orders[i], orders[i], orders[i]);
		expect_name("order", value_of("order", "shared") + 1, "Zed");
		run("objcopy --strip-symbol=Zed order");
		expect_name("order", value_of("order", "shared") + 1, "shared");
		run("objcopy --strip-symbol=shared order");
		expect_name("order", value_of("order", "local_name") + 1, "local_name");
	}
}

/* Names of LLGo are Go's whole, whatever they end in, and its marks are no functions. */
static void test_llgo(void **state)
{
	char *text, *line, *rest;
	size_t n = 0;

	need("gcc readelf");
	run("gcc -nostdlib -static -Wl,-e,main.hotLoop -o golike " SOURCES "/golike.S");
	text = output_of("readelf -sW golike | awk '$4 == \"FUNC\" { print $2, $8 }'");
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		uint64_t start = strtoull(line, NULL, 16);

		for (uint64_t k = 0; k < 3; k++)
			expect_name("golike", start + k, strchr(line, ' ') + 1);
		n++;
	}
	assert_int_equal(n, 11);
	free(text);
}

/* Without .symtab only what is exported has a name, and nothing else takes it over. */
static void test_stripped(void **state)
{
	uint64_t shared, sized;

	need("gcc readelf strip");
	run("gcc -nostdlib -shared -Wl,--build-id=none -o labels.so " SOURCES "/labels.S");
	run("strip labels.so");
	shared =
		number_of("readelf -sW --dyn-syms labels.so | awk '$8 == \"shared\" { print $2 }'");
	sized = number_of("readelf -sW --dyn-syms labels.so | awk '$8 == \"sized\" { print $2 }'");
	expect_name("labels.so", sized + 4, "sized");
	expect_name("labels.so", sized + 5, NULL);
	expect_name("labels.so", shared, "Zed");
	expect_name("labels.so", shared + 3, NULL);
}

/*
 * An exported label without a size names its code, but not the functions behind it that stripping took the
 * symbols of, where unwind tables tell of them.
 */
static void test_stripped_labels(void **state)
{
	static const char *const functions[] = { "bare", "typed", "ending", "last" };
	uint64_t at[4], with, after, inside;

	need("gcc readelf strip objcopy");
	run("gcc -nostdlib -shared -Wl,--build-id=none -o exported.so " SOURCES "/exported.S");
	with = value_of("exported.so", "hidden_with");
	after = value_of("exported.so", "hidden_after");
	inside = value_of("exported.so", "inside_typed");
	for (int i = 0; i < 4; i++)
		at[i] = value_of("exported.so", functions[i]);
	expect_name("exported.so", with + 1, "hidden_with");
	expect_name("exported.so", after + 1, "hidden_after");
	expect_name("exported.so", inside, "inside_typed");
	run("strip exported.so");
	for (int i = 0; i < 4; i++) {
		expect_name("exported.so", at[i], functions[i]);
		expect_name("exported.so", at[i] + 1, i == 1 ? NULL : functions[i]);
	}
	expect_name("exported.so", with - 1, "bare"); /* padding */
	expect_name("exported.so", with, NULL);
	expect_name("exported.so", with + 1, NULL);
	expect_name("exported.so", after - 1, NULL);
	expect_name("exported.so", after + 1, NULL);
	expect_name("exported.so", inside, NULL); /* as likely another function */
	/* without the table there is nothing to tell them from what came before */
	run("objcopy --remove-section .eh_frame --remove-section .eh_frame_hdr exported.so");
	expect_name("exported.so", with + 1, "bare");
	expect_name("exported.so", after + 1, "bare");
	expect_name("exported.so", at[1] + 1, "typed");
}

struct symbol_row {
	uint64_t start, size;
	char name[256];
};

static size_t read_rows(const char *path, struct symbol_row *rows, size_t max)
{
	char *text = output_of(
		"readelf --dyn-syms -W %s | awk '($4 == \"FUNC\" || $4 == \"IFUNC\") && "
		"$7 != \"UND\" && $3 > 0 { sub(/@.*/, \"\", $8); print $2, $3, $8 }' | sort",
		path);
	char *line, *rest, size[32];
	size_t n = 0;

	for (line = strtok_r(text, "\n", &rest); line && n < max;
	     line = strtok_r(NULL, "\n", &rest)) {
		assert_int_equal(
			sscanf(line, "%" SCNx64 " %31s %255s", &rows[n].start, size, rows[n].name),
			3);
		rows[n++].size = strtoull(size, NULL, 0);
	}
	free(text);
	return n;
}

static bool is_named(const struct symbol_row *rows, size_t n, uint64_t address, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (address >= rows[i].start && address - rows[i].start < rows[i].size &&
		    (!name || !strcmp(rows[i].name, name)))
			return true;
	return false;
}

/*
 * Through a whole stripped library, with its thousands of exports and many holes: a name is one of
 * those that readelf has for the address, and there is one exactly where readelf has any.
 */
static void test_library(void **state)
{
	static struct symbol_row rows[20000];
	static uint64_t addresses[60000];
	size_t n_rows, n = 0, named = 0;
	struct answer *answers;

	need("readelf ldconfig objcopy");
	run("cp $(ldconfig -p | awk '/libc.so.6/ && /x86-64|aarch64/ { print $NF; exit }') libc.so");
	run("objcopy --strip-all --remove-section=.gnu_debuglink "
	    "--remove-section=.note.gnu.build-id libc.so");
	n_rows = read_rows("libc.so", rows, 20000);
	assert_in_range(n_rows, 1000, 20000);
	for (size_t i = 0; i < n_rows; i++) {
		addresses[n++] = rows[i].start;
		addresses[n++] = rows[i].start + rows[i].size - 1;
		addresses[n++] = rows[i].start + rows[i].size;
	}
	answers = ask("libc.so", addresses, n);
	for (size_t i = 0; i < n; i++) {
		if (answers[i].n != is_named(rows, n_rows, addresses[i], NULL))
			fail_msg("%#" PRIx64 " has %zu names", addresses[i], answers[i].n);
		if (!answers[i].n)
			continue;
		named++;
		if (!is_named(rows, n_rows, addresses[i], answers[i].frames[0].linkage))
			fail_msg("%#" PRIx64 " is not in %s", addresses[i],
				 answers[i].frames[0].linkage);
	}
	assert_true(named >= 2 * n_rows && named < n);
	free_answers(answers, n);
}

static void test_clones(void **state)
{
	const struct symbolizer_options full = { .full_names = true };
	const struct symbol_source source = { .path = "clones", .root = "" };
	uint64_t addresses[2];
	struct answer *a;

	need("gcc readelf");
	for (int debug = 0; debug < 2; debug++) {
		run("gcc -O2 %s -o clones " SOURCES "/clones.c", debug ? "-g" : "");
		addresses[0] = value_of("clones", "report.cold");
		addresses[1] = value_of("clones", "table.constprop.0");
		a = ask("clones", addresses, 2);
		assert_string_equal(a[0].frames[a[0].n - 1].name, "report");
		assert_string_equal(a[0].frames[a[0].n - 1].linkage, "report.cold");
		assert_string_equal(a[1].frames[a[1].n - 1].name, "table");
		assert_string_equal(a[1].frames[a[1].n - 1].linkage, "table.constprop.0");
		free_answers(a, 2);
		a = ask_with(&full, &source, addresses, 2);
		assert_string_equal(a[0].frames[a[0].n - 1].name, "report.cold");
		assert_string_equal(a[1].frames[a[1].n - 1].name, "table.constprop.0");
		free_answers(a, 2);
	}
}

/* --- lines and inlined calls --- */

/* The first answer with an inlined call of a name; NULL if there is none. */
static const struct answer *find_inlined(const struct answer *answers, size_t n, const char *name,
					 size_t *depth)
{
	*depth = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k + 1 < answers[i].n; k++) {
			if (!strcmp(answers[i].frames[k].name, name)) {
				*depth = k;
				return &answers[i];
			}
		}
	}
	return NULL;
}

static struct answer *ask_all(const char *path, size_t *n)
{
	uint64_t start, size, *addresses;
	struct answer *answers;

	text_of(path, &start, &size);
	addresses = calloc(size, sizeof(*addresses));
	assert_non_null(addresses);
	for (uint64_t i = 0; i < size; i++)
		addresses[i] = start + i;
	answers = ask(path, addresses, size);
	free(addresses);
	*n = size;
	return answers;
}

static void check_cpp(const char *compile)
{
	uint32_t square = line_of("shapes.cpp", "return x * x;");
	uint32_t scale = line_of("shapes.cpp", "return factor * square(x);");
	uint32_t lambda = line_of("shapes.cpp", "total += shop::square");
	const struct answer *a;
	struct answer *all;
	size_t n, k;

	run("%s -O2 -o shapes " SOURCES "/shapes.cpp", compile);
	all = ask_all("shapes", &n);
	a = NULL;
	for (size_t i = 0; i < n && !a; i++)
		if (all[i].n == 2 && !strcmp(all[i].frames[0].name, "shop::square") &&
		    strstr(all[i].frames[1].name, "Scale::operator()"))
			a = &all[i];
	assert_non_null(a);
	assert_int_equal(a->frames[0].line, square);
	assert_int_equal(a->frames[0].start_line,
			 line_of("shapes.cpp", "static long square(long x)"));
	/* GCC records no mangled name of what it only inlines */
	if (strcmp(a->frames[0].linkage, "square"))
		assert_string_equal(a->frames[0].linkage, "_ZN4shopL6squareEl");
	assert_string_equal(a->frames[0].file, SOURCES "/shapes.cpp");
	assert_string_equal(a->frames[1].name, "shop::(anonymous namespace)::Scale::operator()");
	assert_int_equal(a->frames[1].line, scale);
	assert_int_equal(a->frames[1].start_line,
			 line_of("shapes.cpp", "operator()(long x) const"));

	assert_non_null(find_inlined(all, n, "shop::Cart<long>::operator+=", &k));
	a = NULL;
	for (size_t i = 0; i < n && !a; i++)
		for (size_t d = 0; d + 1 < all[i].n && !a; d++)
			if (all[i].frames[d].line == lambda &&
			    !strncmp(all[i].frames[d].name, "sum", 3) &&
			    strstr(all[i].frames[d].name, "::operator()"))
				a = &all[i];
	assert_non_null(a);
	assert_string_equal(a->frames[a->n - 1].name, "sum");
	assert_int_equal(a->frames[a->n - 1].line,
			 line_of("shapes.cpp", "std::for_each(prices.begin()"));
	free_answers(all, n);
}

static void test_cpp_gcc(void **state)
{
	need("g++ readelf");
	check_cpp("g++ -gdwarf-4");
	check_cpp("g++ -gdwarf-5");
}

static void test_cpp_clang(void **state)
{
	need("clang++ ld.lld readelf");
	check_cpp("clang++ -gdwarf-4");
	check_cpp("clang++ -gdwarf-5");
	check_cpp("clang++ -gdwarf-5 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections");
}

static void check_rust(const char *options)
{
	const struct answer *a;
	struct answer *all;
	size_t n, k, with_hash = 0;

	run("RUSTC_BOOTSTRAP=1 rustc -O -g -C debuginfo=2 -C codegen-units=1 %s -o shapes-rs " SOURCES
	    "/shapes.rs",
	    options);
	all = ask_all("shapes-rs", &n);
	a = find_inlined(all, n, "shapes::square", &k);
	assert_non_null(a);
	assert_string_equal(a->frames[k].file, SOURCES "/shapes.rs");
	a = NULL;
	for (size_t i = 0; i < n; i++) {
		for (size_t d = 0; d < all[i].n; d++) {
			const char *hash = strstr(all[i].frames[d].name, "::h");

			if (hash && strspn(hash + 3, "0123456789abcdef") == 16)
				with_hash++;
		}
		if (all[i].n && !strcmp(all[i].frames[all[i].n - 1].name, "shapes::total"))
			a = &all[i];
	}
	assert_int_equal(with_hash, 0);
	assert_non_null(a);
	assert_int_equal(a->frames[a->n - 1].start_line, line_of("shapes.rs", "fn total("));
	a = NULL;
	for (size_t i = 0; i < n; i++)
		if (all[i].n && !strcmp(all[i].frames[all[i].n - 1].name,
					"<shapes::Tile as shapes::Shape>::area"))
			a = &all[i];
	assert_non_null(a);
	free_answers(all, n);
}

static void test_rust(void **state)
{
	need("rustc readelf");
	check_rust("-C symbol-mangling-version=v0");
	check_rust("-Z unstable-options -C symbol-mangling-version=legacy");
}

static void test_go(void **state)
{
	uint64_t address;
	struct answer *a;

	need("go readelf");
	run("GO111MODULE=off GOFLAGS= go build -o shapes-go " SOURCES "/shapes.go");
	address = value_of("shapes-go", "main.cold");
	a = ask("shapes-go", &address, 1);
	assert_int_equal(a->n, 1);
	assert_string_equal(a->frames[0].name, "main.cold");
	assert_string_equal(a->frames[0].file, SOURCES "/shapes.go");
	assert_int_equal(a->frames[0].start_line, line_of("shapes.go", "func cold("));
	free_answers(a, 1);
	run("strip -g shapes-go 2>/dev/null");
	expect_name("shapes-go", address, "main.cold");
}

/* --- what is asked, and how --- */

static void test_order_and_repetition(void **state)
{
	uint64_t addresses[64], main_address;
	struct answer *forward, *backward;
	size_t n = 64;

	need("gcc readelf");
	run("gcc -O2 -g -o clones " SOURCES "/clones.c");
	main_address = value_of("clones", "main");
	for (size_t i = 0; i < n; i++)
		addresses[i] = main_address + i / 2; /* each twice */
	forward = ask("clones", addresses, n);
	for (size_t i = 0; i < n; i++)
		addresses[i] = main_address + (n - 1 - i) / 2;
	backward = ask("clones", addresses, n);
	for (size_t i = 0; i < n; i++) {
		const struct answer *x = &forward[i], *y = &backward[n - 1 - i];

		assert_int_equal(x->n, y->n);
		assert_true(x->n > 0);
		for (size_t k = 0; k < x->n; k++) {
			assert_string_equal(x->frames[k].name, y->frames[k].name);
			assert_string_equal(x->frames[k].file, y->frames[k].file);
			assert_int_equal(x->frames[k].line, y->frames[k].line);
		}
	}
	free_answers(forward, n);
	free_answers(backward, n);
}

static int stop_at_second(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	return ++*(int *)arg == 2 ? -ECANCELED : 0;
}

static int count(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	++*(int *)arg;
	return 0;
}

static int ask_file(const char *path, symbol_sink sink, void *arg)
{
	const uint64_t addresses[] = { 1, 2, 3 };
	struct symbolizer *s = symbolizer_new(NULL);
	struct symbol_source source = {
		.fd = open(path, O_RDONLY | O_CLOEXEC),
		.path = path,
		.root = "",
	};
	int err;

	assert_non_null(s);
	err = symbolizer_object(s, &source, addresses, 3, sink, arg);
	assert_int_equal(fcntl(source.fd, F_GETFD) >= 0, 1); /* stays open */
	close(source.fd);
	symbolizer_free(s);
	return err;
}

static void test_results(void **state)
{
	int calls = 0;

	need("gcc");
	run("gcc -g -o program " SOURCES "/where.c; echo text > text; : > empty");
	assert_int_equal(ask_file("program", stop_at_second, &calls), -ECANCELED);
	assert_int_equal(calls, 2);
	calls = 0;
	assert_int_equal(ask_file("text", count, &calls), -ENOEXEC);
	assert_int_equal(ask_file("empty", count, &calls), -ENOEXEC);
	assert_int_equal(ask_file("/tmp", count, &calls), -ENOEXEC);
	assert_int_equal(calls, 0);
	symbolizer_free(NULL);
}

/* A name in a supplementary file that is a FIFO: no open that waits for ever, and the symbol's name. */
static void test_altlink_is_not_opened(void **state)
{
	need("gcc readelf");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	run("gcc -DALTLINK='\"%s/fifo\"' -o altlink " SOURCES "/altlink.S", folder);
	alarm(120);
	expect_name("altlink", value_of("altlink", "main"), "main");
	alarm(0);
}

/* Cut anywhere and with bytes changed all over, a file gives names, none or an error. */
static void test_damage(void **state)
{
	static unsigned char bytes[1024 * 1024], copy[1024 * 1024];
	uint64_t addresses[512], start;
	struct symbolizer *s = symbolizer_new(NULL);
	FILE *in;
	size_t size;
	int calls = 0;

	need("g++ readelf");
	run("g++ -O2 -g -o small " SOURCES "/shapes.cpp");
	start = value_of("small", "main");
	for (size_t i = 0; i < 512; i++)
		addresses[i] = start + i;
	in = fopen("small", "re");
	assert_non_null(in);
	size = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	assert_true(size < sizeof(bytes));
	alarm(300);
	srand(1);
	for (int round = 0; round < 400; round++) {
		struct symbol_source source = {
			.fd = open("damaged", O_RDWR | O_CREAT | O_TRUNC, 0600),
			.path = "damaged",
			.root = "",
		};
		size_t length = round < 100 ? size * (size_t)round / 100 : size;

		memcpy(copy, bytes, size);
		for (int i = 0; round >= 100 && i < round / 4; i++)
			copy[(size_t)rand() % size] = (unsigned char)rand();
		assert_int_equal(write(source.fd, copy, length), length);
		symbolizer_object(s, &source, addresses, 512, count, &calls);
		close(source.fd);
	}
	alarm(0);
	assert_true(calls > 10000);
	symbolizer_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_order_of_symbols),
		cmocka_unit_test(test_llgo),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_stripped_labels),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_clones),
		cmocka_unit_test(test_cpp_gcc),
		cmocka_unit_test(test_cpp_clang),
		cmocka_unit_test(test_rust),
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_order_and_repetition),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_altlink_is_not_opened),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
