/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures to read. */
#ifndef PROFBPF_INPUT_H
#define PROFBPF_INPUT_H

struct profile;

/*
 * Reads the capture at path ("-" is standard input) into a new profile that the caller frees. Warns
 * if the capture was cut off. On failure says why, with the remedy, and returns -errno.
 */
int input_read(const char *path, struct profile **p);

#endif
