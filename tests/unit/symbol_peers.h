/* SPDX-License-Identifier: BSD-2-Clause */
/* What other symbolizers say of the same addresses, and why it differs from ours. */
#ifndef PROFBPF_SYMBOL_PEERS_H
#define PROFBPF_SYMBOL_PEERS_H

#include "symbol_fixture.h"

#define LLVM "llvm-symbolizer --output-style=GNU --no-demangle -a -f -i"
#define ADDR2LINE "addr2line -a -f -i"

/* One frame as a peer prints it: a line with the function, one with FILE:LINE. */
struct peer_frame {
	char *name, *file;
	uint32_t line, discriminator;
};

struct peer_answer {
	size_t n;
	struct peer_frame frames[MAX_FRAMES];
};

enum cause {
	SAME,
	NO_FUNCTION, /* padding between functions: a line, or a guess at the name before it, only */
	SYMBOL_FILE, /* the peer takes a file name from the symbol table, without a line */
	CLONE, /* we have the clone's symbol, or the mangled name that DWARF lacks */
	SHORT, /* Go's own table may lack type arguments, and what its linker adds; DWARF has
		* no place for generated code */
	ALIAS, /* another of the symbols at the same address */
	FOREIGN, /* a fault of the peer's, see where it is allowed */
	UNEXPLAINED,
	N_CAUSES,
};

struct comparison {
	const char *path;
	const char *stripped; /* the same without debug data, that we are asked of; or NULL */
	/* addr2line takes the symbol's name for an inlined function that has no mangled one, and
	 * gives padding the name before it. */
	bool is_addr2line;
	bool is_old; /* made by an older Go */
	bool is_bare; /* no symbols at all, and nothing but Go */
	unsigned int count[N_CAUSES];
	unsigned int inlined; /* agreed answers with an inlined call */
};

static inline size_t text_addresses(const struct comparison *c, uint64_t step, uint64_t **addresses)
{
	uint64_t start, size;
	size_t n = 0;
	FILE *out = fopen("addresses", "w");

	text_of(c->path, &start, &size);
	if (c->stripped && !c->is_bare) { /* Go knows nothing of C's code */
		start = value_of(c->path, "runtime.text");
		size = value_of(c->path, "runtime.etext") - start;
	}
	*addresses = calloc(size / step + 1, sizeof(**addresses));
	assert_non_null(*addresses);
	assert_non_null(out);
	for (uint64_t at = 0; at < size; at += step) {
		fprintf(out, "0x%" PRIx64 "\n", start + at);
		(*addresses)[n++] = start + at;
	}
	fclose(out);
	return n;
}

/* Cuts "FILE:LINE[:COLUMN][ (discriminator N)]"; "?" is no line, "??" no file. */
static inline void cut_place(char *text, struct peer_frame *frame)
{
	char *colon, *end = strstr(text, " (discriminator");

	frame->discriminator =
		end ? (uint32_t)strtoul(end + strlen(" (discriminator"), NULL, 10) : 0;
	if (end)
		*end = '\0';
	colon = strrchr(text, ':');
	assert_non_null(colon);
	*colon = '\0';
	frame->line = (uint32_t)strtoul(colon + 1, NULL, 10);
	frame->file = strcmp(text, "??") ? text : text + 2;
}

/* Reads what a peer printed: "0x…" for each address, then pairs of lines. */
static inline void read_peer(char *text, struct peer_answer *answers, size_t n)
{
	char *line, *rest, *function = NULL;
	size_t at = 0;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!function && !strncmp(line, "0x", 2)) {
			at++;
			continue;
		}
		assert_in_range(at, 1, n);
		if (!function) {
			function = line;
			continue;
		}
		struct peer_answer *a = &answers[at - 1];

		assert_in_range(a->n, 0, MAX_FRAMES - 1);
		cut_place(line, &a->frames[a->n]);
		a->frames[a->n++].name = function;
		function = NULL;
	}
	assert_int_equal(at, n);
}

/* A path without ".", ".." and empty parts, part by part. */
static inline void simplify(const char *path, char *out, size_t size)
{
	char copy[4096], *parts[512], *part, *rest;
	size_t n = 0;

	snprintf(copy, sizeof(copy), "%s", path);
	for (part = strtok_r(copy, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
		if (!strcmp(part, ".."))
			n -= n > 0;
		else if (strcmp(part, ".") && n < 512)
			parts[n++] = part;
	}
	*out = '\0';
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(out);

		snprintf(out + length, size - length, "%s%s", i || *path == '/' ? "/" : "",
			 parts[i]);
	}
}

static inline bool same_file(const char *ours, const char *theirs)
{
	char simple[4096];

	simplify(theirs, simple, sizeof(simple));
	return !strcmp(ours, simple);
}

