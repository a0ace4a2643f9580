// SPDX-License-Identifier: BSD-2-Clause
/*
 * Addresses are grouped by compile unit; a unit's tree is walked once for all of its addresses, and
 * only into functions and blocks that cover one of them.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf.h"
#include "symbolize/dwarf_alt.h"
#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_scan.h"
#include "symbolize/dwarf_scopes.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/dwarf_units.h"

#define MAX_STRING (16 * 1024) /* longer ones are damage */
#define MAX_DEPTH 512 /* of nested DIEs on the way to an address */
#define NO_FUNCTION UINT32_MAX
#define DW_AT_GNU_discriminator                                                                    \
	0x2136 /* of a call, in no header yet; as llvm/BinaryFormat/Dwarf.def has it */
/* Some hundred times what the largest programs have. */
#define MAX_RANGES (64 * 1000 * 1000)

/* A function, or one inlined call of a function, that covers an address. */
struct dwarf_function {
	Dwarf_Die die;
	uint32_t caller; /* for an inlined call: the function around it */
	bool named;
	const char *name, *linkage, *scope, *call_file;
	const unsigned char *call_md5;
	uint32_t start_line, call_line, call_column, call_discriminator;
};

/* The work on one unit: its addresses and, for each, the innermost function found so far. */
struct unit_walk {
	Dwarf_Die unit;
	Dwarf_Die
		line_unit; /* the unit, or the skeleton that it was split from, which has the lines */
	struct dwarf_split *split;
	struct dwarf_lines *lines; /* NULL: it has none */
	struct dwarf_row *rows;
	const char *directory;
	struct dwarf_scopes *scopes; /* made when first needed */
	bool is_cpp;
	const uint64_t *addresses;
	uint32_t *innermost;
	size_t n;
	struct range_budget *budget;

	struct dwarf_function *functions;
	uint32_t n_functions, capacity;
	struct dwarf_scan *scan; /* of the unit */
	const unsigned char *children;
	uint32_t around_level[MAX_DEPTH]; /* the innermost function that the DIEs there are in */
	struct dwarf_frame frames[MAX_DEPTH];

	/* of the DIE being looked at */
	struct dwarf_entry entry;
	uint32_t around, current;
	bool inlined, covers;
	bool everywhere; /* looks into what does not cover an address too */
	int err;
};

static bool new_function(struct unit_walk *w)
{
	if (w->n_functions == w->capacity) {
		uint32_t capacity = w->capacity ? 2 * w->capacity : 64;
		struct dwarf_function *more = reallocarray(w->functions, capacity, sizeof(*more));

		if (!more) {
			w->err = -ENOMEM;
			return false;
		}
		w->functions = more;
		w->capacity = capacity;
	}
	w->current = w->n_functions++;
	w->functions[w->current] = (struct dwarf_function){
		.die = w->entry.die,
		.caller = w->inlined ? w->around : NO_FUNCTION,
	};
	return true;
}

/*
 * A function takes over the addresses that so far belong to the function around it. Others, of two
 * functions that a linker folded into one, stay with the first.
 */
static void take_addresses(void *arg, size_t first, size_t end, uint64_t extent)
{
	struct unit_walk *w = arg;

	for (size_t i = first; i < end && !w->err; i++) {
		if (w->innermost[i] != w->around)
			continue;
		if (w->current == NO_FUNCTION && !new_function(w))
			return;
		w->innermost[i] = w->current;
	}
}

static void note_cover(void *arg, size_t first, size_t end, uint64_t extent)
{
	struct unit_walk *w = arg;

	w->covers = true;
}

static void find_covered(struct unit_walk *w, range_sink found)
{
	struct dwarf_entry *e = &w->entry;
	bool all = true;

	if (e->has_extent)
		all = dwarf_range_of(e->low, e->high, w->addresses, w->n, w->budget, found, w);
	else if (e->has_ranges)
		all = dwarf_ranges_of(&e->die, w->addresses, w->n, w->budget, found, w);
	if (!all)
		w->err = -E2BIG;
}

static void visit_function(struct unit_walk *w)
{
	w->current = NO_FUNCTION;
	find_covered(w, take_addresses);
	w->covers = w->current != NO_FUNCTION;
}

/* A block without addresses of its own is looked into. */
static void visit_block(struct unit_walk *w)
{
	w->covers = !w->entry.has_extent && !w->entry.has_ranges;
	find_covered(w, note_cover);
}

/* Sets covers if the DIE's children are to be visited, and current to the function they are in. */
static void visit(struct unit_walk *w)
{
	w->inlined = w->entry.tag == DW_TAG_inlined_subroutine;
	switch (w->entry.tag) {
	case DW_TAG_subprogram: /* one in another, as of a local class, is no part of that */
		w->around = NO_FUNCTION;
		visit_function(w);
		w->covers |= w->everywhere;
		return;
	case DW_TAG_inlined_subroutine:
		visit_function(w);
		return;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		visit_block(w);
		w->covers |= w->everywhere;
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		w->covers = true;
		break;
	default:
		w->covers = false;
	}
	w->current = w->around;
}

