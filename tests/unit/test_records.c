// SPDX-License-Identifier: BSD-2-Clause
/* perf's records: parsed from bytes laid out as linux/perf_event.h says, and from the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/capture/cpus.h"
#include "user/capture/records.h"

/* Bytes of a record, put together field by field. */
struct bytes {
	size_t n;
	unsigned char data[512];
};

static void put(struct bytes *b, const void *value, size_t size)
{
	assert_true(b->n + size <= sizeof(b->data));
	memcpy(b->data + b->n, value, size);
	b->n += size;
}

static void put32(struct bytes *b, uint32_t value)
{
	put(b, &value, sizeof(value));
}

static void put64(struct bytes *b, uint64_t value)
{
	put(b, &value, sizeof(value));
}

static void put_header(struct bytes *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header header = { .type = type, .misc = misc };

	memset(b, 0, sizeof(*b));
	put(b, &header, sizeof(header));
}

/* A text with its padding to 8 bytes. */
static void put_text(struct bytes *b, const char *text)
{
	static const char zeroes[8];
	size_t size = strlen(text) + 1;

	put(b, text, size);
	put(b, zeroes, -size & 7);
}

/* sample_id: pid, tid, time; then the size is known. */
static void put_end(struct bytes *b, uint64_t time)
{
	uint16_t size;

	put32(b, 71);
	put32(b, 72);
	put64(b, time);
	size = b->n;
	memcpy(b->data + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static void put_map(struct bytes *b, uint64_t start, uint64_t size, const char *path)
{
	put_header(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	put32(b, 11);
	put32(b, 12);
	put64(b, start);
	put64(b, size);
	put64(b, 0x3000); /* offset */
	put32(b, 8); /* major */
	put32(b, 17); /* minor */
	put64(b, 123456); /* inode */
	put64(b, 1); /* generation */
	put32(b, PROT_READ | PROT_EXEC);
	put32(b, MAP_PRIVATE);
	put_text(b, path);
	put_end(b, 999);
}

static void test_map(void **state)
{
	struct bytes b;
	struct record r;

	put_map(&b, 0x7f0000001000, 0x2000, "/opt/a b/lib\xff.so (deleted)");
	assert_true(record_parse(b.data, b.n, &r));
	assert_int_equal(r.kind, RECORD_MAP);
	assert_int_equal(r.pid, 11);
	assert_int_equal(r.tid, 12);
	assert_int_equal(r.start, 0x7f0000001000);
	assert_int_equal(r.end, 0x7f0000003000);
	assert_int_equal(r.offset, 0x3000);
	assert_int_equal(r.device, makedev(8, 17));
	assert_int_equal(r.inode, 123456);
	assert_int_equal(r.time, 999);
	assert_string_equal(r.text, "/opt/a b/lib\xff.so (deleted)");
}

static void test_comm(void **state)
{
	struct bytes b;
	struct record r;
	unsigned int exec;

	for (exec = 0; exec < 2; exec++) {
		put_header(&b, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
		put32(&b, 5);
		put32(&b, 6);
		put_text(&b, "a;b\n(c)");
		put_end(&b, 1234567890123);
		assert_true(record_parse(b.data, b.n, &r));
		assert_int_equal(r.kind, RECORD_COMM);
		assert_int_equal(r.pid, 5);
		assert_int_equal(r.tid, 6);
		assert_int_equal(r.exec, exec);
		assert_int_equal(r.time, 1234567890123);
		assert_string_equal(r.text, "a;b\n(c)");
	}
}

static void test_other_kinds(void **state)
{
	struct bytes b;
	struct record r;

	put_map(&b, 0x1000, 0x1000, "/bin/x");
	b.data[0] = PERF_RECORD_EXIT;
	assert_false(record_parse(b.data, b.n, &r));
	put_map(&b, 0x1000, 0, "/bin/empty");
	assert_false(record_parse(b.data, b.n, &r));
	put_map(&b, UINT64_MAX - 0xfff, 0x2000, "/bin/wraps");
	assert_false(record_parse(b.data, b.n, &r));
}

/* Cut off at each byte, in memory of exactly that size, for a sanitizer to see what is read. */
static void test_cut_off(void **state)
{
	struct bytes b;
	struct record r = { .pid = 4711 };
	size_t size;

	put_map(&b, 0x1000, 0x1000, "/bin/12");
	for (size = 0; size < b.n; size++) {
		unsigned char *copy = malloc(size ? size : 1);

		assert_non_null(copy);
		memcpy(copy, b.data, size);
		/* Where a shorter text still ends in a zero, the record counts as whole. */
		if (record_parse(copy, size, &r))
			assert_true(strlen(r.text) < size);
		else
			assert_int_equal(r.pid, 4711);
		r.pid = 4711;
		free(copy);
	}
	/* A text that does not end within the record. */
	put_map(&b, 0x1000, 0x1000, "/bin/12");
	b.data[b.n - 16 - 1] = 'x';
	assert_false(record_parse(b.data, b.n, &r));
}

struct heard {
	pid_t pid;
	uint64_t inode, last_time;
	uintptr_t map_start;
	unsigned int maps, names, execs;
	char comm[32], path[256];
	struct record map;
};

static int hear(void *arg, const struct record *r)
{
	struct heard *h = arg;

	if (r->pid != (uint32_t)h->pid)
		return 0;
	if (r->kind == RECORD_COMM) {
		h->execs += r->exec;
		h->names += !r->exec;
		snprintf(h->comm, sizeof(h->comm), "%s", r->text);
	} else if (!h->map_start || h->map_start == r->start) {
		h->maps++;
		h->map = *r;
		snprintf(h->path, sizeof(h->path), "%s", r->text);
	}
	return 0;
}

static struct records *opened(size_t bytes)
{
	struct records *r = NULL;
	struct cpus cpus;
	int err;

	assert_int_equal(cpus_online(&cpus), 0);
	err = records_new(&cpus, bytes, &r);
	if (err == -EACCES || err == -EPERM) {
		print_message("no right to open perf events: skipped\n");
		skip();
	}
	assert_int_equal(err, 0);
	return r;
}

static uint64_t monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void test_own_mapping_and_name(void **state)
{
	struct records *r = opened(1 << 16);
	struct heard h = { .pid = getpid() };
	char own[16];
	uint64_t before, after;
	struct stat st;
	void *code;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_int_equal(fstat(fd, &st), 0);
	prctl(PR_GET_NAME, own);
	before = monotonic();
	prctl(PR_SET_NAME, "odd ;\x01(name)");
	code = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
	assert_ptr_not_equal(code, MAP_FAILED);
	after = monotonic();
	h.map_start = (uintptr_t)code;
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_int_equal(h.names, 1);
	assert_int_equal(h.execs, 0);
	assert_string_equal(h.comm, "odd ;\x01(name)");
	assert_int_equal(h.maps, 1);
	assert_int_equal(h.map.start, (uintptr_t)code);
	assert_int_equal(h.map.end, (uintptr_t)code + 8192);
	assert_int_equal(h.map.offset, 4096);
	assert_int_equal(h.map.inode, st.st_ino);
	assert_in_range(h.map.time, before, after);
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_int_equal(h.maps, 1);
	prctl(PR_SET_NAME, own);
	munmap(code, 8192);
	close(fd);
	records_free(r);
	records_free(NULL);
}

static void test_exec(void **state)
{
	struct records *r = opened(1 << 16);
	struct heard h = { 0 };
	pid_t child = fork();

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	h.pid = child;
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_int_equal(h.execs, 1);
	assert_string_equal(h.comm, "true");
	assert_true(h.maps >= 2); /* the program and its loader, at least */
	records_free(r);
}

/* A buffer of one page overflows: what did not fit is counted, and reading goes on behind it. */
static void test_overflow(void **state)
{
	struct records *r = opened(sysconf(_SC_PAGESIZE));
	struct heard h = { .pid = getpid() };
	char own[16], name[16];
	unsigned int i, n = 3000;
	cpu_set_t before, one;

	/* Each CPU tells its losses with its own next record. */
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	prctl(PR_GET_NAME, own);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		prctl(PR_SET_NAME, name);
	}
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_true(h.names < n);
	/* Known at once, though no later record fitted. Other processes may have lost some as well. */
	assert_true(records_lost(r) > 0);
	assert_true(h.names + records_lost(r) >= n);
	for (i = 0; i < 16; i++) {
		prctl(PR_SET_NAME, "later");
		assert_int_equal(records_read(r, hear, &h), 0);
	}
	assert_string_equal(h.comm, "later");
	assert_true(h.names + records_lost(r) >= n + 16);
	prctl(PR_SET_NAME, own);
	sched_setaffinity(0, sizeof(before), &before);
	records_free(r);
}

static int refuse(void *arg, const struct record *r)
{
	++*(unsigned int *)arg;
	return -ENOMEM;
}

static void test_reader_fails(void **state)
{
	struct records *r = opened(1 << 16);
	unsigned int calls = 0;
	struct heard h = { .pid = getpid() };
	char own[16];

	prctl(PR_GET_NAME, own);
	prctl(PR_SET_NAME, "one");
	prctl(PR_SET_NAME, own);
	assert_int_equal(records_read(r, refuse, &calls), -ENOMEM);
	assert_int_equal(calls, 1);
	assert_int_equal(records_read(r, hear, &h), 0);
	records_free(r);
}

static unsigned int open_descriptors(void)
{
	unsigned int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Takes a name on the last CPU that this process may use, and its old one on another. */
static void run_on_last_cpu(const char *name)
{
	cpu_set_t all, last;
	int cpu = CPU_SETSIZE - 1;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu--;
	CPU_ZERO(&last);
	CPU_SET(cpu, &last);
	assert_int_equal(sched_setaffinity(0, sizeof(last), &last), 0);
	prctl(PR_SET_NAME, name);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

static void test_cpus_come_and_go(void **state)
{
	unsigned int before = open_descriptors();
	struct records *r = opened(1 << 14);
	struct heard h = { .pid = getpid() };
	struct cpus cpus, first;
	const int *fds;
	size_t n = records_fds(r, &fds);

	assert_int_equal(n, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(open_descriptors(), before + n);
	assert_int_equal(cpus_online(&cpus), 0);
	assert_int_equal(records_follow(r, &cpus), 0);
	assert_int_equal(records_fds(r, &fds), n);
	/* All but the first go away: what is in their buffers is read before they are closed. */
	assert_int_equal(cpus_parse("0", &first), 0);
	run_on_last_cpu("before");
	assert_int_equal(records_follow(r, &first), 0);
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_string_equal(h.comm, "before");
	assert_int_equal(records_fds(r, &fds), 1);
	assert_int_equal(open_descriptors(), before + 1);
	/* And come back, twice between two reads. */
	assert_int_equal(records_follow(r, &cpus), 0);
	assert_int_equal(records_follow(r, &first), 0);
	assert_int_equal(records_follow(r, &cpus), 0);
	run_on_last_cpu("after");
	assert_int_equal(records_read(r, hear, &h), 0);
	assert_string_equal(h.comm, "after");
	assert_int_equal(records_fds(r, &fds), n);
	/* One that isn't there. */
	assert_int_equal(cpus_parse("8191", &first), 0);
	assert_true(records_follow(r, &first) <= 0);
	records_free(r);
	assert_int_equal(open_descriptors(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_comm),
		cmocka_unit_test(test_other_kinds),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_own_mapping_and_name),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_reader_fails),
		cmocka_unit_test(test_cpus_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
