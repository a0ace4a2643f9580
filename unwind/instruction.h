/* SPDX-License-Identifier: BSD-2-Clause */
/* How long an x86-64 instruction is, where it leads, and what it does to rsp and rbp. */
#ifndef PROFBPF_UNWIND_INSTRUCTION_H
#define PROFBPF_UNWIND_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_PLAIN, /* leaves both, or adds to rsp */
	INSTRUCTION_PUSH_RBP,
	INSTRUCTION_POP_RBP,
	INSTRUCTION_SET_FRAME, /* mov %rsp, %rbp */
	INSTRUCTION_FROM_FRAME, /* lea n(%rbp), %rsp, or mov */
	INSTRUCTION_LEAVE,
	INSTRUCTION_UNKNOWN_RSP, /* aligns it, or takes a length from it */
	INSTRUCTION_BRANCH, /* conditional */
	INSTRUCTION_JUMP,
	INSTRUCTION_CALL, /* direct */
	INSTRUCTION_NOP,
	INSTRUCTION_END, /* returns, jumps through a table, stops */
};

struct instruction {
	enum instruction_kind kind;
	unsigned int length;
	int32_t distance; /* of a branch, jump or call from its end; of FROM_FRAME from rbp */
	int64_t adds; /* bytes, to rsp */
};

/* 0, or -1: not to be understood, or longer than size bytes. */
int instruction_read(const uint8_t *code, size_t size, struct instruction *instruction);

#endif
