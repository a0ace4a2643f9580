// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/render.h"

#include "formats/contract/emit.h"
#include "formats/contract/ratio.h"
#include "formats/contract/report.h"

static void emit_known(struct emit *e, const char *name, bool known, uint64_t number)
{
	if (known)
		emit_number(e, name, number);
	else
		emit_unavailable(e, name);
}

static void emit_optional(struct emit *e, const char *name, uint64_t number)
{
	emit_known(e, name, number != CONTRACT_NO_NUMBER, number);
}

static void emit_hundredths(struct emit *e, const char *name, unsigned __int128 hundredths)
{
	char buf[48];

	emit_token(e, name, ratio_print(hundredths, buf, sizeof(buf)));
}

static bool is_known(const struct collector *c)
{
	return collector_reason(c) != CONTRACT_BACKEND_UNSUPPORTED;
}

static void emit_config(struct emit *e, const struct collector *c)
{
	const struct contract_config *config = &c->config;

	emit_object(e, "config");
	if (config->mode == CONTRACT_CPU)
		emit_number(e, "requested_rate_hz", config->rate_hz);
	emit_number(e, "threshold_basis_points", config->threshold);
	emit_number(e, "limit", config->limit);
	emit_number(e,
		    config->mode == CONTRACT_CPU ? "cpu_metadata_budget_bytes"
						 : "retention_metadata_budget_bytes",
		    config->budget);
	if (c->end.cut_bytes)
		emit_number(e, "captured_output_cut_bytes", c->end.cut_bytes);
	emit_end(e);
}

static void emit_observed_rate(struct emit *e, const struct collector *c)
{
	uint64_t wall = c->end.wall_ns;

	if (!is_known(c) || wall == 0 || wall == CONTRACT_NO_NUMBER)
		emit_unavailable(e, "observed_rate_hz");
	else
		emit_hundredths(e, "observed_rate_hz",
				ratio_hundredths(c->cpu.recorded, 1000000000, wall));
}

static void emit_cpu_totals(struct emit *e, const struct collector *c)
{
	const struct cpu *cpu = &c->cpu;
	bool known = is_known(c);

	emit_known(e, "requested_ticks", known, cpu->recorded + cpu->coalesced + cpu->dropped);
	emit_known(e, "recorded_samples", known, cpu->recorded);
	emit_known(e, "attributed_samples", known, cpu->states[CONTRACT_JETT]);
	emit_known(e, "runtime_samples", known, cpu->states[CONTRACT_RUNTIME]);
	emit_known(e, "waiting_samples", known && !c->config.no_waiting,
		   cpu->states[CONTRACT_WAITING]);
	emit_known(e, "unavailable_samples", known, cpu->states[CONTRACT_UNAVAILABLE]);
	emit_known(e, "coalesced_ticks", known, cpu->coalesced);
	emit_known(e, "collector_dropped_ticks", known, cpu->dropped);
	emit_known(e, "truncated_stacks", known, cpu->truncated);
	emit_observed_rate(e, c);
	emit_optional(e, "wall_duration_ns", known ? c->end.wall_ns : CONTRACT_NO_NUMBER);
	emit_optional(e, "process_cpu_ns", known ? c->end.cpu_ns : CONTRACT_NO_NUMBER);
}

static void emit_memory_totals(struct emit *e, const struct collector *c)
{
	const struct memory *m = &c->memory;
	bool known = is_known(c), retention = known && !m->budget.spent;

	emit_known(e, "allocation_count", known, m->allocations);
	emit_known(e, "resize_count", known, m->resizes);
	emit_known(e, "allocated_bytes", known, m->allocated);
	emit_known(e, "freed_bytes", retention, m->freed);
	emit_known(e, "peak_live_bytes", retention, m->peak_live);
	emit_known(e, "retained_bytes", retention, m->live);
}

/* A line without a path is no place. */
static void emit_place(struct emit *e, const struct catalog *c, const struct bottleneck *b)
{
	struct contract_function f = catalog_function(c, b->function);

	emit_text(e, "namespace", f.name_space);
	emit_text(e, "function", f.name);
	if (b->is_bucket || f.source == CONTRACT_NONE) {
		emit_unavailable(e, "path");
		emit_unavailable(e, "line");
		return;
	}
	emit_text(e, "path", catalog_source(c, f.source).path);
	emit_optional(e, "line", f.line);
}

static void emit_lines(struct emit *e, const struct catalog *c, const struct bottleneck *b)
{
	struct contract_function f = catalog_function(c, b->function);

	emit_table(e, "hot_lines", "path,line,column,self_samples,code,source_redacted", b->n_lines,
		   false);
	for (uint32_t i = 0; i < b->n_lines; i++) {
		const struct report_line *line = &b->lines[i];

		emit_row(e);
		emit_text(e, "path", catalog_source(c, f.source).path);
		emit_number(e, "line", line->line);
		emit_optional(e, "column", line->column);
		emit_number(e, "self_samples", line->counted.samples);
		emit_string(e, "code", line->code ? line->code : "unavailable");
		emit_token(e, "source_redacted", line->redacted ? "true" : "false");
		emit_end(e);
	}
	emit_end(e);
}

