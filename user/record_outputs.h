/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that a recording writes. */
#ifndef PROFBPF_RECORD_OUTPUTS_H
#define PROFBPF_RECORD_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

struct profile;
struct record_options;
struct record_outputs;
struct slice;

/*
 * Opens all outputs under temporary names, before anything is sampled. Says what fails and returns
 * an exit status then, else 0. The profile and the options must outlive the outputs.
 */
int record_outputs_open(const struct record_options *options, const struct profile *p,
			struct record_outputs **outputs);
/* Discards what is not finished. Accepts NULL. */
void record_outputs_free(struct record_outputs *o);

/* Appends what a drain brought to the captures. Says what fails; that output is given up. */
void record_outputs_slice(struct record_outputs *o, const struct slice *slice);

/* Writes the finished profile to all outputs. Returns an exit status: EXIT_FAILED if any failed. */
int record_outputs_finish(struct record_outputs *o);

/* Writes the profile as it is to FILE.N for each output file. Returns an exit status. */
int record_outputs_snapshot(struct record_outputs *o, unsigned int n);

#endif
