/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes call frame information by hand, alone or in an ELF file, for tests of unwind tables. */
#ifndef PROFBPF_TEST_UNWIND_ELF_H
#define PROFBPF_TEST_UNWIND_ELF_H

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* --- bytes --- */

struct bytes {
	uint8_t *data;
	size_t size, room;
};

static inline void put(struct bytes *b, const void *data, size_t size)
{
	if (b->size + size > b->room) {
		b->room = 2 * (b->size + size);
		b->data = realloc(b->data, b->room);
		if (!b->data)
			abort();
	}
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

static inline void put_fixed(struct bytes *b, uint64_t v, unsigned int size)
{
	put(b, &v, size);
}

static inline void put_u8(struct bytes *b, uint8_t v)
{
	put(b, &v, 1);
}

static inline void put_uleb(struct bytes *b, uint64_t v)
{
	do {
		put_u8(b, (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
		v >>= 7;
	} while (v);
}

static inline void put_sleb(struct bytes *b, int64_t v)
{
	bool more = true;

	while (more) {
		uint8_t byte = v & 0x7f;

		v >>= 7;
		more = !((v == 0 && !(byte & 0x40)) || (v == -1 && byte & 0x40));
		put_u8(b, byte | (more ? 0x80 : 0));
	}
}

static inline void free_bytes(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

/* --- entries --- */

struct cie_plan {
	bool debug, wide; /* .debug_frame's format; 64-bit lengths */
	uint8_t version; /* 0: 1 */
	const char *augmentation; /* NULL: "zR" in .eh_frame, else "" */
	uint8_t encoding; /* of addresses, for R; DW_EH_PE_absptr is 0 */
	uint8_t address_size; /* of version 4; 0: 8 */
	const void *data; /* augmentation data instead of the encoding */
	size_t data_size;
	uint64_t code_align; /* 0: 1 */
	int64_t data_align; /* 0: -8 */
	const void *program; /* NULL: CFA = rsp + 8, return address at CFA - 8 */
	size_t program_size;
};

/* Begins an entry; returns what end_entry needs. */
static inline size_t begin_entry(struct bytes *b, bool wide)
{
	if (wide)
		put_fixed(b, 0xffffffff, 4);
	put_fixed(b, 0, wide ? 8 : 4);
	return b->size;
}

static inline void end_entry(struct bytes *b, size_t start, bool wide)
{
	uint64_t length;

	while ((b->size - start) % 8 != 4)
		put_u8(b, DW_CFA_nop);
	length = b->size - start;
	memcpy(b->data + start - (wide ? 8 : 4), &length, wide ? 8 : 4);
}

/* Returns the CIE's offset. */
static inline size_t put_cie(struct bytes *b, const struct cie_plan *p)
{
	static const uint8_t usual[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1 };
	const char *augmentation = p->augmentation ? p->augmentation : p->debug ? "" : "zR";
	uint8_t version = p->version ? p->version : 1;
	size_t offset = b->size, start = begin_entry(b, p->wide);

	put_fixed(b, p->debug ? UINT64_MAX : 0, p->debug && p->wide ? 8 : 4);
	put_u8(b, version);
	put(b, augmentation, strlen(augmentation) + 1);
	if (version == 4) {
		put_u8(b, p->address_size ? p->address_size : 8);
		put_u8(b, 0);
	}
	put_uleb(b, p->code_align ? p->code_align : 1);
	put_sleb(b, p->data_align ? p->data_align : -8);
	put_u8(b, 16); /* the same as a byte and as ULEB128 */
	if (*augmentation == 'z') {
		put_uleb(b, p->data ? p->data_size : strchr(augmentation, 'R') != NULL);
		if (p->data)
			put(b, p->data, p->data_size);
		else if (strchr(augmentation, 'R'))
			put_u8(b, p->encoding);
	}
	put(b, p->program ? p->program : usual, p->program ? p->program_size : sizeof(usual));
	end_entry(b, start, p->wide);
	return offset;
}

/* An FDE with absolute 8-byte addresses. */
static inline void put_fde(struct bytes *b, const struct cie_plan *p, size_t cie, uint64_t address,
			   uint64_t size, const void *program, size_t program_size)
{
	const char *augmentation = p->augmentation ? p->augmentation : p->debug ? "" : "zR";
	size_t start = begin_entry(b, p->wide);

	put_fixed(b, p->debug ? cie : start - cie, p->debug && p->wide ? 8 : 4);
	put_fixed(b, address, 8);
	put_fixed(b, size, 8);
	if (*augmentation == 'z')
		put_uleb(b, 0);
	put(b, program, program_size);
	end_entry(b, start, p->wide);
}

/* --- files --- */

enum elf_compression { PLAIN, ZLIB, ZSTANDARD };

struct elf_plan {
	struct {
		uint64_t address, size;
	} code[2];
	const struct bytes *eh, *debug; /* may be NULL */
	uint64_t eh_address;
	enum elf_compression compression; /* of .debug_frame */
	bool no_sections; /* the section headers are cut off */
};

#define EH_HEADER_SIZE 12

static inline void put_compressed(struct bytes *b, const struct bytes *raw,
				  enum elf_compression how)
{
	Elf64_Chdr head = { .ch_type = how == ZLIB ? ELFCOMPRESS_ZLIB : 2,
			    .ch_size = raw->size,
			    .ch_addralign = 1 };
	uLongf room = compressBound(raw->size) + ZSTD_compressBound(raw->size);
	uint8_t *out = malloc(room);
	size_t size;

	if (!out)
		abort();
	if (how == ZLIB && compress(out, &room, raw->data, raw->size) != Z_OK)
		abort();
	size = how == ZLIB ? room : ZSTD_compress(out, room, raw->data, raw->size, 3);
	if (ZSTD_isError(size))
		abort();
	put(b, &head, sizeof(head));
	put(b, out, size);
	free(out);
}

/* .eh_frame_hdr without a search table, followed by .eh_frame at eh_address. */
static inline void put_eh_header(struct bytes *b, const struct elf_plan *p)
{
	put_u8(b, 1);
	put_u8(b, DW_EH_PE_absptr | DW_EH_PE_udata8);
	put_u8(b, DW_EH_PE_omit);
	put_u8(b, DW_EH_PE_omit);
	put_fixed(b, p->eh_address, 8);
}

/* An open file without a name. */
static inline int make_elf(const struct elf_plan *p)
{
	static const char names[] = "\0.eh_frame\0.debug_frame\0.shstrtab";
	Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				      EV_CURRENT },
			 .e_type = ET_DYN,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_ehsize = sizeof(e),
			 .e_phoff = sizeof(e),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = 4,
			 .e_shentsize = sizeof(Elf64_Shdr) };
	Elf64_Phdr ph[4] = { { .p_type = PT_NULL },
			     { .p_type = PT_NULL },
			     { .p_type = PT_NULL },
			     { .p_type = PT_NULL } };
	Elf64_Shdr sh[4] = { { 0 } };
	struct bytes b = { 0 };
	unsigned int n = 1;
	int fd;

	put(&b, &e, sizeof(e));
	put(&b, ph, sizeof(ph));
	for (unsigned int i = 0; i < 2; i++) {
		if (!p->code[i].size)
			continue;
		ph[i] = (Elf64_Phdr){ .p_type = PT_LOAD,
				      .p_flags = PF_R | PF_X,
				      .p_offset = b.size,
				      .p_vaddr = p->code[i].address,
				      .p_filesz = p->code[i].size,
				      .p_memsz = p->code[i].size };
		while (b.size < ph[i].p_offset + p->code[i].size)
			put_u8(&b, 0x90);
	}
	if (p->eh) {
		uint64_t at = b.size, size = EH_HEADER_SIZE + p->eh->size;

		put_eh_header(&b, p);
		put(&b, p->eh->data, p->eh->size);
		ph[2] = (Elf64_Phdr){ .p_type = PT_LOAD,
				      .p_flags = PF_R,
				      .p_offset = at,
				      .p_vaddr = p->eh_address - EH_HEADER_SIZE,
				      .p_filesz = size,
				      .p_memsz = size };
		ph[3] = ph[2];
		ph[3].p_type = PT_GNU_EH_FRAME;
		sh[n++] = (Elf64_Shdr){ .sh_name = 1,
					.sh_type = SHT_PROGBITS,
					.sh_flags = SHF_ALLOC,
					.sh_addr = p->eh_address,
					.sh_offset = at + EH_HEADER_SIZE,
					.sh_size = p->eh->size,
					.sh_addralign = 1 };
	}
	if (p->debug) {
		uint64_t at = b.size;

		if (p->compression)
			put_compressed(&b, p->debug, p->compression);
		else
			put(&b, p->debug->data, p->debug->size);
		sh[n++] = (Elf64_Shdr){ .sh_name = 11,
					.sh_type = SHT_PROGBITS,
					.sh_flags = p->compression ? SHF_COMPRESSED : 0,
					.sh_offset = at,
					.sh_size = b.size - at,
					.sh_addralign = 1 };
	}
	sh[n] = (Elf64_Shdr){ .sh_name = 24,
			      .sh_type = SHT_STRTAB,
			      .sh_offset = b.size,
			      .sh_size = sizeof(names),
			      .sh_addralign = 1 };
	put(&b, names, sizeof(names));
	while (b.size % 8)
		put_u8(&b, 0);
	if (!p->no_sections) {
		e.e_shoff = b.size;
		e.e_shstrndx = (uint16_t)n;
		e.e_shnum = (uint16_t)(n + 1);
		put(&b, sh, (n + 1) * sizeof(*sh));
	}
	memcpy(b.data, &e, sizeof(e));
	memcpy(b.data + sizeof(e), ph, sizeof(ph));
	fd = memfd_create("elf", MFD_CLOEXEC);
	if (fd < 0 || write(fd, b.data, b.size) != (ssize_t)b.size)
		abort();
	free_bytes(&b);
	return fd;
}

#endif
