// SPDX-License-Identifier: BSD-2-Clause
#include "user/record_loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "user/capture/session.h"
#include "user/launch.h"

#define MS 1000000ull
#define DRAIN_NS (500 * MS)
/* Urgent drains are at least this far apart, and so are looks at records: a machine on which
 * thousands of programs start must not keep the profiler busy. */
#define URGENT_NS (20 * MS)
#define LOOK_NS (5 * MS)

enum { WATCH_SIGNALS, WATCH_SESSION, WATCH_COMMAND, N_WATCHED };

struct state {
	const struct record_loop *loop;
	struct record_ending ending;
	int signals;
	bool started, stop;
	uint64_t begin; /* of the delay */
	uint64_t next_drain, next_look, last_drain;
};

static void answered_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP); /* the terminal was closed, or the connection to it was lost */
	sigaddset(set, SIGUSR1);
}

int record_loop_block_signals(void)
{
	sigset_t set;

	answered_signals(&set);
	return sigprocmask(SIG_BLOCK, &set, NULL) ? -errno : 0;
}

void record_loop_unblock_signals(void)
{
	sigset_t set;

	answered_signals(&set);
	/* One asked for a snapshot too late. */
	signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Looks at what has come: after each drain too, which makes the records' descriptors quiet but leaves
 * those that came late for the next. */
static int look(struct state *s)
{
	bool urgent = false;
	int err = session_poll(s->loop->session, &urgent);
	uint64_t now = session_now();

	s->next_look = now + LOOK_NS;
	if (!err && urgent && s->next_drain > s->last_drain + URGENT_NS)
		s->next_drain = s->last_drain + URGENT_NS;
	return err;
}

static int drain(struct state *s)
{
	struct slice slice;
	int err = session_drain(s->loop->session, &slice);

	s->last_drain = session_now();
	s->next_drain = s->last_drain + DRAIN_NS;
	if (err)
		return err;
	s->loop->slice(s->loop->arg, &slice);
	if (session_failed(s->loop->session))
		s->stop = true;
	if (!s->loop->until_command_ends && !session_has_targets(s->loop->session))
		s->stop = true;
	return look(s);
}

/* A signal from the terminal has reached the command too; one sent to us alone goes on to it. */
static void interrupt(struct state *s, const struct signalfd_siginfo *info)
{
	s->ending.signal = info->ssi_signo;
	s->stop = true;
	if (s->loop->launch && info->ssi_code != SI_KERNEL)
		launch_signal(s->loop->launch, info->ssi_signo);
}

static int read_signals(struct state *s)
{
	struct signalfd_siginfo info;
	int err = 0;

	while (!err && !s->stop && read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1) {
			err = s->started ? drain(s) : 0;
			if (!err)
				s->loop->snapshot(s->loop->arg);
		} else {
			interrupt(s, &info);
		}
	}
	return err;
}

/* The first signal may come when sampling has just stopped for another reason, often the same one: the
 * terminal's interrupt ends the command too. It must not count as the second, which aborts. */
static void take_late_signal(struct state *s)
{
	struct signalfd_siginfo info;

	while (!s->ending.signal && read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGUSR1)
			interrupt(s, &info);
	}
}

static int start_or_stop(struct state *s, uint64_t now)
{
	uint64_t duration = s->loop->duration_ns;
	int err = 0;

	if (!s->started && now >= s->begin + s->loop->delay_ns) {
		s->started = true;
		err = session_start(s->loop->session);
		s->ending.start_ns = s->last_drain = session_began(s->loop->session);
		s->next_drain = s->last_drain + DRAIN_NS;
	}
	if (s->started && duration && now >= s->ending.start_ns + duration)
		s->stop = true;
	return err;
}

