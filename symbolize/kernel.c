// SPDX-License-Identifier: BSD-2-Clause
/*
 * /proc/kallsyms: a line a symbol, "ADDRESS TYPE NAME", then a tab and "[MODULE]" for a module's, as
 * fs/proc and kernel/kallsyms.c write it. BPF programs and trampolines appear as module "bpf".
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/symbolize.h"

#define BUFFER (64 * 1024)

/*
 * The list has no sizes. A symbol reaches to the next one, of any type, but no further than this:
 * behind it lies a gap between modules, or unused space. Functions of the kernel stay far below a
 * mebibyte; a BPF program may have a million instructions.
 */
#define MAX_REACH (1024 * 1024)
#define MAX_BPF_REACH (16 * 1024 * 1024)

struct kernel_symbol {
	uint64_t start;
	uint32_t name, module; /* into text */
	uint32_t rank; /* among those at one start, the lower the better */
	bool is_code;
};

struct kernel_symbols {
	struct kernel_symbol *symbols;
	size_t n, capacity;
	char *text; /* the names, each terminated; begins with "" */
	size_t text_size, text_capacity;
	uint32_t last_module; /* symbols of one module follow one another */
};

static int add_text(struct kernel_symbols *k, const char *s, uint32_t *at)
{
	size_t size = strlen(s) + 1;

	if (k->text_size + size > UINT32_MAX)
		return -EOVERFLOW;
	if (k->text_size + size > k->text_capacity) {
		size_t capacity = 2 * (k->text_capacity + size);
		char *more = realloc(k->text, capacity);

		if (!more)
			return -ENOMEM;
		k->text = more;
		k->text_capacity = capacity;
	}
	memcpy(k->text + k->text_size, s, size);
	*at = (uint32_t)k->text_size;
	k->text_size += size;
	return 0;
}

static int add_symbol(struct kernel_symbols *k, struct kernel_symbol s, const char *name,
		      const char *module)
{
	int err;

	if (k->n == k->capacity) {
		size_t capacity = k->capacity ? 2 * k->capacity : 4096;
		struct kernel_symbol *more = reallocarray(k->symbols, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		k->symbols = more;
		k->capacity = capacity;
	}
	if (strcmp(module, k->text + k->last_module)) {
		err = add_text(k, module, &k->last_module);
		if (err)
			return err;
	}
	s.module = k->last_module;
	err = add_text(k, name, &s.name);
	if (!err)
		k->symbols[k->n++] = s;
	return err;
}

static bool ends_with(const char *s, const char *end)
{
	size_t length = strlen(s), n = strlen(end);

	return length >= n && !strcmp(s + length - n, end);
}

/* The linker script's marks for the bounds of sections share the address of a function. */
static bool is_bound(const char *name)
{
	return name[0] == '_' && (ends_with(name, "text") || ends_with(name, "_start") ||
				  ends_with(name, "_end") || ends_with(name, "_begin"));
}

/* Cuts a line into its fields; false if it is not of the form. */
static bool parse(char *line, struct kernel_symbol *s, const char **name, const char **module)
{
	char *end, *field;

	errno = 0;
	s->start = strtoull(line, &end, 16);
	if (errno || end == line || !isxdigit((unsigned char)*line) || *end != ' ')
		return false;
	if (!isalpha((unsigned char)end[1]) || end[2] != ' ')
		return false;
	s->is_code = strchr("tTwW", end[1]) != NULL;
	s->rank = end[1] == 'T' ? 0 : end[1] == 't' ? 1 : 2;
	field = end + 3;
	field[strcspn(field, "\n")] = '\0';
	*name = field;
	*module = "";
	field += strcspn(field, "\t");
	if (*field) {
		*field++ = '\0';
		*module = field;
		if (*field == '[') {
			*module = field + 1;
			field[strcspn(field, "]")] = '\0';
		}
	}
	if (is_bound(*name))
		s->rank += 4;
	return **name != '\0';
}

/* At one address the best is last; what is no code comes before all code. */
static int compare(const void *a, const void *b, void *text)
{
	const struct kernel_symbol *x = a, *y = b;
	const char *x_name = (char *)text + x->name, *y_name = (char *)text + y->name;
	size_t x_length, y_length;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->is_code != y->is_code)
		return x->is_code ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	x_length = strlen(x_name);
	y_length = strlen(y_name);
	if (x_length != y_length)
		return x_length > y_length ? -1 : 1;
	return -strcmp(x_name, y_name);
}

static int read_lines(struct kernel_symbols *k, FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	bool any = false, shown = false;
	int err = 0;

	while (!err && getline(&line, &size, in) > 0) {
		struct kernel_symbol s = { 0 };
		const char *name, *module;

		if (!parse(line, &s, &name, &module))
			continue;
		any = true;
		if (!s.start)
			continue;
		shown = true;
		err = add_symbol(k, s, name, module);
	}
	if (!err && ferror(in))
		err = errno ? -errno : -EIO;
	if (!err && any && !shown)
		err = -EPERM;
	free(line);
	return err;
}

int kernel_symbols_new(const char *path, struct kernel_symbols **symbols)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));
	char *buffer = malloc(BUFFER);
	FILE *in = NULL;
	int err = -ENOMEM;
	uint32_t empty;

	if (!k || !buffer || add_text(k, "", &empty))
		goto fail;
	in = fopen(path ? path : "/proc/kallsyms", "re");
	if (!in) {
		err = -errno;
		goto fail;
	}
	/* Of itself, stdio would read 4 MB by the kilobyte. */
	setvbuf(in, buffer, _IOFBF, BUFFER);
	err = read_lines(k, in);
	fclose(in);
	if (err)
		goto fail;
	if (k->n)
		qsort_r(k->symbols, k->n, sizeof(*k->symbols), compare, k->text);
	*symbols = k;
	free(buffer);
	return 0;
fail:
	free(buffer);
	kernel_symbols_free(k);
	return err;
}

void kernel_symbols_free(struct kernel_symbols *k)
{
	if (!k)
		return;
	free(k->symbols);
	free(k->text);
	free(k);
}

bool kernel_symbols_find(const struct kernel_symbols *k, uint64_t address, const char **name,
			 const char **module, uint64_t *start)
{
	size_t low = 0, high = k->n;
	const struct kernel_symbol *s;
	uint64_t reach;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	s = &k->symbols[low - 1];
	reach = strcmp(k->text + s->module, "bpf") ? MAX_REACH : MAX_BPF_REACH;
	if (!s->is_code || address - s->start >= reach)
		return false;
	*name = k->text + s->name;
	*module = k->text + s->module;
	*start = s->start;
	return true;
}
