// SPDX-License-Identifier: BSD-2-Clause
/* The record verb: profiles a target into files. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include "formats/profile.h"
#include "symbolize/symbolize.h"
#include "user/agent.h"
#include "user/capture/session.h"
#include "user/launch.h"
#include "user/live.h"
#include "user/message.h"
#include "user/naming.h"
#include "user/record_loop.h"
#include "user/record_options.h"
#include "user/record_outputs.h"
#include "user/record_summary.h"
#include "user/record_target.h"
#include "user/verb.h"

struct recording {
	const struct record_options *options;
	struct profile *profile;
	struct session *session;
	struct launch *launch;
	struct agent *agent; /* NULL without --agent */
	bool ran; /* the command */
	bool told; /* the document of --agent is out, or could not be written */
	bool broken; /* sampling, though the command goes on */
	struct record_outputs *outputs;
	uint64_t began_ns; /* as session_now */
	unsigned int snapshots;
	uint64_t start_ns; /* CLOCK_REALTIME */
	struct record_ending ending;
};

static bool comm_wanted(void *arg, const char *comm)
{
	const struct record_options *o = arg;

	return !regexec(&o->comm, comm, 0, NULL, 0);
}

/* --- starting --- */

static int open_session(struct recording *r)
{
	const struct record_options *o = r->options;
	struct session_options options = {
		.all = o->all,
		.children = o->children,
		.tids = o->tids,
		.n_tids = o->n_tids,
		.wanted = o->comm_pattern ? comm_wanted : NULL,
		.wanted_arg = (void *)o,
		.rate = o->rate,
		.kernel = o->kernel,
		.times = o->report,
		.waits = o->test_waits,
		.fail_after_ns = o->test_fail_after_ns,
		.ring_bytes = o->test_ring_bytes,
		.counters = o->test_counters,
		.table_chunks = o->test_table_chunks,
		.ranges = o->test_ranges,
	};
	const char *what;
	int err = session_new(&options, r->profile, &r->session, &what);

	return err ? live_say_failed(what, err) : 0;
}

static int add_pids(struct recording *r)
{
	size_t i;

	for (i = 0; i < r->options->n_pids; i++) {
		pid_t pid = r->options->pids[i];
		int err = session_add_process(r->session, pid);

		if (err == -ESRCH) {
			error("process %d ended before sampling began", pid);
			return EXIT_FAILED;
		}
		if (err) {
			error("cannot add process %d: %s", pid, strerror(-err));
			return EXIT_FAILED;
		}
	}
	return 0;
}

static int add_targets(struct recording *r)
{
	int status = add_pids(r), err = 0;

	if (!status && r->options->all)
		err = session_add_all(r->session);
	if (!status && !err && r->launch)
		err = session_expect_command(r->session, r->options->command[0]);
	if (!status && !err && r->launch && !r->options->all)
		err = session_add_command(r->session, launch_pid(r->launch));
	if (err)
		error("cannot add the target: %s", strerror(-err));
	return err ? EXIT_FAILED : status;
}

/* The command is let go only when sampling is ready for it. */
static int start_command(struct recording *r)
{
	char shown[256];
	int err;

	if (!r->launch)
		return 0;
	err = launch_start(r->launch);
	r->ran = !err;
	if (!err)
		return 0;
	error("cannot run %s: %s", printable(r->options->command[0], shown, sizeof(shown)),
	      strerror(-err));
	return launch_failure_status(err);
}

static int prepare_command(struct recording *r)
{
	const struct record_options *o = r->options;
	int err;

	if (!o->command)
		return 0;
	if (o->contract.agent)
		err = agent_launch(o->command, o->contract.capture_limit, &r->launch, &r->agent);
	else
		err = launch_prepare(o->command, NULL, &r->launch);
	if (!err)
		return 0;
	error("cannot start a process: %s", strerror(-err));
	return EXIT_FAILED;
}

