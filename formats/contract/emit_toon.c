// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <string.h>

#include "formats/contract/emit.h"

static enum emit_kind innermost(const struct emit *e)
{
	return e->depth ? e->open[e->depth - 1] : EMIT_OBJECT;
}

/* The first member of an item stands behind its dash, which is one step out. */
static void new_line(const struct emit *e)
{
	bool dash = e->first && innermost(e) == EMIT_ITEM;
	unsigned int steps = dash ? e->depth - 1 : e->depth;

	if (e->depth > 0 || !e->first)
		putc('\n', e->out);
	for (unsigned int i = 0; i < steps; i++)
		fputs("  ", e->out);
	if (dash)
		fputs("- ", e->out);
}

/* What stands before a value: a comma, or a new line and its name. */
static void lead(const struct emit *e, const char *name)
{
	if (innermost(e) == EMIT_ROW || innermost(e) == EMIT_ARRAY) {
		if (!e->first)
			putc(',', e->out);
		return;
	}
	new_line(e);
	fprintf(e->out, "%s: ", name);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *s)
{
	while (is_digit(*s))
		s++;
	return s;
}

/* Digits with or without sign, fraction and exponent; leading zeros too. Text ends with NUL. */
static bool is_numeric(struct contract_text text)
{
	const char *s = text.s + (text.s[0] == '-'), *next = skip_digits(s);

	if (next == s)
		return false;
	if (next[0] == '.' && is_digit(next[1]))
		next = skip_digits(next + 1);
	if (next[0] == 'e' || next[0] == 'E') {
		const char *exponent = next + 1 + (next[1] == '+' || next[1] == '-');

		if (is_digit(exponent[0]))
			next = skip_digits(exponent);
	}
	return next == text.s + text.n;
}

static bool is_word(struct contract_text text, const char *word)
{
	return text.n == strlen(word) && memcmp(text.s, word, text.n) == 0;
}

/* White space is not ASCII's alone: at the edges anything else is quoted. */
static bool is_plain_edge(char c)
{
	return c > ' ' && c < 0x7f;
}

static bool is_plain_inside(struct contract_text text)
{
	for (size_t at = 0; at < text.n;) {
		uint32_t code;
		size_t n = text_decode(text.s + at, &code);

		if (!n || text_is_control(code) || (n == 1 && strchr(":\"\\[]{},", (int)code)))
			return false;
		at += n;
	}
	return true;
}

static bool is_plain(struct contract_text text)
{
	if (text.n == 0 || !is_plain_edge(text.s[0]) || !is_plain_edge(text.s[text.n - 1]) ||
	    text.s[0] == '-' || text.s[0] == '#')
		return false;
	return is_plain_inside(text) && !is_numeric(text) && !is_word(text, "true") &&
	       !is_word(text, "false") && !is_word(text, "null");
}

static void toon_begin(struct emit *e)
{
}

static void toon_open(struct emit *e, enum emit_kind kind, const char *name, const char *columns,
		      uint64_t n)
{
	if (kind == EMIT_ITEM)
		return;
	new_line(e);
	if (kind == EMIT_ROW)
		return;
	fputs(name, e->out);
	if (kind == EMIT_OBJECT)
		putc(':', e->out);
	else if (columns)
		fprintf(e->out, "[%" PRIu64 "]{%s}:", n, columns);
	else if (n == 0)
		fputs(": []", e->out);
	else
		fprintf(e->out, "[%" PRIu64 "]:%s", n, kind == EMIT_ARRAY ? " " : "");
}

static void toon_close(struct emit *e, enum emit_kind kind)
{
}

static void toon_token(struct emit *e, const char *name, const char *token)
{
	lead(e, name);
	fputs(token, e->out);
}

static void toon_text(struct emit *e, const char *name, struct contract_text text)
{
	lead(e, name);
	if (is_plain(text))
		fwrite(text.s, 1, text.n, e->out);
	else
		emit_quoted(e->out, text);
}

static void toon_finish(struct emit *e)
{
	putc('\n', e->out);
}

const struct emit_ops emit_toon = {
	.begin = toon_begin,
	.open = toon_open,
	.close = toon_close,
	.token = toon_token,
	.text = toon_text,
	.finish = toon_finish,
};
