/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions by binutils' or LLVM's objdump, which run as a child. */
#ifndef PROFBPF_DISASSEMBLE_H
#define PROFBPF_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

struct instruction {
	uint64_t address;
	const char *text;
};

struct disassembly {
	struct instruction *instructions; /* in the order of their addresses */
	size_t n;
	char *output; /* what the texts are parts of */
	char failure[256]; /* what the last tool said, any bytes */
};

/*
 * Disassembles the file's code from start up to end, in its own address space. The descriptor's
 * position may change. The child's output and time are bounded, and it dies with this process.
 *
 * Returns 0; -ENOENT if no objdump is installed; -ENOEXEC if it fails or finds no code there, and failure
 * says what it said; -EFBIG; -ETIMEDOUT; -ENOMEM; -errno. d is to be freed in any case.
 */
int disassemble(int fd, uint64_t start, uint64_t end, struct disassembly *d);
void disassembly_free(struct disassembly *d);

#endif
