/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The walker over hostile memory: the input is pc, sp, fp, the number of kernel frames, and the stack
 * memory, which begins at a fixed address.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/walk/walk.h"

#define MEMORY 0x7ffc00000000ull

static const uint8_t *memory;
static size_t memory_size;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	__u64 at = address - MEMORY;

	if (address < MEMORY || at > memory_size || sizeof(*value) > memory_size - at)
		return -14;
	memcpy(value, memory + at, sizeof(*value));
	return 0;
}

static __u64 *kept_frames;

static void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	if (slot < PROFBPF_KEEP_FRAMES)
		kept_frames[slot] = frame;
}

#include "bpf/walk/frame_pointer.h"

static void require(int condition)
{
	if (!condition)
		abort();
}

/* Each step goes towards the root, so that a walk ends. */
static void walk(struct walk *w)
{
	__u32 i;

	w->end = WALK_ON;
	for (i = 0; i < PROFBPF_MAX_WALK && w->end == WALK_ON; i++) {
		__u64 sp = w->sp;

		w->end = walk_step(w);
		require(w->end == WALK_ON ? w->sp > sp : w->sp == sp);
	}
	require(w->n == i && w->n >= 1 && w->n <= PROFBPF_MAX_WALK);
	require(w->end == WALK_ON || w->end == WALK_ROOT || w->end == WALK_UNREADABLE ||
		w->end == WALK_BROKEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	__u64 *frames, input[4], *guard;
	struct walk w = { 0 };
	__u32 kept;

	if (size < sizeof(input))
		return 0;
	memcpy(input, data, sizeof(input));
	memory = data + sizeof(input);
	memory_size = size - sizeof(input);
	frames = calloc(PROFBPF_KEEP_FRAMES, sizeof(*frames));
	if (!frames)
		return 0;
	w.pc = input[0];
	w.sp = input[1];
	w.fp = input[2];
	w.base = input[3] % (PROFBPF_KEEP_KERNEL + 1);
	kept_frames = frames;
	walk(&w);
	kept = walk_kept(w.n);
	require(kept <= PROFBPF_KEEP_USER && frames[w.base] == input[0]);
	for (guard = frames + w.base + kept; guard < frames + PROFBPF_KEEP_FRAMES; guard++)
		require(!*guard);
	free(frames);
	return 0;
}
