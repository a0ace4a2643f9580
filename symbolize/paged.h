/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory whose contents are read from a file when they are first touched, and let go again when they are many:
 * of a gigabyte of debug data a few pages are needed at a time. It is no mapping of the file. That would end the
 * profiler when somebody cuts the file off, and change under its reader; here what is gone reads as zeros, and
 * what was read stays.
 *
 * Touching is noticed by SIGSEGV, so while there is such memory this has the signal's action, and gives other
 * faults on to the one before. System calls do not touch: they fail with EFAULT. Used by image.c only.
 */
#ifndef PROFBPF_PAGED_H
#define PROFBPF_PAGED_H

#include <stddef.h>
#include <stdint.h>

/* Sizes are multiples of this; places begin a page. */
#define PAGED_CHUNK (64 * 1024)

struct paged;

/*
 * Gives bytes[0..size) of anonymous memory of the caller's the contents of a file from an offset on. Only
 * this thread may touch it. The descriptor must stay open, and the memory mapped, until paged_free. Returns 0,
 * -ENOMEM, -errno.
 */
int paged_new(unsigned char *bytes, size_t size, int fd, uint64_t offset, struct paged **paged);

/* By the thread that made it. Accepts NULL. */
void paged_free(struct paged *paged);

#endif
