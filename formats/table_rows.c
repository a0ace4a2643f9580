/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/intern.h"
#include "formats/table_rows.h"
#include "formats/text.h"
#include "formats/values.h"

void table_rows_free(struct table_rows *r)
{
	free(r->row);
	frames_free(r->frames);
	intern_free(r->strings);
}

double table_percent(const struct table_rows *r, uint64_t value)
{
	uint64_t total = r->total[r->value];

	return total ? 100.0 * value / total : 0;
}

enum frame_key table_frame_key(const struct table_options *o)
{
	if (o->by == TABLE_LINE)
		return o->places ? FRAME_BY_PLACE : FRAME_BY_LINE;
	return o->by == TABLE_OBJECT ? FRAME_BY_OBJECT : FRAME_BY_SYMBOL;
}

const char *table_by_name(enum table_by by)
{
	static const char *const names[] = {
		[TABLE_FUNCTION] = "function", [TABLE_LINE] = "line",	  [TABLE_THREAD] = "thread",
		[TABLE_PROCESS] = "process",   [TABLE_OBJECT] = "object",
	};

	return names[by];
}

/* A row for each frame. A frame that is on a stack more than once counts once. */
static int frame_rows(struct table_rows *r, const struct profile *p, const struct table_options *o)
{
	uint32_t n, *seen;
	int err = frames_new(p, table_frame_key(o), CONTEXT_NONE, 0, &r->frames);

	if (err)
		return err;
	n = frames_count(r->frames);
	seen = calloc(n + (size_t)1, sizeof(*seen));
	r->row = calloc(n + (size_t)1, sizeof(*r->row));
	if (!seen || !r->row) {
		free(seen);
		return -ENOMEM;
	}
	r->n = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct frame *frame = frames_get(r->frames, i);

		r->row[i] = (struct table_row){ .name = frame->name,
						.file = frame->file,
						.object = frame->object,
						.line = frame->line,
						.flags = frame->flags,
						.guess = frame->guess };
	}
	for (uint32_t i = 0; i < frames_n_stacks(r->frames); i++) {
		struct frame_stack stack = frames_stack(r->frames, i);

		if (stack.n)
			values_add(r->row[stack.frames[stack.n - 1]].self, stack.values);
		for (uint32_t j = 0; j < stack.n; j++) {
			uint32_t frame = stack.frames[j];

			if (seen[frame] != i + 1)
				values_add(r->row[frame].cumulative, stack.values);
			seen[frame] = i + 1;
		}
	}
	free(seen);
	return 0;
}

static int clean(struct table_rows *r, const char *s, const char **cleaned)
{
	struct text t = { 0 };
	uint32_t id = 0;
	int err = text_add_clean(&t, s);

	if (!err)
		err = intern_add_string(r->strings, t.s, &id);
	text_free(&t);
	if (err < 0)
		return err;
	*cleaned = intern_key(r->strings, id);
	return 0;
}

static int thread_row(struct table_rows *r, const struct profile *p, uint32_t id,
		      struct table_row *row)
{
	const struct profile_thread *t = profile_thread(p, id);
	const struct profile_process *process = profile_process(p, t->process);
	int err = clean(r, t->name, &row->name);

	row->pid = process->pid;
	row->tid = t->tid;
	row->file = "";
	return err ? err : clean(r, process->name, &row->object);
}

static int process_row(struct table_rows *r, const struct profile *p, uint32_t id,
		       struct table_row *row)
{
	const struct profile_process *process = profile_process(p, id);
	int err = clean(r, process->name, &row->name);

	row->pid = process->pid;
	row->file = "";
	return err ? err : clean(r, process->exe, &row->object);
}

/* A row for each thread or process, with what it has itself. */
static int context_rows(struct table_rows *r, const struct profile *p, enum table_by by)
{
	uint32_t n = by == TABLE_THREAD ? profile_n_threads(p) : profile_n_processes(p);
	int err = 0;

	r->strings = intern_new(0);
	r->row = calloc(n + (size_t)1, sizeof(*r->row));
	if (!r->strings || !r->row)
		return -ENOMEM;
	r->n = n;
	for (uint32_t i = 0; !err && i < n; i++)
		err = by == TABLE_THREAD ? thread_row(r, p, i, &r->row[i])
					 : process_row(r, p, i, &r->row[i]);
	for (uint32_t i = 0; !err && i < profile_n_samples(p); i++) {
		const struct profile_sample *s = profile_sample(p, i);
		uint32_t id =
			by == TABLE_THREAD ? s->thread : profile_thread(p, s->thread)->process;

		values_add(r->row[id].self, s->values);
		values_add(r->row[id].cumulative, s->values);
	}
	return err;
}

static int compare_rows(const void *a, const void *b, void *rows)
{
	const struct table_rows *r = rows;
	const struct table_row *x = a, *y = b;
	const struct frame f = { x->name, x->file, x->object, x->line, x->flags, false };
	const struct frame g = { y->name, y->file, y->object, y->line, y->flags, false };
	int c = compare_u64(y->self[r->value], x->self[r->value]);

	if (!c)
		c = compare_u64(y->cumulative[r->value], x->cumulative[r->value]);
	if (!c)
		c = frames_compare(&f, &g);
	if (!c)
		c = compare_u64(x->pid, y->pid);
	return c ? c : compare_u64(x->tid, y->tid);
}

/* Leaves out rows below the limit, without any samples, and beyond the number asked for. */
static void limit_rows(struct table_rows *r, const struct table_options *o)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		const struct table_row *row = &r->row[i];

		if (!row->cumulative[0] && !row->cumulative[r->value])
			continue;
		if ((!o->top || kept < o->top) &&
		    table_percent(r, row->cumulative[r->value]) >= o->percent_limit) {
			r->row[kept++] = *row;
			continue;
		}
		r->more++;
		values_add(r->more_self, row->self);
	}
	r->n = kept;
}

/* Samples without any frame have no line either. */
static void sum_without_line(struct table_rows *r)
{
	memcpy(r->no_line, r->total, sizeof(r->no_line));
	for (uint32_t i = 0; i < r->n; i++) {
		for (unsigned int v = 0; r->row[i].line && v < PROFILE_MAX_VALUES; v++)
			r->no_line[v] -= r->row[i].self[v];
	}
}

int table_rows_flat(struct table_rows *r, const struct profile *p, const struct table_options *o)
{
	bool contexts = o->by == TABLE_THREAD || o->by == TABLE_PROCESS;
	int err = contexts ? context_rows(r, p, o->by) : frame_rows(r, p, o);

	if (err)
		return err;
	if (o->by == TABLE_LINE)
		sum_without_line(r);
	qsort_r(r->row, r->n, sizeof(*r->row), compare_rows, r);
	limit_rows(r, o);
	return 0;
}
