/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread that stands still, and the stack that somebody found for it. */
#ifndef PROFBPF_ORACLE_STOP_H
#define PROFBPF_ORACLE_STOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>

struct stop {
	pid_t pid; /* of the process whose mappings it has: the parent's for a child of vfork */
	pid_t tid;
	struct user_regs_struct regs;
};

#define CHAIN_MAX 384

/*
 * Frames as addresses to be looked up: that of an interrupted instruction as it is, that of a call
 * moved back into it.
 */
struct chain {
	uint32_t n; /* frames, those beyond CHAIN_MAX included */
	uint32_t kept; /* in pc */
	uint32_t guesses; /* frames marked as such (ours) */
	uint32_t end; /* why it ended (ours: WALK_*) */
	uint64_t pc[CHAIN_MAX];
};

/* Bytes of a stopped thread's memory. False if they are not all there. */
static inline bool stop_read(pid_t tid, uint64_t address, void *to, size_t size)
{
	struct iovec here = { .iov_base = to, .iov_len = size };
	struct iovec there = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };

	return process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

#endif
