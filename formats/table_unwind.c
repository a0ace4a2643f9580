/* SPDX-License-Identifier: BSD-2-Clause */
/* How complete the stacks of a profile are, and what spoils them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/table_rows.h"

/* Stacks whose outermost known frame is in an object, with one reason to end there. */
struct spoiler {
	uint32_t object; /* PROFILE_NONE: code without a file */
	uint32_t end;
	uint64_t samples;
};

struct guesses {
	uint32_t object;
	uint64_t frames, guessed; /* of samples */
};

struct unwind {
	const struct profile *p;
	FILE *out;
	uint64_t samples; /* with a user stack */
	uint64_t ends[PROFILE_N_ENDS];
	uint64_t frames, guessed;
	/* One an object and end, sorted; those with samples first. */
	struct spoiler *spoilers;
	struct guesses *guesses;
	uint32_t n_spoilers, n_guesses;
};

static const char *object_name(const struct unwind *u, uint32_t object)
{
	return object == PROFILE_NONE ? "[anon]" : profile_object(u->p, object)->path;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* The place of an object in tables that have one more for code without a file. */
static uint32_t place(const struct unwind *u, uint32_t object)
{
	return object == PROFILE_NONE ? profile_n_objects(u->p) : object;
}

static void count_frames(struct unwind *u, struct profile_stack stack, uint64_t samples)
{
	for (uint32_t i = 0; i < stack.n; i++) {
		const struct profile_location *l = profile_location(u->p, stack.locations[i]);
		uint64_t guessed = l->flags & PROFILE_LOCATION_GUESS ? samples : 0;

		if (l->flags & (PROFILE_LOCATION_KERNEL | PROFILE_LOCATION_TRUNCATED))
			continue;
		u->guesses[place(u, l->object)].frames += samples;
		u->guesses[place(u, l->object)].guessed += guessed;
		u->frames += samples;
		u->guessed += guessed;
	}
}

static void count_end(struct unwind *u, struct profile_stack stack, uint64_t samples)
{
	uint32_t end = stack.end < PROFILE_N_ENDS ? stack.end : PROFILE_END_BROKEN;
	uint32_t object = PROFILE_NONE;

	if (end == PROFILE_END_ROOT || end == PROFILE_END_NO_USER)
		return;
	if (stack.n)
		object = profile_location(u->p, stack.locations[stack.n - 1])->object;
	u->spoilers[place(u, object) * PROFILE_N_ENDS + end].samples += samples;
}

static int compare_spoilers(const void *a, const void *b, void *unwind)
{
	const struct spoiler *x = a, *y = b;
	int c = (y->samples > x->samples) - (y->samples < x->samples);

	if (!c)
		c = strcmp(object_name(unwind, x->object), object_name(unwind, y->object));
	return c ? c : (x->end > y->end) - (x->end < y->end);
}

static int compare_guesses(const void *a, const void *b, void *unwind)
{
	const struct guesses *x = a, *y = b;
	int c = (y->guessed > x->guessed) - (y->guessed < x->guessed);

	return c ? c : strcmp(object_name(unwind, x->object), object_name(unwind, y->object));
}

static int count(struct unwind *u, const struct table_options *o)
{
	uint32_t n = profile_n_objects(u->p) + 1;

	memcpy(u->ends, profile_accounting(u->p)->ends, sizeof(u->ends));
	for (uint32_t i = 0; i < PROFILE_N_ENDS; i++)
		u->samples += i == PROFILE_END_NO_USER ? 0 : u->ends[i];
	u->spoilers = calloc((size_t)n * PROFILE_N_ENDS, sizeof(*u->spoilers));
	u->guesses = calloc(n, sizeof(*u->guesses));
	if (!u->spoilers || !u->guesses)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t object = i + 1 == n ? PROFILE_NONE : i;

		u->guesses[i].object = object;
		for (uint32_t end = 0; end < PROFILE_N_ENDS; end++)
			u->spoilers[i * PROFILE_N_ENDS + end] = (struct spoiler){ object, end, 0 };
	}
	for (uint32_t i = 0; i < profile_n_samples(u->p); i++) {
		const struct profile_sample *s = profile_sample(u->p, i);
		struct profile_stack stack = profile_stack(u->p, s->stack);

		count_frames(u, stack, s->values[0]);
		count_end(u, stack, s->values[0]);
	}
	qsort_r(u->spoilers, (size_t)n * PROFILE_N_ENDS, sizeof(*u->spoilers), compare_spoilers, u);
	qsort_r(u->guesses, n, sizeof(*u->guesses), compare_guesses, u);
	while (u->n_spoilers < n * PROFILE_N_ENDS && u->spoilers[u->n_spoilers].samples)
		u->n_spoilers++;
	while (u->n_guesses < n && u->guesses[u->n_guesses].guessed)
		u->n_guesses++;
	if (o->top && u->n_spoilers > o->top)
		u->n_spoilers = o->top;
	if (o->top && u->n_guesses > o->top)
		u->n_guesses = o->top;
	return 0;
}

