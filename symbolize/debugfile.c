// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where separate debug files lie is described in GDB's manual, "Debugging Information in Separate
 * Files"; .gnu_debuglink holds a file name, zero bytes up to a multiple of four, and the CRC-32 of the
 * whole file in the byte order of the object.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

#include "symbolize/debugfile.h"
#include "symbolize/debuginfod.h"
#include "symbolize/elf_view.h"
#include "symbolize/names.h"
#include "symbolize/regular.h"
#include "symbolize/symbolize.h"
#include "symbolize/trail.h"

#define DEFAULT_DIR "/usr/lib/debug"

struct search {
	const struct symbol_source *source;
	const char *const *dirs;
	struct elf_shape shape; /* of the object */
	struct stat stat;
	const char *link; /* debuglink's name, NULL if there is none */
	uint32_t crc;
};

/*
 * Opens a path for inspection only. Below a root, links are followed as a process in that root
 * would: they can not lead out of it.
 */
static int open_path(const char *root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int dir, fd;

	if (!*root)
		return open(path, O_PATH | O_CLOEXEC);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	close(dir);
	return fd;
}

bool debug_file_look(const char *root, const char *path, struct stat *st)
{
	int fd = open_path(root, path);
	bool found = fd >= 0 && !fstat(fd, st) && S_ISREG(st->st_mode);

	if (fd >= 0)
		close(fd);
	return found;
}

static int open_regular(const char *root, const char *path, struct stat *st)
{
	int fd = regular_open(open_path(root, path), st);

	return fd < 0 ? -ENOENT : fd;
}

static bool file_crc(int fd, uint32_t *crc)
{
	static const size_t size = 256 * 1024;
	unsigned char *buf = malloc(size);
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t got;

	if (!buf)
		return false;
	while ((got = pread(fd, buf, size, at)) > 0) {
		sum = crc32(sum, buf, (uInt)got);
		at += got;
	}
	free(buf);
	*crc = (uint32_t)sum;
	return got == 0;
}

/* Opens a candidate if it is the object's debug file. With check_crc its sum must be the link's. */
static int open_candidate(const struct search *s, const char *root, const char *path,
			  bool check_crc)
{
	struct elf_shape shape;
	struct stat st;
	uint32_t crc;
	int fd = open_regular(root, path, &st);

	if (s->source->trail)
		trail_add(s->source->trail, *root, path, fd < 0 ? NULL : &st);
	if (fd < 0)
		return fd;
	if (st.st_dev == s->stat.st_dev && st.st_ino == s->stat.st_ino)
		goto refuse;
	if (elf_shape_read(fd, &shape) || shape.machine != s->shape.machine ||
	    shape.is_64 != s->shape.is_64)
		goto refuse;
	if (s->shape.build_id[0] && strcmp(shape.build_id, s->shape.build_id))
		goto refuse;
	if (check_crc && (!file_crc(fd, &crc) || crc != s->crc))
		goto refuse;
	return fd;
refuse:
	close(fd);
	return -ENOENT;
}

/* Tries a path below the source's root, then as it is. */
static int try(const struct search *s, const char *dir, const char *rest, bool check_crc)
{
	char *path;
	int fd = -ENOENT;

	if (asprintf(&path, "%s/%s", dir, rest) < 0)
		return -ENOMEM;
	if (s->source->root && *s->source->root)
		fd = open_candidate(s, s->source->root, path, check_crc);
	if (fd == -ENOENT)
		fd = open_candidate(s, "", path, check_crc);
	free(path);
	return fd;
}

static int try_dirs(const struct search *s, const char *rest, bool check_crc)
{
	for (const char *const *dir = s->dirs; dir && *dir; dir++) {
		int fd = try(s, *dir, rest, check_crc);

		if (fd != -ENOENT)
			return fd;
	}
	return try(s, DEFAULT_DIR, rest, check_crc);
}

static int open_by_build_id(const struct search *s)
{
	char rest[sizeof(s->shape.build_id) + sizeof(".build-id//.debug")];

	if (strlen(s->shape.build_id) < 4)
		return -ENOENT;
	snprintf(rest, sizeof(rest), ".build-id/%.2s/%s.debug", s->shape.build_id,
		 s->shape.build_id + 2);
	return try_dirs(s, rest, false);
}

/* A string at the beginning of a section, and what follows it; NULL if there is none. */
static const char *read_link(Elf *elf, const char *section, const Elf_Data **data)
{
	size_t length;

	*data = elf_section_named(elf, section);
	if (!*data)
		return NULL;
	length = strnlen((*data)->d_buf, (*data)->d_size);
	return length && length < (*data)->d_size ? (*data)->d_buf : NULL;
}

static void read_debuglink(struct search *s, Elf *elf)
{
	const Elf_Data *data;
	const char *link = read_link(elf, ".gnu_debuglink", &data);
	size_t crc_at = link ? (strlen(link) + 4) & ~(size_t)3 : 0;

	if (!link || crc_at + 4 > data->d_size || strchr(link, '/'))
		return;
	s->link = link;
	memcpy(&s->crc, link + crc_at, 4);
}

