/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which files were looked for while an object was named, and what was there: as long as that is so, the names are
 * the same. Used inside symbolize/ only.
 */
#ifndef PROFBPF_TRAIL_H
#define PROFBPF_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

/* What tells a file and its contents from any other; all zeros where there is none. */
struct file_identity {
	uint64_t device, inode, size;
	int64_t changed_s, changed_ns; /* of the inode, which nobody can set */
};

struct file_identity file_identity_of(const struct stat *st);
/* Whether a change from now on shows in it: the clock of files is coarse. */
bool file_is_settled(const struct stat *st);

struct trail {
	char *bytes;
	size_t size, room;
	bool spoiled; /* something is not in it: the names are good for this time only */
};

/* Notes a path, below the source's root or not. st NULL: there is no regular file. */
void trail_add(struct trail *trail, bool in_root, const char *path, const struct stat *st);

/* Adds what only the other one has, whose bytes hold. */
void trail_merge(struct trail *trail, const void *bytes, size_t size);

/* Whether all is as noted, by the same way to look; the bytes may be anything. */
typedef bool (*trail_look)(const char *root, const char *path, struct stat *st);
bool trail_holds(const void *bytes, size_t size, const char *root, trail_look look);

void trail_free(struct trail *trail);

#endif
