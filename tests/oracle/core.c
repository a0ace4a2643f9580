// SPDX-License-Identifier: BSD-2-Clause
/* The layout of core files: elf(5), and fs/binfmt_elf.c for the order of NT_FILE. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>

#include "tests/oracle/core.h"

#define MAX_SEGMENTS 1024
#define MAX_BYTES (8ul << 20) /* of one mapping; of the stack its live end */
#define MAX_CONSTANT (1ul << 20) /* of one that was made read-only after relocation, as it may be */
#define PAGE 4096ul

struct segment {
	uint64_t start, end, offset;
	char path[256];
	bool file; /* mapped from a file */
	bool kept; /* its bytes are written */
};

struct core {
	FILE *f;
	const struct stop *stop;
	struct segment segments[MAX_SEGMENTS];
	size_t n;
	char *notes;
	size_t notes_size;
};

static void read_segments(struct core *c, const char *maps)
{
	uint64_t sp = c->stop->regs.rsp & ~(PAGE - 1);

	while (*maps && c->n < MAX_SEGMENTS) {
		struct segment *s = &c->segments[c->n];
		unsigned long start, end, offset, inode;
		char permissions[8];

		*s = (struct segment){ .start = 0 };
		if (sscanf(maps, "%lx-%lx %7s %lx %*s %lu %255[^\n]", &start, &end, permissions,
			   &offset, &inode, s->path) < 5)
			break;
		maps = strchrnul(maps, '\n');
		maps += *maps == '\n';
		s->file = inode != 0;
		s->kept = permissions[1] == 'w' || !strcmp(s->path, "[vdso]") ||
			  (permissions[0] == 'r' && permissions[2] == '-' &&
			   end - start <= MAX_CONSTANT);
		s->start = start;
		s->end = end;
		s->offset = offset;
		if (s->kept && sp >= start && sp < end)
			s->start = sp;
		if (s->kept && s->end - s->start > MAX_BYTES)
			s->end = s->start + MAX_BYTES;
		c->n += s->kept || s->file;
	}
}

static void add_note(FILE *f, uint32_t type, const void *bytes, size_t size)
{
	static const char zeros[4];
	Elf64_Nhdr head = { .n_namesz = 5, .n_descsz = size, .n_type = type };

	fwrite(&head, sizeof(head), 1, f);
	fwrite("CORE\0\0\0", 8, 1, f);
	fwrite(bytes, size, 1, f);
	fwrite(zeros, -size & 3, 1, f);
}

static void add_status(FILE *f, const struct stop *stop)
{
	struct elf_prstatus status = { .pr_pid = stop->tid };

	memcpy(&status.pr_reg, &stop->regs, sizeof(status.pr_reg));
	add_note(f, NT_PRSTATUS, &status, sizeof(status));
}

static void add_auxv(FILE *f, pid_t pid)
{
	char path[64], bytes[4096];
	FILE *auxv;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	auxv = fopen(path, "re");
	if (!auxv)
		return;
	add_note(f, NT_AUXV, bytes, fread(bytes, 1, sizeof(bytes), auxv));
	fclose(auxv);
}

static void add_files(FILE *f, const struct core *c)
{
	uint64_t head[2] = { 0, 1 };
	char *bytes = NULL;
	size_t size = 0;
	FILE *list = open_memstream(&bytes, &size);

	if (!list)
		return;
	for (size_t i = 0; i < c->n; i++)
		head[0] += c->segments[i].file;
	fwrite(head, sizeof(head), 1, list);
	for (size_t i = 0; i < c->n; i++)
		if (c->segments[i].file)
			fwrite(&c->segments[i].start, 3 * sizeof(uint64_t), 1, list);
	for (size_t i = 0; i < c->n; i++)
		if (c->segments[i].file)
			fwrite(c->segments[i].path, strlen(c->segments[i].path) + 1, 1, list);
	fclose(list);
	add_note(f, NT_FILE, bytes, size);
	free(bytes);
}

static int make_notes(struct core *c)
{
	FILE *f = open_memstream(&c->notes, &c->notes_size);

	if (!f)
		return -ENOMEM;
	add_status(f, c->stop);
	add_auxv(f, c->stop->pid);
	add_files(f, c);
	return fclose(f) ? -ENOMEM : 0;
}

static void write_headers(struct core *c)
{
	uint64_t at = sizeof(Elf64_Ehdr) + (c->n + 1) * sizeof(Elf64_Phdr);
	Elf64_Ehdr head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = c->n + 1,
	};
	Elf64_Phdr notes = { .p_type = PT_NOTE, .p_offset = at, .p_filesz = c->notes_size };

	fwrite(&head, sizeof(head), 1, c->f);
	fwrite(&notes, sizeof(notes), 1, c->f);
	at = (at + c->notes_size + PAGE - 1) & ~(PAGE - 1);
	for (size_t i = 0; i < c->n; i++) {
		const struct segment *s = &c->segments[i];
		Elf64_Phdr p = { .p_type = PT_LOAD,
				 .p_flags = PF_R | (s->kept ? PF_W : PF_X),
				 .p_offset = at,
				 .p_vaddr = s->start,
				 .p_memsz = s->end - s->start,
				 .p_filesz = s->kept ? s->end - s->start : 0,
				 .p_align = PAGE };

		fwrite(&p, sizeof(p), 1, c->f);
		at += p.p_filesz;
	}
	fwrite(c->notes, c->notes_size, 1, c->f);
}

/* Pages that can't be read are zeros. */
static void write_bytes(struct core *c)
{
	char page[PAGE];
	long at = ftell(c->f);

	fseek(c->f, (at + (long)PAGE - 1) & ~((long)PAGE - 1), SEEK_SET);
	for (size_t i = 0; i < c->n; i++) {
		const struct segment *s = &c->segments[i];

		for (uint64_t a = s->start; s->kept && a < s->end; a += PAGE) {
			if (!stop_read(c->stop->tid, a, page, PAGE))
				memset(page, 0, PAGE);
			fwrite(page, PAGE, 1, c->f);
		}
	}
}

int core_write(const char *path, const struct stop *stop, const char *maps)
{
	struct core *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	c->stop = stop;
	c->f = fopen(path, "we");
	err = c->f ? 0 : -errno;
	if (!err) {
		read_segments(c, maps);
		err = make_notes(c);
	}
	if (!err) {
		write_headers(c);
		write_bytes(c);
	}
	if (c->f && fclose(c->f) && !err)
		err = -errno;
	free(c->notes);
	free(c);
	return err;
}
