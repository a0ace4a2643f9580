/* SPDX-License-Identifier: BSD-2-Clause */
/* A halted thread as a core file, for a debugger to have its say about the stack. */
#ifndef PROFBPF_ORACLE_CORE_H
#define PROFBPF_ORACLE_CORE_H

#include "tests/oracle/stop.h"

/*
 * Writes the thread's registers and the process's data (the stack and the linker's list of objects are
 * there); code stays in the files that are mapped. maps is the text of /proc/PID/maps.
 * 0, -errno.
 */
int core_write(const char *path, const struct stop *stop, const char *maps);

#endif
