/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that a command is going to map when it is executed. */
#ifndef PROFBPF_PROGRAM_FILES_H
#define PROFBPF_PROGRAM_FILES_H

/*
 * Calls fn with the path of each: the program as execvp(3) finds it, a script's interpreter, their
 * loader and the libraries that they need, found as ld.so(8) does (but for the instruction sets that it
 * prefers). A best effort: what is not found, or no ELF file, is passed over, and nothing is executed.
 * The path is valid during the call. 0 or -ENOMEM.
 */
int program_files_each(const char *command, void (*fn)(void *arg, const char *path), void *arg);

#endif
