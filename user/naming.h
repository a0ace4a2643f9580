/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins the profile and the symbolizer. */
#ifndef PROFBPF_NAMING_H
#define PROFBPF_NAMING_H

#include <stdbool.h>
#include <stdint.h>

struct profile;
struct symbolizer_options;

/* How the object with this id in the profile can be read, until all is named. */
struct naming_source {
	int fd; /* -1: not to be had */
	const char *path; /* as symbol_source's */
	const char *root;
};
typedef struct naming_source (*naming_lookup)(void *arg, uint32_t object);

struct naming_result {
	uint32_t named, unnamed; /* locations */
	bool kernel_hidden; /* kernel addresses could not be named: kptr_restrict */
};

/*
 * Names every location of the profile that is not symbolized yet, object by object, in so many threads at most:
 * 0: as many as help; 1: the caller's alone. The profile becomes the same with any number, and lookup is called by
 * the caller's thread, as are servers of debug files, which leave it at one. Shows progress. Returns 0 or -ENOMEM; an
 * object that cannot be read leaves its locations unnamed.
 */
int naming_run(struct profile *p, const struct symbolizer_options *options, unsigned int threads,
	       naming_lookup lookup, void *arg, struct naming_result *result);

#endif
