// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/profile.h"
#include "user/capture/kernel_layout.h"
#include "user/capture/procfs.h"

struct module {
	uint64_t start, end;
	char name[64];
	uint32_t object;
};

struct kernel_layout {
	char build_id[2 * 64 + 1];
	uint32_t object; /* of the kernel proper */
	size_t n;
	struct module *modules;
};

/* The notes of the running kernel: name size, descriptor size, type, name, descriptor (ELF, gABI). */
static void read_build_id(char *hex, size_t size)
{
	unsigned char notes[4096];
	ssize_t n = -1;
	size_t at = 0;
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, notes, sizeof(notes));
		close(fd);
	}
	while (n > 0 && at + sizeof(Elf64_Nhdr) <= (size_t)n) {
		Elf64_Nhdr note;
		size_t name, desc, i;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + ((note.n_namesz + 3ul) & ~3ul);
		at = desc + ((note.n_descsz + 3ul) & ~3ul);
		if (at > (size_t)n || at < desc)
			return;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4) || 2 * note.n_descsz + 1ul > size)
			continue;
		for (i = 0; i < note.n_descsz; i++)
			snprintf(hex + 2 * i, 3, "%02x", notes[desc + i]);
		return;
	}
}

static int read_modules(struct kernel_layout *k)
{
	char *text = proc_read("/proc/modules"), *line;

	for (line = text; line; line = strchr(line, '\n')) {
		struct module m = { .object = PROFILE_NONE }, *more;
		uint64_t size;

		line += *line == '\n';
		/* name size users dependencies state address */
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, m.name, &size,
			   &m.start) != 3 ||
		    !m.start)
			continue;
		m.end = m.start + size;
		more = realloc(k->modules, (k->n + 1) * sizeof(*more));
		if (!more) {
			free(text);
			return -1;
		}
		k->modules = more;
		k->modules[k->n++] = m;
	}
	free(text);
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct module *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

struct kernel_layout *kernel_layout_new(void)
{
	struct kernel_layout *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->object = PROFILE_NONE;
	read_build_id(k->build_id, sizeof(k->build_id));
	if (read_modules(k)) {
		kernel_layout_free(k);
		return NULL;
	}
	if (k->n)
		qsort(k->modules, k->n, sizeof(*k->modules), by_start);
	return k;
}

void kernel_layout_free(struct kernel_layout *k)
{
	if (!k)
		return;
	free(k->modules);
	free(k);
}

static int in_module(const void *key, const void *element)
{
	const struct module *m = element;
	uint64_t address = *(const uint64_t *)key;

	return address < m->start ? -1 : address >= m->end;
}

static int add_object(struct profile *p, const char *name, const char *build_id, uint32_t *object)
{
	char path[80];
	struct profile_object entry = {
		.kind = PROFILE_OBJECT_KERNEL,
		.path = path,
		.build_id = build_id,
	};

	snprintf(path, sizeof(path), "[%s]", name);
	return profile_add_object(p, &entry, object);
}

int kernel_layout_object(struct kernel_layout *k, struct profile *p, uint64_t address,
			 uint32_t *object)
{
	struct module *m = NULL;
	uint32_t *id = &k->object;

	if (k->n)
		m = bsearch(&address, k->modules, k->n, sizeof(*m), in_module);
	if (m)
		id = &m->object;
	if (*id == PROFILE_NONE) {
		int err = add_object(p, m ? m->name : "kernel", m ? "" : k->build_id, id);

		if (err)
			return err;
	}
	*object = *id;
	return 0;
}
