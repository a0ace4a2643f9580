// SPDX-License-Identifier: BSD-2-Clause
/* The report for people. The first failure is kept, so that the pieces need not tell theirs. */
#include <errno.h>
#include <inttypes.h>

#include "formats/contract/ratio.h"
#include "formats/contract/render.h"
#include "formats/contract/report.h"
#include "formats/text.h"

struct human {
	FILE *out;
	const struct contract_report *r;
	const struct collector *c;
	bool known; /* there are numbers */
	int err;
};

static void put_text(struct human *h, struct contract_text text)
{
	struct text clean = { 0 };
	int err = text_add_clean_bytes(&clean, text.s, text.n);

	if (err)
		h->err = err;
	else
		fwrite(clean.s, 1, clean.n, h->out);
	text_free(&clean);
}

static void put_number(struct human *h, bool known, uint64_t number)
{
	if (known)
		fprintf(h->out, "%" PRIu64, number);
	else
		fputs("unavailable", h->out);
}

/* "1 sample", "2 samples", "unavailable samples". */
static void put_count(struct human *h, bool known, uint64_t number, const char *what)
{
	put_number(h, known, number);
	fprintf(h->out, " %s%s", what, known && number == 1 ? "" : "s");
}

static void put_hundredths(struct human *h, unsigned __int128 hundredths)
{
	char buf[48];

	fputs(ratio_print(hundredths, buf, sizeof(buf)), h->out);
}

static void put_qualified(struct human *h, uint32_t function)
{
	struct contract_function f = catalog_function(h->c->catalog, function);

	put_text(h, f.name_space);
	putc('.', h->out);
	put_text(h, f.name);
}

/* PATH:LINE:COLUMN, as much of it as is known. */
static void put_place(struct human *h, uint32_t source, uint64_t line, uint64_t column)
{
	put_text(h, catalog_source(h->c->catalog, source).path);
	if (line == CONTRACT_NO_NUMBER)
		return;
	fprintf(h->out, ":%" PRIu64, line);
	if (column != CONTRACT_NO_NUMBER)
		fprintf(h->out, ":%" PRIu64, column);
}

static void put_head(struct human *h)
{
	const struct collector *c = h->c;
	enum contract_reason reason = collector_reason(c);

	fputs(c->config.mode == CONTRACT_CPU ? "CPU profile\n" : "Memory profile\n", h->out);
	fprintf(h->out, "status: %s", collector_status(c));
	if (reason != CONTRACT_NO_REASON)
		fprintf(h->out, " (%s)", contract_reasons[reason]);
	fprintf(h->out, "\ntermination: %s\nbackend: ", contract_terminations[c->end.termination]);
	put_text(h, c->config.backend);
	fputs("\ncoverage: ", h->out);
	put_text(h, c->config.coverage);
	putc('\n', h->out);
}

static void put_rates(struct human *h)
{
	uint64_t wall = h->c->end.wall_ns;

	fputs("rate: ", h->out);
	if (!h->known || wall == 0 || wall == CONTRACT_NO_NUMBER)
		fputs("unavailable", h->out);
	else
		put_hundredths(h, ratio_hundredths(h->c->cpu.recorded, 1000000000, wall));
	fprintf(h->out, " Hz observed / %" PRIu64 " Hz requested\n", h->c->config.rate_hz);
}

static void put_cpu_totals(struct human *h)
{
	const struct cpu *cpu = &h->c->cpu;
	uint64_t wall = h->c->end.wall_ns, time = h->c->end.cpu_ns;
	bool known = h->known;

	fputs("samples: ", h->out);
	put_number(h, known, cpu->states[CONTRACT_JETT]);
	fputs(" attributed / ", h->out);
	put_number(h, known, cpu->recorded);
	fputs(" recorded / ", h->out);
	put_number(h, known, cpu->recorded + cpu->coalesced + cpu->dropped);
	fputs(" requested\nother samples: ", h->out);
	put_number(h, known, cpu->states[CONTRACT_RUNTIME]);
	fputs(" runtime, ", h->out);
	put_number(h, known && !h->c->config.no_waiting, cpu->states[CONTRACT_WAITING]);
	fputs(" waiting, ", h->out);
	put_number(h, known, cpu->states[CONTRACT_UNAVAILABLE]);
	fputs(" unavailable\nsampling loss: ", h->out);
	put_number(h, known, cpu->coalesced);
	fputs(" coalesced, ", h->out);
	put_number(h, known, cpu->dropped);
	fputs(" dropped\nstack truncation: ", h->out);
	put_count(h, known, cpu->truncated, "stack");
	putc('\n', h->out);
	put_rates(h);
	fputs("time: ", h->out);
	put_number(h, known && wall != CONTRACT_NO_NUMBER, wall);
	fputs(" ns wall, ", h->out);
	put_number(h, known && time != CONTRACT_NO_NUMBER, time);
	fputs(" ns process CPU\n", h->out);
}

