// SPDX-License-Identifier: BSD-2-Clause
/* The program: finds the verb and runs it. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/message.h"
#include "user/verb.h"

static const struct verb verbs[] = {
	{ "record", "profile a process, a command or the machine (the default)", verb_record },
	{ "report", "print where the time went", verb_report },
	{ "dump", "print the stacks of a live process's threads", verb_dump },
	{ "convert", "turn a capture into another format", verb_convert },
	{ "merge", "add captures up", verb_merge },
	{ "replay", "the bottleneck report of a runtime's event file", verb_replay },
	{ "check", "tell whether this machine and user can profile", verb_check },
};

#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const char help_head[] =
	"Usage: profbpf [record] TARGET [OPTION...]\n"
	"  or:  profbpf VERB [OPTION...]\n"
	"\n"
	"Samples what programs do, from inside the kernel, without stopping or changing them.\n"
	"\n"
	"Verbs:\n";

static const char help_tail[] =
	"\n"
	"Examples:\n"
	"  sudo profbpf --pid 1234                      until Ctrl-C, into profile.profbpf\n"
	"  sudo profbpf --pid 1234 -d 10 -o app.pb.gz   ten seconds, for go tool pprof\n"
	"  sudo profbpf -o build.folded -- make -j4     a command and all its children\n"
	"  sudo profbpf --all -d 30                     the whole machine\n"
	"  profbpf report --by line                     read profile.profbpf\n"
	"  profbpf report --source parse_line           counts beside the source of a function\n"
	"  sudo profbpf dump 1234                       what its threads are doing now\n"
	"  profbpf convert profile.profbpf app.speedscope.json\n"
	"  profbpf check                                what is missing here, if anything\n"
	"\n"
	"profbpf VERB --help tells the options of a verb.\n";

static void print_help(void)
{
	fputs(help_head, stdout);
	for (size_t i = 0; i < N_VERBS; i++)
		printf("  %-9s %s\n", verbs[i].name, verbs[i].summary);
	fputs(help_tail, stdout);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < N_VERBS; i++) {
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	}
	return NULL;
}

/*
 * A descriptor that the caller closed would be given to the next file opened, and messages would
 * end up in a profile. The wrong access mode makes use of it fail as if it were closed.
 */
static void occupy_standard_descriptors(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", modes[fd]) != fd)
			_exit(EXIT_FAILED);
	}
}

/* Room for all of a --help: a write that fails before the last one leaves no cause to be told. */
static void buffer_stdout(void)
{
	static char buf[64 << 10];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, buf, _IOFBF, sizeof(buf));
}

/* Runs at every exit, that of --help included: output that was not written is a failure. */
static void close_stdout(void)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) != 0)
		failed = true;
	if (!failed)
		return;
	error("cannot write to standard output: %s", strerror(errno ? errno : EIO));
	_exit(EXIT_FAILED);
}

static int run_verb(const struct verb *verb, int argc, char **argv, bool named)
{
	char name[32];
	int skip = named ? 1 : 0;

	snprintf(name, sizeof(name), named ? "profbpf %s" : "profbpf", verb->name);
	argv[skip] = name;
	return verb->run(argc - skip, argv + skip);
}

int main(int argc, char **argv)
{
	static char program[] = "profbpf";
	static char *no_arguments[] = { program, NULL };
	const struct verb *verb = NULL;
	char shown[64];

	occupy_standard_descriptors();
	signal(SIGPIPE, SIG_IGN);
	/* A script's background commands start with it ignored, and are stopped with it all the same. */
	signal(SIGINT, SIG_DFL);
	buffer_stdout();
	atexit(close_stdout);
	argp_err_exit_status = EXIT_USAGE;
	argp_program_version = "profbpf " PROFBPF_VERSION;

	if (argc < 2)
		return verb_record(1, no_arguments);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
		print_help();
		return EXIT_DONE;
	}
	verb = find_verb(argv[1]);
	if (verb)
		return run_verb(verb, argc, argv, true);
	if (argv[1][0] != '-') {
		error("unknown verb '%s': see profbpf --help; to profile a command, put -- before it",
		      printable(argv[1], shown, sizeof(shown)));
		return EXIT_USAGE;
	}
	return run_verb(find_verb("record"), argc, argv, false);
}
