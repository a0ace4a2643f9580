/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where functions begin and end in code that no symbol and no entry tells of, from the instructions. x86-64.
 */
#ifndef PROFBPF_UNWIND_FUNCTIONS_H
#define PROFBPF_UNWIND_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/* Of a byte of code. */
#define FUNCTIONS_KNOWN 1 /* an entry or a symbol tells of it */
#define FUNCTIONS_CALLED 2 /* it is called: a function begins there */
#define FUNCTIONS_NAMED 4 /* a symbol says so, and not where the function ends */

/* Marks in flags, one a byte of code, what the code calls within itself. */
void functions_mark_calls(const uint8_t *code, size_t size, uint8_t *flags);

/*
 * The first function at or after *at, in a run of bytes that are not known: *at is set to where it
 * begins, and its size is returned. 0: there is none. A function ends where its code does, and nothing in it leads further on, or
 * where the next one that is called or named begins.
 */
size_t functions_next(const uint8_t *code, size_t size, const uint8_t *flags, size_t *at);

#endif
