/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder that paths in a bottleneck report are relative to. */
#ifndef PROFBPF_PROJECT_ROOT_H
#define PROFBPF_PROJECT_ROOT_H

struct project_root;

/*
 * The folder given, or, if dir is NULL, the source tree around the current folder: the nearest one upwards
 * that a version control system keeps its own in, else the current folder itself, but not "/". Symbolic
 * links are resolved; the spelling in $PWD counts too, because compilers record that. An absolute one need
 * not exist: it may be that of a container, or of another machine. Returns 0 or -errno.
 */
int project_root_new(const char *dir, struct project_root **root);
/* Accepts NULL. */
void project_root_free(struct project_root *r);

/* An absolute path, normalised, as one relative to the root: a part of path, NULL if it lies outside. */
const char *project_root_relative(const struct project_root *r, const char *path);

#endif
