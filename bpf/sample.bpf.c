// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ticks: a cpu-clock event on each CPU runs on_tick, which walks the stack of a target's thread and
 * counts it. Everything a tick writes belongs to one of two buffers; user space turns to the other
 * one, waits until no program can be using the first any more, and reads that in peace.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/arch.h"
#include "bpf/profbpf.h"
#include "bpf/reader.h"
#include "bpf/task.h"
#include "bpf/ticks.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Values with which the program also loads by itself. */
const volatile struct settings settings = {
	.period = 1001001,
	.cpus = 1,
	.front_slots = 1024,
	.seen_slots = 1024,
	.kernel = 1,
	.ring_high = 1 << 19,
};

/* The buffer that ticks go into, 0 or 1. */
__u32 side = 0;
/* User space adds one when it learns that other code has taken the place of known code: equal stacks
 * before and after are two. */
__u32 generation = 0;

#define EEXIST 17 /* include/uapi/asm-generic/errno-base.h */
#define CPU_IDLE_EXIT ((unsigned int)-1) /* PWR_EVENT_EXIT, include/trace/events/power.h */

/* See user/capture/stolen.h; set before the clock is started. */
__s64 stolen_place = 0;

/* When the clock was started. */
__u64 start_time = 0;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cpu_state);
} cpu_states SEC(".maps");

/* One a buffer. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct tick_account);
} accounts SEC(".maps");

/* [buffer][cpu][hash] */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct front_slot);
} front SEC(".maps");

struct counter_table {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct counter);
} counters_0 SEC(".maps"), counters_1 SEC(".maps");

/* Not looked at by any program: an update of a map of maps returns only when no program uses the old
 * state of anything any more, and user space needs just that. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct counter_table);
} grace SEC(".maps");

/* Hashes of the stacks that have crossed, each in the one place that its low bits say. Where a later one
 * took its place a stack crosses again, and nothing is lost. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u64);
} seen SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} stacks SEC(".maps");

/* The time since boot in which the hypervisor let others have this CPU while it had work to do. 0: not known. */
static __always_inline __u64 stolen_time(const struct cpu_state *cpu)
{
	__u64 stolen = 0;

	if (cpu->stolen_at)
		bpf_probe_read_kernel(&stolen, sizeof(stolen), (const void *)cpu->stolen_at);
	return stolen;
}

/* At the first run on a CPU. */
static __always_inline void begin(struct cpu_state *cpu, struct task_struct *task)
{
	cpu->last = start_time;
	if (stolen_place && bpf_core_field_exists(task->se.cfs_rq))
		cpu->stolen_at = (__u64)BPF_CORE_READ(task, se.cfs_rq, rq) + stolen_place;
	cpu->stolen = stolen_time(cpu);
}

/*
 * Idle time. The clock does not run its program on an idle CPU (exclude_idle): there, without the
 * scheduler's tick, the kernel would take its runs for a storm, throttle it, and be late to start it
 * again when there is work. So what became of the ticks between two runs is told by the time between.
 */
SEC("tp_btf/cpu_idle")
int BPF_PROG(on_idle, unsigned int state, unsigned int id)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 zero = 0;
	struct cpu_state *cpu = bpf_map_lookup_elem(&cpu_states, &zero);

	if (!cpu)
		return 0;
	if (state == CPU_IDLE_EXIT) {
		ticks_end_idle(cpu, now, stolen_time(cpu));
	} else {
		cpu->idle_since = now;
		cpu->idle_stolen = stolen_time(cpu);
	}
	return 0;
}

static long walk_some(__u32 i, void *unused)
{
	struct walk_scratch *s = walk_scratch();

	if (!s)
		return 1;
	s->walk.end = walk_steps(&s->walk);
	return s->walk.end != WALK_ON;
}

static __always_inline void walk_user(struct walk *w)
{
	if (w->end == WALK_COMPAT)
		walk_store(w, w->pc);
	if (w->end != WALK_ON)
		return;
	/* Once more than there are steps: the last one finds that they are enough. */
	bpf_loop(PROFBPF_MAX_WALK + WALK_MAX_AGAIN + 1, walk_some, NULL, 0);
	if (w->end == WALK_ON)
		w->end = WALK_TOO_DEEP;
}

