// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tables of the machine's own objects, compared with what elfutils says of the same addresses.
 */
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/unit/symbol_fixture.h"
#include "tests/unit/unwind_compare.h"
#include "unwind/go_marks.h"
#include "unwind/scan.h"

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void compare_object(int fd, const char *name)
{
	double start = now(), built;
	struct subject s;

	open_subject(&s, fd);
	built = now();
	compare_all(&s, name);
	print_message("%s: %u rows, %u complex, %u entries, %u bad, %u unknown; opened in %.1f ms; "
		      "%lu addresses, %lu complex, %lu unknown, %lu differ\n",
		      name, s.table->n_rows, s.table->n_complex, s.stats.entries,
		      s.stats.bad_entries, s.stats.unknown_rules, (built - start) * 1e3, s.compared,
		      s.complex, s.unknown, s.differing);
	assert_int_equal(s.differing, 0);
	assert_int_equal(s.unknown, 0);
	close_subject(&s);
}

static int compare_loaded(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *name = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) /* the vDSO has no file */
		compare_object(fd, name);
	return 0;
}

static void test_own_objects(void **state)
{
	dl_iterate_phdr(compare_loaded, NULL);
}

/* As need(), without skipping. */
static bool have(const char *tools)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "for t in %s; do command -v $t >/dev/null || exit 1; done", tools);
	return system(command) == 0;
}

static void test_vdso(void **state)
{
	const ElfW(Ehdr) *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t size;
	int fd;

	if (!vdso)
		skip();
	size = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	assert_int_equal(write(fd, vdso, size), size);
	compare_object(fd, "vdso");
}

static void test_other_objects(void **state)
{
	static const char *const paths[] = {
		"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/usr/lib/x86_64-linux-gnu/libgcc_s.so.1",
		"/usr/lib/x86_64-linux-gnu/libm.so.6",
		"/usr/bin/python3.11",
	};
	unsigned int found = 0;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0) {
			print_message("not here: %s\n", paths[i]);
			continue;
		}
		compare_object(fd, paths[i]);
		found++;
	}
	if (!found)
		skip();
}

