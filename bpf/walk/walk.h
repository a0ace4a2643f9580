/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What all walkers share: the state of a walk, and where its frames go. The includer provides the
 * reader:
 *
 *	static int walk_read(struct walk *w, void *to, __u32 size, __u64 address);
 *
 * which copies target memory and returns 0, or a negative value where it can't. The kernel programs
 * read the current process; tests compile the same code for the host over stored stacks.
 */
#ifndef PROFBPF_WALK_H
#define PROFBPF_WALK_H

#include "bpf/profbpf.h"

/* enum profile_end's codes. */
#define WALK_ROOT 0
#define WALK_NO_USER 1
#define WALK_UNREADABLE 2
#define WALK_BROKEN 3
#define WALK_TOO_DEEP 4
#define WALK_COMPAT 5
/* Not an end: the walk goes on. */
#define WALK_ON 255

struct walk {
	__u64 pc; /* of the next frame to store, already moved back into the call */
	__u64 sp, fp;
	__u64 hash;
	__u32 base; /* frames already stored, of the kernel */
	__u32 n; /* user frames stored or passed over */
	__u32 end;
	__u64 *frames; /* PROFBPF_KEEP_FRAMES of them */
};

/* One step of a 64-bit hash; every step can be undone, so equal prefixes don't collide. */
static inline __attribute__((always_inline)) __u64 walk_hash(__u64 h, __u64 x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
	return h ^ (h >> 32);
}

/* The place of user frame n: the innermost in order, the outermost in a ring after them. */
static inline __attribute__((always_inline)) __u32 walk_slot(__u32 n)
{
	if (n < PROFBPF_KEEP_INNER)
		return n;
	return PROFBPF_KEEP_INNER + ((n - PROFBPF_KEEP_INNER) & (PROFBPF_KEEP_OUTER - 1));
}

/* Frames kept of n walked. */
static inline __attribute__((always_inline)) __u32 walk_kept(__u32 n)
{
	return n < PROFBPF_KEEP_USER ? n : PROFBPF_KEEP_USER;
}

static inline __attribute__((always_inline)) void walk_store(struct walk *w)
{
	__u32 slot = w->base + walk_slot(w->n);

	if (slot < PROFBPF_KEEP_FRAMES)
		w->frames[slot] = w->pc;
	w->hash = walk_hash(w->hash, w->pc);
	w->n++;
}

#endif
