/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the walker reads another process than the current one: from copies of pieces of its memory. */
#ifndef PROFBPF_THREADS_READER_H
#define PROFBPF_THREADS_READER_H

#include <bpf/bpf_helpers.h>

#include "bpf/tables.h"

/* A step of a walk reads from fewer places than there are windows, so that all that it asks for is
 * there after as many tries. */
#define DUMP_WINDOWS 8
#define DUMP_WORDS 64
#define DUMP_BEFORE 64 /* bytes below the word asked for */
#define DUMP_TRIES 16
#define DUMP_STEPS (8 * PROFBPF_MAX_WALK)

struct dump_window {
	__u64 at;
	__u64 size; /* bytes, 0: the word at that address can't be read */
	__u64 words[DUMP_WORDS];
};

/* Of the one walk at a time: an iterator has one reader. A tick that interrupts it has its own. */
struct dump_scratch {
	struct tick_context registers;
	struct walk walk, next; /* before a step and after it */
	__u64 task; /* its address */
	__u64 missing_at;
	__u32 missing; /* the step asked for the word at missing_at, which is in no window */
	__u32 tries;
	__u32 next_window, pad;
	struct dump_window windows[DUMP_WINDOWS];
	struct thread_record record;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct dump_scratch);
} dump_walk SEC(".maps");

static __always_inline struct dump_scratch *dump_scratch(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&dump_walk, &zero);
}

static __always_inline void dump_begin(struct dump_scratch *s, struct task_struct *task)
{
	__u32 i;

	__builtin_memset(&s->walk, 0, sizeof(s->walk));
	s->task = (__u64)task;
	s->tries = 0;
	for (i = 0; i < DUMP_WINDOWS; i++)
		s->windows[i].at = s->windows[i].size = 0;
}

/* Reads the memory around the word that was missing into the oldest window. */
static __always_inline void dump_fetch(struct dump_scratch *s, struct task_struct *task)
{
	struct dump_window *window = &s->windows[s->next_window++ % DUMP_WINDOWS];

	window->at = s->missing_at - DUMP_BEFORE;
	window->size = sizeof(window->words);
	if (!bpf_copy_from_user_task(window->words, sizeof(window->words), (void *)window->at, task,
				     0))
		return;
	window->at = s->missing_at;
	window->size = sizeof(__u64);
	if (bpf_copy_from_user_task(window->words, sizeof(__u64), (void *)window->at, task, 0))
		window->size = 0;
}

/*
 * The word at any address, if it is in a window. Not static, as walk_caller is: the verifier looks at
 * it once.
 */
__attribute__((noinline)) int dump_read(__u64 *value, __u64 address)
{
	struct dump_scratch *s = dump_scratch();
	__u32 i;

	if (!s || !value)
		return -1;
	for (i = 0; i < DUMP_WINDOWS; i++) {
		struct dump_window *window = &s->windows[i];
		__u64 offset = address - window->at;

		if (!offset && !window->size)
			return -1;
		if (offset <= sizeof(window->words) - sizeof(*value) &&
		    offset + sizeof(*value) <= window->size)
			return bpf_probe_read_kernel(value, sizeof(*value),
						     (char *)window->words + offset);
	}
	s->missing = 1;
	s->missing_at = address;
	return -1;
}

static __always_inline int walk_read_code(struct walk *w, __u64 *value, __u64 address)
{
	__u64 word = 0;

	if (dump_read(&word, address))
		return -1;
	*value = word;
	return 0;
}

static __always_inline int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	return walk_read_code(w, value, address);
}

static __always_inline __u64 walk_tick_register(struct walk *w, __u32 n)
{
	struct dump_scratch *s = dump_scratch();

	return s ? arch_register(&s->registers, n) : 0;
}

/* The rules that ticks found are theirs alone. */
static __always_inline struct unwind_cached *walk_cached(__u32 i)
{
	return NULL;
}

/* A dump waits for the list. */
static __always_inline int walk_ask(struct walk *w, __u64 pc)
{
	return -1;
}

static __always_inline void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	struct dump_scratch *s = dump_scratch();

	if (s && slot < PROFBPF_KEEP_FRAMES)
		s->record.stack.frames[slot] = frame;
}

#if defined(__TARGET_ARCH_x86)
static __always_inline struct task_struct *walk_task(void)
{
	struct dump_scratch *s = dump_scratch();

	return s ? (struct task_struct *)s->task : NULL;
}

/* The functions are linked beside those of the ticks. */
#define walk_caller dump_caller
#define walk_probed dump_probed
#define walk_is_trampoline dump_is_trampoline
#include "bpf/probes.h"
#include "bpf/walk/native.h"
#else
#include "bpf/walk/frame_pointer.h"
#define walk_caller walk_frame_pointer
#endif

#endif
