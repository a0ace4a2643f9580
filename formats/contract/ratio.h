/* SPDX-License-Identifier: BSD-2-Clause */
/* Shares of counts, in integers: what is displayed is rounded, what is compared is not. */
#ifndef PROFBPF_CONTRACT_RATIO_H
#define PROFBPF_CONTRACT_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#define BASIS_POINTS 10000U

/* Whether part is at least basis_points of whole. */
static inline bool ratio_reaches(uint64_t part, uint64_t whole, uint64_t basis_points)
{
	return (unsigned __int128)part * BASIS_POINTS >= (unsigned __int128)whole * basis_points;
}

/* part * scale / whole in hundredths, rounded half away from zero. whole is not 0. */
static inline unsigned __int128 ratio_hundredths(uint64_t part, uint64_t scale, uint64_t whole)
{
	/* Up to 2^64 * 1e9 * 200: below 2^102. */
	return ((unsigned __int128)part * scale * 200 + whole) / ((unsigned __int128)whole * 2);
}

/* Writes hundredths as "12.34"; size 48 is enough. Returns buf. */
const char *ratio_print(unsigned __int128 hundredths, char *buf, unsigned int size);

#endif
