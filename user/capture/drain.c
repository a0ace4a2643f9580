// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "formats/profile.h"
#include "user/capture/counts.h"
#include "user/capture/drain.h"
#include "user/capture/inbox.h"
#include "user/capture/records.h"
#include "user/capture/session.h"
#include "user/capture/stack_table.h"
#include "user/capture/timeline.h"

struct drain {
	struct drain_sources from;
	struct ring_buffer *stacks, *events;
	struct inbox *inbox;
	struct stack_table *table;
	uint64_t *seen; /* mapped */
	uint64_t first_complete; /* time of the first complete stack, 0: none yet */
	struct profile_accounting sum;
	uint32_t crossed; /* stacks since the kernel's table of them was cleared */
	uint64_t replaced; /* mappings replaced, as of then */
	bool mapped; /* code was mapped since the last run */
	size_t n, room;
	struct capture_sample *samples;
};

/* To the root of its thread, without a guess. */
static bool is_complete(const struct stack_record *r)
{
	uint32_t i;

	for (i = r->n_kernel; i < r->n_frames; i++) {
		if (r->frames[i] & WALK_GUESS)
			return false;
	}
	return r->end == PROFILE_END_ROOT && r->n_user;
}

static int on_stack(void *arg, void *data, size_t size)
{
	struct drain *d = arg;
	const struct stack_record *r = data;

	if (size < PROFBPF_STACK_HEADER ||
	    size < PROFBPF_STACK_HEADER + r->n_frames * sizeof(r->frames[0]))
		return 0;
	if (!d->first_complete && is_complete(r))
		d->first_complete = r->time;
	return inbox_add_stack(d->inbox, r, size);
}

static int on_event(void *arg, void *data, size_t size)
{
	struct drain *d = arg;

	return size < sizeof(struct process_event) ? 0 : inbox_add_event(d->inbox, data);
}

static struct map_event as_map_event(const struct record *r)
{
	return (struct map_event){
		.time = r->time,
		.pid = r->pid,
		.start = r->start,
		.end = r->end,
		.offset = r->offset,
		.device = r->device,
		.inode = r->inode,
		.path = r->text,
	};
}

/* From now on the same addresses are other stacks, which cross and are counted by themselves. */
static void next_generation(struct drain *d)
{
	__atomic_fetch_add(d->from.generation, 1, __ATOMIC_RELAXED);
}

/* Whether it is a target, maybe one of whose birth the timeline has yet to be told. */
static bool is_target(const struct drain *d, uint32_t pid)
{
	struct target target;

	return d->from.targets < 0 || timeline_has(d->from.timeline, pid) ||
	       !bpf_map_lookup_elem(d->from.targets, &pid, &target);
}

static int on_record(void *arg, const struct record *r)
{
	struct drain *d = arg;
	struct map_event map;
	int replaces;

	if (r->kind == RECORD_MAP && is_target(d, r->pid)) {
		d->mapped = true;
		map = as_map_event(r);
		replaces = timeline_foresee(d->from.timeline, &map);
		if (replaces < 0)
			return replaces;
		if (replaces)
			next_generation(d);
	}
	return inbox_add_record(d->inbox, r);
}

int drain_new(const struct drain_sources *sources, struct drain **drain)
{
	struct drain *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->from = *sources;
	d->inbox = inbox_new();
	d->table = stack_table_new();
	d->stacks = ring_buffer__new(sources->stacks, on_stack, d, NULL);
	d->events = ring_buffer__new(sources->events, on_event, d, NULL);
	d->seen = mmap(NULL, sources->seen_slots * sizeof(*d->seen), PROT_READ | PROT_WRITE,
		       MAP_SHARED, sources->seen, 0);
	if (!d->inbox || !d->table || !d->stacks || !d->events || d->seen == MAP_FAILED) {
		drain_free(d);
		return -ENOMEM;
	}
	*drain = d;
	return 0;
}

void drain_free(struct drain *d)
{
	if (!d)
		return;
	if (d->seen && d->seen != MAP_FAILED)
		munmap(d->seen, d->from.seen_slots * sizeof(*d->seen));
	ring_buffer__free(d->stacks);
	ring_buffer__free(d->events);
	inbox_free(d->inbox);
	stack_table_free(d->table);
	free(d->samples);
	free(d);
}

const struct profile_accounting *drain_accounting(const struct drain *d)
{
	return &d->sum;
}

uint64_t drain_first_complete(const struct drain *d)
{
	return d->first_complete;
}

void drain_add_idle(struct drain *d, uint64_t ticks)
{
	d->sum.idle += ticks;
}

/* --- the inbox's reader --- */

static int deliver_event(void *arg, const struct process_event *e)
{
	struct drain *d = arg;

	if (e->kind == PROCESS_EXIT && e->signal)
		d->from.killed(d->from.killed_arg, e->instance.tgid);
	return timeline_process_event(d->from.timeline, e);
}

static int deliver_record(void *arg, const struct record *r)
{
	struct drain *d = arg;
	struct map_event map;
	struct comm_event comm;

	if (r->kind == RECORD_COMM) {
		comm = (struct comm_event){ r->time, r->pid, r->tid, r->exec, r->text };
		return timeline_comm(d->from.timeline, &comm);
	}
	map = as_map_event(r);
	return timeline_map(d->from.timeline, &map);
}

static int deliver_stack(void *arg, const struct stack_record *r)
{
	struct drain *d = arg;
	struct resolved_stack resolved;
	int err = timeline_resolve(d->from.timeline, r, &resolved);

	d->crossed++;
	return err ? err : stack_table_set(d->table, r->hash, &resolved);
}

