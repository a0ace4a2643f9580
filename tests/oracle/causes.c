// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/causes.h"

enum difference chain_compare(const struct chain *ours, const struct chain *theirs, uint32_t *same)
{
	uint32_t n = ours->kept < theirs->kept ? ours->kept : theirs->kept, i;

	for (i = 0; i < n && ours->pc[i] == theirs->pc[i]; i++)
		;
	*same = i;
	if (i < n)
		return DIFFERENCE_PC;
	if (ours->kept == theirs->kept)
		return DIFFERENCE_NONE;
	return ours->kept < theirs->kept ? DIFFERENCE_OURS_SHORTER : DIFFERENCE_THEIRS_SHORTER;
}

const char *difference_name(enum difference difference)
{
	static const char *const names[] = {
		[DIFFERENCE_NONE] = "both end early",
		[DIFFERENCE_OURS_SHORTER] = "ours is shorter",
		[DIFFERENCE_THEIRS_SHORTER] = "theirs is shorter",
		[DIFFERENCE_PC] = "another caller",
	};

	return names[difference];
}

struct cause *causes_find(struct causes *c, enum difference difference, const char *object,
			  const char *function, const char *end)
{
	struct cause key = { .difference = difference }, *grown;

	snprintf(key.object, sizeof(key.object), "%s", object);
	snprintf(key.function, sizeof(key.function), "%s", function);
	snprintf(key.end, sizeof(key.end), "%s", end);
	for (size_t i = 0; i < c->n; i++) {
		struct cause *k = &c->list[i];

		if (k->difference == difference && !strcmp(k->object, key.object) &&
		    !strcmp(k->function, key.function) && !strcmp(k->end, key.end))
			return k;
	}
	grown = reallocarray(c->list, c->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	c->list = grown;
	c->list[c->n] = key;
	return &c->list[c->n++];
}

void causes_free(struct causes *c)
{
	free(c->list);
	*c = (struct causes){ 0 };
}
