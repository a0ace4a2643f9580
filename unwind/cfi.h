/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call frame information as .eh_frame and .debug_frame hold it: common entries (CIE), an entry for
 * each function (FDE), and the little programs in them that say, instruction by instruction, where
 * the caller's registers are. Only rsp, rbp, rbx and the return address are followed.
 */
#ifndef PROFBPF_UNWIND_CFI_H
#define PROFBPF_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a section. They stay the caller's and must outlive what is made of them. */
struct cfi_section {
	const uint8_t *data;
	size_t size;
	uint64_t address; /* where it lies in the object's address space (0 for .debug_frame) */
	uint64_t text, got; /* bases of textrel and datarel pointers, 0 if unknown */
	bool eh; /* .eh_frame's format, not .debug_frame's */
	bool open_ended; /* its true size is unknown: it ends at an entry of length zero */
};

enum cfi_kind {
	CFI_DEFAULT, /* no rule: what the ABI says */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_OFFSET, /* saved at CFA + offset */
	CFI_VAL_OFFSET, /* is CFA + offset */
	CFI_REG, /* is reg + offset */
	CFI_EXPR, /* saved at the address that an expression gives */
	CFI_VAL_EXPR, /* is what an expression gives */
};

/* len 0: an expression that is too long to be one we know. */
struct cfi_rule {
	uint8_t kind, reg, len;
	union {
		int64_t offset;
		const uint8_t *expr;
	};
};

/* CFI_OTHER takes the rules of all registers that nobody asks for. */
enum { CFI_RSP, CFI_RBP, CFI_RBX, CFI_RA, CFI_OTHER, CFI_REGS };

struct cfi_state {
	struct cfi_rule cfa; /* CFI_REG or CFI_VAL_EXPR; CFI_DEFAULT: never set */
	struct cfi_rule regs[CFI_REGS];
};

/* An FDE: the code it covers, relative to the base given to cfi_entries, and its place. */
struct cfi_entry {
	uint32_t start, size;
	uint32_t program, program_size, cie; /* private: bytes in the section, index of the CIE */
};

/* Code that entries may cover, ascending, not overlapping. */
struct cfi_range {
	uint64_t start, end;
};

struct cfi_entries {
	struct cfi_entry *list; /* malloc'd */
	size_t n;
	uint32_t bad; /* entries that make no sense */
	bool cut_off; /* a length leads out of the section */
};

struct cfi;

/* Reads the CIEs of a section (at most 4 GiB). The caller frees *cfi. -EFBIG, -ENOMEM. */
int cfi_new(const struct cfi_section *section, struct cfi **cfi);
void cfi_free(struct cfi *cfi);

/*
 * The entries whose code begins in one of the ranges, ordered by start, then by their order in the
 * section. One that reaches beyond its range is cut there. All ranges lie in [base, base + 4 GiB).
 * Entries of no length or at address 0 are what linkers leave of discarded functions: they are
 * passed over silently. Linear in the section's size but for the sorting. The caller frees
 * out->list. -ENOMEM.
 */
int cfi_entries(const struct cfi *cfi, uint64_t base, const struct cfi_range *ranges,
		size_t n_ranges, struct cfi_entries *out);

/* Gets the rules in force from an offset (from base) on. A non-zero value stops and is returned. */
typedef int (*cfi_sink)(void *arg, uint32_t offset, const struct cfi_state *state,
			bool signal_frame);

/*
 * Runs an entry's program up to the offset `limit`. The sink gets offsets in ascending order,
 * beginning with the entry's start. -EINVAL: it makes no sense, and what the sink already got is
 * void; else 0 or the sink's value.
 */
int cfi_run(const struct cfi *cfi, const struct cfi_entry *entry, uint64_t base, uint32_t limit,
	    cfi_sink sink, void *arg);

#endif
