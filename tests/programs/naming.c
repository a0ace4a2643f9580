/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Equal work in functions whose symbols are special: an exported one, one without a symbol once the
 * program is stripped, one of assembly without a size, and one whose name looks mangled but is not.
 */
#include "common.h"

#ifdef __aarch64__
#define LOOP                                                                                       \
	"stp x29, x30, [sp, #-16]!\n mov x29, sp\n"                                                \
	"1: eor x0, x0, x0, lsl #13\n eor x0, x0, x0, lsr #7\n add x0, x0, #3\n"                   \
	"subs w1, w1, #1\n b.ne 1b\n ldp x29, x30, [sp], #16\n ret\n"
#else
#define LOOP                                                                                       \
	"push %rbp\n mov %rsp, %rbp\n mov %rdi, %rax\n"                                            \
	"1: mov %rax, %rcx\n shl $13, %rcx\n xor %rcx, %rax\n mov %rax, %rcx\n shr $7, %rcx\n"     \
	"xor %rcx, %rax\n add $3, %rax\n dec %esi\n jnz 1b\n pop %rbp\n ret\n"
#endif

/* In a section of its own, whose end is the end of the symbol. */
__asm__(".pushsection unsized_code, \"ax\"\n"
	".globl asm_unsized\n .type asm_unsized, %function\n"
	"asm_unsized:\n" LOOP ".popsection\n");

uint64_t asm_unsized(uint64_t x, unsigned int steps);

HOT_FUNCTION(exported_work, 3)

static NOINLINE uint64_t hidden_work(uint64_t x, unsigned int steps)
{
	for (unsigned int i = 0; i < steps; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

NOINLINE uint64_t no_mangling(uint64_t x, unsigned int steps) __asm__("_ZN9no_mangling");
NOINLINE uint64_t no_mangling(uint64_t x, unsigned int steps)
{
	for (unsigned int i = 0; i < steps; i++) {
		x ^= x << 13;
		x ^= x >> 9;
		x ^= x << 17;
	}
	return x;
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, done = 0;
	double start;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++) {
		x = exported_work(x, 20000);
		x = hidden_work(x, 20000);
		x = asm_unsized(x, 20000);
		x = no_mangling(x, 20000);
	}
	printf("{\"target\":\"naming\",\"rounds\":%llu,\"check\":%llu}\n", (unsigned long long)done,
	       (unsigned long long)x);
	gate_end();
	return 0;
}