static __always_inline __u32 kernel_frames(void *ctx, struct stack_record *stack)
{
	long bytes;

	if (!settings.kernel)
		return 0;
	bytes = bpf_get_stack(ctx, stack->frames, PROFBPF_KEEP_KERNEL * sizeof(__u64), 0);
	if (bytes < 0)
		return 0;
	return (bytes / sizeof(__u64)) & 127;
}

static long hash_kernel_frame(__u32 i, void *unused)
{
	struct walk_scratch *s = walk_scratch();

	if (!s || i >= PROFBPF_KEEP_KERNEL)
		return 1;
	s->walk.hash = walk_hash(s->walk.hash, s->stack.frames[i]);
	return 0;
}

/* Fills stack, but for its time. */
static __always_inline void take_stack(struct tick_context *ctx, struct task_struct *task,
				       struct walk_scratch *scratch)
{
	struct stack_record *stack = &scratch->stack;
	struct walk *w = &scratch->walk;
	bool in_user = arch_in_user(ctx);
	__u32 n = in_user ? 0 : kernel_frames(ctx, stack);

	__builtin_memset(w, 0, sizeof(*w));
	w->base = n;
	w->end = WALK_NO_USER;
	w->hash = walk_hash(settings.seed, stack->instance.start);
	w->hash = walk_hash(w->hash, ((__u64)stack->instance.epoch << 32) | stack->instance.tgid);
	w->hash = walk_hash(w->hash, ((__u64)generation << 32) | n);
	bpf_loop(n, hash_kernel_frame, NULL, 0);
	scratch->window_at = WINDOW_NONE;
	if (in_user)
		scratch->registers = *ctx;
	if (in_user || entry_registers(task, &scratch->registers)) {
		arch_walk_start(w, &scratch->registers);
		if (!in_user)
			leave_breakpoint(w);
		find_ranges(w, &stack->instance);
	}
	walk_user(w);
	stack->n_kernel = n;
	stack->n_user = w->n;
	stack->n_frames = n + walk_kept(w->n);
	stack->end = w->end;
	stack->early = w->early;
	stack->hash = walk_hash(w->hash, w->end | w->early << 8);
}

/* Whether to wake the profiler: by how full the ring is. Its positions are written by others, and slow to
 * read: a CPU looks now and then. */
static __always_inline __u64 wake_up(struct walk_scratch *scratch, __u64 size)
{
	scratch->sent += size;
	if (scratch->sent < settings.ring_look)
		return BPF_RB_NO_WAKEUP;
	scratch->sent = 0;
	return bpf_ringbuf_query(&stacks, BPF_RB_AVAIL_DATA) > settings.ring_high
		       ? BPF_RB_FORCE_WAKEUP
		       : BPF_RB_NO_WAKEUP;
}

/* Makes sure that the stack is, or is going to be, known to user space. */
static __always_inline bool send_stack(struct walk_scratch *scratch, __u64 now)
{
	struct stack_record *stack = &scratch->stack;
	__u64 size;
	__u32 n = stack->n_frames, place = stack->hash & (settings.seen_slots - 1);
	__u64 *crossed = bpf_map_lookup_elem(&seen, &place);

	if (!crossed || *crossed == stack->hash)
		return crossed;
	if (n > PROFBPF_KEEP_FRAMES)
		n = PROFBPF_KEEP_FRAMES;
	size = PROFBPF_STACK_HEADER + n * sizeof(__u64);
	stack->time = now;
	if (bpf_ringbuf_output(&stacks, stack, size, wake_up(scratch, size)))
		return false;
	*crossed = stack->hash;
	return true;
}

static __always_inline __u64 key_hash(const struct sample_key *key)
{
	const __u64 *comm = (const __u64 *)key->comm;
	__u64 h = walk_hash(settings.seed, key->stack);

	h = walk_hash(h, key->tid);
	h = walk_hash(h, comm[0]);
	h = walk_hash(h, comm[1]);
	return h ? h : 1;
}