/* --- while sampling --- */

static void on_slice(void *arg, const struct slice *slice)
{
	struct recording *r = arg;

	record_outputs_slice(r->outputs, slice);
}

static void on_progress(void *arg, uint64_t elapsed_ns)
{
	struct recording *r = arg;
	uint64_t seconds = elapsed_ns / 1000000000, limit = r->options->duration_ns / 1000000000;

	if (limit)
		progress("%llu of %llu s, %llu samples", (unsigned long long)seconds,
			 (unsigned long long)limit,
			 (unsigned long long)profile_total(r->profile, 0));
	else
		progress("%llu s, %llu samples; Ctrl-C stops and writes",
			 (unsigned long long)seconds,
			 (unsigned long long)profile_total(r->profile, 0));
}

/* What became of the target. The end of an attachment is none of its target. */
static enum profile_ending find_ending(struct recording *r)
{
	if (!r->launch && session_has_targets(r->session))
		return PROFILE_LIVES_ON;
	if (!r->launch)
		return session_killed(r->session) ? PROFILE_KILLED : PROFILE_RETURNED;
	if (r->agent && agent_runtime_failed(r->agent))
		return PROFILE_KILLED;
	if (r->ending.signal)
		return PROFILE_INTERRUPTED;
	if (launch_try_wait(r->launch) <= 0)
		return PROFILE_LIVES_ON;
	return launch_signal_ended(r->launch) ? PROFILE_KILLED : PROFILE_RETURNED;
}

static bool has_failed(const struct recording *r)
{
	return r->broken || (r->session && session_failed(r->session));
}

/* Names what has been sampled, in so many threads, and completes the profile's description. */
static int complete(struct recording *r, unsigned int threads, uint64_t duration_ns,
		    enum profile_ending ending)
{
	struct symbolizer_options naming = naming_options_symbolizer(&r->options->naming);
	char *target = record_target_describe(r->options), *notes = NULL;
	struct profile_config config = {
		.period_ns = session_period(r->session),
		.time_ns = r->start_ns,
		.duration_ns = duration_ns ? duration_ns : 1,
		.target = target ? target : "",
		.version = PROFBPF_VERSION,
		.ending = ending,
		.failed = has_failed(r),
	};
	struct naming_result result = { 0 };
	struct utsname host;
	int err = naming_run(r->profile, &naming, threads, live_object, r->session, &result);

	uname(&host);
	config.host = host.nodename;
	config.kernel = host.release;
	config.arch = host.machine;
	if (!err)
		err = record_notes(r->profile, r->session, &result, &notes);
	config.notes = notes ? notes : "";
	if (!err)
		err = profile_set_config(r->profile, &config);
	free(notes);
	free(target);
	return err;
}

static void on_snapshot(void *arg)
{
	struct recording *r = arg;
	uint64_t ended = session_ended(r->session);
	/* One: the processors are the target's. */
	int err = complete(r, 1, (ended ? ended : session_now()) - session_began(r->session),
			   PROFILE_LIVES_ON);

	if (err)
		error("cannot name the snapshot: %s", strerror(-err));
	else
		record_outputs_snapshot(r->outputs, ++r->snapshots);
}

static int sample(struct recording *r)
{
	struct record_loop loop = {
		.session = r->session,
		.launch = r->launch,
		.delay_ns = r->options->delay_ns,
		.duration_ns = r->options->duration_ns,
		.until_command_ends = r->launch && (r->options->all || r->agent),
		.arg = r,
		.slice = on_slice,
		.snapshot = on_snapshot,
		.progress = on_progress,
	};
	struct timespec now;
	int err;

	clock_gettime(CLOCK_REALTIME, &now);
	r->start_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	detail("a tick on each CPU every %llu ns, on Linux's cpu-clock",
	       (unsigned long long)session_period(r->session));
	err = record_loop_run(&loop, &r->ending);
	if (err)
		error("sampling failed: %s", strerror(-err));
	if (err && !r->agent)
		return EXIT_FAILED;
	r->broken = err != 0;
	/* How the program ends belongs to the report, though no more is sampled, and what it writes until then to
	 * the document of --agent. */
	err = 0;
	if (r->launch && (r->agent || has_failed(r)) && !r->ending.signal)
		err = record_loop_wait(&loop, &r->ending);
	if (err)
		error("cannot wait for the command: %s", strerror(-err));
	return err ? EXIT_FAILED : 0;
}

