/* SPDX-License-Identifier: BSD-2-Clause */
/* Files whose names come from the profiled side. */
#ifndef PROFBPF_REGULAR_H
#define PROFBPF_REGULAR_H

#include <stdint.h>

struct stat;

/*
 * Opens for reading what an O_PATH descriptor stands for if that is a regular file: somebody may have put a
 * fifo, whose opening would block, or a device, whose opening may act, in its place, or a link to one. The
 * descriptor is closed, -1 is let through. Returns a descriptor and fills *st, or -1.
 */
int regular_open(int place, struct stat *st);

/* When the file was last changed, in nanoseconds of CLOCK_REALTIME. */
uint64_t regular_modified_ns(const struct stat *st);

#endif
