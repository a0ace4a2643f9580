/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table_print.h"
#include "formats/text.h"

/* A name or its detail is not cut below this. */
#define LEAST 12
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What stands dimmed behind a name: where it is. Empty if that is in the name. malloc'd. */
static char *row_detail(const struct table *t, const struct table_row *row)
{
	char *s = NULL;
	int n = 0;

	if (t->o->by == TABLE_THREAD && !t->o->tree)
		n = asprintf(&s, "%s [%u]", row->object, row->pid);
	else if (t->o->by == TABLE_PROCESS && !t->o->tree)
		s = strdup(row->object);
	else if (*row->file && row->line)
		n = asprintf(&s, "%s:%u", t->o->by == TABLE_LINE ? row->file : base_name(row->file),
			     row->line);
	else if (*row->file)
		s = strdup(base_name(row->file));
	else
		s = strdup(row->name[0] == '[' || row->object[0] == '[' ? ""
									: base_name(row->object));
	return n < 0 ? NULL : s;
}

static char *row_name(const struct table *t, const struct table_row *row)
{
	char *s = NULL;
	int n;

	if (t->o->by == TABLE_THREAD && !t->o->tree)
		n = asprintf(&s, "%s [%u]", row->name, row->tid);
	else if (t->o->by == TABLE_PROCESS && !t->o->tree)
		n = asprintf(&s, "%s [%u]", row->name, row->pid);
	else
		n = asprintf(&s, "%s%s%s", row->name,
			     row->flags & FRAME_KERNEL && row->name[0] != '[' ? " [k]" : "",
			     row->guess && t->o->tree ? " ?" : "");
	return n < 0 ? NULL : s;
}

/*
 * The lines that lead to a row of a tree: one that is its parent's only child stands right below it,
 * so that chains of single calls do not wander off to the right.
 */
static int add_branches(struct table *t, const struct table_row *row, size_t width, size_t *used)
{
	size_t levels = 0, most = width ? width / 6 + 1 : SIZE_MAX;
	bool own = row->depth && !row->only;
	int err = 0;

	t->branches[row->depth] = !own ? '\0' : row->last ? ' ' : '|';
	for (uint32_t i = 0; i < row->depth; i++)
		levels += t->branches[i] != '\0';
	*used = 0;
	for (uint32_t i = 0; !err && i < row->depth; i++) {
		if (!t->branches[i])
			continue;
		levels--;
		if (levels + 1 > most)
			continue;
		if (levels + 1 == most)
			err = text_add(&t->line, "…  ", strlen("…  "));
		else if (t->branches[i] == '|')
			err = text_add(&t->line, "│  ", strlen("│  "));
		else
			err = text_add(&t->line, "   ", 3);
		*used += 3;
	}
	if (!err && own) {
		const char *glyph = row->last ? "└─ " : "├─ ";

		err = text_add(&t->line, glyph, strlen(glyph));
		*used += 3;
	}
	return err;
}

/* The name, and the detail in what room it leaves. */
static int add_name(struct table *t, const char *name, const char *detail, size_t room)
{
	size_t name_room = room, detail_width = *detail ? text_width(detail) + 2 : 0, width;
	int err;

	/* By line, the line must be seen: a long name leaves up to half of the room for it. */
	if (room && t->o->by == TABLE_LINE && text_width(name) + detail_width > room)
		name_room = room - (detail_width < room / 2 ? detail_width : room / 2);
	err = table_add_cut(&t->line, name, name_room);
	width = text_width(name) < name_room || !name_room ? text_width(name) : name_room;
	if (err || !*detail || (room && room < width + 2 + LEAST && room < width + detail_width))
		return err;
	err = text_add(&t->line, "  ", 2);
	if (!err)
		err = text_add(&t->line, table_color(t, TABLE_DIM),
			       strlen(table_color(t, TABLE_DIM)));
	if (!err)
		err = table_add_cut_left(&t->line, detail, room ? room - width - 2 : 0);
	return err ? err
		   : text_add(&t->line, table_color(t, TABLE_RESET),
			      strlen(table_color(t, TABLE_RESET)));
}

/* Where a row's line is, or of what code it is not known. malloc'd. */
static char *row_place(const struct table_row *row)
{
	char *s = NULL;
	int n = *row->file && row->line ? asprintf(&s, "%s:%" PRIu32, row->file, row->line)
		: row->object[0] == '[' ? asprintf(&s, "[no line] %s", row->object)
					: asprintf(&s, "[no line] %s", base_name(row->object));

	return n < 0 ? NULL : s;
}

