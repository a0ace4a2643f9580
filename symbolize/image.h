/* SPDX-License-Identifier: BSD-2-Clause */
/* A file's symbols and debug data in memory. Used inside symbolize/ only. */
#ifndef PROFBPF_IMAGE_H
#define PROFBPF_IMAGE_H

#include <libelf.h>

struct image;

/*
 * Reads what symbolize/ needs of an ELF file: headers, symbol tables, and the debug sections that are
 * used, decompressed (zlib, zstd). The descriptor is not needed afterwards. An image is for the thread that
 * loaded it, and system calls can not read from it (paged.h). Returns 0; -ENOEXEC where
 * it is no ELF file of this machine's byte order; -EFBIG; -ENOMEM; -errno.
 */
int image_load(int fd, struct image **image);
/*
 * The same for a file of split debug data: of its sections only those that end in ".dwo", and the index of a
 * package.
 */
int image_load_split(int fd, struct image **image);
/* Accepts NULL. */
void image_free(struct image *image);

/* The view of libelf on it; belongs to the image. */
Elf *image_elf(const struct image *image);

#endif
