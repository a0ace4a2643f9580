// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sections by their names, else by the program header PT_GNU_EH_FRAME, which leads to .eh_frame_hdr
 * and by its first pointer to .eh_frame (Linux Standard Base, core generic part, "Exception Frame
 * Header").
 */
#include <dwarf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "unwind/cfi_private.h"
#include "unwind/go_frames.h"
#include "unwind/object.h"

#define MAX_SECTION (512u << 20) /* bytes, decompressed */
#define COMPRESS_ZSTD 2 /* ELFCOMPRESS_ZSTD; not in Debian 12's elf.h */

struct file {
	int fd;
	uint64_t size;
	Elf *elf;
};

/* Reads exactly size bytes into new memory; nothing is reserved beyond the file's size. */
static int read_bytes(const struct file *f, uint64_t offset, uint64_t size, uint8_t **bytes)
{
	uint8_t *buf;
	size_t done = 0;

	if (offset > f->size || size > f->size - offset)
		return -ENOEXEC;
	if (size > MAX_SECTION)
		return -EFBIG;
	buf = malloc(size ? size : 1);
	if (!buf)
		return -ENOMEM;
	while (done < size) {
		ssize_t got = pread(f->fd, buf + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			int err = got ? errno : 0;

			free(buf);
			return err ? -err : -ENOEXEC;
		}
		done += (size_t)got;
	}
	*bytes = buf;
	return 0;
}

static bool inflate_into(uint8_t *out, size_t size, const uint8_t *in, size_t in_size,
			 uint32_t type)
{
	uLongf zlib_size = size;

	if (type == ELFCOMPRESS_ZLIB)
		return uncompress(out, &zlib_size, in, in_size) == Z_OK && zlib_size == size;
	if (type == COMPRESS_ZSTD)
		return ZSTD_decompress(out, size, in, in_size) == size;
	return false;
}

/* Replaces a compressed section's bytes by what they stand for. */
static int decompress(struct cfi_section *s)
{
	Elf64_Chdr head;
	uint8_t *out;

	if (s->size < sizeof(head))
		return -ENOEXEC;
	memcpy(&head, s->data, sizeof(head));
	if (head.ch_size > MAX_SECTION)
		return -EFBIG;
	out = malloc(head.ch_size ? head.ch_size : 1);
	if (!out)
		return -ENOMEM;
	if (!inflate_into(out, head.ch_size, s->data + sizeof(head), s->size - sizeof(head),
			  head.ch_type)) {
		free(out);
		return -ENOEXEC;
	}
	free((void *)s->data);
	s->data = out;
	s->size = head.ch_size;
	return 0;
}

static int read_section(const struct file *f, const GElf_Shdr *shdr, struct cfi_section *s)
{
	uint8_t *bytes = NULL;
	int err;

	if (s->data || shdr->sh_type == SHT_NOBITS || !shdr->sh_size)
		return 0;
	err = read_bytes(f, shdr->sh_offset, shdr->sh_size, &bytes);
	if (err)
		return err;
	s->data = bytes;
	s->size = shdr->sh_size;
	s->address = shdr->sh_flags & SHF_ALLOC ? shdr->sh_addr : 0;
	return shdr->sh_flags & SHF_COMPRESSED ? decompress(s) : 0;
}

/* Damage in one section leaves the other; only lack of memory and read errors end the work. */
static int forgive(struct cfi_section *s, int err)
{
	if (err != -ENOEXEC && err != -EFBIG)
		return err;
	free((void *)s->data);
	s->data = NULL;
	return 0;
}

static int read_sections(const struct file *f, struct unwind_object *o)
{
	Elf_Scn *scn = NULL;
	size_t names;
	int err = 0;

	if (elf_getshdrstrndx(f->elf, &names))
		return 0;
	while (!err && (scn = elf_nextscn(f->elf, scn)) != NULL) {
		GElf_Shdr shdr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		name = elf_strptr(f->elf, names, shdr.sh_name);
		if (!name)
			continue;
		if (!strcmp(name, ".eh_frame") && shdr.sh_flags & SHF_ALLOC)
			err = forgive(&o->eh, read_section(f, &shdr, &o->eh));
		else if (!strcmp(name, ".debug_frame"))
			err = forgive(&o->debug, read_section(f, &shdr, &o->debug));
		else if (!strcmp(name, ".text"))
			o->eh.text = shdr.sh_addr;
		else if (!strcmp(name, ".got"))
			o->eh.got = shdr.sh_addr;
	}
	return err;
}

/* The file's bytes from an address to the end of the segment that holds it. */
static bool find_bytes(const struct file *f, uint64_t address, uint64_t *offset, uint64_t *size)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
			continue;
		*offset = p.p_offset + (address - p.p_vaddr);
		*size = p.p_filesz - (address - p.p_vaddr);
		if (*offset >= f->size)
			return false;
		if (*size > f->size - *offset)
			*size = f->size - *offset;
		return true;
	}
	return false;
}

