// SPDX-License-Identifier: BSD-2-Clause
#include "user/record_options.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/collector.h"
#include "user/arguments.h"
#include "user/message.h"
#include "user/verb.h"

#define RATE_DEFAULT 999U
#define RATE_MAX 1000000U
#define DEPTH_DEFAULT 128U
#define DEPTH_MAX 4096U
#define ID_MAX 4194304U /* PID_MAX_LIMIT of the kernel's include/linux/threads.h */
#define RATE_LIMIT_FILE "/proc/sys/kernel/perf_event_max_sample_rate"

enum {
	KEY_NO_CHILDREN = 0x100,
	KEY_TID,
	KEY_COMM,
	KEY_DELAY,
	KEY_MAX_DEPTH,
	KEY_KERNEL,
	KEY_FORMAT,
	KEY_PER_THREAD,
	KEY_TEST_RING,
	KEY_TEST_COUNTERS,
	KEY_TEST_TABLES,
	KEY_TEST_RANGES,
	KEY_TEST_WAITS,
	KEY_TEST_FAIL,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "Target, one of:", 1 },
	{ "pid", 'p', "PID[,PID...]", 0, "These processes, their threads and new children", 1 },
	{ "all", 'a', NULL, 0, "The whole machine; with a command, while it runs", 1 },
	{ "-- COMMAND [ARG...]", 0, NULL, OPTION_DOC | OPTION_NO_USAGE,
	  "A command that is started for it, and its children", 1 },
	{ NULL, 0, NULL, 0, "Filters:", 2 },
	{ "no-children", KEY_NO_CHILDREN, NULL, 0, "Leave child processes out", 2 },
	{ "tid", KEY_TID, "TID[,TID...]", 0, "Only these threads", 2 },
	{ "comm", KEY_COMM, "REGEX", 0,
	  "Only threads whose name matches this extended regular expression", 2 },
	{ NULL, 0, NULL, 0, "Sampling:", 3 },
	{ "rate", 'F', "HZ", 0, "Ticks a second on each CPU (999)", 3 },
	{ "duration", 'd', "SECONDS", 0,
	  "Stop after this time (until Ctrl-C, or the command's end)", 3 },
	{ "delay", KEY_DELAY, "SECONDS", 0, "Wait before the first tick", 3 },
	{ "max-depth", KEY_MAX_DEPTH, "N", 0,
	  "Innermost frames of a stack that outputs show (128); a capture keeps all", 3 },
	{ "kernel", KEY_KERNEL, "yes|no", 0, "Whether kernel code is shown (yes)", 3 },
	{ NULL, 0, NULL, 0, "Output:", 4 },
	{ "output", 'o', "FILE", 0,
	  "May be repeated; the extension is the format, - is standard output (profile.profbpf, "
	  "an older one kept as profile.profbpf.old)",
	  4 },
	{ "format", KEY_FORMAT, "NAME", 0,
	  "The format of every -o: capture, pprof, folded, speedscope, text, toon, json", 4 },
	{ "per-thread", KEY_PER_THREAD, NULL, 0, "Keep threads apart in every format", 4 },
	{ "verbose", 'v', NULL, 0, "Say more", 4 },
	{ "quiet", 'q', NULL, 0, "Say nothing but warnings and errors", 4 },
	{ "test-ring-bytes", KEY_TEST_RING, "N", OPTION_HIDDEN, NULL, 4 },
	{ "test-counters", KEY_TEST_COUNTERS, "N", OPTION_HIDDEN, NULL, 4 },
	{ "test-table-chunks", KEY_TEST_TABLES, "N", OPTION_HIDDEN, NULL, 4 },
	{ "test-ranges", KEY_TEST_RANGES, "N", OPTION_HIDDEN, NULL, 4 },
	{ "test-waits", KEY_TEST_WAITS, "N", OPTION_HIDDEN, NULL, 4 },
	{ "test-fail-after", KEY_TEST_FAIL, "SECONDS", OPTION_HIDDEN, NULL, 4 },
	{ 0 },
};

