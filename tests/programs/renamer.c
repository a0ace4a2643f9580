/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads with odd names, one a name, each in a function of its own; one thread that changes its name
 * from "first-name" to "second-name" and back, in as_first and as_second; and a program that renames
 * itself. Truth: the names in hexadecimal and the functions that ran under them.
 */
#include "common.h"
#include <pthread.h>

HOT_FUNCTION(odd_0, 3)
HOT_FUNCTION(odd_1, 3)
HOT_FUNCTION(odd_2, 3)
HOT_FUNCTION(odd_3, 3)
HOT_FUNCTION(odd_4, 3)
HOT_FUNCTION(odd_5, 3)
HOT_FUNCTION(odd_6, 3)
HOT_FUNCTION(odd_7, 3)
HOT_FUNCTION(as_first, 5)
HOT_FUNCTION(as_second, 7)

static const struct odd {
	const char *name;
	uint64_t (*hot)(uint64_t, unsigned int);
} odds[] = {
	{ "semi;colon; 12", odd_0 },  { "[brackets] (x)", odd_1 },
	{ "esc\033[31m\007", odd_2 }, { "new\nline\ttab\r", odd_3 },
	{ "bad\377\376utf8", odd_4 }, { "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", odd_5 },
	{ "\"quoted\\<b>", odd_6 },   { "", odd_7 },
};

#define N_ODDS (sizeof(odds) / sizeof(odds[0]))

static struct work_args args;
static double start;
static volatile uint64_t sink;

static void *work_odd(void *arg)
{
	const struct odd *odd = arg;

	pthread_setname_np(pthread_self(), odd->name);
	for (uint64_t done = 0; work_left(&args, done, start); done++)
		sink = spin_for(odd->hot, 0.01, done);
	return NULL;
}

static void *work_changing(void *arg)
{
	(void)arg;
	for (uint64_t done = 0; work_left(&args, done, start); done++) {
		pthread_setname_np(pthread_self(), "first-name");
		sink = spin_for(as_first, 0.05, done);
		pthread_setname_np(pthread_self(), "second-name");
		sink = spin_for(as_second, 0.05, done);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t ids[N_ODDS + 1];

	parse_args(argc, argv, &args);
	gate_wait();
	start = clock_seconds(CLOCK_MONOTONIC);
	pthread_setname_np(pthread_self(), "odd ; (process)");
	for (size_t i = 0; i < N_ODDS; i++) {
		if (pthread_create(&ids[i], NULL, work_odd, (void *)&odds[i]))
			return 1;
	}
	if (pthread_create(&ids[N_ODDS], NULL, work_changing, NULL))
		return 1;
	for (size_t i = 0; i <= N_ODDS; i++)
		pthread_join(ids[i], NULL);
	printf("{\"target\":\"renamer\",\"names\":{");
	for (size_t i = 0; i < N_ODDS; i++) {
		printf("%s\"odd_%zu\":\"", i ? "," : "", i);
		for (const char *c = odds[i].name; *c; c++)
			printf("%02x", (unsigned char)*c);
		printf("\"");
	}
	printf("}}\n");
	gate_end();
	return 0;
}
