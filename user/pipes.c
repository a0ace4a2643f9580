// SPDX-License-Identifier: BSD-2-Clause
#include "user/pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define READ_SIZE ((size_t)64 << 10) /* what a pipe holds */

struct one {
	struct pipe_reader reader;
	int read, write; /* -1: closed */
};

struct pipes {
	struct one list[PIPES_MAX];
	size_t n;
	int stop; /* readable when the thread is to end though somebody may still write */
	bool running;
	pthread_t thread;
	char buf[READ_SIZE];
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Only our end does not block: the command finds what it knows. */
static int open_pipe(struct one *one)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	one->read = fds[0];
	one->write = fds[1];
	return fcntl(one->read, F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

int pipes_open(const struct pipe_reader *readers, size_t n, struct pipes **pipes)
{
	struct pipes *p = calloc(1, sizeof(*p));
	int err = 0;

	if (!p)
		return -ENOMEM;
	p->n = n;
	for (size_t i = 0; i < PIPES_MAX; i++)
		p->list[i].read = p->list[i].write = -1;
	p->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->stop < 0)
		err = -errno;
	for (size_t i = 0; i < n && !err; i++) {
		p->list[i].reader = readers[i];
		err = open_pipe(&p->list[i]);
	}
	if (err) {
		pipes_free(p);
		return err;
	}
	*pipes = p;
	return 0;
}

int pipes_write_end(const struct pipes *p, size_t i)
{
	return p->list[i].write;
}

/* Returns how many bytes came. */
static size_t take(struct pipes *p, struct one *one, size_t most)
{
	ssize_t n = read(one->read, p->buf, most < READ_SIZE ? most : READ_SIZE);

	if (n > 0)
		one->reader.take(one->reader.arg, p->buf, (size_t)n);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&one->read);
	return n > 0 ? (size_t)n : 0;
}

/* Somebody may be writing without end: what is there now has to do. */
static void take_rest(struct pipes *p, struct one *one)
{
	int there = 0;
	size_t rest, n = 1;

	if (one->read < 0 || ioctl(one->read, FIONREAD, &there) < 0)
		return;
	for (rest = (size_t)there; rest > 0 && n > 0; rest -= n)
		n = take(p, one, rest);
}

/* Returns whether any pipe is open. */
static bool watch(const struct pipes *p, struct pollfd *watched)
{
	bool any = false;

	for (size_t i = 0; i < p->n; i++) {
		watched[i] = (struct pollfd){ .fd = p->list[i].read, .events = POLLIN };
		any = any || p->list[i].read >= 0;
	}
	watched[p->n] = (struct pollfd){ .fd = p->stop, .events = POLLIN };
	return any;
}

static void *work(void *pipes)
{
	struct pipes *p = pipes;
	struct pollfd watched[PIPES_MAX + 1];
	bool stop = false;

	while (!stop && watch(p, watched)) {
		if (poll(watched, p->n + 1, -1) < 0)
			continue;
		stop = watched[p->n].revents;
		for (size_t i = 0; i < p->n; i++) {
			if (watched[i].revents)
				take(p, &p->list[i], READ_SIZE);
		}
	}
	for (size_t i = 0; i < p->n; i++)
		take_rest(p, &p->list[i]);
	return NULL;
}

int pipes_start(struct pipes *p)
{
	sigset_t all, before;
	int err;

	for (size_t i = 0; i < p->n; i++)
		close_end(&p->list[i].write);
	/* Signals are the main thread's. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = -pthread_create(&p->thread, NULL, work, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	p->running = !err;
	return err;
}

static bool wait_for_end(struct pipes *p, unsigned int timeout_ms)
{
	struct timespec end;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += timeout_ms / 1000;
	end.tv_nsec += timeout_ms % 1000 * 1000000L;
	if (end.tv_nsec >= 1000000000L) {
		end.tv_nsec -= 1000000000L;
		end.tv_sec++;
	}
	return pthread_clockjoin_np(p->thread, NULL, CLOCK_MONOTONIC, &end) == 0;
}

bool pipes_finish(struct pipes *p, unsigned int timeout_ms)
{
	const uint64_t one = 1;
	bool closed = true;

	if (p->running && !wait_for_end(p, timeout_ms)) {
		while (write(p->stop, &one, sizeof(one)) < 0 && errno == EINTR)
			;
		pthread_join(p->thread, NULL);
	}
	p->running = false;
	for (size_t i = 0; i < p->n; i++) {
		closed = closed && p->list[i].read < 0;
		close_end(&p->list[i].read);
	}
	return closed;
}

void pipes_free(struct pipes *p)
{
	if (!p)
		return;
	pipes_finish(p, 0);
	for (size_t i = 0; i < p->n; i++)
		close_end(&p->list[i].write);
	close_end(&p->stop);
	free(p);
}
