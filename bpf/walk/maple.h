/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds what a maple tree holds at an index: the kernel keeps the mappings of an address space in one
 * (include/linux/maple_tree.h; the layout of nodes is that of 64-bit machines, the same since Linux 6.1).
 * The tree is read without its lock, so what is found may be stale and must be checked by the caller. The
 * includer provides
 *
 *	static int maple_read(void *to, __u32 size, __u64 address);
 *
 * which reads the kernel's memory and returns 0, or another value where it can't.
 */
#ifndef PROFBPF_WALK_MAPLE_H
#define PROFBPF_WALK_MAPLE_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

/* A node is 256 bytes, aligned to as many: a pointer to it has the node's type in bits 3 to 6. Its first
 * word is its parent, then come pivots, then slots. Slot i is for all up to pivot i, and the last for the
 * rest. */
#define MAPLE_WORDS 32
#define MAPLE_LEAF 1
#define MAPLE_RANGE 2
#define MAPLE_ARANGE 3
#define MAPLE_PIVOTS 15
#define MAPLE_ARANGE_PIVOTS 9
/* A tree of 2^17 mappings has no more levels, be it as sparse as it may. */
#define MAPLE_LEVELS 12

struct maple_search {
	__u64 index; /* below 2^63 */
	__u64 at; /* the next node, with its type; what the tree holds at index; or 0 */
	__u64 node[MAPLE_WORDS];
};

/* Pointers to nodes are marked as internal to the tree. */
static inline __attribute__((always_inline)) int maple_is_node(__u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

/* One level down. Returns another value than 0 when the search is over. */
static long maple_descend(__u32 level, struct maple_search *s)
{
	__u32 type = (s->at >> 3) & 15, slot = 0, pivots = MAPLE_PIVOTS, i;
	__u64 below = 1;

	if (type < MAPLE_LEAF || type > MAPLE_ARANGE ||
	    maple_read(s->node, sizeof(s->node), s->at & ~255ULL)) {
		s->at = 0;
		return 1;
	}
	if (type == MAPLE_ARANGE)
		pivots = MAPLE_ARANGE_PIVOTS;
	/* How many pivots in front are below the index: without branches, each of which the kernel's
	 * verifier would follow. */
	for (i = 1; i <= MAPLE_PIVOTS; i++) {
		below &= (~s->node[i] & (s->node[i] - s->index)) >> 63;
		slot += below;
	}
	if (slot > pivots)
		slot = pivots;
	s->at = s->node[(1 + pivots + slot) % MAPLE_WORDS];
	return type == MAPLE_LEAF;
}

#endif
