// SPDX-License-Identifier: BSD-2-Clause
/*
 * The bytes are a file: its shape is read, and the code that it claims to have is named.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/symbolize.h"

#define N_ADDRESSES 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touches all that is told, so that the sanitizers see it. */
static int look(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	size_t *length = arg;

	if (index >= N_ADDRESSES)
		abort();
	for (size_t i = 0; i < n; i++)
		*length += strlen(frames[i].name) + strlen(frames[i].linkage_name) +
			   strlen(frames[i].file);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_source source = { .path = "/nonexistent/fuzzed", .root = "" };
	struct elf_shape shape = { 0 };
	uint64_t addresses[N_ADDRESSES];
	struct symbolizer *s;
	size_t length = 0;

	source.fd = memfd_create("fuzzed", MFD_CLOEXEC);
	if (source.fd < 0 || write(source.fd, data, size) != (ssize_t)size)
		abort();
	if (!elf_shape_read(source.fd, &shape) && strlen(shape.build_id) >= sizeof(shape.build_id))
		abort();
	for (size_t i = 0; i < N_ADDRESSES; i++)
		addresses[i] = shape.n_segments ? shape.segments[0].address + i * 5 : 0x1000 + i;
	s = symbolizer_new(NULL);
	if (!s)
		abort();
	symbolizer_object(s, &source, addresses, N_ADDRESSES, look, &length);
	symbolizer_free(s);
	close(source.fd);
	return 0;
}
