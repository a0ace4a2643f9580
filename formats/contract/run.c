// SPDX-License-Identifier: BSD-2-Clause
#include "formats/contract/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/emit.h"
#include "formats/contract/path.h"
#include "formats/contract/render.h"
#include "formats/contract/report.h"

#define ORIGIN_COLUMNS                                                                             \
	"origin_kind,project_name,dependency_name,compiler_distribution,stdlib_version"
#define GRAPH_COLUMNS "graph_path_start,graph_path_count"

const char *const run_debug_kinds[] = { "debug", "trace", "breakpoint", NULL };
const char *const run_levels[] = { "debug", "info", "warn", "error", NULL };

static const char profiler_failure[] = "profiler_failure";

/* What went wrong; kind is NULL if nothing did. */
struct failure {
	const char *kind;
	struct contract_text message;
};

/* One failure owns the run, a runtime's own before an interrupt before the collector's. */
static struct failure failure_of(const struct run *run, const struct collector *c)
{
	static const char interrupted[] = "run interrupted";
	static const char collector[] = "profiler: collector failure";

	if (c->end.termination == CONTRACT_RUNTIME_ERROR)
		return (struct failure){ "runtime_error", run->failure };
	if (c->end.termination == CONTRACT_INTERRUPTED)
		return (struct failure){ "interrupted", { interrupted, sizeof(interrupted) - 1 } };
	if (collector_reason(c) == CONTRACT_COLLECTOR_FAILURE)
		return (struct failure){ profiler_failure, { collector, sizeof(collector) - 1 } };
	return (struct failure){ 0 };
}

static void emit_failure(struct emit *e, struct failure failure)
{
	emit_string(e, "error_kind", failure.kind);
	emit_text(e, "error", failure.message);
}

static size_t graph_count(const struct run_origin *o)
{
	return o->kind == CONTRACT_DEPENDENCY ? o->n_graph : 0;
}

static void emit_cell(struct emit *e, bool given, struct contract_text text)
{
	if (given)
		emit_text(e, NULL, text);
	else
		emit_string(e, NULL, "");
}

static void emit_origin(struct emit *e, const struct run_origin *o)
{
	emit_string(e, NULL, contract_origins[o->kind]);
	emit_cell(e, o->kind == CONTRACT_PROJECT, o->project);
	emit_cell(e, o->kind == CONTRACT_DEPENDENCY, o->dependency);
	emit_cell(e, o->kind == CONTRACT_STDLIB, o->distribution);
	emit_cell(e, o->kind == CONTRACT_STDLIB, o->version);
}

