/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel programs and the profiler share: plain fixed-width structs, no pointers. Both
 * sides are compiled from this header, so the layouts agree by construction. Times are
 * CLOCK_MONOTONIC nanoseconds, pids and tids those of the profiler's own pid namespace.
 */
#ifndef PROFBPF_SHARED_H
#define PROFBPF_SHARED_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define PROFBPF_COMM_LEN 16

/*
 * A walk goes on to the root, MAX_WALK frames at most. The innermost KEEP_INNER and the outermost
 * KEEP_OUTER frames are kept; the latter in a ring, so that the walk needs no second pass.
 */
#define PROFBPF_MAX_WALK 4096
#define PROFBPF_KEEP_INNER 384
#define PROFBPF_KEEP_OUTER 128
#define PROFBPF_KEEP_USER (PROFBPF_KEEP_INNER + PROFBPF_KEEP_OUTER)
/* kernel.perf_event_max_stack is 127 unless changed; a deeper kernel stack loses its root. */
#define PROFBPF_KEEP_KERNEL 127
#define PROFBPF_KEEP_FRAMES 640 /* room for both, rounded up */

/* Set in a stored user frame that was reached by a step that may be wrong. */
#define WALK_GUESS (1ULL << 63)

/*
 * A process instance is a pid with its start time. Its epoch counts its execs (as the kernel's
 * self_exec_id does), so that it changes with the meaning of its code addresses.
 */
struct instance {
	__u64 start; /* CLOCK_BOOTTIME nanoseconds */
	__u32 epoch;
	__u32 tgid;
};

/*
 * A stack that was not seen before, as it crosses into user space once. Frames are addresses to be
 * looked up: that of the interrupted instruction first, those of calls moved back into the call by
 * the user walker (pc - 1), not yet by the kernel's own (frames[1] to frames[n_kernel - 1]).
 */
struct stack_record {
	__u64 hash; /* of the instance and all frames, those not kept included */
	__u64 time;
	struct instance instance;
	__u32 n_kernel; /* kernel frames, first in frames */
	__u32 n_user; /* user frames walked; over KEEP_USER the last KEEP_OUTER are a ring */
	__u32 end; /* enum profile_end */
	__u32 n_frames; /* in frames */
	__u32 early; /* there was code whose unwind table was not there yet */
	__u32 pad;
	__u64 frames[PROFBPF_KEEP_FRAMES];
};
#define PROFBPF_STACK_HEADER __builtin_offsetof(struct stack_record, frames)

/* A thread as it was found, with its stack unless it was running. */
struct thread_record {
	__u32 tid;
	__u32 state; /* task_struct's __state: 0 runnable, 1 asleep, 2 asleep without signals … */
	__u32 running; /* on a CPU, or was meanwhile: its stack is not known */
	__s32 call; /* number of the system call that it is in, -1: none */
	char comm[PROFBPF_COMM_LEN];
	struct stack_record stack; /* without hash */
};
#define PROFBPF_THREAD_HEADER __builtin_offsetof(struct thread_record, stack.frames)

/* What samples are counted by. */
struct sample_key {
	__u64 stack; /* stack_record's hash, which holds the instance */
	__u32 tid;
	__u32 pad;
	char comm[PROFBPF_COMM_LEN];
};

/* How often a key was sampled. The table of counters has those that found no place in front of it, by the hash
 * of their keys. */
struct counter {
	struct sample_key key;
	__u64 runs; /* samples */
	__u64 ticks; /* runs and the missed ticks charged to them */
};

/* A slot of the array of counters in front of that table: one a CPU and hash. One cache line. */
struct front_slot {
	__u64 id; /* hash of the key, 0: empty */
	struct counter counter;
	__u64 pad;
};

/*
 * The unwind tables of all objects lie in one array of 64-byte chunks, written by user space through
 * a mapping; an object's table is three runs of words in it (unwind/table.h).
 */
struct unwind_chunk {
	__u32 words[16];
};

struct unwind_object {
	__u64 base; /* address of the first block, in the object's own address space */
	__u32 n_blocks; /* 0: not loaded */
	__u32 directory; /* word at which the directory begins */
	__u32 rows; /* likewise */
	__u32 complex; /* likewise; a multiple of 8 */
	__u32 n_complex;
	__u32 bare; /* it has no table and gets none */
	__u32 wanted; /* set by the walker, which came by before the table was there */
	__u32 pad;
};

