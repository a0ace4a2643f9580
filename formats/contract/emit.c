// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/emit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void emit_begin(struct emit *e, const struct emit_ops *ops, FILE *out)
{
	*e = (struct emit){ .ops = ops, .out = out, .first = true };
	ops->begin(e);
}

int emit_finish(struct emit *e)
{
	e->ops->finish(e);
	text_free(&e->name);
	errno = 0;
	if (fflush(e->out) != 0 || ferror(e->out))
		return -(errno ? errno : EIO);
	return e->err;
}

static void open_one(struct emit *e, enum emit_kind kind, const char *name, const char *columns,
		     uint64_t n)
{
	if (e->depth == EMIT_MAX_DEPTH)
		abort();
	e->ops->open(e, kind, name, columns, n);
	e->open[e->depth++] = kind;
	e->first = true;
}

void emit_object(struct emit *e, const char *name)
{
	open_one(e, EMIT_OBJECT, name, NULL, 0);
}

void emit_list(struct emit *e, const char *name, uint64_t n)
{
	open_one(e, EMIT_LIST, name, NULL, n);
}

void emit_item(struct emit *e)
{
	open_one(e, EMIT_ITEM, NULL, NULL, 0);
}

void emit_table(struct emit *e, const char *name, const char *columns, uint64_t n, bool header)
{
	open_one(e, EMIT_TABLE, name, n > 0 || header ? columns : NULL, n);
}

void emit_row(struct emit *e)
{
	open_one(e, EMIT_ROW, NULL, NULL, 0);
}

void emit_array(struct emit *e, const char *name, uint64_t n)
{
	open_one(e, EMIT_ARRAY, name, NULL, n);
}

void emit_end(struct emit *e)
{
	e->depth--;
	e->ops->close(e, e->open[e->depth]);
	e->first = false;
}

void emit_text(struct emit *e, const char *name, struct contract_text text)
{
	e->ops->text(e, name, text);
	e->first = false;
}

void emit_string(struct emit *e, const char *name, const char *s)
{
	emit_text(e, name, (struct contract_text){ s, strlen(s) });
}

void emit_qualified(struct emit *e, const char *name, struct contract_text name_space,
		    struct contract_text function)
{
	int err;

	text_clear(&e->name);
	err = text_add(&e->name, name_space.s, name_space.n);
	if (!err)
		err = text_add(&e->name, ".", 1);
	if (!err)
		err = text_add(&e->name, function.s, function.n);
	if (err)
		e->err = err;
	else
		emit_text(e, name, (struct contract_text){ e->name.s, e->name.n });
}

void emit_token(struct emit *e, const char *name, const char *token)
{
	e->ops->token(e, name, token);
	e->first = false;
}

void emit_number(struct emit *e, const char *name, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	emit_token(e, name, digits);
}

void emit_unavailable(struct emit *e, const char *name)
{
	emit_string(e, name, "unavailable");
}

static void put_escaped(FILE *out, uint32_t code)
{
	static const char short_forms[] = {
		['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['"'] = '"', ['\\'] = '\\'
	};

	if (code < sizeof(short_forms) && short_forms[code])
		fprintf(out, "\\%c", short_forms[code]);
	else
		fprintf(out, "\\u%04x", code);
}

void emit_quoted(FILE *out, struct contract_text text)
{
	const char *s = text.s, *end = text.s + text.n;

	putc('"', out);
	while (s < end) {
		uint32_t code = 0xFFFD;
		size_t n = text_decode(s, &code);

		if (!n || text_is_control(code) || code == '"' || code == '\\')
			put_escaped(out, code);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
	putc('"', out);
}
