// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/listing.h"
#include "formats/listing_write.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "user/message.h"
#include "user/report_listing.h"
#include "user/source_file.h"

#define NEAR_NAMES 5

struct view {
	const struct profile *p;
	const char *folder;
	struct listing_writer *w;
};

/* The rows of a function in one file. */
struct part {
	const struct listing_function *function;
	const struct listing_row *rows;
	uint32_t n;
};

void report_say_unknown(const struct profile *p, const char *name)
{
	const char *names[NEAR_NAMES];
	int n = listing_near_names(p, name, names, NEAR_NAMES);
	char list[1024] = "", shown[200];
	size_t used = 0;

	for (int i = 0; i < n && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s'%s'",
					 i ? ", " : ": is it one of ",
					 printable(names[i], shown, sizeof(shown)));
	error("no function '%s' in the profile%s", printable(name, shown, sizeof(shown)),
	      n > 0 ? list : ": profbpf report lists them");
}

static bool has_lines(const struct listing *l)
{
	for (uint32_t i = 0; i < listing_count(l); i++) {
		const struct listing_function *f = listing_function(l, i);

		for (uint32_t j = 0; j < f->n_rows; j++) {
			if (f->rows[j].line)
				return true;
		}
	}
	return false;
}

int report_source_find(const struct profile *p, const char *name, struct listing **listing)
{
	char shown[200];
	struct listing *l;
	int err = listing_new(p, name, LISTING_LINES, &l);

	if (err == -ENOENT)
		report_say_unknown(p, name);
	if (err)
		return err;
	if (!has_lines(l)) {
		error("no lines are known of '%s': record again with its debug data installed, or "
		      "use --asm",
		      printable(name, shown, sizeof(shown)));
		listing_free(l);
		return -ENOENT;
	}
	*listing = l;
	return 0;
}

__attribute__((format(printf, 2, 3))) static int add_note(struct view *v, const char *format, ...)
{
	va_list args;
	char *text;
	int n, err;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	err = listing_write_note(v->w, text);
	free(text);
	return err;
}

static int explain(struct view *v, const char *path, int err)
{
	switch (err) {
	case -ENOENT:
		return add_note(v, "%s is not here: name a folder of its tree with --source-dir",
				path);
	case -ESTALE:
		return add_note(v,
				"%s has other contents than what was compiled (its MD5 checksum "
				"differs), so no text is shown",
				path);
	case -EFBIG:
		return add_note(v, "%s is too large (over %u MiB or %u lines), so no text is shown",
				path, SOURCE_FILE_MAX >> 20, SOURCE_LINES_MAX);
	case -ENOTSUP:
		return add_note(v, "%s is not a regular file, so no text is shown", path);
	default:
		return add_note(v, "%s can not be read: %s", path, strerror(-err));
	}
}

/* The text of a part's file, NULL with a note where it can not be shown. */
static int find_text(struct view *v, const struct part *part, struct source_file **file)
{
	uint32_t object = part->function->object;
	const char *path = part->rows[0].file;
	const struct profile_source *source =
		object == PROFILE_NONE ? NULL : profile_find_source(v->p, object, path);
	uint64_t modified = object == PROFILE_NONE ? 0 : profile_object(v->p, object)->modified_ns;
	const struct source_query query = {
		.path = path,
		.folder = v->folder,
		.md5 = source ? source->md5 : NULL,
		.built_ns = modified ? modified : profile_config(v->p)->time_ns,
	};
	struct source_file *f = NULL;
	int err = source_file_read(&query, &f);

	*file = NULL;
	if (err)
		return err == -ENOMEM ? err : explain(v, path, err);
	if (strcmp(f->path, path) != 0)
		err = add_note(v, "text from %s", f->path);
	if (!err && f->n < part->rows[part->n - 1].line) {
		err = add_note(
			v, "%s has %" PRIu32 " lines only: another file, whose text is not shown",
			f->path, f->n);
		source_file_free(f);
		return err;
	}
	if (!err && f->newer)
		err = add_note(v, "%s is newer than %s: lines may have moved", f->path,
			       modified ? "the program" : "the recording");
	if (err) {
		source_file_free(f);
		return err;
	}
	*file = f;
	return 0;
}

/* Where the function begins, if that can be told from the lines that have counts. */
static bool begins_at(const struct part *part, uint32_t line)
{
	return line == part->function->start_line && line <= part->rows[0].line;
}

static int write_part(struct view *v, const struct part *part)
{
	struct source_file *file;
	int err = find_text(v, part, &file);
	size_t n = file ? file->n : part->n;
	struct listing_line *lines;
	uint32_t next = 0;

	if (err)
		return err;
	lines = calloc(n + 1, sizeof(*lines));
	if (!lines) {
		source_file_free(file);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t line = file ? (uint32_t)i + 1 : part->rows[i].line;

		snprintf(lines[i].place, sizeof(lines[i].place), "%" PRIu32, line);
		lines[i].keep = begins_at(part, line);
		if (file)
			lines[i].text = file->lines[i];
		if (next < part->n && part->rows[next].line == line)
			lines[i].row = &part->rows[next++];
	}
	err = listing_write_lines(v->w, part->rows[0].file, lines, n);
	free(lines);
	source_file_free(file);
	return err;
}

/* Code of the function whose line or file is not known. */
static int write_unknown(struct view *v, const struct listing_row *row)
{
	const struct listing_line line = { .place = "-", .text = "(no line)", .row = row };

	return listing_write_lines(v->w, *row->file ? row->file : "[no file]", &line, 1);
}

static int write_function(struct view *v, const struct listing_function *f)
{
	int err = listing_write_function(v->w, f);

	for (uint32_t i = 0, next; !err && i < f->n_rows; i = next) {
		struct part part = { f, &f->rows[i], 1 };

		next = i + 1;
		if (!part.rows[0].line || !*part.rows[0].file) {
			err = write_unknown(v, part.rows);
			continue;
		}
		while (next < f->n_rows && f->rows[next].file == part.rows[0].file)
			next++;
		part.n = next - i;
		err = write_part(v, &part);
	}
	return err;
}

int report_listing_end(struct listing_writer *w, const struct listing *l, FILE *out)
{
	uint32_t n = listing_count(l);
	int err = 0;

	errno = 0;
	if (n > LISTING_FUNCTIONS)
		fprintf(out, "\n%" PRIu32 " more functions have the name: give more of it\n",
			n - LISTING_FUNCTIONS);
	if (ferror(out) || fflush(out) != 0)
		err = errno ? -errno : -EIO;
	listing_writer_free(w);
	return err;
}

int report_source_write(const struct profile *p, const struct listing *l, const char *folder,
			const struct table_options *o, FILE *out)
{
	struct view v = { .p = p, .folder = folder };
	uint32_t n = listing_count(l);
	int err = listing_writer_new(p, o, out, &v.w);

	if (!err)
		err = listing_write_header(v.w);
	for (uint32_t i = 0; !err && i < n && i < LISTING_FUNCTIONS; i++)
		err = write_function(&v, listing_function(l, i));
	if (err) {
		listing_writer_free(v.w);
		return err;
	}
	return report_listing_end(v.w, l, out);
}
