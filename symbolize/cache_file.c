// SPDX-License-Identifier: BSD-2-Clause
#include "symbolize/cache_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int map_whole(int fd, void **map, size_t *size)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || (st.st_uid && st.st_uid != geteuid()) ||
	    st.st_mode & (S_IWGRP | S_IWOTH) || !st.st_size)
		return -ENOENT;
	at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (at == MAP_FAILED)
		return -ENOMEM;
	*map = at;
	*size = (size_t)st.st_size;
	return 0;
}

int cache_file_map(const char *dir, const char *name, void **map, size_t *size)
{
	char *path;
	int fd, err;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	err = fd < 0 ? -errno : map_whole(fd, map, size);
	if (fd >= 0)
		close(fd);
	free(path);
	return err == -ELOOP ? -ENOENT : err;
}

static int write_part(int fd, const struct iovec *part)
{
	for (size_t done = 0; done < part->iov_len;) {
		ssize_t n = write(fd, (const char *)part->iov_base + done, part->iov_len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return 0;
}

int cache_file_write(const char *dir, const char *name, const struct iovec *parts, size_t n_parts)
{
	char *path = NULL, *temporary = NULL;
	int fd, err = -ENOMEM;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		goto out;
	}
	if (asprintf(&temporary, "%s/.%s.XXXXXX", dir, name) < 0) {
		temporary = NULL;
		goto out;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		goto out;
	}
	err = 0;
	for (size_t i = 0; i < n_parts && !err; i++)
		err = write_part(fd, &parts[i]);
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		unlink(temporary);
out:
	free(temporary);
	free(path);
	return err;
}

void cache_file_touch(const char *dir, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return;
	utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	free(path);
}

struct kept {
	struct timespec used;
	uint64_t size;
	char name[NAME_MAX + 1];
};

static int by_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used;
	const struct timespec *y = &((const struct kept *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static bool is_kept(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return *name != '.' && length > tail && !strcmp(name + length - tail, suffix);
}

/* All files with the suffix, allocated; their number. */
static size_t list(DIR *folder, const char *suffix, struct kept **files)
{
	size_t n = 0, size = 0;
	struct dirent *entry;

	*files = NULL;
	while ((entry = readdir(folder))) {
		struct stat st;

		if (!is_kept(entry->d_name, suffix) ||
		    fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (n == size) {
			struct kept *more;

			size = size ? 2 * size : 64;
			more = reallocarray(*files, size, sizeof(*more));
			if (!more)
				break;
			*files = more;
		}
		(*files)[n].used = st.st_mtim;
		(*files)[n].size = (uint64_t)st.st_size;
		snprintf((*files)[n].name, sizeof((*files)[n].name), "%s", entry->d_name);
		n++;
	}
	return n;
}

void cache_file_limit(const char *dir, const char *suffix, uint64_t bytes)
{
	DIR *folder = opendir(dir);
	struct kept *files;
	uint64_t total = 0;
	size_t n;

	if (!folder)
		return;
	n = list(folder, suffix, &files);
	for (size_t i = 0; i < n; i++)
		total += files[i].size;
	if (n && total > bytes) {
		qsort(files, n, sizeof(*files), by_use);
		for (size_t i = 0; i < n && total > bytes / 4 * 3; i++) {
			unlinkat(dirfd(folder), files[i].name, 0);
			total -= files[i].size;
		}
	}
	free(files);
	closedir(folder);
}
