/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf's records of mappings and names: one dummy event a CPU, which costs nothing but its records.
 */
#ifndef PROFBPF_RECORDS_H
#define PROFBPF_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpus;
struct records;

/* Enough for each CPU of a busy machine. */
#define RECORDS_BYTES (256 << 10)

enum record_kind { RECORD_MAP, RECORD_COMM };

struct record {
	enum record_kind kind;
	uint64_t time; /* CLOCK_MONOTONIC nanoseconds */
	uint32_t pid, tid;
	bool exec; /* of a name: a new program has begun */
	uint64_t start, end, offset;
	uint64_t device, inode;
	const char *text; /* path or name; valid during the call */
};

/* Opens the events; records gather from now on. bytes is the size of each CPU's buffer, a power of
 * two. -errno of perf_event_open(2) or mmap(2). */
int records_new(const struct cpus *cpus, size_t bytes, struct records **records);
void records_free(struct records *r);

/*
 * Opens the events of CPUs that came online since; what they missed can't be known. Events of CPUs
 * that went away don't come back by themselves: they are read once more, then closed. 0 or -errno.
 */
int records_follow(struct records *r, const struct cpus *cpus);

/* Descriptors that become readable as soon as there is a record; the array belongs to r, until its
 * next call. */
size_t records_fds(const struct records *r, const int **fds);

/* Calls fn for each record there is, CPU by CPU; a negative value stops and is returned. */
typedef int (*record_fn)(void *arg, const struct record *record);
int records_read(struct records *r, record_fn fn, void *arg);

/* Records that did not fit the buffers so far. */
uint64_t records_lost(const struct records *r);

/*
 * Parses one perf record (linux/perf_event.h) of size bytes, with the sample_id that these events
 * ask for (TID, TIME) at its end. False: another kind, or damaged; record is as it was then.
 */
bool record_parse(const void *data, size_t size, struct record *record);

#endif
