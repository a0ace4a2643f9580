/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading DWARF's numbers from bytes that may end anywhere. Used by dwarf*.c only. */
#ifndef PROFBPF_DWARF_BYTES_H
#define PROFBPF_DWARF_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What is left to read. After a read beyond the end, at is NULL, and all further ones give zero. */
struct dwarf_bytes {
	const unsigned char *at, *end;
};

static inline bool bytes_skip(struct dwarf_bytes *b, uint64_t n)
{
	if (!b->at || n > (uint64_t)(b->end - b->at)) {
		b->at = NULL;
		return false;
	}
	b->at += n;
	return true;
}

/* A number of 1 to 8 bytes in the machine's order, which is that of the files we read. */
static inline uint64_t bytes_number(struct dwarf_bytes *b, unsigned int size)
{
	const unsigned char *from = b->at;
	uint64_t value = 0;

	if (!bytes_skip(b, size))
		return 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&value, from, size);
#else
	memcpy((unsigned char *)&value + 8 - size, from, size);
#endif
	return value;
}

/* LEB128; bits over 64 are lost. */
static inline uint64_t bytes_unsigned(struct dwarf_bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; b->at && b->at < b->end; shift += 7) {
		unsigned char byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	b->at = NULL;
	return 0;
}

static inline int64_t bytes_signed(struct dwarf_bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; b->at && b->at < b->end;) {
		unsigned char byte = *b->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && byte & 0x40)
			value |= ~(uint64_t)0 << shift;
		return (int64_t)value;
	}
	b->at = NULL;
	return 0;
}

/* A string up to and with its end. NULL where it does not end. */
static inline const char *bytes_string(struct dwarf_bytes *b)
{
	const unsigned char *from = b->at;
	const unsigned char *zero = from ? memchr(from, 0, (size_t)(b->end - from)) : NULL;

	b->at = zero ? zero + 1 : NULL;
	return zero ? (const char *)from : NULL;
}

#endif
