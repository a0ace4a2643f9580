// SPDX-License-Identifier: BSD-2-Clause
/* Jobs on threads: each once, in the order told, with the results where they are waited for. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/workers.h"

#define MAX_JOBS 1000

struct seen {
	pthread_barrier_t together; /* if use_barrier */
	bool use_barrier;
	atomic_uint begun;
	atomic_bool hold; /* jobs go on only when it is off */
	unsigned int place[MAX_JOBS]; /* in which a job began, from 1 */
	unsigned int times[MAX_JOBS];
	pthread_t thread[MAX_JOBS];
	sigset_t blocked[MAX_JOBS];
	unsigned int waits;
};

static void run_job(void *arg, size_t job)
{
	struct seen *s = arg;

	s->place[job] = atomic_fetch_add(&s->begun, 1) + 1;
	s->times[job]++;
	s->thread[job] = pthread_self();
	pthread_sigmask(SIG_SETMASK, NULL, &s->blocked[job]);
	if (s->use_barrier)
		pthread_barrier_wait(&s->together);
	while (atomic_load(&s->hold))
		usleep(1000);
}

static void waiting(void *arg)
{
	struct seen *s = arg;

	s->waits++;
}

static void let_go_when_waiting(void *arg)
{
	struct seen *s = arg;

	waiting(arg);
	if (s->waits == 3)
		atomic_store(&s->hold, false);
}

static struct workers *start(struct seen *s, unsigned int n, const size_t *order, size_t n_jobs)
{
	const struct workers_list list = { order, n_jobs, run_job, s };
	struct workers *w = workers_new(n, &list);

	assert_non_null(w);
	assert_int_equal(workers_count(w), n);
	return w;
}

static void test_each_once(void **state)
{
	static size_t order[MAX_JOBS];

	for (size_t i = 0; i < MAX_JOBS; i++)
		order[i] = i * 7 % MAX_JOBS;
	for (unsigned int n = 0; n < 9; n++) {
		struct seen *s = calloc(1, sizeof(*s));
		struct workers *w;

		assert_non_null(s);
		w = start(s, n, order, MAX_JOBS);
		for (size_t i = 0; i < MAX_JOBS; i++) {
			workers_wait(w, i, waiting, s);
			assert_int_equal(s->times[i], 1);
		}
		workers_wait(w, 5, waiting, s); /* again */
		workers_free(w);
		for (size_t i = 0; i < MAX_JOBS; i++)
			assert_int_equal(s->times[i], 1);
		assert_in_range(s->waits, MAX_JOBS + 1, UINT32_MAX);
		free(s);
	}
}

/* By numbers with gaps, too. */
static void test_order(void **state)
{
	const size_t order[] = { 4, 0, 9, 2 };
	struct seen s = { 0 };
	struct workers *w = start(&s, 1, order, 4);

	workers_wait(w, 2, waiting, &s);
	workers_free(w);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(s.place[order[i]], i + 1);
}

/* Without threads a job is done by whoever waits, when that does. */
static void test_alone(void **state)
{
	const size_t order[] = { 0, 1, 2 };
	struct seen s = { 0 };
	struct workers *w = start(&s, 0, order, 3);

	assert_int_equal(s.begun, 0);
	workers_wait(w, 2, waiting, &s);
	workers_wait(w, 0, waiting, &s);
	workers_free(w);
	assert_int_equal(s.begun, 2);
	assert_int_equal(s.place[2], 1);
	assert_true(pthread_equal(s.thread[0], pthread_self()));
	assert_int_equal(s.times[1], 0);
}

/* Each of the jobs ends only when all have begun. */
static void test_at_the_same_time(void **state)
{
	const size_t order[] = { 0, 1, 2, 3, 4 };
	struct seen s = { .use_barrier = true };
	struct workers *w;

	pthread_barrier_init(&s.together, NULL, 5);
	w = start(&s, 5, order, 5);
	for (size_t i = 0; i < 5; i++) {
		workers_wait(w, i, waiting, &s);
		assert_false(pthread_equal(s.thread[i], pthread_self()));
	}
	workers_free(w);
	pthread_barrier_destroy(&s.together);
}

/* A wait of some time says so more than once. */
static void test_waiting(void **state)
{
	const size_t order[] = { 0 };
	struct seen s = { .hold = true };
	struct workers *w = start(&s, 1, order, 1);

	workers_wait(w, 0, let_go_when_waiting, &s);
	assert_in_range(s.waits, 3, UINT32_MAX);
	workers_free(w);
}

static void *let_go_later(void *arg)
{
	struct seen *s = arg;

	usleep(50000);
	atomic_store(&s->hold, false);
	return NULL;
}

/* What has begun is waited for, and nothing begins any more. */
static void test_free_early(void **state)
{
	static size_t order[100];
	struct seen *s = calloc(1, sizeof(*s));
	unsigned int begun;
	struct workers *w;
	pthread_t other;

	assert_non_null(s);
	s->hold = true;
	for (size_t i = 0; i < 100; i++)
		order[i] = i;
	w = start(s, 2, order, 100);
	while (atomic_load(&s->begun) < 2)
		usleep(1000);
	assert_int_equal(pthread_create(&other, NULL, let_go_later, s), 0);
	workers_free(w);
	begun = atomic_load(&s->begun);
	/* The two that were held, and what began between the release and the stop. */
	assert_in_range(begun, 2, 99);
	usleep(10000);
	assert_int_equal(atomic_load(&s->begun), begun);
	pthread_join(other, NULL);
	free(s);
	workers_free(NULL);
}

/* Signals are the caller's, whose own are as before; faults are the thread's. */
static void test_signals(void **state)
{
	static const int others[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGWINCH };
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	const size_t order[] = { 0 };
	struct seen s = { 0 };
	sigset_t before, after;
	struct workers *w;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	w = start(&s, 1, order, 1);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	workers_wait(w, 0, waiting, &s);
	workers_free(w);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(sigismember(&s.blocked[0], others[i]), 1);
		assert_int_equal(sigismember(&after, others[i]), sigismember(&before, others[i]));
	}
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		assert_int_equal(sigismember(&s.blocked[0], faults[i]), 0);
}

static void test_nothing_to_do(void **state)
{
	struct seen s = { 0 };

	workers_free(start(&s, 0, NULL, 0));
	workers_free(start(&s, 3, NULL, 0));
	assert_int_equal(s.begun, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_once), cmocka_unit_test(test_order),
		cmocka_unit_test(test_alone),	  cmocka_unit_test(test_at_the_same_time),
		cmocka_unit_test(test_waiting),	  cmocka_unit_test(test_free_early),
		cmocka_unit_test(test_signals),	  cmocka_unit_test(test_nothing_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