static void emit_file(struct emit *e, const struct run *run)
{
	const struct run_origin *o = &run->origin;

	emit_table(e, "file_origin", ORIGIN_COLUMNS "," GRAPH_COLUMNS, 1, true);
	emit_row(e);
	emit_origin(e, o);
	emit_number(e, NULL, 0);
	emit_number(e, NULL, graph_count(o));
	emit_end(e);
	emit_end(e);
	emit_table(e, "file_origin_graph_path_segments", "segment_index,segment", graph_count(o),
		   true);
	for (size_t i = 0; i < graph_count(o); i++) {
		emit_row(e);
		emit_number(e, NULL, i);
		emit_text(e, NULL, o->graph[i]);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_debug(struct emit *e, const struct run *run)
{
	emit_table(e, "debug", "kind,message", run->n_debug, true);
	for (size_t i = 0; i < run->n_debug; i++) {
		emit_row(e);
		emit_string(e, NULL, run_debug_kinds[run->debug[i].kind]);
		emit_text(e, NULL, run->debug[i].message);
		emit_end(e);
	}
	emit_end(e);
}

static void emit_logs(struct emit *e, const struct run *run)
{
	size_t fields = 0;

	emit_table(e, "logs", "sequence,level,message,source_index,field_start,field_count",
		   run->n_logs, true);
	for (size_t i = 0; i < run->n_logs; i++) {
		const struct run_log *log = &run->logs[i];

		emit_row(e);
		emit_number(e, NULL, log->sequence);
		emit_string(e, NULL, run_levels[log->level]);
		emit_text(e, NULL, log->message);
		emit_number(e, NULL, i);
		emit_number(e, NULL, fields);
		emit_number(e, NULL, log->n_fields);
		emit_end(e);
		fields += log->n_fields;
	}
	emit_end(e);
}

static void emit_place(struct emit *e, uint64_t number)
{
	if (number == CONTRACT_NO_NUMBER)
		emit_unavailable(e, NULL);
	else
		emit_number(e, NULL, number);
}

/* Absolute paths are shown nowhere. */
static void emit_path(struct emit *e, const char *name, struct contract_text path)
{
	char *shown = malloc(path.n + 1);
	size_t n;

	if (!shown) {
		e->err = -ENOMEM;
		return;
	}
	n = contract_path_normalise(path, shown);
	shown[n] = '\0';
	if (n > 0)
		emit_text(e, name, (struct contract_text){ shown, n });
	else
		emit_unavailable(e, name);
	free(shown);
}

static void emit_log_sources(struct emit *e, const struct run *run)
{
	size_t segments = 0;

	emit_table(e, "log_sources",
		   "source_index," ORIGIN_COLUMNS ",path,line,column," GRAPH_COLUMNS, run->n_logs,
		   true);
	for (size_t i = 0; i < run->n_logs; i++) {
		const struct run_log *log = &run->logs[i];

		emit_row(e);
		emit_number(e, NULL, i);
		emit_origin(e, &log->origin);
		emit_path(e, NULL, log->path);
		emit_place(e, log->line);
		emit_place(e, log->column);
		emit_number(e, NULL, segments);
		emit_number(e, NULL, graph_count(&log->origin));
		emit_end(e);
		segments += graph_count(&log->origin);
	}
	emit_end(e);
}

static void emit_log_segments(struct emit *e, const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_logs; i++)
		n += graph_count(&run->logs[i].origin);
	emit_table(e, "log_source_graph_path_segments", "source_index,segment_index,segment", n,
		   true);
	for (size_t i = 0; i < run->n_logs; i++) {
		for (size_t j = 0; j < graph_count(&run->logs[i].origin); j++) {
			emit_row(e);
			emit_number(e, NULL, i);
			emit_number(e, NULL, j);
			emit_text(e, NULL, run->logs[i].origin.graph[j]);
			emit_end(e);
		}
	}
	emit_end(e);
}

static void emit_log_fields(struct emit *e, const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_logs; i++)
		n += run->logs[i].n_fields;
	emit_table(e, "log_fields", "log_index,field_index,name,value", n, true);
	for (size_t i = 0; i < run->n_logs; i++) {
		for (size_t j = 0; j < run->logs[i].n_fields; j++) {
			emit_row(e);
			emit_number(e, NULL, i);
			emit_number(e, NULL, j);
			emit_text(e, NULL, run->logs[i].fields[j].name);
			emit_text(e, NULL, run->logs[i].fields[j].value);
			emit_end(e);
		}
	}
	emit_end(e);
}

int run_write(const struct run *run, const struct contract_report *r, FILE *out)
{
	const struct collector *c = r->collector;
	struct failure failure = failure_of(run, c);
	struct emit e;

	emit_begin(&e, &emit_toon, out);
	emit_string(&e, "status", failure.kind ? "error" : "ok");
	emit_path(&e, "file", run->file);
	emit_file(&e, run);
	emit_string(&e, "termination", contract_terminations[c->end.termination]);
	emit_text(&e, "stdout", run->out);
	emit_text(&e, "stderr", run->err);
	emit_debug(&e, run);
	emit_logs(&e, run);
	emit_log_sources(&e, run);
	emit_log_segments(&e, run);
	emit_log_fields(&e, run);
	contract_emit(r, &e);
	if (failure.kind)
		emit_failure(&e, failure);
	return emit_finish(&e);
}

int run_write_failure(const char *message, FILE *out)
{
	struct emit e;

	emit_begin(&e, &emit_toon, out);
	emit_string(&e, "status", "error");
	emit_failure(&e, (struct failure){ profiler_failure, { message, strlen(message) } });
	return emit_finish(&e);
}
