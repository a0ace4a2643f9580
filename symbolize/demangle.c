// SPDX-License-Identifier: BSD-2-Clause
/*
 * Readable names, by libiberty's demanglers. Its limit on recursion stays on, which also refuses C++
 * names of more than some 1,000 bytes.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>

#include "symbolize/names.h"
#include "symbolize/symbolize.h"

/* Longer names are shown as they are. */
#define MAX_MANGLED 4096
/*
 * A few hundred bytes can stand for gigabytes of readable name, by references back into itself
 * (pair<pair<…>, pair<…>>), so what comes out is limited too.
 */
#define MAX_READABLE (32 * 1024)

typedef int (*demangler)(const char *name, int options, demangle_callbackref callback, void *arg);

struct output {
	char *text;
	size_t length, capacity;
	jmp_buf give_up;
};

/*
 * The demanglers have no way to be stopped from a callback but to leave them; they keep what they
 * need on the stack.
 */
static void append(const char *piece, size_t length, void *arg)
{
	struct output *out = arg;
	size_t needed = out->length + length + 1;

	if (needed > MAX_READABLE)
		longjmp(out->give_up, 1);
	if (needed > out->capacity) {
		size_t capacity = needed < 256 ? 256 : 2 * needed;
		char *more = realloc(out->text, capacity);

		if (!more)
			longjmp(out->give_up, 1);
		out->text = more;
		out->capacity = capacity;
	}
	memcpy(out->text + out->length, piece, length);
	out->length += length;
	out->text[out->length] = '\0';
}

static char *run(demangler f, const char *name, int options)
{
	struct output *out = calloc(1, sizeof(*out));
	char *text;

	if (!out)
		return NULL;
	if (setjmp(out->give_up) || !f(name, options, append, out)) {
		free(out->text);
		free(out);
		return NULL;
	}
	text = out->text;
	free(out);
	return text;
}

/*
 * Without parameters the C++ demangler stops reading after the name, whatever follows; so the whole
 * is demangled first to know that it is such a name at all.
 */
static char *demangle_cpp(const char *name, bool full)
{
	char *whole = run(cplus_demangle_v3_callback, name, DMGL_PARAMS | DMGL_ANSI);

	if (full || !whole)
		return whole;
	free(whole);
	return run(cplus_demangle_v3_callback, name, DMGL_NO_OPTS);
}

static char *demangle_stub(const char *name, size_t length, bool full)
{
	char *function = strndup(name, length), *readable, *text = NULL;

	if (!function)
		return NULL;
	readable = demangle(function, full);
	free(function);
	if (readable && asprintf(&text, "%s" NAME_OF_STUB, readable) < 0)
		text = NULL;
	free(readable);
	return text;
}

char *demangle(const char *name, bool full)
{
	size_t length = strnlen(name, MAX_MANGLED + 1), stub = strlen(NAME_OF_STUB);
	size_t kept = full ? length : name_without_suffixes(name, length);
	char *plain, *readable = NULL;

	if (length > MAX_MANGLED)
		return NULL;
	if (length > stub && !strcmp(name + length - stub, NAME_OF_STUB))
		return demangle_stub(name, length - stub, full);
	plain = strndup(name, kept);
	if (!plain)
		return NULL;
	if (strncmp(plain, "_Z", 2) && strncmp(plain, "_R", 2)) {
		if (kept < length)
			return plain;
		free(plain);
		return NULL;
	}
	/* Rust's older mangling is a C++ one with a hash; only its own demangler knows the escapes. */
	readable = run(rust_demangle_callback, plain, DMGL_RUST);
	if (!readable)
		readable = demangle_cpp(plain, full);
	free(plain);
	return readable;
}
