/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the walkers read the current process and the unwind tables, in the kernel. */
#ifndef PROFBPF_READER_H
#define PROFBPF_READER_H

#include <bpf/bpf_helpers.h>

#include "bpf/arch.h"
#include "bpf/profbpf.h"
#include "bpf/tables.h"

/*
 * Stack memory is read in pieces: one copy of 2 KiB costs less than three of eight bytes, most of whose
 * time goes into calls and guards, and most frames are small.
 */
#define WINDOW_WORDS 256
#define WINDOW_PAGE 4096 /* the smallest there are */
#define WINDOW_BEFORE                                                                              \
	64 /* bytes below the word asked for: saved registers lie below return addresses */
#define WINDOW_NONE (1ULL << 63)

/*
 * All that a tick writes while it walks; one a CPU, for a tick can't interrupt a tick. Together, and what
 * is used most in front: each page that a tick touches costs it a cache and a TLB miss.
 */
struct walk_scratch {
	struct tick_context registers; /* of the interrupted user code */
	struct walk walk; /* here, not on the stack, the verifier need not tell its states apart */
	__u64 sent; /* bytes, since the CPU last looked how full the ring is */
	__u64 task, task_start; /* the thread whose instance stack has; when it was started */
	__u64 window_at;
	__u64 window[WINDOW_WORDS];
	struct unwind_cached cache[UNWIND_CACHE];
	struct sample_key key; /* what the sample is counted by */
	struct stack_record stack; /* the one being taken */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct walk_scratch);
} tick_walk SEC(".maps");

static __always_inline struct walk_scratch *walk_scratch(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&tick_walk, &zero);
}

struct chunk_table chunks SEC(".maps");
struct object_table objects SEC(".maps");
struct range_table ranges SEC(".maps");

static __always_inline struct unwind_cached *walk_cached(__u32 i)
{
	struct walk_scratch *s = walk_scratch();

	return s && i < UNWIND_CACHE ? &s->cache[i] : NULL;
}

static __always_inline int walk_read_code(struct walk *w, __u64 *value, __u64 address)
{
	return bpf_probe_read_user(value, sizeof(*value), (const void *)address);
}

static __always_inline int window_read(struct walk_scratch *s, __u64 at)
{
	s->window_at = at;
	return bpf_probe_read_user(s->window, sizeof(s->window), (const void *)at);
}

/*
 * Moves the window to where it holds the word at address. Where memory around it is not there, as at the
 * ends of a stack, to the word's own page. Not static: the verifier looks at it by itself.
 */
__attribute__((noinline)) int window_move(__u64 address)
{
	__u64 first = address & -WINDOW_PAGE, at = address - WINDOW_BEFORE;
	struct walk_scratch *s = walk_scratch();

	if (!s)
		return -1;
	if (!window_read(s, at))
		return 0;
	if (at < first || at > address)
		at = first;
	else if (at > first + WINDOW_PAGE - sizeof(s->window))
		at = first + WINDOW_PAGE - sizeof(s->window);
	else
		at = WINDOW_NONE;
	if (at != WINDOW_NONE && !window_read(s, at))
		return 0;
	s->window_at = WINDOW_NONE;
	return -1;
}

/* A word of the stack. */
static __always_inline int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	struct walk_scratch *s = walk_scratch();

	if (!s || (address & 7))
		return walk_read_code(w, value, address);
	if (address - s->window_at >= sizeof(s->window) && window_move(address))
		return walk_read_code(w, value, address);
	*value = s->window[((address - s->window_at) / 8) % WINDOW_WORDS];
	return 0;
}

static __always_inline __u64 walk_tick_register(struct walk *w, __u32 n)
{
	struct walk_scratch *s = walk_scratch();

	return s ? arch_register(&s->registers, n) : 0;
}

static __always_inline void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	struct walk_scratch *s = walk_scratch();

	if (s && slot < PROFBPF_KEEP_FRAMES)
		s->stack.frames[slot] = frame;
}

#if defined(__TARGET_ARCH_x86)
static __always_inline struct task_struct *walk_task(void)
{
	return (struct task_struct *)bpf_get_current_task();
}

#include "bpf/mapping.h"
#include "bpf/probes.h"
#include "bpf/walk/native.h"

#define NO_CALL ((__u64)-1) /* orig_ax of interrupts and exceptions */

/* Where a thread is in the kernel because of a probe, w is to stand on the instruction that is probed. Not
 * static: the verifier looks at it by itself. */
__attribute__((noinline)) int leave_breakpoint(struct walk *w)
{
	struct walk_scratch *s = walk_scratch();
	struct task_struct *task = walk_task();

	if (w && s && s->registers.orig_ax == NO_CALL && bpf_core_field_exists(task->utask) &&
	    BPF_CORE_READ(task, utask))
		walk_at_breakpoint(w);
	return 0;
}
#else
static __always_inline int leave_breakpoint(struct walk *w)
{
	return 0;
}

#include "bpf/walk/frame_pointer.h"
#endif

#endif
