// SPDX-License-Identifier: BSD-2-Clause
#include "user/contract_options.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/contract/collector.h"
#include "user/arguments.h"
#include "user/message.h"

enum {
	KEY_PROFILE = 0x200,
	KEY_PROFILE_MEMORY,
	KEY_THRESHOLD,
	KEY_LIMIT,
	KEY_RATE,
	KEY_PROJECT_ROOT,
	KEY_AGENT,
	KEY_CAPTURE_LIMIT,
};

#define CAPTURE_LIMIT_DEFAULT (UINT64_C(16) << 20)
#define CAPTURE_LIMIT_MAX (UINT64_C(1) << 30)

#define THRESHOLD                                                                                  \
	"profile-threshold", KEY_THRESHOLD, "PERCENT", 0,                                          \
		"Smallest share of a bottleneck, with at most two decimals (5.00)"
#define LIMIT "profile-limit", KEY_LIMIT, "N", 0, "Bottlenecks at most, 1 to 100 (10)"
#define PROJECT_ROOT                                                                                   \
	"project-root", KEY_PROJECT_ROOT, "DIR", 0,                                                    \
		"Show paths relative to this folder, and none outside it (the source tree around the " \
		"current one)"

static const struct argp_option record_table[] = {
	{ NULL, 0, NULL, 0, "Bottleneck report (jett.profile.v1):", 6 },
	{ "profile", KEY_PROFILE, NULL, 0, "A report of CPU time, on standard error", 6 },
	{ "profile-memory", KEY_PROFILE_MEMORY, NULL, 0,
	  "A report of memory; not of running programs yet", 6 },
	{ THRESHOLD, 6 },
	{ LIMIT, 6 },
	{ "profile-rate", KEY_RATE, "HZ", 0, "Ticks a second, 1 to 1000 (1000)", 6 },
	{ PROJECT_ROOT, 6 },
	{ "agent", KEY_AGENT, NULL, 0,
	  "For programs: nothing but one TOON document on standard output, with the command's own output, "
	  "its report and what failed",
	  6 },
	{ "capture-limit", KEY_CAPTURE_LIMIT, "BYTES", 0,
	  "How much of each of the command's outputs --agent keeps, such as 65536 or 64K (16M)",
	  6 },
	{ 0 },
};

static const struct argp_option report_table[] = {
	{ THRESHOLD, 0 },
	{ LIMIT, 0 },
	{ PROJECT_ROOT, 0 },
	{ 0 },
};

static int parse_count(const char *option, const char *text, unsigned int max, unsigned int *count)
{
	uint64_t number;
	int err = argument_number(option, text, 1, max, &number);

	if (!err)
		*count = (unsigned int)number;
	return err;
}

/* One of another machine, or of a container, need not be there. */
static int check_folder(const char *path)
{
	char shown[512];
	struct stat st;
	int err = stat(path, &st) ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;

	if (!err || (err == ENOENT && path[0] == '/'))
		return 0;
	error("--project-root: %s: %s: name the folder that the sources are in",
	      printable(path, shown, sizeof(shown)), strerror(err));
	return -EINVAL;
}

static int parse_control(int key, char *text, struct contract_options *o)
{
	switch (key) {
	case KEY_THRESHOLD:
		o->control = "--profile-threshold";
		return argument_basis_points(o->control, text, &o->threshold);
	case KEY_LIMIT:
		o->control = "--profile-limit";
		return parse_count(o->control, text, CONTRACT_MAX_LIMIT, &o->limit);
	case KEY_RATE:
		o->control = "--profile-rate";
		o->rate_given = true;
		return parse_count(o->control, text, CONTRACT_MAX_RATE, &o->rate);
	default:
		o->project_root = text;
		return check_folder(text);
	}
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct contract_options *o = state->input;

	switch (key) {
	case KEY_PROFILE:
		o->cpu = true;
		return 0;
	case KEY_PROFILE_MEMORY:
		o->memory = true;
		return 0;
	case KEY_AGENT:
		o->agent = true;
		return 0;
	case KEY_CAPTURE_LIMIT:
		o->limit_given = true;
		return -argument_size("--capture-limit", text, CAPTURE_LIMIT_MAX,
				      &o->capture_limit);
	case KEY_THRESHOLD:
	case KEY_LIMIT:
	case KEY_RATE:
	case KEY_PROJECT_ROOT:
		return -parse_control(key, text, o);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp contract_record_argp = { .options = record_table, .parser = parse_option };
const struct argp contract_report_argp = { .options = report_table, .parser = parse_option };

void contract_options_init(struct contract_options *o)
{
	*o = (struct contract_options){
		.rate = CONTRACT_DEFAULT_RATE,
		.threshold = CONTRACT_DEFAULT_THRESHOLD,
		.limit = CONTRACT_DEFAULT_LIMIT,
		.capture_limit = CAPTURE_LIMIT_DEFAULT,
	};
}

static int check_agent(const struct contract_options *o, bool command)
{
	if (o->limit_given && !o->agent) {
		error("--capture-limit: needs --agent: give both");
		return -EINVAL;
	}
	if (!o->agent)
		return 0;
	if (!o->cpu && !o->memory) {
		error("--agent: needs --profile: give both");
		return -EINVAL;
	}
	if (!command) {
		error("--agent: needs a command to run: give -- COMMAND");
		return -EINVAL;
	}
	return 0;
}

int contract_options_check(const struct contract_options *o, bool report, bool command)
{
	if (o->cpu && o->memory) {
		error("--profile and --profile-memory exclude each other: give one of them");
		return -EINVAL;
	}
	if (o->memory && o->rate_given) {
		error("--profile-rate: memory is not sampled: leave it out");
		return -EINVAL;
	}
	if (o->control && !o->cpu && !o->memory) {
		error("%s: needs --profile: give both", o->control);
		return -EINVAL;
	}
	if (o->project_root && !o->cpu && !o->memory && !report) {
		error("--project-root: needs --profile, or an output that ends in .toon or .json");
		return -EINVAL;
	}
	return check_agent(o, command);
}
