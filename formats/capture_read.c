/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads captures, which may be damaged or hostile: a slice is bounded in size, and decoding it in
 * memory.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "formats/capture.h"
#include "formats/capture_decode.h"
#include "formats/capture_file.h"
#include "formats/intern.h"
#include "formats/profile.h"

/* Of the file, read at once. */
#define INPUT_SIZE (64U << 10)

/*
 * Decoded, one byte of a packed column becomes at most eight. The decoder needs room for what it
 * scans besides.
 */
#define DECODE_LIMIT ((size_t)CAPTURE_SLICE_LIMIT * 10)

struct reader {
	FILE *in;
	struct profile *p;
	struct intern *strings;
	ZSTD_DCtx *zstd;
	/* The file's bytes that are read and not used yet. */
	uint8_t input[INPUT_SIZE];
	ZSTD_inBuffer have;
	uint64_t read; /* from the file in all */
	/* The slice being read. */
	uint8_t *slice;
	size_t slice_size, slice_room;
};

/* Memory for decoding one slice, up to a limit. */
struct budget {
	size_t left;
	bool out_of_memory; /* the machine's, not the limit's */
};

static void *budget_alloc(void *data, size_t size)
{
	struct budget *b = data;

	void *p;

	if (size > b->left)
		return NULL;
	p = malloc(size);
	if (p)
		b->left -= size;
	else
		b->out_of_memory = true;
	return p;
}

static void budget_free(void *data, void *p)
{
	free(p);
}

/* Reads on when all bytes are used. 1: there are bytes; 0: end of file; -errno. */
static int fill(struct reader *r)
{
	if (r->have.pos < r->have.size)
		return 1;
	errno = 0;
	r->have.pos = 0;
	r->have.size = fread(r->input, 1, sizeof(r->input), r->in);
	r->read += r->have.size;
	if (r->have.size)
		return 1;
	return ferror(r->in) ? (errno ? -errno : -EIO) : 0;
}

/* Reads up to n bytes, fewer only at the end of the file; their number or -errno. */
static int read_bytes(struct reader *r, void *bytes, int n)
{
	int got = 0;

	while (got < n) {
		int more = fill(r);

		if (more < 0)
			return more;
		if (!more)
			break;
		((uint8_t *)bytes)[got++] = r->input[r->have.pos++];
	}
	return got;
}

static int read_header(struct reader *r, struct capture_info *info)
{
	struct {
		uint32_t frame, size;
		char magic[CAPTURE_MAGIC_SIZE];
		uint32_t version;
	} expected = {
		htole32(CAPTURE_SKIPPABLE),
		htole32(CAPTURE_CONTENT_SIZE),
		CAPTURE_MAGIC,
		0,
	}, header;
	int n = read_bytes(r, &header, sizeof(header));
	size_t fixed = CAPTURE_HEADER_SIZE - sizeof(header.version);

	if (n < 0)
		return n;
	if (memcmp(&header, &expected, (size_t)n < fixed ? (size_t)n : fixed) != 0)
		return -EINVAL;
	if (n < (int)sizeof(header))
		return -ENODATA;
	info->version = le32toh(header.version);
	return info->version == CAPTURE_VERSION ? 0 : -EPROTONOSUPPORT;
}

static int slice_grow(struct reader *r)
{
	size_t slice_room = r->slice_room ? r->slice_room * 2 : INPUT_SIZE;
	uint8_t *slice;

	if (slice_room > CAPTURE_SLICE_LIMIT)
		return -EBADMSG;
	slice = realloc(r->slice, slice_room);
	if (!slice)
		return -ENOMEM;
	r->slice = slice;
	r->slice_room = slice_room;
	return 0;
}

/*
 * Decompresses the next frame, whose checksum zstd checks. 1: there is one; 0: the file ends, or
 * what follows is not a whole frame; -EBADMSG: it is too large; -errno.
 */
static int read_frame(struct reader *r)
{
	size_t left = 1;
	int more;

	ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_only);
	r->slice_size = 0;
	while (left != 0) {
		if (r->slice_size == r->slice_room) {
			int err = slice_grow(r);

			if (err)
				return err;
		}
		ZSTD_outBuffer out = { r->slice, r->slice_room, r->slice_size };

		/* With all input used, bytes that did not fit may still be inside zstd. */
		more = fill(r);
		if (more < 0)
			return more;
		left = ZSTD_decompressStream(r->zstd, &out, &r->have);
		if (ZSTD_isError(left))
			return 0;
		if (!more && left && out.pos == r->slice_size)
			return 0;
		r->slice_size = out.pos;
	}
	return 1;
}

static int read_slice(struct reader *r, struct capture_info *info)
{
	struct budget budget = { .left = DECODE_LIMIT };
	ProtobufCAllocator allocator = { budget_alloc, budget_free, &budget };
	Profbpf__Capture__Slice *m =
		profbpf__capture__slice__unpack(&allocator, r->slice_size, r->slice);
	int err;

	if (!m)
		return budget.out_of_memory ? -ENOMEM : -EBADMSG;
	err = capture_decode(r->p, r->strings, m);
	if (!err) {
		info->slices++;
		info->complete = m->end;
	}
	profbpf__capture__slice__free_unpacked(m, &allocator);
	return err;
}

/* Reads whole slices up to the end of the recording or of the file. */
static int read_slices(struct reader *r, struct capture_info *info)
{
	uint64_t whole = r->read - (r->have.size - r->have.pos);
	int more = 1;

	while (!info->complete) {
		int err;

		more = read_frame(r);
		if (more <= 0)
			break;
		/* A frame without content, such as a skippable one, is no slice. */
		err = r->slice_size ? read_slice(r, info) : 0;
		if (err)
			return err;
		whole = r->read - (r->have.size - r->have.pos);
	}
	if (!info->complete && more < 0)
		return more;
	do {
		r->have.pos = r->have.size;
		more = fill(r);
	} while (more > 0);
	info->ignored_bytes = r->read - whole;
	if (more < 0)
		return more;
	return info->slices ? 0 : -ENODATA;
}

int capture_read(FILE *in, struct profile **p, struct capture_info *info)
{
	struct reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	*info = (struct capture_info){ 0 };
	if (!r)
		return -ENOMEM;
	r->in = in;
	r->have.src = r->input;
	r->p = profile_new();
	r->strings = intern_new(0);
	r->zstd = ZSTD_createDCtx();
	if (!r->p || !r->strings || !r->zstd)
		goto out;
	if (ZSTD_isError(ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, CAPTURE_WINDOW_LOG)))
		goto out;
	err = read_header(r, info);
	if (!err)
		err = read_slices(r, info);
	if (!err) {
		*p = r->p;
		r->p = NULL;
	}
out:
	ZSTD_freeDCtx(r->zstd);
	intern_free(r->strings);
	profile_free(r->p);
	free(r->slice);
	free(r);
	return err;
}