static const char doc[] =
	"Samples processes, a command or the machine until Ctrl-C, and writes a profile."
	"\v"
	"Extensions: .profbpf (capture), .pb.gz (pprof), .folded, .speedscope.json, .txt (table, or "
	"with --profile its report), .toon and .json (bottleneck report)\n"
	"\n"
	"Examples:\n"
	"  sudo profbpf --pid 1234 -d 10\n"
	"  sudo profbpf --pid 1234 -o app.pb.gz -o app.folded\n"
	"  sudo profbpf -F 99 --all -d 60 -o machine.profbpf\n"
	"  sudo profbpf --pid 1234 --debuginfod=http://debug.example.org:8002\n"
	"  sudo profbpf -o - --format folded -- ./app ARG | flamegraph.pl > a.svg\n"
	"  sudo profbpf --profile --profile-threshold 2.5 -- ./app ARG\n"
	"  sudo profbpf --profile --agent -- ./app ARG > run.toon\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 wrong usage, 3 a privilege or kernel feature is missing "
	"(see profbpf check); with a command, that of the command.";

/* While parsing. */
struct parsing {
	struct record_options *options;
	const char *format_name;
	const char **paths;
	size_t n_paths;
	bool rate_given;
};

/* Makes room for one more and a terminating NULL. */
static int append_string(const char ***list, size_t *n, const char *s)
{
	const char **grown = reallocarray(*list, *n + 2, sizeof(**list));

	if (!grown)
		return -ENOMEM;
	grown[(*n)++] = s;
	grown[*n] = NULL;
	*list = grown;
	return 0;
}

static int append_id(pid_t **list, size_t *n, pid_t id)
{
	pid_t *grown;

	for (size_t i = 0; i < *n; i++) {
		if ((*list)[i] == id)
			return 0;
	}
	grown = reallocarray(*list, *n + 1, sizeof(**list));
	if (!grown)
		return -ENOMEM;
	grown[(*n)++] = id;
	*list = grown;
	return 0;
}

static int parse_ids(const char *option, const char *text, pid_t **list, size_t *n)
{
	char *copy = strdup(text), *rest = copy, *part;
	uint64_t id;
	int err = copy ? 0 : -ENOMEM;

	while (err == 0 && (part = strsep(&rest, ",")) != NULL) {
		err = argument_number(option, part, 1, ID_MAX, &id);
		if (err == 0)
			err = append_id(list, n, (pid_t)id);
	}
	free(copy);
	return err;
}

static int parse_comm(struct parsing *p, const char *pattern)
{
	struct record_options *o = p->options;
	char shown[128], reason[128];
	int code;

	if (o->comm_pattern) {
		error("--comm: given twice: join the expressions as (A|B)");
		return -EINVAL;
	}
	code = regcomp(&o->comm, pattern, REG_EXTENDED | REG_NOSUB);
	if (code != 0) {
		regerror(code, &o->comm, reason, sizeof(reason));
		error("--comm: '%s' is no extended regular expression: %s",
		      printable(pattern, shown, sizeof(shown)), reason);
		return -EINVAL;
	}
	o->comm_pattern = pattern;
	return 0;
}

static int parse_yes_no(const char *option, const char *text, bool *value)
{
	char shown[64];

	if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) {
		error("%s: '%s' is neither yes nor no", option,
		      printable(text, shown, sizeof(shown)));
		return -EINVAL;
	}
	*value = text[0] == 'y';
	return 0;
}

static int parse_unsigned(const char *option, const char *text, unsigned int min, unsigned int max,
			  unsigned int *value)
{
	uint64_t number;
	int err = argument_number(option, text, min, max, &number);

	if (err == 0)
		*value = (unsigned int)number;
	return err;
}

static int parse_command(struct parsing *p, char *argument, struct argp_state *state)
{
	char shown[64];

	if (!state->quoted || state->next - 1 < state->quoted) {
		error("unexpected argument '%s': put -- before a command",
		      printable(argument, shown, sizeof(shown)));
		return -EINVAL;
	}
	p->options->command = &state->argv[state->next - 1];
	state->next = state->argc;
	return 0;
}

