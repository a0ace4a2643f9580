/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executable files behind the targets' mappings. Each is opened when its mapping is first seen
 * and kept open, so that its names survive the process, its deletion and its mount namespace.
 */
#ifndef PROFBPF_OBJECTS_H
#define PROFBPF_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

struct profile;
struct objects;
struct object;

struct objects *objects_new(void);
void objects_free(struct objects *o);

/* For the unwinder: the object's file (-1: none), its build id and path, and a number that it keeps
 * with the object, OBJECT_NO_SLOT at first. */
#define OBJECT_NO_SLOT UINT32_MAX
int object_fd(const struct object *object);
const char *object_build_id(const struct object *object);
const char *object_path(const struct object *object);
uint32_t object_slot(const struct object *object);
void object_set_slot(struct object *object, uint32_t slot);
/* Its numbers, 0 for the vDSO, and its executable segments, *n of them; the array is the object's. */
struct elf_segment;
void object_numbers(const struct object *object, uint64_t *device, uint64_t *inode);
const struct elf_segment *object_segments(const struct object *object, unsigned int *n);
/* fn is called with the slot of each object that is dropped. */
void objects_on_drop(struct objects *o, void (*fn)(void *arg, uint32_t slot), void *arg);

/* Where a mapping of the file was seen. */
struct object_sighting {
	uint32_t pid;
	uint64_t start, end;
	uint64_t device, inode;
	const char *path; /* as in /proc/PID/maps */
};

/*
 * The object of a mapping: the one known by its device and inode, else a new one, for which the file
 * is opened through /proc/PID/map_files (the mapped file itself), else as /proc/PID/root/PATH or
 * PATH if that has the mapping's device and inode. A file that can't be opened gives an object
 * without descriptor, counted, and is tried again when its next mapping is seen. Anonymous memory
 * gives NULL in *object. Returns 0 or -ENOMEM. Objects belong to o.
 */
int objects_find(struct objects *o, const struct object_sighting *sighting, struct object **object);

/*
 * The object of a file that nobody may have mapped yet, by its path in our own mount namespace; of "[vdso]"
 * that of every process. 0, -ENOENT where there is no such regular file, -errno.
 */
int objects_find_file(struct objects *o, const char *path, struct object **object);

/*
 * Objects that came without a sample and went would keep their files open for ever: when objects_many
 * says so, mark each that is still mapped and drop the unmarked ones that the profile does not know.
 */
bool objects_many(const struct objects *o);
void object_mark(struct object *object);
void objects_drop_unmarked(struct objects *o);

/* Files that were gone before they could be opened, or could not be opened for another reason. */
uint64_t objects_unopened(const struct objects *o);

/* The address in the object's own address space of the file offset at which an executable mapping
 * starts; false if it maps no code of an ELF file. */
bool object_mapping(const struct object *object, uint64_t offset, uint64_t *address);

/*
 * The id in the profile of the object, added at the first call, and the address in its own address
 * space of a file offset. Returns 0 or -ENOMEM.
 */
int object_locate(struct object *object, struct profile *p, uint64_t offset, uint32_t *id,
		  uint64_t *address);

/* The descriptor, path and root prefix of the object with this id in the profile; fd -1 if none.
 * root stays valid while o lives. */
struct object_file {
	int fd;
	const char *path, *root;
};
struct object_file objects_file(const struct objects *o, uint32_t id);

#endif
