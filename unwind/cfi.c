// SPDX-License-Identifier: BSD-2-Clause
/*
 * The layout is DWARF 5's, section 6.4.1, and for .eh_frame the Linux Standard Base's, core generic
 * part, "Exception Frames".
 */
#include <errno.h>
#include <dwarf.h>
#include <stdlib.h>

#include "unwind/cfi.h"
#include "unwind/cfi_private.h"
#include "bpf/walk/rules.h"

/* One length-prefixed entry of a section. */
struct raw_entry {
	uint32_t offset;
	bool is_cie;
	uint64_t cie_offset; /* of an FDE */
	struct cursor body; /* what follows the id */
};

/*
 * Steps to the next entry. False at the end, also where a length leads beyond the section: nothing
 * after it can be found.
 */
static bool next_entry(const struct cfi_section *s, struct cursor *c, struct raw_entry *e)
{
	for (;;) {
		const uint8_t *start = c->p, *id_at;
		unsigned int id_size = 4;
		uint64_t length = cursor_fixed(c, 4), id;

		if (length == 0xffffffff) {
			length = cursor_fixed(c, 8);
			id_size = s->eh ? 4 : 8;
		}
		if (c->bad || (!length && s->open_ended))
			return false;
		if (!length)
			continue;
		if (length > cursor_left(c) || (length >= 0xfffffff0 && id_size == 4 && !s->eh)) {
			c->bad = true;
			return false;
		}
		e->body = (struct cursor){ .p = c->p, .end = c->p + length };
		c->p += length;
		id_at = e->body.p;
		id = cursor_fixed(&e->body, id_size);
		if (e->body.bad)
			continue;
		e->offset = (uint32_t)(start - s->data);
		if (s->eh) {
			e->is_cie = id == 0;
			e->cie_offset = (uint64_t)(id_at - s->data) - id;
			if (!e->is_cie && id > 0x7fffffff) /* a distance back, signed in practice */
				e->cie_offset =
					(uint64_t)(id_at - s->data) + (uint32_t) - (uint32_t)id;
		} else {
			e->is_cie = id == (id_size == 8 ? UINT64_MAX : UINT32_MAX);
			e->cie_offset = id;
		}
		return true;
	}
}

static struct cursor section_start(const struct cfi_section *s)
{
	return (struct cursor){ .p = s->data, .end = s->data + s->size };
}

uint64_t cfi_pointer(const struct cfi_section *s, struct cursor *c, uint8_t encoding)
{
	uint64_t at = s->address + (uint64_t)(c->p - s->data), v;

	if (encoding == DW_EH_PE_aligned) {
		cursor_take(c, -at & 7);
		return cursor_fixed(c, 8);
	}
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
	case DW_EH_PE_signed:
		v = cursor_fixed(c, 8);
		break;
	case DW_EH_PE_uleb128:
		v = cursor_uleb(c);
		break;
	case DW_EH_PE_sleb128:
		v = (uint64_t)cursor_sleb(c);
		break;
	case DW_EH_PE_udata2:
		v = cursor_fixed(c, 2);
		break;
	case DW_EH_PE_udata4:
		v = cursor_fixed(c, 4);
		break;
	case DW_EH_PE_sdata2:
		v = (uint64_t)(int16_t)cursor_fixed(c, 2);
		break;
	case DW_EH_PE_sdata4:
		v = (uint64_t)(int32_t)cursor_fixed(c, 4);
		break;
	default:
		c->bad = true;
		return 0;
	}
	/* A null pointer stays one, whatever it is relative to. */
	if (!v)
		return 0;
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		return v;
	case DW_EH_PE_pcrel:
		return v + at;
	case DW_EH_PE_textrel:
		if (s->text)
			return v + s->text;
		break;
	case DW_EH_PE_datarel:
		if (s->got)
			return v + s->got;
		break;
	}
	c->bad = true; /* indirect, relative to the function, or to a base that is unknown */
	return 0;
}

/*
 * The augmentation string tells what the augmentation data hold. Letters after one that we don't
 * know can't be read, and may change what the rest means.
 */
static bool read_augmentation(const struct cfi_section *s, struct cfi_cie *cie, struct cursor *c,
			      const char *letters)
{
	struct cursor data;
	uint64_t size;

	if (!*letters)
		return true;
	if (*letters != 'z')
		return false;
	cie->augmented = true;
	size = cursor_uleb(c);
	data.p = cursor_take(c, size);
	if (!data.p)
		return false;
	data.end = data.p + size;
	data.bad = false;
	while (*++letters) {
		uint8_t encoding;

		switch (*letters) {
		case 'L':
			cursor_u8(&data);
			break;
		case 'P':
			encoding = cursor_u8(&data);
			if (encoding != DW_EH_PE_omit) /* only its length matters */
				cfi_pointer(s, &data,
					    encoding == DW_EH_PE_aligned ? encoding
									 : encoding & 0x0f);
			break;
		case 'R':
			cie->encoding = cursor_u8(&data);
			break;
		case 'S':
			cie->signal_frame = true;
			break;
		case 'B': /* AArch64's pointer authentication key: no meaning here, no data */
			break;
		default:
			return false;
		}
	}
	return !data.bad;
}

