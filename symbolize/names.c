// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/names.h"

/* What compilers append to the name of a function that they cloned, split or made private. */
static const struct suffix {
	const char *word;
	bool alone; /* may be there without a number; the others are words of people's, too */
} suffixes[] = {
	{ "cold", true },      { "localalias", true }, { "constprop", false },	 { "isra", false },
	{ "part", false },     { "__part", false },    { "clone", false },	 { "llvm", false },
	{ "lto_priv", false }, { "__uniq", false },    { "specialized", false },
};

static const struct suffix *find_suffix(const char *s, size_t length)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (strlen(suffixes[i].word) == length && !memcmp(s, suffixes[i].word, length))
			return &suffixes[i];
	return NULL;
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
	bool any = false, complete = false; /* all words so far have the number that they need */

	while (dot < end) {
		const char *part = dot + 1;
		const char *next = memchr(part, '.', (size_t)(end - part));
		size_t length = (size_t)((next ? next : end) - part);
		const struct suffix *suffix = find_suffix(part, length);

		if (suffix ? any && !complete : !any || !is_number(part, length))
			return false;
		complete = !suffix || suffix->alone;
		any = true;
		dot = next ? next : end;
	}
	return complete;
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

/* The path being made. What lies below floor, the root or leading "..", cannot be taken away. */
struct path {
	char *text;
	size_t length, floor;
};

static void add_part(struct path *p, const char *part, size_t length)
{
	if (p->length && p->text[p->length - 1] != '/')
		p->text[p->length++] = '/';
	memcpy(p->text + p->length, part, length);
	p->length += length;
}

static void go_up(struct path *p)
{
	if (p->length > p->floor) {
		while (p->length > p->floor && p->text[p->length - 1] != '/')
			p->length--;
		if (p->length > p->floor)
			p->length--;
	} else if (p->text[0] != '/' || !p->length) {
		add_part(p, "..", 2);
		p->floor = p->length;
	}
}

static void add_parts(struct path *p, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && !memcmp(path, "..", 2))
			go_up(p);
		else if (length && !(length == 1 && *path == '.'))
			add_part(p, path, length);
		path += length;
		path += strspn(path, "/");
	}
}

char *path_normalize(const char *directory, const char *path)
{
	bool below = *path != '/' && directory && *directory == '/';
	struct path p = { 0 };

	p.text = calloc(1, (below ? strlen(directory) : 0) + strlen(path) + 3);
	if (!p.text)
		return NULL;
	if (below || *path == '/')
		p.text[p.length++] = '/';
	p.floor = p.length;
	if (below)
		add_parts(&p, directory);
	add_parts(&p, path);
	p.text[p.length] = '\0';
	return p.text;
}
