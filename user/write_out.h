/* SPDX-License-Identifier: BSD-2-Clause */
/* The last step of the verbs that read captures and write one file. */
#ifndef PROFBPF_WRITE_OUT_H
#define PROFBPF_WRITE_OUT_H

#include "user/output.h"

struct profile;

/* Writes p to path, whole or not at all; a signal that ends the process leaves nothing behind.
 * Says what failed. Returns an exit status. */
int write_out(const struct profile *p, const char *path, enum output_format format,
	      const struct output_options *options);

#endif
