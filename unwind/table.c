// SPDX-License-Identifier: BSD-2-Clause
/*
 * From entries to rows. Where entries overlap, the one with the greatest start at or before an address
 * decides, as it does in the search of the C++ runtimes; of several with the same start the first.
 * .debug_frame's entries count where no entry of .eh_frame covers their start.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "unwind/object.h"
#include "unwind/rule.h"
#include "unwind/table.h"
#include "unwind/table_private.h"

/* Text of half this size has been seen; a directory of more would not be worth its memory. */
#define MAX_SPAN (1ULL << 30)

struct builder {
	uint64_t base;
	uint32_t *rows, *directory;
	size_t n_rows, room, max_rows;
	uint32_t n_blocks, next_block; /* the directory is filled below next_block */
	uint32_t last_rule;
	uint32_t unknown;
	struct rule_set complex;
};

static int grow_rows(struct builder *b)
{
	size_t room = b->room ? b->room + b->room / 2 : 1024;
	uint32_t *rows;

	if (b->n_rows >= b->max_rows)
		return -E2BIG;
	rows = reallocarray(b->rows, room, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	b->rows = rows;
	b->room = room < b->max_rows ? room : b->max_rows;
	return 0;
}

static int add_row(struct builder *b, uint32_t offset, uint32_t rule)
{
	uint32_t block = offset / UNWIND_BLOCK;

	if (rule == b->last_rule && b->n_rows)
		return 0;
	if (b->n_rows == b->room) {
		int err = grow_rows(b);

		if (err)
			return err;
	}
	while (b->next_block <= block)
		b->directory[b->next_block++] = (uint32_t)b->n_rows;
	b->rows[b->n_rows++] = rule << 8 | offset % UNWIND_BLOCK;
	b->last_rule = rule;
	return 0;
}

static int add_state(void *arg, uint32_t offset, const struct cfi_state *state, bool signal_frame)
{
	struct builder *b = arg;
	uint32_t rule;
	int err = rule_pack(&b->complex, state, signal_frame, &rule);

	if (err)
		return err;
	if (rule == UNWIND_UNKNOWN)
		b->unknown++;
	return add_row(b, offset, rule);
}

/* Adds one entry's rows. What a senseless entry added is taken back. */
static int add_entry(struct builder *b, const struct cfi *cfi, const struct cfi_entry *e,
		     uint32_t limit)
{
	size_t n_rows = b->n_rows;
	uint32_t next_block = b->next_block, last_rule = b->last_rule, unknown = b->unknown;
	int err = cfi_run(cfi, e, b->base, limit, add_state, b);

	if (err == -EINVAL) {
		b->n_rows = n_rows;
		b->next_block = next_block;
		b->last_rule = last_rule;
		b->unknown = unknown;
	}
	return err;
}

/* A section's entries while they are merged. */
struct source {
	struct cfi *cfi;
	struct cfi_entries entries;
	size_t next;
};

static uint32_t next_start(const struct source *s)
{
	return s->next < s->entries.n ? s->entries.list[s->next].start : UINT32_MAX;
}

static const struct cfi_entry *take(struct source *s)
{
	const struct cfi_entry *e = &s->entries.list[s->next++];

	while (next_start(s) == e->start) {
		s->next++;
		s->entries.bad++;
	}
	return e;
}

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static int merge(struct builder *b, struct source *eh, struct source *debug,
		 struct unwind_stats *stats)
{
	uint32_t covered = 0; /* all before this offset is decided */
	int err = 0;

	while (eh->next < eh->entries.n || debug->next < debug->entries.n) {
		struct source *s = next_start(eh) <= next_start(debug) ? eh : debug;
		const struct cfi_entry *e = take(s);
		uint32_t end = e->start + e->size, limit = min(end, next_start(s));

		s->entries.bad += limit < end;
		if (s == debug) {
			if (e->start < covered)
				continue;
			limit = min(limit, next_start(eh));
		}
		if (e->start > covered)
			err = add_row(b, covered, UNWIND_NONE);
		if (!err)
			err = add_entry(b, s->cfi, e, limit);
		if (err == -EINVAL) {
			s->entries.bad++;
			continue;
		}
		if (err)
			return err;
		stats->entries++;
		stats->from_debug_frame |= s == debug;
		covered = limit;
	}
	if (covered < (uint64_t)b->n_blocks * UNWIND_BLOCK)
		err = add_row(b, covered, UNWIND_NONE);
	return err;
}

static int read_source(const struct cfi_section *section, const struct builder *b,
		       const struct cfi_range *code, size_t n_code, struct source *s)
{
	int err;

	if (!section->data)
		return 0;
	err = cfi_new(section, &s->cfi);
	return err ? err : cfi_entries(s->cfi, b->base, code, n_code, &s->entries);
}

static void clear_source(struct source *s)
{
	free(s->entries.list);
	cfi_free(s->cfi);
}

static int read_and_merge(struct builder *b, const struct unwind_object *o,
			  struct unwind_stats *stats)
{
	struct source eh = { 0 }, debug = { 0 };
	int err = read_source(&o->eh, b, o->code, o->n_code, &eh);

	if (!err)
		err = read_source(&o->debug, b, o->code, o->n_code, &debug);
	if (!err)
		err = merge(b, &eh, &debug, stats);
	stats->bad_entries = eh.entries.bad + debug.entries.bad;
	stats->cut_off = eh.entries.cut_off || debug.entries.cut_off;
	clear_source(&eh);
	clear_source(&debug);
	return err;
}

static int set_up(struct builder *b, struct unwind_object *o, uint32_t max_rows)
{
	uint64_t end;

	b->base = o->code[0].start & ~(uint64_t)(UNWIND_BLOCK - 1);
	while (o->code[o->n_code - 1].end - b->base > MAX_SPAN)
		if (--o->n_code == 0)
			return -E2BIG;
	end = o->code[o->n_code - 1].end;
	b->n_blocks = (uint32_t)((end - b->base + UNWIND_BLOCK - 1) / UNWIND_BLOCK);
	b->max_rows = max_rows ? max_rows : INT32_MAX;
	b->directory = calloc((size_t)b->n_blocks + 1, sizeof(*b->directory));
	return b->directory ? 0 : -ENOMEM;
}

/* The table takes the builder's memory. */
static int finish(struct builder *b, struct unwind_table **table)
{
	struct table_memory *m = calloc(1, sizeof(*m));
	void *smaller;

	if (!m)
		return -ENOMEM;
	while (b->next_block <= b->n_blocks)
		b->directory[b->next_block++] = (uint32_t)b->n_rows;
	smaller = reallocarray(b->rows, b->n_rows, sizeof(*b->rows));
	m->table = (struct unwind_table){
		.base = b->base,
		.n_blocks = b->n_blocks,
		.n_rows = (uint32_t)b->n_rows,
		.n_complex = b->complex.n,
		.directory = b->directory,
		.rows = smaller ? smaller : b->rows,
		.complex = b->complex.list,
	};
	b->directory = b->rows = NULL;
	b->complex.list = NULL;
	*table = &m->table;
	return 0;
}

int unwind_object_blank(struct unwind_object *o, struct unwind_table **table)
{
	struct builder b = { 0 };
	int err = set_up(&b, o, 0);

	if (!err)
		err = add_row(&b, 0, UNWIND_NONE);
	if (!err)
		err = finish(&b, table);
	free(b.rows);
	free(b.directory);
	return err;
}

int unwind_object_table(struct unwind_object *o, uint32_t max_rows, struct unwind_table **table,
			struct unwind_stats *stats)
{
	struct unwind_stats s = { 0 };
	struct builder b = { 0 };
	int err = set_up(&b, o, max_rows);

	if (!err)
		err = read_and_merge(&b, o, &s);
	if (!err && !s.entries)
		err = s.bad_entries || s.cut_off ? -EBADMSG : -ENODATA;
	if (!err)
		err = finish(&b, table);
	if (!err) {
		s.unknown_rules = b.unknown;
		*stats = s;
	}
	free(b.rows);
	free(b.directory);
	rule_set_free(&b.complex);
	return err;
}

/* Feeds a row of another table in, unless an override covers it; ends the overrides before it. */
struct overriding {
	struct builder *b;
	const struct unwind_override *next, *end;
	uint32_t rule; /* in force, overrides apart */
};

static int feed(struct overriding *o, uint64_t address, uint32_t rule)
{
	struct builder *b = o->b;
	int err = 0;

	while (!err && o->next < o->end && o->next->start <= address) {
		const struct unwind_override *v = o->next;

		err = add_row(b, (uint32_t)(v->start - b->base), v->rule);
		if (v->end > address) {
			o->rule = rule;
			return err;
		}
		o->next++;
		/* Unless another rule begins right there. */
		if (!err && v->end < address && (o->next == o->end || o->next->start > v->end))
			err = add_row(b, (uint32_t)(v->end - b->base), o->rule);
	}
	o->rule = rule;
	return err ? err : add_row(b, (uint32_t)(address - b->base), rule);
}

int unwind_table_override(struct unwind_table **table, const struct unwind_override *list, size_t n)
{
	const struct unwind_table *t = *table;
	struct builder b = { .base = t->base, .n_blocks = t->n_blocks, .max_rows = INT32_MAX };
	struct overriding o = { .b = &b, .next = list, .end = list + n };
	struct unwind_table *changed;
	uint32_t block, row;
	int err = 0;

	b.directory = calloc((size_t)t->n_blocks + 1, sizeof(*b.directory));
	b.complex.list = calloc(t->n_complex + 1ul, sizeof(*b.complex.list));
	if (!b.directory || !b.complex.list)
		err = -ENOMEM;
	else if (t->n_complex)
		memcpy(b.complex.list, t->complex, t->n_complex * sizeof(*t->complex));
	b.complex.n = t->n_complex;
	for (block = 0; !err && block < t->n_blocks; block++) {
		for (row = t->directory[block]; !err && row < t->directory[block + 1]; row++)
			err = feed(&o,
				   t->base + (uint64_t)block * UNWIND_BLOCK + (t->rows[row] & 0xff),
				   t->rows[row] >> 8);
	}
	if (!err)
		err = feed(&o, t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK - 1, o.rule);
	if (!err)
		err = finish(&b, &changed);
	free(b.rows);
	free(b.directory);
	rule_set_free(&b.complex);
	if (err)
		return err;
	unwind_table_free(*table);
	*table = changed;
	return 0;
}

int unwind_table_build(int fd, uint32_t max_rows, struct unwind_table **table,
		       struct unwind_stats *stats)
{
	struct unwind_object o;
	int err = unwind_object_read(fd, &o);

	if (err)
		return err;
	err = unwind_object_table(&o, max_rows, table, stats);
	unwind_object_clear(&o);
	return err;
}

void unwind_table_free(struct unwind_table *t)
{
	struct table_memory *m = (struct table_memory *)t;

	if (!m)
		return;
	if (m->map) {
		munmap(m->map, m->map_size);
	} else {
		free(t->directory);
		free(t->rows);
		free(t->complex);
	}
	free(m);
}

uint32_t unwind_table_find(const struct unwind_table *t, uint64_t address)
{
	uint32_t block, offset, lo, hi;

	if (address < t->base || address - t->base >= (uint64_t)t->n_blocks * UNWIND_BLOCK)
		return UNWIND_NONE;
	block = (uint32_t)((address - t->base) / UNWIND_BLOCK);
	offset = (address - t->base) % UNWIND_BLOCK;
	lo = t->directory[block];
	hi = t->directory[block + 1];
	while (lo < hi) { /* to the first row behind the address */
		uint32_t mid = lo + (hi - lo) / 2;

		if ((t->rows[mid] & 0xff) <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? t->rows[lo - 1] >> 8 : UNWIND_NONE;
}