static const struct inbox_reader reader = { deliver_event, deliver_record, deliver_stack };

/* All that came before the turn of the counters is in the buffers by now; what came later is read
 * too, and waits in the inbox for its turn. */
static int read_all(struct drain *d)
{
	int err = ring_buffer__consume(d->stacks);

	if (err >= 0)
		err = records_read(d->from.records, on_record, d);
	if (err >= 0)
		err = ring_buffer__consume(d->events);
	return err < 0 ? err : 0;
}

/* What could not be foreseen, when mappings follow each other quickly, is made up for. */
static void follow_replaced(struct drain *d)
{
	uint64_t replaced = timeline_replaced(d->from.timeline);

	if (replaced != d->replaced)
		next_generation(d);
	d->replaced = replaced;
}

/* Lets stacks cross again when the array that remembers them is filling up. */
static void forget_crossed(struct drain *d)
{
	if (d->crossed < d->from.seen_slots / 2)
		return;
	memset(d->seen, 0, d->from.seen_slots * sizeof(*d->seen));
	stack_table_age(d->table);
	d->crossed = 0;
}

/* --- counters --- */

static int add_slice_sample(struct drain *d, uint32_t thread, uint32_t stack,
			    const uint64_t *values)
{
	if (d->n == d->room) {
		size_t room = d->room ? 2 * d->room : 1024;
		struct capture_sample *samples = realloc(d->samples, room * sizeof(*samples));

		if (!samples)
			return -ENOMEM;
		d->samples = samples;
		d->room = room;
	}
	d->samples[d->n++] = (struct capture_sample){
		.thread = thread,
		.stack = stack,
		.values = { values[0], values[1] },
	};
	return profile_add_sample(d->from.profile, thread, stack, values);
}

/* A process that was met only by its samples is named after the thread that was met first. */
static int name_process(struct profile *p, uint32_t id, const char *comm)
{
	struct profile_process process = *profile_process(p, id);

	if (*process.name)
		return 0;
	process.name = comm;
	return profile_set_process(p, id, &process);
}

static int take_counter(struct drain *d, const struct counter *c)
{
	const struct resolved_stack *s = stack_table_find(d->table, c->key.stack);
	uint64_t values[PROFILE_MAX_VALUES] = { c->runs, c->ticks * d->from.period };
	char comm[PROFBPF_COMM_LEN + 1] = "";
	struct profile_thread thread;
	uint32_t id;
	int err;

	memcpy(comm, c->key.comm, PROFBPF_COMM_LEN);
	if (d->from.wanted && !d->from.wanted(d->from.wanted_arg, comm)) {
		d->sum.requested -= c->ticks;
		d->sum.coalesced -= c->ticks - c->runs;
		d->sum.other += c->ticks;
		return 0;
	}
	if (!s) {
		d->sum.dropped[PROFILE_DROP_STACK_LOST] += c->runs;
		return 0;
	}
	err = name_process(d->from.profile, s->process, comm);
	thread = (struct profile_thread){ s->process, c->key.tid, comm };
	if (!err)
		err = profile_add_thread(d->from.profile, &thread, &id);
	if (!err)
		err = add_slice_sample(d, id, s->stack, values);
	if (err)
		return err;
	d->sum.recorded += c->runs;
	d->sum.ends[s->end < PROFILE_N_ENDS ? s->end : PROFILE_END_BROKEN] += c->runs;
	d->sum.truncated_stacks += s->truncated ? c->runs : 0;
	d->sum.unmapped_frames += s->unmapped * c->runs;
	d->sum.early_samples += s->early ? c->runs : 0;
	return 0;
}

static void take_account(struct drain *d, const struct counts_result *r)
{
	d->sum.requested += r->account.runs + r->account.missed;
	d->sum.coalesced += r->account.missed;
	d->sum.dropped[PROFILE_DROP_STACK_RING] += r->account.dropped[PROFBPF_DROP_STACK_RING];
	d->sum.dropped[PROFILE_DROP_COUNTER_TABLE] +=
		r->account.dropped[PROFBPF_DROP_COUNTER_TABLE];
	d->sum.other += r->account.other;
	d->sum.idle += r->account.idle;
	d->sum.stolen += r->account.stolen;
}

static int take_counts(struct drain *d)
{
	struct counts_result r;
	size_t i;
	int err = counts_read(d->from.counts, &r);

	if (err)
		return err;
	take_account(d, &r);
	for (i = 0; i < r.n && !err; i++)
		err = take_counter(d, &r.counters[i]);
	return err;
}

int drain_run(struct drain *d, struct slice *slice)
{
	uint64_t turned;
	int err;

	d->n = 0;
	d->mapped = false;
	err = counts_turn(d->from.counts, &turned);
	err = err ? err : read_all(d);
	err = err ? err : inbox_deliver(d->inbox, turned, &reader, d);
	err = err ? err : timeline_publish(d->from.timeline);
	err = err ? err : take_counts(d);
	if (err)
		return err;
	forget_crossed(d);
	follow_replaced(d);
	timeline_sweep(d->from.timeline);
	slice->samples = d->samples;
	slice->n = d->n;
	return 0;
}

int drain_poll(struct drain *d, bool *urgent)
{
	int stacks = ring_buffer__consume(d->stacks), err;

	if (stacks < 0)
		return stacks;
	err = records_read(d->from.records, on_record, d);
	if (err >= 0)
		err = ring_buffer__consume(d->events);
	*urgent = d->mapped;
	return err < 0 ? err : 0;
}
