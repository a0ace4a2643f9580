// SPDX-License-Identifier: BSD-2-Clause
/*
 * The shape of an ELF file, read with pread(2) alone: while sampling, files of unknown origin are
 * looked at often and early, so nothing is mapped (a file truncated under a mapping would kill the
 * profiler) and at most a few hundred kilobytes are read, whatever the headers claim.
 *
 * The layout is that of the System V gABI, chapters 4 and 5; the build id is the NT_GNU_BUILD_ID
 * note of owner "GNU".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/elf_read.h"
#include "symbolize/symbolize.h"

#define MAX_NOTES (64 * 1024) /* bytes of one note segment */
#define MAX_SECTIONS (64 * 1024) /* section headers */
#define MAX_NAMES (1024 * 1024) /* bytes of section names */
#define MAX_BUILD_ID 64

/* Reads a table of count entries into new memory. */
static int read_table(int fd, uint64_t offset, size_t count, size_t entry_size, void **table)
{
	void *mem = calloc(count, entry_size);
	int err;

	if (!mem)
		return -ENOMEM;
	err = elf_read_at(fd, mem, count * entry_size, offset);
	if (err) {
		free(mem);
		return err;
	}
	*table = mem;
	return 0;
}

static Elf64_Phdr phdr_at(const void *table, size_t i, bool is_64)
{
	const Elf32_Phdr *p32 = (const Elf32_Phdr *)table + i;

	if (is_64)
		return ((const Elf64_Phdr *)table)[i];
	return (Elf64_Phdr){
		.p_type = p32->p_type,
		.p_flags = p32->p_flags,
		.p_offset = p32->p_offset,
		.p_vaddr = p32->p_vaddr,
		.p_filesz = p32->p_filesz,
		.p_align = p32->p_align,
	};
}

static void take_build_id(struct elf_shape *shape, const unsigned char *id, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *out = shape->build_id;

	for (size_t i = 0; i < size; i++) {
		*out++ = digits[id[i] >> 4];
		*out++ = digits[id[i] & 15];
	}
	*out = '\0';
}

static uint64_t padded(uint64_t size, uint64_t align)
{
	return (size + align - 1) & ~(align - 1);
}

static int read_notes(int fd, struct elf_shape *shape, uint64_t offset, uint64_t size,
		      uint64_t align)
{
	unsigned char *notes;
	Elf64_Nhdr n; /* the same in both classes */
	void *mem;
	int err;

	if (size > MAX_NOTES)
		size = MAX_NOTES;
	if (size < sizeof(n))
		return 0;
	err = read_table(fd, offset, size, 1, &mem);
	if (err)
		return err == -ENOEXEC ? 0 : err;
	notes = mem;
	align = align == 8 ? 8 : 4;
	for (uint64_t at = 0; at + sizeof(n) <= size;) {
		uint64_t name, desc, next;

		memcpy(&n, notes + at, sizeof(n));
		name = at + sizeof(n);
		desc = at + padded(sizeof(n) + (uint64_t)n.n_namesz, align);
		next = padded(desc + n.n_descsz, align);
		if (desc + n.n_descsz > size)
			break;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && n.n_descsz &&
		    n.n_descsz <= MAX_BUILD_ID) {
			take_build_id(shape, notes + desc, n.n_descsz);
			break;
		}
		at = next;
	}
	free(mem);
	return 0;
}

static int read_segments(int fd, struct elf_shape *shape, const struct elf_header *h)
{
	void *table;
	int err;

	if (!h->phnum)
		return 0;
	if (h->phentsize != (h->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) ||
	    h->phnum > MAX_SECTIONS)
		return -ENOEXEC;
	err = read_table(fd, h->phoff, h->phnum, h->phentsize, &table);
	if (err)
		return err;
	for (uint32_t i = 0; !err && i < h->phnum; i++) {
		Elf64_Phdr p = phdr_at(table, i, h->is_64);

		if (p.p_type == PT_LOAD && p.p_flags & PF_X && p.p_filesz &&
		    shape->n_segments < ELF_SHAPE_SEGMENTS)
			shape->segments[shape->n_segments++] =
				(struct elf_segment){ p.p_offset, p.p_vaddr, p.p_filesz };
		else if (p.p_type == PT_NOTE && !shape->build_id[0])
			err = read_notes(fd, shape, p.p_offset, p.p_filesz, p.p_align);
	}
	free(table);
	return err;
}

static bool has_prefix(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Section headers are optional: a file whose own are missing or damaged just has nothing in them. */
static int read_sections(int fd, struct elf_shape *shape, const struct elf_header *h)
{
	void *table, *names = NULL;
	Elf64_Shdr strings;
	uint64_t size;
	int err;

	if (!h->shoff || !h->shnum || h->shnum > MAX_SECTIONS || h->shstrndx >= h->shnum ||
	    h->shentsize != elf_section_size(h->is_64))
		return 0;
	err = read_table(fd, h->shoff, h->shnum, h->shentsize, &table);
	if (err)
		return err == -ENOEXEC ? 0 : err;
	strings = elf_section_at(table, h->shstrndx, h->is_64);
	size = strings.sh_size < MAX_NAMES ? strings.sh_size : MAX_NAMES;
	if (size && strings.sh_type != SHT_NOBITS)
		err = read_table(fd, strings.sh_offset, size, 1, &names);
	if (names)
		((char *)names)[size - 1] = '\0';
	for (uint32_t i = 0; !err && i < h->shnum; i++) {
		Elf64_Shdr s = elf_section_at(table, i, h->is_64);
		const char *name = names && s.sh_name < size ? (char *)names + s.sh_name : "";

		if (s.sh_type == SHT_NOTE && !shape->build_id[0])
			err = read_notes(fd, shape, s.sh_offset, s.sh_size, s.sh_addralign);
		else if (s.sh_type == SHT_SYMTAB)
			shape->has_symtab = true;
		else if (s.sh_type != SHT_NOBITS &&
			 (has_prefix(name, ".debug_info") || has_prefix(name, ".zdebug_info")))
			shape->has_debug = true;
	}
	free(names);
	free(table);
	return err == -ENOEXEC ? 0 : err;
}

int elf_shape_read(int fd, struct elf_shape *shape)
{
	struct elf_shape s = { 0 };
	struct elf_header h;
	int err = elf_read_header(fd, &h);

	if (err)
		return err;
	s.is_64 = h.is_64;
	s.machine = h.machine;
	err = read_segments(fd, &s, &h);
	if (!err)
		err = read_sections(fd, &s, &h);
	if (!err)
		*shape = s;
	return err;
}

bool elf_shape_address(const struct elf_shape *shape, uint64_t offset, uint64_t *address)
{
	for (unsigned int i = 0; i < shape->n_segments; i++) {
		const struct elf_segment *s = &shape->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size) {
			*address = s->address + (offset - s->offset);
			return true;
		}
	}
	return false;
}

bool elf_shape_mapping(const struct elf_shape *shape, uint64_t offset, uint64_t *address)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	/* The last one: where two share a page, the first one's mapping rarely starts there. */
	for (unsigned int i = shape->n_segments; i-- > 0;) {
		const struct elf_segment *s = &shape->segments[i];
		uint64_t start = s->offset & ~(page - 1), before = s->offset - start;

		if (offset >= start && offset - start < s->size + before) {
			*address = s->address - before + (offset - start);
			return true;
		}
	}
	return false;
}
