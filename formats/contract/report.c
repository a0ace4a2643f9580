// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/excerpt.h"
#include "formats/contract/order.h"
#include "formats/contract/ratio.h"
#include "formats/contract/suggest.h"

/* A function that may be reported, before anything is looked up about it. */
struct candidate {
	uint64_t impact, second;
	uint32_t function, bucket;
};

uint64_t report_denominator(const struct collector *c)
{
	return c->config.mode == CONTRACT_CPU ? c->cpu.states[CONTRACT_JETT] : c->memory.attributed;
}

static struct candidate candidate_at(const struct collector *c, uint32_t i)
{
	struct candidate found = { .bucket = i };

	if (c->config.mode == CONTRACT_CPU) {
		const struct cpu_function *f = buckets_at(&c->cpu.functions, i);

		found.impact = f->inclusive;
		found.second = f->self;
		found.function = f->function;
	} else {
		const struct memory_site *s = buckets_at(&c->memory.sites, i);

		found.impact = s->allocated;
		found.second = s->allocations;
		found.function = s->function;
	}
	return found;
}

static int order_candidates(const void *a, const void *b, void *catalog)
{
	const struct candidate *of_a = a, *of_b = b;
	int order = order_numbers(of_b->impact, of_a->impact);

	if (!order)
		order = order_numbers(of_b->second, of_a->second);
	return order ? order : order_functions(catalog, of_a->function, of_b->function);
}

/* The eligible ones, sorted; their number is 0 too where there is nothing to share out. */
static int choose(const struct collector *c, struct candidate **chosen, uint32_t *n)
{
	uint32_t all = c->config.mode == CONTRACT_CPU ? c->cpu.functions.n : c->memory.sites.n;
	uint64_t whole = report_denominator(c);
	struct candidate *list = calloc(all + 1, sizeof(*list));
	uint32_t kept = 0;

	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < all && whole > 0; i++) {
		list[kept] = candidate_at(c, i);
		if (ratio_reaches(list[kept].impact, whole, c->config.threshold))
			kept++;
	}
	qsort_r(list, kept, sizeof(*list), order_candidates, c->catalog);
	*chosen = list;
	*n = kept;
	return 0;
}

static struct bottleneck *find(const struct contract_report *r, uint32_t function)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->bottlenecks[i].function == function)
			return &r->bottlenecks[i];
	}
	return NULL;
}

static void offer_chain(const struct catalog *c, struct bottleneck *b, const struct chain *chain)
{
	uint32_t at = b->n_chains;

	while (at > 0) {
		const struct chain *above = &b->chains[at - 1];
		int order = order_numbers(chain->samples, above->samples);

		if (order < 0 || (order == 0 && order_chains(c, above, chain) < 0))
			break;
		at--;
	}
	if (at == REPORT_CHAINS)
		return;
	if (b->n_chains < REPORT_CHAINS)
		b->n_chains++;
	memmove(&b->chains[at + 1], &b->chains[at], (b->n_chains - 1 - at) * sizeof(*b->chains));
	b->chains[at] = *chain;
}

static void add_chains(struct contract_report *r, const struct buckets *chains)
{
	for (uint32_t i = 0; i < chains->n; i++) {
		const struct chain *chain = buckets_at(chains, i);
		const struct catalog *c = chains->catalog;
		struct bottleneck *b = find(r, catalog_function_at(c, chain->stack, chain->n - 1));

		if (b && chain->samples > 0)
			offer_chain(c, b, chain);
	}
}

static void offer_line(struct bottleneck *b, const struct report_line *line)
{
	uint32_t at = b->n_lines;

	while (at > 0) {
		const struct report_line *above = &b->lines[at - 1];
		int order = order_numbers(line->counted.samples, above->counted.samples);

		if (!order)
			order = order_numbers(above->line, line->line);
		if (!order)
			order = order_numbers(above->column, line->column);
		if (order < 0)
			break;
		at--;
	}
	if (at == REPORT_LINES)
		return;
	if (b->n_lines < REPORT_LINES)
		b->n_lines++;
	memmove(&b->lines[at + 1], &b->lines[at], (b->n_lines - 1 - at) * sizeof(*b->lines));
	b->lines[at] = *line;
}

static void add_lines(struct contract_report *r, const struct buckets *lines)
{
	for (uint32_t i = 0; i < lines->n; i++) {
		struct report_line line = { .counted = *(struct cpu_line *)buckets_at(lines, i) };
		struct contract_frame frame = catalog_frame(lines->catalog, line.counted.frame);
		struct bottleneck *b = find(r, frame.function);

		line.line = frame.line;
		line.column = frame.column;
		if (b && line.counted.samples > 0)
			offer_line(b, &line);
	}
}

static int add_code(const struct catalog *c, struct report_line *line)
{
	struct contract_frame site = catalog_frame(c, line->counted.site);
	struct contract_function function = catalog_function(c, site.function);
	struct contract_source source = catalog_source(c, function.source);
	struct text code = { 0 };
	int shown = excerpt_make(&source, site.call_site, &code, &line->redacted);

	if (shown == 1)
		line->code = code.s;
	else
		text_free(&code);
	return shown < 0 ? shown : 0;
}

static int complete(const struct collector *c, struct bottleneck *b)
{
	int err = 0;

	for (uint32_t i = 0; i < b->n_lines && !err; i++)
		err = add_code(c->catalog, &b->lines[i]);
	return err ? err : suggest(c, b);
}

static void begin(const struct collector *c, const struct candidate *from, struct bottleneck *b)
{
	struct contract_function function = catalog_function(c->catalog, from->function);

	b->function = from->function;
	b->is_bucket = catalog_is_bucket(&function);
	b->impact = from->impact;
	b->second = from->second;
	b->hundredths = ratio_hundredths(from->impact, 100, report_denominator(c));
	if (c->config.mode == CONTRACT_MEMORY)
		b->site = buckets_at(&c->memory.sites, from->bucket);
}

static int fill(struct contract_report *r, const struct candidate *chosen)
{
	const struct collector *c = r->collector;
	int err = 0;

	r->bottlenecks = calloc(r->n + 1, sizeof(*r->bottlenecks));
	if (!r->bottlenecks)
		return -ENOMEM;
	for (uint32_t i = 0; i < r->n; i++)
		begin(c, &chosen[i], &r->bottlenecks[i]);
	add_chains(r, c->config.mode == CONTRACT_CPU ? &c->cpu.chains : &c->memory.chains);
	add_lines(r, &c->cpu.lines);
	for (uint32_t i = 0; i < r->n && !err; i++)
		err = complete(c, &r->bottlenecks[i]);
	return err;
}

int report_make(const struct collector *c, struct contract_report **report)
{
	struct contract_report *r = calloc(1, sizeof(*r));
	struct candidate *chosen = NULL;
	uint32_t eligible = 0;
	int err = r ? choose(c, &chosen, &eligible) : -ENOMEM;

	if (!err) {
		r->collector = c;
		r->eligible = eligible;
		r->n = eligible < c->config.limit ? eligible : (uint32_t)c->config.limit;
		err = fill(r, chosen);
	}
	free(chosen);
	if (err) {
		report_free(r);
		return err;
	}
	*report = r;
	return 0;
}

void report_free(struct contract_report *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->bottlenecks && i < r->n; i++) {
		struct bottleneck *b = &r->bottlenecks[i];

		for (uint32_t j = 0; j < b->n_lines; j++)
			free(b->lines[j].code);
		for (uint32_t j = 0; j < b->n_suggestions; j++)
			free((char *)b->suggestions[j].text.s);
	}
	free(r->bottlenecks);
	free(r);
}
