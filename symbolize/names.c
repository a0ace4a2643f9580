// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/names.h"

/* What compilers append to the name of a function that they cloned, split or made private. */
static const char *const suffixes[] = {
	"constprop", "isra",	   "part",   "cold",	    "llvm",
	"lto_priv",  "localalias", "__uniq", "specialized",
};

static bool is_word(const char *s, size_t length)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strlen(suffixes[i]) == length && !memcmp(s, suffixes[i], length))
			return true;
	return false;
}

static bool is_number(const char *s, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return length > 0;
}

/* Whether all from a dot to the end is ".word" and ".number" parts, beginning with a word. */
static bool is_suffix(const char *dot, const char *end)
{
	bool first = true;

	while (dot < end) {
		const char *part = dot + 1;
		const char *next = memchr(part, '.', (size_t)(end - part));
		size_t length = (size_t)((next ? next : end) - part);

		if (!is_word(part, length) && (first || !is_number(part, length)))
			return false;
		first = false;
		dot = next ? next : end;
	}
	return true;
}

size_t name_without_suffixes(const char *name, size_t length)
{
	const char *end = name + length;
	const char *dot = length ? memchr(name + 1, '.', length - 1) : NULL;

	while (dot) {
		if (is_suffix(dot, end))
			return (size_t)(dot - name);
		dot = memchr(dot + 1, '.', (size_t)(end - dot - 1));
	}
	return length;
}

char *path_normalize(const char *path)
{
	char *out = malloc(strlen(path) + 2);
	size_t n = 0, floor;

	if (!out)
		return NULL;
	if (*path == '/')
		out[n++] = '/';
	floor = n; /* what ".." cannot take away */
	while (*path) {
		size_t part = strcspn(path, "/");

		if (part == 2 && !memcmp(path, "..", 2) && n > floor) {
			while (n > floor && out[n - 1] != '/')
				n--;
			if (n > floor)
				n--;
		} else if (part == 2 && !memcmp(path, "..", 2) && floor == 1 && out[0] == '/') {
			/* the root is its own parent */
		} else if (part && !(part == 1 && *path == '.')) {
			if (n && out[n - 1] != '/')
				out[n++] = '/';
			memcpy(out + n, path, part);
			n += part;
			if (part == 2 && !memcmp(path, "..", 2))
				floor = n;
		}
		path += part;
		path += strspn(path, "/");
	}
	out[n] = '\0';
	return out;
}
