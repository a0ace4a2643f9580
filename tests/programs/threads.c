/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Eight named threads, two for each of four hot functions whose CPU shares are 50, 25, 15 and 10 %.
 * Work goes in rounds that end at a barrier, so that the shares hold over any window longer than a
 * round (some milliseconds). Truth: CPU seconds in all, the shares by function and by thread.
 */
#include "common.h"
#include <pthread.h>

enum {
	THREADS = 8,
	KINDS = 4,
	STEPS = 20000,
};

HOT_FUNCTION(hot_alpha, 3)
HOT_FUNCTION(hot_beta, 5)
HOT_FUNCTION(hot_gamma, 7)
HOT_FUNCTION(hot_delta, 9)

static const struct {
	const char *name, *function;
	uint64_t (*hot)(uint64_t, unsigned int);
	unsigned int units;
} kinds[KINDS] = {
	{ "alpha", "hot_alpha", hot_alpha, 50 },
	{ "beta", "hot_beta", hot_beta, 25 },
	{ "gamma", "hot_gamma", hot_gamma, 15 },
	{ "delta", "hot_delta", hot_delta, 10 },
};

struct worker {
	pthread_t id;
	unsigned int kind;
	char name[16];
	double cpu;
	uint64_t sum;
};

static struct work_args args;
static pthread_barrier_t barrier;
static volatile int stop;
static double start;
static uint64_t rounds;

static NOINLINE uint64_t do_round(unsigned int kind, uint64_t x)
{
	for (unsigned int i = 0; i < kinds[kind].units; i++)
		x += kinds[kind].hot(x, STEPS);
	return x;
}

static void *work(void *arg)
{
	struct worker *w = arg;

	pthread_setname_np(pthread_self(), w->name);
	w->sum = 88172645463325252u + w->kind;
	pthread_barrier_wait(&barrier);
	while (!stop) {
		w->sum = do_round(w->kind, w->sum);
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
			rounds++;
			stop = !work_left(&args, rounds, start);
		}
		pthread_barrier_wait(&barrier);
	}
	w->cpu = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void print_truth(const struct worker *workers)
{
	double total = 0, by_kind[KINDS] = { 0 };

	for (unsigned int i = 0; i < THREADS; i++) {
		total += workers[i].cpu;
		by_kind[workers[i].kind] += workers[i].cpu;
	}
	printf("{\"target\":\"threads\",\"rounds\":%llu,\"cpu_s\":%.6f,\"functions\":{",
	       (unsigned long long)rounds, total);
	for (unsigned int k = 0; k < KINDS; k++)
		printf("%s\"%s\":%.4f", k ? "," : "", kinds[k].function, by_kind[k] / total);
	printf("},\"threads\":{");
	for (unsigned int i = 0; i < THREADS; i++)
		printf("%s\"%s\":%.4f", i ? "," : "", workers[i].name, workers[i].cpu / total);
	printf("}}\n");
}

int main(int argc, char **argv)
{
	struct worker workers[THREADS] = { 0 };

	parse_args(argc, argv, &args);
	gate_wait();
	pthread_barrier_init(&barrier, NULL, THREADS);
	start = clock_seconds(CLOCK_MONOTONIC);
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].kind = i % KINDS;
		snprintf(workers[i].name, sizeof(workers[i].name), "%s-%u",
			 kinds[workers[i].kind].name, i / KINDS);
		if (pthread_create(&workers[i].id, NULL, work, &workers[i]))
			return 1;
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(workers[i].id, NULL);
	print_truth(workers);
	gate_end();
	return 0;
}
