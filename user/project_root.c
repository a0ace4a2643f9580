// SPDX-License-Identifier: BSD-2-Clause
#include "user/project_root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct project_root {
	char *spellings[2]; /* of the same folder, without a slash at the end; NULL: none */
};

/* Whether a version control system keeps its own there. */
static bool is_top(const char *dir)
{
	static const char *const marks[] = { ".git", ".hg", ".svn", ".jj", ".bzr", "_darcs" };
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool found = false;

	if (fd < 0)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !found; i++)
		found = faccessat(fd, marks[i], F_OK, 0) == 0;
	close(fd);
	return found;
}

/* Cuts a path down to the top of its source tree; one that is in none stays. */
static int cut_to_top(char *path)
{
	char *copy = strdup(path), *slash;

	if (!copy)
		return -ENOMEM;
	while (*copy && !is_top(copy)) {
		slash = strrchr(copy, '/');
		*(slash ? slash : copy) = '\0';
	}
	if (*copy)
		path[strlen(copy)] = '\0';
	free(copy);
	return 0;
}

/* Takes the path over. The root folder would show every path there is, so nobody gets it unasked. */
static void add_spelling(struct project_root *r, char *path, bool asked)
{
	size_t n = strlen(path);

	while (n > 0 && path[n - 1] == '/')
		path[--n] = '\0';
	if ((n == 0 && !asked) || (r->spellings[0] && strcmp(r->spellings[0], path) == 0))
		free(path);
	else
		r->spellings[r->spellings[0] ? 1 : 0] = path;
}

static int find_around(struct project_root *r)
{
	char *spellings[] = { getcwd(NULL, 0), get_current_dir_name() };
	int err = 0;

	for (size_t i = 0; i < 2; i++) {
		if (!spellings[i]) /* the path of a folder that is gone */
			continue;
		if (!err)
			err = cut_to_top(spellings[i]);
		add_spelling(r, spellings[i], false);
	}
	return err;
}

static int take(struct project_root *r, const char *dir)
{
	char *real = realpath(dir, NULL), *spelled;

	if (!real && (errno != ENOENT || dir[0] != '/'))
		return -errno;
	if (real)
		add_spelling(r, real, true);
	if (dir[0] != '/')
		return 0;
	spelled = strdup(dir);
	if (!spelled)
		return -ENOMEM;
	add_spelling(r, spelled, true);
	return 0;
}

int project_root_new(const char *dir, struct project_root **root)
{
	struct project_root *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	if (r)
		err = dir ? take(r, dir) : find_around(r);
	if (err) {
		project_root_free(r);
		return err;
	}
	*root = r;
	return 0;
}

void project_root_free(struct project_root *r)
{
	if (!r)
		return;
	free(r->spellings[0]);
	free(r->spellings[1]);
	free(r);
}

const char *project_root_relative(const struct project_root *r, const char *path)
{
	for (size_t i = 0; i < 2 && r->spellings[i]; i++) {
		size_t n = strlen(r->spellings[i]);

		if (strncmp(path, r->spellings[i], n) == 0 && path[n] == '/' && path[n + 1])
			return path + n + 1;
	}
	return NULL;
}
