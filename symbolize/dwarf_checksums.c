// SPDX-License-Identifier: BSD-2-Clause
#include <dwarf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/dwarf_checksums.h"
#include "unwind/cursor.h"

/* What each entry of a table of directories or files consists of. */
struct format {
	unsigned int n;
	struct field {
		uint64_t content, form;
	} field[UINT8_MAX];
};

struct header {
	struct cursor c;
	unsigned int offset_size; /* 4 or 8 */
};

static bool begin(struct header *h, const unsigned char *section, size_t size, uint64_t offset)
{
	uint64_t length;

	if (offset > size)
		return false;
	h->c = (struct cursor){ .p = section + offset, .end = section + size };
	length = cursor_fixed(&h->c, 4);
	h->offset_size = length == UINT32_MAX ? 8 : 4;
	if (h->offset_size == 8)
		length = cursor_fixed(&h->c, 8);
	if (h->c.bad || length > cursor_left(&h->c))
		return false;
	h->c.end = h->c.p + length;
	if (cursor_fixed(&h->c, 2) != 5)
		return false;
	cursor_take(&h->c, 2); /* sizes of an address and of a segment selector */
	length = cursor_fixed(&h->c, h->offset_size);
	if (h->c.bad || length > cursor_left(&h->c))
		return false;
	h->c.end = h->c.p + length;
	cursor_take(&h->c, 5); /* up to line_range */
	length = cursor_u8(&h->c); /* opcode_base */
	cursor_take(&h->c, length ? length - 1 : 0);
	return !h->c.bad;
}

static void read_format(struct header *h, struct format *f)
{
	f->n = cursor_u8(&h->c);
	for (unsigned int i = 0; i < f->n; i++) {
		f->field[i].content = cursor_uleb(&h->c);
		f->field[i].form = cursor_uleb(&h->c);
	}
}

static void skip_string(struct cursor *c)
{
	while (cursor_u8(c))
		;
}

/* Steps over a value and returns where it is; the forms are those that the section allows for a name, a
 * number, a time and a checksum. */
static const unsigned char *take_value(struct header *h, uint64_t form)
{
	const unsigned char *start = h->c.p;

	switch (form) {
	case DW_FORM_string:
		skip_string(&h->c);
		break;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_strp_sup:
		cursor_take(&h->c, h->offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_strx:
		cursor_uleb(&h->c);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		cursor_take(&h->c, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		cursor_take(&h->c, 2);
		break;
	case DW_FORM_strx3:
		cursor_take(&h->c, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		cursor_take(&h->c, 4);
		break;
	case DW_FORM_data8:
		cursor_take(&h->c, 8);
		break;
	case DW_FORM_data16:
		cursor_take(&h->c, DWARF_MD5_SIZE);
		break;
	case DW_FORM_block:
		cursor_take(&h->c, cursor_uleb(&h->c));
		break;
	default:
		h->c.bad = true;
	}
	return start;
}

static const unsigned char *read_entry(struct header *h, const struct format *f)
{
	const unsigned char *md5 = NULL;

	for (unsigned int i = 0; i < f->n && !h->c.bad; i++) {
		const unsigned char *value = take_value(h, f->field[i].form);

		if (f->field[i].content == DW_LNCT_MD5 && f->field[i].form == DW_FORM_data16)
			md5 = value;
	}
	return h->c.bad ? NULL : md5;
}

/* The number of entries of a table; each has a byte at least, or there would be no end to them. */
static uint64_t read_count(struct header *h, const struct format *f)
{
	uint64_t n = cursor_uleb(&h->c);

	if (n && (!f->n || n > cursor_left(&h->c)))
		h->c.bad = true;
	return h->c.bad ? 0 : n;
}

int dwarf_checksums_read(struct dwarf_checksums *c, const unsigned char *section, size_t size,
			 uint64_t offset)
{
	struct header h;
	struct format f;
	uint64_t n;

	if (!begin(&h, section, size, offset))
		return 0;
	read_format(&h, &f);
	n = read_count(&h, &f);
	for (uint64_t i = 0; i < n && !h.c.bad; i++)
		read_entry(&h, &f);
	read_format(&h, &f);
	n = read_count(&h, &f);
	if (!n)
		return 0;
	c->md5 = calloc(n, sizeof(const unsigned char *));
	if (!c->md5)
		return -ENOMEM;
	c->n = n;
	for (uint64_t i = 0; i < n && !h.c.bad; i++)
		c->md5[i] = read_entry(&h, &f);
	if (h.c.bad)
		dwarf_checksums_free(c);
	return 0;
}

void dwarf_checksums_free(struct dwarf_checksums *c)
{
	free(c->md5);
	*c = (struct dwarf_checksums){ 0 };
}
