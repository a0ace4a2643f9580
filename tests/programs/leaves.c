/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hot functions without call frame information in a program that otherwise has it, as assembly and
 * some compilers leave them: leaves that do not touch the stack, a leaf that uses rbp for numbers,
 * and a function that keeps a frame pointer and calls. x86-64.
 */
#include "common.h"

uint64_t bare_leaf(uint64_t x, unsigned int steps);
uint64_t bare_counter(uint64_t x, unsigned int steps);
uint64_t framed_caller(uint64_t x, unsigned int steps);

/* clang-format off */
__asm__(
	"	.text\n"
	"	.globl bare_leaf\n"
	"	.type bare_leaf, @function\n"
	"bare_leaf:\n"
	"	mov %rdi, %rax\n"
	"1:	imul $0x5851f42d, %rax, %rax\n"
	"	add $0x1234567, %rax\n"
	"	ror $7, %rax\n"
	"	dec %esi\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.size bare_leaf, . - bare_leaf\n"
	"	.globl bare_counter\n"
	"	.type bare_counter, @function\n"
	"bare_counter:\n"
	"	mov %rbp, %r8\n"
	"	mov %esi, %ebp\n"
	"	mov %rdi, %rax\n"
	"1:	add %rbp, %rax\n"
	"	rol $5, %rax\n"
	"	dec %ebp\n"
	"	jnz 1b\n"
	"	mov %r8, %rbp\n"
	"	ret\n"
	"	.size bare_counter, . - bare_counter\n"
	"	.globl framed_caller\n"
	"	.type framed_caller, @function\n"
	"framed_caller:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	sub $32, %rsp\n"
	"	mov %rdi, (%rsp)\n"
	"	mov %esi, 16(%rsp)\n"
	"	call bare_leaf\n"
	"	mov %rax, %rdi\n"
	"	mov 16(%rsp), %esi\n"
	"	call bare_counter\n"
	"	leave\n"
	"	ret\n"
	"	.size framed_caller, . - framed_caller\n");
/* clang-format on */

static NOINLINE uint64_t call_leaf(uint64_t x)
{
	return bare_leaf(x, 4000) + 1;
}

static NOINLINE uint64_t call_counter(uint64_t x)
{
	return bare_counter(x, 4000) + 1;
}

static NOINLINE uint64_t call_framed(uint64_t x)
{
	return framed_caller(x, 2000) + 1;
}

static NOINLINE uint64_t middle(uint64_t x)
{
	return call_framed(call_counter(call_leaf(x))) ^ 1;
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 1, done = 0;
	double start;

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		x = middle(x);
	printf("{\"target\":\"leaves\",\"rounds\":%llu,\"check\":%llu}\n", (unsigned long long)done,
	       (unsigned long long)x);
	gate_end();
	return 0;
}
