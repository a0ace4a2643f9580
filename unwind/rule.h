/* SPDX-License-Identifier: BSD-2-Clause */
/* From what call frame information says at one place to the packed rule of a table's row. */
#ifndef PROFBPF_UNWIND_RULE_H
#define PROFBPF_UNWIND_RULE_H

#include "bpf/walk/rules.h"
#include "unwind/cfi.h"

/* The complex rules of a table, each once. Zeroed to begin with. */
struct rule_set {
	struct unwind_complex *list; /* malloc'd; the table takes it */
	uint32_t n, room;
	uint32_t *slots; /* hash table: index in the list + 1 */
	uint32_t n_slots;
};

void rule_set_free(struct rule_set *set);

/*
 * The packed rule (without the offset in its block). UNWIND_UNKNOWN where it can't be expressed.
 * -ENOMEM.
 */
int rule_pack(struct rule_set *set, const struct cfi_state *state, bool signal_frame,
	      uint32_t *rule);

#endif
