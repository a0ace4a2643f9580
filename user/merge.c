// SPDX-License-Identifier: BSD-2-Clause
/* profbpf merge: several captures added up. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "formats/profile.h"
#include "user/arguments.h"
#include "user/input.h"
#include "user/message.h"
#include "user/output.h"
#include "user/verb.h"
#include "user/write_out.h"

enum { KEY_FORMAT = 0x100 };

static const struct argp_option option_table[] = {
	{ "format", KEY_FORMAT, "NAME", 0,
	  "The format of OUT, needed for -: capture, pprof, folded, speedscope, text", 0 },
	{ 0 },
};

static const char doc[] =
	"Adds captures up and writes the sum to OUT, in the format of its extension. They must "
	"count the same things. Captures of different rates may be merged: CPU time adds up, "
	"while numbers of samples then mix samples of different weight."
	"\v"
	"Example:\n"
	"  profbpf merge all.profbpf monday.profbpf tuesday.profbpf\n";

struct merge {
	char **names; /* OUT and the inputs, as they stand in the sorted arguments */
	int n_names;
	const char *format_name;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct merge *m = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		return 0;
	case ARGP_KEY_ARGS:
		m->names = state->argv + state->next;
		m->n_names = state->argc - state->next;
		return 0;
	case KEY_FORMAT:
		m->format_name = text;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int add_capture(struct profile *sum, const char *path, bool *mixed)
{
	struct profile *p;
	char shown[512];
	int err = input_read(path, &p);

	if (err < 0)
		return err;
	if (profile_config(p)->period_ns != profile_config(sum)->period_ns)
		*mixed = true;
	err = profile_merge(sum, p);
	profile_free(p);
	if (err == -EINVAL)
		error("%s: counts other things than the first capture: merge captures of one kind",
		      printable(path, shown, sizeof(shown)));
	else if (err < 0)
		error("%s: %s", printable(path, shown, sizeof(shown)), strerror(-err));
	return err;
}

static int merge_into(const struct merge *m, const char *out, enum output_format format)
{
	static const struct output_options options;
	struct profile *sum;
	bool mixed = false;
	int err = input_read(m->names[1], &sum), status = EXIT_FAILED;

	if (err < 0)
		return EXIT_FAILED;
	for (int i = 2; i < m->n_names && err == 0; i++)
		err = add_capture(sum, m->names[i], &mixed);
	if (mixed)
		warning("the captures were sampled at different rates: compare CPU time, not "
			"numbers of samples");
	if (err == 0)
		status = write_out(sum, out, format, &options);
	profile_free(sum);
	return status;
}

int verb_merge(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "OUT IN IN...",
		.doc = doc,
	};
	struct merge m = { 0 };
	enum output_format format;

	if (argp_parse(&argp, argc, argv, 0, NULL, &m) != 0)
		return EXIT_USAGE;
	/* With one input, "merge a b" would replace a by b where the output was forgotten. */
	if (m.n_names < 3) {
		error("give an output and at least two captures: profbpf merge OUT IN IN...");
		return EXIT_USAGE;
	}
	if (argument_format(m.names[0], m.format_name, &format) < 0)
		return EXIT_USAGE;
	return merge_into(&m, m.names[0], format);
}
