/* SPDX-License-Identifier: BSD-2-Clause */
/* What Go's runtime knows of the stack of its functions: it is there in stripped programs too. */
#ifndef PROFBPF_UNWIND_GO_FRAMES_H
#define PROFBPF_UNWIND_GO_FRAMES_H

#include "symbolize/gopclntab.h"
#include "unwind/cfi.h"

/*
 * What a table says of the stack at each instruction, as a section .debug_frame; its data are malloc'd. 0,
 * -ENOMEM, -EFBIG. Damaged functions are left out.
 */
int unwind_go_frames(const struct gopclntab *table, struct cfi_section *section);

#endif
