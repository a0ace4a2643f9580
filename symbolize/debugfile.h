/* SPDX-License-Identifier: BSD-2-Clause */
/* Separate debug files. Used inside symbolize/ only. */
#ifndef PROFBPF_DEBUGFILE_H
#define PROFBPF_DEBUGFILE_H

#include <stdbool.h>
#include <libelf.h>

struct debuginfod;
struct stat;
struct symbol_source;

/* Where debug files may be, besides where the object itself says. */
struct debug_places {
	const char *const *dirs; /* NULL-terminated; may be NULL */
	struct debuginfod *servers; /* may be NULL */
};

/*
 * Opens the debug file that belongs to an object: by build id (DIR/.build-id/xx/yyyy.debug), then by
 * the name and CRC in .gnu_debuglink, beside the object, in .debug/ beside it and in DIR/<folder of
 * the object>. DIR is each of dirs (NULL-terminated, or NULL), then /usr/lib/debug, each below the
 * source's root first. A file is taken only if it is a regular ELF file of the same machine and
 * class, is not the object itself, and has the same build id, where the object has one.
 *
 * Returns a descriptor that the caller closes, -ENOENT if there is none, -ENOMEM. What was looked for is added to
 * the source's trail.
 */
int debug_file_open(const struct symbol_source *source, Elf *elf,
		    const struct debug_places *places);

/*
 * Opens what dwz took out of several objects' debug data, as .gnu_debugaltlink of elf tells, the object
 * or its debug file: by build id in the same folders, by the path if that is absolute, and by what
 * follows ".dwz/" in it in each DIR, at last from the servers. Its build id must be that of the link; else
 * as above.
 */
int debug_shared_open(const struct symbol_source *source, Elf *elf,
		      const struct debug_places *places);

/*
 * Opens the package of an object's split debug data: OBJECT.dwp in all the places where a debug file is
 * looked for by name, then the same with the name of its debug file. There is no build id to compare: what
 * is in it is known by the ids of its units. Else as above.
 */
int debug_package_open(const struct symbol_source *source, Elf *elf, const char *const *dirs);

/*
 * Opens the split debug data of one unit, of a name below a directory (NULL: unknown), from the next
 * place where it may be: there, at the same path below the object's folder, in that folder, and at the
 * whole path in each DIR. *place begins with 0; calls go on with it until one is right. Else as above.
 */
int debug_split_open(const struct symbol_source *source, const char *const *dirs,
		     const char *directory, const char *name, unsigned int *place);

/* The way that all these look for a file: fills *st if a path, below a root if that is not "", is a regular file. */
bool debug_file_look(const char *root, const char *path, struct stat *st);

#endif
