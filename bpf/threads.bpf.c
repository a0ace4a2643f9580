// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The stacks of a process's threads as they are now: an iterator over its tasks, which goes on from the
 * registers with which a thread entered the kernel. It runs in the reader's context and may sleep, so
 * that it can read another process's memory, be it swapped out.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/threads_reader.h"

struct dump_context {
	struct task_struct *task;
};

/*
 * A step of the walk, which is taken again when it asked for memory that had to be read first: walks
 * are functions that the verifier looks at by themselves, and a task can't be handed to such.
 */
static long dump_step(__u32 i, struct dump_context *c)
{
	struct dump_scratch *s = dump_scratch();
	__u32 why;

	if (!s)
		return 1;
	s->next = s->walk;
	s->missing = 0;
	why = walk_step(&s->next);
	if (s->missing && ++s->tries < DUMP_TRIES) {
		dump_fetch(s, c->task);
		return 0;
	}
	s->tries = 0;
	if (why == WALK_ON && s->next.n >= PROFBPF_MAX_WALK)
		why = WALK_TOO_DEEP;
	s->walk = s->next;
	s->walk.end = why;
	return why != WALK_ON;
}

static __always_inline __u32 kernel_frames_of(struct task_struct *task, struct stack_record *stack)
{
	long bytes;

	if (!settings.kernel)
		return 0;
	bytes = bpf_get_task_stack(task, stack->frames, PROFBPF_KEEP_KERNEL * sizeof(__u64), 0);
	return bytes < 0 ? 0 : (bytes / sizeof(__u64)) & 127;
}

/* Fills the record's stack. */
static __always_inline void dump_stack(struct dump_scratch *s, struct task_struct *task)
{
	struct stack_record *stack = &s->record.stack;
	struct dump_context c = { .task = task };
	__u32 n = kernel_frames_of(task, stack);

	dump_begin(s, task);
	s->walk.base = n;
	s->walk.end = WALK_NO_USER;
	s->record.call = -1;
	if (entry_registers(task, &s->registers)) {
		s->record.call = arch_call((struct pt_regs *)bpf_task_pt_regs(task));
		arch_walk_start(&s->walk, &s->registers);
		find_ranges(&s->walk, &stack->instance);
	}
	if (s->walk.end == WALK_COMPAT)
		walk_store(&s->walk, s->walk.pc);
	if (s->walk.end == WALK_ON)
		bpf_loop(DUMP_STEPS, dump_step, &c, 0);
	if (s->walk.end == WALK_ON)
		s->walk.end = WALK_TOO_DEEP;
	stack->n_kernel = n;
	stack->n_user = s->walk.n;
	stack->n_frames = n + walk_kept(s->walk.n);
	stack->end = s->walk.end;
}

SEC("iter.s/task")
int dump_thread(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct dump_scratch *s = dump_scratch();
	struct thread_record *r;
	__u64 switches;
	__u32 n;

	if (!task || !s)
		return 0;
	r = &s->record;
	__builtin_memset(r, 0, PROFBPF_THREAD_HEADER);
	r->tid = task_pid(task);
	r->state = task->__state;
	bpf_probe_read_kernel_str(r->comm, sizeof(r->comm), task->comm);
	task_instance(task, &r->stack.instance);
	r->stack.time = bpf_ktime_get_ns();
	/* A thread that has not been on a CPU meanwhile has the same stack at the end as before. */
	switches = task->nvcsw + task->nivcsw;
	r->running = *(volatile int *)&task->on_cpu;
	if (!r->running) {
		dump_stack(s, task);
		barrier();
		r->running =
			*(volatile int *)&task->on_cpu || task->nvcsw + task->nivcsw != switches;
	}
	n = r->running ? 0 : r->stack.n_frames;
	if (n > PROFBPF_KEEP_FRAMES)
		n = PROFBPF_KEEP_FRAMES;
	r->stack.n_frames = n;
	bpf_seq_write(ctx->meta->seq, r, PROFBPF_THREAD_HEADER + n * sizeof(__u64));
	return 0;
}