/* Reads the path, and the build id behind it, of the file that several debug files share. */
static bool read_altlink(struct search *s, Elf *elf)
{
	const Elf_Data *data;
	size_t id_at, size;

	s->link = read_link(elf, ".gnu_debugaltlink", &data);
	if (!s->link)
		return false;
	id_at = strlen(s->link) + 1;
	size = data->d_size - id_at;
	if (!size || 2 * size >= sizeof(s->shape.build_id))
		return false;
	for (size_t i = 0; i < size; i++)
		snprintf(s->shape.build_id + 2 * i, 3, "%02x", (unsigned char)s->link[id_at + i]);
	return true;
}

/* Looks for a file of this name where the object's debug file may be. */
static int open_by_name(const struct search *s, const char *name, bool check_crc)
{
	const char *slash = strrchr(s->source->path, '/');
	char *folder, *rest = NULL;
	int fd = -ENOENT;

	folder = strndup(s->source->path, slash ? (size_t)(slash - s->source->path) : 0);
	if (!folder)
		return -ENOMEM;
	if (slash)
		fd = try(s, folder, name, check_crc);
	if (slash && fd == -ENOENT) {
		if (asprintf(&rest, ".debug/%s", name) < 0)
			goto no_memory;
		fd = try(s, folder, rest, check_crc);
		free(rest);
	}
	if (fd == -ENOENT) {
		if (asprintf(&rest, "%s/%s", folder, name) < 0)
			goto no_memory;
		fd = try_dirs(s, rest, check_crc);
		free(rest);
	}
	free(folder);
	return fd;
no_memory:
	free(folder);
	return -ENOMEM;
}

int debug_file_open(const struct symbol_source *source, Elf *elf, const struct debug_places *places)
{
	struct search s = { .source = source, .dirs = places->dirs };
	int fd;

	if (elf_shape_read(source->fd, &s.shape) || fstat(source->fd, &s.stat))
		return -ENOENT;
	fd = open_by_build_id(&s);
	if (fd != -ENOENT)
		return fd;
	read_debuglink(&s, elf);
	if (s.link && source->path)
		fd = open_by_name(&s, s.link, true);
	return fd == -ENOENT ? debuginfod_open(places->servers, &s.shape) : fd;
}

int debug_shared_open(const struct symbol_source *source, Elf *elf,
		      const struct debug_places *places)
{
	struct search s = { .source = source, .dirs = places->dirs };
	const char *below;
	int fd;

	if (elf_shape_read(source->fd, &s.shape) || fstat(source->fd, &s.stat) ||
	    !read_altlink(&s, elf))
		return -ENOENT;
	fd = open_by_build_id(&s);
	if (fd == -ENOENT && *s.link == '/')
		fd = try(&s, "", s.link + 1, false);
	below = strstr(s.link, ".dwz/");
	if (fd == -ENOENT && below)
		fd = try_dirs(&s, below, false);
	return fd == -ENOENT ? debuginfod_open(places->servers, &s.shape) : fd;
}

/* Begins a search for a file that has no build id of its own. */
static bool begin_split(struct search *s)
{
	if (elf_shape_read(s->source->fd, &s->shape) || fstat(s->source->fd, &s->stat) ||
	    !s->source->path)
		return false;
	s->shape.build_id[0] = '\0';
	return true;
}

static int open_package(const struct search *s, const char *of)
{
	char *name;
	int fd;

	if (asprintf(&name, "%s.dwp", of) < 0)
		return -ENOMEM;
	fd = open_by_name(s, name, false);
	free(name);
	return fd;
}

int debug_package_open(const struct symbol_source *source, Elf *elf, const char *const *dirs)
{
	struct search s = { .source = source, .dirs = dirs };
	const char *slash;
	int fd;

	if (!begin_split(&s))
		return -ENOENT;
	slash = strrchr(source->path, '/');
	fd = open_package(&s, slash ? slash + 1 : source->path);
	if (fd != -ENOENT)
		return fd;
	read_debuglink(&s, elf);
	return s.link ? open_package(&s, s.link) : -ENOENT;
}

int debug_split_open(const struct symbol_source *source, const char *const *dirs,
		     const char *directory, const char *name, unsigned int *place)
{
	struct search s = { .source = source, .dirs = dirs };
	const char *object, *slash = strrchr(name, '/');
	char *whole = path_normalize(directory, name), *folder = NULL;
	int fd = -ENOENT;

	if (!whole)
		return -ENOMEM;
	if (!begin_split(&s))
		goto out;
	object = strrchr(source->path, '/');
	folder = strndup(source->path, object ? (size_t)(object - source->path) : 0);
	if (!folder)
		fd = -ENOMEM;
	while (fd == -ENOENT) {
		switch ((*place)++) {
		case 0: /* where the compiler wrote it */
			fd = *whole == '/' ? try(&s, "", whole + 1, false) : -ENOENT;
			break;
		case 1: /* a whole tree that was moved */
			fd = object && *name != '/' ? try(&s, folder, name, false) : -ENOENT;
			break;
		case 2:
			fd = object && slash ? try(&s, folder, slash + 1, false) : -ENOENT;
			break;
		case 3:
			fd = *whole == '/' ? try_dirs(&s, whole + 1, false) : -ENOENT;
			break;
		default:
			goto out;
		}
	}
out:
	free(whole);
	free(folder);
	return fd;
}
