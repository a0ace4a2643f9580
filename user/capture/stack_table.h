/* SPDX-License-Identifier: BSD-2-Clause */
/* The stacks that have crossed, by the kernel's hash of them. */
#ifndef PROFBPF_STACK_TABLE_H
#define PROFBPF_STACK_TABLE_H

#include <stdint.h>

#include "user/capture/timeline.h"

struct stack_table;

struct stack_table *stack_table_new(void);
void stack_table_free(struct stack_table *t);

/* Adds a stack, or replaces what its hash stood for. 0 or -ENOMEM. */
int stack_table_set(struct stack_table *t, uint64_t hash, const struct resolved_stack *stack);

/*
 * To be called each time that the kernel has forgotten which stacks have crossed: forgets those that
 * have not crossed again since the time before. (The last time's are needed once more: they may be in
 * counters that ran across the forgetting.)
 */
void stack_table_age(struct stack_table *t);

/* NULL if the hash is unknown; valid until the table changes. */
const struct resolved_stack *stack_table_find(const struct stack_table *t, uint64_t hash);

#endif
