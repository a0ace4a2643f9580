// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names as Go's linker writes them (src/runtime/asm_amd64.s, sys_linux_amd64.s). Assembly functions
 * carry the suffix .abi0 since Go 1.17; where a name is there with and without it, the one without is
 * a wrapper of the other.
 */
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "unwind/go_marks.h"

#define PREFIX "runtime."
#define SUFFIX ".abi0"

static const char *const names[UNWIND_GO_MARKS] = {
	[UNWIND_GO_SYSTEMSTACK] = "systemstack",
	[UNWIND_GO_SYSTEMSTACK_SWITCH] = "systemstack_switch",
	[UNWIND_GO_ASMCGOCALL] = "asmcgocall",
	[UNWIND_GO_MCALL] = "mcall",
	[UNWIND_GO_MORESTACK] = "morestack",
	[UNWIND_GO_GOGO] = "gogo",
	[UNWIND_GO_CGOCALLBACK] = "cgocallback",
	[UNWIND_GO_GOEXIT] = "goexit",
	[UNWIND_GO_RT0_GO] = "rt0_go",
	[UNWIND_GO_MSTART] = "mstart",
	[UNWIND_GO_SIGTRAMP] = "sigtramp",
	[UNWIND_GO_CGO_SIGTRAMP] = "cgoSigtramp",
	[UNWIND_GO_SIGRETURN] = "sigreturn__sigaction",
	[UNWIND_GO_TEXT] = "text",
	[UNWIND_GO_ETEXT] = "etext",
};

/* The mark that a symbol's name without the prefix stands for, or -1. */
static int find_mark(const char *name, bool *abi0)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	*abi0 = len > suffix && !strcmp(name + len - suffix, SUFFIX);
	if (*abi0)
		len -= suffix;
	if (len == strlen("sigreturn") && !strncmp(name, "sigreturn", len)) /* before Go 1.18 */
		return UNWIND_GO_SIGRETURN;
	for (int i = 0; i < UNWIND_GO_MARKS; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return i;
	return -1;
}

static void read_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
			 struct unwind_go_marks *marks, bool *is_go)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && shdr->sh_entsize ? data->d_size / shdr->sh_entsize : 0;

	for (size_t i = 0; i < n; i++) {
		struct unwind_go_range *r;
		const char *name;
		GElf_Sym sym;
		bool abi0;
		int mark;

		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (!name || strncmp(name, PREFIX, strlen(PREFIX)))
			continue;
		mark = find_mark(name + strlen(PREFIX), &abi0);
		if (mark < 0)
			continue;
		*is_go = true;
		r = &marks->mark[mark];
		if (!r->start || abi0) {
			r->start = sym.st_value;
			r->end = sym.st_value + sym.st_size;
		}
	}
}

static int read_marks(Elf *elf, struct unwind_go_marks *marks)
{
	Elf_Scn *scn = NULL;
	bool is_go = false;
	size_t strings;

	if (elf_kind(elf) != ELF_K_ELF)
		return -ENOEXEC;
	if (elf_getshdrstrndx(elf, &strings))
		return -ENOENT;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name;
		GElf_Shdr shdr;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		name = elf_strptr(elf, strings, shdr.sh_name);
		if (name && !strcmp(name, ".go.buildinfo"))
			is_go = true;
		if (shdr.sh_type == SHT_SYMTAB)
			read_symbols(elf, scn, &shdr, marks, &is_go);
	}
	return is_go ? 0 : -ENOENT;
}

int unwind_go_marks(int fd, struct unwind_go_marks *marks)
{
	struct unwind_go_marks m = { 0 };
	struct stat st;
	Elf *elf;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return -ENOEXEC;
	err = read_marks(elf, &m);
	elf_end(elf);
	if (!err)
		*marks = m;
	return err;
}
