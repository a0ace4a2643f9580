/* SPDX-License-Identifier: BSD-2-Clause */
/* What a recording says at its end. */
#ifndef PROFBPF_RECORD_SUMMARY_H
#define PROFBPF_RECORD_SUMMARY_H

#include <stdbool.h>

struct naming_result;
struct profile;
struct record_options;
struct session;

/*
 * The warnings that belong to the profile, a line each, in a new string that the caller frees.
 * 0 or -ENOMEM.
 */
int record_notes(const struct profile *p, const struct session *s,
		 const struct naming_result *names, char **notes);

/* The table of the hottest functions, or with --profile its report; the notes, the closing line and the next
 * command. -errno if a report that is in no file was not made. */
int record_summary(const struct profile *p, const struct record_options *options, bool written);

#endif
