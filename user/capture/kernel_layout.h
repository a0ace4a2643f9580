/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel addresses belong to which module. */
#ifndef PROFBPF_KERNEL_LAYOUT_H
#define PROFBPF_KERNEL_LAYOUT_H

#include <stdint.h>

struct profile;
struct kernel_layout;

/* Reads /proc/modules and the kernel's build id. NULL when out of memory; where the addresses are
 * hidden all belongs to the kernel proper. */
struct kernel_layout *kernel_layout_new(void);
void kernel_layout_free(struct kernel_layout *k);

/* The profile's object for a kernel address, added when first needed. 0 or -ENOMEM. */
int kernel_layout_object(struct kernel_layout *k, struct profile *p, uint64_t address,
			 uint32_t *object);

#endif
