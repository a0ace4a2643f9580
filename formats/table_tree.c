/* SPDX-License-Identifier: BSD-2-Clause */
/* The call tree. Stacks come in order, so those with a common root stand together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table_rows.h"

#define NO_NODE UINT32_MAX

struct node {
	uint32_t frame, parent, depth;
	/* Its children, ordered, are children[first_child] to children[first_child + n - 1]. */
	uint32_t first_child, n_children;
	uint64_t self[PROFILE_MAX_VALUES], cumulative[PROFILE_MAX_VALUES];
};

struct tree {
	struct table_rows *rows;
	struct node *nodes;
	uint32_t n;
	size_t room;
	uint32_t *path; /* the nodes of the stack looked at last, from the root */
	uint32_t *children; /* node numbers, siblings together, the roots first */
	uint32_t n_roots;
};

static int add_node(struct tree *t, uint32_t frame, uint32_t parent, uint32_t depth, uint32_t *id)
{
	if (t->n == t->room) {
		size_t room = t->room ? t->room * 2 : 256;
		struct node *nodes =
			room < NO_NODE ? reallocarray(t->nodes, room, sizeof(*nodes)) : NULL;

		if (!nodes)
			return -ENOMEM;
		t->nodes = nodes;
		t->room = room;
	}
	t->nodes[t->n] = (struct node){ .frame = frame, .parent = parent, .depth = depth };
	*id = t->n++;
	return 0;
}

/* Walks one stack down, on the last one's path as far as they are the same. */
static int add_stack(struct tree *t, struct frame_stack stack, uint32_t *path_length)
{
	uint32_t same = 0;

	while (same < *path_length && same < stack.n &&
	       t->nodes[t->path[same]].frame == stack.frames[same])
		same++;
	for (uint32_t i = same; i < stack.n; i++) {
		int err =
			add_node(t, stack.frames[i], i ? t->path[i - 1] : NO_NODE, i, &t->path[i]);

		if (err)
			return err;
	}
	*path_length = stack.n;
	for (uint32_t i = 0; i < stack.n; i++) {
		struct node *node = &t->nodes[t->path[i]];

		for (unsigned int v = 0; v < PROFILE_MAX_VALUES; v++) {
			node->cumulative[v] += stack.values[v];
			if (i + 1 == stack.n)
				node->self[v] += stack.values[v];
		}
	}
	return 0;
}

static int build(struct tree *t)
{
	const struct frames *f = t->rows->frames;
	uint32_t deepest = 0, path_length = 0;

	for (uint32_t i = 0; i < frames_n_stacks(f); i++) {
		uint32_t n = frames_stack(f, i).n;

		deepest = n > deepest ? n : deepest;
	}
	t->path = calloc(deepest + (size_t)1, sizeof(*t->path));
	if (!t->path)
		return -ENOMEM;
	for (uint32_t i = 0; i < frames_n_stacks(f); i++) {
		int err = add_stack(t, frames_stack(f, i), &path_length);

		if (err)
			return err;
	}
	return 0;
}

static int compare_nodes(const void *a, const void *b, void *tree)
{
	const struct tree *t = tree;
	const struct node *x = &t->nodes[*(const uint32_t *)a];
	const struct node *y = &t->nodes[*(const uint32_t *)b];
	uint64_t x_value = x->cumulative[t->rows->value], y_value = y->cumulative[t->rows->value];

	if (x_value != y_value)
		return x_value > y_value ? -1 : 1;
	return frames_compare(frames_get(t->rows->frames, x->frame),
			      frames_get(t->rows->frames, y->frame));
}

static bool shown(const struct tree *t, uint32_t node, const struct table_options *o)
{
	return table_percent(t->rows, t->nodes[node].cumulative[t->rows->value]) >=
	       o->percent_limit;
}

