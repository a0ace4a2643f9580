// SPDX-License-Identifier: BSD-2-Clause
/*
 * The layout is that of Go's runtime (src/runtime/symtab.go: pcHeader, functab, moduledata;
 * symtabinl.go: inlinedCall; runtime2.go: _func): a header, names, files and programs at offsets from it,
 * the functions' offsets from the start of the code and for each a record, which refers to programs. A
 * program is pairs of a zigzag difference of a value and the length of code that has it.
 *
 * Where the code starts and where the trees of inlined calls lie is told by the module's data, which
 * begin with a pointer to the header. A linker may have put all of this anywhere in the data.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/elf_read.h"
#include "symbolize/gopclntab.h"

enum { MAGIC_1_18 = 0xfffffff0, MAGIC_1_20 = 0xfffffff1 };

/* Words of the header after its first 8 bytes. */
enum { N_FUNCTIONS, N_FILES, TEXT_START, NAMES, UNITS, FILES, PROGRAMS, FUNCTIONS, HEADER_WORDS };
#define HEADER_SIZE (8 + 8 * HEADER_WORDS)

/* Words of a module's data. */
#define MODULE_MIN_PC 20
#define MODULE_MAX_PC 21
#define MODULE_TEXT 22
#define MODULE_INLINED_1_18 38
#define MODULE_INLINED_1_20 40
#define MODULE_WORDS 41

/* Fields of a function's record. */
enum {
	RECORD_NAME = 4,
	RECORD_STACK = 16,
	RECORD_FILE = 20,
	RECORD_LINE = 24,
	RECORD_N_PROGRAMS = 28,
	RECORD_UNIT = 32,
	RECORD_START_LINE = 36, /* since 1.20 */
};
#define INLINED_PROGRAM 2
#define INLINED_DATA 3

#define MAX_TABLE (512u << 20) /* bytes */
#define MAX_NAME (16 * 1024) /* longer ones are damage */
#define MAX_SECTIONS (64 * 1024)
#define MAX_SEGMENTS 64
#define MAX_SCAN (1ull << 30) /* bytes that are searched, all together */
#define CHUNK (256 * 1024)
/* Pieces looked at for all addresses together; some hundred times what large programs need. */
#define MAX_PIECES (256u << 20)

struct gopclntab {
	int fd;
	struct elf_header elf;
	Elf64_Phdr *segments; /* that are loaded */
	size_t n_segments;
	Elf64_Shdr *sections;
	char *names; /* of the sections */
	size_t names_size;

	uint8_t *bytes;
	size_t size;
	uint64_t address; /* of the table */
	uint64_t word[HEADER_WORDS];
	bool is_1_20; /* or newer */
	uint64_t text, inlined; /* addresses; inlined 0: unknown */
	uint64_t pieces_left, scan_left;
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
static bool read_loaded(const struct gopclntab *t, uint64_t address, void *out, uint64_t size)
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

	if (!read_loaded(t, address, word, 8 * n))
		return false;
	each_relocation(t, take_word, &w);
	return true;
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
	t->inlined = word[t->is_1_20 ? MODULE_INLINED_1_20 : MODULE_INLINED_1_18];
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
	if (!t->text && !read_words(t, t->address + 8 + 8 * TEXT_START, &t->text, 1))
		t->text = 0;
	return t->text ? 0 : -ENOENT;
}

/* --- the table --- */

static uint32_t u32_at(const struct gopclntab *t, uint64_t offset)
{
	uint32_t value = 0;

	if (offset <= t->size && t->size - offset >= 4)
		memcpy(&value, t->bytes + offset, 4);
	return value;
}

static bool is_header(const uint8_t *p)
{
	uint32_t magic;

	memcpy(&magic, p, 4);
	return (magic == MAGIC_1_18 || magic == MAGIC_1_20) && !p[4] && !p[5] &&
	       (p[6] == 1 || p[6] == 4) && p[7] == 8;
}

static int check_header(struct gopclntab *t)
{
	if (t->size < HEADER_SIZE || !is_header(t->bytes))
		return -ENOENT;
	t->is_1_20 = u32_at(t, 0) == MAGIC_1_20;
	memcpy(t->word, t->bytes + 8, sizeof(t->word));
	for (int i = NAMES; i <= FUNCTIONS; i++)
		if (t->word[i] > t->size)
			return -ENOEXEC;
	if (!t->word[N_FUNCTIONS] || t->word[N_FUNCTIONS] >= (t->size - t->word[FUNCTIONS]) / 8)
		return -ENOEXEC;
	return 0;
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
	uint64_t step = CHUNK - HEADER_SIZE;
	uint8_t *chunk = malloc(CHUNK);
	int err = chunk ? -ENOENT : -ENOMEM;

	for (uint64_t at = 0; at < h->sh_size && err == -ENOENT; at += step) {
		uint64_t size = h->sh_size - at < CHUNK ? h->sh_size - at : CHUNK;

		if (!scan(t, h->sh_offset + at, chunk, size))
			break;
		for (uint64_t i = 0; i + HEADER_SIZE <= size && i < step; i += 8)
			if (is_header(chunk + i)) {
				err = take_table(t, h, at + i);
				break;
			}
	}
	free(chunk);
	return err;
}

