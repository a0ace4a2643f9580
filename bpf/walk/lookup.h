/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From an address to its unwind rule: which mapping, which block of the object's table, which row. The
 * includer provides, each NULL where there is none:
 *
 *	static const struct unwind_range *walk_range(__u32 i);
 *	static struct unwind_object *walk_object(__u32 i);
 *	static const struct unwind_chunk *walk_chunk(__u32 i);
 *	static struct unwind_cached *walk_cached(__u32 i);	of UNWIND_CACHE
 *
 *	static int walk_ask(struct walk *w, __u64 pc);
 *
 * which makes w->range the mapping of pc, of which there is none in the list, and returns 1; 0: there is no
 * code there; a negative value: it can't tell.
 *
 * In the kernel it also defines walk_loop(steps, function, context), which calls function(step, context)
 * until it returns another value than 0, as bpf_loop: the verifier then looks at each search once.
 */
#ifndef PROFBPF_WALK_LOOKUP_H
#define PROFBPF_WALK_LOOKUP_H

#include "bpf/walk/rules.h"
#include "bpf/walk/walk.h"

#ifndef walk_loop
#define walk_loop(steps, function, context)                                                        \
	do {                                                                                       \
		for (__u32 step_ = 0; step_ < (steps) && !function(step_, context); step_++)       \
			;                                                                          \
	} while (0)
#endif

#define WALK_RANGE_STEPS 17 /* 2^17 ranges */
#define WALK_ROW_STEPS 9 /* 2^8 rows in a block */

/* No range; or one without a table. */
#define WALK_NO_RANGE 0xfffffffe
#define WALK_NO_TABLE 0xffffffff

static inline __attribute__((always_inline)) __u32 walk_word(__u32 i)
{
	const struct unwind_chunk *chunk = walk_chunk(i / 16);

	return chunk ? chunk->words[i % 16] : 0;
}

struct walk_search {
	__u64 key;
	__u32 low, high;
	__u32 rows; /* word at which they begin */
	__u32 found; /* its index plus one */
};

static long walk_try_range(__u32 step, struct walk_search *s)
{
	__u32 middle = (s->low + s->high) / 2;
	const struct unwind_range *r;

	if (s->low >= s->high)
		return 1;
	r = walk_range(middle);
	if (!r)
		return 1;
	if (s->key < r->start) {
		s->high = middle;
	} else if (s->key >= r->end) {
		s->low = middle + 1;
	} else {
		s->found = middle + 1;
		return 1;
	}
	return 0;
}

/* Makes w->range the one of the list that holds pc. False if there is none. */
static inline __attribute__((always_inline)) int walk_find_listed(struct walk *w, __u64 pc)
{
	struct walk_search s = { .key = pc, .low = w->first_range };
	const struct unwind_range *r;

	if (pc >= w->range.start && pc < w->range.end)
		return 1;
	s.high = s.low + w->n_ranges;
	walk_loop(WALK_RANGE_STEPS, walk_try_range, &s);
	if (!s.found)
		return 0;
	r = walk_range(s.found - 1);
	if (!r)
		return 0;
	w->range = *r;
	return 1;
}

/* The same, of all mappings. A negative value: it may be in one that is not known. */
static inline __attribute__((always_inline)) int walk_find_range(struct walk *w, __u64 pc)
{
	int asked;

	if (walk_find_listed(w, pc))
		return 1;
	asked = walk_ask(w, pc);
	return asked < 0 && w->n_ranges ? 0 : asked;
}

static long walk_try_row(__u32 step, struct walk_search *s)
{
	__u32 middle = (s->low + s->high) / 2;

	if (s->low >= s->high)
		return 1;
	if ((walk_word(s->rows + middle) & 0xff) <= s->key)
		s->low = middle + 1;
	else
		s->high = middle;
	return 0;
}

/* The row in force at an address of the object's own space. */
static inline __attribute__((always_inline)) __u32 walk_find_row(const struct unwind_object *o,
								 __u64 address)
{
	__u64 offset = address - o->base, block = offset / UNWIND_BLOCK;
	struct walk_search s = { .key = offset % UNWIND_BLOCK, .rows = o->rows };

	if (address < o->base || block >= o->n_blocks)
		return UNWIND_NONE;
	s.low = walk_word(o->directory + block);
	s.high = walk_word(o->directory + block + 1);
	/* To the first row that begins after the address: the one before it is in force, be it the
	 * last of an earlier block. */
	walk_loop(WALK_ROW_STEPS, walk_try_row, &s);
	return s.low ? walk_word(o->rows + s.low - 1) >> 8 : UNWIND_NONE;
}

/* User addresses have 47 bits; a list's number is used again only after 2^17 others. */
static inline __attribute__((always_inline)) __u64 walk_cache_key(const struct walk *w, __u64 pc)
{
	return (pc ^ ((__u64)w->ranges_id << 47)) * 0x9e3779b97f4a7c15ULL;
}

static inline __attribute__((always_inline)) __u32 walk_cache_slot(__u64 key)
{
	return (key >> 40) % UNWIND_CACHE;
}

/* The object's table, if it is known at all, is to be built before others. */
static inline __attribute__((always_inline)) void walk_is_early(struct walk *w,
								struct unwind_object *o)
{
	w->early = 1;
	if (o)
		o->wanted = 1;
}

/* The packed rule at pc, and the index of its object; WALK_NO_RANGE or WALK_NO_TABLE if there is none. */
static inline __attribute__((always_inline)) __u32 walk_find_rule(struct walk *w, __u64 pc,
								  __u32 *object)
{
	__u64 key = walk_cache_key(w, pc);
	struct unwind_cached *cached = walk_cached(walk_cache_slot(key));
	__u32 rule = WALK_NO_RANGE;
	struct unwind_object *o;
	int found;

	*object = UNWIND_NO_OBJECT;
	if (cached && cached->key == key) {
		*object = cached->object;
		return cached->rule;
	}
	found = walk_find_range(w, pc);
	if (found < 0) {
		rule = WALK_NO_TABLE;
	} else if (found) {
		*object = w->range.object;
		o = walk_object(*object);
		rule = WALK_NO_TABLE;
		if (o && o->n_blocks)
			rule = walk_find_row(o, pc + w->range.bias);
		else if (*object != UNWIND_NO_OBJECT && !(o && o->bare))
			walk_is_early(w, o);
	}
	/* Not where there is no table: it may be on its way. Nor what is in no list, for the key has none. */
	if (cached && rule < WALK_NO_RANGE && !w->range.asked) {
		cached->key = key;
		cached->rule = rule;
		cached->object = *object;
	}
	return rule;
}

#endif