/* --- text --- */

static void heading(const struct unwind *u, const struct table_options *o, const char *s)
{
	fprintf(u->out, "\n%s%s%s\n", o->color ? "\033[1m" : "", s, o->color ? "\033[0m" : "");
}

static void print_ends(const struct unwind *u, const struct table_options *o)
{
	heading(u, o, "      %   samples  why the others end before it");
	for (uint32_t end = 0; end < PROFILE_N_ENDS; end++) {
		if (!u->ends[end] || end == PROFILE_END_ROOT || end == PROFILE_END_NO_USER)
			continue;
		fprintf(u->out, "%6.2f%% %9" PRIu64 "  %s: %s\n", percent(u->ends[end], u->samples),
			u->ends[end], profile_end_id(end), profile_end_text(end));
	}
}

static int print_spoilers(const struct unwind *u, const struct table_options *o)
{
	int err = 0;

	heading(u, o, "      %   samples  object of the outermost frame that is known");
	for (uint32_t i = 0; i < u->n_spoilers && !err; i++) {
		const struct spoiler *s = &u->spoilers[i];

		fprintf(u->out, "%6.2f%% %9" PRIu64 "  %s: ", percent(s->samples, u->samples),
			s->samples, profile_end_id(s->end));
		err = table_write_lines(u->out, "", object_name(u, s->object));
	}
	return err;
}

static int print_guesses(const struct unwind *u, const struct table_options *o)
{
	int err = 0;

	heading(u, o, " guess%   guessed     frames  object");
	for (uint32_t i = 0; i < u->n_guesses && !err; i++) {
		const struct guesses *g = &u->guesses[i];

		fprintf(u->out, "%6.2f%% %9" PRIu64 " %10" PRIu64 "  ",
			percent(g->guessed, g->frames), g->guessed, g->frames);
		err = table_write_lines(u->out, "", object_name(u, g->object));
	}
	return err;
}

static int print(const struct unwind *u, const struct table_options *o)
{
	uint64_t complete = u->ends[PROFILE_END_ROOT];
	uint64_t early = profile_accounting(u->p)->early_samples;
	int err;

	fprintf(u->out, "%" PRIu64 " samples with a user stack, %" PRIu64 " without\n", u->samples,
		u->ends[PROFILE_END_NO_USER]);
	fprintf(u->out, "complete: %.2f%% (%" PRIu64 " reached their thread's root)\n",
		percent(complete, u->samples), complete);
	fprintf(u->out,
		"guessed: %.2f%% of %" PRIu64 " user frames (by frame pointer or code, where no "
		"unwind table tells)\n",
		percent(u->guessed, u->frames), u->frames);
	if (early)
		fprintf(u->out,
			"early: %.2f%% (%" PRIu64
			" taken before the table of new code was there)\n",
			percent(early, u->samples), early);
	err = table_write_lines(u->out, "note: ", profile_config(u->p)->notes);
	if (u->samples > complete)
		print_ends(u, o);
	if (!err && u->n_spoilers)
		err = print_spoilers(u, o);
	if (!err && u->n_guesses)
		err = print_guesses(u, o);
	return err;
}

