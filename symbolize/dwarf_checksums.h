/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksums of source files in DWARF's line tables, which libdw passes over. Used inside symbolize/ only. */
#ifndef PROFBPF_DWARF_CHECKSUMS_H
#define PROFBPF_DWARF_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>

#define DWARF_MD5_SIZE 16

/* The table's file names by number, as libdw counts them; zeroed, there are none. */
struct dwarf_checksums {
	const unsigned char **md5; /* NULL for a file without; they point into the section */
	size_t n;
};

/*
 * Reads the header of the line table at an offset of .debug_line (DWARF 5, section 6.2.4). Older versions
 * have no checksums, a damaged table has none. Returns 0 or -ENOMEM; to be freed in any case.
 */
int dwarf_checksums_read(struct dwarf_checksums *c, const unsigned char *section, size_t size,
			 uint64_t offset);

void dwarf_checksums_free(struct dwarf_checksums *c);

#endif
