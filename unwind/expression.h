/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DWARF expressions that compilers, linkers and assembly authors put into call frame
 * information, as forms that a table row can hold. Found in a survey of glibc, OpenSSL, libgcc,
 * libstdc++, CPython, Node, LLVM, Chromium, Go and Rust programs:
 *
 *	procedure linkage tables: rsp + 8 + ((pc & 15) >= 11) * 8
 *	functions that align the stack: *(rbp - 40), registers saved at rbp - 8 and so on
 *	signal frames: *(rsp + 160), registers at rsp + 120 and so on
 *	OpenSSL's assembly: *(rsp + 152) + 8 and *(rsp + r9 * 8 + 8) + 8
 */
#ifndef PROFBPF_UNWIND_EXPRESSION_H
#define PROFBPF_UNWIND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPRESSION_CFA 0xff /* as a register: the canonical frame address */

enum expression_form {
	EXPRESSION_CONSTANT, /* offset */
	EXPRESSION_REG, /* reg + offset */
	EXPRESSION_SCALED, /* reg * add + offset */
	EXPRESSION_SUM, /* reg + index * 8 + offset */
	EXPRESSION_DEREF, /* *(reg + offset) + add */
	EXPRESSION_DEREF_SUM, /* *(reg + index * 8 + offset) + add */
	EXPRESSION_PC_LOW, /* pc & 15 */
	EXPRESSION_PC_TEST, /* (pc & 15) >= add */
	EXPRESSION_PC_STEP, /* that * 8 */
	EXPRESSION_PLT, /* reg + offset + that * 8 */
};

struct expression {
	uint8_t form, reg, index;
	int64_t offset, add;
};

/*
 * Brings an expression into a form. with_cfa: the canonical frame address lies on the stack at the
 * start, as for expressions of registers. False: it has none of the forms, or is damaged.
 */
bool expression_read(const uint8_t *bytes, size_t size, bool with_cfa, struct expression *e);

#endif
