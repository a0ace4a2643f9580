/* SPDX-License-Identifier: BSD-2-Clause */
/* Names like one that is not there, by the number of letters that differ (Levenshtein's distance). */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/listing.h"

/* Of longer names the beginning is compared. */
#define LONGEST 128

struct near_name {
	const char *name;
	unsigned int distance;
};

static unsigned int min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
	unsigned int row[LONGEST + 1];

	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);
			unsigned int changed = diagonal + !same;

			diagonal = row[j];
			row[j] = min(changed, min(row[j], row[j - 1]) + 1);
		}
	}
	return row[m];
}

/* The part of a qualified name behind its last "::", "." or "/", which people type. */
static const char *last_part(const char *name)
{
	const char *last = name;

	for (const char *c = name; *c && *c != '<' && *c != '('; c++) {
		if ((*c == ':' || *c == '.' || *c == '/') && c[1])
			last = c + 1;
	}
	return last;
}

static int compare(const void *a, const void *b)
{
	const struct near_name *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return strcmp(x->name, y->name);
}

int listing_near_names(const struct profile *p, const char *name, const char **names, uint32_t n)
{
	uint32_t n_functions = profile_n_functions(p), found = 0, n_near = 0;
	unsigned int most = 1 + strnlen(name, LONGEST) / 3;
	struct near_name *near = calloc(n_functions + (size_t)1, sizeof(*near));

	if (!near)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_functions; i++) {
		const char *own = profile_function(p, i)->name;
		unsigned int d = min(distance(name, own), distance(name, last_part(own)));

		if (d <= most)
			near[n_near++] = (struct near_name){ own, d };
	}
	qsort(near, n_near, sizeof(*near), compare);
	for (uint32_t i = 0; i < n_near && found < n; i++) {
		if (!found || names[found - 1] != near[i].name)
			names[found++] = near[i].name;
	}
	free(near);
	return (int)found;
}
