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
