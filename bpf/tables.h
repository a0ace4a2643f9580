/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the walkers in the kernel have in common: the unwind tables, and where a walk begins. */
#ifndef PROFBPF_TABLES_H
#define PROFBPF_TABLES_H

#include <bpf/bpf_helpers.h>

#include "bpf/arch.h"
#include "bpf/profbpf.h"
#include "bpf/task.h"

struct chunk_table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_chunk);
};

struct object_table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct unwind_object);
};

struct range_table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct unwind_range);
};

extern struct chunk_table chunks SEC(".maps");
extern struct object_table objects SEC(".maps");
extern struct range_table ranges SEC(".maps");
extern struct process_table processes SEC(".maps");

static __always_inline const struct unwind_range *walk_range(__u32 i)
{
	return bpf_map_lookup_elem(&ranges, &i);
}

static __always_inline struct unwind_object *walk_object(__u32 i)
{
	return bpf_map_lookup_elem(&objects, &i);
}

static __always_inline const struct unwind_chunk *walk_chunk(__u32 i)
{
	return bpf_map_lookup_elem(&chunks, &i);
}

#define walk_loop(steps, function, context) bpf_loop(steps, function, context, 0)

/* The registers with which the thread entered the kernel, if it came from user space. */
static __always_inline bool entry_registers(struct task_struct *task, struct tick_context *user)
{
	struct pt_regs *regs;

	if ((task->flags & TASK_KTHREAD) || !BPF_CORE_READ(task, mm))
		return false;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	return regs && !bpf_probe_read_kernel(user, sizeof(*user), regs) && arch_in_user(user);
}

/* The ranges of the process, if those that are known are of this program. */
static __always_inline void find_ranges(struct walk *w, const struct instance *instance)
{
	__u32 tgid = instance->tgid;
	struct unwind_process *p = bpf_map_lookup_elem(&processes, &tgid);

	/* A start of 0: user space knows of the process from /proc only. */
	if (!p || (p->start && (p->start != instance->start || p->epoch != instance->epoch)))
		return;
	w->first_range = p->first;
	w->n_ranges = p->n;
	w->ranges_id = p->id;
}

#endif
