/* SPDX-License-Identifier: BSD-2-Clause */
/* Where functions start, of which a stripped file has no symbols. Used inside symbolize/ only. */
#ifndef PROFBPF_EH_STARTS_H
#define PROFBPF_EH_STARTS_H

#include <stddef.h>
#include <stdint.h>
#include <libelf.h>

/*
 * Reads the addresses in .eh_frame_hdr (Linux Standard Base, Core, 10.6.2), in ascending order. Returns 0, with
 * an array that the caller frees; -ENOENT where there is no such section, or none of the form that linkers
 * write; -ENOMEM.
 */
int eh_starts_read(Elf *elf, uint64_t **starts, size_t *n);

#endif
