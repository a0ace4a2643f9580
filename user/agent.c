// SPDX-License-Identifier: BSD-2-Clause
#include "user/agent.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/collector.h"
#include "formats/contract/report.h"
#include "formats/contract/run.h"
#include "user/capture_output.h"
#include "user/contract_events.h"
#include "user/contract_options.h"
#include "user/launch.h"
#include "user/message.h"
#include "user/pipes.h"
#include "user/run_channel.h"

enum { OUT, ERR, RUN, N_PIPES };

struct agent {
	struct capture_output outputs[RUN];
	struct run_channel *channel;
	struct pipes *pipes;
};

static int agent_new(size_t limit, struct agent **agent)
{
	struct agent *a = calloc(1, sizeof(*a));
	struct pipe_reader readers[N_PIPES];
	int err = -ENOMEM;

	if (!a)
		return err;
	for (int i = 0; i < RUN; i++) {
		a->outputs[i].limit = limit;
		readers[i] = (struct pipe_reader){ capture_output_take, &a->outputs[i] };
	}
	a->channel = run_channel_new();
	readers[RUN] = (struct pipe_reader){ run_channel_take, a->channel };
	if (a->channel)
		err = pipes_open(readers, N_PIPES, &a->pipes);
	if (err) {
		agent_free(a);
		return err;
	}
	*agent = a;
	return 0;
}

void agent_free(struct agent *a)
{
	if (!a)
		return;
	pipes_free(a->pipes);
	run_channel_free(a->channel);
	for (int i = 0; i < RUN; i++)
		capture_output_clear(&a->outputs[i]);
	free(a);
}

int agent_launch(char *const argv[], size_t limit, struct launch **launch, struct agent **agent)
{
	struct launch_outputs outputs;
	struct launch *l = NULL;
	struct agent *a = NULL;
	int err = agent_new(limit, &a);

	if (err)
		return err;
	outputs = (struct launch_outputs){
		.out = pipes_write_end(a->pipes, OUT),
		.err = pipes_write_end(a->pipes, ERR),
		.run = pipes_write_end(a->pipes, RUN),
	};
	err = launch_prepare(argv, &outputs, &l);
	if (!err)
		err = pipes_start(a->pipes);
	if (err) {
		launch_free(l);
		agent_free(a);
		return err;
	}
	*launch = l;
	*agent = a;
	return 0;
}

static void say_left_out(const struct agent *a)
{
	uint64_t line, n;
	const char *why;

	n = run_channel_left_out(a->channel, &line, &why);
	if (n)
		warning("run channel: %" PRIu64 " line%s left out, first line %" PRIu64 ": %s", n,
			n == 1 ? "" : "s", line, why);
}

/* One that takes its time to end, or does not care, is not waited for without end. */
static void give_grace(struct launch *launch)
{
	struct pollfd ended = { .fd = launch_pidfd(launch), .events = POLLIN };

	if (launch_try_wait(launch) == 0)
		poll(&ended, 1, AGENT_GRACE_MS);
	launch_try_wait(launch);
}

void agent_finish(struct agent *a, struct launch *launch)
{
	give_grace(launch);
	if (!pipes_finish(a->pipes, AGENT_PATIENCE_MS))
		warning("a process still has the command's outputs: what it writes from now on is "
			"lost");
	for (int i = 0; i < RUN; i++)
		capture_output_end(&a->outputs[i]);
	run_channel_end(a->channel);
	say_left_out(a);
}

bool agent_runtime_failed(const struct agent *a)
{
	return run_channel_run(a->channel)->failure.s;
}

static struct contract_text text(const char *s)
{
	return (struct contract_text){ s, strlen(s) };
}

static struct contract_text kept(const struct capture_output *o)
{
	return (struct contract_text){ o->bytes ? o->bytes : "", o->n };
}

/* For a command that has no words of its own. */
static void describe_signal(const struct launch *launch, char *buf, size_t size)
{
	int number = launch_signal_ended(launch);
	const char *name = sigabbrev_np(number);

	if (name)
		snprintf(buf, size, "ended by signal %d (SIG%s)", number, name);
	else
		snprintf(buf, size, "ended by signal %d", number);
}

static int write_run(const struct agent *a, const struct collector *c, const char *command,
		     const struct launch *launch)
{
	struct run run = *run_channel_run(a->channel);
	struct contract_report *report = NULL;
	char failure[64];
	int err;

	run.out = kept(&a->outputs[OUT]);
	run.err = kept(&a->outputs[ERR]);
	if (!run.file.s)
		run.file = text(basename(command));
	describe_signal(launch, failure, sizeof(failure));
	if (!run.failure.s)
		run.failure = text(failure);
	err = report_make(c, &report);
	if (!err)
		err = run_write(&run, report, stdout);
	report_free(report);
	return err;
}

int agent_tell(const struct agent *a, const struct profile *p,
	       const struct contract_options *options, const char *command,
	       const struct launch *launch)
{
	struct collector *c = NULL;
	int err = contract_collect(p, options, &c);

	if (err) {
		error("cannot make the report: %s", strerror(-err));
		agent_tell_failure(true, false);
		return err;
	}
	c->end.cut_bytes = a->outputs[OUT].cut + a->outputs[ERR].cut;
	err = write_run(a, c, command, launch);
	collector_free(c);
	return err;
}

void agent_tell_failure(bool ran, bool unsupported)
{
	if (ran)
		run_write_failure("profiler: report failure", stdout);
	else if (unsupported)
		run_write_failure("profiler: backend unsupported", stdout);
	else
		run_write_failure("profiler: setup failure", stdout);
}
