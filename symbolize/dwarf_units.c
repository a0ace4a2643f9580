// SPDX-License-Identifier: BSD-2-Clause
/*
 * Units are matched by their own DW_AT_ranges, low_pc and high_pc: clang and rustc write no
 * .debug_aranges, and libdw reads every unit's header to find one by an offset anyway. The aranges
 * are asked for what is left: units without addresses of their own.
 */
#include <dwarf.h>

#include "symbolize/dwarf_units.h"

/* The first of n addresses in ascending order that is at least the given one. */
static size_t lower_bound(const uint64_t *addresses, size_t n, uint64_t address)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool dwarf_range_of(uint64_t start, uint64_t end, const uint64_t *addresses, size_t n,
		    struct range_budget *budget, range_sink found, void *arg)
{
	size_t first, last;

	if (!budget->left)
		return false;
	budget->left--;
	if (!start || end <= start)
		return true;
	first = lower_bound(addresses, n, start);
	last = first + lower_bound(addresses + first, n - first, end);
	if (first == last)
		return true;
	found(arg, first, last, end - start);
	budget->left -= budget->left < last - first ? budget->left : last - first;
	return true;
}

bool dwarf_ranges_of(Dwarf_Die *die, const uint64_t *addresses, size_t n,
		     struct range_budget *budget, range_sink found, void *arg)
{
	Dwarf_Addr base = 0, start = 0, end = 0;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (!dwarf_range_of(start, end, addresses, n, budget, found, arg))
			return false;
	return true;
}

struct matching {
	struct unit_match *matches;
	Dwarf_Die unit;
	Dwarf_Off offset;
};

static void match(void *arg, size_t first, size_t end, uint64_t extent)
{
	struct matching *m = arg;

	for (size_t i = first; i < end; i++)
		if (!m->matches[i].extent || extent < m->matches[i].extent)
			m->matches[i] = (struct unit_match){ m->unit, m->offset, extent };
}

static void match_by_aranges(Dwarf *dwarf, const uint64_t *addresses, size_t n,
			     struct unit_match *matches)
{
	Dwarf_Aranges *aranges = NULL;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		Dwarf_Arange *arange;
		Dwarf_Addr start;
		Dwarf_Word length;
		Dwarf_Off offset;

		if (matches[i].extent)
			continue;
		if (!aranges && dwarf_getaranges(dwarf, &aranges, &count))
			return;
		arange = dwarf_getarange_addr(aranges, addresses[i]);
		if (arange && !dwarf_getarangeinfo(arange, &start, &length, &offset) && length &&
		    dwarf_offdie(dwarf, offset, &matches[i].unit)) {
			matches[i].offset = offset;
			matches[i].extent = length;
		}
	}
}

void dwarf_match_units(Dwarf *dwarf, const uint64_t *addresses, size_t n,
		       struct range_budget *budget, struct unit_match *matches)
{
	struct matching m = { .matches = matches };
	Dwarf_CU *cu = NULL;
	uint8_t type;

	for (size_t i = 0; i < n; i++)
		matches[i].extent = 0;
	/*
	 * No sub-DIE is asked for: libdw would open files that a skeleton unit names. What it takes for
	 * a split unit is a skeleton of DWARF 4 in which clang left inlined calls.
	 */
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &m.unit, NULL)) {
		if ((type != DW_UT_compile && type != DW_UT_skeleton &&
		     type != DW_UT_split_compile) ||
		    !m.unit.addr)
			continue;
		m.offset = dwarf_dieoffset(&m.unit);
		if (!dwarf_ranges_of(&m.unit, addresses, n, budget, match, &m))
			return;
	}
	match_by_aranges(dwarf, addresses, n, matches);
}
