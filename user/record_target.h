/* SPDX-License-Identifier: BSD-2-Clause */
/* What is recorded. */
#ifndef PROFBPF_RECORD_TARGET_H
#define PROFBPF_RECORD_TARGET_H

struct record_options;

/* Whether it is there, and can be profiled as is asked. Says why not; 0 or an exit status. */
int record_target_check(const struct record_options *o);
/* For people: "pid 12,13", "command make -j4", "all". The caller frees it; NULL when out of memory. */
char *record_target_describe(const struct record_options *o);

#endif
