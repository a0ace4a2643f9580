// SPDX-License-Identifier: BSD-2-Clause
/*
 * The shape of entries is that of DWARF 5, chapter 7.5; the forms of GNU's extensions that elfutils' dwarf.h
 * names are known too. An abbreviation becomes a list of steps, in which attributes of fixed size that nobody
 * asks for are one.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "symbolize/dwarf_bytes.h"
#include "symbolize/dwarf_scan.h"
#include "symbolize/dwarf_section.h"

#define MAX_ABBREVIATIONS (1 << 20) /* of one unit; large ones have some thousand */
#define PASS 0 /* instead of a form: this many bytes */

struct step {
	uint16_t attribute; /* 0: of no interest */
	uint16_t form;
	uint32_t bytes; /* of its value, 0: it tells itself */
};

struct abbreviation {
	uint64_t code;
	uint32_t first, n; /* of its steps */
	uint16_t tag;
	bool has_children;
};

struct dwarf_scan {
	struct Dwarf_CU *cu;
	const unsigned char *begin, *end; /* of the unit */
	Dwarf_Off offset; /* of the unit in its section */
	uint8_t address_size, offset_size;
	uint16_t version;

	struct abbreviation *abbreviations; /* by code */
	size_t n_abbreviations, abbreviations_size;
	struct step *steps;
	size_t n_steps, steps_size;
};

struct dwarf_scan *dwarf_scan_new(void)
{
	return calloc(1, sizeof(struct dwarf_scan));
}

void dwarf_scan_free(struct dwarf_scan *s)
{
	if (!s)
		return;
	free(s->abbreviations);
	free(s->steps);
	free(s);
}

/* The size of a form's value; 0 where the value tells it; false for a form that is not known. */
static bool size_of(const struct dwarf_scan *s, unsigned int form, uint32_t *size)
{
	static const uint8_t sizes[] = {
		[DW_FORM_data1] = 1,	[DW_FORM_flag] = 1,	[DW_FORM_ref1] = 1,
		[DW_FORM_strx1] = 1,	[DW_FORM_addrx1] = 1,	[DW_FORM_data2] = 2,
		[DW_FORM_ref2] = 2,	[DW_FORM_strx2] = 2,	[DW_FORM_addrx2] = 2,
		[DW_FORM_strx3] = 3,	[DW_FORM_addrx3] = 3,	[DW_FORM_data4] = 4,
		[DW_FORM_ref4] = 4,	[DW_FORM_strx4] = 4,	[DW_FORM_addrx4] = 4,
		[DW_FORM_ref_sup4] = 4, [DW_FORM_data8] = 8,	[DW_FORM_ref8] = 8,
		[DW_FORM_ref_sig8] = 8, [DW_FORM_ref_sup8] = 8, [DW_FORM_data16] = 16,
	};

	*size = 0;
	switch (form) {
	case DW_FORM_addr:
		*size = s->address_size;
		return true;
	case DW_FORM_ref_addr:
		*size = s->version < 3 ? s->address_size : s->offset_size;
		return true;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		*size = s->offset_size;
		return true;
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc:
	case DW_FORM_string:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
	case DW_FORM_indirect:
		return true;
	default:
		*size = form < sizeof(sizes) ? sizes[form] : 0;
		return *size != 0;
	}
}

static bool is_of_interest(uint64_t attribute)
{
	return attribute == DW_AT_sibling || attribute == DW_AT_low_pc ||
	       attribute == DW_AT_high_pc || attribute == DW_AT_ranges;
}

