// SPDX-License-Identifier: BSD-2-Clause
#include "user/source_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nettle/md5.h>

#include "symbolize/regular.h"

static int open_source(const char *path, struct stat *st)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd;

	if (place < 0)
		return errno == ENOTDIR || errno == ENAMETOOLONG ? -ENOENT : -errno;
	*st = (struct stat){ 0 };
	fd = regular_open(place, st);
	if (fd >= 0)
		return fd;
	return S_ISREG(st->st_mode) ? -EACCES : -ENOTSUP;
}

/* Reads to the end of the file, which may change meanwhile. */
static int read_all(int fd, char **bytes, size_t *size)
{
	size_t room = 64 * 1024, n = 0;
	char *buf = malloc(room);

	while (buf) {
		ssize_t got = pread(fd, buf + n, room - n - 1, (off_t)n);

		if (got <= 0) {
			if (!got)
				break;
			free(buf);
			return -EIO;
		}
		n += (size_t)got;
		if (n > SOURCE_FILE_MAX) {
			free(buf);
			return -EFBIG;
		}
		if (n + 1 == room) {
			char *more = realloc(buf, room *= 2);

			if (!more)
				free(buf);
			buf = more;
		}
	}
	if (!buf)
		return -ENOMEM;
	buf[n] = '\0';
	*bytes = buf;
	*size = n;
	return 0;
}

static bool has_md5(const char *bytes, size_t size, const char *wanted)
{
	struct md5_ctx context;
	uint8_t digest[MD5_DIGEST_SIZE];
	char text[2 * MD5_DIGEST_SIZE + 1];

	md5_init(&context);
	md5_update(&context, size, (const uint8_t *)bytes);
	md5_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return strcmp(text, wanted) == 0;
}

static int split_lines(struct source_file *f, size_t size)
{
	uint32_t n = 0;

	for (size_t i = 0; i < size; i++) {
		n += f->bytes[i] == '\n';
		/* A NUL in a text would end it. */
		if (!f->bytes[i])
			f->bytes[i] = ' ';
	}
	if (n > SOURCE_LINES_MAX)
		return -EFBIG;
	f->lines = calloc(n + (size_t)1, sizeof(*f->lines));
	if (!f->lines)
		return -ENOMEM;
	for (char *line = f->bytes, *end = f->bytes + size; line < end;) {
		char *stop = memchr(line, '\n', (size_t)(end - line));

		f->lines[f->n++] = line;
		if (!stop)
			break;
		*stop = '\0';
		line = stop + 1;
	}
	return 0;
}

static int read_source(const struct source_query *q, int fd, const struct stat *st,
		       const char *path, struct source_file **file)
{
	struct source_file *f = calloc(1, sizeof(*f));
	size_t size = 0;
	int err = f ? read_all(fd, &f->bytes, &size) : -ENOMEM;

	if (!err && q->md5 && !has_md5(f->bytes, size, q->md5))
		err = -ESTALE;
	if (!err)
		err = split_lines(f, size);
	if (!err) {
		f->path = strdup(path);
		err = f->path ? 0 : -ENOMEM;
	}
	if (err) {
		source_file_free(f);
		return err;
	}
	f->newer = !q->md5 && q->built_ns && regular_modified_ns(st) > q->built_ns;
	*file = f;
	return 0;
}

static int try(const struct source_query *q, const char *path, struct source_file **file)
{
	struct stat st;
	int fd = open_source(path, &st), err;

	if (fd < 0)
		return fd;
	err = st.st_size > SOURCE_FILE_MAX ? -EFBIG : read_source(q, fd, &st, path, file);
	close(fd);
	return err;
}

/* Tries below a folder the path, then what follows each of its slashes. */
static int try_below(const struct source_query *q, const char *folder, struct source_file **file)
{
	int result = -ENOENT;

	for (const char *rest = q->path; rest; rest = strchr(rest, '/')) {
		char *path;
		int err;

		rest += strspn(rest, "/");
		if (!*rest)
			break;
		if (asprintf(&path, "%s/%s", folder, rest) < 0)
			return -ENOMEM;
		err = try(q, path, file);
		free(path);
		if (!err || err == -ENOMEM)
			return err;
		if (result == -ENOENT)
			result = err;
	}
	return result;
}

int source_file_read(const struct source_query *q, struct source_file **file)
{
	int result = q->folder ? try_below(q, q->folder, file) : -ENOENT, err;

	if (!result || result == -ENOMEM)
		return result;
	err = *q->path == '/' ? try(q, q->path, file) : -ENOENT;
	if (!err || err == -ENOMEM)
		return err;
	if (result == -ENOENT)
		result = err;
	err = try_below(q, ".", file);
	return !err || err == -ENOMEM || result == -ENOENT ? err : result;
}

void source_file_free(struct source_file *f)
{
	if (!f)
		return;
	free(f->path);
	free(f->bytes);
	free(f->lines);
	free(f);
}
