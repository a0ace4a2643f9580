// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "symbolize/elf_read.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_ELFDATA ELFDATA2LSB
#else
#define NATIVE_ELFDATA ELFDATA2MSB
#endif

int elf_read_at(int fd, void *buf, uint64_t size, uint64_t offset)
{
	uint64_t done = 0;

	if (offset > INT64_MAX || size > INT64_MAX - offset)
		return -ENOEXEC;
	while (done < size) {
		ssize_t got = pread(fd, (char *)buf + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ENOEXEC;
		done += (uint64_t)got;
	}
	return 0;
}

size_t elf_section_size(bool is_64)
{
	return is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

Elf64_Shdr elf_section_at(const void *table, size_t i, bool is_64)
{
	const char *at = (const char *)table + i * elf_section_size(is_64);
	Elf64_Shdr h;
	Elf32_Shdr s;

	if (is_64) {
		memcpy(&h, at, sizeof(h));
		return h;
	}
	memcpy(&s, at, sizeof(s));
	return (Elf64_Shdr){
		.sh_name = s.sh_name,
		.sh_type = s.sh_type,
		.sh_flags = s.sh_flags,
		.sh_addr = s.sh_addr,
		.sh_offset = s.sh_offset,
		.sh_size = s.sh_size,
		.sh_link = s.sh_link,
		.sh_info = s.sh_info,
		.sh_addralign = s.sh_addralign,
		.sh_entsize = s.sh_entsize,
	};
}

static void read_extended_numbers(int fd, struct elf_header *h)
{
	unsigned char raw[sizeof(Elf64_Shdr)];
	Elf64_Shdr first;

	if (!h->shoff || (h->shnum && h->phnum != PN_XNUM && h->shstrndx != SHN_XINDEX))
		return;
	if (elf_read_at(fd, raw, elf_section_size(h->is_64), h->shoff))
		return;
	first = elf_section_at(raw, 0, h->is_64);
	if (!h->shnum)
		h->shnum = first.sh_size > UINT32_MAX ? 0 : (uint32_t)first.sh_size;
	if (h->phnum == PN_XNUM)
		h->phnum = first.sh_info;
	if (h->shstrndx == SHN_XINDEX)
		h->shstrndx = first.sh_link;
}

int elf_read_header(int fd, struct elf_header *h)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} e = { 0 };
	int err = elf_read_at(fd, e.ident, EI_NIDENT, 0);
	bool is_64;

	if (err)
		return err;
	if (memcmp(e.ident, ELFMAG, SELFMAG) || e.ident[EI_DATA] != NATIVE_ELFDATA ||
	    (e.ident[EI_CLASS] != ELFCLASS64 && e.ident[EI_CLASS] != ELFCLASS32))
		return -ENOEXEC;
	is_64 = e.ident[EI_CLASS] == ELFCLASS64;
	err = elf_read_at(fd, &e, is_64 ? sizeof(e.e64) : sizeof(e.e32), 0);
	if (err)
		return err;
#define TAKE(field) (is_64 ? e.e64.field : e.e32.field)
	*h = (struct elf_header){
		.is_64 = is_64,
		.machine = TAKE(e_machine),
		.phoff = TAKE(e_phoff),
		.shoff = TAKE(e_shoff),
		.phnum = TAKE(e_phnum),
		.shnum = TAKE(e_shnum),
		.shstrndx = TAKE(e_shstrndx),
		.phentsize = TAKE(e_phentsize),
		.shentsize = TAKE(e_shentsize),
	};
#undef TAKE
	read_extended_numbers(fd, h);
	return 0;
}
