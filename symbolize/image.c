// SPDX-License-Identifier: BSD-2-Clause
/*
 * Files come from the profiled side, so they are neither mapped (one that is truncated under the
 * mapping would kill the profiler) nor given to libelf and libdw as they are: those trust that strings
 * end inside their section. The image is anonymous memory of the file's size in which only the wanted
 * sections are filled in, at their places, followed by the decompressed ones and by zeros, so that
 * reading on behind a section stays inside and comes to an end. Untouched pages cost nothing, and of
 * large sections only what is touched is read; those that must be decompressed first lie in a file without a
 * name meanwhile.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/elf_read.h"
#include "symbolize/expand.h"
#include "symbolize/image.h"
#include "symbolize/paged.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define PADDING (64 * 1024)
#define MAX_SECTIONS (256 * 1024)
#define MAX_SPLIT (2ULL << 30) /* bytes of split debug data, decompressed */
/* The most that zlib can gain; zstd can more, but on debug data it gains less than 100. */
#define MAX_RATIO 1032
/* "ZLIB" and the size, most significant byte first, before the data of a .zdebug section. */
#define GNU_HEADER 12
/* From here on sections are read as they are touched, and decompressed into a file. */
#define LARGE (1u << 20)
#define LARGE_EXPANDED (16u << 20)
#define SCRATCH "/var/tmp"
#define MAX_PARTS 16

/* What is read as it is touched, and the file that it is in. */
struct part {
	struct paged *paged;
	int fd;
};

struct image {
	struct part parts[MAX_PARTS];
	unsigned int n_parts;
	unsigned char *bytes;
	size_t size; /* of the mapping */
	uint64_t file_size;
	uint64_t end; /* of what is in use, behind the file and the sections decompressed so far */
	Elf *elf;
	bool is_split;

	struct elf_header header;
	uint64_t names_at, names_size; /* of the sections */
};

/* How a section's contents are stored. */
struct compression {
	unsigned int type; /* 0: not compressed */
	struct compressed data;
};

static bool is_inside(const struct image *m, uint64_t offset, uint64_t size)
{
	return offset <= m->file_size && size <= m->file_size - offset;
}

/* Copies a part of the file to its place in the image. */
static int fill(struct image *m, int fd, uint64_t offset, uint64_t size)
{
	return is_inside(m, offset, size) ? elf_read_at(fd, m->bytes + offset, size, offset)
					  : -ENOEXEC;
}

/* Has whole chunks at a place of the image read from a file when they are touched. Takes over fd. */
static int add_part(struct image *m, uint64_t at, uint64_t size, int fd, uint64_t offset)
{
	struct part *part = &m->parts[m->n_parts];
	int err = m->n_parts == MAX_PARTS ? -EMFILE : 0;

	if (!err)
		err = paged_new(m->bytes + at, size, fd, offset, &part->paged);
	if (err) {
		close(fd);
		return err;
	}
	part->fd = fd;
	m->n_parts++;
	return 0;
}

/* Whether a part of the file has what was changed in the image since it was read: the headers, the names. */
static bool has_changed(const struct image *m, uint64_t offset, uint64_t size)
{
	uint64_t headers = m->header.shnum * elf_section_size(m->header.is_64);

	return (offset < m->header.shoff + headers && m->header.shoff < offset + size) ||
	       (offset < m->names_at + m->names_size && m->names_at < offset + size);
}

/* The same as fill, of what may be large: pages inside are left for later. */
static int fill_section(struct image *m, int fd, uint64_t offset, uint64_t size)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t first = (offset + page - 1) / page * page, later;
	int copy, err;

	if (!is_inside(m, offset, size) || size < LARGE || has_changed(m, offset, size))
		return fill(m, fd, offset, size);
	later = (offset + size - first) / PAGED_CHUNK * PAGED_CHUNK;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0 || add_part(m, first, later, copy, first))
		return fill(m, fd, offset, size);
	err = fill(m, fd, offset, first - offset);
	if (!err)
		err = fill(m, fd, first + later, offset + size - first - later);
	return err;
}

