/* SPDX-License-Identifier: BSD-2-Clause */
/* How a table lies in memory: its parts allocated one by one, or all in a mapped cache file. */
#ifndef PROFBPF_UNWIND_TABLE_PRIVATE_H
#define PROFBPF_UNWIND_TABLE_PRIVATE_H

#include "unwind/table.h"

struct table_memory {
	struct unwind_table table; /* first: what the user holds is a pointer to it */
	void *map; /* NULL: the parts are malloc'd */
	size_t map_size;
};

#endif
