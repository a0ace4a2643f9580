// SPDX-License-Identifier: BSD-2-Clause
/* profbpf dump: the stacks of a live process's threads, which go on meanwhile. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/profile.h"
#include "symbolize/symbolize.h"
#include "user/arguments.h"
#include "user/capture/procfs.h"
#include "user/capture/session.h"
#include "user/capture/target.h"
#include "user/dump.h"
#include "user/live.h"
#include "user/message.h"
#include "user/naming_options.h"
#include "user/output.h"
#include "user/verb.h"

#define PID_LIMIT 4194304U /* PID_MAX_LIMIT of the kernel's include/linux/threads.h */
#define TABLES_TIMEOUT_MS 5000
/* A thread that runs is interrupted by a tick within that time, unless its CPU has other work. */
#define TICK_RATE 999
#define TICK_WAIT_NS 2000000
#define TICK_WAITS 25
#define ITERATIONS 20

enum {
	KEY_JSON = 0x100,
	KEY_MAX_DEPTH,
	KEY_LINES,
	KEY_NO_KERNEL,
};

static const struct argp_option option_table[] = {
	{ "json", KEY_JSON, NULL, 0, "JSON for programs", 0 },
	{ "max-depth", KEY_MAX_DEPTH, "N", 0, "Innermost frames of each thread, 0 for all (0)", 0 },
	{ "lines", KEY_LINES, NULL, 0,
	  "Whole paths of source files and objects, and columns, instead of names", 0 },
	{ "no-kernel", KEY_NO_KERNEL, NULL, 0, "Leave the kernel's frames out", 0 },
	{ "output", 'o', "FILE", 0, "Write there instead of standard output", 0 },
	{ "verbose", 'v', NULL, 0, "Say more", 0 },
	{ "quiet", 'q', NULL, 0, "Say nothing but warnings and errors", 0 },
	{ 0 },
};

static const char doc[] =
	"Prints the stack of each thread of process PID as it is now, without stopping the process. "
	"A thread that is on a CPU is caught by a tick of the clock."
	"\v"
	"A frame with (inlined) is part of the next one. One with a ? was found by a guess, from "
	"the frame pointer or what the code does, where it has no unwind table.\n"
	"\n"
	"Examples:\n"
	"  sudo profbpf dump 1234\n"
	"  sudo profbpf dump 1234 --max-depth 5 --no-kernel\n"
	"  sudo profbpf dump $(pidof -s nginx) --json\n";

struct options {
	uint32_t pid;
	bool json;
	struct dump_style style;
	const char *output;
	struct naming_options naming;
};

struct work {
	const struct options *options;
	struct profile *profile;
	struct session *session;
	struct dump_thread *threads;
	size_t n, room;
	uint64_t time_ns;
};

static error_t parse_number(const char *what, const char *text, uint64_t min, uint64_t max,
			    uint32_t *value)
{
	uint64_t number;
	int err = argument_number(what, text, min, max, &number);

	if (!err)
		*value = number;
	return -err;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		state->child_inputs[0] = &o->naming;
		return 0;
	case ARGP_KEY_ARG:
		if (o->pid)
			return -argument_unexpected(text);
		return parse_number("PID", text, 1, PID_LIMIT, &o->pid);
	case ARGP_KEY_NO_ARGS:
		error("name the process: profbpf dump PID; list processes with ps -e");
		return EINVAL;
	case KEY_JSON:
		o->json = true;
		return 0;
	case KEY_MAX_DEPTH:
		return parse_number("--max-depth", text, 0, UINT32_MAX, &o->style.max_depth);
	case KEY_LINES:
		o->style.paths = true;
		return 0;
	case KEY_NO_KERNEL:
		o->style.no_kernel = true;
		return 0;
	case 'o':
		o->output = text;
		return 0;
	case 'v':
		message_set_level(MESSAGE_VERBOSE);
		return 0;
	case 'q':
		message_set_level(MESSAGE_QUIET);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int check_pid(pid_t pid)
{
	pid_t process = 0;
	enum target_state state = target_check(pid, &process);

	switch (state) {
	case TARGET_GOOD:
		return 0;
	case TARGET_MISSING:
	case TARGET_ZOMBIE:
		live_say_gone(pid, state);
		break;
	case TARGET_THREAD:
		error("%d is a thread of process %d: use profbpf dump %d", pid, process, process);
		break;
	case TARGET_KERNEL:
		error("%d is a kernel thread, which has no user stack: see /proc/%d/stack", pid,
		      pid);
		break;
	}
	return EXIT_FAILED;
}

/* --- collecting --- */

static struct dump_thread *find_thread(const struct work *w, uint32_t tid)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->threads[i].tid == tid)
			return &w->threads[i];
	}
	return NULL;
}

static int add_thread(void *arg, const struct session_thread *thread)
{
	struct work *w = arg;
	struct dump_thread *t;

	if (find_thread(w, thread->tid))
		return 0;
	if (w->n == w->room) {
		size_t room = w->room ? 2 * w->room : 64;
		struct dump_thread *threads = reallocarray(w->threads, room, sizeof(*threads));

		if (!threads)
			return -ENOMEM;
		w->threads = threads;
		w->room = room;
	}
	t = &w->threads[w->n++];
	*t = (struct dump_thread){
		.tid = thread->tid,
		.state = thread->state,
		.call = thread->call,
		.running = thread->running,
		.stack = thread->stack,
	};
	snprintf(t->name, sizeof(t->name), "%s", thread->name);
	return 0;
}

