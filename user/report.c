// SPDX-License-Identifier: BSD-2-Clause
/* profbpf report: the table of a capture. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/listing.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "user/arguments.h"
#include "user/input.h"
#include "user/message.h"
#include "user/output.h"
#include "user/report_contract.h"
#include "user/report_listing.h"
#include "user/verb.h"

#define TOP_DEFAULT 40U
#define TREE_LIMIT_DEFAULT 1.0

enum {
	KEY_BY = 0x100,
	KEY_TREE,
	KEY_TOP,
	KEY_PERCENT_LIMIT,
	KEY_JSON,
	KEY_MAX_DEPTH,
	KEY_UNWIND,
	KEY_LINES,
	KEY_SOURCE,
	KEY_SOURCE_DIR,
	KEY_ASM,
	KEY_CONTRACT,
	KEY_FORMAT,
};

static const struct argp_option option_table[] = {
	{ "by", KEY_BY, "WHAT", 0,
	  "A row for each: function (the default), line, thread, process, object", 0 },
	{ "tree", KEY_TREE, NULL, 0, "A call tree instead of a flat table", 0 },
	{ "top", KEY_TOP, "N", 0, "Rows at most, 0 for all (40; with --tree or --json all)", 0 },
	{ "percent-limit", KEY_PERCENT_LIMIT, "P", 0,
	  "Leave out rows with a smaller cumulative share (0; with --tree 1)", 0 },
	{ "max-depth", KEY_MAX_DEPTH, "N", 0, "Innermost frames that the tree shows, 0 for all",
	  0 },
	{ "unwind", KEY_UNWIND, NULL, 0,
	  "How complete the stacks are instead: the share that reached the root, why and in which "
	  "object the others end, and the share of frames found by a guess",
	  0 },
	{ "lines", KEY_LINES, NULL, 0, "The hot lines: a row for each place in the source", 0 },
	{ "source", KEY_SOURCE, "FUNCTION", 0,
	  "The source of a function with counts beside each line. FUNCTION is its name, else a part of "
	  "names; several are shown one after another",
	  0 },
	{ "source-dir", KEY_SOURCE_DIR, "DIR", 0,
	  "Where --source looks first: a folder of the source tree, wherever it was when it was compiled",
	  0 },
	{ "asm", KEY_ASM, "FUNCTION", 0,
	  "The instructions of a function with counts, by binutils' or LLVM's objdump", 0 },
	{ "contract", KEY_CONTRACT, NULL, 0,
	  "The bottleneck report (jett.profile.v1): as text, as JSON with --json, or in the form that "
	  "--format or the extension of --output names",
	  0 },
	{ "format", KEY_FORMAT, "NAME", 0, "The form of --contract: text, toon, json", 0 },
	{ "json", KEY_JSON, NULL, 0, "JSON for programs", 0 },
	{ "output", 'o', "FILE", 0, "Write there instead of standard output", 0 },
	{ 0 },
};

static const char doc[] =
	"Prints where the time went. FILE is a capture, profile.profbpf if none "
	"is named, - for standard input."
	"\v"
	"In a tree a ? behind a name says that some stack has the frame by a guess: "
	"from the frame pointer or what the code does, where it has no unwind table.\n"
	"\n"
	"Beside a line or an instruction, self is the time in it, cum that and the time in what it "
	"calls. The text of a source file is shown if it is what was compiled: its MD5 checksum is "
	"compared where the debug data have one (DWARF 5), else it may not be newer than the program "
	"without a note. It is looked for below --source-dir, at the path that the debug data name, "
	"and in the current folder. Instructions are shown of a file with the build id that was "
	"profiled.\n"
	"\n"
	"Examples:\n"
	"  profbpf report\n"
	"  profbpf report app.profbpf --by line --top 20\n"
	"  profbpf report app.profbpf --tree --percent-limit 5\n"
	"  profbpf report app.profbpf --lines\n"
	"  profbpf report app.profbpf --source parse_line --source-dir ~/src/app\n"
	"  profbpf report app.profbpf --asm parse_line\n"
	"  profbpf report app.profbpf --unwind\n"
	"  profbpf report app.profbpf --contract --profile-limit 3 --format toon\n";

struct report {
	const char *input, *output;
	struct table_options table;
	bool top_given, limit_given, by_given, depth_given, unwind, lines;
	const char *source, *folder, *assembly;
	struct listing *listing; /* of source */
	struct report_asm *code; /* of assembly */
	struct report_contract contract;
};

