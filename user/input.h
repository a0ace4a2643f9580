/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures and other files to read. */
#ifndef PROFBPF_INPUT_H
#define PROFBPF_INPUT_H

#include <stdio.h>

struct profile;

/*
 * Opens path; "-" is standard input, which the caller does not close. Returns 0, -EISDIR for a folder,
 * or -errno. Says nothing.
 */
int input_open(const char *path, FILE **file);

/*
 * Reads the capture at path ("-" is standard input) into a new profile that the caller frees. Warns
 * if the capture was cut off. On failure says why, with the remedy, and returns -errno.
 */
int input_read(const char *path, struct profile **p);

#endif
