// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The time that a target's threads are blocked, and the time that they run. Blocked is a thread that left its
 * CPU because it waits for something, until it is woken; one that was preempted, or is woken and has no CPU
 * yet, is not.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/profbpf.h"
#include "bpf/task.h"

/* Of task_struct's __state, include/linux/sched.h. The last one stands for a wake-up that is under way on
 * another CPU, and follows any other state. */
#define TASK_DEAD 0x80
#define TASK_NEW 0x800
#define TASK_WAKING 0x200

/* When the clock was started; before that nothing is counted. */
extern __u64 start_time;

/* Waits, and names of threads, that found no room: their time is not known. */
__u64 lost_waits = 0;

/* By the address of its task, which is nobody else's before the thread has been woken. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct blocked_thread);
} blocked SEC(".maps");

/* By the thread's name, or under no name. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, struct time_key);
	__type(value, struct spent_time);
} spent SEC(".maps");

/* When a CPU last turned to another thread, 0: not since the start. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} switched SEC(".maps");

/* What a running thread is since Linux 6.12 while it waits for its turn to be taken off the queue. */
struct sched_entity___delayed {
	unsigned char sched_delayed;
};

static __always_inline bool is_watched(struct task_struct *task)
{
	struct instance instance;

	if (task->flags & TASK_KTHREAD)
		return false;
	task_instance(task, &instance);
	return is_target(task, &instance);
}

static __always_inline struct spent_time *spent_by(const struct time_key *key)
{
	struct spent_time none = {}, *found = bpf_map_lookup_elem(&spent, key);

	if (found)
		return found;
	bpf_map_update_elem(&spent, key, &none, BPF_NOEXIST);
	found = bpf_map_lookup_elem(&spent, key);
	if (!found)
		__sync_fetch_and_add(&lost_waits, 1);
	return found;
}

static __always_inline void key_of(struct task_struct *task, struct time_key *key)
{
	__builtin_memset(key, 0, sizeof(*key));
	if (settings.by_comm)
		bpf_probe_read_kernel_str(key->comm, sizeof(key->comm), task->comm);
}

/* The thread is about to leave the CPU, or is looked at there. */
static __always_inline void charge(struct task_struct *task, __u64 since, __u64 now)
{
	struct spent_time *time;
	struct time_key key;

	if (since < start_time)
		since = start_time;
	if (now <= since)
		return;
	key_of(task, &key);
	time = spent_by(&key);
	if (time)
		time->running += now - since;
}

static __always_inline void block(struct task_struct *task, __u64 now)
{
	struct blocked_thread thread = { .since = now };
	__u64 key = (__u64)task;

	key_of(task, &thread.key);
	if (bpf_map_update_elem(&blocked, &key, &thread, BPF_ANY))
		__sync_fetch_and_add(&lost_waits, 1);
}

/*
 * The state is read from the task, not taken from the tracepoint, which hands it over since Linux 5.18 only:
 * no one but a wake-up can have changed it, and that leaves it other than running.
 */
static __always_inline void leave(bool preempted, struct task_struct *task, __u64 since, __u64 now)
{
	unsigned int state = task->__state;

	if (!is_watched(task))
		return;
	charge(task, since, now);
	if (!preempted && state && !(state & TASK_DEAD))
		block(task, now);
}

SEC("tp_btf/sched_switch")
int on_switch(__u64 *ctx)
{
	__u32 zero = 0;
	__u64 *since = bpf_map_lookup_elem(&switched, &zero), now = bpf_ktime_get_ns();

	if (!since || !start_time)
		return 0;
	if (settings.switch_from == 2)
		leave(ctx[0], (struct task_struct *)ctx[2], *since, now);
	else
		leave(ctx[0], (struct task_struct *)ctx[1], *since, now);
	*since = now;
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
	__u64 key = (__u64)task, now = bpf_ktime_get_ns();
	struct blocked_thread *thread = bpf_map_lookup_elem(&blocked, &key);
	struct spent_time *time;

	if (!thread)
		return 0;
	time = spent_by(&thread->key);
	if (time && now > thread->since)
		time->blocked += now - thread->since;
	bpf_map_delete_elem(&blocked, &key);
	return 0;
}

/* Runs on each CPU in turn, so that what its thread has run so far is known. */
SEC("raw_tp")
int charge_current(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 *since, now = bpf_ktime_get_ns();
	__u32 zero = 0;

	since = bpf_map_lookup_elem(&switched, &zero);
	if (!since || !start_time)
		return 0;
	if (is_watched(task))
		charge(task, *since, now);
	*since = now;
	return 0;
}

static __always_inline bool is_asleep(struct task_struct *task)
{
	struct sched_entity___delayed *entity = (void *)&task->se;
	unsigned int state = task->__state;
	bool delayed = false;

	if (bpf_core_field_exists(entity->sched_delayed))
		delayed = BPF_CORE_READ(entity, sched_delayed);
	if (!state || (state & (TASK_DEAD | TASK_NEW | TASK_WAKING)))
		return false;
	return !task->on_cpu && (!task->on_rq || delayed);
}

/* Those that were asleep before the switches were watched. A wake-up in between is seen afterwards. */
SEC("iter/task")
int note_blocked(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct blocked_thread thread = { .since = start_time };
	__u64 key = (__u64)task;

	if (!task || !is_asleep(task) || !is_watched(task))
		return 0;
	key_of(task, &thread.key);
	if (bpf_map_update_elem(&blocked, &key, &thread, BPF_NOEXIST)) {
		if (!bpf_map_lookup_elem(&blocked, &key))
			__sync_fetch_and_add(&lost_waits, 1);
	} else if (!is_asleep(task)) {
		bpf_map_delete_elem(&blocked, &key);
	}
	return 0;
}