/* Reads .eh_frame where only the address of .eh_frame_hdr is known. */
static int read_behind_header(const struct file *f, uint64_t address, struct cfi_section *s)
{
	uint64_t offset, size;
	struct cfi_section head = { .address = address, .size = 12 };
	struct cursor c;
	uint8_t *bytes;
	int err;

	if (!find_bytes(f, address, &offset, &size) || size < head.size)
		return 0;
	err = read_bytes(f, offset, head.size, &bytes);
	if (err)
		return err;
	head.data = bytes;
	c = (struct cursor){ .p = bytes + 4, .end = bytes + head.size };
	address = bytes[0] == 1 ? cfi_pointer(&head, &c, bytes[1]) : 0;
	free(bytes);
	if (!address || c.bad || !find_bytes(f, address, &offset, &size))
		return 0;
	err = read_bytes(f, offset, size, &bytes);
	if (err)
		return err;
	s->data = bytes;
	s->size = size;
	s->address = address;
	s->open_ended = true;
	return 0;
}

static void add_code(struct unwind_object *o, const GElf_Phdr *p, uint64_t file_size)
{
	uint64_t size = p->p_filesz, end;
	size_t at = o->n_code;

	if (p->p_offset >= file_size || o->n_code == UNWIND_SEGMENTS)
		return;
	if (size > file_size - p->p_offset)
		size = file_size - p->p_offset;
	if (__builtin_add_overflow(p->p_vaddr, size, &end) || !size)
		return;
	while (at && o->code[at - 1].start > p->p_vaddr)
		at--;
	if ((at && o->code[at - 1].end > p->p_vaddr) || (at < o->n_code && o->code[at].start < end))
		return;
	memmove(&o->code[at + 1], &o->code[at], (o->n_code - at) * sizeof(*o->code));
	o->code[at] = (struct cfi_range){ .start = p->p_vaddr, .end = end };
	o->n_code++;
}

static int read_segments(const struct file *f, struct unwind_object *o, uint64_t *header)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n))
		return -ENOEXEC;
	*header = 0;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(f->elf, (int)i, &p))
			return -ENOEXEC;
		if (p.p_type == PT_LOAD && p.p_flags & PF_X)
			add_code(o, &p, f->size);
		else if (p.p_type == PT_GNU_EH_FRAME)
			*header = p.p_vaddr;
	}
	return 0;
}

/* A Go program without debugging information: its runtime has the same of its own. */
static int read_go(int fd, struct cfi_section *s)
{
	struct gopclntab *table;
	int err = gopclntab_read(fd, &table);

	if (!err) {
		err = unwind_go_frames(table, s);
		gopclntab_free(table);
	}
	return err == -ENOMEM ? err : 0;
}

static int read_all(const struct file *f, struct unwind_object *o)
{
	uint64_t header;
	GElf_Ehdr ehdr;
	int err;

	if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &ehdr) ||
	    ehdr.e_ident[EI_CLASS] != ELFCLASS64 || ehdr.e_machine != EM_X86_64 ||
	    ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOEXEC;
	err = read_segments(f, o, &header);
	if (err)
		return err;
	if (!o->n_code)
		return -ENODATA;
	err = read_sections(f, o);
	if (!err && !o->eh.data && header)
		err = forgive(&o->eh, read_behind_header(f, header, &o->eh));
	if (!err && !o->debug.data)
		err = read_go(f->fd, &o->debug);
	o->eh.eh = true;
	return err;
}

int unwind_object_read(int fd, struct unwind_object *object)
{
	struct unwind_object o = { 0 };
	struct file f = { .fd = fd };
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	f.size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	f.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!f.elf)
		return -ENOEXEC;
	err = read_all(&f, &o);
	elf_end(f.elf);
	if (err)
		unwind_object_clear(&o);
	else
		*object = o;
	return err;
}

void unwind_object_clear(struct unwind_object *o)
{
	free((void *)o->eh.data);
	free((void *)o->debug.data);
	o->eh.data = o->debug.data = NULL;
}
