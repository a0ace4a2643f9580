// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bpf/profbpf.h" /* before the skeleton, which names its structs */
#include "formats/profile.h"
#include "profbpf.skel.h"
#include "user/cache_dir.h"
#include "user/capture/clock.h"
#include "user/capture/counts.h"
#include "user/capture/cpus.h"
#include "user/capture/drain.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"
#include "user/capture/program_files.h"
#include "user/capture/pulse.h"
#include "user/capture/records.h"
#include "user/capture/session.h"
#include "user/capture/threads.h"
#include "user/capture/timeline.h"
#include "user/capture/times.h"
#include "user/capture/unwinder.h"
#include "user/capture/watch.h"

#define FRONT_SLOTS 1024
#define SEEN_SLOTS 65536
/* 64 bytes each: 13 MiB for a process, 40 MiB for a machine. */
#define TABLE_CHUNKS (208 << 10)
#define TABLE_CHUNKS_ALL (640 << 10)
#define RANGES 65536
#define WAITS 16384
#define WAITS_ALL 65536
#define EXPECT_TIMEOUT_MS 1000

struct session {
	struct session_options options;
	struct profile *profile;
	uint64_t period;
	struct cpus cpus;
	struct profbpf_bpf *bpf;
	struct clock *clock;
	struct records *records;
	struct objects *objects;
	struct timeline *timeline;
	struct counts *counts;
	struct unwinder *unwinder;
	struct drain *drain;
	struct watch *watch; /* NULL: times are not wanted */
	uint64_t stop; /* 0: not stopped */
	pid_t *added; /* processes, by themselves */
	size_t n_added;
	bool killed; /* a signal ended one of them */
	bool failed; /* the clock's programs have stopped running */
	uint64_t start, last_drain; /* 0: not started */
	int epoll;
	uint64_t exits; /* of targets, as of the last look at them */
	unsigned int exiting; /* those that were not gone then */
};

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

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

/* Room for what all CPUs can bring in the time between two drains, and for a late drain. */
static void size_buffers(struct session *s, uint32_t *ring_bytes, uint32_t *counters)
{
	uint64_t second = (uint64_t)s->options.rate * s->cpus.limit;

	*ring_bytes = s->options.ring_bytes;
	if (!*ring_bytes)
		*ring_bytes = power_of_two_above(between(256 << 10, second * 1024, 16 << 20));
	*counters = s->options.counters;
	if (!*counters)
		*counters = between(4096, 4 * second, 65536);
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
		.front_slots = FRONT_SLOTS,
		.seen_slots = SEEN_SLOTS,
		.all = s->options.all,
		.by_tid = s->options.n_tids > 0,
		.kernel = s->options.kernel,
		.ring_high = ring_bytes / 2,
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
		  : bpf_map__set_max_entries(bpf->maps.front, 2 * possible.limit * FRONT_SLOTS);
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
		.front_slots = FRONT_SLOTS,
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

static void on_killed(void *arg, uint32_t pid)
{
	struct session *s = arg;

	for (size_t i = 0; i < s->n_added; i++)
		s->killed = s->killed || (uint32_t)s->added[i] == pid;
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
		.killed = on_killed,
		.killed_arg = s,
	};

	return drain_new(&sources, &s->drain);
}

