// SPDX-License-Identifier: BSD-2-Clause
/*
 * The layout is that of Go's runtime (src/runtime/symtab.go: pcHeader, moduledata, functab; runtime2.go:
 * _func): a header, the functions' offsets from the start of the code, and for each a program that says how
 * far the stack pointer has moved.
 */
#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unwind/cursor.h"
#include "unwind/go_functions.h"

#define MAX_FRAMES (256u << 20) /* bytes */

enum { MAGIC_1_18 = 0xfffffff0, MAGIC_1_20 = 0xfffffff1 };

/* Words of the header after its first 8 bytes. */
enum { N_FUNCTIONS, N_FILES, TEXT_START, NAMES, UNITS, FILES, PROGRAMS, FUNCTIONS, HEADER_WORDS };

#define MODULE_TEXT 176 /* of struct moduledata in Go 1.26, the first with a section for it */
#define RECORD_NAME 4
#define RECORD_PROGRAM 16

struct go_functions {
	uint8_t *bytes; /* .gopclntab */
	size_t size;
	uint64_t text; /* address of the code */
	uint64_t word[HEADER_WORDS];
};

struct sections {
	Elf *elf;
	GElf_Shdr table, module;
	Elf_Data *table_data;
};

static void find_sections(struct sections *s)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(s->elf, &strings))
		return;
	while ((scn = elf_nextscn(s->elf, scn)) != NULL) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		name = elf_strptr(s->elf, strings, shdr.sh_name);
		if (!name || shdr.sh_type == SHT_NOBITS)
			continue;
		if (!strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab")) {
			s->table = shdr;
			s->table_data = elf_getdata(scn, NULL);
		} else if (!strcmp(name, ".go.module")) {
			s->module = shdr;
		}
	}
}

static bool read_word(Elf_Scn *scn, const GElf_Shdr *shdr, uint64_t address, uint64_t *word)
{
	uint64_t offset = address - shdr->sh_addr;
	Elf_Data *data;

	if (!(shdr->sh_flags & SHF_ALLOC) || shdr->sh_type == SHT_NOBITS ||
	    address < shdr->sh_addr || offset >= shdr->sh_size || shdr->sh_size - offset < 8)
		return false;
	data = elf_getdata(scn, NULL);
	if (!data || data->d_size < offset + 8)
		return false;
	memcpy(word, (const uint8_t *)data->d_buf + offset, 8);
	return true;
}

/* What a relocation will put there. */
static bool read_addend(Elf_Scn *scn, const GElf_Shdr *shdr, uint64_t address, uint64_t *word)
{
	Elf_Data *data = shdr->sh_type == SHT_RELA ? elf_getdata(scn, NULL) : NULL;
	size_t n = data && shdr->sh_entsize ? data->d_size / shdr->sh_entsize : 0;

	for (size_t i = 0; i < n; i++) {
		GElf_Rela r;

		if (gelf_getrela(data, (int)i, &r) && r.r_offset == address &&
		    GELF_R_TYPE(r.r_info) == R_X86_64_RELATIVE) {
			*word = (uint64_t)r.r_addend;
			return true;
		}
	}
	return false;
}

/* A pointer in the object's data as the program will see it, less where it is loaded. 0: none. */
static uint64_t read_pointer(Elf *elf, uint64_t address)
{
	Elf_Scn *scn = NULL;
	uint64_t word = 0;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		if (read_addend(scn, &shdr, address, &word))
			return word;
		read_word(scn, &shdr, address, &word);
	}
	return word;
}

static uint64_t read_text(const struct sections *s)
{
	uint64_t text = 0;

	if (s->module.sh_size)
		text = read_pointer(s->elf, s->module.sh_addr + MODULE_TEXT);
	if (!text)
		text = read_pointer(s->elf, s->table.sh_addr + 8 + 8 * TEXT_START);
	return text;
}

static int read_header(struct go_functions *f)
{
	struct cursor c = { .p = f->bytes, .end = f->bytes + f->size };
	uint32_t magic = (uint32_t)cursor_fixed(&c, 4);

	cursor_fixed(&c, 4); /* padding, size of an instruction, of a pointer */
	for (int i = 0; i < HEADER_WORDS; i++)
		f->word[i] = cursor_fixed(&c, 8);
	if (c.bad)
		return -ENOEXEC;
	if ((magic != MAGIC_1_18 && magic != MAGIC_1_20) || f->bytes[7] != 8)
		return -ENOENT;
	if (f->word[NAMES] > f->size || f->word[PROGRAMS] > f->size ||
	    f->word[FUNCTIONS] > f->size ||
	    f->word[N_FUNCTIONS] >= (f->size - f->word[FUNCTIONS]) / 8)
		return -ENOEXEC;
	return 0;
}

static int read_all(struct sections *s, struct go_functions *f)
{
	if (elf_kind(s->elf) != ELF_K_ELF)
		return -ENOEXEC;
	find_sections(s);
	if (!s->table_data || !s->table_data->d_size)
		return -ENOENT;
	f->size = s->table_data->d_size;
	f->bytes = malloc(f->size);
	if (!f->bytes)
		return -ENOMEM;
	memcpy(f->bytes, s->table_data->d_buf, f->size);
	f->text = read_text(s);
	return f->text ? read_header(f) : -ENOENT;
}

