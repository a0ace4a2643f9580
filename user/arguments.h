/* SPDX-License-Identifier: BSD-2-Clause */
/* What the verbs' command lines have in common. Every failure is said in one line on stderr. */
#ifndef PROFBPF_ARGUMENTS_H
#define PROFBPF_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/output.h"

struct argp_state;

/* The capture that is written without -o and read without a file. */
#define DEFAULT_CAPTURE "profile.profbpf"

/*
 * Call at ARGP_KEY_INIT: argp then leaves the hint to --help out of its messages, so that each is
 * one line. With it argp_parse returns EINVAL for a wrong option instead of exiting.
 */
void argument_state_init(struct argp_state *state);

/* A decimal number, nothing around it, from min to max. Returns 0, -EINVAL or -ERANGE; quiet. */
int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* Seconds with an optional fraction ("2", "0.25"), in nanoseconds, up to ten years; as above. */
int seconds_parse(const char *text, uint64_t *ns);

/* The same for the value of an option; says what is wrong. Returns 0 or -EINVAL. */
int argument_number(const char *option, const char *text, uint64_t min, uint64_t max,
		    uint64_t *value);
int argument_seconds(const char *option, const char *text, uint64_t *ns);
/* Bytes up to max; K, M or G behind the number are 1024, its square and its cube. */
int argument_size(const char *option, const char *text, uint64_t max, uint64_t *bytes);
/* A percentage from 0 to 100. */
int argument_percent(const char *option, const char *text, double *percent);
/* A percentage from 0 to 100 with at most two decimals, in hundredths of a per cent. */
int argument_basis_points(const char *option, const char *text, unsigned int *points);

/*
 * The format for an output path; name is that of --format or NULL. Refuses "-" without a name and
 * binary formats for a terminal. Returns 0 or -EINVAL.
 */
int argument_format(const char *path, const char *name, enum output_format *format);

/* Says that an argument is one too many. Always -EINVAL. */
int argument_unexpected(const char *argument);

#endif
