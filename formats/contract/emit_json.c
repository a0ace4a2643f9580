// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/emit.h"

/* Rows and arrays stand on one line, the rest a member a line. */
static bool is_inline(const struct emit *e)
{
	return e->depth > 0 &&
	       (e->open[e->depth - 1] == EMIT_ROW || e->open[e->depth - 1] == EMIT_ARRAY);
}

static void new_line(const struct emit *e, unsigned int depth)
{
	putc('\n', e->out);
	for (unsigned int i = 0; i < depth; i++)
		fputs("  ", e->out);
}

static void lead(const struct emit *e, const char *name)
{
	if (!e->first)
		putc(',', e->out);
	if (!is_inline(e))
		new_line(e, e->depth + 1);
	else if (!e->first)
		putc(' ', e->out);
	if (name)
		fprintf(e->out, "\"%s\": ", name);
}

static bool is_object(enum emit_kind kind)
{
	return kind == EMIT_OBJECT || kind == EMIT_ITEM || kind == EMIT_ROW;
}

static void json_begin(struct emit *e)
{
	putc('{', e->out);
}

static void json_open(struct emit *e, enum emit_kind kind, const char *name, const char *columns,
		      uint64_t n)
{
	lead(e, name);
	putc(is_object(kind) ? '{' : '[', e->out);
}

static void json_close(struct emit *e, enum emit_kind kind)
{
	if (!e->first && kind != EMIT_ROW && kind != EMIT_ARRAY)
		new_line(e, e->depth + 1);
	putc(is_object(kind) ? '}' : ']', e->out);
}

static void json_token(struct emit *e, const char *name, const char *token)
{
	lead(e, name);
	fputs(token, e->out);
}

static void json_text(struct emit *e, const char *name, struct contract_text text)
{
	lead(e, name);
	emit_quoted(e->out, text);
}

static void json_finish(struct emit *e)
{
	fputs("\n}\n", e->out);
}

const struct emit_ops emit_json = {
	.begin = json_begin,
	.open = json_open,
	.close = json_close,
	.token = json_token,
	.text = json_text,
	.finish = json_finish,
};
