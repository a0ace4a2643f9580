/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/accounting.h"
#include "formats/table_rows.h"
#include "formats/text.h"

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define RESET "\033[0m"

/* Columns of the numbers before a name. */
#define NUMBERS 37
/* A name or its detail is not cut below this. */
#define LEAST 12
/* Nothing over this is shown of the command that was profiled. */
#define TITLE 40

struct table {
	const struct profile *p;
	const struct table_options *o;
	const struct table_rows *r;
	FILE *out;
	/* In a tree: which ancestors of the row have siblings that follow; by depth. */
	char *branches;
	struct text line;
};

static const char *color(const struct table *t, const char *code)
{
	return t->o->color ? code : "";
}

static const char *format_value(const char *unit, uint64_t value, char *buf, size_t size)
{
	if (!value)
		snprintf(buf, size, "0");
	else if (strcmp(unit, "nanoseconds") == 0 && value >= 1000000000)
		snprintf(buf, size, "%.2fs", value / 1e9);
	else if (strcmp(unit, "nanoseconds") == 0 && value >= 1000000)
		snprintf(buf, size, "%.1fms", value / 1e6);
	else if (strcmp(unit, "nanoseconds") == 0)
		snprintf(buf, size, "%.1fus", value / 1e3);
	else if (strcmp(unit, "bytes") == 0 && value >= 1 << 20)
		snprintf(buf, size, "%.2fMiB", value / 1048576.0);
	else if (strcmp(unit, "bytes") == 0 && value >= 1 << 10)
		snprintf(buf, size, "%.2fKiB", value / 1024.0);
	else
		snprintf(buf, size, "%" PRIu64, value);
	return buf;
}

/* Appends at most width characters of clean text, with "…" for the rest; all with width 0. */
static int add_cut(struct text *t, const char *s, size_t width)
{
	const char *end = s;

	if (!width || text_width(s) <= width)
		return text_add(t, s, strlen(s));
	for (size_t n = 0; n + 1 < width && *end; n++) {
		uint32_t code;
		size_t length = text_decode(end, &code);

		end += length ? length : 1;
	}
	int err = text_add(t, s, end - s);

	return err ? err : text_add(t, "…", strlen("…"));
}

/* The same for a path, whose end says most. */
static int add_cut_left(struct text *t, const char *s, size_t width)
{
	size_t have = text_width(s);
	int err = 0;

	if (width && have > width) {
		err = text_add(t, "…", strlen("…"));
		while (have > width - 1) {
			uint32_t code;
			size_t length = text_decode(s, &code);

			s += length ? length : 1;
			have--;
		}
	}
	return err ? err : text_add(t, s, strlen(s));
}

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
	err = add_cut(&t->line, name, name_room);
	width = text_width(name) < name_room || !name_room ? text_width(name) : name_room;
	if (err || !*detail || (room && room < width + 2 + LEAST && room < width + detail_width))
		return err;
	err = text_add(&t->line, "  ", 2);
	if (!err)
		err = text_add(&t->line, color(t, DIM), strlen(color(t, DIM)));
	if (!err)
		err = add_cut_left(&t->line, detail, room ? room - width - 2 : 0);
	return err ? err : text_add(&t->line, color(t, RESET), strlen(color(t, RESET)));
}

static void print_numbers(const struct table *t, const struct table_row *row)
{
	unsigned int v = t->r->value;
	const char *unit = profile_type(t->p, v).unit;
	double self = table_percent(t->r, row->self[v]);
	const char *shade = self >= 5 ? RED : self >= 0.5 ? GREEN : "";
	char own[32], cumulative[32];

	fprintf(t->out, "%s%6.2f%%%s %9s %6.2f%% %9s  ", color(t, shade), self,
		color(t, *shade ? RESET : ""), format_value(unit, row->self[v], own, sizeof(own)),
		table_percent(t->r, row->cumulative[v]),
		format_value(unit, row->cumulative[v], cumulative, sizeof(cumulative)));
}

static int print_row(struct table *t, const struct table_row *row)
{
	size_t room = t->o->width > NUMBERS + LEAST ? t->o->width - NUMBERS : 0, used = 0;
	char *name = row_name(t, row), *detail = row_detail(t, row);
	int err = name && detail ? 0 : -ENOMEM;

	/* A terminal too narrow for a table gets whole lines, and wraps them. */
	text_clear(&t->line);
	if (!err && t->o->tree)
		err = add_branches(t, row, room, &used);
	if (!err)
		err = add_name(t, name, detail,
			       !room		     ? 0
			       : room > used + LEAST ? room - used
						     : LEAST);
	if (!err) {
		print_numbers(t, row);
		fprintf(t->out, "%s\n", t->line.s);
	}
	free(name);
	free(detail);
	return err;
}

int table_write_lines(FILE *out, const char *prefix, const char *s)
{
	struct text text = { 0 };
	int err = 0;

	while (*s && !err) {
		size_t n = strcspn(s, "\n");
		char *line = strndup(s, n);

		text_clear(&text);
		err = line ? text_add_clean(&text, line) : -ENOMEM;
		if (!err && n)
			fprintf(out, "%s%s\n", prefix, text.s);
		free(line);
		s += n + (s[n] == '\n');
	}
	text_free(&text);
	return err;
}

static int print_header(struct table *t)
{
	const struct profile_config *c = profile_config(t->p);
	struct text accounting = { 0 }, title = { 0 };
	char value[32];
	int err = text_add_clean(&t->line, *c->target ? c->target : "profile");

	/* A command can be pages long. */
	if (!err)
		err = add_cut(&title, t->line.s, TITLE);
	if (!err)
		fprintf(t->out, "%s%s:%s", color(t, BOLD), title.s, color(t, RESET));
	text_free(&title);
	if (err)
		return err;
	for (unsigned int i = 0; i < profile_n_types(t->p); i++) {
		struct profile_value_type type = profile_type(t->p, i);

		text_clear(&t->line);
		err = text_add_clean(&t->line,
				     strcmp(type.type, "cpu") == 0 ? "CPU time" : type.type);
		if (err)
			return err;
		fprintf(t->out, "%s %s %s", i ? "," : "",
			format_value(type.unit, t->r->total[i], value, sizeof(value)), t->line.s);
	}
	fprintf(t->out, " in %s\n",
		format_value("nanoseconds", c->duration_ns, value, sizeof(value)));
	err = accounting_text(profile_accounting(t->p), &accounting);
	if (!err)
		err = table_write_lines(t->out, "", accounting.s);
	if (!err)
		err = table_write_lines(t->out, "note: ", c->notes);
	text_free(&accounting);
	return err;
}

static int print_rows(struct table *t)
{
	int err = 0;

	fprintf(t->out, "\n%s%7s %9s %7s %9s  %s%s\n", color(t, BOLD), "self%", "self", "cum%",
		"cum", table_by_name(t->o->by), color(t, RESET));
	for (uint32_t i = 0; !err && i < t->r->n; i++)
		err = print_row(t, &t->r->row[i]);
	if (!err && t->r->more)
		fprintf(t->out, "%s%" PRIu32 " more row%s, %.2f%% self%s\n", color(t, DIM),
			t->r->more, t->r->more == 1 ? "" : "s",
			table_percent(t->r, t->r->more_self[t->r->value]), color(t, RESET));
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
	err = print_header(&t);
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
