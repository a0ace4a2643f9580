// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/walk/walk.h"
#include "tests/oracle/walker.h"
#include "unwind/table.h"

#define MAX_OBJECTS 512
#define CHUNK_WORDS 16
#define COMPLEX_WORDS (sizeof(struct unwind_complex) / 4)

struct file {
	char id[64]; /* device and inode, as the maps have them, or the mapping's name */
	struct unwind_object object; /* n_blocks 0: it has no table */
	GElf_Phdr loads[16];
	size_t n_loads;
};

struct walker {
	struct unwind_chunk *chunks;
	size_t n_chunks;
	struct file files[MAX_OBJECTS];
	uint32_t n_files;
	struct unwind_range *ranges;
	uint32_t n_ranges, ranges_id;
	struct unwind_cached cache[UNWIND_CACHE];
	/* The walk going on. */
	const struct stop *stop;
	struct chain *chain;
};

/* --- what the walker asks of its includer --- */

static struct walker *current;

static int walk_read_code(struct walk *w, __u64 *value, __u64 address)
{
	return stop_read(current->stop->tid, address, value, sizeof(*value)) ? 0 : -EFAULT;
}

static int walk_read8(struct walk *w, __u64 *value, __u64 address)
{
	return walk_read_code(w, value, address);
}

static void walk_keep(struct walk *w, __u32 slot, __u64 frame)
{
	struct chain *chain = current->chain;

	chain->guesses += !!(frame & WALK_GUESS);
	if (slot >= CHAIN_MAX)
		return;
	chain->pc[slot] = frame & ~WALK_GUESS;
	chain->kept = slot + 1;
}

static const struct unwind_range *walk_range(__u32 i)
{
	return i < current->n_ranges ? &current->ranges[i] : NULL;
}

static struct unwind_object *walk_object(__u32 i)
{
	return i < current->n_files ? &current->files[i].object : NULL;
}

static const struct unwind_chunk *walk_chunk(__u32 i)
{
	return i < current->n_chunks ? &current->chunks[i] : NULL;
}

static struct unwind_cached *walk_cached(__u32 i)
{
	return i < UNWIND_CACHE ? &current->cache[i] : NULL;
}

/* The list has all mappings. */
static int walk_ask(struct walk *w, __u64 pc)
{
	return -1;
}

/* No program has probes. */
static int walk_probes(struct walk *w, struct walk_probes *p)
{
	return 0;
}

static int walk_find_return(struct walk *w, __u64 low, __u64 high, struct walk_return *r)
{
	return -1;
}

static __u64 walk_tick_register(struct walk *w, __u32 n)
{
	const struct user_regs_struct *r = &current->stop->regs;
	const __u64 values[16] = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
				   r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15 };

	return values[n & 15];
}

__u32 walk_caller(struct walk *w);
__u32 walk_probed(struct walk *w);
int walk_is_trampoline(struct walk *w, __u64 address);
#include "bpf/walk/native.h"

/* --- tables --- */

static int store_table(struct walker *w, const struct unwind_table *t, struct unwind_object *o)
{
	size_t words = t->n_complex * COMPLEX_WORDS + t->n_blocks + 1ul + t->n_rows;
	size_t chunks = (words + CHUNK_WORDS - 1) / CHUNK_WORDS;
	struct unwind_chunk *grown;
	uint32_t *to;

	grown = reallocarray(w->chunks, w->n_chunks + chunks, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	w->chunks = grown;
	to = grown[w->n_chunks].words;
	o->base = t->base;
	o->n_blocks = t->n_blocks;
	o->n_complex = t->n_complex;
	o->complex = w->n_chunks * CHUNK_WORDS;
	o->directory = o->complex + t->n_complex * COMPLEX_WORDS;
	o->rows = o->directory + t->n_blocks + 1;
	memcpy(to, t->complex, t->n_complex * sizeof(*t->complex));
	memcpy(to + (o->directory - o->complex), t->directory, (t->n_blocks + 1ul) * sizeof(*to));
	memcpy(to + (o->rows - o->complex), t->rows, t->n_rows * sizeof(*to));
	w->n_chunks += chunks;
	return 0;
}

static void read_loads(int fd, struct file *file)
{
	Elf *elf;
	size_t n;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && !elf_getphdrnum(elf, &n))
		for (size_t i = 0; i < n && file->n_loads < 16; i++) {
			GElf_Phdr *p = &file->loads[file->n_loads];

			if (gelf_getphdr(elf, (int)i, p) && p->p_type == PT_LOAD)
				file->n_loads++;
		}
	elf_end(elf);
}

