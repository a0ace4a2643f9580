// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/regular.h"
#include "user/capture/program_files.h"

#define MAX_FILES 512
#define LOADER_CACHE "/etc/ld.so.cache"
#define DEFAULT_FOLDERS "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib"

struct search {
	char *files[MAX_FILES]; /* paths, in the order they were found */
	size_t n;
	char *cache; /* LOADER_CACHE, NULL: there is none */
	size_t cache_size;
	int err;
};

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static void add(struct search *s, const char *path)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!strcmp(s->files[i], path))
			return;
	}
	if (s->n == MAX_FILES)
		return;
	s->files[s->n] = strdup(path);
	if (s->files[s->n])
		s->n++;
	else
		s->err = -ENOMEM;
}

/*
 * Adds the file of that name in the first of the folders that has it, which colons part; $ORIGIN is the
 * folder of a file.
 */
static bool add_from(struct search *s, const char *folders, const char *name, const char *origin)
{
	static const char *const tokens[] = { "$ORIGIN", "${ORIGIN}" };
	const char *slash = strrchr(origin, '/'), *rest;
	char path[PATH_MAX];
	size_t i, n;

	for (; folders && *folders; folders += n + (folders[n] == ':')) {
		n = strcspn(folders, ":");
		rest = NULL;
		for (i = 0; i < 2; i++) {
			if (!strncmp(folders, tokens[i], strlen(tokens[i])))
				rest = folders + strlen(tokens[i]);
		}
		if (rest && slash)
			snprintf(path, sizeof(path), "%.*s%.*s/%s", (int)(slash - origin), origin,
				 (int)(folders + n - rest), rest, name);
		else
			snprintf(path, sizeof(path), "%.*s/%s", (int)n, folders, name);
		if (is_file(path)) {
			add(s, path);
			return true;
		}
	}
	return false;
}

/* As execvp(3) looks for it. */
static void add_program(struct search *s, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		add(s, name);
	else
		add_from(s, path ? path : "/bin:/usr/bin", name, "");
}

/* --- the loader's cache: glibc's format 1.1 --- */

struct cache_header {
	char magic[20];
	uint32_t n, strings_size, unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* offsets in the file */
	uint32_t version;
	uint64_t hwcap;
};

static void read_cache(struct search *s)
{
	struct stat st;
	int fd = regular_open(open(LOADER_CACHE, O_PATH | O_CLOEXEC), &st);

	if (fd < 0)
		return;
	s->cache = malloc(st.st_size + 1);
	if (s->cache && read(fd, s->cache, st.st_size) == st.st_size) {
		s->cache_size = st.st_size;
		s->cache[s->cache_size] = 0;
	}
	close(fd);
}

static bool add_from_cache(struct search *s, const char *name, int32_t abi)
{
	struct cache_header h;
	struct cache_entry e;
	size_t at = sizeof(h);

	if (s->cache_size < sizeof(h))
		return false;
	memcpy(&h, s->cache, sizeof(h));
	if (memcmp(h.magic, "glibc-ld.so.cache1.1", sizeof(h.magic)))
		return false;
	for (; h.n-- && at + sizeof(e) <= s->cache_size; at += sizeof(e)) {
		memcpy(&e, s->cache + at, sizeof(e));
		if (e.flags != abi || e.hwcap || e.name >= s->cache_size ||
		    e.path >= s->cache_size || strcmp(s->cache + e.name, name))
			continue;
		add(s, s->cache + e.path);
		return true;
	}
	return false;
}

/* --- ELF files --- */

#define CACHE_X86_64 0x303 /* FLAG_ELF_LIBC6 | FLAG_X8664_LIB64, sysdeps/generic/ldconfig.h */
#define CACHE_AARCH64 0xa03

struct dynamic {
	Elf *elf;
	Elf_Data *strings;
	const char *rpath, *runpath;
};

static const char *text_at(const struct dynamic *d, uint64_t offset)
{
	if (!d->strings || offset >= d->strings->d_size)
		return NULL;
	return memchr((char *)d->strings->d_buf + offset, 0, d->strings->d_size - offset)
		       ? (char *)d->strings->d_buf + offset
		       : NULL;
}

/* The bytes at an address of the file's own space, as many as there are of size. */
static Elf_Data *data_at(Elf *elf, uint64_t address, uint64_t size)
{
	size_t n, i;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &n))
		return NULL;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
		    address - p.p_vaddr >= p.p_filesz)
			continue;
		address -= p.p_vaddr;
		if (size > p.p_filesz - address)
			size = p.p_filesz - address;
		return elf_getdata_rawchunk(elf, p.p_offset + address, size, ELF_T_BYTE);
	}
	return NULL;
}

