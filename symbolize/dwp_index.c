// SPDX-License-Identifier: BSD-2-Clause
/*
 * The head has the version, the number of columns, of units and of slots. Then come the ids of units by
 * slot of a hash table, in the same order the numbers of their rows from 1 on, the kind of each column, and
 * a row of offsets and, after all of those, a row of sizes for each unit.
 */
#include <string.h>

#include "symbolize/dwp_index.h"

#define HEAD 16 /* bytes */
#define MAX_COLUMNS 64 /* there are eight kinds */

/* The kinds of columns, by version; 0 is none. */
static const struct {
	uint32_t in_2, in_5;
} kinds[DWP_PARTS] = {
	[DWP_INFO] = { 1, 1 },	      [DWP_ABBREV] = { 3, 3 },	 [DWP_LINE] = { 4, 4 },
	[DWP_STR_OFFSETS] = { 6, 6 }, [DWP_RNGLISTS] = { 0, 8 },
};

static uint32_t get32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t get64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Version 5 is written in two bytes, and zeros follow; 2 in four. */
static uint32_t read_version(const unsigned char *bytes)
{
	uint16_t version;

	memcpy(&version, bytes, sizeof(version));
	return version == 5 ? version : get32(bytes);
}

static const unsigned char *numbers_of(const struct dwp_index *index)
{
	return index->bytes + HEAD + (size_t)index->n_slots * 8;
}

static const unsigned char *columns_of(const struct dwp_index *index)
{
	return numbers_of(index) + (size_t)index->n_slots * 4;
}

bool dwp_index_read(const void *bytes, size_t size, struct dwp_index *index)
{
	struct dwp_index in = { .bytes = bytes };
	uint64_t needed;
	uint32_t version;

	if (size < HEAD)
		return false;
	version = read_version(in.bytes);
	in.n_columns = get32(in.bytes + 4);
	in.n_units = get32(in.bytes + 8);
	in.n_slots = get32(in.bytes + 12);
	if ((version != 2 && version != 5) || in.n_columns > MAX_COLUMNS ||
	    in.n_slots & (in.n_slots - 1))
		return false;
	/* no overflow: below 2^32 * 12 + 2^32 * 512 */
	needed = HEAD + (uint64_t)in.n_slots * 12 + (uint64_t)in.n_columns * 4 +
		 (uint64_t)in.n_units * in.n_columns * 8;
	if (needed > size)
		return false;
	for (int part = 0; part < DWP_PARTS; part++) {
		uint32_t kind = version == 5 ? kinds[part].in_5 : kinds[part].in_2;

		in.column[part] = UINT32_MAX;
		for (uint32_t i = 0; kind && i < in.n_columns; i++)
			if (get32(columns_of(&in) + (size_t)i * 4) == kind)
				in.column[part] = i;
	}
	*index = in;
	return in.column[DWP_INFO] != UINT32_MAX && in.column[DWP_ABBREV] != UINT32_MAX;
}

/* The number of a unit's row, from 1 on; 0 if there is none. */
static uint32_t row_of(const struct dwp_index *index, uint64_t id)
{
	uint32_t mask = index->n_slots - 1;
	uint32_t slot = (uint32_t)id & mask, step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t i = 0; i < index->n_slots; i++) {
		uint32_t row = get32(numbers_of(index) + (size_t)slot * 4);

		if (!row || get64(index->bytes + HEAD + (size_t)slot * 8) == id)
			return row;
		slot = (slot + step) & mask;
	}
	return 0;
}

bool dwp_index_find(const struct dwp_index *index, uint64_t id, struct dwp_slice *slices)
{
	const unsigned char *rows = columns_of(index) + (size_t)index->n_columns * 4;
	uint32_t row = row_of(index, id);
	size_t table = (size_t)index->n_units * index->n_columns * 4;

	if (!row || row > index->n_units)
		return false;
	rows += (size_t)(row - 1) * index->n_columns * 4;
	for (int part = 0; part < DWP_PARTS; part++) {
		const unsigned char *at;

		slices[part] = (struct dwp_slice){ 0 };
		if (index->column[part] == UINT32_MAX)
			continue;
		at = rows + (size_t)index->column[part] * 4;
		slices[part] = (struct dwp_slice){ get32(at), get32(at + table) };
	}
	return true;
}
