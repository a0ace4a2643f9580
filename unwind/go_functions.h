/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a Go object as its own runtime knows them (.gopclntab): they are there in stripped
 * programs too, and in shared libraries.
 */
#ifndef PROFBPF_UNWIND_GO_FUNCTIONS_H
#define PROFBPF_UNWIND_GO_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "unwind/cfi.h"

struct go_functions;

/*
 * Reads them from an open ELF file; the descriptor stays the caller's. -ENOENT: none, or not in the form
 * of Go 1.18 and newer; -ENOEXEC: damaged; -ENOMEM; -errno.
 */
int go_functions_new(int fd, struct go_functions **functions);
void go_functions_free(struct go_functions *f);

/* Addresses in the object's own address space. */
struct go_function {
	const char *name; /* lives as long as the functions */
	uint64_t start, end;
};

size_t go_functions_count(const struct go_functions *f);
/* Function i. -ENOEXEC where its entry is damaged. */
int go_functions_get(const struct go_functions *f, size_t i, struct go_function *function);

/*
 * What Go knows of the stack at each instruction, as a section .debug_frame; its data are malloc'd. 0,
 * -ENOMEM, -EFBIG. Damaged functions are left out.
 */
int go_functions_frames(const struct go_functions *f, struct cfi_section *section);

#endif
