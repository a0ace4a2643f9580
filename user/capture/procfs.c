// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "user/capture/procfs.h"

char *proc_read(const char *path)
{
	size_t size = 0, room = 4096;
	char *text = NULL, *more;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return NULL;
	for (;;) {
		more = realloc(text, room + 1);
		if (!more)
			goto fail;
		text = more;
		n = read(fd, text + size, room - size);
		if (n < 0)
			goto fail;
		if (!n)
			break;
		size += n;
		if (size == room)
			room *= 2;
	}
	close(fd);
	text[size] = 0;
	return text;
fail:
	free(text);
	close(fd);
	return NULL;
}

int proc_stat_parse(const char *text, struct proc_stat *stat)
{
	struct proc_stat s = { 0 };
	/* The name may hold parentheses and spaces, so its end is the last one. */
	const char *open_paren = strchr(text, '('), *close_paren = strrchr(text, ')');
	size_t len;

	if (!open_paren || !close_paren || close_paren < open_paren)
		return -EINVAL;
	len = close_paren - open_paren - 1;
	if (len >= sizeof(s.comm))
		len = sizeof(s.comm) - 1;
	memcpy(s.comm, open_paren + 1, len);
	/* proc(5): state ppid pgrp session tty tpgid flags, then 12 fields to starttime. */
	if (sscanf(close_paren + 1,
		   " %c %" SCNu32 " %*d %*d %*d %*d %" SCNu32
		   " %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64,
		   &s.state, &s.ppid, &s.flags, &s.start_ticks) != 4)
		return -EINVAL;
	*stat = s;
	return 0;
}

int proc_stat_read(uint32_t pid, struct proc_stat *stat)
{
	char path[64], *text;
	int err;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	text = proc_read(path);
	if (!text)
		return -errno;
	err = proc_stat_parse(text, stat);
	free(text);
	return err;
}

/* Undoes the one escape in the paths of /proc/PID/maps, \012 for a newline (show_map_vma in
 * fs/proc/task_mmu.c). A backslash stands for itself there. */
static void unescape(char *path)
{
	static const char newline[] = "\\012";
	size_t len = sizeof(newline) - 1;
	char *to = path;

	while (*path) {
		if (strncmp(path, newline, len)) {
			*to++ = *path++;
		} else {
			*to++ = '\n';
			path += len;
		}
	}
	*to = 0;
}

static bool parse_mapping(char *line, struct proc_mapping *m)
{
	unsigned int major_, minor_;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 "%n", &m->start,
		   &m->end, perms, &m->offset, &major_, &minor_, &m->inode, &at) != 7 ||
	    m->end <= m->start)
		return false;
	while (line[at] == ' ')
		at++;
	m->executable = strlen(perms) > 2 && perms[2] == 'x';
	m->device = makedev(major_, minor_);
	m->path = line + at;
	return true;
}

int proc_maps_parse(char *text, proc_mapping_fn fn, void *arg)
{
	char *line, *next;
	int err;

	for (line = text; line; line = next) {
		struct proc_mapping m;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!parse_mapping(line, &m))
			continue;
		unescape((char *)m.path);
		err = fn(arg, &m);
		if (err < 0)
			return err;
	}
	return 0;
}

int proc_maps_read(uint32_t pid, proc_mapping_fn fn, void *arg)
{
	char path[64], *text;
	int err;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", pid);
	text = proc_read(path);
	if (!text)
		return -errno;
	err = proc_maps_parse(text, fn, arg);
	free(text);
	return err;
}

int proc_status_number(uint32_t pid, const char *field, uint64_t *value)
{
	char path[64], *text, *line;
	size_t len = strlen(field);
	int err = -EINVAL;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	text = proc_read(path);
	if (!text)
		return -errno;
	/* The first line is the name, in which newlines are escaped. */
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, field, len) && line[len] == ':' &&
		    sscanf(line + len + 1, "%" SCNu64, value) == 1) {
			err = 0;
			break;
		}
	}
	free(text);
	return err;
}

static int is_number(const struct dirent *entry)
{
	return entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
}

static int each_number(const char *folder, int (*fn)(void *arg, uint32_t number), void *arg)
{
	struct dirent **entries;
	int i, n = scandir(folder, &entries, is_number, versionsort), err = 0;

	if (n < 0)
		return -errno;
	for (i = 0; i < n; i++) {
		if (err >= 0)
			err = fn(arg, strtoul(entries[i]->d_name, NULL, 10));
		free(entries[i]);
	}
	free(entries);
	return err < 0 ? err : 0;
}

int proc_each(int (*fn)(void *arg, uint32_t pid), void *arg)
{
	return each_number("/proc", fn, arg);
}

int proc_each_thread(uint32_t pid, int (*fn)(void *arg, uint32_t tid), void *arg)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%" PRIu32 "/task", pid);
	return each_number(folder, fn, arg);
}

int proc_link(const char *path, char *buf, size_t size)
{
	ssize_t n = readlink(path, buf, size - 1);

	if (n < 0)
		return -errno;
	buf[n] = 0;
	return 0;
}
