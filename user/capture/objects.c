// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "formats/profile.h"
#include "symbolize/regular.h"
#include "symbolize/symbolize.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"

struct object_key {
	uint64_t device, inode;
	uint64_t path_hash; /* of the path where there is no inode ([vdso]) */
};

struct object {
	struct object_key key;
	int fd; /* -1: not to be had */
	bool is_elf, vdso, marked;
	char *path;
	char root[32]; /* "/proc/PID/root" of the process it was seen in */
	struct elf_shape shape;
	uint32_t id; /* in the profile, PROFILE_NONE before its first sample */
	uint32_t slot; /* the unwinder's */
	UT_hash_handle hh;
};

struct objects {
	struct object *by_key;
	unsigned int kept; /* at the last dropping */
	uint64_t unopened;
	void (*on_drop)(void *arg, uint32_t slot);
	void *on_drop_arg;
};

struct objects *objects_new(void)
{
	return calloc(1, sizeof(struct objects));
}

int object_fd(const struct object *object)
{
	return object->fd;
}

const char *object_build_id(const struct object *object)
{
	return object->shape.build_id;
}

const char *object_path(const struct object *object)
{
	return object->path;
}

uint32_t object_slot(const struct object *object)
{
	return object->slot;
}

void object_set_slot(struct object *object, uint32_t slot)
{
	object->slot = slot;
}

void object_numbers(const struct object *object, uint64_t *device, uint64_t *inode)
{
	*device = object->key.device;
	*inode = object->key.inode;
}

const struct elf_segment *object_segments(const struct object *object, unsigned int *n)
{
	*n = object->is_elf ? object->shape.n_segments : 0;
	return object->shape.segments;
}

void objects_on_drop(struct objects *o, void (*fn)(void *arg, uint32_t slot), void *arg)
{
	o->on_drop = fn;
	o->on_drop_arg = arg;
}

static void object_free(struct object *object)
{
	if (object->fd >= 0)
		close(object->fd);
	free(object->path);
	free(object);
}

void objects_free(struct objects *o)
{
	struct object *object, *next;

	if (!o)
		return;
	HASH_ITER(hh, o->by_key, object, next) {
		HASH_DEL(o->by_key, object);
		object_free(object);
	}
	free(o);
}

/* Kept free for the outputs, /proc and the files that naming reads. */
#define RESERVED_DESCRIPTORS 64

static bool is_reserved(int fd)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) &&
	       (rlim_t)fd + RESERVED_DESCRIPTORS >= limit.rlim_cur;
}

static int open_regular(const char *path, struct stat *st)
{
	int place = open(path, O_PATH | O_CLOEXEC);

	if (place >= 0 && is_reserved(place)) {
		close(place);
		return -1;
	}
	return regular_open(place, st);
}

/* The file of a path, if it is the one that was mapped. */
static int open_same(const char *path, const struct object_sighting *s)
{
	struct stat st;
	int fd = open_regular(path, &st);

	if (fd < 0 || (st.st_ino == s->inode && st.st_dev == s->device))
		return fd;
	close(fd);
	return -1;
}

static int open_sighting(const struct object_sighting *s)
{
	char path[4200];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, s->pid,
		 s->start, s->end);
	fd = open_regular(path, &st);
	/* The mapping may have been replaced since; an overlay shows other numbers in stat. */
	if (fd >= 0 && (st.st_ino == s->inode || st.st_dev != s->device))
		return fd;
	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/root%s", s->pid, s->path);
	fd = open_same(path, s);
	/* The process may have gone already; its file is most often ours too. */
	return fd >= 0 ? fd : open_same(s->path, s);
}

/* The kernel maps the same image into every 64-bit process, ours too. */
static int open_vdso(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);
	size_t size = 2 * (size_t)sysconf(_SC_PAGESIZE); /* of all current architectures */
	int fd;

	if (!image)
		return -1;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	/* write, not memcpy: the second page need not be mapped */
	if (fd >= 0 && write(fd, image, size) <= 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static uint64_t hash_text(const char *s)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	while (*s)
		h = (h ^ (unsigned char)*s++) * 1099511628211u;
	return h;
}

static bool open_object(struct object *object, const struct object_sighting *s)
{
	object->fd = object->vdso ? open_vdso() : open_sighting(s);
	if (object->fd < 0)
		return false;
	object->is_elf = !elf_shape_read(object->fd, &object->shape);
	return true;
}

/* A file that was gone too early, but has been mapped again. What is in the profile of it stays
 * unopened; from now on it is another object there. */
static void try_again(struct objects *o, struct object *object, const struct object_sighting *s)
{
	if (!open_object(object, s))
		return;
	snprintf(object->root, sizeof(object->root), "/proc/%" PRIu32 "/root", s->pid);
	if (object->id == PROFILE_NONE)
		o->unopened--;
	object->id = PROFILE_NONE;
}

static int object_new(struct objects *o, const struct object_key *key,
		      const struct object_sighting *s, struct object **result)
{
	struct object *object = calloc(1, sizeof(*object));

	if (!object)
		return -ENOMEM;
	object->key = *key;
	object->id = PROFILE_NONE;
	object->slot = OBJECT_NO_SLOT;
	object->fd = -1;
	object->vdso = !key->inode;
	object->path = strdup(s->path);
	if (!object->path)
		goto fail;
	snprintf(object->root, sizeof(object->root), "/proc/%" PRIu32 "/root", s->pid);
	HASH_ADD(hh, o->by_key, key, sizeof(*key), object);
	if (!object->hh.tbl)
		goto fail;
	if (!open_object(object, s))
		o->unopened++;
	*result = object;
	return 0;
fail:
	object_free(object);
	return -ENOMEM;
}

