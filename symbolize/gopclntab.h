/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a Go object as its own runtime knows them: they are there in stripped programs too,
 * and in shared libraries. All addresses are in the object's own address space.
 */
#ifndef PROFBPF_GOPCLNTAB_H
#define PROFBPF_GOPCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gopclntab;

/*
 * Reads the table of an open ELF file, in the forms of Go 1.2 to 1.26; inlined calls are known since 1.13. The descriptor stays the
 * caller's and must stay open while the table is used: inlined calls are read when asked for. Returns
 * 0; -ENOENT: no such table; -ENOEXEC: damaged, or no ELF file; -EFBIG; -ENOMEM; -errno.
 */
int gopclntab_read(int fd, struct gopclntab **table);
/* Accepts NULL. */
void gopclntab_free(struct gopclntab *t);

/* Strings live as long as the table. */
struct gopclntab_function {
	const char *name;
	uint64_t start, end;
	uint32_t start_line; /* 0: unknown */
};

size_t gopclntab_count(const struct gopclntab *t);
/* Function i; -ENOEXEC where its entry is damaged. */
int gopclntab_function(const struct gopclntab *t, size_t i, struct gopclntab_function *f);

/* How something changes over the code of a function, piece by piece. */
struct gopclntab_pieces {
	const uint8_t *next, *end;
	uint64_t offset; /* of the piece's end, from the function's start */
	int32_t value; /* in the piece */
};

/* How far the stack pointer has moved since the call, in function i; of a damaged one no pieces. */
struct gopclntab_pieces gopclntab_stack(const struct gopclntab *t, size_t i);
/* Goes on to the next piece; false at the end. */
bool gopclntab_next(struct gopclntab_pieces *p);

struct gopclntab_frame {
	const char *name, *file; /* file NULL: unknown */
	uint32_t line, start_line; /* 0: unknown */
};

/*
 * The function at an address, and what is inlined there: the innermost first, the function last. start
 * is set to its first address. Returns the number of frames, at most max, 0 if the table has none.
 */
size_t gopclntab_frames(struct gopclntab *t, uint64_t address, struct gopclntab_frame *frames,
			size_t max, uint64_t *start);

#endif
