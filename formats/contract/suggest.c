// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/contract/ratio.h"
#include "formats/contract/report.h"

/* The text between before and after is the function's qualified name. */
static int add(const struct collector *c, struct bottleneck *b, const char *rule,
	       const char *before, const char *after)
{
	struct contract_function f = catalog_function(c->catalog, b->function);
	struct suggestion *s = &b->suggestions[b->n_suggestions];
	char *text = NULL;
	FILE *out = open_memstream(&text, &s->text.n);

	if (!out)
		return -ENOMEM;
	fputs(before, out);
	fwrite(f.name_space.s, 1, f.name_space.n, out);
	putc('.', out);
	fwrite(f.name.s, 1, f.name.n, out);
	fputs(after, out);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	s->rule = rule;
	s->text.s = text;
	b->n_suggestions++;
	return 0;
}

static int suggest_cpu(const struct collector *c, struct bottleneck *b)
{
	uint64_t self = b->second, others = b->impact - b->second;

	if (self < others)
		return add(c, b, "CPU_CALLEE_DOMINATED",
			   "Inspect the dominant reported call chain of ",
			   "; self work accounts for less than half of its samples.");
	if (b->n_lines == 0)
		return 0;
	return add(c, b, "CPU_HIGH_SELF", "Inspect the reported hot lines in ",
		   "; self work accounts for at least half of its samples.");
}

static int suggest_memory(const struct collector *c, struct bottleneck *b)
{
	char share[48], after[128];
	int err;

	snprintf(after, sizeof(after), "; it accounts for %s%% of attributed allocated bytes.",
		 ratio_print(b->hundredths, share, sizeof(share)));
	err = add(c, b, "MEM_ALLOCATION_PRESSURE",
		  "Reduce, reuse, or batch work at the allocation site ", after);
	if (err || b->site->live == 0 ||
	    !ratio_reaches(b->site->live, report_denominator(c), c->config.threshold))
		return err;
	snprintf(after, sizeof(after), "; %" PRIu64 " bytes were retained at the end of the run.",
		 b->site->live);
	return add(c, b, "MEM_RETAINED", "Review the lifetime of allocations from ", after);
}

int suggest(const struct collector *c, struct bottleneck *b)
{
	enum contract_reason reason = collector_reason(c);

	if (b->is_bucket || (reason != CONTRACT_NO_REASON && reason != CONTRACT_INTERRUPT))
		return 0;
	return c->config.mode == CONTRACT_CPU ? suggest_cpu(c, b) : suggest_memory(c, b);
}
