// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "bpf/profbpf.h" /* before the skeleton, which names its structs */
#include "formats/profile.h"
#include "profbpf.skel.h"
#include "user/capture/clock.h"
#include "user/capture/pulse.h"
#include "user/capture/session.h"
#include "user/capture/times.h"
#include "user/capture/watch.h"

struct watch {
	struct watch_sources from;
	struct times *times;
	struct times_result spent; /* as of the last look */
	uint64_t start, end; /* 0: not yet */
	bool failed;
};

int watch_new(const struct watch_sources *sources, struct watch **watch)
{
	struct watch *w = calloc(1, sizeof(*w));
	int err = w ? times_new(sources->bpf, &w->times) : -ENOMEM;

	if (err) {
		watch_free(w);
		return err;
	}
	w->from = *sources;
	*watch = w;
	return 0;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	times_free(w->times);
	free(w);
}

int watch_attach(struct watch *w)
{
	return times_start(w->times);
}

int watch_start(struct watch *w, uint64_t start)
{
	w->start = start;
	return times_find_asleep(w->times);
}

void watch_stop(struct watch *w, uint64_t end)
{
	if (w->failed || !w->start)
		return;
	w->end = end;
	times_stop(w->times, w->from.online);
}

static struct pulse pulse_of(const struct watch *w)
{
	return (struct pulse){
		.clock = w->from.clock,
		.states = bpf_map__fd(w->from.bpf->maps.cpu_states),
		.start = w->start,
		.period = w->from.period,
	};
}

/* What the scheduler told since the last run can't be told from what it told before. */
static int give_up(struct watch *w)
{
	const struct pulse pulse = pulse_of(w);

	w->failed = true;
	clock_stop(w->from.clock);
	times_stop(w->times, w->from.online);
	return pulse_last(&pulse, &w->end);
}

int watch_look(struct watch *w)
{
	const struct pulse pulse = pulse_of(w);
	uint64_t now = session_now();
	bool dead = false;
	int err = 0;

	if (!w->start || w->failed)
		return 0;
	if (w->from.fail_after_ns && now - w->start >= w->from.fail_after_ns)
		clock_detach(w->from.clock);
	if (!w->end)
		err = pulse_check(&pulse, w->from.online, &dead);
	if (!err && !dead && !w->end)
		clock_shift(w->from.clock);
	if (err)
		return err;
	if (dead)
		return give_up(w);
	return times_read(w->times, w->from.online, w->end ? w->end : now, w->from.wanted,
			  w->from.wanted_arg, &w->spent);
}

bool watch_failed(const struct watch *w, uint64_t *end)
{
	if (w->failed)
		*end = w->end;
	return w->failed;
}

void watch_accounting(const struct watch *w, struct profile_accounting *a)
{
	/* A lower bound would pass for the whole. */
	a->has_times = !w->failed && !w->spent.lost;
	if (!a->has_times)
		return;
	a->waiting_ticks = w->spent.blocked_ns / w->from.period;
	a->cpu_ns = w->spent.running_ns;
}

uint64_t watch_lost(const struct watch *w)
{
	return w->spent.lost;
}
