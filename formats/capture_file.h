/* SPDX-License-Identifier: BSD-2-Clause */
/* What the capture's writer and reader agree on besides the message. */
#ifndef PROFBPF_CAPTURE_FILE_H
#define PROFBPF_CAPTURE_FILE_H

#include <stdint.h>

/*
 * A file begins with a zstd skippable frame: this number, the size of its content, and as content
 * the magic and the version of the format; all numbers little-endian. (RFC 8878, section 3.1.2, has
 * the numbers of skippable frames.)
 */
#define CAPTURE_SKIPPABLE 0x184D2A50U
#define CAPTURE_MAGIC "profbpf"
#define CAPTURE_MAGIC_SIZE 8 /* with its NUL */
#define CAPTURE_CONTENT_SIZE (CAPTURE_MAGIC_SIZE + 4)
#define CAPTURE_HEADER_SIZE (8 + CAPTURE_CONTENT_SIZE)
#define CAPTURE_VERSION 1U

/*
 * A writer begins another slice when one has grown to this many bytes; a single entry adds at most
 * half as much again (see the limits in profile.c). A reader refuses slices over the second limit.
 */
#define CAPTURE_SLICE_SIZE (32U << 20)
#define CAPTURE_SLICE_LIMIT (64U << 20)

/* Of the zstd window; a reader refuses more. */
#define CAPTURE_WINDOW_LOG 23

#endif