int go_functions_new(int fd, struct go_functions **functions)
{
	struct go_functions *f;
	struct sections s = { 0 };
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	s.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!s.elf)
		return -ENOEXEC;
	f = calloc(1, sizeof(*f));
	err = f ? read_all(&s, f) : -ENOMEM;
	elf_end(s.elf);
	if (err)
		go_functions_free(f);
	else
		*functions = f;
	return err;
}

void go_functions_free(struct go_functions *f)
{
	if (!f)
		return;
	free(f->bytes);
	free(f);
}

size_t go_functions_count(const struct go_functions *f)
{
	return f->word[N_FUNCTIONS];
}

static struct cursor at(const struct go_functions *f, uint64_t offset)
{
	struct cursor c = { .p = f->bytes, .end = f->bytes + f->size };

	cursor_take(&c, offset);
	return c;
}

/* Reads the entry of a function; record is set to where what is known of it lies. */
static int read_entry(const struct go_functions *f, size_t i, struct go_function *function,
		      uint64_t *record)
{
	struct cursor c = at(f, f->word[FUNCTIONS] + 8 * i);
	uint32_t start = (uint32_t)cursor_fixed(&c, 4), offset = (uint32_t)cursor_fixed(&c, 4);
	uint32_t end = (uint32_t)cursor_fixed(&c, 4);

	if (c.bad || end <= start)
		return -ENOEXEC;
	function->start = f->text + start;
	function->end = f->text + end;
	*record = f->word[FUNCTIONS] + offset;
	return 0;
}

int go_functions_get(const struct go_functions *f, size_t i, struct go_function *function)
{
	uint64_t record;
	struct cursor c;
	int err = read_entry(f, i, function, &record);

	if (err)
		return err;
	c = at(f, record + RECORD_NAME);
	c = at(f, f->word[NAMES] + cursor_fixed(&c, 4));
	if (c.bad || !memchr(c.p, 0, cursor_left(&c)))
		return -ENOEXEC;
	function->name = (const char *)c.p;
	return 0;
}

/* --- as call frame information --- */

struct bytes {
	uint8_t *data;
	size_t size, room;
	int err; /* once set, nothing is added */
};

static void put(struct bytes *b, const void *data, size_t size)
{
	if (!b->err && b->room - b->size < size) {
		size_t room = 2 * b->room + 4096;
		uint8_t *grown = room > MAX_FRAMES ? NULL : realloc(b->data, room);

		b->err = room > MAX_FRAMES ? -EFBIG : grown ? 0 : -ENOMEM;
		if (grown) {
			b->data = grown;
			b->room = room;
		}
	}
	if (b->err)
		return;
	memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_number(struct bytes *b, uint64_t value, size_t size)
{
	put(b, &value, size);
}

static void put_uleb(struct bytes *b, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_number(b, value | 0x80, 1);
	put_number(b, value, 1);
}

/* CFA = rsp + 8 on entry, the return address below it. */
static void put_cie(struct bytes *b)
{
	static const uint8_t body[] = { 3, 0, 1, 0x78, 16, DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16,
					1 };

	put_number(b, 4 + sizeof(body), 4);
	put_number(b, UINT32_MAX, 4);
	put(b, body, sizeof(body));
}

/* Returns how many bytes of code, of so many, the program says something about. */
static uint64_t put_program(struct bytes *b, struct cursor c, uint64_t size)
{
	uint64_t done = 0, step = 0;
	int64_t depth = -1;

	for (;;) {
		uint64_t change = cursor_uleb(&c);

		if (!change && done) /* the end */
			return done;
		depth += (int64_t)(change >> 1) ^ -(int64_t)(change & 1);
		if (step)
			put_number(b, DW_CFA_advance_loc4 | step << 8, 5);
		step = cursor_uleb(&c);
		if (c.bad || !step || step > size - done || depth < -8 || depth > INT32_MAX)
			return done;
		put_number(b, DW_CFA_def_cfa_offset, 1);
		put_uleb(b, (uint64_t)(depth + 8));
		done += step;
	}
}

static void put_function(struct bytes *b, const struct go_functions *f, size_t i)
{
	struct go_function function;
	size_t start = b->size;
	uint64_t record, size;
	struct cursor c;

	if (read_entry(f, i, &function, &record))
		return;
	c = at(f, record + RECORD_PROGRAM);
	c = at(f, f->word[PROGRAMS] + cursor_fixed(&c, 4));
	put_number(b, 0, 4); /* its length and how much code, known later */
	put_number(b, 0, 4); /* the CIE */
	put_number(b, function.start, 8);
	put_number(b, 0, 8);
	size = put_program(b, c, function.end - function.start);
	if (b->err)
		return;
	if (!size) {
		b->size = start;
		return;
	}
	memcpy(b->data + start + 16, &size, 8);
	size = b->size - start - 4;
	memcpy(b->data + start, &size, 4);
}

int go_functions_frames(const struct go_functions *f, struct cfi_section *section)
{
	struct bytes b = { 0 };

	put_cie(&b);
	for (size_t i = 0; !b.err && i < go_functions_count(f); i++)
		put_function(&b, f, i);
	if (b.err) {
		free(b.data);
		return b.err;
	}
	section->data = b.data;
	section->size = b.size;
	return 0;
}
