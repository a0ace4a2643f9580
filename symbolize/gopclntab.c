// SPDX-License-Identifier: BSD-2-Clause
/*
 * The layout is that of Go's runtime (src/runtime/symtab.go: pcHeader, functab, moduledata;
 * symtabinl.go: inlinedCall; runtime2.go: _func): a header, names, files and programs at offsets from it,
 * the functions' addresses and for each a record, which refers to programs. A program is pairs of a
 * zigzag difference of a value and the length of code that has it.
 */
#include <errno.h>
#include <string.h>

#include "symbolize/gopclntab.h"
#include "symbolize/gopclntab_table.h"

/* Fields of a function's record, which follow the function's address. */
enum {
	RECORD_NAME = 0,
	RECORD_STACK = 12,
	RECORD_FILE = 16,
	RECORD_LINE = 20,
	RECORD_N_PROGRAMS = 24,
	RECORD_UNIT = 28, /* since 1.16 */
	RECORD_START_LINE = 32, /* since 1.20 */
};
#define INLINED_PROGRAM 2 /* _PCDATA_InlTreeIndex, since 1.13 */
#define MAX_NAME (16 * 1024) /* longer ones are damage */

size_t gopclntab_count(const struct gopclntab *t)
{
	return t->word[N_FUNCTIONS];
}

/* Where function i's address is, then where its record is. */
static uint64_t entry_at(const struct gopclntab *t, size_t i)
{
	return t->functions + 2 * (uint64_t)t->form->address_size * i;
}

static uint64_t start_of(const struct gopclntab *t, size_t i)
{
	return t->form->address_size == 8 ? gopclntab_u64(t, entry_at(t, i))
					  : t->text + gopclntab_u32(t, entry_at(t, i));
}

static uint64_t record_at(const struct gopclntab *t, size_t i)
{
	uint64_t at = entry_at(t, i) + t->form->address_size;

	return t->word[RECORDS] +
	       (t->form->address_size == 8 ? gopclntab_u64(t, at) : gopclntab_u32(t, at));
}

static uint32_t field_of(const struct gopclntab *t, uint64_t record, unsigned int field)
{
	return gopclntab_u32(t, record + t->form->address_size + field);
}

/* A string at an offset from what a word of the header says; NULL if it is none. */
static const char *string_at(const struct gopclntab *t, int word, uint64_t offset)
{
	uint64_t at = t->word[word] + offset, left;

	if (at >= t->size)
		return NULL;
	left = t->size - at;
	return memchr(t->bytes + at, 0, left < MAX_NAME ? left : MAX_NAME)
		       ? (const char *)t->bytes + at
		       : NULL;
}

int gopclntab_function(const struct gopclntab *t, size_t i, struct gopclntab_function *f)
{
	uint64_t record = record_at(t, i), start = start_of(t, i), end = start_of(t, i + 1);
	const char *name = string_at(t, NAMES, field_of(t, record, RECORD_NAME));

	if (end <= start || !name)
		return -ENOEXEC;
	*f = (struct gopclntab_function){
		.name = name,
		.start = start,
		.end = end,
		.start_line = t->form->has_start_lines ? field_of(t, record, RECORD_START_LINE) : 0,
	};
	return 0;
}

/* --- programs --- */

