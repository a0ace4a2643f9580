/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table as JSON. Member names are stable: new ones may be added, none is renamed or changes its
 * meaning. Values are objects with a member a value type ("samples", "cpu"). The rows of a tree are a
 * flat list from the roots down, each with its depth, because nesting hundreds of levels deep is more
 * than many parsers allow.
 */
#include <errno.h>
#include <inttypes.h>

#include "formats/accounting.h"
#include "formats/json.h"
#include "formats/table_rows.h"
#include "formats/text.h"

/* An object with the value of each type. */
static int write_values(const struct profile *p, const char *name, const uint64_t *values,
			FILE *out)
{
	int err = 0;

	fprintf(out, ",\"%s\":{", name);
	for (unsigned int i = 0; !err && i < profile_n_types(p); i++) {
		fputs(i ? "," : "", out);
		err = json_string(out, profile_type(p, i).type);
		fprintf(out, ":%" PRIu64, values[i]);
	}
	putc('}', out);
	return err;
}

static int write_config(const struct profile *p, FILE *out)
{
	const struct profile_config *c = profile_config(p);
	int err = json_member(out, "target", c->target);

	if (!err)
		err = json_member(out, "host", c->host);
	if (!err)
		err = json_member(out, "kernel", c->kernel);
	if (!err)
		err = json_member(out, "arch", c->arch);
	if (!err)
		err = json_member(out, "version", c->version);
	if (!err)
		err = json_lines(out, "notes", c->notes);
	json_number(out, "period_ns", c->period_ns);
	json_number(out, "time_ns", c->time_ns);
	json_number(out, "duration_ns", c->duration_ns);
	return err;
}

static void write_accounting(const struct profile *p, FILE *out)
{
	const struct profile_accounting *a = profile_accounting(p);

	fprintf(out, ",\n\"accounting\":{\"requested\":%" PRIu64 ",\"recorded\":%" PRIu64,
		a->requested, a->recorded);
	fprintf(out, ",\"coalesced\":%" PRIu64 ",\"dropped\":%" PRIu64, a->coalesced,
		accounting_dropped(a));
	fputs(",\"dropped_by_reason\":{", out);
	for (unsigned int i = 0; i < PROFILE_N_DROPS; i++)
		fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", profile_drop_id(i), a->dropped[i]);
	fprintf(out, "},\"other\":%" PRIu64 ",\"idle\":%" PRIu64 ",\"stolen\":%" PRIu64, a->other,
		a->idle, a->stolen);
	fputs(",\"ends\":{", out);
	for (unsigned int i = 0; i < PROFILE_N_ENDS; i++)
		fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", profile_end_id(i), a->ends[i]);
	fprintf(out, "},\"truncated_stacks\":%" PRIu64 ",\"lost_records\":%" PRIu64,
		a->truncated_stacks, a->lost_records);
	fprintf(out, ",\"lost_events\":%" PRIu64 ",\"unopened_objects\":%" PRIu64, a->lost_events,
		a->unopened_objects);
	fprintf(out, ",\"unmapped_frames\":%" PRIu64 ",\"early_samples\":%" PRIu64 "}",
		a->unmapped_frames, a->early_samples);
}

static int write_types(const struct profile *p, FILE *out)
{
	int err = 0;

	fputs(",\n\"value_types\":[", out);
	for (unsigned int i = 0; !err && i < profile_n_types(p); i++) {
		fputs(i ? ",{\"type\":" : "{\"type\":", out);
		err = json_string(out, profile_type(p, i).type);
		fputs(",\"unit\":", out);
		if (!err)
			err = json_string(out, profile_type(p, i).unit);
		putc('}', out);
	}
	putc(']', out);
	return err;
}

static void write_text(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\"%s\":", name);
	text_write_json(out, value);
}

static int write_row(const struct table_rows *r, const struct table_row *row,
		     const struct profile *p, const struct table_options *o, FILE *out)
{
	int err;

	fputs("{\"name\":", out);
	text_write_json(out, row->name);
	if (o->tree)
		fprintf(out, ",\"depth\":%" PRIu32, row->depth);
	if (o->by == TABLE_THREAD && !o->tree) {
		fprintf(out, ",\"tid\":%" PRIu32 ",\"pid\":%" PRIu32, row->tid, row->pid);
		write_text(out, "process", row->object);
	} else if (o->by == TABLE_PROCESS && !o->tree) {
		fprintf(out, ",\"pid\":%" PRIu32, row->pid);
		write_text(out, "exe", row->object);
	} else {
		write_text(out, "file", row->file);
		fprintf(out, ",\"line\":%" PRIu32, row->line);
		write_text(out, "object", row->object);
		fprintf(out, ",\"kernel\":%s", row->flags & FRAME_KERNEL ? "true" : "false");
		fprintf(out, ",\"guess\":%s", row->guess ? "true" : "false");
	}
	err = write_values(p, "self", row->self, out);
	if (!err)
		err = write_values(p, "cumulative", row->cumulative, out);
	json_percent(out, "self_percent", table_percent(r, row->self[r->value]));
	json_percent(out, "cumulative_percent", table_percent(r, row->cumulative[r->value]));
	putc('}', out);
	return err;
}

int table_write_json(const struct table_rows *r, const struct profile *p,
		     const struct table_options *o, FILE *out)
{
	int err;

	fprintf(out, "{\"format\":\"profbpf-report\",\n\"format_version\":1,\n\"by\":\"%s\"",
		table_by_name(o->by));
	fprintf(out, ",\n\"tree\":%s", o->tree ? "true" : "false");
	err = write_config(p, out);
	if (!err)
		err = write_types(p, out);
	fputs("\n", out);
	if (!err)
		err = write_values(p, "totals", r->total, out);
	write_accounting(p, out);
	fputs(",\n\"rows\":[", out);
	for (uint32_t i = 0; !err && i < r->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		err = write_row(r, &r->row[i], p, o, out);
	}
	putc(']', out);
	json_number(out, "more_rows", r->more);
	if (!err)
		err = write_values(p, "more_self", r->more_self, out);
	if (!err && o->by == TABLE_LINE && !o->tree)
		err = write_values(p, "no_line_self", r->no_line, out);
	fputs("}\n", out);
	return err;
}
