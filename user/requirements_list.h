/* SPDX-License-Identifier: BSD-2-Clause */
/* How the parts of requirements_probe add to its list. */
#ifndef PROFBPF_REQUIREMENTS_LIST_H
#define PROFBPF_REQUIREMENTS_LIST_H

#include "user/requirements.h"

/*
 * Adds one. remedy may be NULL; it is dropped when the state is OK. The value is a format. Returns 0
 * or -ENOMEM.
 */
__attribute__((format(printf, 5, 6))) int requirement_add(struct requirements *r, const char *name,
							  enum requirement_state state,
							  const char *remedy, const char *value,
							  ...);

/* The first line of a small file, without its line feed; -errno. */
int read_line(const char *path, char *buf, size_t size);

/* The parts. */
int probe_privileges(struct requirements *r);
int probe_bpf(struct requirements *r);
int probe_perf(struct requirements *r);
int probe_settings(struct requirements *r);

#endif
