// SPDX-License-Identifier: BSD-2-Clause
/*
 * Tables of the machine's own objects, compared with what elfutils says of the same addresses.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/unwind_compare.h"

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
	};

	if (argc > 1)
		return compare_arguments(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
