/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF headers read from a file that may be anything. Used inside symbolize/ only. */
#ifndef PROFBPF_ELF_READ_H
#define PROFBPF_ELF_READ_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the ELF headers of both classes hold, in the wider type. */
struct elf_header {
	bool is_64;
	uint16_t machine;
	uint64_t phoff, shoff;
	uint32_t phnum, shnum, shstrndx, phentsize, shentsize;
};

/* Reads exactly size bytes, the descriptor's position aside; -ENOEXEC where the file ends before. */
int elf_read_at(int fd, void *buf, uint64_t size, uint64_t offset);

/*
 * Reads the ELF header. Numbers that do not fit it are taken from the first section header (gABI,
 * "Extended numbering"). Returns 0, -ENOEXEC (no ELF file of this machine's byte order), -errno.
 */
int elf_read_header(int fd, struct elf_header *h);

/* The size of a section header, and the i-th of a table of them. */
size_t elf_section_size(bool is_64);
Elf64_Shdr elf_section_at(const void *table, size_t i, bool is_64);

#endif
