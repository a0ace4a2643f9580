/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel knows of its probes in the walked task. The includer provides
 *
 *	static struct task_struct *walk_task(void);
 *
 * which may be an address only. The task's list is changed by itself alone, so that it is at rest while
 * the task is interrupted or asleep; it is read as memory that may be gone, all the same.
 */
#ifndef PROFBPF_PROBES_H
#define PROFBPF_PROBES_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/walk/walk.h"

#define PROBES_MAX_RETURNS 64 /* MAX_URETPROBE_DEPTH, include/linux/uprobes.h */

/* Its definition is in kernel/events/uprobes.c. */
struct xol_area___profbpf {
	unsigned long vaddr;
} __attribute__((preserve_access_index));

/* Since Linux 6.18. */
struct uprobes_state___calls {
	struct hlist_head head_tramps;
} __attribute__((preserve_access_index));

struct mm_struct___calls {
	struct uprobes_state___calls uprobes_state;
} __attribute__((preserve_access_index));

static __always_inline int walk_probes(struct walk *w, struct walk_probes *p)
{
	struct task_struct *task = walk_task();
	struct mm_struct___calls *calls;
	struct xol_area___profbpf *area;
	struct uprobe_task *utask;
	struct mm_struct *mm;

	if (!bpf_core_field_exists(task->utask))
		return 0;
	mm = BPF_CORE_READ(task, mm);
	area = (void *)BPF_CORE_READ(mm, uprobes_state.xol_area);
	calls = (void *)mm;
	if (bpf_core_field_exists(calls->uprobes_state.head_tramps))
		p->calls = !!BPF_CORE_READ(calls, uprobes_state.head_tramps.first);
	if (!area)
		return p->calls;
	p->trampoline = BPF_CORE_READ(area, vaddr);
	utask = BPF_CORE_READ(task, utask);
	if (utask) {
		p->copy = BPF_CORE_READ(utask, xol_vaddr);
		p->original = BPF_CORE_READ(utask, vaddr);
	}
	return 1;
}

struct probe_search {
	struct return_instance *at;
	__u64 low, high;
	struct walk_return found;
};

static long probe_try_return(__u32 i, struct probe_search *s)
{
	struct return_instance *r = s->at;
	__u64 at;

	if (!r)
		return 1;
	at = BPF_CORE_READ(r, stack);
	if (at - s->low <= s->high - s->low) {
		s->found.at = at;
		s->found.address = BPF_CORE_READ(r, orig_ret_vaddr);
		return 1;
	}
	s->at = BPF_CORE_READ(r, next);
	return 0;
}

static __always_inline int walk_find_return(struct walk *w, __u64 low, __u64 high,
					    struct walk_return *r)
{
	struct probe_search s = { .low = low, .high = high };
	struct task_struct *task = walk_task();

	s.at = BPF_CORE_READ(task, utask, return_instances);
	bpf_loop(PROBES_MAX_RETURNS, probe_try_return, &s, 0);
	if (!s.found.address)
		return -1;
	*r = s.found;
	return 0;
}

#endif
