/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/accounting.h"
#include "formats/profile.h"
#include "formats/text.h"

uint64_t accounting_dropped(const struct profile_accounting *a)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < PROFILE_N_DROPS; i++)
		sum += a->dropped[i];
	return sum;
}

static int __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
	va_list args;
	char *s;
	int n, err;

	va_start(args, format);
	n = vasprintf(&s, format, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	err = text_add(t, s, n);
	free(s);
	return err;
}

static int add_equation(const struct profile_accounting *a, struct text *t)
{
	int err = add(t,
		      "ticks: %" PRIu64 " requested = %" PRIu64 " recorded + %" PRIu64
		      " coalesced + %" PRIu64 " dropped",
		      a->requested, a->recorded, a->coalesced, accounting_dropped(a));
	const char *before = " (";

	for (unsigned int i = 0; !err && i < PROFILE_N_DROPS; i++) {
		if (!a->dropped[i])
			continue;
		err = add(t, "%s%s %" PRIu64, before, profile_drop_id(i), a->dropped[i]);
		before = ", ";
	}
	if (!err && before[0] == ',')
		err = add(t, ")");
	return err ? err : add(t, "\n");
}

static int add_elsewhere(const struct profile_accounting *a, struct text *t)
{
	int err = add(t, "ticks elsewhere: %" PRIu64 " other processes, %" PRIu64 " idle", a->other,
		      a->idle);

	if (!err && a->stolen)
		err = add(t, ", %" PRIu64 " stolen by the hypervisor", a->stolen);
	return err ? err : add(t, "\n");
}

static int add_ends(const struct profile_accounting *a, struct text *t)
{
	const char *before = "stacks end at: ";
	int err = 0;

	for (unsigned int i = 0; !err && i < PROFILE_N_ENDS; i++) {
		if (!a->ends[i])
			continue;
		err = add(t, "%s%s %" PRIu64, before, profile_end_id(i), a->ends[i]);
		before = ", ";
	}
	if (!err && before[0] == ',')
		err = add(t, "\n");
	return err;
}

int accounting_text(const struct profile_accounting *a, struct text *t)
{
	const struct {
		uint64_t n;
		const char *what;
	} losses[] = {
		{ a->truncated_stacks, "samples with a truncated stack" },
		{ a->unmapped_frames, "frames in no known mapping" },
		{ a->early_samples, "samples taken before the unwind table of new code was there" },
		{ a->unopened_objects, "files gone before they could be opened" },
		{ a->lost_records, "mapping or name records lost" },
		{ a->lost_events, "process events lost" },
	};
	int err = add_equation(a, t);

	if (!err)
		err = add_elsewhere(a, t);
	if (!err)
		err = add_ends(a, t);
	for (size_t i = 0; !err && i < sizeof(losses) / sizeof(losses[0]); i++) {
		if (losses[i].n)
			err = add(t, "%s: %" PRIu64 "\n", losses[i].what, losses[i].n);
	}
	return err;
}