/* An executable mapping of a process: address + bias is the address in the object's own space. */
struct unwind_range {
	__u64 start, end;
	__u64 bias;
	__u32 object; /* index, UNWIND_NO_OBJECT: code without a table */
	__u32 asked; /* it is in no list: the walker found it by itself */
};
#define UNWIND_NO_OBJECT 0xffffffff
#define UNWIND_NEW_OBJECT 0xfffffffe /* a file that user space has not told of yet */

/* A file, as the kernel numbers it: the device's number has 20 bits for the minor one. User space keeps
 * the file open, so that its numbers are no other file's. */
struct unwind_file_key {
	__u64 inode;
	__u64 device;
};

/* Its executable segments, for mappings that are in no list yet. */
#define UNWIND_FILE_SEGMENTS 4
struct unwind_file {
	struct {
		__u64 offset, size; /* in the file; size 0: there is none */
		__u64 bias; /* offset + bias is the address in the object's own space */
	} segments[UNWIND_FILE_SEGMENTS];
	__u32 object;
	__u32 pad;
};

/* The ranges of a process, by address; processes that mapped the same share them. */
struct unwind_process {
	__u64 start; /* of the instance */
	__u32 first; /* in the array of ranges */
	__u32 n;
	__u32 id; /* of this list of ranges, never used again */
	__u32 epoch;
};

/* What the walk found at an address, kept a CPU. */
struct unwind_cached {
	__u64 key;
	__u32 rule;
	__u32 object;
};
#define UNWIND_CACHE 256

/* enum profile_drop's first codes; the others arise in user space. */
#define PROFBPF_DROP_STACK_RING 0
#define PROFBPF_DROP_COUNTER_TABLE 1
#define PROFBPF_N_DROPS 2

/* Of one CPU; times in nanoseconds. */
struct cpu_state {
	__u64 last; /* the tick that the last run stood for, 0: none yet */
	__u64 idle; /* time that the CPU has been idle since that run */
	__u64 idle_since; /* when it became idle, 0: it is not */
	__u64 stolen; /* of the time stolen since boot, what is accounted for */
	__u64 idle_stolen; /* that time when the CPU became idle */
	__u64 stolen_at; /* where the hypervisor tells it, 0: no run yet, or not known */
};

/* Ticks of one CPU in one buffer. */
struct tick_account {
	__u64 runs, missed; /* the target's */
	__u64 dropped[PROFBPF_N_DROPS];
	__u64 other, idle, stolen; /* missed ones included */
};

/* A process that is sampled. */
struct target {
	__u64 start; /* CLOCK_BOOTTIME nanoseconds; 0: not known yet, and whoever has the pid */
	__u32 flags;
	__u32 pad;
};
#define PROFBPF_TARGET_CHILDREN 1 /* its children become targets */
#define PROFBPF_TARGET_AWAIT_EXEC 2 /* not sampled before its next exec */
#define PROFBPF_TARGET_EXITING 4 /* still sampled: it frees its memory; start is known */

/* What times are kept by: the names of threads, or nothing. */
struct time_key {
	char comm[PROFBPF_COMM_LEN];
};

/* A thread of a target that is blocked. */
struct blocked_thread {
	__u64 since;
	struct time_key key;
};

/* Nanoseconds of a target's threads on one CPU. */
struct spent_time {
	__u64 blocked; /* of waits that ended there */
	__u64 running;
};

enum process_event_kind {
	PROCESS_FORK,
	PROCESS_EXEC,
	PROCESS_EXIT,
};

struct process_event {
	__u64 time;
	struct instance instance;
	struct instance parent; /* of a fork */
	__u32 kind;
	__u32 signal; /* that ended the process, 0: none; of an exit */
	char comm[PROFBPF_COMM_LEN];
};

/* Settings, written before load. */
struct settings {
	__u64 period; /* nanoseconds between ticks of a CPU */
	__u64 seed; /* of all hashes: a target can't aim at collisions */
	__u32 cpus; /* possible ones */
	__u32 front_slots; /* a CPU and buffer, a power of two */
	__u32 seen_slots; /* a power of two */
	__u32 all; /* every process is a target */
	__u32 by_tid; /* only threads in tids */
	__u32 kernel; /* take kernel frames */
	__u32 ring_high; /* bytes in the ring of stacks that wake the profiler */
	__u32 ring_look; /* bytes that a CPU sends until it looks how many there are */
	__u32 by_comm; /* times are kept apart by the names of threads */
	__u32 switch_from; /* which of sched_switch's arguments is the thread that leaves */
};

#endif
