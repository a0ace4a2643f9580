// SPDX-License-Identifier: BSD-2-Clause
#include "user/name_jobs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "user/workers.h"

/* Each holds what a large object takes. */
#define MAX_THREADS 8
/* No threads for fewer addresses. */
#define FEW_ADDRESSES 256

/* What tells how long a job takes. */
struct cost {
	size_t job, n_addresses;
	off_t size; /* of the file */
	bool is_kernel;
};

struct name_jobs {
	struct symbolizer *symbolizer;
	struct name_job *jobs;
	size_t n;
	size_t *order;
	atomic_size_t n_done; /* addresses */
	struct workers *workers;
};

/* The kernel's symbols take as long for one address as for all. */
static int compare_costs(const void *left, const void *right)
{
	const struct cost *a = left, *b = right;

	if (a->is_kernel != b->is_kernel)
		return a->is_kernel ? -1 : 1;
	if (a->n_addresses != b->n_addresses)
		return a->n_addresses > b->n_addresses ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->job < b->job ? -1 : a->job > b->job;
}

static off_t size_of(const struct name_job *job)
{
	struct stat st;

	return job->is_kernel || fstat(job->source.fd, &st) ? 0 : st.st_size;
}

static bool find_order(struct name_jobs *j)
{
	struct cost *costs = calloc(j->n + 1, sizeof(*costs));

	j->order = calloc(j->n + 1, sizeof(*j->order));
	if (!costs || !j->order) {
		free(costs);
		return false;
	}
	for (size_t i = 0; i < j->n; i++)
		costs[i] = (struct cost){
			.job = i,
			.n_addresses = j->jobs[i].n_addresses,
			.size = size_of(&j->jobs[i]),
			.is_kernel = j->jobs[i].is_kernel,
		};
	qsort(costs, j->n, sizeof(*costs), compare_costs);
	for (size_t i = 0; i < j->n; i++)
		j->order[i] = costs[i].job;
	free(costs);
	return true;
}

static void do_job(void *arg, size_t at)
{
	struct name_jobs *j = arg;
	struct name_job *job = &j->jobs[at];

	if (job->is_kernel)
		job->err = kernel_symbols_new(NULL, &job->kernel);
	else
		job->err = symbolizer_ask(j->symbolizer, &job->source, job->addresses,
					  job->n_addresses, &job->answers);
	atomic_fetch_add(&j->n_done, job->n_addresses);
}

static unsigned int choose_threads(const struct name_jobs *j, unsigned int threads)
{
	size_t n_addresses = 0;

	for (size_t i = 0; i < j->n; i++)
		n_addresses += j->jobs[i].n_addresses;
	if (!threads && n_addresses >= FEW_ADDRESSES) {
		threads = workers_processors();
		if (threads > MAX_THREADS)
			threads = MAX_THREADS;
	}
	if (threads > j->n)
		threads = (unsigned int)j->n;
	return threads > 1 ? threads : 0;
}

struct name_jobs *name_jobs_new(struct symbolizer *s, struct name_job *jobs, size_t n,
				unsigned int threads)
{
	struct name_jobs *j = calloc(1, sizeof(*j));
	struct workers_list list = { .n_jobs = n, .run = do_job, .arg = j };

	if (!j)
		return NULL;
	j->symbolizer = s;
	j->jobs = jobs;
	j->n = n;
	if (!find_order(j))
		goto fail;
	list.order = j->order;
	j->workers = workers_new(choose_threads(j, threads), &list);
	if (!j->workers)
		goto fail;
	return j;
fail:
	name_jobs_free(j);
	return NULL;
}

void name_jobs_free(struct name_jobs *j)
{
	if (!j)
		return;
	workers_free(j->workers);
	for (size_t i = 0; i < j->n; i++) {
		symbol_answers_free(j->jobs[i].answers);
		kernel_symbols_free(j->jobs[i].kernel);
		j->jobs[i].answers = NULL;
		j->jobs[i].kernel = NULL;
	}
	free(j->order);
	free(j);
}

unsigned int name_jobs_threads(const struct name_jobs *j)
{
	return workers_count(j->workers);
}

size_t name_jobs_done(const struct name_jobs *j)
{
	return atomic_load(&j->n_done);
}

void name_jobs_wait(struct name_jobs *j, size_t job, void (*waiting)(void *arg), void *arg)
{
	workers_wait(j->workers, job, waiting, arg);
}