static bool read_number(struct gopclntab_pieces *p, uint32_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; p->next < p->end && shift < 35; shift += 7) {
		uint8_t byte = *p->next++;

		*value |= (uint32_t)(byte & 0x7f) << (shift > 28 ? 28 : shift);
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

bool gopclntab_next(struct gopclntab_pieces *p)
{
	uint32_t change, length;

	if (!read_number(p, &change) || (!change && p->offset) || !read_number(p, &length) ||
	    !length) {
		p->next = p->end;
		return false;
	}
	p->value = (int32_t)((uint32_t)p->value + ((change >> 1) ^ -(change & 1)));
	p->offset += length;
	return true;
}

static struct gopclntab_pieces pieces_at(const struct gopclntab *t, uint32_t program)
{
	uint64_t at = t->word[PROGRAMS] + program;

	if (!program || at > t->size)
		return (struct gopclntab_pieces){ 0 };
	return (struct gopclntab_pieces){ t->bytes + at, t->bytes + t->size, 0, -1 };
}

struct gopclntab_pieces gopclntab_stack(const struct gopclntab *t, size_t i)
{
	return pieces_at(t, field_of(t, record_at(t, i), RECORD_STACK));
}

/* What a program says at an offset in its function; false if nothing. */
static bool value_at(struct gopclntab *t, uint32_t program, uint64_t offset, int32_t *value)
{
	struct gopclntab_pieces p = pieces_at(t, program);

	while (t->pieces_left && t->pieces_left-- && gopclntab_next(&p)) {
		if (offset < p.offset) {
			*value = p.value;
			return true;
		}
	}
	return false;
}

/* --- frames --- */

/* A function, and where in it one is: what the next frame is made of. */
struct walk {
	struct gopclntab *t;
	uint64_t record;
	uint32_t inlined_program;
	uint64_t tree; /* 0: none */
	const char *file;
	uint32_t line;
	int32_t inlined; /* the call that this is in, negative: none */
};

struct inlined_call {
	const char *name;
	uint32_t start_line;
};

static const char *file_at(const struct gopclntab *t, uint64_t record, int32_t index)
{
	uint64_t entry = (uint32_t)index;
	uint32_t offset;

	if (index < 0 || (!t->form->has_units && (!entry || entry >= t->word[N_FILES])))
		return NULL;
	if (!t->form->has_units)
		return string_at(t, NAMES, gopclntab_u32(t, t->word[FILES] + 4 * entry));
	entry += field_of(t, record, RECORD_UNIT);
	offset = gopclntab_u32(t, t->word[UNITS] + 4 * entry);
	return offset == UINT32_MAX ? NULL : string_at(t, FILES, offset);
}

/* Goes to an offset in the function; false if its programs do not reach there. */
static bool go_to(struct walk *w, uint64_t offset)
{
	int32_t file, line;

	if (!value_at(w->t, field_of(w->t, w->record, RECORD_LINE), offset, &line))
		return false;
	if (!value_at(w->t, field_of(w->t, w->record, RECORD_FILE), offset, &file))
		file = -1;
	w->file = file_at(w->t, w->record, file);
	w->line = line > 0 ? (uint32_t)line : 0;
	if (!w->tree || !value_at(w->t, w->inlined_program, offset, &w->inlined))
		w->inlined = -1;
	return true;
}

/* The address of one of a record's data, which follow all its programs; 0 if it has none such. */
static uint64_t data_of(const struct gopclntab *t, uint64_t all)
{
	uint32_t offset;

	if (t->form->address_size == 8)
		return gopclntab_u64(t, ((all + 7) & ~7ull) + 8 * (uint64_t)t->form->data);
	offset = gopclntab_u32(t, all + 4 * (uint64_t)t->form->data);
	return t->inlined && offset != UINT32_MAX ? t->inlined + offset : 0;
}

/* Finds the function's inlined calls, behind its record. */
static void find_tree(struct walk *w)
{
	const struct gopclntab *t = w->t;
	uint32_t n_programs = field_of(t, w->record, RECORD_N_PROGRAMS);
	uint64_t programs = w->record + t->form->record_size;
	uint64_t data = programs + 4 * (uint64_t)n_programs;

	if ((!t->form->has_units && !t->is_1_13) || n_programs <= INLINED_PROGRAM ||
	    programs > t->size || data > t->size || t->bytes[programs - 1] <= t->form->data)
		return;
	w->inlined_program = gopclntab_u32(t, programs + 4 * INLINED_PROGRAM);
	w->tree = data_of(t, data);
}

/* Reads the inlined call that one is in, and goes to where it was called. */
static bool leave_inlined(struct walk *w, struct inlined_call *call)
{
	uint32_t field[5];
	size_t size = w->t->form->has_start_lines ? 16 : 20;
	int16_t parent;

	if (!gopclntab_read_loaded(w->t, w->tree + size * (uint32_t)w->inlined, field, size))
		return false;
	call->name = string_at(w->t, NAMES, field[w->t->form->has_start_lines ? 1 : 3]);
	call->start_line = w->t->form->has_start_lines ? field[3] : 0;
	if (!call->name)
		return false;
	if (w->t->form->has_start_lines)
		return go_to(w, field[2]);
	memcpy(&parent, field, sizeof(parent));
	w->inlined = parent;
	w->file = file_at(w->t, w->record, (int32_t)field[1]);
	w->line = field[2] < INT32_MAX ? field[2] : 0;
	return true;
}

/* The last function that starts at or before an address. */
static bool find_function(const struct gopclntab *t, uint64_t address, size_t *i)
{
	size_t low = 0, high = gopclntab_count(t);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_of(t, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*i = low - 1;
	return low > 0;
}

size_t gopclntab_frames(struct gopclntab *t, uint64_t address, struct gopclntab_frame *frames,
			size_t max, uint64_t *start)
{
	struct walk w = { .t = t };
	struct gopclntab_function f;
	size_t i, n = 0;

	if (!max || !find_function(t, address, &i) || gopclntab_function(t, i, &f) ||
	    address >= f.end)
		return 0;
	w.record = record_at(t, i);
	find_tree(&w);
	if (!go_to(&w, address - f.start)) /* padding */
		return 0;
	while (w.inlined >= 0 && n + 1 < max) {
		struct gopclntab_frame frame = { .file = w.file, .line = w.line };
		struct inlined_call call;

		if (!leave_inlined(&w, &call))
			break;
		frame.name = call.name;
		frame.start_line = call.start_line;
		frames[n++] = frame;
	}
	frames[n++] = (struct gopclntab_frame){ f.name, w.file, w.line, f.start_line };
	*start = f.start;
	return n;
}
