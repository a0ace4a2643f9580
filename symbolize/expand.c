// SPDX-License-Identifier: BSD-2-Clause
/* Both sides go through buffers, so that no more is in memory than what is asked for. */
#include "symbolize/expand.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "symbolize/elf_read.h"

#define BUFFER (256 * 1024)

struct expansion {
	const struct compressed *c;
	unsigned char *in; /* BUFFER bytes */
	uint64_t taken, given; /* so far, of both sizes */
	bool (*give)(struct expansion *e, uint64_t n); /* n more bytes are in out */
	unsigned char *out;
	uint64_t out_size;
	int fd;
};

/* The next compressed bytes; 0: there are no more. */
static size_t take(struct expansion *e)
{
	uint64_t left = e->c->size - e->taken;
	size_t n = left < BUFFER ? left : BUFFER;

	if (!n || elf_read_at(e->c->fd, e->in, n, e->c->at + e->taken))
		return 0;
	e->taken += n;
	return n;
}

static bool run_zlib(struct expansion *e)
{
	z_stream z = { 0 };
	int ret = Z_OK;

	if (inflateInit(&z) != Z_OK)
		return false;
	while (ret == Z_OK) {
		if (!z.avail_in) {
			z.avail_in = (uInt)take(e);
			z.next_in = e->in;
		}
		z.next_out = e->out;
		z.avail_out = (uInt)(e->out_size < BUFFER ? e->out_size : BUFFER);
		ret = inflate(&z, Z_NO_FLUSH);
		if ((ret == Z_OK || ret == Z_STREAM_END) &&
		    !e->give(e, (uint64_t)(z.next_out - e->out)))
			break;
	}
	inflateEnd(&z);
	return ret == Z_STREAM_END;
}

static bool run_zstd(struct expansion *e)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = { e->in, 0, 0 };
	size_t ret = 1;

	/* A section may be several frames. */
	while (z && (ret || e->given < e->c->full_size)) {
		ZSTD_outBuffer out = { e->out, e->out_size < BUFFER ? e->out_size : BUFFER, 0 };
		size_t before;

		if (in.pos == in.size)
			in = (ZSTD_inBuffer){ e->in, take(e), 0 };
		before = in.pos;
		ret = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(ret) || (!out.pos && in.pos == before) || !e->give(e, out.pos))
			break;
	}
	ZSTD_freeDStream(z);
	return z && !ret;
}

static bool run(struct expansion *e)
{
	bool whole;

	e->in = malloc(BUFFER);
	whole = e->in && (e->c->zstd ? run_zstd(e) : run_zlib(e));
	free(e->in);
	return whole && e->given == e->c->full_size;
}

static bool give_memory(struct expansion *e, uint64_t n)
{
	e->given += n;
	e->out += n;
	e->out_size -= n;
	return true;
}

bool expand_to_memory(const struct compressed *c, unsigned char *to)
{
	struct expansion e = { .c = c, .give = give_memory, .out = to, .out_size = c->full_size };

	return run(&e);
}

static bool give_file(struct expansion *e, uint64_t n)
{
	if (n > e->c->full_size - e->given)
		return false;
	for (uint64_t done = 0; done < n;) {
		ssize_t put = pwrite(e->fd, e->out + done, n - done, (off_t)(e->given + done));

		if (put <= 0)
			return false;
		done += (uint64_t)put;
	}
	e->given += n;
	return true;
}

bool expand_to_file(const struct compressed *c, int fd)
{
	struct expansion e = { .c = c, .give = give_file, .out_size = BUFFER, .fd = fd };
	unsigned char *out = malloc(BUFFER);
	bool whole;

	e.out = out;
	whole = out && run(&e);
	free(out);
	return whole;
}
