/* SPDX-License-Identifier: BSD-2-Clause */
/* Two chains side by side, and the differing ones sorted by cause. */
#ifndef PROFBPF_ORACLE_CAUSES_H
#define PROFBPF_ORACLE_CAUSES_H

#include <stdint.h>

#include "tests/oracle/stop.h"

enum difference {
	DIFFERENCE_NONE, /* a cause if ours does not reach the root */
	DIFFERENCE_OURS_SHORTER, /* ours is how theirs begins */
	DIFFERENCE_THEIRS_SHORTER,
	DIFFERENCE_PC,
};

/* Frames of which both have the same, from the innermost on, in *same. */
enum difference chain_compare(const struct chain *ours, const struct chain *theirs, uint32_t *same);

/* What differing stops have in common: which function's caller they do not agree about. */
struct cause {
	enum difference difference;
	char object[64], function[128]; /* of the last frame that is the same */
	char end[16]; /* of ours */
	uint32_t stops;
	/* The first of them. */
	uint32_t same; /* frames */
	struct chain ours, theirs;
	char core[256]; /* file, if there is one */
};

struct causes {
	struct cause *list; /* malloc'd */
	size_t n;
};

/* The cause with these properties, added if there is none yet. NULL when out of memory. */
struct cause *causes_find(struct causes *c, enum difference difference, const char *object,
			  const char *function, const char *end);
void causes_free(struct causes *c);

const char *difference_name(enum difference difference);

#endif
