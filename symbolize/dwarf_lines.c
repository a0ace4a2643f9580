// SPDX-License-Identifier: BSD-2-Clause
/* The head of a line table (DWARF 2 to 5, chapter 6.2.4): its directories, files, and where its program is. */
#include "symbolize/dwarf_lines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_lines_private.h"
#include "symbolize/dwarf_section.h"

#define MAX_FORMATS 16

struct format {
	uint64_t content, form;
};

/* The forms that the standard allows for a text; all else is read as a number, or passed. */
static const char *read_text(const struct dwarf_lines_source *s, struct dwarf_bytes *b,
			     uint64_t form, unsigned int offset_size)
{
	struct dwarf_bytes strings;

	switch (form) {
	case DW_FORM_string:
		return bytes_string(b);
	case DW_FORM_line_strp:
		strings = s->line_strings;
		break;
	case DW_FORM_strp:
		strings = s->strings;
		break;
	default:
		b->at = NULL;
		return NULL;
	}
	bytes_skip(&strings, bytes_number(b, offset_size));
	return bytes_string(&strings);
}

static uint64_t read_number(struct dwarf_bytes *b, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
		return bytes_number(b, 1);
	case DW_FORM_data2:
		return bytes_number(b, 2);
	case DW_FORM_data4:
		return bytes_number(b, 4);
	case DW_FORM_data8:
		return bytes_number(b, 8);
	case DW_FORM_data16:
		bytes_skip(b, DWARF_MD5_SIZE);
		return 0;
	case DW_FORM_udata:
		return bytes_unsigned(b);
	case DW_FORM_block:
		bytes_skip(b, bytes_unsigned(b));
		return 0;
	default:
		b->at = NULL;
		return 0;
	}
}

static bool add_file(struct dwarf_lines *l, const struct lines_file *file)
{
	if (l->n_files == l->files_size) {
		size_t size = l->files_size ? 2 * l->files_size : 64;
		struct lines_file *more = reallocarray(l->files, size, sizeof(*more));

		if (!more)
			return false;
		l->files = more;
		l->files_size = size;
	}
	l->files[l->n_files++] = *file;
	return true;
}

static bool add_directory(struct dwarf_lines *l, const char *name)
{
	if (l->n_directories == l->directories_size) {
		size_t size = l->directories_size ? 2 * l->directories_size : 64;
		const char **more = reallocarray(l->directories, size, sizeof(*more));

		if (!more)
			return false;
		l->directories = more;
		l->directories_size = size;
	}
	l->directories[l->n_directories++] = name;
	return true;
}

/* DWARF 2 to 4: lists that an empty name ends. Files are counted from 1, directory 0 is the compiler's. */
static int read_old_names(struct dwarf_lines *l, struct dwarf_bytes *b, const char *directory)
{
	struct lines_file file = { 0 };
	const char *name;

	if (!add_directory(l, directory) || !add_file(l, &file))
		return -ENOMEM;
	while ((name = bytes_string(b)) && *name)
		if (!add_directory(l, name))
			return -ENOMEM;
	while ((file.name = bytes_string(b)) && *file.name) {
		file.directory = bytes_unsigned(b);
		bytes_unsigned(b); /* time */
		bytes_unsigned(b); /* size */
		if (b->at && !add_file(l, &file))
			return -ENOMEM;
	}
	return 0;
}

static int read_entry(struct dwarf_lines *l, const struct dwarf_lines_source *source,
		      struct dwarf_bytes *b, const struct format *formats, size_t n_formats,
		      bool files)
{
	struct lines_file file = { 0 };

	for (size_t i = 0; i < n_formats; i++) {
		uint64_t form = formats[i].form;

		if (formats[i].content == DW_LNCT_path)
			file.name = read_text(source, b, form, l->offset_size);
		else if (formats[i].content == DW_LNCT_directory_index)
			file.directory = read_number(b, form);
		else if (form == DW_FORM_string || form == DW_FORM_line_strp ||
			 form == DW_FORM_strp)
			read_text(source, b, form, l->offset_size);
		else {
			if (formats[i].content == DW_LNCT_MD5 && form == DW_FORM_data16)
				file.md5 = b->at;
			read_number(b, form);
		}
	}
	if (!b->at)
		return -ENOEXEC;
	return (files ? add_file(l, &file) : add_directory(l, file.name)) ? 0 : -ENOMEM;
}

/* DWARF 5: what an entry consists of, then the entries. Both count from 0. */
static int read_entries(struct dwarf_lines *l, const struct dwarf_lines_source *source,
			struct dwarf_bytes *b, bool files)
{
	size_t n_formats = bytes_number(b, 1);
	struct format formats[MAX_FORMATS];
	uint64_t n;
	int err = 0;

