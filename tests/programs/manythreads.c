/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 10,000 threads (or the operand), all alive before the gate opens, that take turns: each works a
 * millisecond in its turn and sleeps otherwise. Truth: threads, turns, CPU seconds of the process.
 */
#include "common.h"
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
	LANES = 4, /* so many threads at work at a time */
};

HOT_FUNCTION(many_work, 3)

static struct work_args args;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_gate = PTHREAD_COND_INITIALIZER;
static int opened;
static double start;
static unsigned int threads = 10000;
static atomic_ullong turns;
static volatile uint64_t sink;

static void *work(void *arg)
{
	struct timespec rest = { .tv_sec = 0 };
	double pause = 0.001 * threads / LANES;

	pthread_mutex_lock(&lock);
	while (!opened)
		pthread_cond_wait(&open_gate, &lock);
	pthread_mutex_unlock(&lock);
	rest.tv_sec = (time_t)pause;
	rest.tv_nsec = (long)((pause - (double)rest.tv_sec) * 1e9);
	while (work_left(&args, turns, start)) {
		sink = spin_for(many_work, 0.001, (uintptr_t)arg);
		turns++;
		nanosleep(&rest, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int at = parse_args(argc, argv, &args);
	pthread_attr_t attr;
	pthread_t *ids;

	if (at < argc)
		threads = (unsigned int)strtoul(argv[at], NULL, 0);
	ids = calloc(threads, sizeof(*ids));
	if (!ids)
		return 1;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN * 2);
	for (unsigned int i = 0; i < threads; i++) {
		if (pthread_create(&ids[i], &attr, work, (void *)(uintptr_t)(i + 1))) {
			fprintf(stderr, "only %u threads could be created\n", i);
			return 1;
		}
	}
	fprintf(stderr, "ready\n");
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	pthread_mutex_lock(&lock);
	opened = 1;
	pthread_cond_broadcast(&open_gate);
	pthread_mutex_unlock(&lock);
	for (unsigned int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	printf("{\"target\":\"manythreads\",\"threads\":%u,\"turns\":%llu,\"cpu_s\":%.6f}\n",
	       threads, (unsigned long long)turns, clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
	gate_end();
	free(ids);
	return 0;
}