int objects_find(struct objects *o, const struct object_sighting *s, struct object **result)
{
	struct object_key key = { s->device, s->inode, 0 };
	struct object *object;

	if (!s->inode) {
		if (strcmp(s->path, "[vdso]")) {
			*result = NULL;
			return 0;
		}
		key.path_hash = hash_text(s->path);
	}
	HASH_FIND(hh, o->by_key, &key, sizeof(key), object);
	if (object) {
		if (object->fd < 0 && !object->vdso)
			try_again(o, object, s);
		*result = object;
		return 0;
	}
	return object_new(o, &key, s, result);
}

struct own_mapping {
	struct objects *objects;
	uint64_t start;
	struct object *object; /* NULL: it was not found */
};

static int find_own(void *arg, const struct proc_mapping *m)
{
	struct own_mapping *own = arg;
	struct object_sighting s = { getpid(), m->start, m->end, m->device, m->inode, m->path };

	return m->start == own->start ? objects_find(own->objects, &s, &own->object) : 0;
}

/* Mapped for a moment, for its numbers are not always those that stat(2) tells. */
int objects_find_file(struct objects *o, const char *path, struct object **result)
{
	struct own_mapping own = { .objects = o };
	size_t size = sysconf(_SC_PAGESIZE);
	void *start = MAP_FAILED;
	struct stat st;
	int fd, err;

	if (!strcmp(path, "[vdso]")) {
		own.start = getauxval(AT_SYSINFO_EHDR);
	} else {
		fd = open_regular(path, &st);
		if (fd < 0)
			return -ENOENT;
		start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		err = -errno;
		close(fd);
		if (start == MAP_FAILED)
			return err;
		own.start = (uintptr_t)start;
	}
	err = proc_maps_read(getpid(), find_own, &own);
	if (start != MAP_FAILED)
		munmap(start, size);
	if (!err && !own.object)
		err = -ENOENT;
	if (!err)
		*result = own.object;
	return err;
}

/* Twice as many as there were in use: the work of looking through all mappings pays. */
bool objects_many(const struct objects *o)
{
	return HASH_COUNT(o->by_key) > 2 * o->kept + 64;
}

void object_mark(struct object *object)
{
	object->marked = true;
}

void objects_drop_unmarked(struct objects *o)
{
	struct object *object, *next;

	HASH_ITER(hh, o->by_key, object, next) {
		if (object->marked || object->id != PROFILE_NONE) {
			object->marked = false;
			continue;
		}
		o->unopened -= object->fd < 0;
		HASH_DEL(o->by_key, object);
		if (o->on_drop && object->slot != OBJECT_NO_SLOT)
			o->on_drop(o->on_drop_arg, object->slot);
		object_free(object);
	}
	o->kept = HASH_COUNT(o->by_key);
}

uint64_t objects_unopened(const struct objects *o)
{
	return o->unopened;
}

static const char *without_deleted(const char *path, char *buf, size_t size)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(path), cut = sizeof(mark) - 1;

	if (len <= cut || strcmp(path + len - cut, mark))
		return path;
	snprintf(buf, size, "%.*s", (int)(len - cut), path);
	return buf;
}

static int add_to_profile(struct object *object, struct profile *p)
{
	char path[4200];
	struct profile_object entry = {
		.kind = object->vdso ? PROFILE_OBJECT_VDSO : PROFILE_OBJECT_FILE,
		.path = without_deleted(object->path, path, sizeof(path)),
		.build_id = object->shape.build_id,
		.device = object->key.device,
		.inode = object->key.inode,
		.unopened = object->fd < 0,
	};
	const struct elf_segment *first, *last;
	struct stat st;

	if (object->is_elf && object->shape.n_segments) {
		first = &object->shape.segments[0];
		last = &object->shape.segments[object->shape.n_segments - 1];
		entry.start = first->address;
		entry.limit = last->address + last->size;
		entry.file_offset = first->offset;
	}
	if (object->fd >= 0 && !object->vdso && !fstat(object->fd, &st))
		entry.modified_ns = regular_modified_ns(&st);
	return profile_add_object(p, &entry, &object->id);
}

static bool object_address(const struct object *object, uint64_t offset, uint64_t *address)
{
	return object->is_elf && elf_shape_address(&object->shape, offset, address);
}

bool object_mapping(const struct object *object, uint64_t offset, uint64_t *address)
{
	return object->is_elf && elf_shape_mapping(&object->shape, offset, address);
}

int object_locate(struct object *object, struct profile *p, uint64_t offset, uint32_t *id,
		  uint64_t *address)
{
	if (object->id == PROFILE_NONE) {
		int err = add_to_profile(object, p);

		if (err)
			return err;
	}
	if (!object_address(object, offset, address))
		*address = offset;
	*id = object->id;
	return 0;
}

struct object_file objects_file(const struct objects *o, uint32_t id)
{
	struct object *object, *next;

	HASH_ITER(hh, o->by_key, object, next) {
		if (object->id == id)
			return (struct object_file){ object->fd, object->path, object->root };
	}
	return (struct object_file){ -1, "", "" };
}
