/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a run as JSON values, in an event file and on a run channel alike. */
#ifndef PROFBPF_CONTRACT_RUN_READ_H
#define PROFBPF_CONTRACT_RUN_READ_H

#include <jansson.h>

struct complaint;
struct run;
struct run_debug;
struct run_log;
struct run_origin;

/*
 * Each fills in what is zeroed before; the texts stay in the JSON value. They return 0, -EBADMSG with a
 * complaint, or -ENOMEM; what has been read until then is to be cleared in any case.
 */
int run_read_origin(json_t *value, struct run_origin *origin, struct complaint *c);
int run_read_debug(json_t *value, struct run_debug *row, struct complaint *c);
int run_read_log(json_t *value, struct run_log *log, struct complaint *c);

/* Free the lists, not the texts. */
void run_log_clear(struct run_log *log);
void run_clear(struct run *run);

#endif
