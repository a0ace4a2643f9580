// SPDX-License-Identifier: BSD-2-Clause
/*
 * The kernel programs' search of a maple tree, compiled for the host: over trees that are built here as
 * the kernel lays them out, and over damaged ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int maple_read(void *to, uint32_t size, uint64_t address);
#include "bpf/walk/maple.h"

#define MAX_NODES 4096
#define SLOTS 16
#define ARANGE_SLOTS 10
#define NODE_MARK 6 /* of a pointer to a node: internal, not empty */
/* Where the nodes lie in the kernel: all addresses there have the top bit. */
#define KERNEL 0xffff888000000000ull

static uint64_t nodes[MAX_NODES][32];
static unsigned int n_nodes, n_reads;

static int maple_read(void *to, uint32_t size, uint64_t address)
{
	uint64_t node = (address - KERNEL) / 256;

	n_reads++;
	assert_int_equal(size, 256);
	if (address < KERNEL || address % 256 || node >= n_nodes)
		return -14;
	memcpy(to, nodes[node], size);
	return 0;
}

static uint64_t find(uint64_t root, uint64_t index)
{
	struct maple_search s = { .index = index, .at = root };

	n_reads = 0;
	if (!maple_is_node(root))
		return 0;
	for (uint32_t i = 0; i < MAPLE_LEVELS && !maple_descend(i, &s); i++)
		;
	assert_true(n_reads <= MAPLE_LEVELS);
	return s.at;
}

/* What a tree holds up to an index, from where the entry before it ends. */
struct entry {
	uint64_t last, value;
};

static uint64_t add_node(unsigned int type, const struct entry *e, unsigned int n)
{
	unsigned int pivots = type == 3 ? ARANGE_SLOTS - 1 : SLOTS - 1, i;
	uint64_t *node = nodes[n_nodes];

	assert_true(n_nodes < MAX_NODES && n && n <= pivots + 1);
	memset(node, 0, sizeof(nodes[0]));
	node[0] = KERNEL + 0x1000000; /* its parent */
	for (i = 0; i < n; i++) {
		if (i < pivots)
			node[1 + i] = e[i].last;
		node[1 + pivots + i] = e[i].value;
	}
	return (KERNEL + 256ull * n_nodes++) | type << 3 | NODE_MARK;
}

/* Nodes of between least and most entries over a level; returns the root. e is used up. */
static uint64_t build(struct entry *e, size_t n, unsigned int inner)
{
	unsigned int type = 1, most = SLOTS;

	do {
		size_t from = 0, to = 0;

		while (from < n) {
			unsigned int take = most / 2 + rand() % (most / 2 + 1);
			uint64_t last;

			if (take > n - from)
				take = n - from;
			last = e[from + take - 1].last;
			e[to++] = (struct entry){ last, add_node(type, e + from, take) };
			from += take;
		}
		n = to;
		type = inner;
		most = inner == 3 ? ARANGE_SLOTS : SLOTS;
	} while (n > 1);
	return e[0].value;
}

#define MAPPINGS 5000

static void check_tree(unsigned int inner, size_t count)
{
	static struct entry wanted[2 * MAPPINGS + 1], built[2 * MAPPINGS + 1];
	uint64_t at = 0x10000, root;
	size_t n = 0, i;

	srand(count);
	n_nodes = 0;
	for (i = 0; i < count; i++) {
		/* Some mappings touch. */
		if (rand() % 3 || !i) {
			at += 0x1000ull * (1 + rand() % 1000);
			wanted[n++] = (struct entry){ at - 1, 0 };
		}
		at += 0x1000ull * (1 + rand() % 1000);
		wanted[n++] = (struct entry){ at - 1, KERNEL + 0x2000000 + 192 * i };
	}
	wanted[n++] = (struct entry){ UINT64_MAX, 0 };
	memcpy(built, wanted, sizeof(wanted));
	root = build(built, n, inner);
	for (i = 0; i < n; i++) {
		uint64_t first = i ? wanted[i - 1].last + 1 : 0;
		uint64_t last = i + 1 < n ? wanted[i].last : INT64_MAX;

		assert_int_equal(find(root, first), wanted[i].value);
		assert_int_equal(find(root, last), wanted[i].value);
		assert_int_equal(find(root, first + (last - first) / 2), wanted[i].value);
	}
}

static void test_trees(void **state)
{
	static const size_t counts[] = { 1, 3, 7, 8, 16, 40, 150, MAPPINGS };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		check_tree(3, counts[i]);
		check_tree(2, counts[i]);
	}
}

static void test_no_tree(void **state)
{
	n_nodes = 0;
	assert_int_equal(find(0, 0x1000), 0);
	/* An entry alone at index 0, and numbers that the tree keeps for itself. */
	assert_int_equal(find(KERNEL, 0x1000), 0);
	assert_int_equal(find(0x406, 0x1000), 0);
	assert_int_equal(n_reads, 0);
}

static void test_damage(void **state)
{
	struct entry loop = { UINT64_MAX, KERNEL | 3 << 3 | NODE_MARK };
	unsigned int i;

	/* A node that leads to itself: the search ends, with what the caller can tell from a mapping. */
	n_nodes = 0;
	assert_int_equal(find(add_node(3, &loop, 1), 0x1000), loop.value);
	assert_int_equal(n_reads, MAPLE_LEVELS);
	/* Memory that is not there. */
	assert_int_equal(find((KERNEL + 0x300) | 1 << 3 | NODE_MARK, 0x1000), 0);
	/* Types that there are not. */
	for (i = 0; i < 16; i++) {
		if (i < 1 || i > 3)
			assert_int_equal(find(KERNEL | i << 3 | NODE_MARK, 0x1000), 0);
	}
	/* Nodes of random words. */
	for (i = 0; i < 1000; i++) {
		n_nodes = 64;
		for (size_t j = 0; j < 64ul * 32; j++)
			nodes[j / 32][j % 32] =
				rand() % 4 ? (KERNEL + 256 * (rand() % 70)) | (rand() & 255)
					   : (uint64_t)rand() << 17;
		find((KERNEL + 256 * (rand() % 64)) | 3 << 3 | NODE_MARK, (uint64_t)rand() << 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_no_tree),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
