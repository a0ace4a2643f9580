/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of where names come from and how they look, for the verbs that name places. */
#ifndef PROFBPF_NAMING_OPTIONS_H
#define PROFBPF_NAMING_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "symbolize/symbolize.h"

/* Strings point into the arguments and the environment. */
struct naming_options {
	const char **debug_dirs; /* NULL-terminated; NULL if none was given */
	size_t n_debug_dirs;
	bool full_names;
	const char *servers; /* of debuginfod; NULL: none is asked */
	bool servers_wanted;
};

/* A child of a verb's argp; its input is a struct naming_options, all zero at first. */
extern const struct argp naming_argp;

/* What naming_run takes; valid as long as the options. */
struct symbolizer_options naming_options_symbolizer(const struct naming_options *options);
/* Frees what the options hold. */
void naming_options_done(struct naming_options *options);

#endif