/* The command's own status, unless we failed. One that was interrupted may still be at work. */
static int command_status(struct recording *r, int status)
{
	if (status || !r->launch)
		return status;
	if (r->ending.signal) {
		if (!launch_try_wait(r->launch))
			note("the command is still running as process %d", launch_pid(r->launch));
		return 128 + SIGINT;
	}
	if (launch_try_wait(r->launch))
		return launch_exit_status(r->launch);
	/* Only a time limit ends sampling before the command. */
	progress("sampling is over, waiting for the command");
	launch_wait(r->launch);
	return launch_exit_status(r->launch);
}

/* For who wonders why the first stacks of a recording are not complete. */
static void tell_first_complete(const struct recording *r)
{
	uint64_t first = session_first_complete(r->session);

	if (first)
		detail("the first complete user stack came %.1f ms after the start",
		       (double)(first - r->began_ns) / 1e6);
	else
		detail("no user stack was complete");
}

static int finish(struct recording *r)
{
	int err, status;

	tell_first_complete(r);

	/* From here on a signal aborts. */
	output_discard_on_signals();
	record_loop_unblock_signals();
	if (r->agent)
		agent_finish(r->agent, r->launch);
	err = complete(r, 0, r->ending.end_ns - r->ending.start_ns, find_ending(r));
	if (err) {
		error("cannot name the samples: %s", strerror(-err));
		return EXIT_FAILED;
	}
	status = record_outputs_finish(r->outputs);
	if (record_summary(r->profile, r->options, status == 0))
		status = EXIT_FAILED;
	if (r->agent) {
		r->told = true;
		if (agent_tell(r->agent, r->profile, &r->options->contract, r->options->command[0],
			       r->launch))
			status = EXIT_FAILED;
	}
	return status;
}

/* A collector that died is a failure of ours, unless the command has one of its own. */
static int final_status(const struct recording *r, int status)
{
	if (!has_failed(r))
		return status;
	if (r->launch && (r->ending.signal || launch_signal_ended(r->launch)))
		return status;
	if (r->agent && agent_runtime_failed(r->agent))
		return status;
	return EXIT_FAILED;
}

static int record(struct recording *r)
{
	int status = record_target_check(r->options);

	status = status ? status : record_outputs_open(r->options, r->profile, &r->outputs);
	status = status ? status : prepare_command(r);
	status = status ? status : open_session(r);
	status = status ? status : add_targets(r);
	status = status ? status : start_command(r);
	status = status ? status : sample(r);
	status = status ? status : finish(r);
	return final_status(r, command_status(r, status));
}

int verb_record(int argc, char **argv)
{
	struct recording r = { 0 };
	struct record_options *options;
	int status = record_options_parse(argc, argv, &options);

	if (status)
		return status;
	live_log_libbpf();
	r.options = options;
	r.began_ns = session_now();
	r.profile = profile_new();
	if (!r.profile || record_loop_block_signals()) {
		error("out of memory");
		status = EXIT_FAILED;
	} else {
		status = record(&r);
	}
	if (options->contract.agent && !r.told)
		agent_tell_failure(r.ran, status == EXIT_UNSUPPORTED);
	record_outputs_free(r.outputs);
	launch_free(r.launch);
	agent_free(r.agent);
	session_free(r.session);
	profile_free(r.profile);
	record_options_free(options);
	return status;
}
