// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/names.h"
#include "symbolize/symbols.h"

struct symbol {
	uint64_t start, end; /* end == start: no size */
	uint64_t limit; /* of its section */
	const char *name;
	uint32_t length;
	uint32_t rank; /* the lower the better */
	bool stub; /* of the function with this name */
};

struct symbol_table {
	struct symbol *symbols;
	size_t n, capacity;
	bool sorted, is_llgo;
	const uint64_t *starts; /* of functions without a symbol too */
	size_t n_starts;
};

struct section {
	uint64_t start, end;
};

/* All sections by their index, and the executable ones by address. */
struct sections {
	struct section *all, *code;
	size_t n_all, n_code;
};

/* One symbol section of a file, as libelf shows it. */
struct symbol_section {
	Elf *elf;
	Elf_Data *data, *extended;
	size_t strings;
	size_t n;
};

struct symbol_table *symbol_table_new(void)
{
	return calloc(1, sizeof(struct symbol_table));
}

void symbol_table_free(struct symbol_table *t)
{
	if (!t)
		return;
	free(t->symbols);
	free(t);
}

static int add(struct symbol_table *t, struct symbol s)
{
	if (t->n == t->capacity) {
		size_t capacity = t->capacity ? 2 * t->capacity : 1024;
		struct symbol *more = reallocarray(t->symbols, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		t->symbols = more;
		t->capacity = capacity;
	}
	t->symbols[t->n++] = s;
	t->sorted = false;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void free_sections(struct sections *s)
{
	free(s->all);
	free(s->code);
}

/* Returns 0 or -ENOMEM; to be freed with free_sections in both cases. */
static int read_sections(Elf *elf, struct sections *s)
{
	if (elf_getshdrnum(elf, &s->n_all))
		s->n_all = 0;
	s->all = calloc(s->n_all + 1, sizeof(*s->all));
	s->code = calloc(s->n_all + 1, sizeof(*s->code));
	if (!s->all || !s->code)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_all; i++) {
		GElf_Shdr h;

		if (!gelf_getshdr(elf_getscn(elf, i), &h) || h.sh_addr > UINT64_MAX - h.sh_size)
			continue;
		s->all[i] = (struct section){ h.sh_addr, h.sh_addr + h.sh_size };
		if (h.sh_flags & SHF_EXECINSTR && h.sh_size)
			s->code[s->n_code++] = s->all[i];
	}
	qsort(s->code, s->n_code, sizeof(*s->code), by_start);
	return 0;
}

/*
 * The executable section that a symbol lies in. It is found by the address: tools that remove a
 * section leave the old indices in .dynsym. By its index a symbol at the very end of its section is
 * known ("etext"), which is a mark, though another section may begin there.
 */
static const struct section *code_section(const struct sections *s, size_t index, uint64_t address)
{
	size_t low = 0, high = s->n_code;

	if (index >= s->n_all ||
	    (address == s->all[index].end && s->all[index].end > s->all[index].start))
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->code[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < s->code[low - 1].end ? &s->code[low - 1] : NULL;
}

static bool find_section(Elf *elf, unsigned int type, struct symbol_section *out)
{
	Elf_Scn *scn = NULL, *found = NULL, *extended = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &h))
			continue;
		if (h.sh_type == type && !found && h.sh_entsize) {
			found = scn;
			out->strings = h.sh_link;
		} else if (h.sh_type == SHT_SYMTAB_SHNDX && type == SHT_SYMTAB) {
			extended = scn;
		}
	}
	if (!found)
		return false;
	out->elf = elf;
	out->data = elf_getdata(found, NULL);
	out->extended = extended ? elf_getdata(extended, NULL) : NULL;
	if (!out->data)
		return false;
	out->n = out->data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	return true;
}

/*
 * Labels that mark something other than a function: the arm, arm64 and RISC-V mapping symbols ("$x",
 * "$d.12"), the assembler's local labels, and the marks of the annobin plug-in.
 */
static bool is_marker(const char *name)
{
	if (name[0] == '$' && name[1] && (!name[2] || name[2] == '.'))
		return strchr("adtx", name[1]) != NULL;
	return !strncmp(name, ".L", 2) || !strncmp(name, ".annobin", 8);
}

/* LLGo's marks of call sites, and its runtime, which is in every program of it. */
static bool is_of_llgo(const char *name)
{
	return !strncmp(name, "__llgo_", strlen("__llgo_")) ||
	       (!strncmp(name, "github.com/", strlen("github.com/")) &&
		strstr(name, "/llgo/runtime/internal/"));
}

static uint32_t rank_of(const GElf_Sym *sym)
{
	uint32_t rank = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ? 8 : 0;

	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return rank;
	case STB_LOCAL:
		return rank + 1;
	default:
		return rank + 2;
	}
}

static bool is_code(const GElf_Sym *sym)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
	       sym->st_shndx != SHN_UNDEF && sym->st_name;
}

/* Without a version. */
static uint32_t length_of(const char *name)
{
	size_t length = strnlen(name, NAME_LIMIT);
	const char *version = memchr(name + 1, '@', length - 1);

	return (uint32_t)(version ? (size_t)(version - name) : length);
}