	if (n_formats > MAX_FORMATS)
		return -ENOEXEC;
	for (size_t i = 0; i < n_formats; i++) {
		formats[i].content = bytes_unsigned(b);
		formats[i].form = bytes_unsigned(b);
	}
	n = bytes_unsigned(b);
	/* Each takes a byte at least. */
	if (!b->at || (n && !n_formats) || n > (uint64_t)(b->end - b->at))
		return -ENOEXEC;
	for (uint64_t i = 0; i < n && !err; i++)
		err = read_entry(l, source, b, formats, n_formats, files);
	return err;
}

static int read_names(struct dwarf_lines *l, const struct dwarf_lines_source *source,
		      struct dwarf_bytes *b)
{
	int err;

	if (l->version < 5)
		return read_old_names(l, b, source->directory);
	err = read_entries(l, source, b, false);
	return err ? err : read_entries(l, source, b, true);
}

static int read_head(struct dwarf_lines *l, struct dwarf_bytes *b)
{
	uint64_t length = bytes_number(b, 4);
	const unsigned char *names_end;

	l->offset_size = length == UINT32_MAX ? 8 : 4;
	if (length == UINT32_MAX)
		length = bytes_number(b, 8);
	if (b->at && length < (uint64_t)(b->end - b->at))
		b->end = b->at + length;
	l->version = (unsigned int)bytes_number(b, 2);
	if (l->version < 2 || l->version > 5)
		return -ENOEXEC;
	if (l->version >= 5)
		bytes_skip(b,
			   2); /* the sizes of addresses, which each one tells, and of segments */
	length = bytes_number(b, l->offset_size);
	if (!b->at || length > (uint64_t)(b->end - b->at))
		return -ENOEXEC;
	names_end = b->at + length;
	l->program = (struct dwarf_bytes){ names_end, b->end };
	l->unit_length = (uint8_t)bytes_number(b, 1);
	l->units = l->version >= 4 ? (uint8_t)bytes_number(b, 1) : 1;
	bytes_skip(b, 1); /* default of is_stmt */
	l->line_base = (int8_t)bytes_number(b, 1);
	l->line_range = (uint8_t)bytes_number(b, 1);
	l->opcode_base = (uint8_t)bytes_number(b, 1);
	l->lengths = b->at;
	bytes_skip(b, l->opcode_base ? l->opcode_base - 1u : 0);
	b->end = names_end;
	return b->at && b->at <= b->end && l->opcode_base && l->line_range ? 0 : -ENOEXEC;
}

int dwarf_lines_read(const struct dwarf_lines_source *source, struct dwarf_lines **lines)
{
	struct dwarf_lines *l = calloc(1, sizeof(*l));
	struct dwarf_bytes b = source->table;
	int err;

	if (!l)
		return -ENOMEM;
	err = read_head(l, &b);
	if (!err)
		err = read_names(l, source, &b);
	if (err) {
		dwarf_lines_free(l);
		return err;
	}
	*lines = l;
	return 0;
}

int dwarf_lines_new(Dwarf_Die *unit, struct dwarf_lines **lines)
{
	struct dwarf_lines_source source = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	if (!dwarf_attr(unit, DW_AT_stmt_list, &attr) || dwarf_formudata(&attr, &offset))
		return -ENOENT;
	source.table = dwarf_section_at(unit, "line", offset);
	if (!source.table.at)
		return -ENOENT;
	source.line_strings = dwarf_section_at(unit, "line_str", 0);
	source.strings = dwarf_section_at(unit, "str", 0);
	if (dwarf_attr(unit, DW_AT_comp_dir, &attr))
		source.directory = dwarf_formstring(&attr);
	return dwarf_lines_read(&source, lines);
}

void dwarf_lines_free(struct dwarf_lines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_files; i++)
		free(l->files[i].path);
	free(l->files);
	free(l->directories);
	free(l);
}

const char *dwarf_lines_file(struct dwarf_lines *l, uint64_t number)
{
	struct lines_file *f = l && number < l->n_files ? &l->files[number] : NULL;
	const char *directory;

	if (!f || !f->name || !*f->name)
		return NULL;
	directory = f->directory < l->n_directories ? l->directories[f->directory] : NULL;
	if (*f->name == '/' || !directory)
		return f->name;
	if (!f->path && asprintf(&f->path, "%s/%s", directory, f->name) < 0)
		f->path = NULL;
	return f->path;
}

const unsigned char *dwarf_lines_md5(const struct dwarf_lines *l, uint64_t number)
{
	return l && number < l->n_files ? l->files[number].md5 : NULL;
}
