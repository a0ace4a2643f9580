// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/functions.h"
#include "unwind/instruction.h"
#include "unwind/scan.h"
#include "unwind/table.h"

#define MAX_FUNCTION (1u << 20) /* bytes */
#define MAX_OVERRIDES (1u << 20)
#define SCAN_TIMES 8ULL /* the size of all code may be looked at */
#define PASSES 4 /* each follows the branches back that the one before has seen */

/* What is known at an instruction. Bytes. */
struct state {
	bool sure; /* it was followed from the function's start */
	bool lost; /* rsp is not known */
	uint8_t length; /* of the instruction */
	int64_t depth; /* from the return address down to rsp */
	int64_t rbp; /* depth at which the caller's rbp was saved; 0: it was not */
	int64_t frame; /* depth to which rbp points; 0: it does not */
};

struct scan {
	struct unwind_table *table;
	struct unwind_override *list;
	size_t n, room;
	uint64_t known; /* bytes that the table tells of */
	uint64_t budget; /* bytes that may still be looked at: symbols may lie about sizes */
	uint32_t guess; /* UNWIND_GUESS: where functions begin is not sure; 0 */
	/* The function going on. */
	uint64_t start;
	const uint8_t *code;
	size_t size;
	struct state *states; /* by byte */
	size_t states_room;
	bool again; /* a branch back told something new */
};

static void step(struct state *s, const struct instruction *i)
{
	s->depth -= i->adds;
	switch (i->kind) {
	case INSTRUCTION_PUSH_RBP:
		if (!s->rbp)
			s->rbp = s->depth;
		break;
	case INSTRUCTION_POP_RBP:
		if (s->depth < s->rbp)
			s->rbp = s->frame = 0;
		break;
	case INSTRUCTION_SET_FRAME:
		s->frame = s->lost ? 0 : s->depth;
		break;
	case INSTRUCTION_FROM_FRAME:
		s->lost = !s->frame;
		s->depth = s->frame - i->distance;
		break;
	case INSTRUCTION_LEAVE:
		s->lost = !s->frame;
		s->depth = s->frame - 8;
		s->rbp = s->frame = 0;
		break;
	case INSTRUCTION_UNKNOWN_RSP:
		s->lost = true;
		break;
	default:
		break;
	}
}

static void reach(struct scan *f, size_t from, int32_t distance, const struct state *s)
{
	int64_t to = (int64_t)from + distance;

	if (s->sure && to >= 0 && to < (int64_t)f->size && !f->states[to].sure) {
		uint8_t length = f->states[to].length;

		f->states[to] = *s;
		f->states[to].length = length;
		f->again |= to < (int64_t)from;
	}
}

/* To another instruction than the next one, or nowhere. */
static bool leads_on(const struct instruction *i)
{
	return i->kind == INSTRUCTION_BRANCH || i->kind == INSTRUCTION_JUMP ||
	       i->kind == INSTRUCTION_END;
}

/* Once over all instructions. False where they can't be followed. */
static bool pass(struct scan *f)
{
	struct state s = { .sure = true }, body = s;
	struct instruction i;

	for (size_t at = 0; at < f->size; at += i.length) {
		if (instruction_read(f->code + at, f->size - at, &i))
			return false;
		if (f->states[at].sure)
			s = f->states[at];
		s.length = (uint8_t)i.length;
		f->states[at] = s;
		step(&s, &i);
		if (s.depth < 0 && !s.lost && i.kind != INSTRUCTION_END)
			s.sure = false;
		if (i.kind == INSTRUCTION_BRANCH || i.kind == INSTRUCTION_JUMP)
			reach(f, at + i.length, i.distance, &s);
		if (!leads_on(&i))
			continue;
		/* Most code is within the whole frame; where arguments lie below it there are no branches. */
		if (s.depth > body.depth)
			body = s;
		if (i.kind != INSTRUCTION_BRANCH) {
			s = body;
			s.sure = false;
		}
	}
	return true;
}

static uint32_t rule_of(const struct state *s)
{
	int64_t offset = s->lost ? s->frame : s->depth, slot = s->rbp / 8 + 1;

	if ((s->lost && !s->frame) || offset < 0 || offset & 7 || (offset + 8) / 8 > 0x1fff)
		return UNWIND_NONE;
	return (s->lost ? UNWIND_RBP : UNWIND_RSP) | (uint32_t)(offset + 8) / 8 << 3 |
	       (s->rbp > 0 && slot < 16 ? (uint32_t)slot << 16 : 0);
}

static int add(struct scan *f, uint64_t start, uint64_t end, uint32_t rule)
{
	struct unwind_override *last = f->n ? &f->list[f->n - 1] : NULL;

	if (last && last->end == start && last->rule == rule) {
		last->end = end;
		return 0;
	}
	if (!f->list || f->n == f->room) {
		size_t room = 2 * f->room + 256;
		struct unwind_override *list = reallocarray(f->list, room, sizeof(*list));

		if (!list)
			return -ENOMEM;
		f->list = list;
		f->room = room;
	}
	f->list[f->n++] = (struct unwind_override){ start, end, rule };
	return 0;
}

