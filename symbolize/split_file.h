/* SPDX-License-Identifier: BSD-2-Clause */
/* A file of split debug data, of one unit (.dwo) or a package of many (.dwp). Used inside symbolize/ only. */
#ifndef PROFBPF_SPLIT_FILE_H
#define PROFBPF_SPLIT_FILE_H

#include <stdint.h>

struct split_file;

/* Reads the file. Returns 0; -ENOEXEC where it holds no split debug data; -errno. */
int split_file_load(int fd, struct split_file **file);
/* Bytes that are kept of it. */
uint64_t split_file_size(const struct split_file *file);
/* Accepts NULL. */
void split_file_free(struct split_file *file);

/*
 * Has split_file_fd, which belongs to file, show the unit with this id as the only one of an ELF file. Of a
 * file that is no package it is not known whether the unit is that one. What was opened before must be closed
 * by now. Returns 0; -ENOENT where a package has no such unit; -ENOMEM; -errno.
 */
int split_file_show(struct split_file *file, uint64_t id);
int split_file_fd(const struct split_file *file);

#endif