static int parse_by(const char *text, enum table_by *by)
{
	static const struct {
		const char *name;
		enum table_by by;
	} kinds[] = {
		{ "function", TABLE_FUNCTION }, { "line", TABLE_LINE },
		{ "thread", TABLE_THREAD },	{ "process", TABLE_PROCESS },
		{ "object", TABLE_OBJECT },
	};
	char shown[64];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(text, kinds[i].name) == 0) {
			*by = kinds[i].by;
			return 0;
		}
	}
	error("--by: '%s' is none of function, line, thread, process, object",
	      printable(text, shown, sizeof(shown)));
	return -EINVAL;
}

static int parse_count(const char *option, const char *text, unsigned int *count)
{
	uint64_t number;
	int err = argument_number(option, text, 0, UINT32_MAX, &number);

	if (err == 0)
		*count = (unsigned int)number;
	return err;
}

static int parse_function(const char *option, const char *text)
{
	if (*text)
		return 0;
	error("%s: the name of the function is missing", option);
	return -EINVAL;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct report *r = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		argument_state_init(state);
		state->child_inputs[0] = &r->contract.options;
		return 0;
	case ARGP_KEY_ARG:
		if (r->input)
			return -argument_unexpected(text);
		r->input = text;
		return 0;
	case KEY_BY:
		r->by_given = true;
		return -parse_by(text, &r->table.by);
	case KEY_TREE:
		r->table.tree = true;
		return 0;
	case KEY_TOP:
		r->top_given = true;
		return -parse_count("--top", text, &r->table.top);
	case KEY_PERCENT_LIMIT:
		r->limit_given = true;
		return -argument_percent("--percent-limit", text, &r->table.percent_limit);
	case KEY_MAX_DEPTH:
		r->depth_given = true;
		return -parse_count("--max-depth", text, &r->table.max_depth);
	case KEY_UNWIND:
		r->unwind = true;
		return 0;
	case KEY_LINES:
		r->lines = true;
		return 0;
	case KEY_SOURCE:
		r->source = text;
		return -parse_function("--source", text);
	case KEY_SOURCE_DIR:
		r->folder = text;
		return 0;
	case KEY_ASM:
		r->assembly = text;
		return -parse_function("--asm", text);
	case KEY_CONTRACT:
		r->contract.wanted = true;
		return 0;
	case KEY_FORMAT:
		r->contract.format_name = text;
		return 0;
	case KEY_JSON:
		r->table.json = true;
		return 0;
	case 'o':
		r->output = text;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The options that say how much of a table is shown, of kinds of report that are none. */
static int check_numbers(const struct report *r, const char *kind)
{
	const char *option = r->top_given     ? "top"
			     : r->limit_given ? "percent-limit"
			     : r->depth_given ? "max-depth"
					      : NULL;

	if (r->contract.wanted && option) {
		error("--contract has no --%s: use --profile-limit or --profile-threshold", option);
		return -EINVAL;
	}
	if (r->table.json)
		option = "json";
	if ((r->source || r->assembly) && option) {
		error("%s is a listing for people: it has no --%s", kind, option);
		return -EINVAL;
	}
	return 0;
}

/* What kind of report an option asks for, and what does not go with it. */
static int check_options(const struct report *r)
{
	const char *table = r->table.tree ? "--tree" : r->by_given ? "--by" : NULL;
	const char *kinds[] = { r->lines ? "--lines" : NULL, r->source ? "--source" : NULL,
				r->assembly ? "--asm" : NULL, r->unwind ? "--unwind" : NULL,
				r->contract.wanted ? "--contract" : NULL };
	const char *kind = NULL;
	char shown[512];
	struct stat st;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kind && kinds[i]) {
			error("%s and %s are two reports: ask for one", kind, kinds[i]);
			return -EINVAL;
		}
		kind = kind ? kind : kinds[i];
	}
	if (table && kind && !r->unwind) {
		error("%s and %s are two reports: ask for one", table, kind);
		return -EINVAL;
	}
	if (r->folder && !r->source) {
		error("--source-dir is for --source FUNCTION");
		return -EINVAL;
	}
	if (r->folder && (stat(r->folder, &st) < 0 || !S_ISDIR(st.st_mode))) {
		error("--source-dir: %s is not a folder",
		      printable(r->folder, shown, sizeof(shown)));
		return -EINVAL;
	}
	return check_numbers(r, kind);
}

