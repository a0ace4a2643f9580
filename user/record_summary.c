// SPDX-License-Identifier: BSD-2-Clause
#include "user/record_summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "formats/accounting.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "user/capture/session.h"
#include "user/contract_events.h"
#include "user/message.h"
#include "user/naming.h"
#include "user/record_options.h"

#define SUMMARY_ROWS 15

static void note_losses(FILE *f, const struct profile_accounting *a)
{
	unsigned int i;

	for (i = 0; i < PROFILE_N_DROPS; i++) {
		if (a->dropped[i])
			fprintf(f, "%" PRIu64 " samples were dropped: %s; a lower --rate helps\n",
				a->dropped[i], profile_drop_text(i));
	}
	if (a->coalesced * 10 > a->requested)
		fprintf(f,
			"%.0f %% of the ticks came late or not at all: the machine can't keep up "
			"with this rate; a lower --rate helps\n",
			100.0 * a->coalesced / a->requested);
	if (a->requested != a->recorded + a->coalesced + accounting_dropped(a))
		fprintf(f, "the accounting does not add up: this is a fault of profbpf\n");
	if (a->lost_records)
		fprintf(f, "%" PRIu64 " mapping records were lost: some frames may be unnamed\n",
			a->lost_records);
	if (a->lost_events)
		fprintf(f, "%" PRIu64 " process events were lost: some processes may be missing\n",
			a->lost_events);
	if (a->unopened_objects)
		fprintf(f, "%" PRIu64 " files could not be opened: their frames have no names\n",
			a->unopened_objects);
}

/* A line for each object whose frames are walked by their frame pointers, however they are built. */
static void note_degraded(FILE *f, const struct session *s, bool damaged)
{
	char shown[512], *paths = session_degraded(s, damaged), *save = NULL, *path;

	for (path = paths ? strtok_r(paths, "\n", &save) : NULL; path;
	     path = strtok_r(NULL, "\n", &save))
		fprintf(f, "%s: its unwind %s: its stacks are walked by frame pointers\n",
			printable(path, shown, sizeof(shown)),
			damaged ? "data are damaged" : "table found no room in the kernel");
	free(paths);
}

int record_notes(const struct profile *p, const struct session *s,
		 const struct naming_result *names, char **notes)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return -ENOMEM;
	note_losses(f, profile_accounting(p));
	if (session_lost_targets(s))
		fprintf(f,
			"%" PRIu64 " child processes were not followed: the table of processes "
			"was full; --all has no such limit\n",
			session_lost_targets(s));
	if (session_failed(s))
		fprintf(f,
			"the kernel stopped running the sampling programs: the numbers are of what came "
			"before; record again\n");
	if (session_lost_waits(s))
		fprintf(f,
			"%" PRIu64
			" times a thread that waits found no room in the kernel's table: the "
			"times of waiting and running are not known\n",
			session_lost_waits(s));
	note_degraded(f, s, false);
	note_degraded(f, s, true);
	if (session_unlisted(s))
		fprintf(f,
			"%" PRIu64
			" times the mappings of a process, or one of its files, found no "
			"room in the kernel: each of their stacks costs more, and a file's is walked "
			"by frame pointers\n",
			session_unlisted(s));
	if (names->kernel_hidden)
		fprintf(f, "kernel functions are unnamed: their addresses are hidden; "
			   "sysctl kernel.kptr_restrict=1 and CAP_SYSLOG show them\n");
	if (fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	*notes = text;
	return 0;
}

static void say_notes(const char *notes)
{
	while (*notes) {
		size_t length = strcspn(notes, "\n");

		warning("%.*s", (int)length, notes);
		notes += length + (notes[length] == '\n');
	}
}

static void print_table(const struct profile *p)
{
	struct winsize size;
	struct table_options options = {
		.by = TABLE_FUNCTION,
		.top = SUMMARY_ROWS,
		.width = 100,
		.color = isatty(STDERR_FILENO) && !getenv("NO_COLOR"),
	};

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		options.width = size.ws_col;
	fflush(stderr);
	table_write(p, &options, stderr);
	fflush(stderr);
}

/* What to do with the first file that was written. */
static void say_next(const struct record_options *o)
{
	static const char *const commands[] = {
		[OUTPUT_CAPTURE] = "profbpf report %s",
		[OUTPUT_PPROF] = "go tool pprof -http=127.0.0.1:0 %s",
		[OUTPUT_FOLDED] = "flamegraph.pl %s > flame.svg",
		[OUTPUT_SPEEDSCOPE] = "speedscope %s",
		[OUTPUT_TABLE] = "less %s",
		[OUTPUT_TOON] = "less %s",
		[OUTPUT_JSON] = "jq .profile %s",
	};
	char shown[512], command[600];
	size_t i;

	for (i = 0; i < o->n_outputs; i++) {
		if (!strcmp(o->outputs[i].path, "-"))
			continue;
		printable(o->outputs[i].path, shown, sizeof(shown));
		snprintf(command, sizeof(command), commands[o->outputs[i].format], shown);
		note("next: %s", command);
		return;
	}
}

static void say_closing(const struct profile *p, const struct record_options *o)
{
	const struct profile_accounting *a = profile_accounting(p);
	char shown[512], stolen[32] = "", *files = NULL;
	size_t size, i;
	FILE *f = open_memstream(&files, &size);

	if (!f)
		return;
	if (a->stolen)
		snprintf(stolen, sizeof(stolen), ", %" PRIu64 " stolen", a->stolen);
	for (i = 0; i < o->n_outputs; i++)
		fprintf(f, "%s%s", i ? ", " : "",
			printable(o->outputs[i].path, shown, sizeof(shown)));
	fclose(f);
	if (o->contract.cpu) /* whose numbers hold waiting too */
		note("wrote %s", files);
	else
		note("%" PRIu64 " samples in %.1f s: %" PRIu64 " ticks requested = %" PRIu64
		     " recorded + %" PRIu64 " coalesced + %" PRIu64 " dropped (and %" PRIu64
		     " of others, %" PRIu64 " idle%s); wrote %s",
		     a->recorded, profile_config(p)->duration_ns / 1e9, a->requested, a->recorded,
		     a->coalesced, accounting_dropped(a), a->other, a->idle, stolen, files);
	free(files);
}

/* It is what was asked for: --quiet leaves it out only where it is in a file. */
static int print_report(const struct profile *p, const struct record_options *o)
{
	int err = 0;

	say_notes(profile_config(p)->notes);
	fflush(stderr);
	/* It has the report in its document. */
	if (o->contract.agent)
		return 0;
	if (message_level() > MESSAGE_QUIET || o->n_outputs == 0)
		err = contract_write(p, &o->contract, CONTRACT_FORM_HUMAN, stderr);
	if (err)
		error("cannot write the report to standard error: %s", strerror(-err));
	return o->n_outputs == 0 ? err : 0;
}

int record_summary(const struct profile *p, const struct record_options *o, bool written)
{
	int err = 0;

	progress_clear();
	/* The table has the notes in its head. */
	if (o->contract.cpu)
		err = print_report(p, o);
	else if (message_level() > MESSAGE_QUIET)
		print_table(p);
	else
		say_notes(profile_config(p)->notes);
	if (written && o->n_outputs > 0) {
		say_closing(p, o);
		say_next(o);
	}
	return err;
}