static bool read_cie(const struct cfi_section *s, struct cfi_cie *cie, struct cursor c)
{
	uint8_t version = cursor_u8(&c);
	const char *letters = (const char *)c.p;
	uint64_t ra;

	if (version != 1 && version != 3 && version != 4)
		return false;
	while (cursor_u8(&c))
		;
	if (c.bad)
		return false;
	if (version == 4) {
		uint8_t address_size = cursor_u8(&c), segment_size = cursor_u8(&c);

		if (address_size != 8 || segment_size)
			return false;
	}
	if (!strcmp(letters, "eh")) { /* of GCC 2: a pointer to its exception table */
		cursor_fixed(&c, 8);
		letters += 2;
	}
	cie->code_align = cursor_uleb(&c);
	cie->data_align = cursor_sleb(&c);
	ra = version == 1 ? cursor_u8(&c) : cursor_uleb(&c);
	if (c.bad || ra != UNWIND_REG_RA || !read_augmentation(s, cie, &c, letters) || c.bad)
		return false;
	return cfi_run_initial(s, cie, c) == 0;
}

/* Grows an array that holds n elements so that one more fits. */
static void *room_for_one(void *list, size_t n, size_t *room, size_t size)
{
	void *grown;

	if (n < *room)
		return list;
	*room = *room ? *room + *room / 2 : 64;
	grown = reallocarray(list, *room, size);
	return grown;
}

static int read_cies(struct cfi *cfi)
{
	struct cursor c = section_start(&cfi->section);
	struct raw_entry e;
	size_t room = 0;

	while (next_entry(&cfi->section, &c, &e)) {
		struct cfi_cie *cies;

		if (!e.is_cie)
			continue;
		cies = room_for_one(cfi->cies, cfi->n_cies, &room, sizeof(*cies));
		if (!cies)
			return -ENOMEM;
		cfi->cies = cies;
		cies += cfi->n_cies++;
		*cies = (struct cfi_cie){ .offset = e.offset };
		cies->bad = !read_cie(&cfi->section, cies, e.body);
	}
	return 0;
}

int cfi_new(const struct cfi_section *section, struct cfi **out)
{
	struct cfi *cfi;
	int err;

	if (section->size > UINT32_MAX)
		return -EFBIG;
	cfi = calloc(1, sizeof(*cfi));
	if (!cfi)
		return -ENOMEM;
	cfi->section = *section;
	err = read_cies(cfi);
	if (err) {
		cfi_free(cfi);
		return err;
	}
	*out = cfi;
	return 0;
}

void cfi_free(struct cfi *cfi)
{
	if (cfi)
		free(cfi->cies);
	free(cfi);
}

static const struct cfi_cie *find_cie(const struct cfi *cfi, uint64_t offset,
				      const struct cfi_cie *last)
{
	uint32_t lo = 0, hi = cfi->n_cies;

	if (last && last->offset == offset)
		return last;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (cfi->cies[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < cfi->n_cies && cfi->cies[lo].offset == offset)
		return &cfi->cies[lo];
	return NULL;
}

/*
 * The range that holds an address. Neighbouring entries lie in the same one, so the last answer is
 * tried first.
 */
static const struct cfi_range *find_range(const struct cfi_range *ranges, size_t n,
					  const struct cfi_range *last, uint64_t address)
{
	if (last && address >= last->start && address < last->end)
		return last;
	for (size_t i = 0; i < n; i++)
		if (address >= ranges[i].start && address < ranges[i].end)
			return &ranges[i];
	return NULL;
}

/* The head of an FDE: the code it covers. Leaves e->body at its program. */
static bool read_fde(const struct cfi *cfi, const struct cfi_cie *cie, struct raw_entry *e,
		     uint64_t *start, uint64_t *size)
{
	struct cursor *c = &e->body;

	*start = cfi_pointer(&cfi->section, c, cie->encoding);
	*size = cfi_pointer(&cfi->section, c,
			    cie->encoding == DW_EH_PE_aligned ? DW_EH_PE_absptr
							      : cie->encoding & 0x0f);
	if (cie->augmented)
		cursor_take(c, cursor_uleb(c));
	return !c->bad;
}

static int compare_entries(const void *a, const void *b)
{
	const struct cfi_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->program < y->program ? -1 : x->program > y->program;
}

int cfi_entries(const struct cfi *cfi, uint64_t base, const struct cfi_range *ranges,
		size_t n_ranges, struct cfi_entries *out)
{
	struct cursor c = section_start(&cfi->section);
	const struct cfi_cie *cie = NULL;
	const struct cfi_range *range = NULL;
	struct cfi_entries all = { 0 };
	bool sorted = true;
	size_t room = 0;
	struct raw_entry e;

	while (next_entry(&cfi->section, &c, &e)) {
		struct cfi_entry *list;
		uint64_t start, size;

		if (e.is_cie)
			continue;
		cie = find_cie(cfi, e.cie_offset, cie);
		if (!cie || cie->bad || !read_fde(cfi, cie, &e, &start, &size)) {
			all.bad++;
			continue;
		}
		if (!start || !size)
			continue;
		range = find_range(ranges, n_ranges, range, start);
		if (!range || start + size < start) {
			all.bad++;
			continue;
		}
		list = room_for_one(all.list, all.n, &room, sizeof(*list));
		if (!list) {
			free(all.list);
			return -ENOMEM;
		}
		all.list = list;
		list += all.n++;
		list->start = (uint32_t)(start - base);
		list->size =
			(uint32_t)((start + size < range->end ? start + size : range->end) - start);
		list->program = (uint32_t)(e.body.p - cfi->section.data);
		list->program_size = (uint32_t)cursor_left(&e.body);
		list->cie = (uint32_t)(cie - cfi->cies);
		if (all.n > 1 && list->start < list[-1].start)
			sorted = false;
	}
	all.cut_off = c.bad && cursor_left(&c) && !cfi->section.open_ended;
	if (!sorted)
		qsort(all.list, all.n, sizeof(*all.list), compare_entries);
	*out = all;
	return 0;
}
