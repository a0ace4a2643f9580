/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The frame pointer walker. x86-64 and arm64 agree on the frame record: the caller's frame pointer
 * at [fp], the return address above it (System V ABI, figure 3.3; AAPCS64, section 6.4.6).
 */
#ifndef PROFBPF_WALK_FRAME_POINTER_H
#define PROFBPF_WALK_FRAME_POINTER_H

#include "bpf/walk/walk.h"

/* arm64 signs return addresses in bits above the 48 of user addresses; x86-64 has none there. */
#define WALK_ADDRESS_MASK 0x0000ffffffffffffULL

/*
 * Moves w from its frame to the caller. Returns WALK_ON, or why there is none. The ABI marks the
 * outermost frame with a frame pointer of zero; the start code of threads leaves a return address
 * of zero.
 */
static inline __attribute__((always_inline)) __u32 walk_frame_pointer(struct walk *w)
{
	__u64 record[2];
	__u64 fp = w->fp;

	if (!fp)
		return WALK_ROOT;
	if ((fp & 7) || fp < w->sp)
		return WALK_BROKEN;
	if (walk_read8(w, &record[0], fp) || walk_read8(w, &record[1], fp + 8))
		return WALK_UNREADABLE;
	record[1] &= WALK_ADDRESS_MASK;
	if (!record[1])
		return WALK_ROOT;
	w->pc = record[1] - 1;
	w->sp = fp + sizeof(record);
	w->fp = record[0];
	return WALK_ON;
}

#ifndef PROFBPF_WALK_NATIVE_H
/* Where there is no other walker. */
static inline __attribute__((always_inline)) __u32 walk_step(struct walk *w)
{
	walk_store(w, w->pc);
	return walk_frame_pointer(w);
}

static inline __attribute__((always_inline)) __u32 walk_steps(struct walk *w)
{
	return w->n < PROFBPF_MAX_WALK ? walk_step(w) : WALK_TOO_DEEP;
}
#endif

#endif
