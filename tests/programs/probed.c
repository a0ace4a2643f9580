/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets the kernel's probes on functions of its own and works in and below them. The operand says how:
 *
 *   none       no probe
 *   one        a return probe on the function in the middle of the stack
 *   nested     on two functions of the stack, one of them twice
 *   recursive  on a function that calls itself 40 times
 *   deep       likewise 100 times: the kernel follows no more than 64
 *   tail       on a function that ends in a jump to another one, and on that
 *   sleep      as nested, but it sleeps there until its standard input ends
 *   return     on a function that does next to nothing, so that most of the time goes into its probe
 *   step push nop call
 *              a probe at the first instruction of such a function, which is one that is executed in a
 *              copy of its own, one that the kernel imitates, one that it may replace by a call, and a call
 *   stolen     a return probe on a function that makes another frame with the return address that it finds
 *
 * Truth: how often its probes were hit, and the rounds. x86-64.
 */
#include "common.h"
#include <link.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

typedef uint64_t (*work_fn)(uint64_t x);

HOT_FUNCTION(innermost_loop, 5)

static int asleep;

static NOINLINE uint64_t innermost(uint64_t x)
{
	char c;

	if (!asleep)
		return innermost_loop(x, 20000) + 1;
	puts("asleep");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		x++;
	exit(0);
}

/* Work after the call keeps each frame on the stack. */
NOINLINE uint64_t probed_inner(uint64_t x)
{
	return innermost(x) + 3;
}

NOINLINE uint64_t between(uint64_t x)
{
	volatile unsigned char pad[200];
	uint64_t r;

	pad[x % sizeof(pad)] = (unsigned char)x;
	r = probed_inner(x);
	return r + pad[x % sizeof(pad)];
}

NOINLINE uint64_t probed_outer(uint64_t x)
{
	return between(x) ^ 1;
}

NOINLINE uint64_t call_outer(uint64_t x)
{
	return probed_outer(x) + 5;
}

NOINLINE uint64_t probed_recursion(unsigned int depth, uint64_t x)
{
	return (depth ? probed_recursion(depth - 1, x) : innermost(x)) * 3;
}

NOINLINE uint64_t recurse_40(uint64_t x)
{
	return probed_recursion(40, x) + 1;
}

NOINLINE uint64_t recurse_100(uint64_t x)
{
	return probed_recursion(100, x) + 1;
}

NOINLINE uint64_t tail_second(uint64_t x)
{
	return innermost(x) + 9;
}

uint64_t tail_first(uint64_t x);
uint64_t step_first(uint64_t x);
uint64_t push_first(uint64_t x);
uint64_t nop_first(uint64_t x);
uint64_t call_first(uint64_t x);
uint64_t steal_return(uint64_t x);

/* clang-format off */
#define FUNCTION(name, code)                                                                       \
	"	.globl " #name "\n	.type " #name ", @function\n" #name ":\n"                   \
	"	.cfi_startproc\n" code "	.cfi_endproc\n	.size " #name ", . - " #name "\n"

__asm__("	.text\n"
	FUNCTION(tail_first,
		"	jmp tail_second\n")
	FUNCTION(step_first,
		"	sub $24, %rsp\n	.cfi_adjust_cfa_offset 24\n"
		"	lea 1(%rdi), %rax\n"
		"	add $24, %rsp\n	.cfi_adjust_cfa_offset -24\n"
		"	ret\n")
	FUNCTION(push_first,
		"	push %rbp\n	.cfi_adjust_cfa_offset 8\n	.cfi_rel_offset %rbp, 0\n"
		"	lea 1(%rdi), %rbp\n"
		"	mov %rbp, %rax\n"
		"	pop %rbp\n	.cfi_adjust_cfa_offset -8\n	.cfi_restore %rbp\n"
		"	ret\n")
	FUNCTION(nop_first,
		"	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
		"	lea 1(%rdi), %rax\n"
		"	ret\n")
	FUNCTION(called_first,
		"	lea 1(%rdi), %rax\n"
		"	ret\n")
	FUNCTION(call_first,
		"	call *called_first_at(%rip)\n"
		"	ret\n")
	/* Its own call's return address as that of a second frame, in which it stays. */
	FUNCTION(steal_return,
		"	mov (%rsp), %rax\n"
		"	sub $64, %rsp\n	.cfi_adjust_cfa_offset 64\n"
		"	push %rax\n	.cfi_def_cfa_offset 8\n"
		"1:	dec %rdi\n"
		"	jnz 1b\n"
		"	.cfi_def_cfa_offset 80\n"
		"	add $72, %rsp\n	.cfi_def_cfa_offset 8\n"
		"	lea 1(%rax), %rax\n"
		"	ret\n")
	"	.data\n"
	"called_first_at:	.quad called_first\n"
	"	.text\n");
