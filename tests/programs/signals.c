/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Signals at any instruction: a timer every 100 µs, whose handler works, calls library functions and
 * now and then raises another signal, while the program sorts, copies and formats. With the operand
 * "altstack" handlers run on a stack of their own. Truth: signals handled.
 */
#include "common.h"
#include <signal.h>
#include <sys/time.h>

static volatile uint64_t handled, nested, sink;

HOT_FUNCTION(handler_work, 3)
HOT_FUNCTION(nested_work, 5)
HOT_FUNCTION(main_work, 7)

static void on_nested(int sig, siginfo_t *info, void *context)
{
	sink += nested_work(sink, 200);
	nested++;
}

static void on_timer(int sig, siginfo_t *info, void *context)
{
	unsigned char bytes[300];

	memset(bytes, (int)handled, sizeof(bytes));
	sink += handler_work(sink + bytes[7], 300);
	if (handled++ % 4 == 0)
		raise(SIGUSR1);
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static NOINLINE uint64_t work(uint64_t x)
{
	uint32_t v[64];
	char text[64];

	for (unsigned int i = 0; i < 64; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		v[i] = (uint32_t)(x >> 33);
	}
	qsort(v, 64, sizeof(v[0]), compare_u32);
	snprintf(text, sizeof(text), "%x %.3f", v[1], (double)v[2]);
	return main_work(x + (unsigned char)text[1], 100) + 1;
}

int main(int argc, char **argv)
{
	static char stack[65536];
	struct itimerval every = { { 0, 100 }, { 0, 100 } };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct work_args args;
	uint64_t x = 1, done = 0;
	double start;
	int at = parse_args(argc, argv, &args);

	if (at < argc && !strcmp(argv[at], "altstack")) {
		if (sigaltstack(&alternative, NULL))
			return 1;
		action.sa_flags |= SA_ONSTACK;
	}
	action.sa_sigaction = on_nested;
	if (sigaction(SIGUSR1, &action, NULL))
		return 1;
	action.sa_sigaction = on_timer;
	if (sigaction(SIGALRM, &action, NULL))
		return 1;
	gate_wait();
	setitimer(ITIMER_REAL, &every, NULL);
	start = clock_seconds(CLOCK_MONOTONIC);
	for (; work_left(&args, done, start); done++)
		x = work(x);
	every = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &every, NULL);
	printf("{\"target\":\"signals\",\"handled\":%llu,\"nested\":%llu,\"check\":%llu}\n",
	       (unsigned long long)handled, (unsigned long long)nested,
	       (unsigned long long)(x + sink));
	gate_end();
	return 0;
}