static inline bool is_alias(const char *path, const char *ours, const char *theirs)
{
	static char last[8192];
	char command[8192];

	/* one pair comes for many addresses in turn */
	snprintf(command, sizeof(command),
		 "readelf -sW %s | awk -v a='%s' -v b='%s' '$8 == a { x[$2] } $8 == b { y[$2] } "
		 "END { for (at in x) if (at in y) found = 1; exit !found }'",
		 path, ours, theirs);
	if (!strcmp(last, command))
		return true;
	if (system(command))
		return false;
	memcpy(last, command, sizeof(last));
	return true;
}

/* Whether ours is "name[...]" of "name[argument,…]", or "name" of "name.abi0". */
static inline bool is_short(const char *ours, const char *theirs)
{
	size_t same = strcspn(ours, "[");

	if (strncmp(ours, theirs, same))
		return false;
	if (strncmp(ours + same, "[...]", 5))
		return !ours[same] && !strcmp(theirs + same, ".abi0");
	ours += same + 5;
	theirs = strrchr(theirs, ']');
	return theirs && !strcmp(ours, theirs + 1);
}

/* Equal but for the dot before the number of a local type, which DWARF has as another one. */
static inline bool is_spelled(const char *ours, const char *theirs)
{
	for (; *ours && *theirs; ours++, theirs++) {
		if (!strncmp(ours, "·", strlen("·")) && *theirs == '.')
			ours += strlen("·") - 1;
		else if (*ours != *theirs)
			return false;
	}
	return *ours == *theirs;
}

static inline enum cause compare_frame(const struct comparison *c, const struct answer_frame *ours,
				       const struct peer_frame *theirs, bool physical)
{
	size_t length = strlen(theirs->name);

	if (c->stripped && !strcmp(ours->file, "<autogenerated>") && ours->line == 1 &&
	    (!theirs->line || strstr(theirs->file, "<autogenerated>")) &&
	    (is_spelled(ours->linkage, theirs->name) || is_short(ours->linkage, theirs->name)))
		return SHORT;
	if (ours->line != theirs->line || !same_file(ours->file, theirs->file))
		return !ours->line && !theirs->line && !*ours->file ? SYMBOL_FILE : UNEXPLAINED;
	if (!strcmp(ours->linkage, theirs->name))
		return SAME;
	if (physical && !strncmp(ours->linkage, theirs->name, length) &&
	    ours->linkage[length] == '.')
		return CLONE;
	if (physical && !strncmp(ours->linkage, "_Z", 2) && strncmp(theirs->name, "_Z", 2))
		return CLONE;
	if (c->stripped && is_short(ours->linkage, theirs->name))
		return SHORT;
	if (c->is_addr2line && strncmp(ours->linkage, "_", 1))
		return FOREIGN;
	if (physical && is_alias(c->path, ours->linkage, theirs->name))
		return ALIAS;
	return UNEXPLAINED;
}

static inline enum cause compare_answer(const struct comparison *c, const struct answer *ours,
					const struct peer_answer *theirs)
{
	enum cause worst = SAME;
	bool named = true;

	if (!ours->n && theirs->n == 1 &&
	    (!strcmp(theirs->frames[0].name, "??") || c->is_addr2line))
		return strcmp(theirs->frames[0].name, "??") || theirs->frames[0].line ? NO_FUNCTION
										      : SAME;
	/* DWARF may not tell of what Go's compiler inlined into a wrapper that it made. */
	if (c->stripped && ours->n > 1 && theirs->n == 1 &&
	    !strcmp(ours->frames[ours->n - 1].file, "<autogenerated>") &&
	    !strcmp(ours->frames[ours->n - 1].linkage, theirs->frames[0].name) &&
	    ours->frames[0].line == theirs->frames[0].line)
		return FOREIGN;
	if (ours->n != theirs->n)
		return UNEXPLAINED;
	for (size_t i = 0; i < ours->n; i++) {
		enum cause cause =
			compare_frame(c, &ours->frames[i], &theirs->frames[i], i + 1 == ours->n);

		named &= !strcmp(ours->frames[i].linkage, theirs->frames[i].name);
		if (cause > worst)
			worst = cause;
	}
	/* A few lines are others in older DWARF, some behind the file's end; Go's addr2line has ours. */
	return worst == UNEXPLAINED && named && c->is_old ? FOREIGN : worst;
}

static inline void show(uint64_t address, const struct answer *ours,
			const struct peer_answer *theirs)
{
	print_message("%#" PRIx64 "\n", address);
	for (size_t i = 0; i < ours->n; i++)
		print_message("\tours   %s %s:%u (%u)\n", ours->frames[i].linkage,
			      ours->frames[i].file, ours->frames[i].line,
			      ours->frames[i].discriminator);
	for (size_t i = 0; i < theirs->n; i++)
		print_message("\ttheirs %s %s:%u (%u)\n", theirs->frames[i].name,
			      theirs->frames[i].file, theirs->frames[i].line,
			      theirs->frames[i].discriminator);
}

#endif
