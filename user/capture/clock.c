// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "user/capture/clock.h"
#include "user/capture/cpus.h"

/* A tick of the kernel with CONFIG_HZ=100, the longest. */
#define SHIFT_MAX_NS 10000000u

struct clock {
	const struct bpf_program *program;
	uint64_t period;
	bool running;
	struct cpus cpus; /* that have an event */
	struct tick_source {
		int event, link; /* descriptors */
	} sources[CPUS_MAX];
};

static int open_event(uint64_t period, unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period,
		.disabled = 1,
		.exclude_idle = 1, /* see on_idle in bpf/sample.bpf.c */
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int add_cpu(struct clock *c, unsigned int cpu)
{
	struct tick_source *source = &c->sources[cpu];

	source->event = open_event(c->period, cpu);
	if (source->event < 0)
		return errno == ENODEV ? 0 : -errno; /* went offline in between */
	/* Not libbpf's attach, which would start the event at once. */
	source->link =
		bpf_link_create(bpf_program__fd(c->program), source->event, BPF_PERF_EVENT, NULL);
	if (source->link < 0) {
		close(source->event);
		return source->link;
	}
	if (c->running)
		ioctl(source->event, PERF_EVENT_IOC_ENABLE, 0);
	c->cpus.set[cpu / 8] |= 1 << (cpu % 8);
	if (c->cpus.limit <= cpu)
		c->cpus.limit = cpu + 1;
	return 0;
}

static void remove_cpu(struct clock *c, unsigned int cpu)
{
	if (c->sources[cpu].link >= 0)
		close(c->sources[cpu].link);
	close(c->sources[cpu].event);
	c->cpus.set[cpu / 8] &= ~(1 << (cpu % 8));
}

int clock_follow(struct clock *c, const struct cpus *cpus)
{
	unsigned int cpu, limit = cpus->limit > c->cpus.limit ? cpus->limit : c->cpus.limit;
	int err = 0;

	for (cpu = 0; cpu < limit && !err; cpu++) {
		bool has = cpus_has(&c->cpus, cpu), wanted = cpus_has(cpus, cpu);

		if (has && !wanted)
			remove_cpu(c, cpu);
		else if (!has && wanted)
			err = add_cpu(c, cpu);
	}
	return err;
}

int clock_new(const struct bpf_program *program, uint64_t period, const struct cpus *cpus,
	      struct clock **clock)
{
	struct clock *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->program = program;
	c->period = period;
	err = clock_follow(c, cpus);
	if (err) {
		clock_free(c);
		return err;
	}
	*clock = c;
	return 0;
}

void clock_free(struct clock *c)
{
	unsigned int cpu;

	if (!c)
		return;
	for (cpu = 0; cpu < c->cpus.limit; cpu++) {
		if (cpus_has(&c->cpus, cpu))
			remove_cpu(c, cpu);
	}
	free(c);
}

static int each_event(struct clock *c, unsigned long request)
{
	unsigned int cpu;
	int err = 0;

	for (cpu = 0; cpu < c->cpus.limit; cpu++) {
		if (cpus_has(&c->cpus, cpu) && ioctl(c->sources[cpu].event, request, 0))
			err = -errno;
	}
	return err;
}

int clock_start(struct clock *c)
{
	c->running = true;
	return each_event(c, PERF_EVENT_IOC_ENABLE);
}

void clock_stop(struct clock *c)
{
	c->running = false;
	each_event(c, PERF_EVENT_IOC_DISABLE);
}

void clock_shift(struct clock *c)
{
	uint64_t room = c->period < SHIFT_MAX_NS ? c->period : SHIFT_MAX_NS;
	struct timespec pause = { 0 };
	uint32_t number;

	if (!c->running || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return;
	pause.tv_nsec = (long)(room * number >> 32);
	each_event(c, PERF_EVENT_IOC_DISABLE);
	nanosleep(&pause, NULL);
	each_event(c, PERF_EVENT_IOC_ENABLE);
}

int clock_counted(const struct clock *c, unsigned int cpu, uint64_t *ns)
{
	uint64_t count;

	if (!cpus_has(&c->cpus, cpu))
		return -ENODEV;
	if (read(c->sources[cpu].event, &count, sizeof(count)) != sizeof(count))
		return errno ? -errno : -EIO;
	*ns = count;
	return 0;
}

void clock_detach(struct clock *c)
{
	unsigned int cpu;

	for (cpu = 0; cpu < c->cpus.limit; cpu++) {
		if (!cpus_has(&c->cpus, cpu) || c->sources[cpu].link < 0)
			continue;
		close(c->sources[cpu].link);
		c->sources[cpu].link = -1;
	}
}
