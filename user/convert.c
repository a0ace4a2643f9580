// SPDX-License-Identifier: BSD-2-Clause
/* profbpf convert: a capture in another format. */
#include <argp.h>
#include <errno.h>
#include <string.h>

#include "formats/profile.h"
#include "user/arguments.h"
#include "user/input.h"
#include "user/message.h"
#include "user/output.h"
#include "user/verb.h"
#include "user/write_out.h"

#define DEPTH_DEFAULT 128U

enum {
	KEY_FORMAT = 0x100,
	KEY_PER_THREAD,
	KEY_MAX_DEPTH,
};

static const struct argp_option option_table[] = {
	{ "format", KEY_FORMAT, "NAME", 0,
	  "The format of OUT, needed for -: capture, pprof, folded, speedscope, text, toon, json",
	  0 },
	{ "per-thread", KEY_PER_THREAD, NULL, 0, "Keep threads apart in every format", 0 },
	{ "max-depth", KEY_MAX_DEPTH, "N", 0,
	  "Innermost frames of a stack that are written, 0 for all (128); a capture keeps all", 0 },
	{ 0 },
};

static const char doc[] =
	"Writes a capture in the format of OUT's extension: .profbpf, .pb.gz (pprof), .folded, "
	".speedscope.json, .txt (table), .toon or .json (bottleneck report). IN is profile.profbpf if only OUT is named; - is standard "
	"input or output."
	"\v"
	"Examples:\n"
	"  profbpf convert app.pb.gz\n"
	"  profbpf convert app.profbpf app.speedscope.json --per-thread\n"
	"  profbpf convert app.profbpf - --format folded | flamegraph.pl > app.svg\n";

struct convert {
	const char *names[2];
	unsigned int n_names;
	const char *format_name;
	struct output_options options;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct convert *c = state->input;
	uint64_t number;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		return 0;
	case ARGP_KEY_ARG:
		if (c->n_names == 2)
			return -argument_unexpected(text);
		c->names[c->n_names++] = text;
		return 0;
	case KEY_FORMAT:
		c->format_name = text;
		return 0;
	case KEY_PER_THREAD:
		c->options.per_thread = true;
		return 0;
	case KEY_MAX_DEPTH:
		if (argument_number("--max-depth", text, 0, UINT32_MAX, &number) < 0)
			return EINVAL;
		c->options.max_depth = (unsigned int)number;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int verb_convert(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "[IN] OUT",
		.doc = doc,
	};
	struct convert c = { .options = { .max_depth = DEPTH_DEFAULT } };
	const char *in = DEFAULT_CAPTURE, *out;
	enum output_format format;
	struct profile *p;
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &c) != 0)
		return EXIT_USAGE;
	if (c.n_names == 0) {
		error("no output: give profbpf convert [IN] OUT");
		return EXIT_USAGE;
	}
	if (c.n_names == 2)
		in = c.names[0];
	out = c.names[c.n_names - 1];
	if (argument_format(out, c.format_name, &format) < 0)
		return EXIT_USAGE;
	if (input_read(in, &p) < 0)
		return EXIT_FAILED;
	status = write_out(p, out, format, &c.options);
	profile_free(p);
	return status;
}
