/* SPDX-License-Identifier: BSD-2-Clause */
/* The frames of many addresses of one object, in a form that can be kept in a file. Used inside symbolize/ only. */
#ifndef PROFBPF_ANSWERS_H
#define PROFBPF_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct answers;
struct iovec;
struct symbol_frame;

struct answers *answers_new(void);
/* Accepts NULL. */
void answers_free(struct answers *answers);

/* Keeps the frames of an address, which may be none. Each address once. Returns 0 or -ENOMEM. */
int answers_add(struct answers *answers, uint64_t address, const struct symbol_frame *frames,
		size_t n);

/*
 * The frames of an address; false if it was never added. They are valid until the next call of any function
 * for the same answers. Costs a sort where addresses were added in another order than ascending.
 */
bool answers_find(struct answers *answers, uint64_t address, const struct symbol_frame **frames,
		  size_t *n);

/* Adds what only the other one has. Returns 0 or -ENOMEM. */
int answers_merge(struct answers *answers, struct answers *other);

/* The bytes to be kept: parts of it, valid until the next change. */
#define ANSWERS_PARTS 4
void answers_pack(struct answers *answers, struct iovec *parts);

/*
 * Answers of bytes that answers_pack told, which may be anything, and must outlive them. They can be asked, and
 * nothing can be added. Returns 0; -EINVAL where they are not such bytes; -ENOMEM.
 */
int answers_unpack(const void *bytes, size_t size, struct answers **answers);

#endif
