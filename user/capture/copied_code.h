/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that a program has copied out of its file, most often to have it in large pages: no mapping tells
 * of the file any more, but it has the names and the unwind tables still.
 */
#ifndef PROFBPF_COPIED_CODE_H
#define PROFBPF_COPIED_CODE_H

#include <stdbool.h>
#include <stdint.h>

struct mapping;

/*
 * Whether a mapping of the process holds code of the file that is mapped at near, be that executable or
 * not: by its place, and by the bytes of some of its pages. Sets the mapping's object and offset then.
 */
bool copied_code_find(uint32_t pid, const struct mapping *near, struct mapping *m);

#endif