static int watch(struct session *s, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Also those of CPUs that came online, besides those that are watched already. */
static int watch_records(struct session *s)
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
	return err ? err : watch_records(s);
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

static int load(struct session *s)
{
	int err;

	s->bpf = profbpf_bpf__open();
	if (!s->bpf)
		return -errno;
	err = configure(s);
	err = err ? err : bpf_program__set_autoload(s->bpf->progs.dump_thread, s->options.threads);
	err = err ? err : profbpf_bpf__load(s->bpf);
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

static int set_target(struct session *s, pid_t pid, uint32_t flags, uint64_t update)
{
	struct target target = { .flags = flags };
	uint32_t key = pid;

	if (s->options.children)
		target.flags |= PROFBPF_TARGET_CHILDREN;
	if (bpf_map_update_elem(bpf_map__fd(s->bpf->maps.targets), &key, &target, update))
		return -errno;
	return 0;
}

/* The exit hook removes a target; one that exited before it was added must not stay for whoever
 * gets its pid next. */
static int add_target(struct session *s, pid_t pid, uint64_t update)
{
	struct proc_stat before, after;
	uint32_t key = pid;
	int err;

	if (proc_stat_read(pid, &before))
		return -ESRCH;
	err = set_target(s, pid, 0, update);
	if (err)
		return err;
	if (proc_stat_read(pid, &after) || after.state == 'Z' || after.state == 'X' ||
	    after.start_ticks != before.start_ticks) {
		bpf_map_delete_elem(bpf_map__fd(s->bpf->maps.targets), &key);
		return -ESRCH;
	}
	return timeline_add_running(s->timeline, pid);
}

struct family {
	struct session *s;
	bool grown;
};

static int add_if_child(void *arg, uint32_t pid)
{
	struct family *family = arg;
	struct proc_stat stat;
	int err;

	if (timeline_has(family->s->timeline, pid) || proc_stat_read(pid, &stat) ||
	    !timeline_has(family->s->timeline, stat.ppid))
		return 0;
	err = add_target(family->s, pid, BPF_NOEXIST);
	if (err == -ESRCH || err == -EEXIST) /* gone, or found by the fork hook */
		return 0;
	family->grown = true;
	return err;
}

/* Of a process that was asked for, unlike its children. */
static int remember_added(struct session *s, pid_t pid)
{
	pid_t *added = reallocarray(s->added, s->n_added + 1, sizeof(*added));

	if (!added)
		return -ENOMEM;
	s->added = added;
	s->added[s->n_added++] = pid;
	return 0;
}

int session_add_process(struct session *s, pid_t pid)
{
	struct family family = { .s = s, .grown = true };
	int err = remember_added(s, pid);

	err = err ? err : add_target(s, pid, BPF_ANY);

	/* Pids don't tell the order of birth, so once more as long as there are new ones. */
	while (!err && s->options.children && family.grown) {
		family.grown = false;
		err = proc_each(add_if_child, &family);
	}
	return err ? err : timeline_publish(s->timeline);
}

static void expect_file(void *arg, const char *path)
{
	struct session *s = arg;
	struct object *object;

	if (!objects_find_file(s->objects, path, &object))
		unwinder_expect(s->unwinder, object);
}

int session_expect_command(struct session *s, const char *command)
{
	int err;

	expect_file(s, "[vdso]");
	err = program_files_each(command, expect_file, s);
	return err ? err : session_settle_tables(s, EXPECT_TIMEOUT_MS);
}

int session_add_command(struct session *s, pid_t pid)
{
	int err = set_target(s, pid, PROFBPF_TARGET_AWAIT_EXEC, BPF_ANY);

	return err ? err : timeline_add_running(s->timeline, pid);
}

static int add_running(void *arg, uint32_t pid)
{
	struct session *s = arg;
	int err = timeline_add_running(s->timeline, pid);

	return err == -ESRCH ? 0 : err;
}

int session_add_all(struct session *s)
{
	int err = proc_each(add_running, s);

	return err ? err : timeline_publish(s->timeline);
}

int session_start(struct session *s)
{
	int err = s->watch ? watch_attach(s->watch) : 0;

	if (err)
		return err;
	s->start = s->last_drain = session_now();
	s->bpf->bss->start_time = s->start;
	err = clock_start(s->clock);
	return err || !s->watch ? err : watch_start(s->watch, s->start);
}

struct idle_end {
	const struct session *s;
	uint64_t ticks;
};

static int add_idle_end(void *arg, unsigned int cpu, const struct cpu_state *state)
{
	struct idle_end *end = arg;
	uint64_t last = state->last ? state->last : end->s->start;

	if (cpus_has(&end->s->cpus, cpu) && last < end->s->stop)
		end->ticks += (end->s->stop - last) / end->s->period;
	return 0;
}

/* Idle ticks are counted by the next run on their CPU, which some CPUs will not see any more. */
static void count_idle_end(struct session *s)
{
	const struct pulse pulse = { .states = bpf_map__fd(s->bpf->maps.cpu_states) };
	struct idle_end end = { .s = s };

	if (!pulse_each(&pulse, add_idle_end, &end))
		drain_add_idle(s->drain, end.ticks);
}

void session_stop(struct session *s)
{
	if (s->stop)
		return;
	clock_stop(s->clock);
	s->stop = session_now();
	if (s->watch)
		watch_stop(s->watch, s->stop);
	if (s->start)
		count_idle_end(s);
}

bool session_killed(const struct session *s)
{
	return s->killed;
}

bool session_failed(const struct session *s)
{
	return s->failed;
}

uint64_t session_began(const struct session *s)
{
	return s->start;
}

uint64_t session_ended(const struct session *s)
{
	return s->stop;
}

/* A CPU that comes online has no events yet; one that went away has lost them. */
static int follow_cpus(struct session *s)
{
	struct cpus now;
	int err = cpus_online(&now);

	if (err || !memcmp(&now, &s->cpus, sizeof(now)))
		return err;
	s->cpus = now;
	err = clock_follow(s->clock, &now);
	err = err ? err : records_follow(s->records, &now);
	return err ? err : watch_records(s);
}

/* Whether the process that had the pid and began then, in CLOCK_BOOTTIME nanoseconds, is no more. */
static bool is_gone(pid_t pid, uint64_t start)
{
	uint64_t ns_per_tick = 1000000000ull / sysconf(_SC_CLK_TCK);
	struct proc_stat stat;

	return proc_stat_read(pid, &stat) || stat.state == 'Z' || stat.state == 'X' ||
	       stat.start_ticks != start / ns_per_tick;
}

/* Removes a target, unless a new one has just got its pid. */
static void remove_exited(struct session *s, uint32_t pid)
{
	int targets = bpf_map__fd(s->bpf->maps.targets);
	struct target target;

	if (bpf_map_lookup_and_delete_elem(targets, &pid, &target))
		return;
	if (!(target.flags & PROFBPF_TARGET_EXITING))
		bpf_map_update_elem(targets, &pid, &target, BPF_NOEXIST);
}

/* An exiting target is one until it has freed its memory, which can take longer than it ran. */
static void remove_all_exited(struct session *s)
{
	int targets = bpf_map__fd(s->bpf->maps.targets);
	uint32_t pid, next;
	uint64_t exits = s->bpf->bss->exits;
	struct target target;
	bool more;

	if (exits == s->exits && !s->exiting)
		return;
	s->exits = exits;
	s->exiting = 0;
	more = !bpf_map_get_next_key(targets, NULL, &next);
	while (more) {
		pid = next;
		more = !bpf_map_get_next_key(targets, &pid, &next);
		if (bpf_map_lookup_elem(targets, &pid, &target) ||
		    !(target.flags & PROFBPF_TARGET_EXITING))
			continue;
		if (is_gone(pid, target.start))
			remove_exited(s, pid);
		else
			s->exiting++;
	}
}

int session_drain(struct session *s, struct slice *slice)
{
	struct profile_accounting accounting;
	uint64_t now = session_now();
	int err = follow_cpus(s);

	if (!err)
		err = drain_run(s->drain, slice);
	if (err)
		return err;
	remove_all_exited(s);
	unwinder_turned(s->unwinder);
	err = unwinder_collect(s->unwinder);
	if (!err && s->watch)
		err = watch_look(s->watch);
	if (!err && s->watch)
		s->failed = watch_failed(s->watch, &s->stop);
	if (err)
		return err;
	slice->start_ns = s->last_drain;
	slice->end_ns = now;
	s->last_drain = now;
	session_accounting(s, &accounting);
	profile_set_accounting(s->profile, &accounting);
	return 0;
}

int session_fd(const struct session *s)
{
	return s->epoll;
}

int session_poll(struct session *s, bool *urgent)
{
	int err = drain_poll(s->drain, urgent);

	return err ? err : unwinder_collect(s->unwinder);
}

int session_settle_tables(struct session *s, int timeout_ms)
{
	return unwinder_settle_tables(s->unwinder, timeout_ms);
}

struct thread_reader {
	struct session *s;
	int (*fn)(void *arg, const struct session_thread *thread);
	void *arg;
};

static int deliver_thread(void *arg, const struct thread_record *r)
{
	struct thread_reader *reader = arg;
	struct resolved_stack resolved;
	char name[PROFBPF_COMM_LEN + 1] = "";
	struct session_thread thread = {
		.tid = r->tid,
		.name = name,
		.state = r->state,
		.call = r->call,
		.running = r->running,
		.stack = PROFILE_NONE,
	};
	int err;

	memcpy(name, r->comm, PROFBPF_COMM_LEN);
	if (!r->running) {
		err = timeline_resolve(reader->s->timeline, &r->stack, &resolved);
		if (err)
			return err;
		thread.stack = resolved.stack;
	}
	return reader->fn(reader->arg, &thread);
}

int session_threads(struct session *s, pid_t pid,
		    int (*fn)(void *arg, const struct session_thread *thread), void *arg)
{
	struct thread_reader reader = { s, fn, arg };
	struct threads *threads;
	struct slice slice;
	int err = threads_new(s->bpf->progs.dump_thread, pid, &threads);

	if (err)
		return err;
	/* Mappings that are newer than the last drain, but not than the stacks. */
	err = session_drain(s, &slice);
	err = err ? err : threads_each(threads, deliver_thread, &reader);
	threads_free(threads);
	return err;
}

char *session_degraded(const struct session *s, bool damaged)
{
	return unwinder_degraded(s->unwinder, damaged);
}

uint64_t session_unlisted(const struct session *s)
{
	return unwinder_unlisted(s->unwinder);
}

bool session_has_targets(const struct session *s)
{
	uint32_t key;

	return s->options.all ||
	       !bpf_map_get_next_key(bpf_map__fd(s->bpf->maps.targets), NULL, &key);
}

void session_accounting(const struct session *s, struct profile_accounting *accounting)
{
	*accounting = *drain_accounting(s->drain);
	accounting->lost_records = records_lost(s->records);
	accounting->lost_events = s->bpf->bss->lost_events;
	accounting->unopened_objects = objects_unopened(s->objects);
	if (s->watch)
		watch_accounting(s->watch, accounting);
}

uint64_t session_lost_targets(const struct session *s)
{
	return s->bpf->bss->lost_targets;
}

uint64_t session_lost_waits(const struct session *s)
{
	return s->watch ? watch_lost(s->watch) : 0;
}

uint64_t session_first_complete(const struct session *s)
{
	return drain_first_complete(s->drain);
}

uint64_t session_period(const struct session *s)
{
	return s->period;
}

struct object_file session_object(const struct session *s, uint32_t id)
{
	return objects_file(s->objects, id);
}
