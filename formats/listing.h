/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the functions that a name stands for have, by source line or by address.
 */
#ifndef PROFBPF_LISTING_H
#define PROFBPF_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "formats/profile.h"

enum listing_by {
	/*
	 * Lines of the function, where it is inlined too. Its own is what its innermost calls have at a
	 * line; a line has cumulatively what passes through it, once a sample.
	 */
	LISTING_LINES,
	/* Addresses in the function's code, what is inlined into it among them. */
	LISTING_ADDRESSES,
};

struct listing_row {
	const char *file; /* by line: "" if unknown */
	uint32_t line; /* 0: unknown */
	uint64_t address; /* by address */
	uint64_t self[PROFILE_MAX_VALUES], cumulative[PROFILE_MAX_VALUES];
};

/* A function of an object. Strings are the profile's: any bytes. */
struct listing_function {
	const char *name, *system_name;
	uint32_t object; /* PROFILE_NONE: code without a file */
	uint32_t start_line; /* 0: unknown */
	uint64_t self[PROFILE_MAX_VALUES], cumulative[PROFILE_MAX_VALUES];
	const struct listing_row *rows; /* by file and line, or by address */
	uint32_t n_rows;
};

struct listing;

/*
 * Finds the functions whose readable or linkage name is name; if there are none, those whose readable
 * name contains it. The profile must outlive the listing, which the caller frees. Returns 0; -ENOENT if
 * no function of a sample is meant; -ENOMEM.
 */
int listing_new(const struct profile *p, const char *name, enum listing_by by, struct listing **l);
/* Accepts NULL. */
void listing_free(struct listing *l);

/* The heaviest, by their cumulative share, come first. */
uint32_t listing_count(const struct listing *l);
const struct listing_function *listing_function(const struct listing *l, uint32_t i);

/*
 * Counts what samples have in ranges of an object's code, each once a sample: rows[i] is to be zeroed and
 * gets what lies from starts[i] on, before starts[i + 1] or, for the last, before end. Returns 0 or -ENOMEM.
 */
int listing_count_ranges(const struct profile *p, uint32_t object, const uint64_t *starts, size_t n,
			 uint64_t end, struct listing_row *rows);

/*
 * Fills names with up to n distinct readable names that a misspelt name may mean, the nearest first;
 * gives their number, or -ENOMEM.
 */
int listing_near_names(const struct profile *p, const char *name, const char **names, uint32_t n);

#endif
