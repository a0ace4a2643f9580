// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/excerpt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define REDACTED_LITERAL "<redacted-literal>"
#define SECRET_EXPRESSION "<secret-expression>"

struct scanner {
	const struct contract_source *source;
	uint64_t at, end;
	char out[EXCERPT_LIMIT + 1];
	size_t used;
	bool full, changed;
};

/* Adds a part that fits, cut at a character; after a cut nothing more. */
static void add(struct scanner *s, const char *part, size_t n)
{
	if (s->full)
		return;
	if (n > EXCERPT_LIMIT - s->used) {
		n = EXCERPT_LIMIT - s->used;
		while (n > 0 && ((unsigned char)part[n] & 0xC0) == 0x80)
			n--;
		s->full = s->changed = true;
	}
	memcpy(s->out + s->used, part, n);
	s->used += n;
}

static void replace(struct scanner *s, const char *token)
{
	add(s, token, strlen(token));
	s->changed = true;
}

/* The end of the literal whose first character after the quote is at, or 0 if it has none there. */
static uint64_t literal_end(const char *text, uint64_t at, uint64_t end, bool *interpolated)
{
	for (; at < end && text[at] != '"'; at++) {
		if (text[at] == '{')
			*interpolated = true;
		if (text[at] == '\\')
			at++;
	}
	return at < end ? at + 1 : 0;
}

static uint64_t comment_end(const char *text, uint64_t at, uint64_t end)
{
	const char *newline = memchr(text + at, '\n', end - at);

	return newline ? (uint64_t)(newline - text) : end;
}

/* Whether code that begins at from is neither within a literal nor a comment at to. */
static bool is_code_again(const char *text, uint64_t from, uint64_t to)
{
	bool ignored;

	for (uint64_t at = from; at < to;) {
		if (text[at] == '"') {
			at = literal_end(text, at + 1, to, &ignored);
			if (at == 0)
				return false;
		} else if (text[at] == '#') {
			at = comment_end(text, at, to);
			if (at == to)
				return false;
		} else {
			at++;
		}
	}
	return true;
}

static bool take_secret(struct scanner *s, const struct contract_span *secret)
{
	uint64_t end = secret->end < s->end ? secret->end : s->end;

	if (!is_code_again(s->source->text.s, s->at, end))
		return false;
	replace(s, SECRET_EXPRESSION);
	s->at = end;
	return true;
}

/* What an interpolated literal holds is code, which only the language's own scanner could tell from
 * the rest. */
static bool take_literal(struct scanner *s, uint64_t quote)
{
	bool interpolated = false;
	uint64_t end = literal_end(s->source->text.s, quote + 1, s->end, &interpolated);

	if (end == 0 || interpolated)
		return false;
	replace(s, REDACTED_LITERAL);
	s->at = end;
	return true;
}

static void take_comment(struct scanner *s)
{
	while (!s->full && s->used > 0 && s->out[s->used - 1] == ' ')
		s->used--;
	s->at = comment_end(s->source->text.s, s->at, s->end);
	s->changed = true;
}

static void take_character(struct scanner *s)
{
	const char *here = s->source->text.s + s->at;
	uint32_t code = 0xFFFD;
	size_t n = text_decode(here, &code);
	char escape[16];

	s->at += n ? n : 1;
	if (n && !text_is_control(code)) {
		add(s, here, n);
		return;
	}
	switch (code) {
	case '\n':
		replace(s, "\\n");
		return;
	case '\r':
		replace(s, "\\r");
		return;
	case '\t':
		replace(s, "\\t");
		return;
	default:
		snprintf(escape, sizeof(escape), "\\u{%x}", code);
		replace(s, escape);
		return;
	}
}

/* Scans all of the span, also what is too long to be shown: false if some of it must not be. */
static bool scan(struct scanner *s)
{
	const char *text = s->source->text.s;
	size_t secret = 0;

	while (s->at < s->end) {
		bool shown = true;

		while (secret < s->source->n_secrets && s->source->secrets[secret].end <= s->at)
			secret++;
		if (secret < s->source->n_secrets && s->source->secrets[secret].start <= s->at)
			shown = take_secret(s, &s->source->secrets[secret]);
		else if (text[s->at] == '"')
			shown = take_literal(s, s->at);
		else if (text[s->at] == 'b' && s->at + 1 < s->end && text[s->at + 1] == '"')
			shown = take_literal(s, s->at + 1);
		else if (text[s->at] == '#')
			take_comment(s);
		else
			take_character(s);
		if (!shown)
			return false;
	}
	return true;
}

static bool is_within_character(const struct contract_text *text, uint64_t at)
{
	return at < text->n && ((unsigned char)text->s[at] & 0xC0) == 0x80;
}

int excerpt_make(const struct contract_source *source, struct contract_span span, struct text *code,
		 bool *redacted)
{
	struct scanner s = { .source = source, .at = span.start, .end = span.end };
	int err;

	*redacted = false;
	if (!source->text.s || !source->secrets || span.start > span.end ||
	    span.end > source->text.n)
		return 0;
	*redacted = true;
	if (is_within_character(&source->text, span.start) ||
	    is_within_character(&source->text, span.end) ||
	    !is_code_again(source->text.s, 0, span.start) || !scan(&s))
		return 0;
	err = text_add(code, s.out, s.used);
	if (err)
		return err;
	*redacted = s.changed;
	return 1;
}
