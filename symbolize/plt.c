// SPDX-License-Identifier: BSD-2-Clause
/*
 * A stub jumps through a word of the global offset table, which a relocation fills with the function's
 * address (x86-64 psABI, "Procedure Linkage Table"). With indirect branch tracking the first stub of
 * two only pushes the number of the relocation. What a linker calls the sections differs, their
 * beginning does not.
 */
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/plt.h"

struct slot {
	uint64_t address; /* of the word */
	const char *name; /* NULL: what the resolver is called */
	uint64_t resolver;
};

/* The words that relocations fill, by address; and those that are filled late, by number. */
struct slots {
	struct slot *all, *late;
	size_t n, n_late;
};

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The name of a symbol that a section of relocations refers to; NULL if there is none. */
static const char *symbol_name(Elf *elf, const GElf_Shdr *relocations, size_t i)
{
	Elf_Scn *scn = elf_getscn(elf, relocations->sh_link);
	Elf_Data *data;
	GElf_Shdr h;
	GElf_Sym sym;

	if (!scn || !gelf_getshdr(scn, &h) || (h.sh_type != SHT_DYNSYM && h.sh_type != SHT_SYMTAB))
		return NULL;
	data = elf_getdata(scn, NULL);
	if (!data || !gelf_getsym(data, (int)i, &sym) || !sym.st_name)
		return NULL;
	return elf_strptr(elf, h.sh_link, sym.st_name);
}

static struct slot read_slot(Elf *elf, const GElf_Shdr *h, Elf_Data *data, size_t i)
{
	struct slot slot = { 0 };
	GElf_Rela r;

	if (!gelf_getrela(data, (int)i, &r))
		return slot;
	switch (GELF_R_TYPE(r.r_info)) {
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
		slot.name = symbol_name(elf, h, GELF_R_SYM(r.r_info));
		break;
	case R_X86_64_IRELATIVE:
		slot.resolver = (uint64_t)r.r_addend;
		break;
	}
	slot.address = r.r_offset;
	return slot;
}

static int read_relocations(Elf *elf, Elf_Scn *scn, const GElf_Shdr *h, bool late, struct slots *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data ? data->d_size / gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT) : 0;
	struct slot *more = reallocarray(s->all, s->n + n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	s->all = more;
	if (late && !s->late) {
		s->late = calloc(n + 1, sizeof(*s->late));
		if (!s->late)
			return -ENOMEM;
		s->n_late = n;
	} else {
		late = false;
	}
	for (size_t i = 0; i < n; i++) {
		struct slot slot = read_slot(elf, h, data, i);

		if (late)
			s->late[i] = slot;
		if (slot.name || slot.resolver)
			s->all[s->n++] = slot;
	}
	return 0;
}

static const char *section_name(Elf *elf, const GElf_Shdr *h)
{
	size_t names;
	const char *name =
		elf_getshdrstrndx(elf, &names) ? NULL : elf_strptr(elf, names, h->sh_name);

	return name ? name : "";
}

static int read_slots(Elf *elf, struct slots *s)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	int err = 0;

	while (!err && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_RELA && h.sh_flags & SHF_ALLOC)
			err = read_relocations(elf, scn, &h,
					       !strcmp(section_name(elf, &h), ".rela.plt"), s);
	if (!err && s->n)
		qsort(s->all, s->n, sizeof(*s->all), by_address);
	return err;
}

static void name_resolvers(struct symbol_table *t, struct slot *slots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!slots[i].name && slots[i].resolver)
			slots[i].name = symbol_table_name_at(t, slots[i].resolver);
}

/* The word that the stub at a place jumps through; NULL if no stub is known to begin there. */
static const struct slot *decode(const struct slots *s, const unsigned char *p,
				 const unsigned char *end, uint64_t address)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct slot key;
	int32_t value;

	if (end - p >= 4 && !memcmp(p, endbr64, 4)) {
		p += 4;
		address += 4;
		if (end - p >= 5 && *p == 0x68) { /* push */
			memcpy(&value, p + 1, 4);
			return (uint32_t)value < s->n_late ? &s->late[value] : NULL;
		}
	}
	if (end - p >= 1 && *p == 0xf2) { /* bnd */
		p++;
		address++;
	}
	if (end - p < 6 || p[0] != 0xff || p[1] != 0x25) /* jmp *value(%rip) */
		return NULL;
	memcpy(&value, p + 2, 4);
	key.address = address + 6 + (uint64_t)(int64_t)value;
	return s->n ? bsearch(&key, s->all, s->n, sizeof(key), by_address) : NULL;
}

/* Stubs are 8 or 16 bytes long; not every linker says which. */
static int add_stubs(struct symbol_table *t, const struct slots *s, const GElf_Shdr *h,
		     const Elf_Data *data)
{
	const unsigned char *p = data->d_buf, *end = p + data->d_size;
	uint64_t address = h->sh_addr;
	int err = 0;

	for (; end - p >= 8 && !err; p += 8, address += 8) {
		const struct slot *slot = decode(s, p, end, address);
		uint64_t size = 16;

		if (!slot || !slot->name)
			continue;
		if (h->sh_entsize == 8 || end - p < 16 || decode(s, p + 8, end, address + 8))
			size = 8;
		err = symbol_table_add_stub(t, address, size, slot->name);
	}
	return err;
}

int plt_add(struct symbol_table *t, Elf *elf)
{
	struct slots s = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr h;
	int err;

	if (!gelf_getehdr(elf, &ehdr) || ehdr.e_machine != EM_X86_64 ||
	    ehdr.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	err = read_slots(elf, &s);
	name_resolvers(t, s.all, s.n);
	name_resolvers(t, s.late, s.n_late);
	while (!err && s.n && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_PROGBITS ||
		    !(h.sh_flags & SHF_EXECINSTR) || strncmp(section_name(elf, &h), ".plt", 4))
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			err = add_stubs(t, &s, &h, data);
	}
	free(s.all);
	free(s.late);
	return err;
}