/* The place, and the function in what room it leaves: up to a third, if it is cut. */
static int add_place(struct table *t, const char *place, const char *name, size_t room)
{
	size_t name_width = text_width(name), place_room = room;
	int err;

	if (room && text_width(place) + 2 + name_width > room)
		place_room = room - 2 - (name_width < room / 3 ? name_width : room / 3);
	err = table_add_cut_left(&t->line, place, place_room);
	if (!err)
		err = text_add(&t->line, "  ", 2);
	if (!err)
		err = text_add(&t->line, table_color(t, TABLE_DIM),
			       strlen(table_color(t, TABLE_DIM)));
	if (room && text_width(place) < place_room)
		place_room = text_width(place);
	if (!err)
		err = table_add_cut(&t->line, name, room ? room - 2 - place_room : 0);
	return err ? err
		   : text_add(&t->line, table_color(t, TABLE_RESET),
			      strlen(table_color(t, TABLE_RESET)));
}

static int print_row(struct table *t, const struct table_row *row)
{
	size_t room = t->o->width > TABLE_NUMBERS + LEAST ? t->o->width - TABLE_NUMBERS : 0,
	       used = 0;
	char *name = row_name(t, row);
	char *detail = t->o->places ? row_place(row) : row_detail(t, row);
	int err = name && detail ? 0 : -ENOMEM;

	/* A terminal too narrow for a table gets whole lines, and wraps them. */
	text_clear(&t->line);
	if (!err && t->o->tree)
		err = add_branches(t, row, room, &used);
	if (!err && t->o->places)
		err = add_place(t, detail, name, room);
	else if (!err)
		err = add_name(t, name, detail,
			       !room		     ? 0
			       : room > used + LEAST ? room - used
						     : LEAST);
	if (!err) {
		table_print_numbers(t, row->self, row->cumulative);
		fprintf(t->out, "%s\n", t->line.s);
	}
	free(name);
	free(detail);
	return err;
}

static int print_rows(struct table *t)
{
	int err = 0;

	fprintf(t->out, "\n%s%7s %9s %7s %9s  %s%s\n", table_color(t, TABLE_BOLD), "self%", "self",
		"cum%", "cum", table_by_name(t->o->by), table_color(t, TABLE_RESET));
	for (uint32_t i = 0; !err && i < t->r->n; i++)
		err = print_row(t, &t->r->row[i]);
	if (!err && t->r->more)
		fprintf(t->out, "%s%" PRIu32 " more row%s, %.2f%% self%s\n",
			table_color(t, TABLE_DIM), t->r->more, t->r->more == 1 ? "" : "s",
			table_percent(t->r, t->r->more_self[t->r->value]),
			table_color(t, TABLE_RESET));
	if (!err && t->o->places)
		fprintf(t->out, "%s%.2f%% self in code whose line is not known%s\n",
			table_color(t, TABLE_DIM), table_percent(t->r, t->r->no_line[t->r->value]),
			table_color(t, TABLE_RESET));
	return err;
}

static int print_table(const struct profile *p, const struct table_options *o,
		       const struct table_rows *r, FILE *out)
{
	struct table t = { .p = p, .o = o, .r = r, .out = out };
	uint32_t deepest = 0;
	int err;

	for (uint32_t i = 0; i < r->n; i++)
		deepest = r->row[i].depth > deepest ? r->row[i].depth : deepest;
	t.branches = calloc(deepest + (size_t)1, 1);
	if (!t.branches)
		return -ENOMEM;
	err = table_print_header(&t);
	if (!err && profile_n_samples(p))
		err = print_rows(&t);
	free(t.branches);
	text_free(&t.line);
	return err;
}

int table_write(const struct profile *p, const struct table_options *options, FILE *out)
{
	struct table_rows r = { 0 };
	int err;

	for (unsigned int i = 0; i < profile_n_types(p); i++) {
		r.total[i] = profile_total(p, i);
		r.value = i;
	}
	err = options->tree ? table_rows_tree(&r, p, options) : table_rows_flat(&r, p, options);
	errno = 0;
	if (!err && options->json)
		err = table_write_json(&r, p, options, out);
	else if (!err)
		err = print_table(p, options, &r, out);
	if (!err && (ferror(out) || fflush(out) != 0))
		err = errno ? -errno : -EIO;
	table_rows_free(&r);
	return err;
}
