// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/profbpf.h"
#include "user/capture/clock.h"
#include "user/capture/cpus.h"
#include "user/capture/pulse.h"
#include "user/capture/session.h"

/* No run for so long, and for so many ticks, is worth a second look: the kernel pauses events that take too
 * much time until the next tick of its own. */
#define SILENCE_NS 250000000u
#define SILENCE_TICKS 16
#define LOOK_AGAIN_TICKS 4

int pulse_each(const struct pulse *p,
	       int (*fn)(void *arg, unsigned int cpu, const struct cpu_state *state), void *arg)
{
	uint32_t zero = 0, i = 0;
	struct cpu_state *states = calloc(libbpf_num_possible_cpus(), sizeof(*states));
	struct cpus possible;
	int err = states ? cpus_possible(&possible) : -ENOMEM;

	if (!err && bpf_map_lookup_elem(p->states, &zero, states))
		err = -errno;
	/* The kernel leaves the gaps between possible CPUs out. */
	for (unsigned int cpu = 0; !err && cpu < possible.limit; cpu++) {
		if (cpus_has(&possible, cpu))
			err = fn(arg, cpu, &states[i++]);
	}
	free(states);
	return err;
}

static int latest(void *arg, unsigned int cpu, const struct cpu_state *state)
{
	uint64_t *last = arg;

	if (state->last > *last)
		*last = state->last;
	return 0;
}

int pulse_last(const struct pulse *p, uint64_t *last)
{
	*last = p->start;
	return pulse_each(p, latest, last);
}

/* One look at all CPUs. */
struct look {
	const struct pulse *pulse;
	const struct cpus *online;
	uint64_t now;
	bool found;
	unsigned int cpu; /* the one that is silent */
	struct cpu_state state;
};

static bool is_silent(const struct look *l, const struct cpu_state *state)
{
	uint64_t last = state->last ? state->last : l->pulse->start;
	uint64_t limit = SILENCE_TICKS * l->pulse->period;

	if (limit < SILENCE_NS)
		limit = SILENCE_NS;
	return !state->idle_since && l->now > last + state->idle + limit;
}

static int find_silent(void *arg, unsigned int cpu, const struct cpu_state *state)
{
	struct look *l = arg;

	if (l->found || !cpus_has(l->online, cpu) || !is_silent(l, state))
		return 0;
	l->found = true;
	l->cpu = cpu;
	l->state = *state;
	return 0;
}

static int find_same(void *arg, unsigned int cpu, const struct cpu_state *state)
{
	struct look *l = arg;

	if (cpu == l->cpu)
		l->found = memcmp(&l->state, state, sizeof(*state)) == 0;
	return 0;
}

static void wait_ticks(uint64_t ticks, uint64_t period)
{
	uint64_t ns = ticks * period;
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/*
 * A CPU may only seem silent: a virtual one that did not run answers to the first question when it does, and
 * an idle one that was so before the programs came wakes up by it and is seen to be idle then.
 */
static int look_again(struct look *l, bool *dead)
{
	const struct pulse *p = l->pulse;
	uint64_t before, after;
	int err = clock_counted(p->clock, l->cpu, &before);

	*dead = false;
	if (err == -ENODEV) /* it went offline */
		return 0;
	if (err)
		return err;
	wait_ticks(LOOK_AGAIN_TICKS, p->period);
	err = clock_counted(p->clock, l->cpu, &after);
	if (err)
		return err == -ENODEV ? 0 : err;
	err = pulse_each(p, find_same, l);
	*dead = !err && l->found && after - before >= 2 * p->period;
	return err;
}

int pulse_check(const struct pulse *p, const struct cpus *online, bool *dead)
{
	struct look l = { .pulse = p, .online = online, .now = session_now() };
	int err = pulse_each(p, find_silent, &l);

	*dead = false;
	return err || !l.found ? err : look_again(&l, dead);
}
