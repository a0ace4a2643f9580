// SPDX-License-Identifier: BSD-2-Clause
/* Memory that is read from a file as it is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/paged.h"

#define MIB (1024 * 1024)

/* A file in which each number tells its own place. */
static int make_file(size_t size)
{
	int fd = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	uint64_t *block = malloc(MIB);

	assert_true(fd >= 0);
	assert_non_null(block);
	for (size_t at = 0; at < size; at += MIB) {
		for (size_t i = 0; i < MIB / sizeof(*block); i++)
			block[i] = at + i * sizeof(*block);
		assert_int_equal(write(fd, block, MIB), MIB);
	}
	free(block);
	return fd;
}

static unsigned char *make_room(size_t size)
{
	unsigned char *room = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(room != MAP_FAILED);
	return room;
}

static uint64_t number_at(const unsigned char *bytes, size_t at)
{
	uint64_t number;

	memcpy(&number, bytes + at, sizeof(number));
	return number;
}

static size_t anonymous_kib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	size_t kib = 0;

	assert_non_null(status);
	while (fgets(line, sizeof(line), status))
		if (!strncmp(line, "RssAnon:", 8))
			kib = strtoul(line + 8, NULL, 10);
	fclose(status);
	assert_int_not_equal(kib, 0);
	return kib;
}

static void check_from(uint64_t offset)
{
	const size_t size = 8 * MIB;
	int fd = make_file(size + MIB);
	unsigned char *room = make_room(size);
	unsigned int state = 1;
	struct paged *p;

	assert_int_equal(paged_new(room, size, fd, offset, &p), 0);
	for (int i = 0; i < 3000; i++) {
		size_t at = (size_t)rand_r(&state) % (size / 8) * 8;

		assert_int_equal(number_at(room, at), offset + at);
	}
	for (size_t at = 0; at < size; at += 8)
		assert_int_equal(number_at(room, at), offset + at);
	for (size_t at = size; at; at -= 4096)
		assert_int_equal(number_at(room, at - 8), offset + at - 8);
	paged_free(p);
	munmap(room, size);
	close(fd);
}

static void test_contents(void **state)
{
	check_from(0);
	check_from(4096);
	check_from(1000);
}

/* However much is touched, in whatever order, little stays; and it comes again. */
static void test_memory(void **state)
{
	const size_t size = 192 * MIB;
	int fd = make_file(size);
	unsigned char *room = make_room(size);
	size_t before = anonymous_kib(), most = 0;
	unsigned int seed = 1;
	struct paged *p;

	assert_int_equal(paged_new(room, size, fd, 0, &p), 0);
	for (int turn = 0; turn < 2; turn++)
		for (size_t at = 0; at < size; at += 4096) {
			size_t place = turn ? (size_t)rand_r(&seed) % (size / 4096) * 4096 : at;

			assert_int_equal(number_at(room, place), place);
			if (at % (4 * MIB))
				continue;
			if (anonymous_kib() > before + most)
				most = anonymous_kib() - before;
		}
	assert_in_range(most, 16 * 1024, 80 * 1024);
	paged_free(p);
	munmap(room, size);
	close(fd);
}

/* A file that is cut off: what was read stays, the rest is zeros. Nobody is killed. */
static void test_cut(void **state)
{
	const size_t size = 2 * MIB;
	int fd = make_file(size);
	unsigned char *room = make_room(size);
	struct paged *p;

	assert_int_equal(paged_new(room, size, fd, 0, &p), 0);
	assert_int_equal(number_at(room, MIB), MIB);
	assert_int_equal(ftruncate(fd, 100), 0);
	assert_int_equal(number_at(room, MIB), MIB);
	assert_int_equal(number_at(room, 2 * MIB - 8), 0);
	assert_int_equal(number_at(room, 16), 16);
	assert_int_equal(number_at(room, 104), 0);
	paged_free(p);
	munmap(room, size);
	close(fd);
}

static sigjmp_buf escape;

static void on_other_fault(int number)
{
	siglongjmp(escape, number);
}

/* Faults elsewhere are those of whoever asked for them before, then and afterwards. */
static void test_other_faults(void **state)
{
	struct sigaction action = { .sa_handler = on_other_fault }, after;
	int fd = make_file(MIB);
	unsigned char *room = make_room(MIB), *forbidden = make_room(4096);
	struct paged *p;

	assert_int_equal(mprotect(forbidden, 4096, PROT_NONE), 0);
	assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
	assert_int_equal(paged_new(room, MIB, fd, 0, &p), 0);
	assert_int_equal(number_at(room, 64), 64);
	if (!sigsetjmp(escape, 1)) {
		(void)*(volatile unsigned char *)forbidden;
		fail_msg("read what is forbidden");
	}
	paged_free(p);
	assert_int_equal(sigaction(SIGSEGV, NULL, &after), 0);
	assert_true(after.sa_handler == on_other_fault);
	signal(SIGSEGV, SIG_DFL);
	munmap(room, MIB);
	munmap(forbidden, 4096);
	close(fd);
}

static void *use(void *arg)
{
	for (int i = 0; i < 5; i++)
		check_from(4096);
	return NULL;
}

static void test_threads(void **state)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use, NULL), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_cut),	 cmocka_unit_test(test_other_faults),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
