/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by cfi.c, which finds the entries, and cfi_run.c, which runs their programs. */
#ifndef PROFBPF_UNWIND_CFI_PRIVATE_H
#define PROFBPF_UNWIND_CFI_PRIVATE_H

#include "unwind/cfi.h"
#include "unwind/cursor.h"

struct cfi_cie {
	uint32_t offset; /* in the section */
	uint8_t encoding; /* of addresses in its FDEs, DW_EH_PE_* */
	bool augmented, signal_frame;
	bool bad; /* not understood: its FDEs are of no use */
	uint64_t code_align;
	int64_t data_align;
	struct cfi_state initial;
};

struct cfi {
	struct cfi_section section;
	struct cfi_cie *cies; /* ascending offsets */
	uint32_t n_cies;
};

/* Reads a pointer; c lies in the section. Sets c->bad for what is no known encoding. */
uint64_t cfi_pointer(const struct cfi_section *section, struct cursor *c, uint8_t encoding);

/* Runs the instructions that all FDEs of a CIE begin with. -EINVAL. */
int cfi_run_initial(const struct cfi_section *section, struct cfi_cie *cie, struct cursor program);

#endif
