// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_scan.h"
#include "symbolize/dwarf_scopes.h"

#define MAX_DEPTH 64
#define MAX_REFERENCES 16 /* from an inlined call to its function to that one's declaration */
#define MAX_SCOPE 4096 /* bytes */
#define NO_ENTRY UINT32_MAX

/* A namespace, class or function, in the order of the tree, so ascending by offset. */
struct entry {
	Dwarf_Off offset;
	Dwarf_Die die;
	uint32_t around;
	char *prefix; /* made when first asked for */
};

struct dwarf_scopes {
	struct entry *entries;
	uint32_t n, capacity;
};

static bool add_entry(struct dwarf_scopes *s, Dwarf_Off offset, const Dwarf_Die *die,
		      uint32_t around)
{
	if (s->n == s->capacity) {
		uint32_t capacity = s->capacity ? 2 * s->capacity : 256;
		struct entry *more = reallocarray(s->entries, capacity, sizeof(*more));

		if (!more)
			return false;
		s->entries = more;
		s->capacity = capacity;
	}
	s->entries[s->n++] = (struct entry){
		.offset = offset,
		.die = *die,
		.around = around,
	};
	return true;
}

static Dwarf_Die *referred(Dwarf_Die *die, Dwarf_Die *mem)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    !dwarf_attr(die, DW_AT_specification, &attr))
		return NULL;
	return dwarf_formref_die(&attr, mem);
}

static const char *own_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (name)
		return name;
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
		return "(anonymous namespace)";
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return "{lambda}"; /* the only class without a name that has functions, in practice */
	default:
		return "{unnamed}";
	}
}

/* Whether a DIE can be a scope; others, but for blocks, hold no functions. */
static bool is_scope(unsigned int tag, bool *look_inside)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram:
		*look_inside = true;
		return true;
	case DW_TAG_lexical_block:
		*look_inside = true;
		return false;
	default:
		*look_inside = false;
		return false;
	}
}

static bool walk(struct dwarf_scopes *s, const struct dwarf_scan *scan, const unsigned char *at)
{
	uint32_t around[MAX_DEPTH];
	struct dwarf_entry e;
	size_t depth = 1;

	around[0] = NO_ENTRY;
	while (depth && at) {
		bool is_entry = dwarf_scan_read(scan, at, &e), look_inside;
		uint32_t inside;

		if (!is_entry) {
			at = e.next;
			depth--;
			continue;
		}
		inside = around[depth - 1];
		if (is_scope(e.tag, &look_inside)) {
			if (!add_entry(s, dwarf_scan_offset(scan, at), &e.die, inside))
				return false;
			inside = s->n - 1;
		}
		at = e.next;
		if (look_inside && e.has_children && depth < MAX_DEPTH)
			around[depth++] = inside;
		else
			at = dwarf_scan_past(scan, &e);
	}
	return true;
}

struct dwarf_scopes *dwarf_scopes_new(const struct dwarf_scan *scan, const unsigned char *children)
{
	struct dwarf_scopes *s = calloc(1, sizeof(*s));

	if (s && !walk(s, scan, children)) {
		dwarf_scopes_free(s);
		return NULL;
	}
	return s;
}

void dwarf_scopes_free(struct dwarf_scopes *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n; i++)
		free(s->entries[i].prefix);
	free(s->entries);
	free(s);
}

static struct entry *find(struct dwarf_scopes *s, Dwarf_Off offset)
{
	uint32_t low = 0, high = s->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->entries[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n && s->entries[low].offset == offset ? &s->entries[low] : NULL;
}

/* Writes the names around an entry from the end of the buffer on; NULL if there are too many. */
static char *make_prefix(struct dwarf_scopes *s, uint32_t at)
{
	char buf[MAX_SCOPE];
	char *begin = buf + sizeof(buf) - 1;

	*begin = '\0';
	for (; at != NO_ENTRY; at = s->entries[at].around) {
		const char *name = own_name(&s->entries[at].die);
		size_t length = strnlen(name, MAX_SCOPE);

		if ((size_t)(begin - buf) < length + 2)
			return NULL;
		begin -= length + 2;
		memcpy(begin, name, length);
		memcpy(begin + length, "::", 2);
	}
	return strdup(begin);
}

const char *dwarf_scope_of(struct dwarf_scopes *s, Dwarf_Die *function)
{
	Dwarf_Die die = *function, mem;
	struct entry *e;

	if (!s)
		return NULL;
	for (int i = 0; i < MAX_REFERENCES; i++) {
		Dwarf_Die *next = referred(&die, &mem);

		if (!next)
			break;
		die = *next;
	}
	e = find(s, dwarf_dieoffset(&die));
	if (!e || e->around == NO_ENTRY)
		return NULL;
	if (!e->prefix)
		e->prefix = make_prefix(s, e->around);
	return e->prefix;
}
