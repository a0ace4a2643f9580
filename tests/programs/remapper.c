/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts its own code into memory without a file, as programs do to have it in large pages, and works on in it.
 *
 *   move    a copy made elsewhere is moved over the code
 *   copy    memory is mapped over the code, and the code copied back, by code in another segment
 *   slow    the same, but the code is copied a second after it could be executed
 *   foreign memory with other code is mapped over the function decoy alone
 *
 * A second operand says when: early (before the gate) or late (after a third of the time). Truth: the
 * number of rounds after that.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "common.h"

#define PAGE 4096ul
#define EXECUTABLE (PROT_READ | PROT_WRITE | PROT_EXEC)

struct code {
	unsigned char *start;
	size_t size;
};

HOT_FUNCTION(work_loop, 3)

static NOINLINE uint64_t work_middle(uint64_t x)
{
	return work_loop(x, 20000) + 1;
}

static NOINLINE uint64_t work_outer(uint64_t x)
{
	return work_middle(x) ^ 1;
}

/* A page of its own. */
__attribute__((aligned(4096))) NOINLINE uint64_t decoy(uint64_t x);
uint64_t decoy(uint64_t x)
{
	return work_loop(x, 20000) + 2;
}

__attribute__((aligned(4096))) NOINLINE uint64_t after_decoy(uint64_t x);
uint64_t after_decoy(uint64_t x)
{
	return decoy(x) + 1;
}

static int find_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct code *code = arg;
	uintptr_t main_code = (uintptr_t)work_outer;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || main_code < start || main_code >= start + p->p_memsz)
			continue;
		code->start = (unsigned char *)(start & ~(PAGE - 1));
		code->size = (start + p->p_memsz + PAGE - 1 - (uintptr_t)code->start) & ~(PAGE - 1);
		return 1;
	}
	return 0;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *copied(const struct code *code)
{
	void *copy =
		mmap(NULL, code->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		fail("mmap");
	memcpy(copy, code->start, code->size);
	return copy;
}

static void move(const struct code *code)
{
	void *copy = copied(code);

	if (mprotect(copy, code->size, PROT_READ | PROT_EXEC) ||
	    mremap(copy, code->size, code->size, MREMAP_MAYMOVE | MREMAP_FIXED, code->start) ==
		    MAP_FAILED)
		fail("mremap");
}

/* Nothing that it calls may be within the code as long as there is none, not even a stub of the linker. */
__attribute__((section("mover"), noinline,
	       optimize("no-tree-loop-distribute-patterns"))) static bool
copy_back(const struct code *code, const unsigned char *copy, bool slow,
	  int (*protect)(void *, size_t, int))
{
	if (mmap(code->start, code->size, slow ? EXECUTABLE : PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != (void *)code->start)
		return false;
	for (volatile unsigned long wait = slow ? 1000000000 : 0; wait; wait--)
		;
	for (size_t i = 0; i < code->size; i++)
		((volatile unsigned char *)code->start)[i] = copy[i];
	return !protect(code->start, code->size, PROT_READ | PROT_EXEC);
}

static void put_foreign(void)
{
	/* mov $20000, %ecx; 1: dec %ecx; jnz 1b; mov %rdi, %rax; ret */
	static const unsigned char loop[] = { 0xb9, 0x20, 0x4e, 0,    0,    0xff, 0xc9,
					      0x75, 0xfc, 0x48, 0x89, 0xf8, 0xc3 };
	struct code page = { (unsigned char *)decoy, PAGE };
	unsigned char *other = copied(&page);

	memcpy(other, loop, sizeof(loop));
	if (mmap(page.start, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) == MAP_FAILED)
		fail("mmap");
	memcpy(page.start, other, PAGE);
	if (mprotect(page.start, PAGE, PROT_READ | PROT_EXEC))
		fail("mprotect");
}

static void remap(const char *how)
{
	struct code code = { 0 };

	dl_iterate_phdr(find_segment, &code);
	if (!strcmp(how, "move"))
		move(&code);
	else if (!strcmp(how, "foreign"))
		put_foreign();
	else if (!copy_back(&code, copied(&code), !strcmp(how, "slow"),
			    dlsym(RTLD_DEFAULT, "mprotect")))
		fail("copy_back");
}

int main(int argc, char **argv)
{
	struct work_args args;
	uint64_t x = 88172645463325252u, rounds = 0, before = 0;
	double start;
	int operand = parse_args(argc, argv, &args);
	const char *how, *when;

	if (operand + 2 != argc)
		exit(2);
	how = argv[operand];
	when = argv[operand + 1];
	if (!strcmp(when, "early"))
		remap(how);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	while (!strcmp(when, "late") && clock_seconds(CLOCK_MONOTONIC) - start < args.seconds / 3)
		x += work_outer(x), before++;
	if (!strcmp(when, "late"))
		remap(how);
	while (work_left(&args, rounds, start)) {
		x += !strcmp(how, "foreign") ? after_decoy(x) : work_outer(x);
		rounds++;
	}
	printf("{\"target\":\"remapper\",\"before\":%llu,\"rounds\":%llu,\"check\":%llu}\n",
	       (unsigned long long)before, (unsigned long long)rounds, (unsigned long long)x);
	gate_end();
	return 0;
}