/* Options that say how to sample. */
static int parse_sampling(int key, const char *text, struct parsing *p)
{
	struct record_options *o = p->options;

	switch (key) {
	case 'F':
		p->rate_given = true;
		return parse_unsigned("--rate", text, 1, RATE_MAX, &o->rate);
	case 'd':
		if (argument_seconds("--duration", text, &o->duration_ns) < 0)
			return -EINVAL;
		if (o->duration_ns > 0)
			return 0;
		error("--duration: must be more than 0");
		return -EINVAL;
	case KEY_DELAY:
		return argument_seconds("--delay", text, &o->delay_ns);
	case KEY_MAX_DEPTH:
		return parse_unsigned("--max-depth", text, 1, DEPTH_MAX, &o->max_depth);
	case KEY_KERNEL:
		return parse_yes_no("--kernel", text, &o->kernel);
	case KEY_TEST_RING:
		return parse_unsigned("--test-ring-bytes", text, 1, 1U << 30, &o->test_ring_bytes);
	case KEY_TEST_COUNTERS:
		return parse_unsigned("--test-counters", text, 1, 1U << 24, &o->test_counters);
	case KEY_TEST_TABLES:
		return parse_unsigned("--test-table-chunks", text, 1, 1U << 24,
				      &o->test_table_chunks);
	case KEY_TEST_RANGES:
		return parse_unsigned("--test-ranges", text, 1, 1U << 16, &o->test_ranges);
	case KEY_TEST_WAITS:
		return parse_unsigned("--test-waits", text, 1, 1U << 16, &o->test_waits);
	case KEY_TEST_FAIL:
		return argument_seconds("--test-fail-after", text, &o->test_fail_after_ns);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Options that say what comes out. */
static int parse_output(int key, const char *text, struct parsing *p)
{
	struct record_options *o = p->options;

	switch (key) {
	case 'o':
		return append_string(&p->paths, &p->n_paths, text);
	case KEY_FORMAT:
		p->format_name = text;
		return 0;
	case KEY_PER_THREAD:
		o->per_thread = true;
		return 0;
	case 'v':
		message_set_level(MESSAGE_VERBOSE);
		return 0;
	case 'q':
		message_set_level(MESSAGE_QUIET);
		return 0;
	default:
		return parse_sampling(key, text, p);
	}
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct parsing *p = state->input;
	struct record_options *o = p->options;
	int err;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		state->child_inputs[0] = &o->contract;
		state->child_inputs[1] = &o->naming;
		return 0;
	case ARGP_KEY_ARG:
		err = parse_command(p, text, state);
		break;
	case 'p':
		err = parse_ids("--pid", text, &o->pids, &o->n_pids);
		break;
	case 'a':
		o->all = true;
		return 0;
	case KEY_NO_CHILDREN:
		o->children = false;
		return 0;
	case KEY_TID:
		err = parse_ids("--tid", text, &o->tids, &o->n_tids);
		break;
	case KEY_COMM:
		err = parse_comm(p, text);
		break;
	default:
		err = parse_output(key, text, p);
		break;
	}
	return err < 0 ? -err : err;
}

static int check_target(const struct record_options *o)
{
	if (o->n_pids == 0 && !o->all && !o->command) {
		error("no target: give --pid PID, --all or -- COMMAND");
		return -EINVAL;
	}
	if (o->n_pids > 0 && o->all) {
		error("--pid and --all exclude each other: give one of them");
		return -EINVAL;
	}
	if (o->n_pids > 0 && o->command) {
		error("--pid and -- COMMAND exclude each other: give one of them");
		return -EINVAL;
	}
	return 0;
}

/* The kernel's limit, RATE_MAX if it cannot be read. */
static unsigned int rate_limit(void)
{
	FILE *f = fopen(RATE_LIMIT_FILE, "re");
	unsigned int limit = RATE_MAX;

	if (!f)
		return RATE_MAX;
	if (fscanf(f, "%9u", &limit) != 1 || limit == 0)
		limit = RATE_MAX;
	fclose(f);
	return limit;
}

/* The report's rate is that of the clock. */
static int choose_rate(struct parsing *p)
{
	const struct contract_options *contract = &p->options->contract;

	if (!contract->cpu && p->options->report && p->options->rate > CONTRACT_MAX_RATE) {
		error("--rate: %u is more than the %u that a report in .toon or .json knows: lower it",
		      p->options->rate, CONTRACT_MAX_RATE);
		return -EINVAL;
	}
	if (!contract->cpu)
		return 0;
	if (p->rate_given) {
		error("--rate and --profile exclude each other: use --profile-rate");
		return -EINVAL;
	}
	p->options->rate = contract->rate;
	p->rate_given = contract->rate_given;
	return 0;
}

static int check_rate(struct parsing *p)
{
	struct record_options *o = p->options;
	unsigned int limit = rate_limit();

	if (o->rate <= limit)
		return 0;
	if (!p->rate_given) {
		warning("sampling at %u Hz, the kernel's limit: for more, run sysctl "
			"kernel.perf_event_max_sample_rate=%u",
			limit, o->rate);
		o->rate = limit;
		return 0;
	}
	error("%s: %u is above the kernel's limit of %u: lower it, or run sysctl "
	      "kernel.perf_event_max_sample_rate=%u",
	      o->contract.cpu ? "--profile-rate" : "--rate", o->rate, limit, o->rate);
	return -EINVAL;
}

static int add_output(struct record_options *o, const char *path, const char *format_name)
{
	char shown[256];
	enum output_format format;
	int err = argument_format(path, format_name, &format);

	if (err < 0)
		return err;
	if (o->contract.agent && output_path_is_stdout(path)) {
		error("-o %s: standard output is that of --agent alone: name a file",
		      printable(path, shown, sizeof(shown)));
		return -EINVAL;
	}
	for (size_t i = 0; i < o->n_outputs; i++) {
		if (strcmp(o->outputs[i].path, path) == 0) {
			error("-o %s: given twice", printable(path, shown, sizeof(shown)));
			return -EINVAL;
		}
	}
	o->outputs[o->n_outputs++] = (struct record_output){ .path = path, .format = format };
	o->report = o->report || output_format_is_report(format);
	return 0;
}

static int check_outputs(struct parsing *p)
{
	struct record_options *o = p->options;
	int err = 0;

	o->report = o->contract.cpu;
	o->outputs = calloc(p->n_paths + 1, sizeof(*o->outputs));
	if (!o->outputs)
		return -ENOMEM;
	if (p->n_paths == 0) {
		if (p->format_name) {
			error("--format: needs an output: give -o FILE");
			return -EINVAL;
		}
		/* The report is what is wanted, and no file. */
		if (o->contract.cpu)
			return 0;
		o->keep_old = true;
		return add_output(o, DEFAULT_CAPTURE, NULL);
	}
	for (size_t i = 0; i < p->n_paths && err == 0; i++)
		err = add_output(o, p->paths[i], p->format_name);
	return err;
}

int record_options_parse(int argc, char **argv, struct record_options **options)
{
	static const struct argp_child children[] = {
		{ &contract_record_argp, 0, NULL, 0 },
		{ &naming_argp, 0, NULL, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "TARGET",
		.doc = doc,
		.children = children,
	};
	struct parsing p = { .options = calloc(1, sizeof(*p.options)) };
	int err = -ENOMEM;

	if (!p.options)
		goto out;
	p.options->children = true;
	p.options->kernel = true;
	p.options->rate = RATE_DEFAULT;
	p.options->max_depth = DEPTH_DEFAULT;
	contract_options_init(&p.options->contract);
	err = -argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &p);
	if (err == 0)
		err = check_target(p.options);
	if (err == 0)
		err = check_outputs(&p);
	if (err == 0)
		err = contract_options_check(&p.options->contract, p.options->report,
					     p.options->command != NULL);
	if (err == 0)
		err = choose_rate(&p);
	if (err == 0)
		err = check_rate(&p);
out:
	free(p.paths);
	if (err == 0) {
		*options = p.options;
		return 0;
	}
	record_options_free(p.options);
	if (err == -ENOMEM) {
		error("out of memory");
		return EXIT_FAILED;
	}
	return EXIT_USAGE;
}

void record_options_free(struct record_options *options)
{
	if (!options)
		return;
	if (options->comm_pattern)
		regfree(&options->comm);
	free(options->pids);
	free(options->tids);
	free(options->outputs);
	naming_options_done(&options->naming);
	free(options);
}
