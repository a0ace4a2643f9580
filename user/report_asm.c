// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/listing.h"
#include "formats/listing_write.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "symbolize/regular.h"
#include "symbolize/symbolize.h"
#include "user/disassemble.h"
#include "user/message.h"
#include "user/report_listing.h"
#include "user/verb.h"

/* What may follow an address in an instruction, where the function's end is not known. */
#define LONGEST_INSTRUCTION 16

struct piece {
	uint64_t start, end;
	struct disassembly code;
};

/* A function's code: in one piece, or in several that the compiler has taken apart. */
struct asm_function {
	const struct listing_function *function;
	struct piece *pieces;
	uint32_t n;
	char *note; /* why there is none; NULL: there is */
};

struct report_asm {
	const struct profile *p;
	struct listing *listing;
	struct asm_function functions[LISTING_FUNCTIONS];
	uint32_t n;
};

/* Notes why there are no instructions. */
#define NOTE(function, ...) (asprintf(&(function)->note, __VA_ARGS__) < 0 ? -ENOMEM : 0)

/* Opens the object's file if it is the one that was profiled; -1 with a note if not. */
static int open_object(struct asm_function *f, const struct profile_object *o, int *fd)
{
	struct elf_shape shape;
	struct stat st;
	bool same;

	*fd = -1;
	if (o->kind != PROFILE_OBJECT_FILE || o->unopened)
		return NOTE(f, "%s is no file that could be read", o->path);
	*fd = regular_open(open(o->path, O_PATH | O_CLOEXEC), &st);
	if (*fd < 0)
		return NOTE(f,
			    "%s is not here, or may not be read: its instructions can not be shown",
			    o->path);
	if (!elf_shape_read(*fd, &shape) && *o->build_id)
		same = strcmp(shape.build_id, o->build_id) == 0;
	else
		same = !*o->build_id && o->inode == st.st_ino && o->device == st.st_dev &&
		       o->modified_ns == regular_modified_ns(&st);
	if (same)
		return 0;
	close(*fd);
	*fd = -1;
	return NOTE(f, "%s is not the file that was profiled (%s): its instructions are not shown",
		    o->path, *o->build_id ? "its build id differs" : "it was changed or replaced");
}

/* The extents of the function's addresses, which are in order, as pieces. */
static int find_pieces(struct asm_function *f, const struct profile_object *o, int fd)
{
	const struct symbol_source source = { .fd = fd, .path = o->path, .root = "" };
	const struct listing_row *rows = f->function->rows;
	uint32_t n = f->function->n_rows;
	struct symbolizer *s = symbolizer_new(NULL);
	uint64_t *addresses = calloc(n + (size_t)1, sizeof(*addresses));
	struct symbol_extent *extents = calloc(n + (size_t)1, sizeof(*extents));
	int err = -ENOMEM;

	f->pieces = calloc(n + (size_t)1, sizeof(*f->pieces));
	if (s && addresses && extents && f->pieces) {
		for (uint32_t i = 0; i < n; i++)
			addresses[i] = rows[i].address;
		err = symbolizer_extents(s, &source, addresses, n, extents);
	}
	for (uint32_t i = 0; !err && i < n; i++) {
		struct piece *last = f->n ? &f->pieces[f->n - 1] : NULL;
		bool sized = extents[i].end > extents[i].start;
		uint64_t end = sized ? extents[i].end : addresses[i] + LONGEST_INSTRUCTION;

		if (last && (addresses[i] < last->end ||
			     (!sized && extents[i].start && extents[i].start == last->start))) {
			last->end = end > last->end ? end : last->end;
			continue;
		}
		/* Without a symbol only an instruction that was executing is sure to begin there. */
		if (!extents[i].start && !rows[i].self[0])
			continue;
		f->pieces[f->n++].start = extents[i].start ? extents[i].start : addresses[i];
		f->pieces[f->n - 1].end = end;
	}
	symbolizer_free(s);
	free(addresses);
	free(extents);
	if (err && err != -ENOMEM)
		return NOTE(f, "%s can not be read: %s", o->path, strerror(-err));
	return err || f->n ? err : NOTE(f, "where its code begins is not known");
}

static int disassemble_piece(struct asm_function *f, struct piece *piece, int fd)
{
	char shown[512];
	int err = disassemble(fd, piece->start, piece->end, &piece->code);

	switch (err) {
	case 0:
	case -ENOMEM:
		return err;
	case -ENOENT:
		return NOTE(f, "no objdump is installed: install binutils, or llvm");
	case -ENOEXEC:
		return NOTE(f, "objdump failed: %s",
			    *piece->code.failure
				    ? printable(piece->code.failure, shown, sizeof(shown))
				    : "it shows no instructions there");
	default:
		return NOTE(f, "objdump failed: %s", strerror(-err));
	}
}

