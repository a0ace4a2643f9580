/* SPDX-License-Identifier: BSD-2-Clause */
/* Readable names taken apart into what qualifies them and the rest, by the rules of their language. */
#ifndef PROFBPF_QUALIFIED_H
#define PROFBPF_QUALIFIED_H

#include <stddef.h>

/*
 * Where a function's own name begins in its readable one: behind a C++ scope, a Rust path or a Go
 * package. 0 for a name without a qualifier, as all of C's are. *end is where the qualifier ends. file is
 * the function's source, "" if it is not known; linkage_name as in its object.
 */
size_t qualified_split(const char *name, const char *linkage_name, const char *file, size_t *end);

#endif
