/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The walker by tables, compiled for the host, over made stacks, made tables and made probes: what it reads,
 * and walks over that.
 */
#ifndef NATIVE_WALK_H
#define NATIVE_WALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bpf/walk/rules.h"
#include "bpf/walk/walk.h"

#define STACK 0x7ffc00000000ull
#define WORDS 20000
#define CODE 0x400000ull /* one block of code, whose table begins there */
#define BARE 0x500000ull /* code without a table */
#define CALL (CODE + 0x11) /* a return address in the first function */
#define LAST_CALL (CODE + 0x81) /* and one in the outermost */
#define PAGE 0x7fffffffe000ull /* of the kernel's probes */
#define CALLED 0x600000ull /* what a probe's nop calls */
#define MAX_RETURNS 8

static struct {
	uint64_t words[WORDS];
	uint64_t registers[16];
	uint64_t frames[PROFBPF_KEEP_FRAMES];
	struct unwind_cached cache[UNWIND_CACHE];
	struct unwind_chunk chunk;
	struct walk_probes probes;
	struct walk_return returns[MAX_RETURNS]; /* the innermost first; address 0: none */
	unsigned char page[64], called[64], code[64]; /* at PAGE, CALLED, CODE */
	int called_is_absent; /* its page can't be read */
} t;

static const struct unwind_range ranges[] = {
	{ .start = CODE, .end = CODE + UNWIND_BLOCK, .bias = -CODE, .object = 0 },
	{ .start = BARE, .end = BARE + 0x1000, .object = UNWIND_NO_OBJECT },
};
/* Directory: words 0 and 1. */
static struct unwind_object only_object = {
	.n_blocks = 1, .rows = 2, .complex = 8, .n_complex = 1
};

static int copy_word(const void *from, size_t size, uint64_t at, __u64 *value)
{
	if (at > size - sizeof(*value))
		return -14;
	memcpy(value, (const char *)from + at, sizeof(*value));
	return 0;
}

static int walk_read_code(struct walk *w, __u64 *value, __u64 address)
{
	if (!copy_word(t.page, sizeof(t.page), address - PAGE, value) ||
	    (!t.called_is_absent &&
	     !copy_word(t.called, sizeof(t.called), address - CALLED, value)) ||
	    !copy_word(t.code, sizeof(t.code), address - CODE, value))
		return 0;
	return copy_word(t.words, sizeof(t.words), address - STACK, value);
}

static int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	return walk_read_code(w, value, address);
}

static void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	assert_true(slot < PROFBPF_KEEP_FRAMES);
	t.frames[slot] = frame;
}

static const struct unwind_range *walk_range(__u32 i)
{
	return i < 2 ? &ranges[i] : NULL;
}

static struct unwind_object *walk_object(__u32 i)
{
	return i ? NULL : &only_object;
}

static const struct unwind_chunk *walk_chunk(__u32 i)
{
	return i ? NULL : &t.chunk;
}

static struct unwind_cached *walk_cached(__u32 i)
{
	return &t.cache[i];
}

static int walk_ask(struct walk *w, __u64 pc)
{
	return -1;
}

static __u64 walk_tick_register(struct walk *w, __u32 n)
{
	return t.registers[n & 15];
}

static int walk_probes(struct walk *w, struct walk_probes *p)
{
	*p = t.probes;
	return p->trampoline || p->calls;
}

static int walk_find_return(struct walk *w, __u64 low, __u64 high, struct walk_return *r)
{
	for (uint32_t i = 0; i < MAX_RETURNS && t.returns[i].address; i++) {
		if (t.returns[i].at < low || t.returns[i].at > high)
			continue;
		*r = t.returns[i];
		return 0;
	}
	return -1;
}

__u32 walk_caller(struct walk *w);
__u32 walk_probed(struct walk *w);
int walk_is_trampoline(struct walk *w, __u64 address);
#include "bpf/walk/native.h"

#define ROW(offset, rule) ((uint32_t)(rule) << 8 | (offset))
#define RULE(kind, cfa_bytes, rbp_slot) ((kind) | (cfa_bytes) / 8 << 3 | (rbp_slot) << 16)

/* A function at 0 with the rule, one at 0x80 that is the outermost. */
static void set_rule(uint32_t rule)
{
	memset(&t, 0, sizeof(t));
	t.chunk.words[1] = 2;
	t.chunk.words[2] = ROW(0, rule);
	t.chunk.words[3] = ROW(0x80, UNWIND_END);
}

static void walk_from(struct walk *w, uint64_t pc, uint64_t fp)
{
	*w = (struct walk){ .pc = pc,
			    .sp = STACK,
			    .fp = fp,
			    .registers = WALK_REGS_TICK,
			    .n_ranges = 2,
			    .ranges_id = 1,
			    .end = WALK_ON };
	while (w->end == WALK_ON)
		w->end = walk_steps(w);
}

/* Frames of 16 bytes, n of them, up to the outermost. */
static void push_frames(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		t.words[2 * i + 1] = i + 1 < n ? CALL : CODE + 0x81;
}

#endif
