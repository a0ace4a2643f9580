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

#include "symbolize/gopclntab.h"
#include "unwind/go_marks.h"

#define SUFFIX ".abi0"

static const char *const names[UNWIND_GO_MARKS] = {
	[UNWIND_GO_SYSTEMSTACK] = "runtime.systemstack",
	[UNWIND_GO_SYSTEMSTACK_SWITCH] = "runtime.systemstack_switch",
	[UNWIND_GO_ASMCGOCALL] = "runtime.asmcgocall",
	[UNWIND_GO_MCALL] = "runtime.mcall",
	[UNWIND_GO_MORESTACK] = "runtime.morestack",
	[UNWIND_GO_GOGO] = "gogo",
	[UNWIND_GO_CROSSCALL2] = "crosscall2",
	[UNWIND_GO_GOEXIT] = "runtime.goexit",
	[UNWIND_GO_RT0_GO] = "runtime.rt0_go",
	[UNWIND_GO_MSTART] = "runtime.mstart",
	[UNWIND_GO_SIGTRAMP] = "runtime.sigtramp",
	[UNWIND_GO_CGO_SIGTRAMP] = "runtime.cgoSigtramp",
	[UNWIND_GO_SIGRETURN] = "runtime.sigreturn__sigaction",
	[UNWIND_GO_TEXT] = "runtime.text",
	[UNWIND_GO_ETEXT] = "runtime.etext",
	[UNWIND_GO_CGOCALLBACK] = "runtime.cgocallback",
	[UNWIND_GO_ASMCGOCALL_NO_G] = "runtime.asmcgocall_no_g",
	[UNWIND_GO_CALL_CGO_MMAP] = "runtime.callCgoMmap",
	[UNWIND_GO_CALL_CGO_MUNMAP] = "runtime.callCgoMunmap",
	[UNWIND_GO_CALL_CGO_SIGACTION] = "runtime.callCgoSigaction",
	[UNWIND_GO_NANOTIME1] = "runtime.nanotime1",
	[UNWIND_GO_WALLTIME] = "runtime.walltime",
	[UNWIND_GO_TIME_NOW] = "time.now",
	[UNWIND_GO_VGETRANDOM1] = "runtime.vgetrandom1",
	[UNWIND_GO_ASYNC_PREEMPT] = "runtime.asyncPreempt",
	[UNWIND_GO_SIGPANIC] = "runtime.sigpanic",
};

/* The mark that a symbol's name stands for, or -1. */
static int find_mark(const char *name, bool *abi0)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	*abi0 = len > suffix && !strcmp(name + len - suffix, SUFFIX);
	if (*abi0)
		len -= suffix;
	if (len == strlen("runtime.sigreturn") &&
	    !strncmp(name, "runtime.sigreturn", len)) /* before Go 1.18 */
		return UNWIND_GO_SIGRETURN;
	for (int i = 0; i < UNWIND_GO_MARKS; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return i;
	return -1;
}

static bool mark(struct unwind_go_marks *marks, const char *name, uint64_t start, uint64_t end)
{
	struct unwind_go_range *r;
	bool abi0;
	int found = find_mark(name, &abi0);

	if (found < 0)
		return false;
	r = &marks->mark[found];
	if (!r->start || abi0)
		*r = (struct unwind_go_range){ start, end };
	return true;
}

static void read_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr,
			 struct unwind_go_marks *marks, bool *is_go)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && shdr->sh_entsize ? data->d_size / shdr->sh_entsize : 0;

	for (size_t i = 0; i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (name && mark(marks, name, sym.st_value, sym.st_value + sym.st_size) &&
		    !strncmp(name, "runtime.", strlen("runtime.")))
			*is_go = true;
	}
}

/* Of a program without symbols. Wrappers have the name of what they wrap there; they come later. */
static int read_functions(int fd, struct unwind_go_marks *marks)
{
	struct unwind_go_range all = { 0 };
	struct gopclntab_function f;
	struct gopclntab *table;
	int err = gopclntab_read(fd, &table);

	if (err)
		return err;
	for (size_t i = 0; i < gopclntab_count(table); i++) {
		if (gopclntab_function(table, i, &f))
			continue;
		mark(marks, f.name, f.start, f.end);
		all.start = all.start ? all.start : f.start;
		all.end = f.end;
	}
	gopclntab_free(table);
	marks->mark[UNWIND_GO_TEXT] = (struct unwind_go_range){ all.start, all.start };
	marks->mark[UNWIND_GO_ETEXT] = (struct unwind_go_range){ all.end, all.end };
	return 0;
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
	if ((!err || err == -ENOENT) && !m.mark[UNWIND_GO_TEXT].start) {
		int found = read_functions(fd, &m);

		err = found == -ENOMEM || !found ? found : err;
	}
	if (!err)
		*marks = m;
	return err;
}
