/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What events refer to: sources, functions, frames and stacks, numbered from 0 in their kind as they
 * are added. Records of one identity share an id; aggregation goes by ids. All strings are copied.
 *
 * Adding returns 0, -ENOMEM, -EOVERFLOW, or -ERANGE for a reference to a record that is not there.
 */
#ifndef PROFBPF_CONTRACT_CATALOG_H
#define PROFBPF_CONTRACT_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/contract/terms.h"

#define CONTRACT_MAX_DEPTH 128U

/* Bytes of a source; start is UINT64_MAX where it is not known. */
struct contract_span {
	uint64_t start, end;
};

#define CONTRACT_NO_SPAN ((struct contract_span){ UINT64_MAX, UINT64_MAX })

struct contract_source {
	enum contract_origin origin;
	struct contract_text path;
	struct contract_text text; /* s is NULL where there is none */
	/* Those that hold secrets. NULL where nobody has checked. */
	const struct contract_span *secrets;
	size_t n_secrets;
};

/* Lines and columns are UINT64_MAX where they are not known. */
#define CONTRACT_NO_NUMBER UINT64_MAX

struct contract_function {
	struct contract_text name_space, name;
	uint32_t source; /* a record when added, an id when read; CONTRACT_NONE */
	struct contract_span declaration;
	uint64_t line, column; /* where it is shown */
};

struct contract_frame {
	uint32_t function; /* a record when added, an id when read */
	struct contract_span call_site;
	uint64_t line, column;
};

/* Frame ids, root first, at most CONTRACT_MAX_DEPTH. */
struct contract_stack {
	const uint32_t *frames;
	uint32_t n;
	bool truncated; /* the last one stands for those that were cut off */
};

struct catalog;

struct catalog *catalog_new(void);
void catalog_free(struct catalog *c);

/* A path that is absolute, empty or leads upwards makes a source that is not available. */
int catalog_add_source(struct catalog *c, const struct contract_source *source);
int catalog_add_function(struct catalog *c, const struct contract_function *function);
int catalog_add_frame(struct catalog *c, const struct contract_frame *frame);
/* frames: records, root first. */
int catalog_add_stack(struct catalog *c, const uint32_t *frames, size_t n);

/*
 * From here on no function that is new will be looked at: all of them are one, and so are their frames.
 * A file that goes on naming new ones takes little more memory.
 */
void catalog_close(struct catalog *c);

/* The id of a stack record; -ERANGE if there is none. */
int catalog_stack_id(const struct catalog *c, uint64_t record, uint32_t *id);
uint32_t catalog_n_stacks(const struct catalog *c);

/* By id; an id out of range is a programming error. They belong to the catalog. */
struct contract_source catalog_source(const struct catalog *c, uint32_t id);
struct contract_function catalog_function(const struct catalog *c, uint32_t id);
struct contract_frame catalog_frame(const struct catalog *c, uint32_t id);
struct contract_stack catalog_stack(const struct catalog *c, uint32_t id);
/* The function of the frame at a depth of a stack. */
uint32_t catalog_function_at(const struct catalog *c, uint32_t stack, uint32_t depth);

/* <unavailable-symbol>, <truncated-stack>, <runtime>: names that stand for no function. */
bool catalog_is_bucket(const struct contract_function *function);

#endif