static Elf64_Shdr get_header(const struct image *m, uint32_t i)
{
	return elf_section_at(m->bytes + m->header.shoff, i, m->header.is_64);
}

/* Changes what differs between a section in the file and in the image. */
static void set_header(struct image *m, uint32_t i, const Elf64_Shdr *h)
{
	unsigned char *at = m->bytes + m->header.shoff + i * elf_section_size(m->header.is_64);
	Elf32_Shdr s;

	if (m->header.is_64) {
		memcpy(at, h, sizeof(*h));
		return;
	}
	memcpy(&s, at, sizeof(s));
	s.sh_type = h->sh_type;
	s.sh_flags = (Elf32_Word)h->sh_flags;
	s.sh_offset = (Elf32_Off)h->sh_offset;
	s.sh_size = (Elf32_Word)h->sh_size;
	s.sh_addralign = (Elf32_Word)h->sh_addralign;
	memcpy(at, &s, sizeof(s));
}

/* A section's name in the image, "" if it has none. */
static char *name_of(const struct image *m, const Elf64_Shdr *h)
{
	static char none[1];

	return h->sh_name < m->names_size ? (char *)m->bytes + m->names_at + h->sh_name : none;
}

/* As sections were compressed before there was a flag for it. */
static bool is_zdebug(const char *name)
{
	return !strncmp(name, ".zdebug_", 8);
}

static bool is_debug(const char *name)
{
	return !strncmp(name, ".debug_", 7) || is_zdebug(name);
}

/* The debug sections that functions and lines are read from; locations and macros are large. */
static bool is_used(const char *name)
{
	static const char *const used[] = {
		"info",	  "abbrev",   "line", "str",	     "line_str",
		"ranges", "rnglists", "addr", "str_offsets", "aranges",
	};

	name += is_zdebug(name) ? 8 : 7;
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		if (!strcmp(name, used[i]))
			return true;
	return false;
}

/* The same in files of split debug data. */
static bool is_used_split(const char *name)
{
	static const char *const used[] = {
		"info.dwo",	   "abbrev.dwo",   "line.dwo", "str.dwo",
		"str_offsets.dwo", "rnglists.dwo", "cu_index",
	};

	name += is_zdebug(name) ? 8 : 7;
	for (size_t i = 0; i < sizeof(used) / sizeof(used[0]); i++)
		if (!strcmp(name, used[i]))
			return true;
	return false;
}

/* What the stubs' names are found by. */
static bool is_of_stubs(const char *name, const Elf64_Shdr *h)
{
	return (h->sh_flags & SHF_EXECINSTR && !strncmp(name, ".plt", 4)) ||
	       (h->sh_flags & SHF_ALLOC && h->sh_type == SHT_RELA);
}

static bool is_wanted(const struct image *m, const char *name, const Elf64_Shdr *h)
{
	if (m->is_split)
		return is_debug(name) && h->sh_type != SHT_NOBITS && is_used_split(name);
	switch (h->sh_type) {
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
	case SHT_SYMTAB_SHNDX:
		return true;
	case SHT_NOBITS:
	case SHT_NULL:
		return false;
	default:
		if (is_debug(name))
			return is_used(name);
		return !strncmp(name, ".gnu_debug", 10) || !strcmp(name, ".eh_frame_hdr") ||
		       is_of_stubs(name, h);
	}
}

static int read_compression(const struct image *m, int fd, const char *name, const Elf64_Shdr *h,
			    struct compression *c)
{
	unsigned char gnu[GNU_HEADER];
	uint64_t header = 0;
	Elf64_Chdr c64;
	Elf32_Chdr c32;
	int err;

