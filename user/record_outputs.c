// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/capture.h"
#include "user/capture/session.h"
#include "user/message.h"
#include "user/output.h"
#include "user/record_options.h"
#include "user/record_outputs.h"
#include "user/verb.h"
#include "user/write_out.h"

struct one {
	const char *path;
	enum output_format format;
	struct output *out; /* NULL: done, or given up */
	struct capture_writer *capture; /* of a capture, which grows while it is recorded */
};

struct record_outputs {
	const struct profile *profile;
	struct output_options options;
	bool failed;
	size_t n;
	struct one list[];
};

static int open_one(struct record_outputs *o, struct one *one, bool keep_old)
{
	int err = output_open(one->path, keep_old, &one->out);

	if (!err && one->format == OUTPUT_CAPTURE)
		err = capture_writer_new(o->profile, output_stream(one->out), &one->capture);
	if (err)
		output_say_failed(one->path, err);
	return err ? EXIT_FAILED : 0;
}

int record_outputs_open(const struct record_options *options, const struct profile *p,
			struct record_outputs **outputs)
{
	struct record_outputs *o = calloc(1, sizeof(*o) + options->n_outputs * sizeof(o->list[0]));
	size_t i;
	int status = 0;

	if (!o) {
		error("out of memory");
		return EXIT_FAILED;
	}
	o->profile = p;
	o->options.per_thread = options->per_thread;
	o->options.max_depth = options->max_depth;
	o->options.contract = &options->contract;
	for (i = 0; i < options->n_outputs && !status; i++) {
		o->list[i].path = options->outputs[i].path;
		o->list[i].format = options->outputs[i].format;
		o->n++;
		status = open_one(o, &o->list[i], options->keep_old);
	}
	if (status) {
		record_outputs_free(o);
		return status;
	}
	*outputs = o;
	return 0;
}

static void give_up(struct record_outputs *o, struct one *one, int err)
{
	output_say_failed(one->path, err);
	capture_writer_free(one->capture);
	one->capture = NULL;
	output_discard(one->out);
	one->out = NULL;
	o->failed = true;
}

void record_outputs_free(struct record_outputs *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < o->n; i++) {
		capture_writer_free(o->list[i].capture);
		output_discard(o->list[i].out);
	}
	free(o);
}

void record_outputs_slice(struct record_outputs *o, const struct slice *slice)
{
	size_t i;

	for (i = 0; i < o->n; i++) {
		struct one *one = &o->list[i];
		int err = 0;

		if (one->capture)
			err = capture_writer_slice(one->capture, slice->start_ns, slice->end_ns,
						   slice->samples, slice->n);
		if (err)
			give_up(o, one, err);
	}
}

static void finish_one(struct record_outputs *o, struct one *one)
{
	int err;

	if (one->capture)
		err = capture_writer_end(one->capture);
	else
		err = output_profile(o->profile, one->format, &o->options, output_stream(one->out));
	if (err) {
		give_up(o, one, err);
		return;
	}
	capture_writer_free(one->capture);
	one->capture = NULL;
	err = output_commit(one->out);
	one->out = NULL;
	if (err) {
		output_say_failed(one->path, err);
		o->failed = true;
	}
}

int record_outputs_finish(struct record_outputs *o)
{
	size_t i;

	for (i = 0; i < o->n; i++) {
		if (o->list[i].out)
			finish_one(o, &o->list[i]);
	}
	return o->failed ? EXIT_FAILED : 0;
}

int record_outputs_snapshot(struct record_outputs *o, unsigned int n)
{
	int status = 0;
	size_t i;

	for (i = 0; i < o->n; i++) {
		char *path;

		/* Beside a device or standard output there is no place for a file. */
		if (!o->list[i].out || !output_is_file(o->list[i].out))
			continue;
		if (asprintf(&path, "%s.%u", o->list[i].path, n) < 0)
			return EXIT_FAILED;
		if (write_out(o->profile, path, o->list[i].format, &o->options))
			status = EXIT_FAILED;
		else
			note("wrote %s", path);
		free(path);
	}
	return status;
}
