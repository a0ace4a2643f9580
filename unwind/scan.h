/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules for functions without unwind entries, from their instructions: assembly, and what is compiled without
 * entries (musl). x86-64.
 */
#ifndef PROFBPF_UNWIND_SCAN_H
#define PROFBPF_UNWIND_SCAN_H

struct unwind_table;

/*
 * Adds rules for the functions of an object's symbols that the table has none for. *table is replaced if there
 * are any. The descriptor of the object stays the caller's. 0 or -ENOMEM.
 */
int unwind_scan_apply(int fd, struct unwind_table **table);

#endif