/* A thread that ran before and is off its CPU now. */
static int mend_thread(void *arg, const struct session_thread *thread)
{
	struct dump_thread *t = find_thread(arg, thread->tid);

	if (!t || t->stack != PROFILE_NONE || thread->running)
		return 0;
	t->running = false;
	t->state = thread->state;
	t->call = thread->call;
	t->stack = thread->stack;
	return 0;
}

static int is_known(void *arg, uint32_t tid)
{
	return find_thread(arg, tid) ? 0 : -ENOENT;
}

/*
 * The kernel's iterator stops short where a thread ends that it would have gone on with. What is there
 * already is not taken again; threads that come faster than they are found are left out.
 */
static int add_threads(struct work *w)
{
	uint32_t pid = w->options->pid;
	int i, err = session_threads(w->session, pid, add_thread, w);

	for (i = 0; i < ITERATIONS && !err && proc_each_thread(pid, is_known, w); i++)
		err = session_threads(w->session, pid, add_thread, w);
	return err;
}

static bool any_missing(const struct work *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		if (w->threads[i].stack == PROFILE_NONE)
			return true;
	}
	return false;
}

/* The first sample of each thread that has no stack yet. */
static void take_samples(struct work *w, const struct slice *slice)
{
	size_t i;

	for (i = 0; i < slice->n; i++) {
		const struct capture_sample *s = &slice->samples[i];
		struct dump_thread *t = find_thread(w, profile_thread(w->profile, s->thread)->tid);

		if (t && t->stack == PROFILE_NONE)
			t->stack = s->stack;
	}
}

static int take_ticks(struct work *w)
{
	static const struct timespec wait = { .tv_nsec = TICK_WAIT_NS };
	struct slice slice;
	int err = session_start(w->session), i;

	for (i = 0; i < TICK_WAITS && !err && any_missing(w); i++) {
		nanosleep(&wait, NULL);
		err = session_drain(w->session, &slice);
		if (!err)
			take_samples(w, &slice);
	}
	session_stop(w->session);
	return err;
}

static int collect(struct work *w)
{
	struct timespec now;
	int err = session_settle_tables(w->session, TABLES_TIMEOUT_MS);

	clock_gettime(CLOCK_REALTIME, &now);
	w->time_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	err = err ? err : add_threads(w);
	if (!err && any_missing(w))
		err = take_ticks(w);
	if (!err && any_missing(w))
		err = session_threads(w->session, w->options->pid, mend_thread, w);
	return err;
}

/* --- writing --- */

static int compare_tids(const void *a, const void *b)
{
	const struct dump_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int name_frames(struct work *w)
{
	struct symbolizer_options options = naming_options_symbolizer(&w->options->naming);
	struct naming_result result = { 0 };
	int err = naming_run(w->profile, &options, 0, live_object, w->session, &result);

	if (!err && result.kernel_hidden)
		warning("kernel functions are unnamed: their addresses are hidden; "
			"sysctl kernel.kptr_restrict=1 and CAP_SYSLOG show them");
	return err;
}

static int write_dump(struct work *w)
{
	const struct profile_process *process =
		profile_n_processes(w->profile) ? profile_process(w->profile, 0) : NULL;
	const struct dump dump = {
		.profile = w->profile,
		.pid = w->options->pid,
		.name = process ? process->name : "",
		.exe = process ? process->exe : "",
		.time_ns = w->time_ns,
		.threads = w->threads,
		.n = w->n,
	};
	struct output *out;
	int err = output_open(w->options->output, false, &out);

	if (err)
		return err;
	if (w->options->json)
		err = dump_write_json(&dump, &w->options->style, output_stream(out));
	else
		err = dump_write_text(&dump, &w->options->style, output_stream(out));
	if (err) {
		output_discard(out);
		return err;
	}
	return output_commit(out);
}

static int open_session(struct work *w)
{
	struct session_options options = {
		.rate = TICK_RATE,
		.kernel = true,
		.threads = true,
	};
	const char *what;
	int err = session_new(&options, w->profile, &w->session, &what);

	return err ? live_say_failed(what, err) : 0;
}

static int dump(struct work *w)
{
	int status = check_pid(w->options->pid), err;

	status = status ? status : open_session(w);
	if (status)
		return status;
	err = session_add_process(w->session, w->options->pid);
	err = err ? err : collect(w);
	if (err == -ESRCH || (!err && !w->n)) {
		error("process %u ended before its stacks were taken", w->options->pid);
		return EXIT_FAILED;
	}
	err = err ? err : name_frames(w);
	if (err) {
		error("cannot take the stacks of process %u: %s", w->options->pid, strerror(-err));
		return EXIT_FAILED;
	}
	qsort(w->threads, w->n, sizeof(*w->threads), compare_tids);
	output_discard_on_signals();
	err = write_dump(w);
	if (err)
		output_say_failed(w->options->output, err);
	return err ? EXIT_FAILED : EXIT_DONE;
}

int verb_dump(int argc, char **argv)
{
	static const struct argp_child children[] = { { &naming_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "PID",
		.doc = doc,
		.children = children,
	};
	struct options options = { .output = "-" };
	struct work w = { .options = &options };
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0) {
		naming_options_done(&options.naming);
		return EXIT_USAGE;
	}
	live_log_libbpf();
	w.profile = profile_new();
	if (w.profile) {
		status = dump(&w);
	} else {
		error("out of memory");
		status = EXIT_FAILED;
	}
	session_free(w.session);
	profile_free(w.profile);
	free(w.threads);
	naming_options_done(&options.naming);
	return status;
}
