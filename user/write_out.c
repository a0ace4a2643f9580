// SPDX-License-Identifier: BSD-2-Clause
#include "user/write_out.h"

#include "user/verb.h"

static int write_whole(const struct profile *p, const char *path, enum output_format format,
		       const struct output_options *options)
{
	struct output *out;
	int err = output_open(path, false, &out);

	if (err < 0)
		return err;
	err = output_profile(p, format, options, output_stream(out));
	if (err < 0) {
		output_discard(out);
		return err;
	}
	return output_commit(out);
}

int write_out(const struct profile *p, const char *path, enum output_format format,
	      const struct output_options *options)
{
	int err;

	output_discard_on_signals();
	err = write_whole(p, path, format, options);
	if (err < 0) {
		output_say_failed(path, err);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}