/* Makes a symbol of an entry; false for what names no code. */
static bool read_symbol(const struct symbol_section *from, size_t i,
			const struct sections *sections, struct symbol *out)
{
	const struct section *section;
	const char *name;
	Elf32_Word index = 0;
	GElf_Sym sym;
	uint64_t room;

	if (!gelf_getsymshndx(from->data, from->extended, (int)i, &sym, &index) || !is_code(&sym))
		return false;
	if (sym.st_shndx != SHN_XINDEX)
		index = sym.st_shndx;
	section = code_section(sections, index, sym.st_value);
	if (!section)
		return false;
	name = elf_strptr(from->elf, from->strings, sym.st_name);
	if (!name || !*name || is_marker(name))
		return false;
	room = section->end - sym.st_value;
	*out = (struct symbol){
		.start = sym.st_value,
		.end = sym.st_value + (sym.st_size < room ? sym.st_size : room),
		.limit = section->end,
		.name = name,
		.length = length_of(name),
		.rank = rank_of(&sym),
	};
	return true;
}

long symbol_table_add(struct symbol_table *t, Elf *elf, unsigned int section_type)
{
	struct symbol_section from = { 0 };
	struct sections sections = { 0 };
	long added = 0;
	int err;

	if (!find_section(elf, section_type, &from))
		return 0;
	err = read_sections(elf, &sections);
	for (size_t i = 1; i < from.n && !err; i++) {
		struct symbol s;

		if (!read_symbol(&from, i, &sections, &s))
			continue;
		err = add(t, s);
		t->is_llgo |= is_of_llgo(s.name);
		if (!err)
			added++;
	}
	free_sections(&sections);
	return err ? err : added;
}

bool symbol_table_is_llgo(const struct symbol_table *t)
{
	return t->is_llgo;
}

int symbol_table_add_stub(struct symbol_table *t, uint64_t start, uint64_t size, const char *name)
{
	if (!*name || start > UINT64_MAX - size)
		return 0;
	return add(t, (struct symbol){
			      .start = start,
			      .end = start + size,
			      .limit = start + size,
			      .name = name,
			      .length = length_of(name),
			      .stub = true,
		      });
}

/* At one start: without a size first, then the longer extent, then the worse name; so the best last. */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	size_t length = x->length < y->length ? x->length : y->length;
	int order;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if ((x->end == x->start) != (y->end == y->start))
		return x->end == x->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	order = memcmp(x->name, y->name, length);
	return -order;
}

/*
 * Walks the symbols in order and keeps on a stack those with a size that may still cover something.
 * One that ended is taken off when it comes to the top, so the top is the last started that covers.
 */
struct sweep {
	const struct symbol **open;
	size_t n_open;
	const struct symbol *unsized; /* the candidate without a size */
	uint64_t start; /* of the last function that began */
};

static void drop_ended(struct sweep *s, uint64_t address)
{
	while (s->n_open && s->open[s->n_open - 1]->end <= address)
		s->n_open--;
}

static void pass_symbol(struct sweep *s, const struct symbol *symbol)
{
	drop_ended(s, symbol->start);
	if (symbol->end > symbol->start) {
		s->open[s->n_open++] = symbol;
		s->unsized = NULL;
	} else if (!s->n_open) {
		s->unsized = symbol;
	}
}

static struct symbol_hit hit_at(struct sweep *s, uint64_t address)
{
	const struct symbol *best = NULL;

	drop_ended(s, address);
	if (s->n_open)
		best = s->open[s->n_open - 1];
	else if (s->unsized && address < s->unsized->limit && s->start <= s->unsized->start)
		best = s->unsized;
	if (!best)
		return (struct symbol_hit){ 0 };
	return (struct symbol_hit){ best->name, best->length, best->start, best->end, best->stub };
}

static void sort(struct symbol_table *t)
{
	if (!t->sorted && t->n)
		qsort(t->symbols, t->n, sizeof(*t->symbols), compare);
	t->sorted = true;
}

const char *symbol_table_name_at(struct symbol_table *t, uint64_t address)
{
	size_t low = 0, high = t->n;

	sort(t);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && t->symbols[low - 1].start == address ? t->symbols[low - 1].name : NULL;
}

void symbol_table_set_starts(struct symbol_table *t, const uint64_t *starts, size_t n)
{
	t->starts = starts;
	t->n_starts = n;
}

int symbol_table_find(struct symbol_table *t, const uint64_t *addresses, size_t n,
		      struct symbol_hit *hits)
{
	struct sweep s = { 0 };
	size_t next = 0, function = 0;

	sort(t);
	s.open = calloc(t->n + 1, sizeof(*s.open));
	if (!s.open)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		while (next < t->n && t->symbols[next].start <= addresses[i])
			pass_symbol(&s, &t->symbols[next++]);
		while (function < t->n_starts && t->starts[function] <= addresses[i])
			s.start = t->starts[function++];
		hits[i] = hit_at(&s, addresses[i]);
	}
	free(s.open);
	return 0;
}