/* Moves a slot's count to the table. Returns how many of its runs are lost, for want of room. */
static __always_inline __u64 evict(void *table, struct front_slot *slot)
{
	long err = bpf_map_update_elem(table, &slot->id, &slot->counter, BPF_NOEXIST);
	struct counter *c;

	if (!err)
		return 0;
	c = err == -EEXIST ? bpf_map_lookup_elem(table, &slot->id) : NULL;
	if (!c)
		return slot->counter.runs;
	__sync_fetch_and_add(&c->runs, slot->counter.runs);
	__sync_fetch_and_add(&c->ticks, slot->counter.ticks);
	return 0;
}

static __always_inline struct front_slot *slot_of(__u32 buffer, __u64 id)
{
	__u32 slots = settings.front_slots, cpu = bpf_get_smp_processor_id();
	__u32 place = (buffer * settings.cpus + cpu) * slots + (id & (slots - 1));

	return bpf_map_lookup_elem(&front, &place);
}

/* Counts in the front array; on a conflict the older count moves on to the table. */
static __always_inline void count(__u32 buffer, struct walk_scratch *scratch,
				  struct tick_account *account, __u64 ticks, __u64 now)
{
	void *table = buffer ? (void *)&counters_1 : (void *)&counters_0;
	__u64 id = key_hash(&scratch->key);
	struct front_slot *slot = slot_of(buffer, id);

	if (!slot || (slot->id != id && !send_stack(scratch, now))) {
		account->dropped[PROFBPF_DROP_STACK_RING]++;
		return;
	}
	if (slot->id != id) {
		if (slot->id)
			account->dropped[PROFBPF_DROP_COUNTER_TABLE] += evict(table, slot);
		slot->id = id;
		slot->counter = (struct counter){ .key = scratch->key };
	}
	slot->counter.runs++;
	slot->counter.ticks += ticks;
}

static __always_inline void sample(struct tick_context *ctx, struct task_struct *task,
				   struct walk_scratch *scratch, struct tick_account *account,
				   __u32 buffer, __u64 ticks, __u64 now)
{
	struct sample_key *key = &scratch->key;

	account->runs++;
	account->missed += ticks - 1;
	take_stack(ctx, task, scratch);
	key->stack = scratch->stack.hash;
	key->tid = task_pid(task);
	task_comm(task, key->comm);
	count(buffer, scratch, account, ticks, now);
}

/* Makes the stack one of the task's instance; mostly it is that of the last tick. */
static __always_inline void know_instance(struct task_struct *task, struct walk_scratch *scratch)
{
	struct instance *instance = &scratch->stack.instance;

	if (scratch->task == (__u64)task && scratch->task_start == task->start_boottime &&
	    instance->epoch == task->self_exec_id)
		return;
	scratch->task = (__u64)task;
	scratch->task_start = task->start_boottime;
	task_instance(task, instance);
}

SEC("perf_event")
int on_tick(struct tick_context *ctx)
{
	__u64 now = bpf_ktime_get_ns();
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 buffer = *(volatile __u32 *)&side & 1, zero = 0;
	struct cpu_state *cpu = bpf_map_lookup_elem(&cpu_states, &zero);
	struct walk_scratch *scratch = walk_scratch();
	struct tick_account *account = bpf_map_lookup_elem(&accounts, &buffer);
	struct ticks ticks;

	if (!cpu || !scratch || !account || !settings.period)
		return 0;
	if (!cpu->last)
		begin(cpu, task);
	ticks = ticks_passed(cpu, now, stolen_time(cpu), settings.period);
	account->idle += ticks.idle;
	account->stolen += ticks.stolen;
	if (!ticks.own)
		return 0;
	know_instance(task, scratch);
	if (is_target(task, &scratch->stack.instance))
		sample(ctx, task, scratch, account, buffer, ticks.own, now);
	else
		account->other += ticks.own;
	return 0;
}
