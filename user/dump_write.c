// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/profile.h"
#include "formats/text.h"
#include "user/capture/procfs.h"
#include "user/dump.h"

/* A line of a location: of a function inlined there, or of the physical one. */
struct shown_frame {
	const struct profile_location *location;
	const struct profile_function *function; /* NULL: unnamed */
	uint32_t id, index, line, column;
	bool inlined;
};

struct writer {
	const struct dump *d;
	const struct dump_style *style;
	FILE *out;
	struct text text;
};

static struct shown_frame frame_at(const struct profile *p, uint32_t id, uint32_t index)
{
	struct shown_frame f = { .location = profile_location(p, id), .id = id, .index = index };

	if (f.location->n_lines) {
		f.function = profile_function(p, f.location->lines[index].function);
		f.line = f.location->lines[index].line;
		f.column = f.location->lines[index].column;
		f.inlined = index + 1 < f.location->n_lines;
	}
	return f;
}

typedef int (*write_frame)(struct writer *w, const struct shown_frame *f, bool first);

/* Calls write for the frames that are wanted; *more are left out. */
static int each_frame(struct writer *w, uint32_t stack_id, write_frame write, uint32_t *more)
{
	struct profile_stack stack = profile_stack(w->d->profile, stack_id);
	uint32_t shown = 0, i, j;
	int err = 0;

	*more = 0;
	for (i = 0; i < stack.n; i++) {
		uint32_t id = stack.locations[i];
		const struct profile_location *l = profile_location(w->d->profile, id);
		uint32_t n = l->n_lines;

		if (w->style->no_kernel && (l->flags & PROFILE_LOCATION_KERNEL))
			continue;
		for (j = 0; j < (n ? n : 1) && !err; j++) {
			struct shown_frame f = frame_at(w->d->profile, id, j);

			if (w->style->max_depth && shown >= w->style->max_depth)
				++*more;
			else
				err = write(w, &f, !shown++);
		}
	}
	return err;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static const char *object_of(const struct writer *w, const struct profile_location *l)
{
	if (l->object != PROFILE_NONE)
		return profile_object(w->d->profile, l->object)->path;
	if (l->flags & PROFILE_LOCATION_KERNEL)
		return "[kernel]";
	return l->flags & PROFILE_LOCATION_TRUNCATED ? "" : "[anon]";
}

/* s fit for a terminal and for JSON; belongs to w until the next call. NULL when out of memory. */
static const char *clean(struct writer *w, const char *s)
{
	text_clear(&w->text);
	return text_add_clean(&w->text, s) ? NULL : w->text.s;
}

static int put(struct writer *w, const char *before, const char *s, const char *after)
{
	const char *shown = clean(w, s);

	if (shown)
		fprintf(w->out, "%s%s%s", before, shown, after);
	return shown ? 0 : -ENOMEM;
}

const char *dump_state(const struct dump_thread *thread)
{
	/* TASK_… of the kernel's include/linux/sched.h. */
	if (thread->running)
		return "running";
	if (!thread->state)
		return "waiting";
	if (thread->state & 1)
		return "sleeping";
	if (thread->state & 2)
		return "uninterruptible";
	if (thread->state & 4)
		return "stopped";
	return thread->state & 8 ? "traced" : "ending";
}

/* The system call's name, NULL for one that is newer than this program. */
static const char *call_name(int32_t number)
{
	static const char *const names[] = {
#include "syscalls.h"
	};

	return number >= 0 && (size_t)number < sizeof(names) / sizeof(names[0]) ? names[number]
										: NULL;
}

const char *dump_wait(const struct dump *d, const struct dump_thread *thread, char *buf,
		      size_t size)
{
	char path[64], *wchan;
	const char *call;

	buf[0] = '\0';
	if (thread->running || thread->stack == PROFILE_NONE || !thread->state)
		return buf;
	/* 32-bit code counts them otherwise. */
	call = profile_stack(d->profile, thread->stack).end == PROFILE_END_COMPAT
		       ? NULL
		       : call_name(thread->call);
	if (call) {
		snprintf(buf, size, "%s", call);
		return buf;
	}
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/wchan", d->pid,
		 thread->tid);
	wchan = proc_read(path);
	if (wchan && strcmp(wchan, "0") != 0)
		snprintf(buf, size, "%s", wchan);
	free(wchan);
	return buf;
}

/* --- text --- */

static int text_frame(struct writer *w, const struct shown_frame *f, bool first)
{
	const char *object = object_of(w, f->location);
	char name[256];
	int err = put(w, "  ",
		      f->function ? f->function->name
				  : profile_line_name(w->d->profile, f->id, 0, name, sizeof(name)),
		      f->location->flags & PROFILE_LOCATION_GUESS ? " ?" : "");

	if (!err && f->function && *f->function->file) {
		err = put(w, " (",
			  w->style->paths ? f->function->file : base_name(f->function->file), "");
		if (f->line)
			fprintf(w->out, ":%" PRIu32, f->line);
		if (f->line && f->column && w->style->paths)
			fprintf(w->out, ":%" PRIu32, f->column);
		putc(')', w->out);
	}
	/* The kernel's objects and those without a file are in brackets already. */
	if (!err && object[0] == '[')
		err = put(w, " ", object, "");
	else if (!err && *object)
		err = put(w, " [", w->style->paths ? object : base_name(object), "]");
	fputs(f->inlined ? " (inlined)\n" : "\n", w->out);
	return err;
}

