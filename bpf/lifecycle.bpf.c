// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lives of processes: keeps the table of targets and tells user space of fork, exec and exit. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/profbpf.h"
#include "bpf/task.h"

/* The part of an exit code, as wait(2) gives it, that is a signal's number. */
#define EXIT_SIGNAL 0x7f

/* Events that did not fit the ring. */
__u64 lost_events = 0;
/* Children of targets that did not fit the table of targets. */
__u64 lost_targets = 0;
/* Targets that have exited; user space removes them from the table. */
__u64 exits = 0;

struct target_table targets SEC(".maps");
struct tid_table tids SEC(".maps");
struct process_table processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
} events SEC(".maps");

static __always_inline void tell(__u32 kind, struct task_struct *task, struct task_struct *parent)
{
	struct process_event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e) {
		__sync_fetch_and_add(&lost_events, 1);
		return;
	}
	e->time = bpf_ktime_get_ns();
	e->kind = kind;
	e->signal = kind == PROCESS_EXIT ? task->exit_code & EXIT_SIGNAL : 0;
	task_instance(task, &e->instance);
	if (parent)
		task_instance(parent, &e->parent);
	else
		__builtin_memset(&e->parent, 0, sizeof(e->parent));
	bpf_probe_read_kernel_str(e->comm, sizeof(e->comm), task->comm);
	/* Timed draining is soon enough; a wake-up costs the target. */
	bpf_ringbuf_submit(e, bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > (1 << 17)
				      ? BPF_RB_FORCE_WAKEUP
				      : BPF_RB_NO_WAKEUP);
}

/* A child has the mappings of its parent. */
static __always_inline void inherit_ranges(__u32 parent, __u32 child, struct task_struct *task)
{
	struct unwind_process *known = bpf_map_lookup_elem(&processes, &parent), copy;

	if (!known)
		return;
	copy = *known;
	copy.start = task->start_boottime;
	copy.epoch = task->self_exec_id;
	bpf_map_update_elem(&processes, &child, &copy, BPF_ANY);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 parent_id, child_id;
	struct target *known, fresh = {};

	if (child->pid != child->tgid) /* a thread */
		return 0;
	parent_id = task_tgid(parent);
	child_id = task_pid(child);
	if (!child_id) /* not visible from the profiler's pid namespace */
		return 0;
	if (!settings.all) {
		known = bpf_map_lookup_elem(&targets, &parent_id);
		if (!known || !(known->flags & PROFBPF_TARGET_CHILDREN) ||
		    (known->flags & PROFBPF_TARGET_EXITING)) /* its pid is another's already */
			return 0;
		fresh.start = child->start_boottime;
		fresh.flags = known->flags;
		if (bpf_map_update_elem(&targets, &child_id, &fresh, BPF_ANY))
			__sync_fetch_and_add(&lost_targets, 1);
	}
	inherit_ranges(parent_id, child_id, child);
	tell(PROCESS_FORK, child, parent);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
	__u32 id = task_tgid(task);
	struct target *target;

	if (!id)
		return 0;
	if (!settings.all) {
		target = bpf_map_lookup_elem(&targets, &id);
		if (!target || (target->flags & PROFBPF_TARGET_EXITING))
			return 0;
		target->flags &= ~PROFBPF_TARGET_AWAIT_EXEC;
	}
	/* They are the old program's; user space may know of the process from /proc only. */
	bpf_map_delete_elem(&processes, &id);
	tell(PROCESS_EXEC, task, 0);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	__u32 id = task_tgid(task);
	struct unwind_process *mapped;
	struct target *target;

	if (!id || BPF_CORE_READ(task, signal, live.counter)) /* other threads live on */
		return 0;
	/* The pid may be another process's before user space removes this one from the tables. */
	mapped = bpf_map_lookup_elem(&processes, &id);
	if (mapped && !mapped->start) {
		mapped->epoch = task->self_exec_id;
		mapped->start = task_start(task);
	}
	if (!settings.all) {
		target = bpf_map_lookup_elem(&targets, &id);
		if (!target || (target->flags & PROFBPF_TARGET_EXITING))
			return 0;
		target->start = task_start(task);
		target->flags |= PROFBPF_TARGET_EXITING;
		__sync_fetch_and_add(&exits, 1);
	}
	tell(PROCESS_EXIT, task, 0);
	return 0;
}

__u32 own_pidns_level = 0;
__u64 own_pidns = 0;

/* Runs once in the profiler's own context to learn its pid namespace. */
SEC("syscall")
int find_pidns(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct upid upid;
	__u32 level = BPF_CORE_READ(pid, level);

	if (level > TASK_MAX_PIDNS || bpf_core_read(&upid, sizeof(upid), &pid->numbers[0] + level))
		return 1;
	own_pidns = (__u64)upid.ns;
	own_pidns_level = level;
	return 0;
}
