/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/text.h"

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

void text_clear(struct text *t)
{
	t->n = 0;
	if (t->s)
		t->s[0] = '\0';
}

int text_add(struct text *t, const char *s, size_t n)
{
	if (t->room - t->n <= n) {
		size_t room = (t->n + n + 32) * 2;
		char *grown = realloc(t->s, room);

		if (!grown)
			return -ENOMEM;
		t->s = grown;
		t->room = room;
	}
	memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
	return 0;
}

/* The forms of RFC 3629, section 4. */
size_t text_decode(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *b = (const unsigned char *)s;
	size_t n;
	uint32_t c;

	if (b[0] < 0x80) {
		*code = b[0];
		return 1;
	}
	if (b[0] >= 0xC2 && b[0] < 0xE0)
		n = 2;
	else if (b[0] >= 0xE0 && b[0] < 0xF0)
		n = 3;
	else if (b[0] >= 0xF0 && b[0] < 0xF5)
		n = 4;
	else
		return 0;
	c = b[0] & (0x7FU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((b[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (b[i] & 0x3FU);
	}
	if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return 0;
	*code = c;
	return n;
}

bool text_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

int text_add_clean(struct text *t, const char *s)
{
	return text_add_clean_bytes(t, s, strlen(s));
}

int text_add_clean_bytes(struct text *t, const char *s, size_t size)
{
	const char *plain = s, *end = s + size;
	int err = text_add(t, "", 0);

	while (!err && s < end) {
		uint32_t code = 0;
		size_t n = text_decode(s, &code);
		char escape[16];

		if (n && !text_is_control(code)) {
			s += n;
			continue;
		}
		err = text_add(t, plain, s - plain);
		if (!n) {
			code = (unsigned char)*s;
			n = 1;
		}
		snprintf(escape, sizeof(escape), code < 0x100 ? "\\x%02x" : "\\u%04x", code);
		if (!err)
			err = text_add(t, escape, strlen(escape));
		s += n;
		plain = s;
	}
	return err ? err : text_add(t, plain, end - plain);
}

/* Clean text has no control characters: nothing else needs an escape. */
void text_write_json(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', out);
		putc(*s, out);
	}
	putc('"', out);
}

size_t text_width(const char *s)
{
	size_t width = 0;

	for (; *s; s++)
		width += ((unsigned char)*s & 0xC0) != 0x80;
	return width;
}
