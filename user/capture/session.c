// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <time.h>

#include "formats/profile.h"
#include "user/capture/clock.h"
#include "user/capture/drain.h"
#include "user/capture/objects.h"
#include "user/capture/program_files.h"
#include "user/capture/pulse.h"
#include "user/capture/records.h"
#include "user/capture/session_private.h"
#include "user/capture/threads.h"
#include "user/capture/timeline.h"
#include "user/capture/unwinder.h"
#include "user/capture/watch.h"

#define EXPECT_TIMEOUT_MS 1000

uint64_t session_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
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
	return err ? err : session_watch_records(s);
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
	session_remove_exited(s);
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
