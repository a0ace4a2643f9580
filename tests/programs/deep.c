/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recursion 10 to 60 deep, or as deep as the operand says, through four functions with frames of different sizes, called by pointer,
 * with the work in the leaf: a loop, or a C library function with a callback. Truth: seconds in each
 * leaf.
 */
#include "common.h"

enum {
	LEAF_MIX,
	LEAF_SORT,
	LEAF_FORMAT,
	LEAF_COPY,
	LEAVES,
};

typedef uint64_t (*step_fn)(unsigned int depth, uint64_t x);

static const char *const leaf_names[LEAVES] = { "leaf_mix", "leaf_sort", "leaf_format",
						"leaf_copy" };
static double leaf_seconds[LEAVES];
static unsigned char buffers[2][1 << 15];
static step_fn steps[4];

HOT_FUNCTION(leaf_mix_loop, 3)

static NOINLINE uint64_t leaf_mix(uint64_t x)
{
	return leaf_mix_loop(x, 14000) + 1;
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static NOINLINE uint64_t leaf_sort(uint64_t x)
{
	uint32_t v[128];

	for (unsigned int i = 0; i < 128; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		v[i] = (uint32_t)(x >> 33);
	}
	qsort(v, 128, sizeof(v[0]), compare_u32);
	return x + v[64];
}

static NOINLINE uint64_t leaf_format(uint64_t x)
{
	char s[96];
	uint64_t n = 0;

	for (unsigned int i = 0; i < 12; i++) {
		n += (uint64_t)snprintf(s, sizeof(s), "%llu-%x-%.3f-%s",
					(unsigned long long)(x + i), i, (double)i / 3, "tail");
		n += (unsigned char)s[i];
	}
	return x + n;
}

static NOINLINE uint64_t leaf_copy(uint64_t x)
{
	buffers[0][x & (sizeof(buffers[0]) - 1)]++;
	for (unsigned int i = 0; i < 3; i++) {
		memcpy(buffers[1], buffers[0], sizeof(buffers[1]) - (x & 63));
		memcpy(buffers[0], buffers[1], sizeof(buffers[0]) - (x & 31));
	}
	return x + buffers[0][5];
}

static uint64_t (*const leaves[LEAVES])(uint64_t) = { leaf_mix, leaf_sort, leaf_format, leaf_copy };

static NOINLINE uint64_t run_leaf(uint64_t x)
{
	/* of 10 calls: 4 mix, 3 sort, 2 format, 1 copy */
	static const unsigned char pick[10] = { 0, 1, 0, 2, 0, 1, 3, 0, 2, 1 };
	unsigned int k = pick[x % 10];
	double start = clock_seconds(CLOCK_MONOTONIC);
	uint64_t r = leaves[k](x);

	leaf_seconds[k] += clock_seconds(CLOCK_MONOTONIC) - start;
	return r + 1; /* no tail call */
}

/* Work after the call keeps each frame on the stack. */
#define STEP(name, bytes)                                                                          \
	static NOINLINE uint64_t name(unsigned int depth, uint64_t x)                              \
	{                                                                                          \
		volatile unsigned char pad[bytes];                                                 \
		uint64_t r;                                                                        \
                                                                                                   \
		pad[depth % (bytes)] = (unsigned char)x;                                           \
		if (depth == 0)                                                                    \
			r = run_leaf(x);                                                           \
		else                                                                               \
			r = steps[(x >> (depth & 31)) & 3](depth - 1, x);                          \
		return r + pad[depth % (bytes)];                                                   \
	}

STEP(step_tiny, 16)
STEP(step_small, 72)
STEP(step_middle, 200)
STEP(step_big, 520)

static step_fn steps[4] = { step_tiny, step_small, step_middle, step_big };

static NOINLINE uint64_t descend(unsigned int depth, uint64_t x)
{
	return steps[x & 3](depth, x) ^ 1;
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;
	unsigned int fixed = 0;
	double start, cpu;
	int operand = parse_args(argc, argv, &args);

	if (operand < argc)
		fixed = (unsigned int)atoi(argv[operand]);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	while (work_left(&args, done, start)) {
		unsigned int depth = fixed ? fixed : 10 + (unsigned int)(done * 7 % 51);

		x = x * 2862933555777941757u + 3037000493u + descend(depth, x);
		done++;
	}
	cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("{\"target\":\"deep\",\"rounds\":%llu,\"cpu_s\":%.6f,\"check\":%llu,\"seconds\":{",
	       (unsigned long long)done, cpu, (unsigned long long)x);
	for (int i = 0; i < LEAVES; i++)
		printf("%s\"%s\":%.4f", i ? "," : "", leaf_names[i], leaf_seconds[i]);
	printf("}}\n");
	gate_end();
	return 0;
}
