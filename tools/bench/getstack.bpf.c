// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The yardstick for the time of a sample: bpf_get_stack of the user stack and nothing else. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "counts.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define FRAMES 127

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u8);
} pids SEC(".maps");

struct stack {
	__u64 frames[FRAMES];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack);
} scratch SEC(".maps");

struct counts counts = {};

SEC("perf_event")
int get_stack(struct bpf_perf_event_data *ctx)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32, zero = 0;
	struct stack *stack;
	long bytes;

	if (!bpf_map_lookup_elem(&pids, &pid))
		return 0;
	stack = bpf_map_lookup_elem(&scratch, &zero);
	if (!stack)
		return 0;
	bytes = bpf_get_stack(ctx, stack->frames, sizeof(stack->frames), BPF_F_USER_STACK);
	if (bytes > 0)
		__sync_fetch_and_add(&counts.frames, bytes / sizeof(__u64));
	__sync_fetch_and_add(&counts.samples, 1);
	return 0;
}