static int begin_states(struct scan *f)
{
	if (f->size > f->states_room) {
		struct state *states = reallocarray(f->states, f->size, sizeof(*states));

		if (!states)
			return -ENOMEM;
		f->states = states;
		f->states_room = f->size;
	}
	memset(f->states, 0, f->size * sizeof(*f->states));
	f->states[0].sure = true;
	return 0;
}

static int scan_function(struct scan *f)
{
	bool known = true;
	int err = begin_states(f);

	if (err)
		return err;
	f->budget -= f->size < f->budget ? f->size : f->budget;
	f->again = true;
	for (int n = 0; known && f->again && n < PASSES; n++) {
		f->again = false;
		known = pass(f);
	}
	for (size_t at = 0; known && !err && at < f->size; at += f->states[at].length) {
		uint64_t start = f->start + at;
		uint32_t rule = rule_of(&f->states[at]);

		if (rule != UNWIND_NONE)
			err = add(f, start, start + f->states[at].length, rule | f->guess);
	}
	return err;
}

static bool find_code(Elf *elf, struct scan *f, const GElf_Sym *sym)
{
	Elf_Scn *scn = elf_getscn(elf, sym->st_shndx);
	Elf_Data *data;
	GElf_Shdr shdr;
	uint64_t offset;

	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR) ||
	    shdr.sh_type == SHT_NOBITS || sym->st_value < shdr.sh_addr)
		return false;
	data = elf_getdata(scn, NULL);
	offset = sym->st_value - shdr.sh_addr;
	if (!data || offset > data->d_size || sym->st_size > data->d_size - offset)
		return false;
	f->start = sym->st_value;
	f->code = (const uint8_t *)data->d_buf + offset;
	f->size = sym->st_size;
	return true;
}

static uint64_t end_of(const struct unwind_table *t)
{
	return t->base + (uint64_t)t->n_blocks * UNWIND_BLOCK - 1;
}

static int scan_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, uint64_t entry,
			struct scan *f)
{
	const struct unwind_table *t = f->table;
	uint64_t end = end_of(t);
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && shdr->sh_entsize ? data->d_size / shdr->sh_entsize : 0;
	int err = 0;

	for (size_t i = 0; !err && f->n < MAX_OVERRIDES && f->budget && i < n; i++) {
		const char *name;
		GElf_Sym s;

		if (!gelf_getsym(data, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC ||
		    s.st_shndx == SHN_UNDEF || !s.st_size || s.st_size > MAX_FUNCTION ||
		    s.st_value < t->base || s.st_value >= end || s.st_size >= end - s.st_value ||
		    entry - s.st_value < s.st_size ||
		    unwind_table_find(t, s.st_value) != UNWIND_NONE)
			continue;
		name = elf_strptr(elf, shdr->sh_link, s.st_name);
		if (!name || strstr(name, ".cold")) /* it begins in the middle of another's frame */
			continue;
		if (find_code(elf, f, &s))
			err = scan_function(f);
	}
	return err;
}

/* .init and .fini are functions, which no symbol tells of in a stripped object. */
static int scan_section(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name,
			struct scan *f)
{
	GElf_Sym all = { .st_value = shdr->sh_addr,
			 .st_size = shdr->sh_size,
			 .st_shndx = (GElf_Section)elf_ndxscn(scn) };

	if (!name || (strcmp(name, ".init") != 0 && strcmp(name, ".fini") != 0) ||
	    unwind_table_find(f->table, all.st_value) != UNWIND_NONE || !find_code(elf, f, &all))
		return 0;
	return scan_function(f);
}

/* --- what no symbol tells of, either --- */

/* Code of one section, and what is known of each byte of it. */
struct code {
	uint64_t start;
	const uint8_t *bytes;
	size_t size;
	uint8_t *flags; /* FUNCTIONS_* */
};

static void mark(struct code *c, uint64_t start, uint64_t end)
{
	uint64_t from = start > c->start ? start - c->start : 0;

	for (uint64_t at = from; at < c->size && c->start + at < end; at++)
		c->flags[at] |= FUNCTIONS_KNOWN;
}

/* Calls fn for each range that the table tells of; returns how many bytes they are. */
static uint64_t each_range(const struct unwind_table *t,
			   void (*fn)(struct code *c, uint64_t start, uint64_t end), struct code *c)
{
	uint64_t last = t->base, sum = 0;
	uint32_t rule = UNWIND_NONE;

	for (uint32_t block = 0; block < t->n_blocks; block++) {
		for (uint32_t row = t->directory[block]; row < t->directory[block + 1]; row++) {
			uint64_t at =
				t->base + (uint64_t)block * UNWIND_BLOCK + (t->rows[row] & 0xff);

			if (rule != UNWIND_NONE)
				sum += at - last;
			if (rule != UNWIND_NONE && fn)
				fn(c, last, at);
			last = at;
			rule = t->rows[row] >> 8;
		}
	}
	return sum;
}

static void mark_symbols(Elf *elf, struct code *c)
{
	uint64_t budget = SCAN_TIMES * c->size;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	GElf_Sym s;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) ||
		    (shdr.sh_type != SHT_SYMTAB && shdr.sh_type != SHT_DYNSYM))
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &s); i++) {
			if (GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF ||
			    s.st_size > MAX_FUNCTION || s.st_size > budget)
				continue;
			budget -= s.st_size;
			mark(c, s.st_value, s.st_value + s.st_size);
			if (!s.st_size && s.st_value - c->start < c->size)
				c->flags[s.st_value - c->start] |= FUNCTIONS_NAMED;
		}
	}
}

