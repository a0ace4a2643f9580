/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed parts of files. Used by image.c only. */
#ifndef PROFBPF_EXPAND_H
#define PROFBPF_EXPAND_H

#include <stdbool.h>
#include <stdint.h>

/* A part of a file, compressed by zlib or zstd, and its size decompressed. */
struct compressed {
	int fd;
	uint64_t at, size, full_size;
	bool zstd;
};

/* Decompresses into memory of the full size. False if it is damaged, or not of that size. */
bool expand_to_memory(const struct compressed *c, unsigned char *to);
/* The same into a file, from its beginning on. */
bool expand_to_file(const struct compressed *c, int fd);

#endif