static int add_file(struct walker *w, const char *id, int fd)
{
	struct file *file = &w->files[w->n_files];
	struct unwind_table *table;
	struct unwind_stats stats;
	int err;

	if (w->n_files == MAX_OBJECTS)
		return -E2BIG;
	*file = (struct file){ .n_loads = 0 };
	snprintf(file->id, sizeof(file->id), "%s", id);
	w->n_files++;
	if (fd < 0)
		return 0;
	read_loads(fd, file);
	err = unwind_table_build(fd, 0, &table, &stats);
	if (err == -ENODATA)
		err = unwind_table_from_code(fd, &table);
	if (!err) {
		unwind_table_amend(fd, &table);
		store_table(w, table, &file->object);
		unwind_table_free(table);
	}
	return 0;
}

/* The vDSO has no file: a copy of what is mapped. */
static int open_vdso(pid_t pid, uint64_t start, uint64_t end)
{
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	char *bytes = malloc(end - start);

	if (fd >= 0 && (!bytes || !stop_read(pid, start, bytes, end - start) ||
			write(fd, bytes, end - start) != (ssize_t)(end - start))) {
		close(fd);
		fd = -1;
	}
	free(bytes);
	return fd;
}

static uint32_t find_file(const struct walker *w, const char *id)
{
	uint32_t i;

	for (i = 0; i < w->n_files && strcmp(w->files[i].id, id); i++)
		;
	return i;
}

/* Where a place in the file lies in the object's address space. */
static bool file_address(const struct file *file, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < file->n_loads; i++) {
		const GElf_Phdr *p = &file->loads[i];
		uint64_t before = p->p_offset % 4096;

		if (!(p->p_flags & PF_X) || offset < p->p_offset - before ||
		    offset >= p->p_offset + p->p_filesz)
			continue;
		*address = p->p_vaddr - p->p_offset + offset;
		return true;
	}
	return false;
}

static int add_range(struct walker *w, pid_t pid, const char *line)
{
	unsigned long start, end, offset, inode;
	struct unwind_range *grown;
	char permissions[8], device[16], path[512] = "", id[64], link[512];
	uint64_t address;
	uint32_t i;
	int fd;

	if (sscanf(line, "%lx-%lx %7s %lx %15s %lu %511[^\n]", &start, &end, permissions, &offset,
		   device, &inode, path) < 6 ||
	    permissions[2] != 'x')
		return 0;
	grown = reallocarray(w->ranges, w->n_ranges + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	w->ranges = grown;
	grown = &w->ranges[w->n_ranges++];
	*grown = (struct unwind_range){ .start = start, .end = end, .object = UNWIND_NO_OBJECT };
	if (!inode && strcmp(path, "[vdso]"))
		return 0;
	snprintf(id, sizeof(id), "%s %lu", device, inode);
	i = find_file(w, id);
	if (i == w->n_files) {
		snprintf(link, sizeof(link), "/proc/%d/map_files/%lx-%lx", pid, start, end);
		fd = inode ? open(link, O_RDONLY | O_CLOEXEC) : open_vdso(pid, start, end);
		if (add_file(w, id, fd))
			return -E2BIG;
		close(fd);
	}
	if (file_address(&w->files[i], offset, &address)) {
		grown->bias = address - start;
		grown->object = i;
	}
	return 0;
}

int walker_map(struct walker *w, pid_t pid, const char *maps)
{
	int err = 0;

	w->n_ranges = 0;
	w->ranges_id++;
	while (!err && *maps) {
		err = add_range(w, pid, maps);
		maps = strchrnul(maps, '\n');
		maps += *maps == '\n';
	}
	return err;
}

/* --- walking --- */

void walker_walk(struct walker *walker, const struct stop *stop, struct chain *chain)
{
	struct walk w = {
		.pc = stop->regs.rip,
		.sp = stop->regs.rsp,
		.fp = stop->regs.rbp,
		.bx = stop->regs.rbx,
		.registers = WALK_REGS_TICK,
		.end = WALK_ON,
		.n_ranges = walker->n_ranges,
		.ranges_id = walker->ranges_id,
	};

	current = walker;
	walker->stop = stop;
	walker->chain = chain;
	chain->n = chain->kept = chain->guesses = 0;
	while (w.end == WALK_ON)
		w.end = walk_steps(&w);
	chain->n = w.n;
	chain->kept = w.n < CHAIN_MAX ? w.n : CHAIN_MAX;
	chain->end = w.end;
}

const char *walker_end(uint32_t end)
{
	static const char *const names[] = {
		[WALK_ROOT] = "root",
		[WALK_NO_USER] = "no user code",
		[WALK_UNREADABLE] = "unreadable",
		[WALK_BROKEN] = "broken",
		[WALK_TOO_DEEP] = "too deep",
		[WALK_COMPAT] = "32-bit code",
		[WALK_NO_RULE] = "no rule",
		[WALK_UNMAPPED] = "unmapped",
		[WALK_NO_REGISTER] = "no register",
		[WALK_PROBED] = "probed",
	};

	return end < sizeof(names) / sizeof(*names) ? names[end] : "?";
}

struct walker *walker_new(void)
{
	return calloc(1, sizeof(struct walker));
}

void walker_free(struct walker *w)
{
	if (!w)
		return;
	free(w->chunks);
	free(w->ranges);
	free(w);
}