/* Puts siblings together, those that are shown only, the heaviest first. */
static int order_children(struct tree *t, const struct table_options *o)
{
	uint32_t at = 0;

	t->children = malloc((t->n + (size_t)1) * sizeof(*t->children));
	if (!t->children)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->n; i++) {
		if (!shown(t, i, o))
			continue;
		if (t->nodes[i].parent == NO_NODE)
			t->n_roots++;
		else
			t->nodes[t->nodes[i].parent].n_children++;
	}
	at = t->n_roots;
	for (uint32_t i = 0; i < t->n; i++) {
		t->nodes[i].first_child = at;
		at += t->nodes[i].n_children;
		t->nodes[i].n_children = 0;
	}
	t->n_roots = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		struct node *parent =
			&t->nodes[t->nodes[i].parent == NO_NODE ? 0 : t->nodes[i].parent];

		if (!shown(t, i, o))
			continue;
		if (t->nodes[i].parent == NO_NODE)
			t->children[t->n_roots++] = i;
		else
			t->children[parent->first_child + parent->n_children++] = i;
	}
	qsort_r(t->children, t->n_roots, sizeof(*t->children), compare_nodes, t);
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->nodes[i].n_children > 1)
			qsort_r(t->children + t->nodes[i].first_child, t->nodes[i].n_children,
				sizeof(*t->children), compare_nodes, t);
	}
	return 0;
}

static void add_row(struct tree *t, uint32_t id, uint32_t n_siblings, bool last)
{
	const struct node *node = &t->nodes[id];
	const struct frame *frame = frames_get(t->rows->frames, node->frame);
	struct table_row *row = &t->rows->row[t->rows->n++];

	*row = (struct table_row){ .name = frame->name,
				   .file = frame->file,
				   .object = frame->object,
				   .line = frame->line,
				   .flags = frame->flags,
				   .guess = frame->guess,
				   .depth = node->depth,
				   .only = n_siblings == 1,
				   .last = last };
	memcpy(row->self, node->self, sizeof(row->self));
	memcpy(row->cumulative, node->cumulative, sizeof(row->cumulative));
}

/* Writes the rows from the roots down; next[d] is how many siblings at depth d are done. */
static int flatten(struct tree *t)
{
	uint32_t deepest = 0, depth = 0, *next;

	for (uint32_t i = 0; i < t->n; i++)
		deepest = t->nodes[i].depth > deepest ? t->nodes[i].depth : deepest;
	next = calloc(deepest + (size_t)2, sizeof(*next));
	t->rows->row = calloc(t->n + (size_t)1, sizeof(*t->rows->row));
	if (!next || !t->rows->row) {
		free(next);
		return -ENOMEM;
	}
	for (;;) {
		const struct node *parent = depth ? &t->nodes[t->path[depth - 1]] : NULL;
		uint32_t n = parent ? parent->n_children : t->n_roots;
		uint32_t first = parent ? parent->first_child : 0;

		if (next[depth] == n) {
			if (!depth)
				break;
			depth--;
			continue;
		}
		t->path[depth] = t->children[first + next[depth]++];
		add_row(t, t->path[depth], n, next[depth] == n);
		next[++depth] = 0;
	}
	free(next);
	return 0;
}

/* What the rows that are left out have themselves is what the others lack of the total. */
static void limit_rows(struct tree *t, const struct table_options *o)
{
	struct table_rows *r = t->rows;

	if (o->top && r->n > o->top)
		r->n = o->top;
	r->more = t->n - r->n;
	memcpy(r->more_self, r->total, sizeof(r->more_self));
	for (uint32_t i = 0; i < r->n; i++) {
		for (unsigned int v = 0; v < PROFILE_MAX_VALUES; v++)
			r->more_self[v] -= r->row[i].self[v];
	}
}

int table_rows_tree(struct table_rows *r, const struct profile *p, const struct table_options *o)
{
	struct tree t = { .rows = r };
	enum frame_context context = o->by == TABLE_THREAD ? CONTEXT_THREAD : CONTEXT_PROCESS;
	int err = frames_new(p, table_frame_key(o), context, o->max_depth, &r->frames);

	if (!err)
		err = build(&t);
	if (!err)
		err = order_children(&t, o);
	if (!err)
		err = flatten(&t);
	if (!err)
		limit_rows(&t, o);
	free(t.nodes);
	free(t.path);
	free(t.children);
	return err;
}
