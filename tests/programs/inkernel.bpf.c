/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Burn time in the kernel when a process calls getsid(2): one by itself, one on entry to the other. */
#include <linux/bpf.h>
#include <asm/unistd.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";
const volatile int caller = 0;
unsigned long sum = 0;

SEC("raw_tp/sys_enter")
int burn_time(struct bpf_raw_tracepoint_args *ctx)
{
	if ((int)(bpf_get_current_pid_tgid() >> 32) != caller || ctx->args[1] != __NR_getsid)
		return 0;
	for (int i = 0; i < 20000; i++)
		sum = sum * 3 + i;
	return 0;
}

SEC("fentry/burn_time")
int burn_more(void *ctx)
{
	if ((int)(bpf_get_current_pid_tgid() >> 32) != caller)
		return 0;
	for (int i = 0; i < 20000; i++)
		sum = sum * 5 + i;
	return 0;
}
