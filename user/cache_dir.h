/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PROFBPF_CACHE_DIR_H
#define PROFBPF_CACHE_DIR_H

/*
 * The folder of what one run leaves for the next, made if need be. It is a convenience: NULL, and nothing said, where
 * it can't be had, or others than root and we may write to it.
 */
const char *cache_dir(void);

#endif