static void emit_chain(struct emit *e, const struct catalog *c, const struct chain *chain)
{
	emit_item(e);
	emit_number(e, "samples", chain->samples);
	emit_array(e, "chain", chain->n);
	for (uint32_t i = 0; i < chain->n; i++) {
		struct contract_function f =
			catalog_function(c, catalog_function_at(c, chain->stack, i));

		emit_qualified(e, NULL, f.name_space, f.name);
	}
	emit_end(e);
	emit_end(e);
}

static void emit_chains(struct emit *e, const struct catalog *c, const struct bottleneck *b)
{
	emit_list(e, "call_chains", b->n_chains);
	for (uint32_t i = 0; i < b->n_chains; i++)
		emit_chain(e, c, &b->chains[i]);
	emit_end(e);
}

static void emit_suggestions(struct emit *e, const struct bottleneck *b)
{
	if (b->is_bucket) {
		emit_unavailable(e, "suggestions");
		return;
	}
	emit_table(e, "suggestions", "rule,text", b->n_suggestions, false);
	for (uint32_t i = 0; i < b->n_suggestions; i++) {
		emit_row(e);
		emit_string(e, "rule", b->suggestions[i].rule);
		emit_text(e, "text", b->suggestions[i].text);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_cpu_numbers(struct emit *e, const struct bottleneck *b)
{
	emit_number(e, "inclusive_samples", b->impact);
	emit_number(e, "self_samples", b->second);
	emit_hundredths(e, "cpu_percent", b->hundredths);
}

static void emit_memory_numbers(struct emit *e, const struct bottleneck *b, bool retention)
{
	emit_number(e, "allocation_count", b->site->allocations);
	emit_number(e, "resize_count", b->site->resizes);
	emit_number(e, "allocated_bytes", b->site->allocated);
	emit_hundredths(e, "allocation_percent", b->hundredths);
	emit_known(e, "freed_bytes", retention, b->site->freed);
	emit_known(e, "retained_bytes", retention, b->site->live);
	emit_known(e, "live_at_peak_bytes", retention, b->site->live_at_peak);
}

static void emit_bottleneck(struct emit *e, const struct contract_report *r, uint32_t i)
{
	const struct collector *c = r->collector;
	const struct bottleneck *b = &r->bottlenecks[i];

	emit_item(e);
	emit_number(e, "rank", i + 1);
	emit_place(e, c->catalog, b);
	if (c->config.mode == CONTRACT_CPU) {
		emit_cpu_numbers(e, b);
		emit_lines(e, c->catalog, b);
	} else {
		emit_memory_numbers(e, b, !c->memory.budget.spent);
	}
	emit_chains(e, c->catalog, b);
	emit_suggestions(e, b);
	emit_end(e);
}

static void emit_bottlenecks(struct emit *e, const struct contract_report *r)
{
	bool known = is_known(r->collector);
	uint32_t n = known ? r->n : 0;

	emit_known(e, "eligible_bottlenecks", known, r->eligible);
	emit_known(e, "emitted_bottlenecks", known, r->n);
	emit_known(e, "truncated_bottlenecks", known, r->eligible - r->n);
	emit_list(e, "bottlenecks", n);
	for (uint32_t i = 0; i < n; i++)
		emit_bottleneck(e, r, i);
	emit_end(e);
}

void contract_emit(const struct contract_report *r, struct emit *e)
{
	const struct collector *c = r->collector;
	enum contract_reason reason = collector_reason(c);

	emit_object(e, "profile");
	emit_string(e, "schema", "jett.profile.v1");
	emit_string(e, "mode", contract_modes[c->config.mode]);
	emit_string(e, "status", collector_status(c));
	if (reason != CONTRACT_NO_REASON)
		emit_string(e, "partial_reason", contract_reasons[reason]);
	emit_string(e, "termination", contract_terminations[c->end.termination]);
	emit_text(e, "backend", c->config.backend);
	emit_text(e, "coverage", c->config.coverage);
	emit_config(e, c);
	emit_object(e, "totals");
	if (c->config.mode == CONTRACT_CPU)
		emit_cpu_totals(e, c);
	else
		emit_memory_totals(e, c);
	emit_end(e);
	emit_bottlenecks(e, r);
	emit_end(e);
}

static int write_document(const struct contract_report *r, const struct emit_ops *ops, FILE *out)
{
	struct emit e;

	emit_begin(&e, ops, out);
	contract_emit(r, &e);
	return emit_finish(&e);
}

int contract_write_toon(const struct contract_report *r, FILE *out)
{
	return write_document(r, &emit_toon, out);
}

int contract_write_json(const struct contract_report *r, FILE *out)
{
	return write_document(r, &emit_json, out);
}