/* Programs that are linked, stripped and compressed in ways that the system's own are not. */
static void test_built_objects(void **state)
{
	static const struct {
		const char *tools, *command;
		bool from_debug_frame;
	} cases[] = {
		{ "gcc", "gcc -O2 -static -o p " SOURCES "/where.c", false },
		{ "gcc", "gcc -O2 -static-pie -fPIE -o p " SOURCES "/where.c", false },
		{ "clang ld.lld", "clang -O2 -fuse-ld=lld -o p " SOURCES "/where.c", false },
		{ "musl-gcc", "musl-gcc -O2 -static -s -o p " SOURCES "/where.c", false },
		{ "gcc", "gcc -O2 -g -fno-asynchronous-unwind-tables -o p " SOURCES "/where.c",
		  true },
		{ "gcc",
		  "gcc -O2 -g -gz=zlib -fno-asynchronous-unwind-tables -o p " SOURCES "/where.c",
		  true },
		{ "g++", "g++ -O1 -g -o p " SOURCES "/shapes.cpp", false },
		{ "rustc", "rustc -O -o p " SOURCES "/shapes.rs 2>/dev/null", false },
		{ "go", "GO111MODULE=off GOFLAGS= go build -o p " SOURCES "/shapes.go", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct subject s;
		int fd;

		if (!have(cases[i].tools)) {
			print_message("not here: one of %s\n", cases[i].tools);
			continue;
		}
		run("%s", cases[i].command);
		fd = open("p", O_RDONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		compare_object(fd, cases[i].command);
		fd = open("p", O_RDONLY | O_CLOEXEC);
		open_subject(&s, fd);
		assert_int_equal(s.stats.from_debug_frame, cases[i].from_debug_frame);
		close_subject(&s);
	}
}

/* The address and size that nm prints for a symbol, zeros if it has none. */
static void nm_says(const char *symbol, uint64_t *address, uint64_t *size)
{
	char *text = output_of(
		"nm -S p | awk '$4 == \"%s\" { print $1, $2; f = 1 } END { if (!f) print 0, 0 }'",
		symbol);

	assert_int_equal(sscanf(text, "%" SCNx64 " %" SCNx64, address, size), 2);
	free(text);
}

static void test_go_marks(void **state)
{
	static const struct {
		enum unwind_go_mark mark;
		const char *symbol; /* as Go 1.18 to 1.26 name it */
	} cases[] = {
		{ UNWIND_GO_SYSTEMSTACK, "runtime.systemstack.abi0" },
		{ UNWIND_GO_SYSTEMSTACK_SWITCH, "runtime.systemstack_switch.abi0" },
		{ UNWIND_GO_ASMCGOCALL, "runtime.asmcgocall.abi0" },
		{ UNWIND_GO_MCALL, "runtime.mcall" },
		{ UNWIND_GO_MORESTACK, "runtime.morestack.abi0" },
		{ UNWIND_GO_GOGO, "gogo" },
		{ UNWIND_GO_GOEXIT, "runtime.goexit.abi0" },
		{ UNWIND_GO_RT0_GO, "runtime.rt0_go.abi0" },
		{ UNWIND_GO_MSTART, "runtime.mstart.abi0" },
		{ UNWIND_GO_SIGTRAMP, "runtime.sigtramp.abi0" },
		{ UNWIND_GO_SIGRETURN, "runtime.sigreturn__sigaction.abi0" },
	};
	struct unwind_go_marks marks;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_int_equal(unwind_go_marks(fd, &marks), -ENOENT);
	close(fd);
	need("go nm strip");
	run("GO111MODULE=off GOFLAGS= go build -o p " SOURCES "/shapes.go");
	fd = open("p", O_RDONLY | O_CLOEXEC);
	assert_int_equal(unwind_go_marks(fd, &marks), 0);
	close(fd);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct unwind_go_range *r = &marks.mark[cases[i].mark];
		uint64_t address, size;

		nm_says(cases[i].symbol, &address, &size);
		assert_int_not_equal(address, 0);
		assert_int_equal(r->start, address);
		assert_int_equal(r->end, address + size);
	}
}

/* Whether the stack pointer leads from an instruction to the caller. */
static bool leads_by_rsp(const struct unwind_table *t, uint64_t at, uint32_t offset)
{
	uint32_t rule = unwind_table_find(t, at);

	return UNWIND_KIND(rule) == UNWIND_RSP && UNWIND_CFA_OFFSET(rule) == offset;
}

/*
 * Functions of Go's runtime that go over to another stack are on their caller's until they do. Instructions as in
 * Go 1.21 to 1.26, which push rbp first of all in systemstack and mcall, and not in morestack.
 */
static void test_go_before_the_switch(void **state)
{
	const struct unwind_go_range *r;
	struct unwind_go_marks marks;
	struct unwind_stats stats;
	struct unwind_table *t;
	int fd;

	need("go");
	run("GO111MODULE=off GOFLAGS= go build -o p " SOURCES "/shapes.go");
	fd = open("p", O_RDONLY | O_CLOEXEC);
	assert_int_equal(unwind_go_marks(fd, &marks), 0);
	assert_int_equal(unwind_table_build(fd, 0, &t, &stats), 0);
	assert_int_equal(unwind_table_amend(fd, &t), 0);
	close(fd);
	r = &marks.mark[UNWIND_GO_SYSTEMSTACK];
	assert_true(leads_by_rsp(t, r->start, 8));
	assert_true(leads_by_rsp(t, r->start + 1, 16));
	assert_int_equal(UNWIND_KIND(unwind_table_find(t, r->start + 4)), UNWIND_SWITCH);
	r = &marks.mark[UNWIND_GO_MORESTACK];
	assert_true(leads_by_rsp(t, r->start, 8));
	assert_int_equal(UNWIND_KIND(unwind_table_find(t, r->end - 1)), UNWIND_SWITCH);
	r = &marks.mark[UNWIND_GO_MCALL];
	assert_true(leads_by_rsp(t, r->start, 8));
	assert_true(leads_by_rsp(t, r->start + 4, 16));
	assert_int_equal(UNWIND_KIND(unwind_table_find(t, r->end - 1)), UNWIND_END);
	unwind_table_free(t);
}

/* Rows of a function that say that nothing called it. */
static size_t rows_not_called(const struct unwind_table *t, const struct unwind_go_range *r)
{
	size_t n = 0;

	for (uint64_t at = r->start; at < r->end; at++) {
		uint32_t rule = unwind_table_find(t, at);

		n += UNWIND_KIND(rule) == UNWIND_SWITCH && UNWIND_CFA_OFFSET(rule) > 0;
	}
	return n;
}

/* What Go's handler of signals makes a goroutine go on with, as if the interrupted code had called it: from its
 * first instruction to its last, and in no other function. */
static void test_go_not_called(void **state)
{
	static const int injected[] = { UNWIND_GO_ASYNC_PREEMPT, UNWIND_GO_SIGPANIC };
	struct unwind_go_range all = { 0 };
	struct unwind_go_marks marks;
	struct unwind_stats stats;
	struct unwind_table *t;
	size_t n, sum = 0;
	int fd;

	need("go");
	run("GO111MODULE=off GOFLAGS= go build -o p " SOURCES "/shapes.go");
	fd = open("p", O_RDONLY | O_CLOEXEC);
	assert_int_equal(unwind_go_marks(fd, &marks), 0);
	assert_int_equal(unwind_table_build(fd, 0, &t, &stats), 0);
	assert_int_equal(unwind_table_amend(fd, &t), 0);
	close(fd);
	for (size_t i = 0; i < 2; i++) {
		const struct unwind_go_range *r = &marks.mark[injected[i]];

		n = rows_not_called(t, r);
		assert_int_equal(UNWIND_CFA_OFFSET(unwind_table_find(t, r->start)), 8);
		assert_int_equal(n, r->end - r->start);
		sum += n;
	}
	all.start = marks.mark[UNWIND_GO_TEXT].start;
	all.end = marks.mark[UNWIND_GO_ETEXT].start;
	assert_int_equal(rows_not_called(t, &all), sum);
	unwind_table_free(t);
}

/*
 * A Go object without symbols and debugging information has the same marks and the same rules as before: Go's
 * linker writes its call frame information from what its runtime has.
 */
static void test_go_stripped(void **state)
{
	static const char *const modes[] = { "exe", "pie", "c-shared" };

	need("go strip gcc");
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		struct unwind_go_marks full_marks, marks;
		struct unwind_table *full, *t;
		struct unwind_stats stats;
		int fd;

		run("GO111MODULE=off GOFLAGS= go build -buildmode=%s -o p " SOURCES "/shapes.go && "
		    "strip -o q p",
		    modes[i]);
		fd = open("p", O_RDONLY | O_CLOEXEC);
		assert_int_equal(unwind_go_marks(fd, &full_marks), 0);
		assert_int_equal(unwind_table_build(fd, 0, &full, &stats), 0);
		close(fd);
		fd = open("q", O_RDONLY | O_CLOEXEC);
		assert_int_equal(unwind_go_marks(fd, &marks), 0);
		assert_int_equal(unwind_table_build(fd, 0, &t, &stats), 0);
		close(fd);
		assert_true(stats.from_debug_frame);
		for (int mark = 0; mark < UNWIND_GO_MARKS; mark++) {
			if (full_marks.mark[mark].end > full_marks.mark[mark].start)
				assert_int_equal(marks.mark[mark].start,
						 full_marks.mark[mark].start);
		}
		for (uint64_t at = marks.mark[UNWIND_GO_TEXT].start;
		     at < marks.mark[UNWIND_GO_ETEXT].start; at++) {
			uint32_t rule = unwind_table_find(full, at);

			if (rule != UNWIND_NONE)
				assert_int_equal(unwind_table_find(t, at), rule);
		}
		unwind_table_free(full);
		unwind_table_free(t);
	}
}

