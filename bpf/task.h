/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Who a task is, as the profiler names it. */
#ifndef PROFBPF_TASK_H
#define PROFBPF_TASK_H

#include <stdbool.h>
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#include "bpf/profbpf.h"

extern const volatile struct settings settings;
/* How deep the profiler's own pid namespace is nested, 0: it is the initial one. */
extern __u32 own_pidns_level;
/* The namespace itself: others are nested as deep. */
extern __u64 own_pidns;

/* The processes that are sampled; the lifecycle programs and user space write it. */
struct target_table {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct target);
};

/* The only threads that are sampled, if settings say so. */
struct tid_table {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
};

extern struct target_table targets SEC(".maps");
extern struct tid_table tids SEC(".maps");

/* The mappings of processes, for the walker. */
struct process_table {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, struct unwind_process);
};

#define TASK_KTHREAD 0x00200000 /* PF_KTHREAD, include/linux/sched.h */
#define TASK_MAX_PIDNS 32 /* MAX_PID_NS_LEVEL, include/linux/pid_namespace.h */

static __always_inline __u32 nested_pid(struct pid *pid, __u32 level)
{
	const struct upid *upid = &pid->numbers[0] + level;
	struct pid_namespace *ns;
	int nr;

	/* Read apart: as one struct the compiler would merge its loads with the caller's. */
	if (bpf_core_read(&ns, sizeof(ns), &upid->ns) || (__u64)ns != own_pidns ||
	    bpf_core_read(&nr, sizeof(nr), &upid->nr))
		return 0;
	return nr;
}

static __always_inline __u32 nested_pid_of(struct task_struct *task, __u32 level)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);

	if (!pid || level > TASK_MAX_PIDNS || BPF_CORE_READ(pid, level) < level)
		return 0;
	return nested_pid(pid, level);
}

/*
 * The task's pid as seen from the profiler's pid namespace; 0 if it is not visible there. Pointers in
 * a task are read with a helper here and below: for each one loaded directly the verifier looks
 * through all names of the kernel's types, some 10 ms.
 */
static __always_inline __u32 task_pid(struct task_struct *task)
{
	__u32 level = *(volatile __u32 *)&own_pidns_level;

	return level ? nested_pid_of(task, level) : task->pid;
}

/* The same of its process. */
static __always_inline __u32 task_tgid(struct task_struct *task)
{
	__u32 level = *(volatile __u32 *)&own_pidns_level;

	return level ? nested_pid_of(BPF_CORE_READ(task, group_leader), level) : task->tgid;
}

static __always_inline __u64 task_start(struct task_struct *task)
{
	return BPF_CORE_READ(task, group_leader, start_boottime);
}

static __always_inline void task_instance(struct task_struct *task, struct instance *instance)
{
	instance->start = task_start(task);
	instance->tgid = task_tgid(task);
	instance->epoch = task->self_exec_id;
}

/* Its name, in whole words: the kernel fills the rest of it with zeros (since Linux 5.17). */
static __always_inline void task_comm(struct task_struct *task, char comm[PROFBPF_COMM_LEN])
{
	const __u64 *from = (const __u64 *)task->comm;
	__u64 *to = (__u64 *)comm;

	to[0] = from[0];
	to[1] = from[1];
}

static __always_inline bool is_target(struct task_struct *task, const struct instance *instance)
{
	__u32 tgid = instance->tgid, tid;
	struct target *target;

	if (!tgid)
		return false;
	if (!settings.all) {
		target = bpf_map_lookup_elem(&targets, &tgid);
		if (!target || (target->flags & PROFBPF_TARGET_AWAIT_EXEC))
			return false;
		if (target->start && target->start != instance->start)
			return false;
	}
	if (!settings.by_tid)
		return true;
	tid = task_pid(task);
	return bpf_map_lookup_elem(&tids, &tid);
}

#endif
