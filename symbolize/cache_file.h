/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that one run leaves for the next, in a folder that nobody else can write to. They are a convenience: one
 * that can not be trusted is as good as none. They are only ever replaced as a whole, so a mapped one does not
 * change.
 */
#ifndef PROFBPF_CACHE_FILE_H
#define PROFBPF_CACHE_FILE_H

#include <stddef.h>
#include <stdint.h>

struct iovec;

/*
 * Maps DIR/NAME for reading, to be unmapped by the caller. Returns 0; -ENOENT where there is none, or it is empty,
 * not a regular file, of somebody else than root or us, or others may write to it; -ENOMEM; -errno.
 */
int cache_file_map(const char *dir, const char *name, void **map, size_t *size);

/* Writes it, for its owner alone, under a temporary name and renames it. Returns 0 or -errno. */
int cache_file_write(const char *dir, const char *name, const struct iovec *parts, size_t n_parts);

/* Tells that a file was of use now. */
void cache_file_touch(const char *dir, const char *name);

/*
 * Where all files of a folder with this suffix are larger than a number of bytes together, removes those that were
 * of no use for longest, until what is left is three quarters of it.
 */
void cache_file_limit(const char *dir, const char *suffix, uint64_t bytes);

#endif
