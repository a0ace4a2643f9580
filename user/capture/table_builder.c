// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "unwind/table.h"
#include "user/capture/table_builder.h"

struct job {
	struct job *next;
	uint64_t token;
	int fd;
	off_t size; /* of the file */
	bool late; /* its code is to be read, behind all others */
	char build_id[129];
	struct unwind_table *table;
	bool damaged;
};

struct queue {
	struct job *first, **end;
};

struct table_builder {
	pthread_t thread;
	bool running, stop;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int pending; /* asked for and not done */
	struct queue asked, done;
	int event;
	char *cache_dir;
	bool (*is_wanted)(void *arg, uint64_t token);
	void *wanted_arg;
};

static void push(struct queue *q, struct job *job)
{
	job->next = NULL;
	*q->end = job;
	q->end = &job->next;
}

/* What takes long comes last: it would keep many waiting. */
static bool is_longer(const struct job *job, const struct job *than)
{
	return job->late == than->late ? job->size > than->size : job->late;
}

static void push_by_length(struct queue *q, struct job *job)
{
	struct job **at = &q->first;

	while (*at && !is_longer(*at, job))
		at = &(*at)->next;
	job->next = *at;
	*at = job;
	if (!job->next)
		q->end = &job->next;
}

static struct job *pop(struct queue *q)
{
	struct job *job = q->first;

	if (!job)
		return NULL;
	q->first = job->next;
	if (!q->first)
		q->end = &q->first;
	return job;
}

/* One that is waited for, else the shortest. */
static struct job *pop_next(struct table_builder *b)
{
	struct job **at = &b->asked.first, *job;

	while (*at && !b->is_wanted(b->wanted_arg, (*at)->token))
		at = &(*at)->next;
	job = *at;
	if (!job)
		return pop(&b->asked);
	*at = job->next;
	if (!job->next)
		b->asked.end = at;
	return job;
}

/* Whoever writes a file can give it the build id of another: only root's own files are cached. */
static bool trusted(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && !st.st_uid && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Compilers and linkers, too, make an entry now and then that overlaps another. */
static bool is_damaged(const struct unwind_stats *stats)
{
	return stats->cut_off || stats->bad_entries > stats->entries / 10;
}

static void give_up(struct job *job, int err)
{
	job->table = NULL;
	job->damaged = err != -ENODATA && err != -ENOEXEC;
}

/* From its unwind data. Sets late where its code must be read, too. */
static void read_entries(struct job *job)
{
	struct unwind_stats stats = { 0 };
	int err = unwind_table_build(job->fd, 0, &job->table, &stats);

	job->late = err ? err == -ENODATA : unwind_table_is_sparse(job->fd, job->table);
	if (err)
		give_up(job, err);
	else
		job->damaged = is_damaged(&stats);
}

/* Of an object without unwind data. */
static void read_code(struct job *job)
{
	int err = unwind_table_from_code(job->fd, &job->table);

	if (err)
		give_up(job, err);
}

/* False: it is late, and to be gone on with behind the others. */
static bool build(const struct table_builder *b, struct job *job)
{
	bool cached = b->cache_dir && *job->build_id && trusted(job->fd);

	if (!job->late) {
		if (cached && !unwind_cache_read(b->cache_dir, job->build_id, &job->table))
			return true;
		read_entries(job);
		if (job->late)
			return false;
	} else if (!job->table) {
		read_code(job);
	}
	/* The cache does not tell of damage. */
	if (job->table && !unwind_table_amend(job->fd, &job->table) && cached && !job->damaged)
		unwind_cache_write(b->cache_dir, job->build_id, job->table);
	return true;
}

static void finish(struct table_builder *b, struct job *job)
{
	uint64_t one = 1;

	push(&b->done, job);
	b->pending--;
	pthread_cond_broadcast(&b->changed);
	if (write(b->event, &one, sizeof(one)) < 0)
		return; /* only full, which is as readable */
}

static void *work(void *arg)
{
	struct table_builder *b = arg;

	pthread_mutex_lock(&b->lock);
	while (!b->stop) {
		struct job *job = pop_next(b);
		bool done;

		if (!job) {
			pthread_cond_wait(&b->changed, &b->lock);
			continue;
		}
		pthread_mutex_unlock(&b->lock);
		done = build(b, job);
		if (done)
			close(job->fd);
		pthread_mutex_lock(&b->lock);
		if (done)
			finish(b, job);
		else
			push_by_length(&b->asked, job);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

int table_builder_new(const char *cache_dir, bool (*is_wanted)(void *arg, uint64_t token),
		      void *arg, struct table_builder **builder)
{
	struct table_builder *b = calloc(1, sizeof(*b));
	pthread_condattr_t attr;
	int err = -ENOMEM;

	if (!b)
		return err;
	b->is_wanted = is_wanted;
	b->wanted_arg = arg;
	b->asked.end = &b->asked.first;
	b->done.end = &b->done.first;
	pthread_mutex_init(&b->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&b->changed, &attr);
	pthread_condattr_destroy(&attr);
	b->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (cache_dir) {
		b->cache_dir = strdup(cache_dir);
		if (!b->cache_dir)
			goto fail;
	}
	err = b->event < 0 ? -errno : -pthread_create(&b->thread, NULL, work, b);
	if (err)
		goto fail;
	b->running = true;
	*builder = b;
	return 0;
fail:
	table_builder_free(b);
	return err;
}

static void free_jobs(struct queue *q, bool open)
{
	struct job *job;

	while ((job = pop(q))) {
		if (open)
			close(job->fd);
		unwind_table_free(job->table);
		free(job);
	}
}

void table_builder_free(struct table_builder *b)
{
	if (!b)
		return;
	if (b->running) {
		pthread_mutex_lock(&b->lock);
		b->stop = true;
		pthread_cond_broadcast(&b->changed);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	free_jobs(&b->asked, true);
	free_jobs(&b->done, false);
	if (b->event >= 0)
		close(b->event);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
	free(b->cache_dir);
	free(b);
}

int table_builder_ask(struct table_builder *b, uint64_t token, int fd, const char *build_id)
{
	struct job *job = calloc(1, sizeof(*job));
	struct stat st;

	if (!job)
		return -ENOMEM;
	job->token = token;
	job->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (job->fd < 0) {
		int err = -errno;

		free(job);
		return err;
	}
	job->size = fstat(fd, &st) ? 0 : st.st_size;
	strncpy(job->build_id, build_id, sizeof(job->build_id) - 1);
	pthread_mutex_lock(&b->lock);
	push_by_length(&b->asked, job);
	b->pending++;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	return 0;
}

bool table_builder_next(struct table_builder *b, struct built_table *built)
{
	struct job *job;
	uint64_t count;

	pthread_mutex_lock(&b->lock);
	job = pop(&b->done);
	if (!job && read(b->event, &count, sizeof(count)) < 0)
		count = 0; /* nothing was signalled */
	pthread_mutex_unlock(&b->lock);
	if (!job)
		return false;
	*built = (struct built_table){ job->token, job->table, job->damaged };
	free(job);
	return true;
}

void table_builder_wait(struct table_builder *b, int timeout_ms)
{
	struct timespec end;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += timeout_ms / 1000;
	end.tv_nsec += timeout_ms % 1000 * 1000000l;
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&b->lock);
	while (b->pending && !err)
		err = pthread_cond_timedwait(&b->changed, &b->lock, &end);
	pthread_mutex_unlock(&b->lock);
}

int table_builder_fd(const struct table_builder *b)
{
	return b->event;
}
