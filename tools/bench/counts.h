/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What getstack's kernel program counted: all of its .bss. */
#ifndef BENCH_COUNTS_H
#define BENCH_COUNTS_H

struct counts {
	unsigned long long samples, frames;
};

#endif