static void walk(struct unit_walk *w)
{
	const unsigned char *at;
	size_t depth = 1;

	w->children = NULL;
	w->err = dwarf_scan_unit(w->scan, &w->unit, &w->children);
	at = w->children;
	w->around_level[0] = NO_FUNCTION;
	while (!w->err && depth && at) {
		bool is_entry = dwarf_scan_read(w->scan, at, &w->entry);

		at = w->entry.next;
		if (!is_entry) {
			depth--;
			continue;
		}
		w->around = w->around_level[depth - 1];
		visit(w);
		if (w->entry.has_children && w->covers && depth < MAX_DEPTH)
			w->around_level[depth++] = w->current;
		else
			at = dwarf_scan_past(w->scan, &w->entry);
	}
}

/*
 * GCC puts the code of local classes, such as lambdas, into the function around them, be that one without
 * code, as it was only inlined. So what no function has been found for is looked for everywhere.
 */
static void find_functions(struct unit_walk *w)
{
	size_t i = 0;

	w->everywhere = false;
	walk(w);
	while (i < w->n && w->innermost[i] != NO_FUNCTION)
		i++;
	if (w->err || i == w->n)
		return;
	w->everywhere = true;
	walk(w);
}

static uint32_t number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value) || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

static const char *checked(const char *s)
{
	return s && strnlen(s, MAX_STRING) < MAX_STRING ? s : NULL;
}

static const char *string(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) ? checked(dwarf_formstring(&attr)) : NULL;
}

static const char *file_of(struct unit_walk *w, uint64_t number)
{
	return checked(dwarf_lines_file(w->lines, number));
}

static void name_function(struct unit_walk *w, struct dwarf_function *f)
{
	int line;

	if (f->named)
		return;
	f->named = true;
	f->name = string(&f->die, DW_AT_name);
	f->linkage = string(&f->die, DW_AT_linkage_name);
	if (!f->linkage)
		f->linkage = string(&f->die, DW_AT_MIPS_linkage_name);
	if (!dwarf_decl_line(&f->die, &line) && line > 0)
		f->start_line = (uint32_t)line;
	if (w->is_cpp && f->name && !f->linkage && !w->scopes)
		w->scopes = dwarf_scopes_new(w->scan, w->children);
	if (w->is_cpp && f->name && !f->linkage)
		f->scope = dwarf_scope_of(w->scopes, &f->die);
	if (f->caller == NO_FUNCTION)
		return;
	f->call_file = file_of(w, number(&f->die, DW_AT_call_file));
	f->call_md5 = dwarf_lines_md5(w->lines, number(&f->die, DW_AT_call_file));
	f->call_line = number(&f->die, DW_AT_call_line);
	f->call_column = number(&f->die, DW_AT_call_column);
	f->call_discriminator = number(&f->die, DW_AT_GNU_discriminator);
}

/* The line in a function is where the next inner function was called, or the line table's. */
static void make_frames(struct unit_walk *w, uint32_t innermost, struct dwarf_place *place)
{
	const char *file = place->file;
	const unsigned char *md5 = place->md5;
	uint32_t line = place->line, column = place->column, discriminator = place->discriminator;

	place->frames = w->frames;
	for (uint32_t at = innermost; at != NO_FUNCTION && place->n < MAX_DEPTH;) {
		struct dwarf_function *f = &w->functions[at];

		name_function(w, f);
		w->frames[place->n++] = (struct dwarf_frame){
			.name = f->name,
			.linkage = f->linkage,
			.scope = f->scope,
			.file = file,
			.md5 = md5,
			.line = line,
			.column = column,
			.discriminator = discriminator,
			.start_line = f->start_line,
			.function = f,
		};
		file = f->call_file;
		md5 = f->call_md5;
		line = f->call_line;
		column = f->call_column;
		discriminator = f->call_discriminator;
		at = f->caller;
	}
}

bool dwarf_function_contains(const struct dwarf_function *f, uint64_t address)
{
	Dwarf_Die die = f->die;

	return dwarf_haspc(&die, address) == 1;
}

/* An address and its unit, for sorting by unit. */
struct assignment {
	Dwarf_Off unit;
	size_t index;
};