	*c = (struct compression){ 0 };
	if (h->sh_flags & SHF_COMPRESSED) {
		header = m->header.is_64 ? sizeof(c64) : sizeof(c32);
		if (h->sh_size < header)
			return -ENOEXEC;
		err = elf_read_at(fd, m->header.is_64 ? (void *)&c64 : (void *)&c32, header,
				  h->sh_offset);
		if (err)
			return err;
		c->type = m->header.is_64 ? c64.ch_type : c32.ch_type;
		c->data.full_size = m->header.is_64 ? c64.ch_size : c32.ch_size;
	} else if (!strncmp(name, ".zdebug_", 8) && h->sh_size > GNU_HEADER) {
		header = GNU_HEADER;
		err = elf_read_at(fd, gnu, header, h->sh_offset);
		if (err)
			return err;
		c->type = memcmp(gnu, "ZLIB", 4) ? 0 : ELFCOMPRESS_ZLIB;
		for (int i = 4; i < GNU_HEADER; i++)
			c->data.full_size = c->data.full_size << 8 | gnu[i];
	}
	if (!c->type)
		return 0;
	c->data.fd = fd;
	c->data.at = h->sh_offset + header;
	c->data.size = h->sh_size - header;
	c->data.zstd = c->type == ELFCOMPRESS_ZSTD;
	if (c->type != ELFCOMPRESS_ZLIB && c->type != ELFCOMPRESS_ZSTD)
		return -ENOEXEC;
	return c->data.full_size / MAX_RATIO > c->data.size + 1 ? -ENOEXEC : 0;
}

/* The room that a section takes behind the file: one in a file of its own takes whole chunks. */
static uint64_t room_of(const struct compressed *c)
{
	if (c->full_size >= LARGE_EXPANDED)
		return (c->full_size / PAGED_CHUNK + 2) * PAGED_CHUNK;
	return (c->full_size + 15) & ~(uint64_t)15;
}

static bool expand_into_file(struct image *m, const struct compressed *c, uint64_t at)
{
	int fd = open(SCRATCH, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	if (!expand_to_file(c, fd)) {
		close(fd);
		return false;
	}
	return !add_part(m, at, (c->full_size + PAGED_CHUNK - 1) / PAGED_CHUNK * PAGED_CHUNK, fd,
			 0);
}

/* Decompresses a section to the end of the image. */
static bool expand(struct image *m, const struct compressed *c, uint64_t *at)
{
	*at = m->end;
	if (c->full_size >= LARGE_EXPANDED) {
		*at = (m->end + PAGED_CHUNK - 1) / PAGED_CHUNK * PAGED_CHUNK;
		if (expand_into_file(m, c, *at))
			return true;
	}
	return expand_to_memory(c, m->bytes + *at);
}

/* A section that cannot be had is made one without contents, which libdw passes over. */
static void drop_section(struct image *m, uint32_t i, Elf64_Shdr *h)
{
	h->sh_type = SHT_NOBITS;
	h->sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	set_header(m, i, h);
}

/* Reads one section, and writes it anew behind the file if it is compressed. */
static int load_section(struct image *m, int fd, uint32_t i)
{
	Elf64_Shdr h = get_header(m, i);
	char *name = name_of(m, &h);
	struct compression c;
	uint64_t at;
	int err;

	if (i == m->header.shstrndx) /* is there, with names changed since */
		return 0;
	if (!is_wanted(m, name, &h)) {
		if (is_debug(name))
			drop_section(m, i, &h);
		return 0;
	}
	err = is_inside(m, h.sh_offset, h.sh_size) ? read_compression(m, fd, name, &h, &c)
						   : -ENOEXEC;
	if (!err && !c.type)
		err = fill_section(m, fd, h.sh_offset, h.sh_size);
	/* the room was measured before; the file may have changed since */
	if (!err && c.type && room_of(&c.data) > m->size - PADDING - m->end)
		err = -ENOEXEC;
	if (err == -ENOEXEC || (!err && c.type && !expand(m, &c.data, &at))) {
		drop_section(m, i, &h);
		return 0;
	}
	if (err || !c.type)
		return err;
	h.sh_offset = at;
	h.sh_size = c.data.full_size;
	h.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	h.sh_addralign = 1;
	set_header(m, i, &h);
	m->end += room_of(&c.data);
	if (is_zdebug(name)) /* it is one character shorter now */
		memmove(name + 1, name + 2, strlen(name + 2) + 1);
	return 0;
}

/* Gets the section headers and their names; a file without any is an image without sections. */
static int load_headers(struct image *m, int fd)
{
	struct elf_header *h = &m->header;
	size_t entry = elf_section_size(h->is_64);
	Elf64_Shdr names;
	int err = fill(m, fd, 0, h->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));

	if (err)
		return err;
	if (!h->shoff || h->shentsize != entry || h->shnum > MAX_SECTIONS ||
	    !is_inside(m, h->shoff, h->shnum * entry))
		h->shnum = 0;
	if (!h->shnum)
		return 0;
	err = fill(m, fd, h->shoff, h->shnum * entry);
	if (err || h->shstrndx >= h->shnum)
		return err;
	names = get_header(m, h->shstrndx);
	if (!is_inside(m, names.sh_offset, names.sh_size))
		return 0;
	m->names_at = names.sh_offset;
	m->names_size = names.sh_size;
	return fill(m, fd, m->names_at, m->names_size);
}

