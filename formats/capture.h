/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The capture file (.profbpf): a magic skippable zstd frame, then one zstd frame with checksum a
 * slice, each holding one protobuf message (formats/capture.proto), the last one marked as the end.
 * A file that was cut off is read up to its last whole slice.
 */
#ifndef PROFBPF_CAPTURE_H
#define PROFBPF_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct profile;
struct capture_writer;

/* What one drain of the kernel's tables brought. */
struct capture_sample {
	uint32_t thread, stack;
	uint64_t values[4];
};

/*
 * Writes the magic frame to out, which the caller keeps open until after capture_writer_end and
 * closes. The profile must outlive the writer.
 */
int capture_writer_new(const struct profile *p, FILE *out, struct capture_writer **writer);
void capture_writer_free(struct capture_writer *w);

/*
 * Appends a slice: whatever was added to the profile since the last one (strings, objects, threads,
 * stacks, names), the samples of this slice, the accounting so far and the configuration; then
 * flushes. Times are CLOCK_MONOTONIC nanoseconds.
 */
int capture_writer_slice(struct capture_writer *w, uint64_t start_ns, uint64_t end_ns,
			 const struct capture_sample *samples, size_t n);
/* Appends the last slice: what is new since the one before (names above all), and the end mark. */
int capture_writer_end(struct capture_writer *w);

/* Writes a whole profile as a capture of one slice and an end. */
int capture_write(const struct profile *p, FILE *out);

struct capture_info {
	uint32_t version; /* of the file's format */
	uint32_t slices; /* whole slices read, the end's included */
	bool complete; /* the end mark was there */
	uint64_t ignored_bytes; /* after the last whole slice */
};

/*
 * Reads a capture into a new profile that the caller frees. -EINVAL: not a capture; -ENODATA: an
 * empty file, or no whole slice; -EPROTONOSUPPORT: a version that this build does not know (info's
 * version is set then); -EBADMSG: a slice passed its checksum but makes no sense. What is wrong in a
 * cut file is told by info.
 */
int capture_read(FILE *in, struct profile **p, struct capture_info *info);

#endif
