/* SPDX-License-Identifier: BSD-2-Clause */
/* A file's symbols and debug data in memory. Used inside symbolize/ only. */
#ifndef PROFBPF_IMAGE_H
#define PROFBPF_IMAGE_H

#include <stdint.h>
#include <libelf.h>

struct image;

/*
 * Reads what symbolize/ needs of an ELF file: headers, symbol tables, and the debug sections that are
 * used, decompressed (zlib, zstd). The descriptor is not needed afterwards. Returns 0; -ENOEXEC where
 * it is no ELF file of this machine's byte order; -EFBIG; -ENOMEM; -errno.
 */
int image_load(int fd, struct image **image);

/*
 * The same for a file of split debug data, of which only the sections that end in ".dwo" and the indices
 * of packages are read, into memory that libdw can open as a file: image_fd's, which is the image's.
 */
int image_load_split(int fd, struct image **image);
int image_fd(const struct image *image);

/* Bytes that may be changed from this offset of a split image on. */
#define IMAGE_ROOM (4 * 1024)
unsigned char *image_bytes(struct image *image, uint64_t *room_at);

/* Accepts NULL. */
void image_free(struct image *image);

/* The view of libelf on it; belongs to the image. */
Elf *image_elf(const struct image *image);

#endif
