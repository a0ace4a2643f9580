/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stacks of named frames, as the writers show them: every inlined call a frame of its own, names
 * fit for display, equal stacks added up.
 */
#ifndef PROFBPF_FRAMES_H
#define PROFBPF_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/profile.h"

/* What makes two frames equal. */
enum frame_key {
	/* The text of a folded frame: the name with ":" for ";" and the suffix _[k], _[i] or _[j]. */
	FRAME_BY_TEXT,
	/* Name, file and line of the declaration, object. */
	FRAME_BY_FUNCTION,
	/* The same, where code without a name is one frame an object, "[libfoo.so]". */
	FRAME_BY_SYMBOL,
	/* Name, file and line executing, object. */
	FRAME_BY_LINE,
	/* The same, where code without a name is one frame an object, "[libfoo.so]". */
	FRAME_BY_PLACE,
	/* The object alone; the name is its path. */
	FRAME_BY_OBJECT,
};

enum frame_flags {
	FRAME_KERNEL = 1 << 0,
	FRAME_JIT = 1 << 1,
	FRAME_CONTEXT = 1 << 2, /* stands for a process or thread */
};

/* All strings are clean text (see text.h), "" where unknown or not part of the key. */
struct frame {
	const char *name, *file, *object;
	uint32_t line;
	uint32_t flags;
	bool guess; /* some stack has it by a step that may be wrong; not part of the key */
};

/* Frames put at the root of each stack. */
enum frame_context {
	CONTEXT_NONE,
	CONTEXT_PROCESS, /* the process's name */
	CONTEXT_THREAD, /* the same, then "NAME [TID]" */
};

struct frame_stack {
	uint32_t n;
	const uint32_t *frames; /* root first */
	const uint64_t *values; /* profile_n_types of them */
};

struct frames;

/*
 * Names and adds up all samples of a profile, which must outlive the result. Of each stack the
 * innermost depth frames are kept, 0 for all. The caller frees it. Returns 0 or -ENOMEM.
 */
int frames_new(const struct profile *p, enum frame_key key, enum frame_context context,
	       uint32_t depth, struct frames **frames);
/* Accepts NULL. */
void frames_free(struct frames *f);

uint32_t frames_count(const struct frames *f);
const struct frame *frames_get(const struct frames *f, uint32_t id);

/* Distinct stacks, ordered by their frames from the root on, by content and not by id. */
uint32_t frames_n_stacks(const struct frames *f);
struct frame_stack frames_stack(const struct frames *f, uint32_t i);

/* Order of two frames by content: negative, 0 or positive. */
int frames_compare(const struct frame *a, const struct frame *b);

#endif
