// SPDX-License-Identifier: BSD-2-Clause
/*
 * GDB's manual, "Debugging information in a special section": an ELF file with a symbol table of the
 * functions that .dynsym lacks, compressed by xz.
 */
#include <errno.h>
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbolize/elf_view.h"
#include "symbolize/minidebug.h"

#define MAX_SIZE (128u << 20) /* bytes, decompressed */
#define MAX_MEMORY (96u << 20) /* of the decoder: what the highest preset needs, and more */
#define CHUNK (64 * 1024)

static int write_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		size -= (size_t)done;
	}
	return 0;
}

static int decompress(lzma_stream *s, int fd)
{
	uint8_t chunk[CHUNK];
	lzma_ret ret = LZMA_OK;
	int err = 0;

	while (ret == LZMA_OK && !err) {
		s->next_out = chunk;
		s->avail_out = sizeof(chunk);
		ret = lzma_code(s, LZMA_FINISH);
		if (s->total_out > MAX_SIZE)
			return -EFBIG;
		err = write_all(fd, chunk, sizeof(chunk) - s->avail_out);
	}
	if (err || ret == LZMA_STREAM_END)
		return err;
	return ret == LZMA_MEM_ERROR ? -ENOMEM : ret == LZMA_MEMLIMIT_ERROR ? -EFBIG : -ENOEXEC;
}

int minidebug_load(Elf *elf, struct image **image)
{
	lzma_stream s = LZMA_STREAM_INIT;
	Elf_Data *data = elf_section_named(elf, ".gnu_debugdata");
	int fd, err;

	if (!data)
		return -ENOENT;
	fd = memfd_create("minidebug", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (lzma_stream_decoder(&s, MAX_MEMORY, 0) == LZMA_OK) {
		s.next_in = data->d_buf;
		s.avail_in = data->d_size;
		err = decompress(&s, fd);
		lzma_end(&s);
	} else {
		err = -ENOMEM;
	}
	if (!err)
		err = image_load(fd, image);
	close(fd);
	return err;
}
