/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader of a line table's head and the one who runs its program share. */
#ifndef PROFBPF_DWARF_LINES_PRIVATE_H
#define PROFBPF_DWARF_LINES_PRIVATE_H

#include "symbolize/dwarf_bytes.h"
#include "symbolize/dwarf_lines.h"

struct lines_file {
	const char *name; /* NULL: none */
	const unsigned char *md5; /* NULL: none */
	uint64_t directory;
	char *path; /* made when first asked for */
};

struct dwarf_lines {
	unsigned int version, offset_size;
	uint8_t unit_length,
		units; /* minimum_instruction_length, maximum_operations_per_instruction */
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const unsigned char *lengths; /* of the standard opcodes' operands, from opcode 1 on */
	struct dwarf_bytes program;

	const char **directories;
	size_t n_directories, directories_size;
	struct lines_file *files;
	size_t n_files, files_size;
};

#endif
