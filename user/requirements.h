/* SPDX-License-Identifier: BSD-2-Clause */
/* What profbpf needs of the kernel and of its user: looked at, with the remedy for what is missing. */
#ifndef PROFBPF_REQUIREMENTS_H
#define PROFBPF_REQUIREMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum requirement_state {
	REQUIREMENT_OK,
	REQUIREMENT_NOTE, /* works, with less than one may want */
	REQUIREMENT_MISSING, /* recording cannot work */
};

struct requirement {
	const char *name; /* a constant */
	enum requirement_state state;
	char value[128]; /* what was found */
	char remedy[192]; /* "" if there is nothing to do */
};

struct requirements {
	struct requirement *list;
	size_t n, capacity;
};

/*
 * Looks at each requirement, in the order in which a user would mend them, without changing
 * anything and without needing any right. Returns 0 or -ENOMEM; the caller clears the result.
 */
int requirements_probe(struct requirements *r);
void requirements_clear(struct requirements *r);

const char *requirement_state_name(enum requirement_state state);

/* Whether none is missing. */
bool requirements_met(const struct requirements *r);

/*
 * For use after the kernel has refused something: says on stderr each requirement that is missing,
 * a line each, with its remedy. Returns how many, 0 if nothing explains the refusal.
 */
size_t requirements_explain(void);

#endif