static int scan_unknown(struct scan *f, const struct code *c, uint64_t entry)
{
	size_t at = 0, size;
	int err = 0;

	functions_mark_calls(c->bytes, c->size, c->flags);
	while (!err && f->n < MAX_OVERRIDES &&
	       (size = functions_next(c->bytes, c->size, c->flags, &at)) != 0) {
		f->guess = c->flags[at] & FUNCTIONS_NAMED ? 0 : UNWIND_GUESS;
		f->start = c->start + at;
		f->code = c->bytes + at;
		f->size = size;
		if (size <= MAX_FUNCTION && entry - f->start >= size)
			err = scan_function(f);
		at += size;
	}
	return err;
}

/*
 * Of a section of which little is known. Where entries tell of most code the rest is not like what compilers
 * make, and the walker looks at it as it comes.
 */
static bool has_gaps(const struct unwind_table *t, const GElf_Shdr *shdr, uint64_t known)
{
	return shdr->sh_flags & SHF_EXECINSTR && shdr->sh_type == SHT_PROGBITS &&
	       shdr->sh_addr >= t->base && shdr->sh_addr < end_of(t) && known < shdr->sh_size / 2;
}

static int scan_gaps(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, uint64_t entry, struct scan *f)
{
	const struct unwind_table *t = f->table;
	struct code c = { .start = shdr->sh_addr };
	Elf_Data *data;
	int err = 0;

	if (!has_gaps(t, shdr, f->known))
		return 0;
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_size || data->d_size > end_of(t) - c.start)
		return 0;
	c.bytes = data->d_buf;
	c.size = data->d_size;
	c.flags = calloc(c.size, 1);
	if (!c.flags)
		return -ENOMEM;
	each_range(t, mark, &c);
	mark_symbols(elf, &c);
	err = scan_unknown(f, &c, entry);
	free(c.flags);
	return err;
}

static int by_start(const void *a, const void *b)
{
	const struct unwind_override *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Functions with several names are there several times, and some lie in each other. */
static size_t without_overlaps(const struct unwind_table *t, struct unwind_override *list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if ((!kept || list[i].start >= list[kept - 1].end) &&
		    unwind_table_find(t, list[i].start) == UNWIND_NONE)
			list[kept++] = list[i];
	}
	return kept;
}

static bool can_scan(Elf *elf, GElf_Ehdr *head)
{
	return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, head) &&
	       head->e_machine == EM_X86_64;
}

static int scan_file(Elf *elf, struct scan *f)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	size_t names;
	int err = 0;

	if (!can_scan(elf, &head) || elf_getshdrstrndx(elf, &names))
		return 0;
	while (!err && (scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		if (shdr.sh_type == SHT_SYMTAB || shdr.sh_type == SHT_DYNSYM)
			err = scan_symbols(elf, scn, &shdr, head.e_entry, f);
		else
			err = scan_section(elf, scn, &shdr, elf_strptr(elf, names, shdr.sh_name),
					   f);
	}
	f->known = each_range(f->table, NULL, NULL);
	while (!err && (scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr shdr;

		if (gelf_getshdr(scn, &shdr))
			err = scan_gaps(elf, scn, &shdr, head.e_entry, f);
	}
	return err;
}

bool unwind_table_is_sparse(int fd, const struct unwind_table *t)
{
	uint64_t known = each_range(t, NULL, NULL);
	bool sparse = false;
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr shdr;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && can_scan(elf, &head)) {
		while (!sparse && (scn = elf_nextscn(elf, scn)) != NULL)
			sparse = gelf_getshdr(scn, &shdr) && has_gaps(t, &shdr, known);
	}
	elf_end(elf);
	return sparse;
}

int unwind_scan_apply(int fd, struct unwind_table **table)
{
	struct scan f = { .table = *table,
			  .budget = SCAN_TIMES * (*table)->n_blocks * UNWIND_BLOCK };
	Elf *elf;
	int err = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		err = scan_file(elf, &f);
	elf_end(elf);
	if (!err && f.n) {
		qsort(f.list, f.n, sizeof(*f.list), by_start);
		f.n = without_overlaps(*table, f.list, f.n);
	}
	if (!err && f.n)
		err = unwind_table_override(table, f.list, f.n);
	free(f.states);
	free(f.list);
	return err;
}
