/* SPDX-License-Identifier: BSD-2-Clause */
/* The locations of a profile as frames of the contract. */
#ifndef PROFBPF_CONTRACT_FRAMES_H
#define PROFBPF_CONTRACT_FRAMES_H

#include <stdint.h>

struct catalog;
struct contract_frames;
struct profile;
struct project_root;

/* Records of the catalog, root first; none for a location in the kernel. */
struct contract_range {
	uint32_t first, n;
};

/*
 * Adds sources, functions and frames for all locations to a catalog that has none of them yet. A location
 * without a name is a function of its own. 0 or -errno.
 */
int contract_frames_new(const struct profile *p, const struct project_root *root,
			struct catalog *catalog, struct contract_frames **frames);
/* Accepts NULL. */
void contract_frames_free(struct contract_frames *f);

struct contract_range contract_frames_at(const struct contract_frames *f, uint32_t location);

#endif
