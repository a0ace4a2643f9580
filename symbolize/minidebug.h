/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbols that distributions leave in stripped objects. Used inside symbolize/ only. */
#ifndef PROFBPF_MINIDEBUG_H
#define PROFBPF_MINIDEBUG_H

#include <libelf.h>

#include "symbolize/image.h"

/*
 * Loads the file that lies compressed in an object's section .gnu_debugdata; it is the caller's.
 * Returns 0; -ENOENT: there is none; -ENOEXEC: it is damaged; -EFBIG; -ENOMEM; -errno.
 */
int minidebug_load(Elf *elf, struct image **image);

#endif
