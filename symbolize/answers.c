// SPDX-License-Identifier: BSD-2-Clause
/*
 * Packed: a head, then addresses in ascending order, frames, and texts, each text once and with its end. All of
 * it is made of fixed-width numbers of this machine, aligned, so that it is used where it lies.
 */
#include "symbolize/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "symbolize/symbolize.h"

#define MAX_FRAMES UINT16_MAX

struct entry {
	uint64_t address;
	uint32_t first, n; /* of its frames */
};

struct frame {
	uint32_t name, linkage, file; /* where in the texts */
	uint32_t line, column, discriminator, start_line;
	uint32_t has_md5;
	unsigned char md5[16];
};

struct head {
	uint64_t n_entries, n_frames, texts_size;
};

struct text {
	UT_hash_handle hh;
	uint32_t at;
	char key[];
};

struct answers {
	struct head head;
	struct entry *entries;
	struct frame *frames;
	char *texts;
	size_t entries_size, frames_size, texts_room;
	struct text *known; /* NULL where all is somebody else's */
	bool foreign, sorted;

	struct symbol_frame *told; /* what the last answer pointed to */
	size_t told_size;
};

struct answers *answers_new(void)
{
	struct answers *a = calloc(1, sizeof(*a));

	if (a)
		a->sorted = true;
	return a;
}

void answers_free(struct answers *a)
{
	struct text *t, *next;

	if (!a)
		return;
	HASH_ITER(hh, a->known, t, next) {
		HASH_DEL(a->known, t);
		free(t);
	}
	if (!a->foreign) {
		free(a->entries);
		free(a->frames);
		free(a->texts);
	}
	free(a->told);
	free(a);
}

/* Room for so many of an array's members, and as many more at most. */
static int grow(void *array, size_t *size, size_t wanted, size_t member)
{
	size_t more = *size ? 2 * *size : 256;
	void *grown;

	if (wanted <= *size)
		return 0;
	if (more < wanted)
		more = wanted;
	grown = reallocarray(*(void **)array, more, member);
	if (!grown)
		return -ENOMEM;
	*(void **)array = grown;
	*size = more;
	return 0;
}

static int add_text(struct answers *a, const char *text, uint32_t *at)
{
	size_t length = strlen(text);
	struct text *t;

	HASH_FIND(hh, a->known, text, length, t);
	if (t) {
		*at = t->at;
		return 0;
	}
	if (length >= UINT32_MAX - a->head.texts_size ||
	    grow(&a->texts, &a->texts_room, a->head.texts_size + length + 1, 1))
		return -ENOMEM;
	t = calloc(1, sizeof(*t) + length + 1);
	if (!t)
		return -ENOMEM;
	memcpy(t->key, text, length);
	t->at = (uint32_t)a->head.texts_size;
	HASH_ADD_KEYPTR(hh, a->known, t->key, length, t);
	if (!t->hh.tbl) {
		free(t);
		return -ENOMEM;
	}
	memcpy(a->texts + t->at, text, length + 1);
	a->head.texts_size += length + 1;
	*at = t->at;
	return 0;
}

static int add_frame(struct answers *a, const struct symbol_frame *from)
{
	struct frame *f = &a->frames[a->head.n_frames];
	int err = add_text(a, from->name, &f->name);

	if (!err)
		err = add_text(a, from->linkage_name, &f->linkage);
	if (!err)
		err = add_text(a, from->file, &f->file);
	f->line = from->line;
	f->column = from->column;
	f->discriminator = from->discriminator;
	f->start_line = from->start_line;
	f->has_md5 = from->md5 != NULL;
	memset(f->md5, 0, sizeof(f->md5));
	if (from->md5)
		memcpy(f->md5, from->md5, sizeof(f->md5));
	a->head.n_frames += !err;
	return err;
}

