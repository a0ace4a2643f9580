/* SPDX-License-Identifier: BSD-2-Clause */
/* Names and paths as people read them. Used inside symbolize/ only. */
#ifndef PROFBPF_NAMES_H
#define PROFBPF_NAMES_H

#include <stddef.h>

/* Bytes of a name that are shown: string tables may overlap, so that a small file holds many huge names. */
#define NAME_LIMIT (16 * 1024)

/* What follows a function's name in that of a stub which jumps to it. */
#define NAME_OF_STUB "@plt"

/*
 * The length of a symbol's name without what compilers append to clones and parts of a function:
 * ".constprop.0", ".isra.0", ".part.0", ".cold", ".llvm.1234" and the like. length if there is none.
 */
size_t name_without_suffixes(const char *name, size_t length);

/*
 * A path, below directory if it is relative and directory (which may be NULL) is absolute, without
 * "//", "/./" and, where a folder precedes it, "/../". malloc'd, NULL when out of memory. Symbolic
 * links are not looked at: the path may be one of another machine.
 */
char *path_normalize(const char *directory, const char *path);

#endif