/* Makes room for what will be decompressed. Sections that overlap without end are refused. */
static int make_room(struct image *m, int fd)
{
	uint64_t room = 0, wanted = 0;
	void *bytes;

	for (uint32_t i = 0; i < m->header.shnum; i++) {
		Elf64_Shdr h = get_header(m, i);
		const char *name = name_of(m, &h);
		struct compression c;

		if (!is_wanted(m, name, &h) || !is_inside(m, h.sh_offset, h.sh_size))
			continue;
		wanted += h.sh_size;
		if (!read_compression(m, fd, name, &h, &c) && c.type)
			room += room_of(&c.data);
		if (wanted > 2 * m->file_size || room > INT64_MAX / 4)
			return -ENOEXEC;
		if (m->is_split && wanted + room > MAX_SPLIT)
			return -EFBIG;
	}
	if (!room)
		return 0;
	bytes = mremap(m->bytes, m->size, m->size + room, MREMAP_MAYMOVE);
	if (bytes == MAP_FAILED)
		return -ENOMEM;
	m->bytes = bytes;
	m->size += room;
	return 0;
}

static int load(struct image *m, int fd)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	m->file_size = (uint64_t)st.st_size;
	err = elf_read_header(fd, &m->header);
	if (err)
		return err;
	if (m->file_size > INT64_MAX / 4)
		return -EFBIG;
	m->end = (m->file_size + 15) & ~(uint64_t)15;
	m->size = m->end + PADDING;
	m->bytes = mmap(NULL, m->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->bytes == MAP_FAILED) {
		m->bytes = NULL;
		return -EFBIG;
	}
	err = load_headers(m, fd);
	if (!err)
		err = make_room(m, fd);
	for (uint32_t i = 1; i < m->header.shnum && !err; i++)
		err = load_section(m, fd, i);
	if (err)
		return err;
	m->elf = elf_memory((char *)m->bytes, m->end);
	return m->elf && elf_kind(m->elf) == ELF_K_ELF ? 0 : -ENOEXEC;
}

static int load_new(int fd, bool is_split, struct image **image)
{
	struct image *m = calloc(1, sizeof(*m));
	int err = -ENOMEM;

	if (m) {
		m->is_split = is_split;
		err = load(m, fd);
	}
	if (err) {
		image_free(m);
		return err;
	}
	*image = m;
	return 0;
}

int image_load(int fd, struct image **image)
{
	return load_new(fd, false, image);
}

int image_load_split(int fd, struct image **image)
{
	return load_new(fd, true, image);
}

void image_free(struct image *m)
{
	if (!m)
		return;
	elf_end(m->elf);
	for (unsigned int i = 0; i < m->n_parts; i++) {
		paged_free(m->parts[i].paged);
		close(m->parts[i].fd);
	}
	if (m->bytes)
		munmap(m->bytes, m->size);
	free(m);
}

Elf *image_elf(const struct image *m)
{
	return m->elf;
}