static void read_dynamic(struct dynamic *d, Elf_Data *data)
{
	uint64_t strings = 0, size = 0, rpath = UINT64_MAX, runpath = UINT64_MAX;
	GElf_Dyn dyn;
	int i;

	for (i = 0; gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		switch (dyn.d_tag) {
		case DT_STRTAB:
			strings = dyn.d_un.d_ptr;
			break;
		case DT_STRSZ:
			size = dyn.d_un.d_val;
			break;
		case DT_RPATH:
			rpath = dyn.d_un.d_val;
			break;
		case DT_RUNPATH:
			runpath = dyn.d_un.d_val;
			break;
		}
	}
	d->strings = data_at(d->elf, strings, size);
	d->rpath = text_at(d, rpath);
	d->runpath = text_at(d, runpath);
}

static void add_library(struct search *s, const struct dynamic *d, const char *name,
			const char *origin)
{
	GElf_Ehdr h;

	if (strchr(name, '/')) {
		add(s, name);
		return;
	}
	if (!gelf_getehdr(d->elf, &h) || (!d->runpath && add_from(s, d->rpath, name, origin)) ||
	    add_from(s, getenv("LD_LIBRARY_PATH"), name, origin) ||
	    add_from(s, d->runpath, name, origin) ||
	    add_from_cache(s, name, h.e_machine == EM_AARCH64 ? CACHE_AARCH64 : CACHE_X86_64))
		return;
	add_from(s, DEFAULT_FOLDERS, name, origin);
}

static void add_needed(struct search *s, Elf *elf, const GElf_Phdr *p, const char *origin)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, p->p_offset, p->p_filesz, ELF_T_DYN);
	struct dynamic d = { .elf = elf };
	GElf_Dyn dyn;
	int i;

	if (!data)
		return;
	read_dynamic(&d, data);
	for (i = 0; gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		const char *name = dyn.d_tag == DT_NEEDED ? text_at(&d, dyn.d_un.d_val) : NULL;

		if (name)
			add_library(s, &d, name, origin);
	}
}

static void add_loader(struct search *s, Elf *elf, const GElf_Phdr *p)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, p->p_offset, p->p_filesz, ELF_T_BYTE);

	if (data && data->d_size && memchr(data->d_buf, 0, data->d_size))
		add(s, data->d_buf);
}

static void look_into_elf(struct search *s, int fd, const char *path)
{
	size_t n = 0, i;
	GElf_Phdr p;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &n)) {
		for (i = 0; i < n; i++) {
			if (!gelf_getphdr(elf, i, &p))
				continue;
			if (p.p_type == PT_INTERP)
				add_loader(s, elf, &p);
			else if (p.p_type == PT_DYNAMIC)
				add_needed(s, elf, &p, path);
		}
	}
	elf_end(elf);
}

/* --- scripts --- */

/* "#!/usr/bin/env python3": env is mapped, and then python3. */
static void look_into_script(struct search *s, char *line)
{
	char *state, *interpreter, *word;

	line[strcspn(line, "\n")] = 0;
	interpreter = strtok_r(line + 2, " \t", &state);
	if (!interpreter)
		return;
	add(s, interpreter);
	word = strrchr(interpreter, '/');
	if (!word || strcmp(word, "/env"))
		return;
	while ((word = strtok_r(NULL, " \t", &state))) {
		if (*word != '-' && !strchr(word, '=')) {
			add_program(s, word);
			return;
		}
	}
}

static void look_into(struct search *s, const char *path)
{
	char head[257] = "";
	struct stat st;
	int fd = regular_open(open(path, O_PATH | O_CLOEXEC), &st);

	if (fd < 0)
		return;
	if (pread(fd, head, sizeof(head) - 1, 0) > 2 && !memcmp(head, "#!", 2))
		look_into_script(s, head);
	else
		look_into_elf(s, fd, path);
	close(fd);
}

int program_files_each(const char *command, void (*fn)(void *arg, const char *path), void *arg)
{
	struct search *s = calloc(1, sizeof(*s));
	size_t i;
	int err;

	if (!s)
		return -ENOMEM;
	read_cache(s);
	add_program(s, command);
	for (i = 0; i < s->n; i++)
		look_into(s, s->files[i]);
	for (i = 0; i < s->n; i++) {
		fn(arg, s->files[i]);
		free(s->files[i]);
	}
	err = s->err;
	free(s->cache);
	free(s);
	return err;
}
