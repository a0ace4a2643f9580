// SPDX-License-Identifier: BSD-2-Clause
#include "user/workers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE (8u << 20) /* a main thread's, whatever limit there is */
#define WAIT_NS 100000000l

struct workers {
	struct workers_list list;
	bool *done; /* by the jobs' numbers */
	pthread_t *threads;
	unsigned int n_threads;

	pthread_mutex_t lock; /* for done and what follows */
	pthread_cond_t changed;
	size_t next; /* in the order */
	bool stop;
};

unsigned int workers_processors(void)
{
	cpu_set_t allowed;
	long online;

	/* Fails where there are more processors than the set has room for. */
	if (!sched_getaffinity(0, sizeof(allowed), &allowed))
		return (unsigned int)CPU_COUNT(&allowed);
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 1 ? (unsigned int)online : 1;
}

static void *work(void *arg)
{
	struct workers *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!w->stop && w->next < w->list.n_jobs) {
		size_t job = w->list.order[w->next++];

		pthread_mutex_unlock(&w->lock);
		w->list.run(w->list.arg, job);
		pthread_mutex_lock(&w->lock);
		w->done[job] = true;
		pthread_cond_signal(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Threads begin with the signals blocked that their maker has blocked. */
static void start_threads(struct workers *w, unsigned int n)
{
	static const int own_faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	sigset_t blocked, before;
	pthread_attr_t attr;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++)
		sigdelset(&blocked, own_faults[i]);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	while (w->n_threads < n && !pthread_create(&w->threads[w->n_threads], &attr, work, w))
		w->n_threads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
}

static size_t highest(const struct workers_list *list)
{
	size_t found = 0;

	for (size_t i = 0; i < list->n_jobs; i++)
		if (list->order[i] > found)
			found = list->order[i];
	return found;
}

struct workers *workers_new(unsigned int n, const struct workers_list *list)
{
	struct workers *w = calloc(1, sizeof(*w));
	pthread_condattr_t attr;

	if (!w)
		return NULL;
	w->list = *list;
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->changed, &attr);
	pthread_condattr_destroy(&attr);
	w->done = calloc(highest(list) + 1, sizeof(*w->done));
	w->threads = calloc((size_t)n + 1, sizeof(*w->threads));
	if (!w->done || !w->threads) {
		workers_free(w);
		return NULL;
	}
	start_threads(w, n);
	return w;
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_mutex_unlock(&w->lock);
	for (unsigned int i = 0; i < w->n_threads; i++)
		pthread_join(w->threads[i], NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w->threads);
	free(w->done);
	free(w);
}

unsigned int workers_count(const struct workers *w)
{
	return w->n_threads;
}

static void wait_a_while(struct workers *w)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += WAIT_NS;
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	pthread_cond_timedwait(&w->changed, &w->lock, &end);
}

static bool is_done(struct workers *w, size_t job, bool wait)
{
	bool done;

	pthread_mutex_lock(&w->lock);
	if (wait && !w->done[job])
		wait_a_while(w);
	done = w->done[job];
	pthread_mutex_unlock(&w->lock);
	return done;
}

void workers_wait(struct workers *w, size_t job, void (*waiting)(void *arg), void *arg)
{
	waiting(arg);
	if (!w->n_threads && !w->done[job]) {
		w->list.run(w->list.arg, job);
		w->done[job] = true;
	}
	while (!is_done(w, job, true))
		waiting(arg);
}