/* Whether that may be what fills up the space between a return and the next label. */
static bool may_be_padding(const struct unwind_table *t, uint64_t at)
{
	uint32_t rule = unwind_table_find(t, at);
	uint64_t end = (at | 15) + 1;

	for (uint64_t next = at; next < end; next++) {
		if (unwind_table_find(t, next) != rule)
			return false;
	}
	return unwind_table_find(t, end) != rule;
}

/* Each row tells of code of its own. */
static void expect_ascending(const struct unwind_table *t)
{
	for (uint32_t b = 0; b < t->n_blocks; b++) {
		for (uint32_t i = t->directory[b] + 1; i < t->directory[b + 1]; i++)
			assert_true((t->rows[i] & 0xff) > (t->rows[i - 1] & 0xff));
	}
}

struct comparison {
	unsigned long compared, differing, missing;
};

/* What compilers say of their own functions, against what is found in the instructions alone: of functions that
 * symbols tell of, or, guessed, of others. */
static void compare_scan(const struct unwind_table *full, const struct unwind_table *t,
			 bool guessed, struct comparison *c)
{
	uint64_t end = t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK - 1;

	*c = (struct comparison){ 0 };
	expect_ascending(t);
	for (uint64_t at = t->base; at < end; at++) {
		uint32_t said = unwind_table_find(full, at), found = unwind_table_find(t, at);
		bool guess = UNWIND_RBX_SLOT(found) == UNWIND_GUESS_SLOT;

		/* One that is said by rbp may be found by rsp. */
		if (UNWIND_KIND(said) != UNWIND_RSP || may_be_padding(full, at))
			continue;
		if (found == UNWIND_NONE || guess != guessed) {
			c->missing++;
			continue;
		}
		c->compared++;
		/* Where rbp was restored the compiler says still where it was saved. */
		c->differing +=
			UNWIND_CFA_OFFSET(said) != UNWIND_CFA_OFFSET(found) ||
			UNWIND_KIND(found) != UNWIND_RSP ||
			(UNWIND_RBP_SLOT(found) && UNWIND_RBP_SLOT(said) != UNWIND_RBP_SLOT(found));
	}
	print_message("%lu bytes of code compared, %lu differ, %lu not found\n", c->compared,
		      c->differing, c->missing);
	assert_true(c->compared > 10000);
}

