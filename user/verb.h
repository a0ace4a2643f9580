/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs: a table in main.c, one file each. */
#ifndef PROFBPF_VERB_H
#define PROFBPF_VERB_H

/* Exit statuses, as documented. */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_UNSUPPORTED = 3, /* a privilege or kernel feature is missing */
};

struct verb {
	const char *name;
	const char *summary; /* for --help */
	/* argv[0] is "profbpf VERB". Parses its own arguments with argp; returns an exit status. */
	int (*run)(int argc, char **argv);
};

int verb_record(int argc, char **argv);
int verb_report(int argc, char **argv);
int verb_dump(int argc, char **argv);
int verb_convert(int argc, char **argv);
int verb_merge(int argc, char **argv);
int verb_replay(int argc, char **argv);
int verb_check(int argc, char **argv);

#endif
