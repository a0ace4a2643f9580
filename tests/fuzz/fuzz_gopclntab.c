// SPDX-License-Identifier: BSD-2-Clause
/* The bytes are a file with a Go table, of which all functions and the frames all over their code are read. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/gopclntab.h"

#define MAX_FUNCTIONS 64
#define STEPS 16
#define MAX_FRAMES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touches what is told, so that the sanitizers see it. */
static size_t look_at_frames(struct gopclntab *t, uint64_t address)
{
	struct gopclntab_frame frames[MAX_FRAMES];
	uint64_t start = 0;
	size_t length = 0, n = gopclntab_frames(t, address, frames, MAX_FRAMES, &start);

	if (n > MAX_FRAMES || (n && address < start))
		abort();
	for (size_t i = 0; i < n; i++)
		length += strlen(frames[i].name) + (frames[i].file ? strlen(frames[i].file) : 0);
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzzed", MFD_CLOEXEC);
	struct gopclntab *t;
	size_t length = 0;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	if (!gopclntab_read(fd, &t)) {
		for (size_t i = 0; i < gopclntab_count(t) && i < MAX_FUNCTIONS; i++) {
			struct gopclntab_pieces p = gopclntab_stack(t, i);
			struct gopclntab_function f;

			if (gopclntab_function(t, i, &f))
				continue;
			length += strlen(f.name);
			while (gopclntab_next(&p))
				length += p.offset;
			for (uint64_t k = 0; k < STEPS; k++)
				length +=
					look_at_frames(t, f.start + k * (f.end - f.start) / STEPS);
		}
		gopclntab_free(t);
	}
	close(fd);
	return length == SIZE_MAX;
}
