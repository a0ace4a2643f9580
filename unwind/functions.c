// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>

#include "unwind/functions.h"
#include "unwind/instruction.h"

/* How far functions jump within themselves, bytes: where nothing else tells, and at all. */
#define SHORT_JUMP 512
#define LONG_JUMP 0x4000

void functions_mark_calls(const uint8_t *code, size_t size, uint8_t *flags)
{
	struct instruction i;

	for (size_t at = 0; at < size; at += i.length) {
		int64_t to;

		if (instruction_read(code + at, size - at, &i)) {
			i.length = 1; /* data, maybe */
			continue;
		}
		to = (int64_t)(at + i.length) + i.distance;
		if (i.kind == INSTRUCTION_CALL && to >= 0 && to < (int64_t)size)
			flags[to] |= FUNCTIONS_CALLED;
	}
}

/* To what is neither known nor padding. */
static size_t skip(const uint8_t *code, size_t size, const uint8_t *flags, size_t at)
{
	struct instruction i;

	while (at < size) {
		if (flags[at] & FUNCTIONS_KNOWN)
			at++;
		else if (instruction_read(code + at, size - at, &i))
			at++;
		else if (i.kind == INSTRUCTION_NOP)
			at += i.length;
		else
			break;
	}
	return at;
}

/* A function that is followed. */
struct function {
	size_t next; /* its next instruction */
	size_t led; /* to where its branches lead, furthest */
	int64_t depth, body; /* bytes below the return address, and the most that it had */
	bool called; /* the last instruction was a call */
};

/* Whether a jump stays within the function: that of one whose frame is gone leaves it. */
static bool stays(const struct function *f, const struct instruction *i)
{
	if (i->distance > LONG_JUMP)
		return false;
	if (i->kind == INSTRUCTION_BRANCH)
		return true;
	return f->body ? f->depth > 0 : i->distance < SHORT_JUMP;
}

/* True where it was the last one. */
static bool follow(struct function *f, const struct instruction *i, size_t size,
		   const uint8_t *flags)
{
	int64_t to = (int64_t)f->next + i->length + i->distance;
	bool jumps = i->kind == INSTRUCTION_JUMP;

	f->next += i->length;
	f->depth -= i->adds;
	f->body = f->depth > f->body ? f->depth : f->body;
	f->called = i->kind == INSTRUCTION_CALL;
	if ((jumps || i->kind == INSTRUCTION_BRANCH) && to < (int64_t)size &&
	    to > (int64_t)f->led && !flags[to] && stays(f, i))
		f->led = (size_t)to;
	if (!jumps && i->kind != INSTRUCTION_END)
		return false;
	f->depth = f->body;
	return f->led < f->next;
}

/* Behind a call that does not return: padding, or a function that is called or named. */
static bool begins_another(const struct function *f, const struct instruction *i, uint8_t flags)
{
	return f->led < f->next && (flags & (FUNCTIONS_CALLED | FUNCTIONS_NAMED) ||
				    (f->called && i->kind == INSTRUCTION_NOP));
}

size_t functions_next(const uint8_t *code, size_t size, const uint8_t *flags, size_t *at)
{
	size_t start = skip(code, size, flags, *at);
	struct function f = { .next = start };
	struct instruction i;

	while (f.next < size && !(flags[f.next] & FUNCTIONS_KNOWN)) {
		if (instruction_read(code + f.next, size - f.next, &i) ||
		    (f.next > start && begins_another(&f, &i, flags[f.next])) ||
		    follow(&f, &i, size, flags))
			break;
	}
	*at = start;
	return f.next - start;
}
