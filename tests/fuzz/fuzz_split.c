// SPDX-License-Identifier: BSD-2-Clause
/*
 * The bytes are a program and its package of split debug data: the size of the first in four bytes, least
 * significant first, and both. The code that the program claims to have is named.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/symbolize.h"

#define N_ADDRESSES 256
#define MAX_PATH 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/profbpf-fuzz-XXXXXX", package[MAX_PATH];

static void leave(void)
{
	unlink(package);
	rmdir(folder);
}

static void enter(void)
{
	if (*package)
		return;
	if (!mkdtemp(folder) || atexit(leave))
		abort();
	snprintf(package, sizeof(package), "%s/program.dwp", folder);
}

/* Touches all that is told, so that the sanitizers see it. */
static int look(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	size_t *length = arg;

	for (size_t i = 0; i < n; i++)
		*length += strlen(frames[i].name) + strlen(frames[i].linkage_name) +
			   strlen(frames[i].file);
	return 0;
}

static void write_file(int fd, const uint8_t *data, size_t size)
{
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[MAX_PATH];
	struct symbol_source source = { .path = path, .root = "" };
	struct elf_shape shape = { 0 };
	uint64_t addresses[N_ADDRESSES];
	struct symbolizer *s;
	uint32_t program;
	size_t length = 0;
	int fd;

	if (size < 4)
		return 0;
	program = data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24;
	if (program > size - 4)
		return 0;
	enter();
	snprintf(path, sizeof(path), "%s/program", folder);
	source.fd = memfd_create("program", MFD_CLOEXEC);
	write_file(source.fd, data + 4, program);
	fd = open(package, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	write_file(fd, data + 4 + program, size - 4 - program);
	close(fd);
	elf_shape_read(source.fd, &shape);
	for (size_t i = 0; i < N_ADDRESSES; i++)
		addresses[i] = shape.n_segments ? shape.segments[0].address + i : 0x1000 + i;
	s = symbolizer_new(NULL);
	if (!s)
		abort();
	symbolizer_object(s, &source, addresses, N_ADDRESSES, look, &length);
	symbolizer_free(s);
	close(source.fd);
	return 0;
}