static int text_stack(struct writer *w, uint32_t id)
{
	uint32_t end = profile_stack(w->d->profile, id).end, more;
	int err = each_frame(w, id, text_frame, &more);

	if (more)
		fprintf(w->out, "  (%" PRIu32 " more)\n", more);
	else if (end != PROFILE_END_ROOT)
		fprintf(w->out, "  (not to the root: %s)\n", profile_end_text(end));
	return err;
}

static int text_thread(struct writer *w, const struct dump_thread *t)
{
	char wait[128];
	int err;

	fprintf(w->out, "\nThread %" PRIu32, t->tid);
	err = put(w, " \"", t->name, "\" (");
	fputs(!t->running && !t->state ? "waiting for a CPU" : dump_state(t), w->out);
	if (!err && *dump_wait(w->d, t, wait, sizeof(wait)))
		err = put(w, " in ", wait, "");
	fputs(")\n", w->out);
	if (t->stack == PROFILE_NONE)
		fputs("  (no tick came while it was on a CPU)\n", w->out);
	return err || t->stack == PROFILE_NONE ? err : text_stack(w, t->stack);
}

int dump_write_text(const struct dump *d, const struct dump_style *style, FILE *out)
{
	struct writer w = { .d = d, .style = style, .out = out };
	size_t i;
	int err;

	fprintf(out, "Process %" PRIu32, d->pid);
	err = put(&w, " \"", d->name, "\"");
	if (!err && *d->exe)
		err = put(&w, " ", d->exe, "");
	fprintf(out, ", %zu thread%s\n", d->n, d->n == 1 ? "" : "s");
	for (i = 0; i < d->n && !err; i++)
		err = text_thread(&w, &d->threads[i]);
	text_free(&w.text);
	return err;
}

/* --- JSON --- */

static int json_after(struct writer *w, const char *before, const char *s)
{
	fputs(before, w->out);
	return json_string(w->out, s);
}

static const char *json_bool(bool value)
{
	return value ? "true" : "false";
}

static int json_frame(struct writer *w, const struct shown_frame *f, bool first)
{
	uint32_t flags = f->location->flags;
	char name[4096];
	int err = json_after(
		w, first ? "\n{\"function\":" : ",\n{\"function\":",
		f->function ? f->function->name
			    : profile_line_name(w->d->profile, f->id, 0, name, sizeof(name)));

	if (!err)
		err = json_after(w,
				 ",\"system_name\":", f->function ? f->function->system_name : "");
	if (!err)
		err = json_after(w, ",\"file\":", f->function ? f->function->file : "");
	fprintf(w->out, ",\"line\":%" PRIu32 ",\"column\":%" PRIu32, f->line, f->column);
	if (!err)
		err = json_after(w, ",\"object\":", object_of(w, f->location));
	fprintf(w->out, ",\"address\":%" PRIu64, f->location->address);
	fprintf(w->out, ",\"named\":%s,\"kernel\":%s,\"inlined\":%s,\"guess\":%s}",
		json_bool(f->function), json_bool(flags & PROFILE_LOCATION_KERNEL),
		json_bool(f->inlined), json_bool(flags & PROFILE_LOCATION_GUESS));
	return err;
}

static int json_thread(struct writer *w, const struct dump_thread *t)
{
	char wait[128];
	uint32_t more = 0;
	int err;

	fprintf(w->out, "{\"tid\":%" PRIu32, t->tid);
	err = json_after(w, ",\"name\":", t->name);
	fprintf(w->out, ",\"state\":\"%s\"", dump_state(t));
	if (!err)
		err = json_after(w, ",\"wait\":", dump_wait(w->d, t, wait, sizeof(wait)));
	if (t->stack == PROFILE_NONE)
		fputs(",\"end\":null", w->out);
	else
		fprintf(w->out, ",\"end\":\"%s\"",
			profile_end_id(profile_stack(w->d->profile, t->stack).end));
	fputs(",\"frames\":[", w->out);
	if (!err && t->stack != PROFILE_NONE)
		err = each_frame(w, t->stack, json_frame, &more);
	fprintf(w->out, "],\"more_frames\":%" PRIu32 "}", more);
	return err;
}

int dump_write_json(const struct dump *d, const struct dump_style *style, FILE *out)
{
	struct writer w = { .d = d, .style = style, .out = out };
	size_t i;
	int err;

	fprintf(out, "{\"format\":\"profbpf-dump\",\n\"format_version\":1,\n\"pid\":%" PRIu32,
		d->pid);
	err = json_member(out, "name", d->name);
	if (!err)
		err = json_member(out, "exe", d->exe);
	fprintf(out, ",\n\"time_ns\":%" PRIu64 ",\n\"threads\":[", d->time_ns);
	for (i = 0; i < d->n && !err; i++) {
		fputs(i ? ",\n" : "\n", out);
		err = json_thread(&w, &d->threads[i]);
	}
	fputs("]}\n", out);
	text_free(&w.text);
	return err;
}
