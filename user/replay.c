// SPDX-License-Identifier: BSD-2-Clause
/* profbpf replay: the contract's report of an event file. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "formats/contract/events.h"
#include "formats/contract/render.h"
#include "formats/contract/report.h"
#include "formats/contract/run.h"
#include "user/arguments.h"
#include "user/input.h"
#include "user/message.h"
#include "user/verb.h"
#include "user/workers.h"

enum {
	KEY_FORMAT = 0x100,
	KEY_AGENT,
	KEY_HUMAN,
};

static const struct argp_option option_table[] = {
	{ "format", KEY_FORMAT, "NAME", 0, "The form of the profile: toon (the default) or json",
	  0 },
	{ "agent", KEY_AGENT, NULL, 0,
	  "The whole envelope of the run instead: its output, logs, profile and failure, as TOON",
	  0 },
	{ "human", KEY_HUMAN, NULL, 0, "A report for people instead", 0 },
	{ 0 },
};

static const char doc[] =
	"Adds up the events of a file (profbpf.events.v1, - for standard input) and prints the profile "
	"jett.profile.v1. The same events give the same bytes everywhere."
	"\v"
	"Examples:\n"
	"  profbpf replay run.jsonl\n"
	"  profbpf replay run.jsonl --format json | jq .profile.totals\n"
	"  profbpf replay run.jsonl --human\n";

enum form { FORM_TOON, FORM_JSON, FORM_HUMAN, FORM_AGENT };

struct replay {
	const char *input;
	enum form form;
	unsigned int forms; /* how many were asked for */
};

static int choose(struct replay *r, enum form form)
{
	r->form = form;
	if (r->forms++ == 0)
		return 0;
	error("--format, --agent and --human: give one of them, once");
	return -EINVAL;
}

static int parse_format(struct replay *r, const char *name)
{
	char shown[64];

	if (strcmp(name, "toon") == 0)
		return choose(r, FORM_TOON);
	if (strcmp(name, "json") == 0)
		return choose(r, FORM_JSON);
	error("--format: '%s' is neither toon nor json", printable(name, shown, sizeof(shown)));
	return -EINVAL;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct replay *r = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		return 0;
	case ARGP_KEY_ARG:
		if (r->input)
			return -argument_unexpected(text);
		r->input = text;
		return 0;
	case KEY_FORMAT:
		return -parse_format(r, text);
	case KEY_AGENT:
		return -choose(r, FORM_AGENT);
	case KEY_HUMAN:
		return -choose(r, FORM_HUMAN);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_events(const char *path, struct events **events)
{
	struct events_error wrong = { 0 };
	char shown[512];
	FILE *file = NULL;
	int err = input_open(path, &file);

	if (err == 0) {
		err = events_read(file, workers_processors() - 1, events, &wrong);
		if (file != stdin)
			fclose(file);
	}
	if (strcmp(path, "-") == 0)
		path = "standard input";
	path = printable(path, shown, sizeof(shown));
	if (err == -EBADMSG)
		error("%s: line %" PRIu64 ": %s", path, wrong.line, wrong.text);
	else if (err < 0)
		error("%s: %s", path, strerror(-err));
	return err;
}

static int write_form(enum form form, const struct events *events,
		      const struct contract_report *report)
{
	switch (form) {
	case FORM_JSON:
		return contract_write_json(report, stdout);
	case FORM_HUMAN:
		return contract_write_human(report, stdout);
	case FORM_AGENT:
		return run_write(events_run(events), report, stdout);
	default:
		return contract_write_toon(report, stdout);
	}
}

static int print_report(const struct replay *r, const struct events *events)
{
	struct contract_report *report = NULL;
	int err;

	if (r->form == FORM_AGENT && !events_run(events)) {
		error("--agent: the file's end has no run: leave the option out");
		return EXIT_USAGE;
	}
	err = report_make(events_collector(events), &report);
	if (!err)
		err = write_form(r->form, events, report);
	report_free(report);
	/* What standard output does not take is said when it is closed. */
	if (err == -ENOMEM)
		error("%s", strerror(ENOMEM));
	return err ? EXIT_FAILED : EXIT_DONE;
}

int verb_replay(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "FILE",
		.doc = doc,
	};
	struct replay r = { .form = FORM_TOON };
	struct events *events = NULL;
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &r) != 0)
		return EXIT_USAGE;
	if (!r.input) {
		error("no events: give profbpf replay FILE");
		return EXIT_USAGE;
	}
	if (read_events(r.input, &events) < 0)
		return EXIT_FAILED;
	status = print_report(&r, events);
	events_free(events);
	return status;
}
