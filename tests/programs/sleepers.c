/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sleepers: 12 threads (or the first operand) that sleep below stacks of their own depths, in several
 * system calls, some of them called back by the C library, and one thread that counts without a rest.
 * Prints a line once all are asleep. The count is in the file that the second operand names, for all
 * to read. Ends at the end of its standard input. Truth: threads, counted.
 */
#include "common.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#define KINDS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int pipe_ends[2];
static atomic_uint about_to_sleep;
static atomic_ullong *counted;

static NOINLINE void sleep_by_read(void)
{
	char c;

	while (read(pipe_ends[0], &c, 1) != 1)
		;
}

static NOINLINE void sleep_by_wait(void)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
}

static NOINLINE void sleep_by_poll(void)
{
	struct pollfd fd = { .fd = pipe_ends[0], .events = POLLIN };

	while (poll(&fd, 1, -1) != 1)
		;
}

static int sleep_and_compare(const void *a, const void *b)
{
	sleep_by_read();
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void sleep_in_sort(void)
{
	int numbers[2] = { 2, 1 };

	qsort(numbers, 2, sizeof(numbers[0]), sleep_and_compare);
}

static NOINLINE uint64_t descend(unsigned int depth, unsigned int kind)
{
	uint64_t kept = depth * 3 + kind;

	if (depth) {
		kept += descend(depth - 1, kind);
	} else {
		static void (*const kinds[KINDS])(void) = { sleep_by_read, sleep_by_wait,
							    sleep_by_poll, sleep_in_sort };

		about_to_sleep++;
		kinds[kind]();
	}
	return kept * 5 + depth;
}

static void *sleeper(void *arg)
{
	unsigned int i = (unsigned int)(uintptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "sleeper-%u", i);
	pthread_setname_np(pthread_self(), name);
	return (void *)(uintptr_t)descend(i % 13, i % KINDS);
}

static NOINLINE void count_one(void)
{
	(*counted)++;
	__asm__ volatile("");
}

static void *counter(void *arg)
{
	pthread_setname_np(pthread_self(), "counter");
	for (;;)
		count_one();
	return arg;
}

/* The count, in a file if one is named. */
static int place_count(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0644) : -1;
	void *at;

	if (path && (fd < 0 || ftruncate(fd, sizeof(*counted))))
		return -1;
	at = mmap(NULL, sizeof(*counted), PROT_READ | PROT_WRITE,
		  path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	counted = at;
	return at == MAP_FAILED ? -1 : 0;
}

int main(int argc, char **argv)
{
	unsigned int threads = argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 0) : 12;
	pthread_t id;
	char c;

	if (pipe(pipe_ends) || place_count(argc > 2 ? argv[2] : NULL))
		return 1;
	for (unsigned int i = 0; i < threads; i++) {
		if (pthread_create(&id, NULL, sleeper, (void *)(uintptr_t)i))
			return 1;
	}
	if (pthread_create(&id, NULL, counter, NULL))
		return 1;
	while (about_to_sleep < threads)
		usleep(1000);
	puts("asleep");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	printf("{\"threads\": %u, \"counted\": %llu}\n", threads, *counted);
	return 0;
}
