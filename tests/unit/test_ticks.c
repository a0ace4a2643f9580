// SPDX-License-Identifier: BSD-2-Clause
/* Where the ticks between two runs go. Times are milliseconds, a tick's period is one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bpf/ticks.h"

#define MS 1000000ull

static struct ticks run_at(struct cpu_state *cpu, double now, double stolen)
{
	return ticks_passed(cpu, (__u64)(now * MS), (__u64)(stolen * MS), MS);
}

#define assert_ticks(t, own_, idle_, stolen_)                                                      \
	do {                                                                                       \
		struct ticks t_ = (t);                                                             \
		assert_int_equal(t_.own, own_);                                                    \
		assert_int_equal(t_.idle, idle_);                                                  \
		assert_int_equal(t_.stolen, stolen_);                                              \
	} while (0)

static void test_late_runs_stand_for_the_missed_ones(void **state)
{
	struct cpu_state cpu = { .last = 100 * MS };

	assert_ticks(run_at(&cpu, 101, 0), 1, 0, 0);
	assert_ticks(run_at(&cpu, 104.3, 0), 3, 0, 0);
	/* In time again, with the jitter of a clock. */
	assert_ticks(run_at(&cpu, 104.95, 0), 1, 0, 0);
	assert_ticks(run_at(&cpu, 106.1, 0), 1, 0, 0);
	/* Nearly another period late: that one is counted with it, and not again. */
	assert_ticks(run_at(&cpu, 107.9, 0), 2, 0, 0);
	assert_ticks(run_at(&cpu, 108, 0), 0, 0, 0);
	assert_ticks(run_at(&cpu, 109, 0), 1, 0, 0);
}

static void test_idle_time_is_nobodys(void **state)
{
	struct cpu_state cpu = { .last = 100 * MS };

	cpu.idle = (__u64)(8.5 * MS);
	assert_ticks(run_at(&cpu, 110, 0), 1, 9, 0);
	assert_ticks(run_at(&cpu, 113, 0), 3, 0, 0);
	/* Never more than was missed; the run itself is not idle. */
	cpu.idle = 1 * MS;
	assert_ticks(run_at(&cpu, 114, 0), 1, 0, 0);
	cpu.idle = (__u64)(1.9 * MS);
	assert_ticks(run_at(&cpu, 116, 0), 1, 1, 0);
}

static void test_stolen_time_is_nobodys(void **state)
{
	struct cpu_state cpu = { .last = 100 * MS, .stolen = 50 * MS };

	assert_ticks(run_at(&cpu, 110, 57), 3, 0, 7);
	assert_ticks(run_at(&cpu, 111, 57), 1, 0, 0);
	/* Of shorter times the sum counts: the third of them is all of a tick, and nothing is found. */
	assert_ticks(run_at(&cpu, 112, 57.4), 1, 0, 0);
	assert_ticks(run_at(&cpu, 113, 57.8), 1, 0, 0);
	assert_ticks(run_at(&cpu, 114, 58.2), 0, 0, 1);
	/* What is over waits for the next run. */
	assert_ticks(run_at(&cpu, 115, 61.3), 0, 0, 1);
	assert_ticks(run_at(&cpu, 118, 61.3), 1, 0, 2);
	assert_ticks(run_at(&cpu, 119, 61.3), 1, 0, 0);
}

static void idle_between(struct cpu_state *cpu, double from, double to, double stolen_from,
			 double stolen_to)
{
	cpu->idle_since = (__u64)(from * MS);
	cpu->idle_stolen = (__u64)(stolen_from * MS);
	ticks_end_idle(cpu, (__u64)(to * MS), (__u64)(stolen_to * MS));
}

static void test_stolen_from_an_idle_cpu(void **state)
{
	struct cpu_state cpu = { .last = 100 * MS };

	/* It woke up late: idle all the same. Then it was stolen from while it was at work. */
	idle_between(&cpu, 100.5, 105.5, 0, 3);
	assert_ticks(run_at(&cpu, 106, 3), 1, 5, 0);
	idle_between(&cpu, 106.5, 108.5, 3, 4);
	assert_ticks(run_at(&cpu, 113, 6), 2, 3, 2);
	/* It was not idle when the program came. */
	ticks_end_idle(&cpu, 114 * MS, 9 * MS);
	assert_ticks(run_at(&cpu, 114, 6), 1, 0, 0);
	/* The hypervisor counts anew. */
	assert_ticks(run_at(&cpu, 115, 1), 1, 0, 0);
	assert_ticks(run_at(&cpu, 118, 3), 1, 0, 2);
}

/* A CPU, and what became of its time. The clock is due at each whole period, and late after a theft. */
struct machine {
	struct cpu_state cpu;
	__u64 now, stolen, due;
	__u64 busy_time, idle_time, stolen_time;
	struct ticks sum;
};

static __u64 next_due(const struct machine *m)
{
	return (m->now / MS + 1) * MS;
}

static void tick_if_due(struct machine *m)
{
	struct ticks t;

	if (m->now < m->due)
		return;
	t = ticks_passed(&m->cpu, m->now, m->stolen, MS);
	m->sum.own += t.own;
	m->sum.idle += t.idle;
	m->sum.stolen += t.stolen;
	m->due = next_due(m);
}

static void work(struct machine *m, __u64 time)
{
	__u64 end = m->now + time;

	m->busy_time += time;
	for (tick_if_due(m); m->due <= end; tick_if_due(m))
		m->now = m->due;
	m->now = end;
}

static void steal(struct machine *m, __u64 time)
{
	m->now += time;
	m->stolen += time;
	m->stolen_time += time;
}

/* Woken up, the CPU has to wait for its turn. On an idle one the clock goes on, but not its program. */
static void sleep_and_wait(struct machine *m, __u64 time, __u64 wait)
{
	m->cpu.idle_since = m->now;
	m->cpu.idle_stolen = m->stolen;
	m->now += time + wait;
	m->stolen += wait;
	m->idle_time += time + wait;
	ticks_end_idle(&m->cpu, m->now, m->stolen);
	m->due = next_due(m);
}

static void assert_near(__u64 ticks, __u64 time)
{
	assert_in_range(ticks, time / MS - time / MS / 100, time / MS + time / MS / 100);
}

static void test_sums_are_the_time_that_passed(void **state)
{
	struct machine m = { .due = MS };
	unsigned int i;

	srand(1);
	for (i = 0; i < 100000; i++) {
		work(&m, rand() % (3 * MS));
		if (rand() % 3 == 0)
			steal(&m, rand() % (rand() % 2 ? MS / 2 : 6 * MS));
		if (rand() % 5 == 0)
			sleep_and_wait(&m, rand() % (9 * MS), rand() % MS);
	}
	assert_near(m.sum.own, m.busy_time);
	assert_near(m.sum.idle, m.idle_time);
	assert_near(m.sum.stolen, m.stolen_time);
	assert_in_range(m.sum.own + m.sum.idle + m.sum.stolen, m.now / MS - 10, m.now / MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_runs_stand_for_the_missed_ones),
		cmocka_unit_test(test_idle_time_is_nobodys),
		cmocka_unit_test(test_stolen_time_is_nobodys),
		cmocka_unit_test(test_stolen_from_an_idle_cpu),
		cmocka_unit_test(test_sums_are_the_time_that_passed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