/* --- JSON --- */

static int json_object(const struct unwind *u, uint32_t object)
{
	int err;

	fputs("\"object\":", u->out);
	err = json_string(u->out, object_name(u, object));
	fputs(",\"build_id\":", u->out);
	return err ? err
		   : json_string(u->out, object == PROFILE_NONE
						 ? ""
						 : profile_object(u->p, object)->build_id);
}

static void json_ends(const struct unwind *u)
{
	fputs(",\n\"ends\":[", u->out);
	for (uint32_t end = 0; end < PROFILE_N_ENDS; end++) {
		fprintf(u->out, "%s\n{\"end\":\"%s\",\"text\":\"%s\",\"samples\":%" PRIu64 "}",
			end ? "," : "", profile_end_id(end), profile_end_text(end), u->ends[end]);
	}
	putc(']', u->out);
}

static int json_spoilers(const struct unwind *u)
{
	int err = 0;

	fputs(",\n\"spoilers\":[", u->out);
	for (uint32_t i = 0; i < u->n_spoilers && !err; i++) {
		const struct spoiler *s = &u->spoilers[i];

		fputs(i ? ",\n{" : "\n{", u->out);
		err = json_object(u, s->object);
		fprintf(u->out, ",\"end\":\"%s\",\"samples\":%" PRIu64, profile_end_id(s->end),
			s->samples);
		json_percent(u->out, "percent", percent(s->samples, u->samples));
		putc('}', u->out);
	}
	putc(']', u->out);
	return err;
}

static int json_guesses(const struct unwind *u)
{
	int err = 0;

	fputs(",\n\"guesses\":[", u->out);
	for (uint32_t i = 0; i < u->n_guesses && !err; i++) {
		const struct guesses *g = &u->guesses[i];

		fputs(i ? ",\n{" : "\n{", u->out);
		err = json_object(u, g->object);
		fprintf(u->out, ",\"frames\":%" PRIu64 ",\"guessed\":%" PRIu64, g->frames,
			g->guessed);
		json_percent(u->out, "percent", percent(g->guessed, g->frames));
		putc('}', u->out);
	}
	putc(']', u->out);
	return err;
}

static int write_json(const struct unwind *u)
{
	const struct profile_config *c = profile_config(u->p);
	int err;

	fputs("{\"format\":\"profbpf-unwind\",\n\"format_version\":1", u->out);
	err = json_member(u->out, "target", c->target);
	json_number(u->out, "samples", u->samples);
	json_number(u->out, "complete", u->ends[PROFILE_END_ROOT]);
	json_percent(u->out, "complete_percent", percent(u->ends[PROFILE_END_ROOT], u->samples));
	json_number(u->out, "user_frames", u->frames);
	json_number(u->out, "guessed_frames", u->guessed);
	json_number(u->out, "early_samples", profile_accounting(u->p)->early_samples);
	json_percent(u->out, "guessed_percent", percent(u->guessed, u->frames));
	if (!err)
		err = json_lines(u->out, "notes", c->notes);
	json_ends(u);
	if (!err)
		err = json_spoilers(u);
	if (!err)
		err = json_guesses(u);
	fputs("}\n", u->out);
	return err;
}

int table_write_unwind(const struct profile *p, const struct table_options *options, FILE *out)
{
	struct unwind u = { .p = p, .out = out };
	int err = count(&u, options);

	errno = 0;
	if (!err)
		err = options->json ? write_json(&u) : print(&u, options);
	if (!err && (ferror(out) || fflush(out) != 0))
		err = errno ? -errno : -EIO;
	free(u.spoilers);
	free(u.guesses);
	return err;
}