static void test_scan(void **state)
{
	static const char *const files[] = { "/usr/bin/python3",
					     "/lib/x86_64-linux-gnu/libcrypto.so.3" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct unwind_table *full, *t;
		struct unwind_stats stats;
		struct comparison c;
		int fd = open(files[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0) {
			print_message("not here: %s\n", files[i]);
			continue;
		}
		assert_int_equal(unwind_table_build(fd, 0, &full, &stats), 0);
		assert_int_equal(unwind_table_from_code(fd, &t), 0);
		compare_scan(full, t, false, &c);
		/* What lies behind a call that does not return may be taken for what follows it. */
		assert_true(c.differing * 150 < c.compared);
		unwind_table_free(full);
		unwind_table_free(t);
		close(fd);
	}
}

/* A copy of the file whose symbols tell nothing. */
static int without_symbols(const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf *elf;
	int fd;

	run("cp -L %s bare && chmod u+w bare", name);
	fd = open("bare", O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const Elf64_Sym none = { 0 };

		assert_non_null(gelf_getshdr(scn, &shdr));
		if (shdr.sh_type != SHT_SYMTAB && shdr.sh_type != SHT_DYNSYM)
			continue;
		for (uint64_t at = 0; at < shdr.sh_size; at += sizeof(Elf64_Sym))
			assert_int_equal(
				pwrite(fd, &none, sizeof(none), (off_t)(shdr.sh_offset + at)),
				sizeof(none));
	}
	elf_end(elf);
	return fd;
}

/* Functions that no symbol tells of are looked for; where they are missed what is found is a guess, and so it
 * is marked. */
static void test_scan_of_what_has_no_symbols(void **state)
{
	static const char *const files[] = { "/bin/bash", "/lib/x86_64-linux-gnu/libc.so.6",
					     "/lib/x86_64-linux-gnu/libcrypto.so.3" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct unwind_table *full, *t;
		struct unwind_stats stats;
		struct comparison c;
		int fd;

		if (access(files[i], R_OK)) {
			print_message("not here: %s\n", files[i]);
			continue;
		}
		fd = without_symbols(files[i]);
		assert_int_equal(unwind_table_build(fd, 0, &full, &stats), 0);
		assert_int_equal(unwind_table_from_code(fd, &t), 0);
		compare_scan(full, t, true, &c);
		assert_true(c.differing * 30 < c.compared && c.missing * 50 < c.compared);
		unwind_table_free(full);
		unwind_table_free(t);
		close(fd);
	}
}

/* By hand: test_unwind_table FILE... compares these. */
static int compare_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		struct subject s;
		double start = now();

		if (fd < 0) {
			perror(argv[i]);
			return 1;
		}
		open_subject(&s, fd);
		compare_all(&s, argv[i]);
		printf("%s: %u rows, %lu compared, %lu unknown, %lu differ, %.1f s\n", argv[i],
		       s.table->n_rows, s.compared, s.unknown, s.differing, now() - start);
		close_subject(&s);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_objects),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_other_objects),
		cmocka_unit_test(test_built_objects),
		cmocka_unit_test(test_go_marks),
		cmocka_unit_test(test_go_before_the_switch),
		cmocka_unit_test(test_go_not_called),
		cmocka_unit_test(test_go_stripped),
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_scan_of_what_has_no_symbols),
	};

	if (argc > 1)
		return compare_arguments(argc, argv);
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
