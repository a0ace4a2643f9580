/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One document in either of two notations, TOON and JSON, written as it comes: what is written does
 * not know which. Members have names, elements and cells none need be given (NULL). The stream keeps
 * its error.
 *
 *	emit_begin, then members between emit_object/_list/_item/_table/_row/_array and emit_end,
 *	then emit_finish.
 */
#ifndef PROFBPF_CONTRACT_EMIT_H
#define PROFBPF_CONTRACT_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/contract/terms.h"
#include "formats/text.h"

enum emit_kind { EMIT_OBJECT, EMIT_LIST, EMIT_ITEM, EMIT_TABLE, EMIT_ROW, EMIT_ARRAY };

struct emit;

struct emit_ops {
	void (*begin)(struct emit *e);
	/* columns: of a table, separated by commas; n: elements to come. */
	void (*open)(struct emit *e, enum emit_kind kind, const char *name, const char *columns,
		     uint64_t n);
	void (*close)(struct emit *e, enum emit_kind kind);
	void (*token)(struct emit *e, const char *name, const char *token);
	void (*text)(struct emit *e, const char *name, struct contract_text text);
	void (*finish)(struct emit *e);
};

extern const struct emit_ops emit_toon, emit_json;

#define EMIT_MAX_DEPTH 12U

struct emit {
	const struct emit_ops *ops;
	FILE *out;
	enum emit_kind open[EMIT_MAX_DEPTH];
	unsigned int depth;
	bool first; /* nothing stands yet in what is open */
	struct text name; /* put together */
	int err;
};

void emit_begin(struct emit *e, const struct emit_ops *ops, FILE *out);
/* Ends the document and flushes. Returns 0, -ENOMEM, or -errno of the failed write. */
int emit_finish(struct emit *e);
void emit_object(struct emit *e, const char *name);
void emit_list(struct emit *e, const char *name, uint64_t n);
void emit_item(struct emit *e);
/* An empty table that keeps its header shows its columns where the notation can. */
void emit_table(struct emit *e, const char *name, const char *columns, uint64_t n, bool header);
void emit_row(struct emit *e);
void emit_array(struct emit *e, const char *name, uint64_t n);
void emit_end(struct emit *e);

void emit_text(struct emit *e, const char *name, struct contract_text text);
void emit_string(struct emit *e, const char *name, const char *s);
/* A function's whole name. */
void emit_qualified(struct emit *e, const char *name, struct contract_text name_space,
		    struct contract_text function);
/* As it is: a number, true or false. */
void emit_token(struct emit *e, const char *name, const char *token);
void emit_number(struct emit *e, const char *name, uint64_t number);
void emit_unavailable(struct emit *e, const char *name);

/* For the notations: a quoted string with the escapes that both have. */
void emit_quoted(FILE *out, struct contract_text text);

#endif
