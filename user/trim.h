/* SPDX-License-Identifier: BSD-2-Clause */
/* Shorter stacks for an output. */
#ifndef PROFBPF_TRIM_H
#define PROFBPF_TRIM_H

struct profile;

/*
 * Makes a copy of p whose stacks have at most depth frames: the innermost ones, then the marker for
 * frames left out in the place of the outermost. *trimmed, which the caller frees, stays untouched
 * if no stack is deeper or depth is 0. Returns 0, -ENOMEM or -EOVERFLOW.
 */
int profile_trim(const struct profile *p, unsigned int depth, struct profile **trimmed);

#endif