/* clang-format on */

static uint64_t repeat(work_fn f, uint64_t x)
{
	for (int i = 0; i < 1000; i++)
		x = f(x);
	return x;
}

NOINLINE uint64_t tiny(uint64_t x)
{
	return x * 3 + 1;
}

#define CALLER(name, expression)                                                                   \
	NOINLINE uint64_t name(uint64_t x);                                                        \
	NOINLINE uint64_t name(uint64_t x)                                                         \
	{                                                                                          \
		return (expression) + 1;                                                           \
	}

CALLER(call_tail, tail_first(x))
CALLER(call_tiny, repeat(tiny, x))
CALLER(call_step, repeat(step_first, x))
CALLER(call_push, repeat(push_first, x))
CALLER(call_nop, repeat(nop_first, x))
CALLER(call_call, repeat(call_first, x))
CALLER(call_stealer, steal_return(1000000 + x % 2))

#define MAX_PROBES 4

static const struct way {
	const char *name;
	work_fn work;
	int is_return;
	const void *probes[MAX_PROBES];
} ways[] = {
	{ "none", call_outer, 0, { NULL } },
	{ "one", call_outer, 1, { probed_outer } },
	{ "nested", call_outer, 1, { probed_outer, probed_inner, probed_inner } },
	{ "recursive", recurse_40, 1, { probed_recursion } },
	{ "deep", recurse_100, 1, { probed_recursion } },
	{ "tail", call_tail, 1, { tail_first, tail_second } },
	{ "sleep", call_outer, 1, { probed_outer, probed_inner, probed_inner } },
	{ "return", call_tiny, 1, { tiny } },
	{ "step", call_step, 0, { step_first } },
	{ "push", call_push, 0, { push_first } },
	{ "nop", call_nop, 0, { nop_first } },
	{ "call", call_call, 0, { call_first } },
	{ "stolen", call_stealer, 1, { steal_return } },
};

static int find_offset(struct dl_phdr_info *info, size_t size, void *arg)
{
	uintptr_t *address = arg, in_file = *address - info->dlpi_addr;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && in_file - p->p_vaddr < p->p_filesz)
			*address = in_file - p->p_vaddr + p->p_offset;
	}
	return 1; /* the program is the first */
}

static int probe_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	int type = -1;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	return type;
}

/* Returns a descriptor from which the hits can be read. Bit 0 of config makes it a return probe
 * (format/retprobe of the uprobe device). */
static int set_probe(const void *function, int is_return)
{
	uintptr_t offset = (uintptr_t)function;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int type = probe_type();

	dl_iterate_phdr(find_offset, &offset);
	attr.type = (unsigned int)type;
	attr.config = (unsigned int)is_return;
	attr.uprobe_path = (uintptr_t) "/proc/self/exe";
	attr.probe_offset = offset;
	return type < 0 ? -1 : (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static unsigned long long hits(const int *fds)
{
	unsigned long long n, sum = 0;

	for (int i = 0; i < MAX_PROBES; i++) {
		if (fds[i] >= 0 && read(fds[i], &n, sizeof(n)) == sizeof(n))
			sum += n;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct work_args args;
	const struct way *way = NULL;
	int operand = parse_args(argc, argv, &args), fds[MAX_PROBES] = { -1, -1, -1, -1 };
	uint64_t x = 1, done = 0;
	double start;

	for (size_t i = 0; operand < argc && i < sizeof(ways) / sizeof(*ways); i++) {
		if (!strcmp(argv[operand], ways[i].name))
			way = &ways[i];
	}
	if (!way)
		return 2;
	asleep = !strcmp(way->name, "sleep");
	for (int i = 0; i < MAX_PROBES && way->probes[i]; i++) {
		fds[i] = set_probe(way->probes[i], way->is_return);
		if (fds[i] < 0) {
			perror("setting a probe");
			return 1;
		}
	}
	if (!asleep)
		gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	while (work_left(&args, done, start)) {
		x = way->work(x) | 1;
		done++;
	}
	printf("{\"target\":\"probed\",\"rounds\":%llu,\"hits\":%llu,\"check\":%llu}\n",
	       (unsigned long long)done, hits(fds), (unsigned long long)x);
	gate_end();
	return 0;
}
