/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile in pprof's terms: its tables of strings, mappings, locations, functions and samples,
 * numbered in the order in which the canonically ordered samples refer to them. pprof's numbers of
 * all but strings are one more than the ids here: they begin at 1.
 */
#ifndef PROFBPF_PPROF_TABLES_H
#define PROFBPF_PPROF_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/intern.h"
#include "formats/profile.h"
#include "formats/text.h"

/* Mappings that stand for no object of the profile. */
#define MAPPING_NO_FILE (PROFILE_NONE - 0)
#define MAPPING_KERNEL (PROFILE_NONE - 1)
#define MAPPING_MAIN (PROFILE_NONE - 2)

struct pprof_tables {
	const struct profile *p;
	struct intern *strings;
	struct intern *mappings; /* key: an object's id or MAPPING_…; record: pprof_mapping */
	struct intern *locations; /* key: pprof_location; record: an id in the profile */
	struct intern *functions; /* key: an id in the profile, or PROFILE_NONE: the marker */
	struct intern *samples; /* key: pprof_labels and location ids; record: the values */
	const char *main_binary; /* its path if it is no object */
	uint32_t *location_of; /* from the profile's ids */
	struct text text; /* for work on one string */
};

struct pprof_mapping {
	bool named; /* at least one of its locations */
};

/* Locations reached by different ways are one place. */
struct pprof_location {
	uint32_t mapping, marker;
	uint64_t address;
};

/* thread and process are strings. */
struct pprof_labels {
	uint32_t thread, tid, process, pid;
};

/*
 * Fills zeroed tables. The profile must outlive them. Returns 0 or -ENOMEM; they are to be freed in
 * any case.
 */
int pprof_tables_fill(struct pprof_tables *t, const struct profile *p);
void pprof_tables_free(struct pprof_tables *t);

/* The id of a string, cleaned (see text.h), in the table of strings. */
int pprof_tables_string(struct pprof_tables *t, const char *s, uint32_t *id);

#endif
