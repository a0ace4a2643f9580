// SPDX-License-Identifier: BSD-2-Clause
#include "symbolize/trail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define MAX_BYTES (4u << 20)

/* Before each path, which ends with a zero. */
struct step {
	struct file_identity identity;
	uint32_t in_root, length; /* of the path, with its end */
};

struct file_identity file_identity_of(const struct stat *st)
{
	return (struct file_identity){
		.device = st->st_dev,
		.inode = st->st_ino,
		.size = (uint64_t)st->st_size,
		.changed_s = st->st_ctim.tv_sec,
		.changed_ns = st->st_ctim.tv_nsec,
	};
}

bool file_is_settled(const struct stat *st)
{
	return st->st_ctim.tv_sec < time(NULL) - 1;
}

static void append(struct trail *t, const struct step *step, const char *path)
{
	size_t wanted = t->size + sizeof(*step) + step->length;

	if (wanted > t->room && !t->spoiled) {
		char *more = wanted > MAX_BYTES ? NULL : realloc(t->bytes, 2 * wanted);

		t->spoiled = !more;
		if (more) {
			t->bytes = more;
			t->room = 2 * wanted;
		}
	}
	if (t->spoiled)
		return;
	memcpy(t->bytes + t->size, step, sizeof(*step));
	memcpy(t->bytes + t->size + sizeof(*step), path, step->length);
	t->size = wanted;
}

void trail_add(struct trail *t, bool in_root, const char *path, const struct stat *st)
{
	struct step step = { .in_root = in_root, .length = (uint32_t)strlen(path) + 1 };

	if (st) {
		step.identity = file_identity_of(st);
		t->spoiled |= !file_is_settled(st);
	}
	append(t, &step, path);
}

/* Takes the next step off the bytes; NULL where there is none, or it is damaged. */
static const char *take(const char **at, const char *end, struct step *step)
{
	const char *path = *at + sizeof(*step);

	if ((size_t)(end - *at) < sizeof(*step))
		return NULL;
	memcpy(step, *at, sizeof(*step));
	if (!step->length || step->length > (size_t)(end - path) || path[step->length - 1])
		return NULL;
	*at = path + step->length;
	return path;
}

static bool has(const struct trail *t, const struct step *wanted, const char *path)
{
	const char *at = t->bytes, *end = t->size ? at + t->size : at, *known;
	struct step step;

	while (at < end && (known = take(&at, end, &step)))
		if (!memcmp(&step, wanted, sizeof(step)) && !memcmp(known, path, step.length))
			return true;
	return false;
}

void trail_merge(struct trail *t, const void *bytes, size_t size)
{
	const char *at = bytes, *end = size ? at + size : at, *path;
	struct step step;

	while (at < end && (path = take(&at, end, &step)))
		if (!has(t, &step, path))
			append(t, &step, path);
}

bool trail_holds(const void *bytes, size_t size, const char *root, trail_look look)
{
	const char *at = bytes, *end = size ? at + size : at;

	while (at < end) {
		struct file_identity now = { 0 };
		struct step step;
		const char *path = take(&at, end, &step);
		struct stat st;

		if (!path)
			return false;
		if (look(step.in_root ? root : "", path, &st))
			now = file_identity_of(&st);
		if (memcmp(&now, &step.identity, sizeof(now)))
			return false;
	}
	return true;
}

void trail_free(struct trail *t)
{
	free(t->bytes);
	*t = (struct trail){ 0 };
}
