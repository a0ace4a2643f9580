/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a pid is a process that can be profiled. */
#ifndef PROFBPF_TARGET_H
#define PROFBPF_TARGET_H

#include <sys/types.h>

enum target_state {
	TARGET_GOOD,
	TARGET_MISSING, /* no such process */
	TARGET_THREAD, /* a thread of process *process */
	TARGET_ZOMBIE, /* has ended, its parent has not taken note */
	TARGET_KERNEL, /* a kernel thread: no user stack, no file */
};

/* process is set for a thread only. */
enum target_state target_check(pid_t pid, pid_t *process);

#endif