static int by_unit(const void *a, const void *b)
{
	const struct assignment *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

struct lookup {
	const uint64_t *addresses;
	struct unit_match *matches;
	struct assignment *assignments;
	size_t n; /* assignments */
	uint64_t *unit_addresses;
	struct unit_walk walk;
	struct range_budget budget;
	dwarf_sink sink;
	void *arg;
};

static bool is_cpp(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/*
 * A skeleton without its other half has nothing but lines, or what clang leaves there of inlined calls. The
 * numbers of files in both halves are those of the skeleton's line table.
 */
static int open_unit(struct unit_walk *w, const Dwarf_Die *unit)
{
	int err;

	w->unit = *unit;
	w->line_unit = *unit;
	err = dwarf_split_open(w->split, &w->line_unit, &w->unit);
	if (err == -ENOMEM)
		return err;
	w->is_cpp = is_cpp(&w->unit);
	w->directory = string(&w->line_unit, DW_AT_comp_dir);
	return 0;
}

static int find_lines(struct unit_walk *w)
{
	int err = dwarf_lines_new(&w->line_unit, &w->lines);

	if (!err)
		dwarf_lines_find(w->lines, w->addresses, w->n, w->rows);
	else
		memset(w->rows, 0, w->n * sizeof(*w->rows));
	return err == -ENOMEM ? err : 0;
}

static int look_up_unit(struct lookup *l, const struct assignment *first, size_t n)
{
	struct unit_walk *w = &l->walk;
	int err = open_unit(w, &l->matches[first->index].unit);

	if (err)
		return err;
	w->n = n;
	w->n_functions = 0;
	w->err = 0;
	for (size_t i = 0; i < n; i++) {
		l->unit_addresses[i] = l->addresses[first[i].index];
		w->innermost[i] = NO_FUNCTION;
	}
	err = find_lines(w);
	if (!err)
		find_functions(w);
	if (!err && w->err == -ENOMEM)
		err = w->err;
	for (size_t i = 0; i < n && !err; i++) {
		struct dwarf_place place = {
			.directory = w->directory,
			.file = w->rows[i].found ? file_of(w, w->rows[i].file) : NULL,
			.md5 = w->rows[i].found ? dwarf_lines_md5(w->lines, w->rows[i].file) : NULL,
			.line = w->rows[i].line,
			.column = w->rows[i].column,
			.discriminator = w->rows[i].discriminator,
		};

		make_frames(w, w->innermost[i], &place);
		err = l->sink(l->arg, first[i].index, &place);
	}
	dwarf_lines_free(w->lines);
	w->lines = NULL;
	dwarf_scopes_free(w->scopes);
	w->scopes = NULL;
	return err;
}

static int look_up_all(struct lookup *l, Dwarf *dwarf, size_t n)
{
	int err = 0;

	dwarf_match_units(dwarf, l->addresses, n, &l->budget, l->matches);
	for (size_t i = 0; i < n; i++)
		if (l->matches[i].extent)
			l->assignments[l->n++] = (struct assignment){ l->matches[i].offset, i };
	if (l->n)
		qsort(l->assignments, l->n, sizeof(*l->assignments), by_unit);
	for (size_t i = 0, next; i < l->n && !err; i = next) {
		next = i + 1;
		while (next < l->n && l->assignments[next].unit == l->assignments[i].unit)
			next++;
		err = look_up_unit(l, &l->assignments[i], next - i);
	}
	return err;
}

int dwarf_names(const struct dwarf_files *files, const uint64_t *addresses, size_t n,
		dwarf_sink sink, void *arg)
{
	Dwarf *dwarf = dwarf_begin_elf(files->elf, DWARF_C_READ, NULL);
	struct dwarf_alt *alt = NULL;
	struct lookup *l = NULL;
	int err = -ENOMEM;

	if (!dwarf)
		return 0;
	l = calloc(1, sizeof(*l));
	alt = dwarf_alt_new(dwarf, files->shared);
	if (!l || !alt)
		goto out;
	l->addresses = addresses;
	l->budget.left = MAX_RANGES;
	l->sink = sink;
	l->arg = arg;
	l->matches = calloc(n + 1, sizeof(*l->matches));
	l->assignments = calloc(n + 1, sizeof(*l->assignments));
	l->unit_addresses = calloc(n + 1, sizeof(*l->unit_addresses));
	l->walk.rows = calloc(n + 1, sizeof(*l->walk.rows));
	l->walk.innermost = calloc(n + 1, sizeof(*l->walk.innermost));
	l->walk.addresses = l->unit_addresses;
	l->walk.budget = &l->budget;
	l->walk.scan = dwarf_scan_new();
	l->walk.split =
		dwarf_split_new(files->elf, files->object, files->source, files->debug_dirs);
	if (l->walk.scan && l->walk.rows && l->walk.split && l->matches && l->assignments &&
	    l->unit_addresses && l->walk.innermost)
		err = look_up_all(l, dwarf, n);
out:
	if (l) {
		free(l->matches);
		free(l->assignments);
		free(l->unit_addresses);
		free(l->walk.innermost);
		free(l->walk.rows);
		free(l->walk.functions);
		dwarf_split_free(l->walk.split);
		dwarf_scan_free(l->walk.scan);
	}
	free(l);
	dwarf_end(dwarf);
	dwarf_alt_free(alt);
	return err;
}