static int add_function(struct report_asm *a, const struct listing_function *function)
{
	struct asm_function *f = &a->functions[a->n++];
	const struct profile_object *o;
	int err, fd;

	f->function = function;
	if (function->object == PROFILE_NONE)
		return NOTE(f, "its code is in no file");
	o = profile_object(a->p, function->object);
	err = open_object(f, o, &fd);
	if (fd < 0)
		return err;
	err = find_pieces(f, o, fd);
	for (uint32_t i = 0; !err && !f->note && i < f->n; i++)
		err = disassemble_piece(f, &f->pieces[i], fd);
	close(fd);
	return err;
}

static int find_function(struct report_asm *a, const char *name)
{
	struct listing *inlined;
	char shown[200];
	int err = listing_new(a->p, name, LISTING_ADDRESSES, &a->listing);

	if (err != -ENOENT)
		return err;
	if (listing_new(a->p, name, LISTING_LINES, &inlined)) {
		report_say_unknown(a->p, name);
		return err;
	}
	listing_free(inlined);
	error("'%s' has no code of its own: it is inlined wherever it was seen: see its callers in "
	      "profbpf report --tree, or use --source",
	      printable(name, shown, sizeof(shown)));
	return err;
}

int report_asm_new(const struct profile *p, const char *name, struct report_asm **result)
{
	struct report_asm *a = calloc(1, sizeof(*a));
	char shown[1024];
	bool any = false;
	int err = a ? 0 : -ENOMEM;

	if (!err) {
		a->p = p;
		err = find_function(a, name);
	}
	for (uint32_t i = 0; !err && i < LISTING_FUNCTIONS && i < listing_count(a->listing); i++) {
		err = add_function(a, listing_function(a->listing, i));
		any = any || (!err && !a->functions[i].note);
	}
	if (!err && any) {
		*result = a;
		return EXIT_DONE;
	}
	if (err == -ENOMEM)
		error("%s", strerror(ENOMEM));
	else if (!err)
		error("%s", printable(a->functions[0].note, shown, sizeof(shown)));
	report_asm_free(a);
	return EXIT_FAILED;
}

/*
 * An instruction has what was counted from its first byte to its last: a return address stands for the
 * call before it.
 */
static int write_piece(struct listing_writer *w, const struct profile *p,
		       const struct asm_function *f, const struct piece *piece)
{
	const struct disassembly *d = &piece->code;
	struct listing_line *lines = calloc(d->n + 1, sizeof(*lines));
	struct listing_row *rows = calloc(d->n + 1, sizeof(*rows));
	uint64_t *starts = calloc(d->n + 1, sizeof(*starts));
	int err = -ENOMEM;

	if (!lines || !rows || !starts)
		goto out;
	for (size_t i = 0; i < d->n; i++)
		starts[i] = d->instructions[i].address;
	err = listing_count_ranges(p, f->function->object, starts, d->n, piece->end, rows);
	if (err)
		goto out;
	for (size_t i = 0; i < d->n; i++) {
		snprintf(lines[i].place, sizeof(lines[i].place), "%" PRIx64, starts[i]);
		lines[i].text = d->instructions[i].text;
		lines[i].keep = i == 0;
		lines[i].row = rows[i].cumulative[0] ? &rows[i] : NULL;
	}
	err = listing_write_lines(w, "address", lines, d->n);
out:
	free(lines);
	free(rows);
	free(starts);
	return err;
}

static bool in_pieces(const struct asm_function *f, uint64_t address)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct piece *piece = &f->pieces[i];

		if (address >= piece->code.instructions[0].address && address < piece->end)
			return true;
	}
	return false;
}

/* Tells of addresses that no symbol covers and that can not be disassembled on their own. */
static int note_rest(struct listing_writer *w, const struct asm_function *f)
{
	const struct listing_function *own = f->function;
	uint32_t left = 0;
	char note[128];

	for (uint32_t i = 0; i < own->n_rows; i++)
		left += !in_pieces(f, own->rows[i].address);
	if (!left)
		return 0;
	snprintf(note, sizeof(note),
		 "%" PRIu32 " of its %" PRIu32 " addresses are not in the code shown", left,
		 own->n_rows);
	return listing_write_note(w, note);
}

static int write_function(struct listing_writer *w, const struct profile *p,
			  const struct asm_function *f)
{
	int err = listing_write_function(w, f->function);

	if (!err && f->note)
		return listing_write_note(w, f->note);
	for (uint32_t i = 0; !err && i < f->n; i++)
		err = write_piece(w, p, f, &f->pieces[i]);
	return err ? err : note_rest(w, f);
}

int report_asm_write(const struct report_asm *a, const struct table_options *o, FILE *out)
{
	struct listing_writer *w = NULL;
	int err = listing_writer_new(a->p, o, out, &w);

	if (!err)
		err = listing_write_header(w);
	for (uint32_t i = 0; !err && i < a->n; i++)
		err = write_function(w, a->p, &a->functions[i]);
	if (err) {
		listing_writer_free(w);
		return err;
	}
	return report_listing_end(w, a->listing, out);
}

void report_asm_free(struct report_asm *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n; i++) {
		for (uint32_t j = 0; j < a->functions[i].n; j++)
			disassembly_free(&a->functions[i].pieces[j].code);
		free(a->functions[i].pieces);
		free(a->functions[i].note);
	}
	listing_free(a->listing);
	free(a);
}
