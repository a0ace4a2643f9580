/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The speedscope file format (https://www.speedscope.app/file-format-schema.json): sampled profiles
 * of aggregated stacks, in the order of the stacks and not of time. Inlined calls are frames of
 * their own. A frame's line is that of its function's declaration, so that a function is one frame.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/frames.h"
#include "formats/text.h"
#include "formats/writers.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"
/* At the root of each stack: its process and its thread. */
#define CONTEXT_FRAMES 2

struct writer {
	const struct profile *p;
	const struct frames *f;
	unsigned int value; /* the type that weighs */
	const char *unit;
	FILE *out;
	/* The file's numbers of frames, and the frames in that order. */
	uint32_t *number, *frames, n_frames;
};

static int write_raw_string(FILE *out, const char *s)
{
	struct text t = { 0 };
	int err = text_add_clean(&t, s);

	if (!err)
		text_write_json(out, t.s);
	text_free(&t);
	return err;
}

/* The time that a sample stands for if there is one, else the default type. */
static void choose_value(struct writer *w)
{
	static const char *const known[] = { "nanoseconds", "microseconds", "milliseconds",
					     "seconds", "bytes" };
	unsigned int n = profile_n_types(w->p);
	const char *unit;

	w->unit = "none";
	if (!n)
		return;
	w->value = n - 1;
	for (unsigned int i = 0; i < n; i++) {
		if (strcmp(profile_type(w->p, i).unit, "nanoseconds") == 0)
			w->value = i;
	}
	unit = profile_type(w->p, w->value).unit;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(unit, known[i]) == 0)
			w->unit = known[i];
	}
}

/*
 * Numbers the frames by their first appearance in the stacks, so that equal profiles are written
 * alike, without the first skip frames of each.
 */
static int number_frames(struct writer *w, uint32_t skip)
{
	uint32_t n = frames_count(w->f);

	w->number = malloc((n + (size_t)1) * sizeof(*w->number));
	w->frames = malloc((n + (size_t)1) * sizeof(*w->frames));
	if (!w->number || !w->frames)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		w->number[i] = PROFILE_NONE;
	for (uint32_t i = 0; i < frames_n_stacks(w->f); i++) {
		struct frame_stack stack = frames_stack(w->f, i);

		for (uint32_t j = skip; j < stack.n; j++) {
			uint32_t id = stack.frames[j];

			if (w->number[id] != PROFILE_NONE)
				continue;
			w->number[id] = w->n_frames;
			w->frames[w->n_frames++] = id;
		}
	}
	return 0;
}

static void write_frames(const struct writer *w)
{
	for (uint32_t i = 0; i < w->n_frames; i++) {
		const struct frame *frame = frames_get(w->f, w->frames[i]);

		fputs(i ? ",\n{\"name\":" : "\n{\"name\":", w->out);
		text_write_json(w->out, frame->name);
		/* Without a source file the object tells where the code is. */
		if (*frame->file || *frame->object) {
			fputs(",\"file\":", w->out);
			text_write_json(w->out, *frame->file ? frame->file : frame->object);
		}
		if (*frame->file && frame->line)
			fprintf(w->out, ",\"line\":%u", frame->line);
		putc('}', w->out);
	}
}

/* Writes stacks from to end - 1 as one profile, without the first skip frames of each. */
static void write_stacks(const struct writer *w, uint32_t from, uint32_t end, uint32_t skip)
{
	uint64_t total = 0;

	for (uint32_t i = from; i < end; i++)
		total += frames_stack(w->f, i).values[w->value];
	fprintf(w->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64, w->unit, total);
	fputs(",\n\"samples\":[", w->out);
	for (uint32_t i = from; i < end; i++) {
		struct frame_stack stack = frames_stack(w->f, i);

		fputs(i > from ? ",\n[" : "\n[", w->out);
		for (uint32_t j = skip; j < stack.n; j++)
			fprintf(w->out, j > skip ? ",%u" : "%u", w->number[stack.frames[j]]);
		putc(']', w->out);
	}
	fputs("],\n\"weights\":[", w->out);
	for (uint32_t i = from; i < end; i++)
		fprintf(w->out, i > from ? ",%" PRIu64 : "%" PRIu64,
			frames_stack(w->f, i).values[w->value]);
	fputs("]}", w->out);
}

/* Each thread's stacks stand together: they begin with the frames of its process and itself. */
static int write_threads(const struct writer *w)
{
	struct text name = { 0 };
	uint32_t n = frames_n_stacks(w->f), end;
	int err = 0;

	for (uint32_t from = 0; !err && from < n; from = end) {
		const uint32_t *context = frames_stack(w->f, from).frames;
		const char *process = frames_get(w->f, context[0])->name;
		const char *thread = frames_get(w->f, context[1])->name;

		end = from;
		while (end < n && frames_stack(w->f, end).frames[0] == context[0] &&
		       frames_stack(w->f, end).frames[1] == context[1])
			end++;
		text_clear(&name);
		err = text_add(&name, process, strlen(process));
		if (!err)
			err = text_add(&name, " / ", 3);
		if (!err)
			err = text_add(&name, thread, strlen(thread));
		if (err)
			break;
		fputs(from ? ",\n{\"type\":\"sampled\",\"name\":"
			   : "\n{\"type\":\"sampled\",\"name\":",
		      w->out);
		text_write_json(w->out, name.s);
		write_stacks(w, from, end, CONTEXT_FRAMES);
	}
	text_free(&name);
	return err;
}

static int write_file(const struct writer *w, const char *name, bool per_thread)
{
	int err;

	fputs("{\"$schema\":\"" SCHEMA "\",\n\"exporter\":\"profbpf " PROFBPF_VERSION "\",",
	      w->out);
	fputs("\n\"name\":", w->out);
	err = write_raw_string(w->out, name);
	if (err)
		return err;
	fputs(",\n\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[", w->out);
	write_frames(w);
	fputs("]},\n\"profiles\":[", w->out);
	/* A viewer needs a profile to show, an empty one if there are no samples. */
	if (per_thread && frames_n_stacks(w->f)) {
		err = write_threads(w);
	} else {
		fputs("\n{\"type\":\"sampled\",\"name\":", w->out);
		err = write_raw_string(w->out, name);
		write_stacks(w, 0, frames_n_stacks(w->f), 0);
	}
	fputs("]}\n", w->out);
	return err;
}

int speedscope_write(const struct profile *p, const struct speedscope_options *options, FILE *out)
{
	struct writer w = { .p = p, .out = out };
	const char *title = profile_config(p)->target;
	struct frames *f = NULL;
	int err = frames_new(p, FRAME_BY_FUNCTION,
			     options->per_thread ? CONTEXT_THREAD : CONTEXT_PROCESS, 0, &f);

	if (err)
		return err;
	w.f = f;
	choose_value(&w);
	err = number_frames(&w, options->per_thread ? CONTEXT_FRAMES : 0);
	errno = 0;
	if (!err)
		err = write_file(&w, *title ? title : "profbpf", options->per_thread);
	if (!err && (ferror(out) || fflush(out) != 0))
		err = errno ? -errno : -EIO;
	frames_free(f);
	free(w.number);
	free(w.frames);
	return err;
}