int answers_add(struct answers *a, uint64_t address, const struct symbol_frame *frames, size_t n)
{
	struct entry e = { address, (uint32_t)a->head.n_frames, (uint32_t)n };
	int err = n > MAX_FRAMES || a->head.n_frames > UINT32_MAX - n ? -ENOMEM : 0;

	if (!err)
		err = grow(&a->entries, &a->entries_size, a->head.n_entries + 1, sizeof(e));
	if (!err)
		err = grow(&a->frames, &a->frames_size, a->head.n_frames + n, sizeof(*a->frames));
	for (size_t i = 0; i < n && !err; i++)
		err = add_frame(a, &frames[i]);
	if (err) {
		a->head.n_frames = e.first;
		return err;
	}
	if (a->head.n_entries && a->entries[a->head.n_entries - 1].address > address)
		a->sorted = false;
	a->entries[a->head.n_entries++] = e;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void sort(struct answers *a)
{
	if (!a->sorted)
		qsort(a->entries, a->head.n_entries, sizeof(*a->entries), by_address);
	a->sorted = true;
}

static int tell(struct answers *a, const struct entry *e)
{
	int err = grow(&a->told, &a->told_size, e->n, sizeof(*a->told));

	for (uint32_t i = 0; i < e->n && !err; i++) {
		const struct frame *f = &a->frames[e->first + i];

		a->told[i] = (struct symbol_frame){
			.name = a->texts + f->name,
			.linkage_name = a->texts + f->linkage,
			.file = a->texts + f->file,
			.line = f->line,
			.column = f->column,
			.discriminator = f->discriminator,
			.start_line = f->start_line,
			.md5 = f->has_md5 ? f->md5 : NULL,
		};
	}
	return err;
}

bool answers_find(struct answers *a, uint64_t address, const struct symbol_frame **frames,
		  size_t *n)
{
	const struct entry key = { .address = address }, *e;

	if (!a->head.n_entries)
		return false;
	sort(a);
	e = bsearch(&key, a->entries, a->head.n_entries, sizeof(key), by_address);
	if (!e || tell(a, e))
		return false;
	*frames = a->told;
	*n = e->n;
	return true;
}

int answers_merge(struct answers *a, struct answers *other)
{
	uint64_t n = a->head.n_entries;
	int err = 0;

	sort(a);
	for (uint64_t i = 0; i < other->head.n_entries && !err; i++) {
		const struct entry *e = &other->entries[i];

		if (n && bsearch(e, a->entries, n, sizeof(*e), by_address))
			continue;
		err = tell(other, e);
		if (!err)
			err = answers_add(a, e->address, other->told, e->n);
	}
	return err;
}

void answers_pack(struct answers *a, struct iovec *parts)
{
	sort(a);
	parts[0] = (struct iovec){ &a->head, sizeof(a->head) };
	parts[1] = (struct iovec){ a->entries, a->head.n_entries * sizeof(*a->entries) };
	parts[2] = (struct iovec){ a->frames, a->head.n_frames * sizeof(*a->frames) };
	parts[3] = (struct iovec){ a->texts, a->head.texts_size };
}

static bool is_sound(const struct answers *a)
{
	uint64_t texts = a->head.texts_size;

	if (a->head.n_frames && (!texts || a->texts[texts - 1]))
		return false;
	for (uint64_t i = 0; i < a->head.n_entries; i++) {
		const struct entry *e = &a->entries[i];

		if ((i && e->address <= e[-1].address) || e->n > MAX_FRAMES ||
		    (uint64_t)e->first + e->n > a->head.n_frames)
			return false;
	}
	for (uint64_t i = 0; i < a->head.n_frames; i++) {
		const struct frame *f = &a->frames[i];

		if (f->name >= texts || f->linkage >= texts || f->file >= texts)
			return false;
	}
	return true;
}

int answers_unpack(const void *bytes, size_t size, struct answers **answers)
{
	struct answers *a;
	struct head h;

	if (size < sizeof(h) || (uintptr_t)bytes % _Alignof(struct entry))
		return -EINVAL;
	memcpy(&h, bytes, sizeof(h));
	size -= sizeof(h);
	if (h.n_entries > size / sizeof(struct entry) || h.n_frames > size / sizeof(struct frame) ||
	    h.texts_size > size ||
	    h.n_entries * sizeof(struct entry) + h.n_frames * sizeof(struct frame) + h.texts_size !=
		    size)
		return -EINVAL;
	a = answers_new();
	if (!a)
		return -ENOMEM;
	a->foreign = true;
	a->head = h;
	a->entries = (struct entry *)((char *)(uintptr_t)bytes + sizeof(h));
	a->frames = (struct frame *)(a->entries + h.n_entries);
	a->texts = (char *)(a->frames + h.n_frames);
	if (!is_sound(a)) {
		answers_free(a);
		return -EINVAL;
	}
	*answers = a;
	return 0;
}
