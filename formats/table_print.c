/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/accounting.h"
#include "formats/table_print.h"
#include "formats/text.h"

/* Nothing over this is shown of the command that was profiled. */
#define TITLE 40

const char *table_color(const struct table *t, const char *code)
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

int table_add_cut(struct text *t, const char *s, size_t width)
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

int table_add_cut_left(struct text *t, const char *s, size_t width)
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

void table_print_numbers(const struct table *t, const uint64_t *own_values,
			 const uint64_t *cumulative_values)
{
	unsigned int v = t->r->value;
	const char *unit = profile_type(t->p, v).unit;
	double self = table_percent(t->r, own_values[v]);
	const char *shade = self >= 5 ? TABLE_RED : self >= 0.5 ? TABLE_GREEN : "";
	char own[32], cumulative[32];

	fprintf(t->out, "%s%6.2f%%%s %9s %6.2f%% %9s  ", table_color(t, shade), self,
		table_color(t, *shade ? TABLE_RESET : ""),
		format_value(unit, own_values[v], own, sizeof(own)),
		table_percent(t->r, cumulative_values[v]),
		format_value(unit, cumulative_values[v], cumulative, sizeof(cumulative)));
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

int table_print_header(struct table *t)
{
	const struct profile_config *c = profile_config(t->p);
	struct text accounting = { 0 }, title = { 0 };
	char value[32];
	int err = text_add_clean(&t->line, *c->target ? c->target : "profile");

	/* A command can be pages long. */
	if (!err)
		err = table_add_cut(&title, t->line.s, TITLE);
	if (!err)
		fprintf(t->out, "%s%s:%s", table_color(t, TABLE_BOLD), title.s,
			table_color(t, TABLE_RESET));
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