static void put_memory_totals(struct human *h)
{
	const struct memory *m = &h->c->memory;
	bool retention = h->known && !m->budget.spent;

	fputs("events: ", h->out);
	put_count(h, h->known, m->allocations, "allocation");
	fputs(", ", h->out);
	put_count(h, h->known, m->resizes, "resize");
	fputs("\nbytes: ", h->out);
	put_number(h, h->known, m->allocated);
	fputs(" allocated, ", h->out);
	put_number(h, retention, m->freed);
	fputs(" freed, ", h->out);
	put_number(h, retention, m->peak_live);
	fputs(" live at peak, ", h->out);
	put_number(h, retention, m->live);
	fputs(" retained\n", h->out);
}

static void put_summary(struct human *h)
{
	fputs("bottlenecks: ", h->out);
	put_number(h, h->known, h->r->n);
	fputs(" emitted / ", h->out);
	put_number(h, h->known, h->r->eligible);
	fputs(" eligible / ", h->out);
	put_number(h, h->known, h->r->eligible - h->r->n);
	fputs(" truncated, from ", h->out);
	put_hundredths(h, h->c->config.threshold);
	fputs("% on\n", h->out);
	if (h->c->end.cut_bytes)
		fprintf(h->out, "captured output: %" PRIu64 " bytes cut\n", h->c->end.cut_bytes);
}

static void put_memory_numbers(struct human *h, const struct bottleneck *b)
{
	bool retention = !h->c->memory.budget.spent;

	fputs("% of attributed bytes: ", h->out);
	put_number(h, true, b->site->allocated);
	fputs(" allocated in ", h->out);
	put_count(h, true, b->site->allocations, "allocation");
	fputs(" and ", h->out);
	put_count(h, true, b->site->resizes, "resize");
	fputs(", ", h->out);
	put_number(h, retention, b->site->freed);
	fputs(" freed, ", h->out);
	put_number(h, retention, b->site->live);
	fputs(" retained, ", h->out);
	put_number(h, retention, b->site->live_at_peak);
	fputs(" live at peak\n", h->out);
}

static void put_numbers(struct human *h, const struct bottleneck *b)
{
	fputs("   ", h->out);
	put_hundredths(h, b->hundredths);
	if (h->c->config.mode == CONTRACT_MEMORY)
		put_memory_numbers(h, b);
	else
		fprintf(h->out,
			"%% of attributed samples: %" PRIu64 " inclusive, %" PRIu64 " self\n",
			b->impact, b->second);
}

static void put_line(struct human *h, uint32_t source, const struct report_line *line)
{
	fputs("   hot line ", h->out);
	put_place(h, source, line->line, line->column);
	fputs(": ", h->out);
	put_count(h, true, line->counted.samples, "self sample");
	if (line->code)
		fprintf(h->out, ": %s", line->code);
	fputs(line->redacted ? " (redacted)\n" : "\n", h->out);
}

static void put_chain(struct human *h, const struct chain *chain)
{
	fputs("   chain, ", h->out);
	put_count(h, true, chain->samples,
		  h->c->config.mode == CONTRACT_CPU ? "sample" : "allocation");
	fputs(": ", h->out);
	for (uint32_t i = 0; i < chain->n; i++) {
		if (i > 0)
			fputs(" > ", h->out);
		put_qualified(h, catalog_function_at(h->c->catalog, chain->stack, i));
	}
	putc('\n', h->out);
}

static void put_bottleneck(struct human *h, uint32_t i)
{
	const struct bottleneck *b = &h->r->bottlenecks[i];
	struct contract_function f = catalog_function(h->c->catalog, b->function);

	fprintf(h->out, "\n%" PRIu32 ". ", i + 1);
	put_qualified(h, b->function);
	fputs(" at ", h->out);
	if (b->is_bucket || f.source == CONTRACT_NONE)
		fputs("unavailable", h->out);
	else
		put_place(h, f.source, f.line, f.column);
	putc('\n', h->out);
	put_numbers(h, b);
	for (uint32_t j = 0; j < b->n_lines; j++)
		put_line(h, f.source, &b->lines[j]);
	for (uint32_t j = 0; j < b->n_chains; j++)
		put_chain(h, &b->chains[j]);
	for (uint32_t j = 0; j < b->n_suggestions; j++) {
		fprintf(h->out, "   %s: ", b->suggestions[j].rule);
		put_text(h, b->suggestions[j].text);
		putc('\n', h->out);
	}
}

int contract_write_human(const struct contract_report *r, FILE *out)
{
	struct human h = {
		.out = out,
		.r = r,
		.c = r->collector,
		.known = collector_reason(r->collector) != CONTRACT_BACKEND_UNSUPPORTED,
	};

	put_head(&h);
	if (h.c->config.mode == CONTRACT_CPU)
		put_cpu_totals(&h);
	else
		put_memory_totals(&h);
	put_summary(&h);
	for (uint32_t i = 0; h.known && i < r->n; i++)
		put_bottleneck(&h, i);
	errno = 0;
	if (fflush(out) != 0 || ferror(out))
		return -(errno ? errno : EIO);
	return h.err;
}
