// SPDX-License-Identifier: BSD-2-Clause
/* How a session comes about, and its end. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formats/profile.h"
#include "user/cache_dir.h"
#include "user/capture/clock.h"
#include "user/capture/counts.h"
#include "user/capture/drain.h"
#include "user/capture/objects.h"
#include "user/capture/records.h"
#include "user/capture/session_private.h"
#include "user/capture/stolen.h"
#include "user/capture/timeline.h"
#include "user/capture/times.h"
#include "user/capture/unwinder.h"
#include "user/capture/watch.h"

#define FRONT_SLOTS 1024 /* at most, of a CPU and buffer */
#define FRONT_BYTES (8ul << 20) /* at most, if 64 slots do not take more */
#define SEEN_SLOTS 65536
/* 64 bytes each: 13 MiB for a process, 40 MiB for a machine. */
#define TABLE_CHUNKS (208 << 10)
#define TABLE_CHUNKS_ALL (640 << 10)
#define RANGES 65536
#define WAITS 16384
#define WAITS_ALL 65536

static uint32_t power_of_two_above(uint64_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static uint64_t between(uint64_t low, uint64_t value, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Room for what all CPUs can bring in the time between two drains, and for a late drain; in the table for all that
 * finds no place in front of it. */
static void size_buffers(struct session *s, uint32_t *ring_bytes, uint32_t *counters)
{
	uint64_t second = (uint64_t)s->options.rate * s->cpus.limit;

	*ring_bytes = s->options.ring_bytes;
	if (!*ring_bytes)
		*ring_bytes = power_of_two_above(between(256 << 10, second * 1024, 16 << 20));
	*counters = s->options.counters;
	if (!*counters)
		*counters = between(4096, 2 * second, 65536);
}

/* For what a CPU brings in a second, most of which is read sooner. */
static uint32_t front_slots(const struct session_options *o, uint32_t possible)
{
	uint32_t slots = power_of_two_above(between(64, o->rate, FRONT_SLOTS));

	while (slots > 64 && 2 * possible * slots * sizeof(struct front_slot) > FRONT_BYTES)
		slots /= 2;
	return slots;
}

static uint32_t table_chunks(const struct session_options *o)
{
	if (o->table_chunks)
		return o->table_chunks;
	return o->all ? TABLE_CHUNKS_ALL : TABLE_CHUNKS;
}

static uint32_t waits(const struct session_options *o)
{
	if (o->waits)
		return o->waits;
	return o->all ? WAITS_ALL : WAITS;
}

static int configure(struct session *s)
{
	struct profbpf_bpf *bpf = s->bpf;
	struct settings *settings = &bpf->rodata->settings;
	uint32_t ring_bytes, counters;
	struct cpus possible;
	int err = cpus_possible(&possible);

	if (err)
		return err;
	size_buffers(s, &ring_bytes, &counters);
	*settings = (struct settings){
		.period = s->period,
		.cpus = possible.limit,
		.front_slots = front_slots(&s->options, possible.limit),
		.seen_slots = SEEN_SLOTS,
		.all = s->options.all,
		.by_tid = s->options.n_tids > 0,
		.kernel = s->options.kernel,
		.ring_high = ring_bytes / 2,
		.ring_look = ring_bytes / 8 / possible.limit,
	};
	if (getrandom(&settings->seed, sizeof(settings->seed), 0) < 0)
		return -errno;
	err = bpf_map__set_max_entries(bpf->maps.stacks, ring_bytes);
	err = err ? err : bpf_map__set_max_entries(bpf->maps.seen, SEEN_SLOTS);
	err = err ? err : bpf_map__set_max_entries(bpf->maps.chunks, table_chunks(&s->options));
	err = err ? err
		  : bpf_map__set_max_entries(bpf->maps.ranges,
					     s->options.ranges ? s->options.ranges : RANGES);
	err = err ? err : bpf_map__set_max_entries(bpf->maps.counters_0, counters);
	err = err ? err : bpf_map__set_max_entries(bpf->maps.counters_1, counters);
	err = err ? err
		  : bpf_map__set_max_entries(bpf->maps.front,
					     2 * possible.limit * settings->front_slots);
	err = err ? err
		  : times_configure(bpf, s->options.times, waits(&s->options),
				    s->options.wanted != NULL);
	if (!err && s->options.n_tids)
		err = bpf_map__set_max_entries(bpf->maps.tids, s->options.n_tids);
	return err;
}

static int open_counts(struct session *s)
{
	struct profbpf_bpf *bpf = s->bpf;
	struct counts_layout layout = {
		.tables = { bpf_map__fd(bpf->maps.counters_0), bpf_map__fd(bpf->maps.counters_1) },
		.grace = bpf_map__fd(bpf->maps.grace),
		.front = bpf_map__fd(bpf->maps.front),
		.accounts = bpf_map__fd(bpf->maps.accounts),
		.entries = bpf_map__max_entries(bpf->maps.counters_0),
		.cpus = bpf->rodata->settings.cpus,
		.copies = libbpf_num_possible_cpus(),
		.front_slots = bpf->rodata->settings.front_slots,
		.side = &bpf->bss->side,
	};

	return counts_new(&layout, &s->counts);
}

static int add_tids(struct session *s)
{
	uint8_t one = 1;
	size_t i;

	for (i = 0; i < s->options.n_tids; i++) {
		uint32_t tid = s->options.tids[i];

		if (bpf_map_update_elem(bpf_map__fd(s->bpf->maps.tids), &tid, &one, BPF_ANY))
			return -errno;
	}
	return 0;
}

/* Runs the program that looks up our pid namespace in our own context. */
static int find_pidns(struct session *s)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int err = bpf_prog_test_run_opts(bpf_program__fd(s->bpf->progs.find_pidns), &run);

	return err ? err : run.retval ? -EIO : 0;
}

static int attach_tracepoints(struct session *s)
{
	struct profbpf_bpf *bpf = s->bpf;

	bpf->links.on_fork = bpf_program__attach(bpf->progs.on_fork);
	if (!bpf->links.on_fork)
		return -errno;
	bpf->links.on_exec = bpf_program__attach(bpf->progs.on_exec);
	if (!bpf->links.on_exec)
		return -errno;
	bpf->links.on_exit = bpf_program__attach(bpf->progs.on_exit);
	if (!bpf->links.on_exit)
		return -errno;
	bpf->links.on_idle = bpf_program__attach(bpf->progs.on_idle);
	return bpf->links.on_idle ? 0 : -errno;
}

static int open_drain(struct session *s)
{
	struct drain_sources sources = {
		.profile = s->profile,
		.timeline = s->timeline,
		.records = s->records,
		.counts = s->counts,
		.stacks = bpf_map__fd(s->bpf->maps.stacks),
		.events = bpf_map__fd(s->bpf->maps.events),
		.targets = s->options.all ? -1 : bpf_map__fd(s->bpf->maps.targets),
		.seen = bpf_map__fd(s->bpf->maps.seen),
		.seen_slots = SEEN_SLOTS,
		.generation = &s->bpf->bss->generation,
		.period = s->period,
		.wanted = s->options.wanted,
		.wanted_arg = s->options.wanted_arg,
		.killed = session_note_killed,
		.killed_arg = s,
	};

	return drain_new(&sources, &s->drain);
}

static int watch(struct session *s, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

int session_watch_records(struct session *s)
{
	const int *fds;
	size_t i, n = records_fds(s->records, &fds);
	int err = 0;

	for (i = 0; i < n && (!err || err == -EEXIST); i++)
		err = watch(s, fds[i]);
	return err == -EEXIST ? 0 : err;
}

static int watch_all(struct session *s)
{
	int err;

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll < 0)
		return -errno;
	err = watch(s, bpf_map__fd(s->bpf->maps.stacks));
	err = err ? err : watch(s, bpf_map__fd(s->bpf->maps.events));
	err = err ? err : watch(s, unwinder_fd(s->unwinder));
	return err ? err : session_watch_records(s);
}

/* Each file of a target stays open: a whole machine needs more than the usual 1,024. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int prepare(struct session *s)
{
	static const struct profile_value_type types[] = { { "samples", "count" },
							   { "cpu", "nanoseconds" } };
	int err = profile_set_types(s->profile, types, 2);

	if (err)
		return err;
	raise_file_limit();
	s->objects = objects_new();
	if (!s->objects)
		return -ENOMEM;
	s->timeline = timeline_new(s->profile, s->objects);
	return s->timeline ? 0 : -ENOMEM;
}

static void *find_stolen_place(void *place)
{
	*(int64_t *)place = stolen_place();
	return NULL;
}

/* Meanwhile another thread reads the kernel's types: each takes its time. Who wants the threads' stacks as they
 * are now counts no ticks. */
static int load_programs(struct session *s)
{
	struct profbpf_bpf *bpf = s->bpf;
	int64_t place = 0;
	pthread_t thread;
	bool looks =
		!s->options.threads && !pthread_create(&thread, NULL, find_stolen_place, &place);
	int err = profbpf_bpf__load(bpf);

	if (looks)
		pthread_join(thread, NULL);
	if (!err)
		bpf->bss->stolen_place = place;
	return err;
}

static int load(struct session *s)
{
	int err;

	s->bpf = profbpf_bpf__open();
	if (!s->bpf)
		return -errno;
	err = configure(s);
	err = err ? err : bpf_program__set_autoload(s->bpf->progs.dump_thread, s->options.threads);
	err = err ? err : load_programs(s);
	err = err ? err : find_pidns(s);
	err = err ? err : add_tids(s);
	return err ? err : open_counts(s);
}

struct step {
	int (*run)(struct session *s);
	const char *what;
};

static int find_cpus(struct session *s)
{
	return cpus_online(&s->cpus);
}

static int open_records(struct session *s)
{
	return records_new(&s->cpus, RECORDS_BYTES, &s->records);
}

static int open_unwinder(struct session *s)
{
	struct unwinder_layout layout = {
		.chunks = bpf_map__fd(s->bpf->maps.chunks),
		.objects = bpf_map__fd(s->bpf->maps.objects),
		.ranges = bpf_map__fd(s->bpf->maps.ranges),
		.processes = bpf_map__fd(s->bpf->maps.processes),
		.files = bpf_map__fd(s->bpf->maps.files),
		.n_chunks = bpf_map__max_entries(s->bpf->maps.chunks),
		.n_objects = bpf_map__max_entries(s->bpf->maps.objects),
		.n_ranges = bpf_map__max_entries(s->bpf->maps.ranges),
		.cache_dir = cache_dir(),
		.dropped_from = s->objects,
	};
	int err = unwinder_new(&layout, &s->unwinder);

	if (!err)
		timeline_set_unwinder(s->timeline, s->unwinder);
	return err;
}

static int open_clock(struct session *s)
{
	return clock_new(s->bpf->progs.on_tick, s->period, &s->cpus, &s->clock);
}

static int open_watch(struct session *s)
{
	const struct watch_sources sources = {
		.bpf = s->bpf,
		.clock = s->clock,
		.online = &s->cpus,
		.period = s->period,
		.fail_after_ns = s->options.fail_after_ns,
		.wanted = s->options.wanted,
		.wanted_arg = s->options.wanted_arg,
	};

	return s->options.times ? watch_new(&sources, &s->watch) : 0;
}

/* Records come before the programs, so that no process is known without its mappings. */
static const struct step steps[] = {
	{ prepare, "set up the profile" },
	{ find_cpus, "read which CPUs are online" },
	{ open_records, "open perf's mapping records" },
	{ load, "load the BPF programs" },
	{ open_unwinder, "set up the unwind tables" },
	{ attach_tracepoints, "attach to the tracepoints of processes and of idle CPUs" },
	{ open_clock, "open the CPU clock events" },
	{ open_watch, "watch the scheduler" },
	{ open_drain, "read the BPF ring buffers" },
	{ watch_all, "wait for the kernel's buffers" },
};

int session_new(const struct session_options *options, struct profile *p, struct session **session,
		const char **what)
{
	struct session *s = calloc(1, sizeof(*s));
	size_t i;
	int err = 0;

	*what = "get memory";
	if (!s)
		return -ENOMEM;
	s->options = *options;
	s->profile = p;
	s->period = 1000000000ull / options->rate;
	s->epoll = -1;
	for (i = 0; i < sizeof(steps) / sizeof(*steps) && !err; i++) {
		*what = steps[i].what;
		err = steps[i].run(s);
	}
	if (err) {
		session_free(s);
		return err;
	}
	*session = s;
	return 0;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	clock_free(s->clock);
	drain_free(s->drain);
	counts_free(s->counts);
	watch_free(s->watch);
	profbpf_bpf__destroy(s->bpf);
	records_free(s->records);
	timeline_free(s->timeline);
	unwinder_free(s->unwinder);
	objects_free(s->objects);
	if (s->epoll >= 0)
		close(s->epoll);
	free(s->added);
	free(s);
}