static int add_step(struct dwarf_scan *s, struct abbreviation *a, struct step step)
{
	struct step *last = a->n ? &s->steps[s->n_steps - 1] : NULL;

	if (step.form == PASS && last && last->form == PASS &&
	    last->bytes <= UINT32_MAX - step.bytes) {
		last->bytes += step.bytes;
		return 0;
	}
	if (s->n_steps == s->steps_size) {
		size_t size = s->steps_size ? 2 * s->steps_size : 1024;
		struct step *more = reallocarray(s->steps, size, sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->steps = more;
		s->steps_size = size;
	}
	s->steps[s->n_steps++] = step;
	a->n++;
	return 0;
}

static int read_steps(struct dwarf_scan *s, struct dwarf_bytes *b, struct abbreviation *a)
{
	a->first = (uint32_t)s->n_steps;
	for (;;) {
		uint64_t attribute = bytes_unsigned(b), form = bytes_unsigned(b);
		struct step step = { .form = (uint16_t)form };
		int err;

		if (form == DW_FORM_implicit_const)
			bytes_signed(b);
		if (!b->at || form > UINT16_MAX || s->n_steps >= UINT32_MAX / 2)
			return -ENOEXEC;
		if (!attribute && !form)
			return 0;
		if (form == DW_FORM_implicit_const || form == DW_FORM_flag_present)
			continue;
		if (!size_of(s, step.form, &step.bytes))
			return -ENOEXEC;
		if (is_of_interest(attribute))
			step.attribute = (uint16_t)attribute;
		else if (step.bytes)
			step.form = PASS;
		err = add_step(s, a, step);
		if (err)
			return err;
	}
}

static int add_abbreviation(struct dwarf_scan *s, const struct abbreviation *a)
{
	if (s->n_abbreviations == MAX_ABBREVIATIONS)
		return -ENOEXEC;
	if (s->n_abbreviations == s->abbreviations_size) {
		size_t size = s->abbreviations_size ? 2 * s->abbreviations_size : 256;
		struct abbreviation *more = reallocarray(s->abbreviations, size, sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->abbreviations = more;
		s->abbreviations_size = size;
	}
	s->abbreviations[s->n_abbreviations++] = *a;
	return 0;
}

static int by_code(const void *a, const void *b)
{
	const struct abbreviation *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

static int read_abbreviations(struct dwarf_scan *s, struct dwarf_bytes *b)
{
	bool ascending = true;
	int err;

	s->n_abbreviations = 0;
	s->n_steps = 0;
	for (;;) {
		struct abbreviation a = { .code = bytes_unsigned(b) };

		if (!a.code)
			break;
		a.tag = (uint16_t)bytes_unsigned(b);
		a.has_children = bytes_number(b, 1) != DW_CHILDREN_no;
		if (!b->at)
			break;
		err = read_steps(s, b, &a);
		/* What was read before the damage counts, as it does for libdw. */
		if (err == -ENOEXEC)
			break;
		if (!err) {
			ascending &= !s->n_abbreviations ||
				     s->abbreviations[s->n_abbreviations - 1].code < a.code;
			err = add_abbreviation(s, &a);
		}
		if (err)
			return err;
	}
	if (!ascending)
		qsort(s->abbreviations, s->n_abbreviations, sizeof(*s->abbreviations), by_code);
	return 0;
}

static const struct abbreviation *find(const struct dwarf_scan *s, uint64_t code)
{
	size_t low = 0, high = s->n_abbreviations;

	/* Compilers number them from 1 on. */
	if (code <= high && s->abbreviations[code - 1].code == code)
		return &s->abbreviations[code - 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->abbreviations[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n_abbreviations && s->abbreviations[low].code == code
		       ? &s->abbreviations[low]
		       : NULL;
}

/* Where the unit begins and ends, from its header, which libdw has found to be sound. */
static bool find_bounds(struct dwarf_scan *s, Dwarf_Die *unit)
{
	Dwarf_Off before = dwarf_cuoffset(unit);
	struct dwarf_bytes section, b;
	uint64_t length;

	if (!dwarf_section_around(unit, &section) ||
	    before > (uint64_t)((const unsigned char *)unit->addr - section.at))
		return false;
	s->begin = (const unsigned char *)unit->addr - before;
	s->offset = (Dwarf_Off)(s->begin - section.at);
	b = (struct dwarf_bytes){ s->begin, section.end };
	length = bytes_number(&b, 4);
	if (length == UINT32_MAX)
		length = bytes_number(&b, 8);
	if (!b.at)
		return false;
	s->end = length < (uint64_t)(section.end - b.at) ? b.at + length : section.end;
	return true;
}

int dwarf_scan_unit(struct dwarf_scan *s, Dwarf_Die *unit, const unsigned char **children)
{
	struct dwarf_entry e;
	struct dwarf_bytes table;
	Dwarf_Off table_at;
	Dwarf_Die die;
	int err;

	s->cu = unit->cu;
	if (!dwarf_cu_die(unit->cu, &die, &s->version, &table_at, &s->address_size, &s->offset_size,
			  NULL, NULL) ||
	    !find_bounds(s, unit))
		return -ENOEXEC;
	table = dwarf_section_at(unit, "abbrev", table_at);
	err = read_abbreviations(s, &table);
	if (err)
		return err;
	if (!dwarf_scan_read(s, unit->addr, &e))
		return -ENOEXEC;
	*children = e.has_children ? e.next : NULL;
	return 0;
}

static void pass_value(struct dwarf_bytes *b, unsigned int form)
{
	switch (form) {
	case DW_FORM_block1:
		bytes_skip(b, bytes_number(b, 1));
		break;
	case DW_FORM_block2:
		bytes_skip(b, bytes_number(b, 2));
		break;
	case DW_FORM_block4:
		bytes_skip(b, bytes_number(b, 4));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		bytes_skip(b, bytes_unsigned(b));
		break;
	case DW_FORM_string:
		bytes_string(b);
		break;
	default:
		bytes_unsigned(b);
	}
}

/* A value whose form stands before it. */
static void pass_indirect(const struct dwarf_scan *s, struct dwarf_bytes *b)
{
	uint64_t form = bytes_unsigned(b);
	uint32_t size;

	if (form > UINT16_MAX || form == DW_FORM_indirect || !size_of(s, (unsigned int)form, &size))
		b->at = NULL;
	else if (size)
		bytes_skip(b, size);
	else
		pass_value(b, (unsigned int)form);
}

/* What is known of an entry's attributes once its steps are done. */
struct found {
	uint64_t low, high, sibling;
	bool has_low, has_high, is_simple; /* of low and high, that they are plain numbers */
	bool high_is_address;
};

static bool is_number(const struct step *step)
{
	return step->form == DW_FORM_udata || step->form == DW_FORM_ref_udata ||
	       (step->bytes && step->bytes <= 8);
}

static bool is_index(unsigned int form)
{
	return form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4;
}

static void take_value(const struct dwarf_scan *s, struct dwarf_bytes *b, const struct step *step,
		       struct dwarf_entry *e, struct found *f)
{
	bool number = is_number(step);
	uint64_t value = 0;

	if (number)
		value = step->bytes ? bytes_number(b, step->bytes) : bytes_unsigned(b);
	else if (step->form == DW_FORM_indirect)
		pass_indirect(s, b);
	else if (step->bytes)
		bytes_skip(b, step->bytes);
	else
		pass_value(b, step->form);
	switch (step->attribute) {
	case DW_AT_sibling:
		f->sibling = step->form == DW_FORM_ref_addr ? 0 : value;
		break;
	case DW_AT_low_pc:
		f->has_low = true;
		f->low = value;
		f->is_simple &= step->form == DW_FORM_addr;
		break;
	case DW_AT_high_pc:
		f->has_high = true;
		f->high = value;
		f->high_is_address = step->form == DW_FORM_addr;
		f->is_simple &= number && !is_index(step->form);
		break;
	default:
		e->has_ranges = true;
	}
}

/* Whatever is not simple is left to dwarf_ranges. */
static void set_extent(struct dwarf_entry *e, const struct found *f)
{
	if (e->has_ranges || !f->has_low || !f->has_high)
		return;
	e->has_ranges = !f->is_simple;
	e->has_extent = f->is_simple;
	e->low = f->low;
	e->high = f->high_is_address ? f->high : f->low + f->high;
}

bool dwarf_scan_read(const struct dwarf_scan *s, const unsigned char *at, struct dwarf_entry *e)
{
	struct dwarf_bytes b = { at, s->end };
	uint64_t code = bytes_unsigned(&b);
	const struct abbreviation *a;
	struct found f = { .is_simple = true };

	e->next = b.at;
	if (!code)
		return false;
	a = find(s, code);
	if (!a) {
		e->next = NULL;
		return false;
	}
	*e = (struct dwarf_entry){
		.die = { .addr = (void *)(uintptr_t)at, .cu = s->cu },
		.tag = a->tag,
		.has_children = a->has_children,
	};
	for (const struct step *step = &s->steps[a->first], *end = step + a->n; step < end;
	     step++) {
		if (step->attribute)
			take_value(s, &b, step, e, &f);
		else if (step->bytes)
			bytes_skip(&b, step->bytes);
		else if (step->form == DW_FORM_indirect)
			pass_indirect(s, &b);
		else
			pass_value(&b, step->form);
	}
	set_extent(e, &f);
	e->next = b.at;
	if (f.sibling && b.at && f.sibling < (uint64_t)(s->end - s->begin) &&
	    s->begin + f.sibling >= b.at)
		e->sibling = s->begin + f.sibling;
	return b.at != NULL;
}

const unsigned char *dwarf_scan_past(const struct dwarf_scan *s, const struct dwarf_entry *entry)
{
	const unsigned char *at = entry->next;
	struct dwarf_entry e;
	size_t depth = 1;

	if (!entry->has_children)
		return at;
	if (entry->sibling)
		return entry->sibling;
	while (depth && at) {
		bool is_entry = dwarf_scan_read(s, at, &e);

		at = e.next;
		if (!is_entry)
			depth--;
		else if (e.has_children && e.sibling)
			at = e.sibling;
		else if (e.has_children)
			depth++;
	}
	return at;
}

Dwarf_Off dwarf_scan_offset(const struct dwarf_scan *s, const void *at)
{
	return s->offset + (Dwarf_Off)((const unsigned char *)at - s->begin);
}