static int find_table(struct gopclntab *t)
{
	const Elf64_Shdr *data = NULL;
	bool is_go = false;

	for (uint32_t i = 0; i < t->elf.shnum; i++) {
		const Elf64_Shdr *h = &t->sections[i];
		const char *name = name_of(t, h);

		if (h->sh_type != SHT_PROGBITS)
			continue;
		if (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab"))
			return take_table(t, h, 0);
		if (!strcmp(name, ".data.rel.ro"))
			data = h;
		is_go |= !strcmp(name, ".go.buildinfo");
	}
	return is_go && data ? find_table_in(t, data) : -ENOENT;
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

size_t gopclntab_count(const struct gopclntab *t)
{
	return t->word[N_FUNCTIONS];
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

static uint64_t entry_at(const struct gopclntab *t, size_t i)
{
	return t->word[FUNCTIONS] + 8 * i;
}

static uint64_t record_at(const struct gopclntab *t, size_t i)
{
	return t->word[FUNCTIONS] + u32_at(t, entry_at(t, i) + 4);
}

int gopclntab_function(const struct gopclntab *t, size_t i, struct gopclntab_function *f)
{
	uint64_t record = record_at(t, i);
	uint32_t start = u32_at(t, entry_at(t, i)), end = u32_at(t, entry_at(t, i + 1));
	const char *name = string_at(t, NAMES, u32_at(t, record + RECORD_NAME));

	if (end <= start || !name)
		return -ENOEXEC;
	*f = (struct gopclntab_function){
		.name = name,
		.start = t->text + start,
		.end = t->text + end,
		.start_line = t->is_1_20 ? u32_at(t, record + RECORD_START_LINE) : 0,
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
	return pieces_at(t, u32_at(t, record_at(t, i) + RECORD_STACK));
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
	uint64_t entry = (uint64_t)u32_at(t, record + RECORD_UNIT) + (uint32_t)index;
	uint32_t offset = u32_at(t, t->word[UNITS] + 4 * entry);

	return index < 0 || offset == UINT32_MAX ? NULL : string_at(t, FILES, offset);
}

/* Goes to an offset in the function; false if its programs do not reach there. */
static bool go_to(struct walk *w, uint64_t offset)
{
	int32_t file, line;

	if (!value_at(w->t, u32_at(w->t, w->record + RECORD_LINE), offset, &line))
		return false;
	if (!value_at(w->t, u32_at(w->t, w->record + RECORD_FILE), offset, &file))
		file = -1;
	w->file = file_at(w->t, w->record, file);
	w->line = line > 0 ? (uint32_t)line : 0;
	if (!w->tree || !value_at(w->t, w->inlined_program, offset, &w->inlined))
		w->inlined = -1;
	return true;
}

/* Finds the function's inlined calls, behind its record. */
static void find_tree(struct walk *w)
{
	const struct gopclntab *t = w->t;
	uint32_t n_programs = u32_at(t, w->record + RECORD_N_PROGRAMS), data;
	uint64_t tail = w->record + (t->is_1_20 ? 40 : 36), programs = tail + 4;
	uint64_t all_data = programs + 4 * (uint64_t)n_programs;

	if (!t->inlined || n_programs <= INLINED_PROGRAM || tail + 4 > t->size ||
	    t->bytes[tail + 3] <= INLINED_DATA || all_data > t->size)
		return;
	data = u32_at(t, all_data + 4 * INLINED_DATA);
	if (data == UINT32_MAX)
		return;
	w->inlined_program = u32_at(t, programs + 4 * INLINED_PROGRAM);
	w->tree = t->inlined + data;
}

/* Reads the inlined call that one is in, and goes to where it was called. */
static bool leave_inlined(struct walk *w, struct inlined_call *call)
{
	uint32_t field[5];
	size_t size = w->t->is_1_20 ? 16 : 20;
	int16_t parent;

	if (!read_loaded(w->t, w->tree + size * (uint32_t)w->inlined, field, size))
		return false;
	call->name = string_at(w->t, NAMES, field[w->t->is_1_20 ? 1 : 3]);
	call->start_line = w->t->is_1_20 ? field[3] : 0;
	if (!call->name)
		return false;
	if (w->t->is_1_20)
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

		if (t->text + u32_at(t, entry_at(t, middle)) <= address)
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
	if (!go_to(&w, address - f.start))
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
