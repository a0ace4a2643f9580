/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/listing.h"
#include "formats/listing_write.h"
#include "formats/table_print.h"

/* Lines shown before and after one that has counts. */
#define AROUND 3
/* Columns of a text that are shown where no terminal is narrower. */
#define WIDEST 240
#define LEAST 12
#define TAB 8

struct listing_writer {
	struct table t;
	struct table_rows totals;
	struct text text;
};

int listing_writer_new(const struct profile *p, const struct table_options *o, FILE *out,
		       struct listing_writer **writer)
{
	struct listing_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	for (unsigned int i = 0; i < profile_n_types(p); i++) {
		w->totals.total[i] = profile_total(p, i);
		w->totals.value = i;
	}
	w->t = (struct table){ .p = p, .o = o, .r = &w->totals, .out = out };
	*writer = w;
	return 0;
}

void listing_writer_free(struct listing_writer *w)
{
	if (!w)
		return;
	text_free(&w->t.line);
	text_free(&w->text);
	free(w);
}

int listing_write_header(struct listing_writer *w)
{
	return table_print_header(&w->t);
}

int listing_write_function(struct listing_writer *w, const struct listing_function *f)
{
	const struct profile *p = w->t.p;
	int err;

	text_clear(&w->text);
	err = text_add_clean(&w->text, f->name);
	if (!err)
		err = text_add(&w->text, "  ", 2);
	if (!err)
		err = text_add_clean(&w->text, f->object == PROFILE_NONE
						       ? "[anon]"
						       : profile_object(p, f->object)->path);
	if (err)
		return err;
	putc('\n', w->t.out);
	table_print_numbers(&w->t, f->self, f->cumulative);
	fprintf(w->t.out, "%s%s%s\n", table_color(&w->t, TABLE_BOLD), w->text.s,
		table_color(&w->t, TABLE_RESET));
	return 0;
}

int listing_write_note(struct listing_writer *w, const char *note)
{
	return table_write_lines(w->t.out, "note: ", note);
}

/* The text as it is shown: tabs as spaces, controls escaped, cut to width. */
static int add_text(struct text *out, struct text *scratch, const char *s, size_t width)
{
	struct text clean = { 0 };
	size_t column = 0;
	int err = 0;

	text_clear(scratch);
	/* A character takes four bytes at most: what is over can not be seen. */
	for (const char *end = s + strnlen(s, 4 * width); !err && s < end; s++) {
		if (*s == '\t') {
			size_t n = TAB - column % TAB;

			err = text_add(scratch, "        ", n);
			column += n;
			continue;
		}
		err = text_add(scratch, s, 1);
		column += ((unsigned char)*s & 0xC0) != 0x80;
	}
	if (!err && scratch->n && scratch->s[scratch->n - 1] == '\r')
		scratch->s[--scratch->n] = '\0';
	if (!err && scratch->n)
		err = text_add_clean(&clean, scratch->s);
	if (!err && clean.n)
		err = table_add_cut(out, clean.s, width);
	text_free(&clean);
	return err;
}

static int print_line(struct listing_writer *w, const struct listing_line *line, int place_width)
{
	size_t used = TABLE_NUMBERS + (size_t)place_width + 2, width = WIDEST;
	int err = 0;

	if (w->t.o->width > used + LEAST && w->t.o->width - used < width)
		width = w->t.o->width - used;
	text_clear(&w->t.line);
	if (line->text)
		err = add_text(&w->t.line, &w->text, line->text, width);
	if (err)
		return err;
	if (line->row)
		table_print_numbers(&w->t, line->row->self, line->row->cumulative);
	else
		fprintf(w->t.out, "%*s", TABLE_NUMBERS, "");
	if (w->t.line.n)
		fprintf(w->t.out, "%*s  %s\n", place_width, line->place, w->t.line.s);
	else
		fprintf(w->t.out, "%*s\n", place_width, line->place);
	return 0;
}

static bool is_near(const struct listing_line *lines, size_t n, size_t i)
{
	size_t first = i > AROUND ? i - AROUND : 0;

	for (size_t j = first; j < n && j <= i + AROUND; j++) {
		if (lines[j].row || lines[j].keep)
			return true;
	}
	return false;
}

int listing_write_lines(struct listing_writer *w, const char *heading,
			const struct listing_line *lines, size_t n)
{
	int place_width = 0, err;
	bool skipped = false;

	text_clear(&w->text);
	err = text_add_clean(&w->text, heading);
	if (err)
		return err;
	fprintf(w->t.out, "%s%7s %9s %7s %9s  %s%s\n", table_color(&w->t, TABLE_BOLD), "self%",
		"self", "cum%", "cum", w->text.s, table_color(&w->t, TABLE_RESET));
	for (size_t i = 0; i < n; i++) {
		int length = (int)strlen(lines[i].place);

		place_width = length > place_width ? length : place_width;
	}
	for (size_t i = 0; !err && i < n; i++) {
		if (!is_near(lines, n, i)) {
			skipped = true;
			continue;
		}
		if (skipped)
			fprintf(w->t.out, "%*s%*s\n", TABLE_NUMBERS, "", place_width, "...");
		skipped = false;
		err = print_line(w, &lines[i], place_width);
	}
	return err;
}