static void set_defaults(struct report *r)
{
	if (r->lines) {
		r->table.by = TABLE_LINE;
		r->table.places = true;
	}
	if (!r->input)
		r->input = DEFAULT_CAPTURE;
	if (!r->output)
		r->output = "-";
	if (!r->top_given && !r->table.tree && !r->table.json)
		r->table.top = TOP_DEFAULT;
	if (!r->limit_given && r->table.tree && !r->table.json)
		r->table.percent_limit = TREE_LIMIT_DEFAULT;
}

/* Names are cut and coloured for people only: not in files, pipes or JSON. */
static void fit_terminal(struct table_options *table, const struct output *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (table->json || !output_is_terminal(out, &table->width))
		return;
	table->color = !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

static int write_report(struct report *r, const struct profile *p)
{
	struct output *out;
	int err = output_open(r->output, false, &out);

	if (err < 0)
		return err;
	fit_terminal(&r->table, out);
	if (r->contract.wanted)
		err = report_contract_write(&r->contract, p, output_stream(out));
	else if (r->listing)
		err = report_source_write(p, r->listing, r->folder, &r->table, output_stream(out));
	else if (r->code)
		err = report_asm_write(r->code, &r->table, output_stream(out));
	else if (r->unwind)
		err = table_write_unwind(p, &r->table, output_stream(out));
	else
		err = table_write(p, &r->table, output_stream(out));
	if (err < 0) {
		output_discard(out);
		return err;
	}
	return output_commit(out);
}

/* What can fail because of the profile, before the output is touched. Says what. An exit status. */
static int find_listing(struct report *r, const struct profile *p)
{
	int err;

	if (r->assembly)
		return report_asm_new(p, r->assembly, &r->code);
	if (!r->source)
		return EXIT_DONE;
	err = report_source_find(p, r->source, &r->listing);
	if (err == -ENOMEM)
		error("%s", strerror(ENOMEM));
	return err ? EXIT_FAILED : EXIT_DONE;
}

static int report(struct report *r, const struct profile *p)
{
	int status = find_listing(r, p), err;

	if (status != EXIT_DONE)
		return status;
	output_discard_on_signals();
	err = write_report(r, p);
	listing_free(r->listing);
	report_asm_free(r->code);
	if (err < 0) {
		output_say_failed(r->output, err);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

int verb_report(int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &contract_report_argp, 0, NULL, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "[FILE]",
		.doc = doc,
		.children = children,
	};
	struct report r = { .table = { .by = TABLE_FUNCTION } };
	struct profile *p;
	int status;

	contract_options_init(&r.contract.options);
	if (argp_parse(&argp, argc, argv, 0, NULL, &r) != 0 || check_options(&r) < 0)
		return EXIT_USAGE;
	set_defaults(&r);
	if (report_contract_check(&r.contract, r.output, r.table.json) < 0)
		return EXIT_USAGE;
	if (input_read(r.input, &p) < 0)
		return EXIT_FAILED;
	status = report(&r, p);
	profile_free(p);
	return status;
}
