// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where the table of a Go object is. It begins with a header; where the code starts and where the trees
 * of inlined calls lie is told, since Go 1.18, by the module's data (moduledata in src/runtime/symtab.go),
 * which begin with a pointer to the header. A linker may have put all of this anywhere in the data.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/gopclntab.h"
#include "symbolize/gopclntab_table.h"

#define MIN_HEADER_SIZE 16
#define MAX_HEADER_SIZE (8 + 8 * N_WORDS)

/* Words of a module's data. */
#define MODULE_MIN_PC 20
#define MODULE_MAX_PC 21
#define MODULE_TEXT 22
#define MODULE_WORDS 41

#define MAX_TABLE (512u << 20) /* bytes */
#define MAX_SECTIONS (64 * 1024)
#define MAX_SEGMENTS 64
#define MAX_SCAN (1ull << 30) /* bytes that are searched, all together */
#define CHUNK (256 * 1024)
/* Pieces looked at for all addresses together; some hundred times what large programs need. */
#define MAX_PIECES (256u << 20)

/*
 * The forms by the first version of Go that has them: 1.2 (up to 1.15), 1.16, 1.18, 1.20. What they are
 * is in src/cmd/link/internal/ld/pcln.go and src/debug/gosym/pclntab.go; the index of inlined calls is
 * _FUNCDATA_InlTree in src/runtime/symtab.go, which is 4 from 1.13 to 1.15.
 */
static const struct gopclntab_form forms[] = {
	{ .magic = 0xfffffffb,
	  .header_size = 16,
	  .n_words = 1,
	  .words = { N_FUNCTIONS },
	  .address_size = 8,
	  .record_size = 40,
	  .data = 4 },
	{ .magic = 0xfffffffa,
	  .header_size = 64,
	  .n_words = 7,
	  .words = { N_FUNCTIONS, N_FILES, NAMES, UNITS, FILES, PROGRAMS, RECORDS },
	  .address_size = 8,
	  .record_size = 44,
	  .data = 3,
	  .has_units = true },
	{ .magic = 0xfffffff0,
	  .header_size = 72,
	  .n_words = 8,
	  .words = { N_FUNCTIONS, N_FILES, TEXT_START, NAMES, UNITS, FILES, PROGRAMS, RECORDS },
	  .address_size = 4,
	  .record_size = 40,
	  .data = 3,
	  .has_units = true,
	  .module_inlined = 38 },
	{ .magic = 0xfffffff1,
	  .header_size = 72,
	  .n_words = 8,
	  .words = { N_FUNCTIONS, N_FILES, TEXT_START, NAMES, UNITS, FILES, PROGRAMS, RECORDS },
	  .address_size = 4,
	  .record_size = 44,
	  .data = 3,
	  .has_units = true,
	  .has_start_lines = true,
	  .module_inlined = 40 },
};

/* --- the file --- */

static int read_new(int fd, uint64_t offset, uint64_t size, void **out)
{
	void *bytes = calloc(1, size + 1);
	int err = bytes ? elf_read_at(fd, bytes, size, offset) : -ENOMEM;

	if (err) {
		free(bytes);
		return err;
	}
	*out = bytes;
	return 0;
}

static void keep_loaded_segments(struct gopclntab *t)
{
	for (uint32_t i = 0; i < t->elf.phnum && t->n_segments < MAX_SEGMENTS; i++)
		if (t->segments[i].p_type == PT_LOAD)
			t->segments[t->n_segments++] = t->segments[i];
}

static int read_headers(struct gopclntab *t)
{
	struct elf_header *h = &t->elf;
	int err = elf_read_header(t->fd, h);
	Elf64_Shdr *names;

	if (err)
		return err;
	if (!h->is_64 || !h->shnum || h->shnum > MAX_SECTIONS || h->phnum > MAX_SECTIONS ||
	    h->shentsize != sizeof(Elf64_Shdr) || h->phentsize != sizeof(Elf64_Phdr) ||
	    h->shstrndx >= h->shnum)
		return -ENOENT;
	err = read_new(t->fd, h->shoff, h->shnum * sizeof(Elf64_Shdr), (void **)&t->sections);
	if (!err)
		err = read_new(t->fd, h->phoff, h->phnum * sizeof(Elf64_Phdr),
			       (void **)&t->segments);
	if (err)
		return err;
	keep_loaded_segments(t);
	names = &t->sections[h->shstrndx];
	if (names->sh_size > MAX_TABLE)
		return -ENOEXEC;
	t->names_size = names->sh_size;
	return read_new(t->fd, names->sh_offset, names->sh_size, (void **)&t->names);
}

static const char *name_of(const struct gopclntab *t, const Elf64_Shdr *h)
{
	return h->sh_name < t->names_size ? t->names + h->sh_name : "";
}

