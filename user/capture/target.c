// SPDX-License-Identifier: BSD-2-Clause
#include "user/capture/procfs.h"
#include "user/capture/target.h"

#define KTHREAD 0x00200000 /* PF_KTHREAD, include/linux/sched.h */

enum target_state target_check(pid_t pid, pid_t *process)
{
	struct proc_stat stat;
	uint64_t tgid;

	/* /proc/TID exists for threads too, though it isn't listed. */
	if (proc_stat_read(pid, &stat) || proc_status_number(pid, "Tgid", &tgid))
		return TARGET_MISSING;
	if ((pid_t)tgid != pid) {
		*process = tgid;
		return TARGET_THREAD;
	}
	if (stat.state == 'Z' || stat.state == 'X')
		return TARGET_ZOMBIE;
	return stat.flags & KTHREAD ? TARGET_KERNEL : TARGET_GOOD;
}
