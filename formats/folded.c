/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folded stacks, as flame graph tools read them: one line a stack, its frames from the root on
 * divided by ";", then a space and the number of samples (the first value type).
 */
#include <errno.h>
#include <inttypes.h>

#include "formats/frames.h"
#include "formats/writers.h"

static void write_stack(const struct frames *f, struct frame_stack stack, FILE *out)
{
	for (uint32_t i = 0; i < stack.n; i++) {
		if (i)
			putc(';', out);
		fputs(frames_get(f, stack.frames[i])->name, out);
	}
	fprintf(out, " %" PRIu64 "\n", stack.values[0]);
}

int folded_write(const struct profile *p, const struct folded_options *options, FILE *out)
{
	struct frames *f = NULL;
	int err = frames_new(p, FRAME_BY_TEXT,
			     options->per_thread ? CONTEXT_THREAD : CONTEXT_PROCESS, 0, &f);

	errno = 0;
	for (uint32_t i = 0; !err && i < frames_n_stacks(f); i++) {
		write_stack(f, frames_stack(f, i), out);
		if (ferror(out))
			err = errno ? -errno : -EIO;
	}
	if (!err && fflush(out) != 0)
		err = errno ? -errno : -EIO;
	frames_free(f);
	return err;
}