/* Reads what is loaded at an address; false where the file has nothing for it. */
bool gopclntab_read_loaded(const struct gopclntab *t, uint64_t address, void *out, uint64_t size)
{
	for (size_t i = 0; i < t->n_segments; i++) {
		const Elf64_Phdr *p = &t->segments[i];
		uint64_t offset = address - p->p_vaddr;

		if (address >= p->p_vaddr && offset < p->p_filesz && size <= p->p_filesz - offset)
			return !elf_read_at(t->fd, out, size, p->p_offset + offset);
	}
	return false;
}

/* Reads what is searched; false at the end of the file, or when enough was. */
static bool scan(struct gopclntab *t, uint64_t offset, void *out, uint64_t size)
{
	if (size > t->scan_left)
		return false;
	t->scan_left -= size;
	return !elf_read_at(t->fd, out, size, offset);
}

/* Told of a relocation that puts an address, value, at another one. Returns true to end. */
typedef bool (*relocation_sink)(void *arg, uint64_t at, uint64_t value);

static bool each_relocation_of(struct gopclntab *t, const Elf64_Shdr *h, relocation_sink sink,
			       void *arg)
{
	Elf64_Rela r[1024];
	bool found = false;

	for (uint64_t at = 0; at < h->sh_size && !found; at += sizeof(r)) {
		uint64_t left = h->sh_size - at, size = left < sizeof(r) ? left : sizeof(r);

		if (!scan(t, h->sh_offset + at, r, size))
			break;
		for (size_t i = 0; i < size / sizeof(*r) && !found; i++)
			if (ELF64_R_TYPE(r[i].r_info) ==
			    (t->elf.machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE))
				found = sink(arg, r[i].r_offset, (uint64_t)r[i].r_addend);
	}
	return found;
}

static bool each_relocation(struct gopclntab *t, relocation_sink sink, void *arg)
{
	for (uint32_t i = 0; i < t->elf.shnum; i++)
		if (t->sections[i].sh_type == SHT_RELA && t->sections[i].sh_flags & SHF_ALLOC &&
		    each_relocation_of(t, &t->sections[i], sink, arg))
			return true;
	return false;
}

/* --- the module's data --- */

struct words {
	uint64_t start; /* address */
	size_t n;
	uint64_t *word;
};

static bool take_word(void *arg, uint64_t at, uint64_t value)
{
	struct words *w = arg;

	if (at >= w->start && at - w->start < 8 * w->n && !((at - w->start) % 8))
		w->word[(at - w->start) / 8] = value;
	return false;
}

/* Reads words as the program will see them, less where it is loaded. */
static bool read_words(struct gopclntab *t, uint64_t address, uint64_t *word, size_t n)
{
	struct words w = { address, n, word };

	if (!gopclntab_read_loaded(t, address, word, 8 * n))
		return false;
	each_relocation(t, take_word, &w);
	return true;
}

/* Puts an address into the table. */
static bool relocate(void *arg, uint64_t at, uint64_t value)
{
	struct gopclntab *t = arg;

	if (at >= t->address && at - t->address < t->size && t->size - (at - t->address) >= 8)
		memcpy(t->bytes + (at - t->address), &value, 8);
	return false;
}

/* Takes over the module's data that begin at an address, if they do. */
static bool take_module(struct gopclntab *t, uint64_t address)
{
	uint64_t word[MODULE_WORDS];

	if (!read_words(t, address, word, MODULE_WORDS) || word[0] != t->address ||
	    word[MODULE_MIN_PC] >= word[MODULE_MAX_PC] || word[MODULE_TEXT] > word[MODULE_MIN_PC] ||
	    !word[MODULE_TEXT])
		return false;
	t->text = word[MODULE_TEXT];
	t->inlined = word[t->form->module_inlined];
	return true;
}

struct module_search {
	struct gopclntab *t;
	unsigned int tries;
};

static bool try_module(struct module_search *s, uint64_t address)
{
	return s->tries && s->tries-- && take_module(s->t, address);
}

static bool try_relocated_module(void *arg, uint64_t at, uint64_t value)
{
	struct module_search *s = arg;

	return value == s->t->address && try_module(s, at);
}

static bool try_modules_in(struct module_search *s, const Elf64_Shdr *h, uint64_t *chunk)
{
	for (uint64_t at = 0; at < h->sh_size; at += CHUNK) {
		uint64_t size = h->sh_size - at < CHUNK ? h->sh_size - at : CHUNK;

		if (!scan(s->t, h->sh_offset + at, chunk, size))
			return false;
		for (size_t i = 0; i < size / 8; i++)
			if (chunk[i] == s->t->address && try_module(s, h->sh_addr + at + 8 * i))
				return true;
	}
	return false;
}

