// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "user/capture/cpus.h"
#include "user/capture/records.h"

struct buffer {
	unsigned int cpu;
	bool gone; /* its CPU went offline: closed when it has been read */
	struct perf_event_mmap_page *page;
};

struct records {
	size_t n, bytes;
	struct buffer *buffers;
	int *fds;
	uint64_t lost; /* of CPUs that went away */
	char *scratch; /* for records that wrap around the buffer's end */
};

#define RECORD_MAX (1 << 16) /* its size is a 16-bit field */

static int open_event(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_LOST,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		/* At once: samples taken until a new mapping is noticed may count for the old. */
		.wakeup_watermark = 1,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool has_cpu(const struct records *r, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (r->buffers[i].cpu == cpu && !r->buffers[i].gone)
			return true;
	}
	return false;
}

static int add_cpu(struct records *r, unsigned int cpu)
{
	struct buffer *buffers = realloc(r->buffers, (r->n + 1) * sizeof(*buffers));
	int *fds, fd, err;
	void *page;

	if (!buffers)
		return -ENOMEM;
	r->buffers = buffers;
	fds = realloc(r->fds, (r->n + 1) * sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	r->fds = fds;
	fd = open_event(cpu);
	if (fd < 0)
		return -errno;
	page = mmap(NULL, sysconf(_SC_PAGESIZE) + r->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	if (page == MAP_FAILED) {
		err = -errno;
		close(fd);
		return err;
	}
	r->buffers[r->n] = (struct buffer){ .cpu = cpu, .page = page };
	r->fds[r->n++] = fd;
	return 0;
}

int records_follow(struct records *r, const struct cpus *cpus)
{
	unsigned int cpu;
	int err = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		r->buffers[i].gone |= !cpus_has(cpus, r->buffers[i].cpu);
	for (cpu = 0; cpu < cpus->limit && !err; cpu++) {
		if (!cpus_has(cpus, cpu) || has_cpu(r, cpu))
			continue;
		err = add_cpu(r, cpu);
		if (err == -ENODEV) /* went offline in between */
			err = 0;
	}
	return err;
}

int records_new(const struct cpus *cpus, size_t bytes, struct records **records)
{
	struct records *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	if (!r)
		return err;
	r->bytes = bytes;
	r->scratch = malloc(RECORD_MAX);
	if (r->scratch)
		err = records_follow(r, cpus);
	if (err) {
		records_free(r);
		return err;
	}
	*records = r;
	return 0;
}

static void close_buffer(struct records *r, size_t i)
{
	munmap(r->buffers[i].page, sysconf(_SC_PAGESIZE) + r->bytes);
	close(r->fds[i]);
}

void records_free(struct records *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n; i++)
		close_buffer(r, i);
	free(r->buffers);
	free(r->fds);
	free(r->scratch);
	free(r);
}

size_t records_fds(const struct records *r, const int **fds)
{
	*fds = r->fds;
	return r->n;
}

/* The kernel also tells by a LOST record, but only once another record comes and fits. */
static uint64_t lost_by(int fd)
{
	uint64_t numbers[2]; /* the event's count, records lost */

	return read(fd, numbers, sizeof(numbers)) == sizeof(numbers) ? numbers[1] : 0;
}

uint64_t records_lost(const struct records *r)
{
	uint64_t lost = r->lost;
	size_t i;

	for (i = 0; i < r->n; i++)
		lost += lost_by(r->fds[i]);
	return lost;
}

struct sample_id {
	uint32_t pid, tid;
	uint64_t time;
};

struct mmap2_body {
	uint32_t pid, tid;
	uint64_t start, size, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

struct comm_body {
	uint32_t pid, tid;
	char comm[];
};

/* A terminated string that begins at from and ends before end; NULL if there is none. */
static const char *text_before(const char *from, const char *end)
{
	return from < end && memchr(from, 0, end - from) ? from : NULL;
}

static bool parse_map(const char *body, const char *end, struct record *r)
{
	struct mmap2_body m;

	if ((size_t)(end - body) < sizeof(m))
		return false;
	memcpy(&m, body, sizeof(m));
	r->kind = RECORD_MAP;
	r->pid = m.pid;
	r->tid = m.tid;
	r->start = m.start;
	r->end = m.start + m.size;
	r->offset = m.offset;
	r->device = makedev(m.major, m.minor);
	r->inode = m.inode;
	r->text = text_before(body + sizeof(m), end);
	return r->text && r->end > r->start;
}

static bool parse_comm(const char *body, const char *end, uint16_t misc, struct record *r)
{
	struct comm_body c;

	if ((size_t)(end - body) < sizeof(c))
		return false;
	memcpy(&c, body, sizeof(c));
	r->kind = RECORD_COMM;
	r->pid = c.pid;
	r->tid = c.tid;
	r->exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	r->text = text_before(body + sizeof(c), end);
	return r->text;
}

bool record_parse(const void *data, size_t size, struct record *record)
{
	const char *bytes = data, *body = bytes + sizeof(struct perf_event_header), *end;
	struct perf_event_header header;
	struct record r = { 0 };
	struct sample_id id;
	bool good = false;

	if (size < sizeof(header) + sizeof(id))
		return false;
	memcpy(&header, bytes, sizeof(header));
	end = bytes + size - sizeof(id);
	memcpy(&id, end, sizeof(id));
	if (header.type == PERF_RECORD_MMAP2)
		good = parse_map(body, end, &r);
	else if (header.type == PERF_RECORD_COMM)
		good = parse_comm(body, end, header.misc, &r);
	if (!good)
		return false;
	r.time = id.time;
	*record = r;
	return true;
}

static int read_buffer(struct records *r, struct perf_event_mmap_page *page, record_fn fn,
		       void *arg)
{
	const char *data = (const char *)page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	int err = 0;

	while (tail < head && !err) {
		size_t at = tail & (r->bytes - 1), first;
		struct perf_event_header header;
		struct record record;

		/* Records are multiples of 8 bytes, so a header never wraps. */
		memcpy(&header, data + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			break;
		first = r->bytes - at < header.size ? r->bytes - at : header.size;
		memcpy(r->scratch, data + at, first);
		memcpy(r->scratch + first, data, header.size - first);
		if (record_parse(r->scratch, header.size, &record))
			err = fn(arg, &record);
		tail += header.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	return err < 0 ? err : 0;
}

static void close_gone(struct records *r)
{
	size_t i, kept = 0;

	for (i = 0; i < r->n; i++) {
		if (r->buffers[i].gone) {
			r->lost += lost_by(r->fds[i]);
			close_buffer(r, i);
			continue;
		}
		r->buffers[kept] = r->buffers[i];
		r->fds[kept++] = r->fds[i];
	}
	r->n = kept;
}

int records_read(struct records *r, record_fn fn, void *arg)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->n && !err; i++)
		err = read_buffer(r, r->buffers[i].page, fn, arg);
	if (!err)
		close_gone(r);
	return err;
}
