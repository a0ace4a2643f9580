// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "user/capture/stack_table.h"

struct stack_entry {
	uint64_t hash;
	struct resolved_stack stack;
	uint64_t age; /* the table's when it last crossed */
	UT_hash_handle hh;
};

struct stack_table {
	struct stack_entry *entries;
	uint64_t age;
};

struct stack_table *stack_table_new(void)
{
	return calloc(1, sizeof(struct stack_table));
}

void stack_table_free(struct stack_table *t)
{
	struct stack_entry *e, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->entries, e, next) {
		HASH_DEL(t->entries, e);
		free(e);
	}
	free(t);
}

int stack_table_set(struct stack_table *t, uint64_t hash, const struct resolved_stack *stack)
{
	struct stack_entry *e;

	HASH_FIND(hh, t->entries, &hash, sizeof(hash), e);
	if (e) {
		e->stack = *stack;
		e->age = t->age;
		return 0;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		return -ENOMEM;
	e->hash = hash;
	e->stack = *stack;
	e->age = t->age;
	HASH_ADD(hh, t->entries, hash, sizeof(e->hash), e);
	if (!e->hh.tbl) {
		free(e);
		return -ENOMEM;
	}
	return 0;
}

void stack_table_age(struct stack_table *t)
{
	struct stack_entry *e, *next;

	HASH_ITER(hh, t->entries, e, next) {
		if (e->age == t->age)
			continue;
		HASH_DEL(t->entries, e);
		free(e);
	}
	t->age++;
}

const struct resolved_stack *stack_table_find(const struct stack_table *t, uint64_t hash)
{
	struct stack_entry *e;

	HASH_FIND(hh, t->entries, &hash, sizeof(hash), e);
	return e ? &e->stack : NULL;
}
