/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program whose unwind table has 2.8 million rows, as that of a browser: 400,000 functions of 7 rows each,
 * which nobody calls. It works until it is ended, without frame pointers.
 */
#include <stdint.h>

__asm__(".text\n"
	".rept 400000\n"
	"	.cfi_startproc\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	push %rbx\n"
	"	.cfi_def_cfa_offset 24\n"
	"	.cfi_offset %rbx, -24\n"
	"	sub $24, %rsp\n"
	"	.cfi_def_cfa_offset 48\n"
	"	nop; nop; nop; nop; nop; nop; nop; nop\n"
	"	add $24, %rsp\n"
	"	.cfi_def_cfa_offset 24\n"
	"	pop %rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".endr\n");

static __attribute__((noinline)) uint64_t work(uint64_t x)
{
	for (unsigned int i = 0; i < 20000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

int main(void)
{
	volatile uint64_t x = 1;

	for (;;)
		x = work(x) + 1;
}