static int find_module(struct gopclntab *t)
{
	struct module_search s = { t, 8 };
	uint64_t *chunk;

	/* Old tables hold all addresses themselves. */
	if (t->form->address_size == 8) {
		each_relocation(t, relocate, t);
		return 0;
	}
	if (each_relocation(t, try_relocated_module, &s))
		return 0;
	chunk = malloc(CHUNK);
	if (!chunk)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->elf.shnum && s.tries; i++) {
		const Elf64_Shdr *h = &t->sections[i];

		if (h->sh_type == SHT_PROGBITS && h->sh_flags & SHF_WRITE &&
		    try_modules_in(&s, h, chunk))
			break;
	}
	free(chunk);
	if (!t->text && !read_words(t, t->address + 24, &t->text, 1))
		t->text = 0;
	return t->text ? 0 : -ENOENT;
}

/* --- the table --- */

static const struct gopclntab_form *form_of(const uint8_t *p)
{
	uint32_t magic;

	memcpy(&magic, p, 4);
	if (p[4] || p[5] || (p[6] != 1 && p[6] != 4) || p[7] != 8)
		return NULL;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].magic == magic)
			return &forms[i];
	return NULL;
}

/* Sets what the oldest form has no words for: the list of files lies behind that of functions. */
static int find_files(struct gopclntab *t)
{
	uint64_t at = t->functions + 16 * t->word[N_FUNCTIONS] + 8;

	if (t->form->n_words > 1)
		return 0;
	t->word[FILES] = gopclntab_u32(t, at);
	t->word[N_FILES] = gopclntab_u32(t, t->word[FILES]);
	return t->word[FILES] ? 0 : -ENOEXEC;
}

static int check_header(struct gopclntab *t)
{
	size_t entry;

	t->form = t->size < MIN_HEADER_SIZE ? NULL : form_of(t->bytes);
	if (!t->form || t->size < t->form->header_size)
		return -ENOENT;
	for (uint8_t i = 0; i < t->form->n_words; i++)
		memcpy(&t->word[t->form->words[i]], t->bytes + 8 + 8 * (size_t)i, 8);
	for (int i = NAMES; i < N_WORDS; i++)
		if (t->word[i] > t->size)
			return -ENOEXEC;
	entry = 2 * (size_t)t->form->address_size;
	t->functions = t->form->n_words > 1 ? t->word[RECORDS] : t->form->header_size;
	if (!t->word[N_FUNCTIONS] || t->word[N_FUNCTIONS] >= (t->size - t->functions) / entry)
		return -ENOEXEC;
	return find_files(t);
}

/* Reads a section's bytes from an offset on as the table. */
static int take_table(struct gopclntab *t, const Elf64_Shdr *h, uint64_t offset)
{
	int err;

	if (h->sh_size - offset > MAX_TABLE)
		return -EFBIG;
	t->address = h->sh_addr + offset;
	t->size = h->sh_size - offset;
	err = read_new(t->fd, h->sh_offset + offset, t->size, (void **)&t->bytes);
	if (!err)
		err = check_header(t);
	if (err) {
		free(t->bytes);
		t->bytes = NULL;
	}
	return err;
}

/* External linkers put the table of a relocatable program among other data. */
static int find_table_in(struct gopclntab *t, const Elf64_Shdr *h)
{
	uint64_t step = CHUNK - MAX_HEADER_SIZE;
	uint8_t *chunk = malloc(CHUNK);
	int err = chunk ? -ENOENT : -ENOMEM;

	for (uint64_t at = 0; at < h->sh_size && err == -ENOENT; at += step) {
		uint64_t size = h->sh_size - at < CHUNK ? h->sh_size - at : CHUNK;

		if (!scan(t, h->sh_offset + at, chunk, size))
			break;
		for (uint64_t i = 0; i + MAX_HEADER_SIZE <= size && i < step; i += 8)
			if (form_of(chunk + i)) {
				err = take_table(t, h, at + i);
				break;
			}
	}
	free(chunk);
	return err;
}

static int find_table(struct gopclntab *t)
{
	const Elf64_Shdr *data = NULL, *found = NULL;

	for (uint32_t i = 0; i < t->elf.shnum; i++) {
		const Elf64_Shdr *h = &t->sections[i];
		const char *name = name_of(t, h);

		if (h->sh_type != SHT_PROGBITS)
			continue;
		if (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab"))
			found = h;
		if (!strcmp(name, ".data.rel.ro"))
			data = h;
		t->is_1_13 |= !strcmp(name, ".go.buildinfo");
	}
	if (found)
		return take_table(t, found, 0);
	return t->is_1_13 && data ? find_table_in(t, data) : -ENOENT;
}

int gopclntab_read(int fd, struct gopclntab **table)
{
	struct gopclntab *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->fd = fd;
	t->pieces_left = MAX_PIECES;
	t->scan_left = MAX_SCAN;
	err = read_headers(t);
	if (!err)
		err = find_table(t);
	if (!err)
		err = find_module(t);
	if (err)
		gopclntab_free(t);
	else
		*table = t;
	return err;
}

void gopclntab_free(struct gopclntab *t)
{
	if (!t)
		return;
	free(t->segments);
	free(t->sections);
	free(t->names);
	free(t->bytes);
	free(t);
}
