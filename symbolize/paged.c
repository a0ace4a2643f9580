// SPDX-License-Identifier: BSD-2-Clause
#include "symbolize/paged.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What one part may have in memory. Then all goes, and what is still needed comes again. */
#define MAX_RESIDENT (64u << 20)
#define MAX_AHEAD (256 * 1024)
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; before, each page is made as it is read */
#endif

struct paged {
	unsigned char *begin;
	size_t size, resident;
	int fd;
	uint64_t offset;
	size_t page;
	unsigned char *present; /* a bit a page */
	size_t expected, ahead; /* where the last read ended: who goes on there gets more at once */
	struct paged *next;
};

static __thread struct paged *all; /* of this thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for what follows */
static unsigned int users;
static struct sigaction previous;

/* What the file does not have is zero, as all is that was not touched before. */
static void read_in(const struct paged *p, size_t at, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(p->fd, p->begin + at + done, size - done,
				    (off_t)(p->offset + at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return;
		done += (size_t)got;
	}
}

static void let_go(struct paged *p)
{
	madvise(p->begin, p->size, MADV_DONTNEED);
	mprotect(p->begin, p->size, PROT_NONE);
	memset(p->present, 0, p->size / p->page / 8 + 1);
	p->resident = 0;
}

static bool is_present(const struct paged *p, size_t at)
{
	size_t page = at / p->page;

	return p->present[page / 8] & 1 << page % 8;
}

static void set_present(struct paged *p, size_t at, size_t size)
{
	for (size_t page = at / p->page; page < (at + size) / p->page; page++)
		p->present[page / 8] |= (unsigned char)(1 << page % 8);
	p->resident += size;
}

/* How much is to be read at a page: more from time to time, up to what is there already. */
static size_t find_size(struct paged *p, size_t at)
{
	size_t size = 0;

	p->ahead = at == p->expected ? 2 * p->ahead : p->page;
	if (p->ahead > MAX_AHEAD)
		p->ahead = MAX_AHEAD;
	while (size < p->ahead && at + size < p->size && !is_present(p, at + size))
		size += p->page;
	return size;
}

static bool bring_into(struct paged *p, size_t at)
{
	size_t size;

	if (p->resident >= MAX_RESIDENT)
		let_go(p);
	size = find_size(p, at);
	/* The kernel has a limit of pieces with different protection. */
	if (mprotect(p->begin + at, size, PROT_READ | PROT_WRITE)) {
		let_go(p);
		if (mprotect(p->begin + at, size, PROT_READ | PROT_WRITE))
			return false;
	}
	if (size > p->page)
		madvise(p->begin + at, size, MADV_POPULATE_WRITE);
	read_in(p, at, size);
	set_present(p, at, size);
	p->expected = at + size;
	return true;
}

static bool bring(unsigned char *address)
{
	for (struct paged *p = all; p; p = p->next)
		if (address >= p->begin && address < p->begin + p->size)
			return bring_into(p, (size_t)(address - p->begin) / p->page * p->page);
	return false;
}

/* Calls nothing but system calls. A fault that is not ours happens again, with the former action. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (info->si_code != SEGV_ACCERR || !bring(info->si_addr))
		sigaction(number, &previous, NULL);
	errno = saved;
}

static int begin_use(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	int err = 0;

	sigemptyset(&action.sa_mask);
	pthread_mutex_lock(&lock);
	if (!users && sigaction(SIGSEGV, &action, &previous))
		err = -errno;
	else
		users++;
	pthread_mutex_unlock(&lock);
	return err;
}

static void end_use(void)
{
	pthread_mutex_lock(&lock);
	if (!--users)
		sigaction(SIGSEGV, &previous, NULL);
	pthread_mutex_unlock(&lock);
}

int paged_new(unsigned char *bytes, size_t size, int fd, uint64_t offset, struct paged **paged)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct paged *p = malloc(sizeof(*p));
	unsigned char *present = calloc(1, size / page / 8 + 1);
	int err = p && present ? begin_use() : -ENOMEM;

	if (!err && mprotect(bytes, size, PROT_NONE)) {
		err = -errno;
		end_use();
	}
	if (err) {
		free(present);
		free(p);
		return err;
	}
	*p = (struct paged){
		.begin = bytes,
		.size = size,
		.fd = fd,
		.offset = offset,
		.page = page,
		.present = present,
		.expected = SIZE_MAX,
		.next = all,
	};
	all = p;
	*paged = p;
	return 0;
}

void paged_free(struct paged *p)
{
	struct paged **at = &all;

	if (!p)
		return;
	while (*at && *at != p)
		at = &(*at)->next;
	if (*at)
		*at = p->next;
	end_use();
	free(p->present);
	free(p);
}
