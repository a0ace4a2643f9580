/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Captures: whole files, and bare messages, which are put into a frame here so that zstd's checksum
 * does not stand before the rest. What can be read must also be written by every writer.
 */
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "formats/capture.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "formats/writers.h"

#define HEADER "\x50\x2A\x4D\x18\x0C\0\0\0profbpf\0\x01\0\0\0"
#define HEADER_SIZE 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int err)
{
	if (err)
		abort();
}

static void write_all(const struct profile *p)
{
	const struct folded_options folded = { .per_thread = true };
	const struct speedscope_options speedscope = { .per_thread = true };
	struct table_options table = { .by = TABLE_FUNCTION, .width = 80, .top = 20 };
	struct profile *merged = profile_new();
	FILE *out = fopen("/dev/null", "w");

	if (!out || !merged)
		abort();
	check(pprof_write(p, out));
	check(folded_write(p, &folded, out));
	check(speedscope_write(p, &speedscope, out));
	check(table_write(p, &table, out));
	table.tree = true;
	check(table_write(p, &table, out));
	table.json = true;
	table.tree = false;
	table.by = TABLE_THREAD;
	check(table_write(p, &table, out));
	check(capture_write(p, out));
	check(profile_merge(merged, p));
	fclose(out);
	profile_free(merged);
}

static void read_file(const uint8_t *data, size_t size)
{
	struct profile *p = NULL;
	struct capture_info info;
	FILE *in = fmemopen((void *)data, size, "r");

	if (!in)
		abort();
	if (capture_read(in, &p, &info) == 0)
		write_all(p);
	profile_free(p);
	fclose(in);
}

static void read_message(const uint8_t *data, size_t size)
{
	size_t room = HEADER_SIZE + ZSTD_compressBound(size), n;
	uint8_t *file = malloc(room);

	if (!file)
		abort();
	memcpy(file, HEADER, HEADER_SIZE);
	n = ZSTD_compress(file + HEADER_SIZE, room - HEADER_SIZE, data, size, 1);
	if (!ZSTD_isError(n))
		read_file(file, HEADER_SIZE + n);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (size >= 4 && memcmp(data, HEADER, 4) == 0)
		read_file(data, size);
	else
		read_message(data, size);
	return 0;
}