/* When the loop has something to do though no descriptor says so. */
static uint64_t next_time(const struct state *s)
{
	uint64_t next = s->next_drain;

	if (!s->started)
		return s->begin + s->loop->delay_ns;
	if (s->loop->duration_ns && s->ending.start_ns + s->loop->duration_ns < next)
		next = s->ending.start_ns + s->loop->duration_ns;
	return next;
}

static int wait_for(struct state *s, struct pollfd *watched)
{
	uint64_t now = session_now(), next = next_time(s);
	struct timespec timeout;

	/* Within the pause after a look its descriptor, which may be readable, is left alone. */
	watched[WATCH_SESSION].fd = session_fd(s->loop->session);
	if (now < s->next_look) {
		watched[WATCH_SESSION].fd = -1;
		if (s->next_look < next)
			next = s->next_look;
	}
	next = next > now ? next - now : 0;
	timeout.tv_sec = next / 1000000000;
	timeout.tv_nsec = next % 1000000000;
	if (ppoll(watched, N_WATCHED, &timeout, NULL) < 0 && errno != EINTR)
		return -errno;
	return 0;
}

static int turn(struct state *s, struct pollfd *watched)
{
	int err = start_or_stop(s, session_now());

	if (!err && !s->stop)
		err = wait_for(s, watched);
	if (!err && watched[WATCH_SIGNALS].revents)
		err = read_signals(s);
	if (!err && watched[WATCH_SESSION].revents)
		err = look(s);
	if (!err && watched[WATCH_COMMAND].revents) {
		watched[WATCH_COMMAND].fd = -1;
		if (launch_try_wait(s->loop->launch) > 0 && s->loop->until_command_ends)
			s->stop = true;
		s->next_drain = 0;
	}
	if (!err && s->started && !s->stop && session_now() >= s->next_drain) {
		err = drain(s);
		s->loop->progress(s->loop->arg, session_now() - s->ending.start_ns);
	}
	return err;
}

static int open_signals(void)
{
	sigset_t set;
	int fd;

	answered_signals(&set);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int record_loop_wait(const struct record_loop *loop, struct record_ending *ending)
{
	struct state s = { .loop = loop, .ending = *ending, .signals = open_signals() };
	struct pollfd watched[] = {
		{ .fd = s.signals, .events = POLLIN },
		{ .fd = launch_pidfd(loop->launch), .events = POLLIN },
	};
	int err = s.signals < 0 ? s.signals : 0;

	while (!err && !s.stop && launch_try_wait(loop->launch) == 0) {
		if (poll(watched, 2, -1) < 0 && errno != EINTR)
			err = -errno;
		else
			err = read_signals(&s);
	}
	if (s.signals >= 0)
		close(s.signals);
	*ending = s.ending;
	return err;
}

int record_loop_run(const struct record_loop *loop, struct record_ending *ending)
{
	struct state s = { .loop = loop, .begin = session_now(), .signals = open_signals() };
	struct pollfd watched[N_WATCHED];
	int err = 0, nice;

	if (s.signals < 0)
		return s.signals;
	memset(watched, 0, sizeof(watched));
	watched[WATCH_SIGNALS] = (struct pollfd){ .fd = s.signals, .events = POLLIN };
	watched[WATCH_SESSION].events = POLLIN;
	watched[WATCH_COMMAND] = (struct pollfd){ .fd = -1, .events = POLLIN };
	if (loop->launch)
		watched[WATCH_COMMAND].fd = launch_pidfd(loop->launch);
	/* Among thousands of busy threads the kernel's buffers must still be emptied in time; it is little
	 * work. Naming comes later and takes its turn like everyone. */
	nice = getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, -20);
	while (!err && !s.stop)
		err = turn(&s, watched);
	setpriority(PRIO_PROCESS, 0, nice);
	session_stop(loop->session);
	s.ending.end_ns = session_ended(loop->session);
	if (!s.started)
		s.ending.start_ns = s.ending.end_ns;
	if (!err)
		err = drain(&s);
	take_late_signal(&s);
	close(s.signals);
	*ending = s.ending;
	return err;
}
