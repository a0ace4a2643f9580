/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program writes to its run channel and its outputs. The first byte says in pieces of how many bytes
 * it comes. The envelope must be written whatever it is, and hold no line more than it should.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/contract/report.h"
#include "formats/contract/run.h"
#include "user/capture_output.h"
#include "user/run_channel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int err)
{
	if (err)
		abort();
}

/* Controls and what is no UTF-8 are escaped; each member is a line of its own. */
static void check_bytes(const char *bytes, size_t n, const struct run *run)
{
	/* Members with their values but the profile's, and headers of tables. */
	size_t rows = 1 + run->origin.n_graph * (run->origin.kind == CONTRACT_DEPENDENCY) +
		      run->n_debug,
	       lines = 0;

	for (size_t i = 0; i < run->n_logs; i++) {
		const struct run_log *log = &run->logs[i];

		rows += 2 + log->n_fields;
		if (log->origin.kind == CONTRACT_DEPENDENCY)
			rows += log->origin.n_graph;
	}
	for (size_t i = 0; i < n; i++) {
		lines += bytes[i] == '\n';
		if ((unsigned char)bytes[i] < ' ' && bytes[i] != '\n')
			abort();
	}
	if (memcmp(bytes, "status: ", 8) != 0 || lines != rows + 12 + 30 + (run->failure.s ? 2 : 0))
		abort();
}

static void write_envelope(const struct run *told, struct capture_output *out)
{
	struct contract_config config = { .backend = { "b", 1 },
					  .coverage = { "c", 1 },
					  .capabilities = UINT32_MAX,
					  .rate_hz = 1,
					  .limit = 1 };
	struct contract_end end = {
		.termination = told->failure.s ? CONTRACT_RUNTIME_ERROR : CONTRACT_RETURNED,
		.cut_bytes = 1 + out->cut,
	};
	struct collector *c = collector_new(&config);
	struct contract_report *report = NULL;
	struct run run = *told;
	char *bytes = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&bytes, &n);

	if (!c || !f)
		abort();
	if (!run.file.s)
		run.file = (struct contract_text){ "f", 1 };
	run.out = run.err = (struct contract_text){ out->bytes ? out->bytes : "", out->n };
	check(collector_finish(c, &end));
	check(report_make(c, &report));
	check(run_write(&run, report, f));
	fclose(f);
	check_bytes(bytes, n, &run);
	free(bytes);
	report_free(report);
	collector_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run_channel *c = run_channel_new();
	struct capture_output out = { .limit = 200 };
	size_t piece = size ? data[0] + 1U : 1;
	uint64_t line = 0;
	const char *why = NULL;

	if (!c)
		abort();
	for (size_t at = 1; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		run_channel_take(c, (const char *)data + at, n);
		capture_output_take(&out, (const char *)data + at, n);
	}
	run_channel_end(c);
	capture_output_end(&out);
	if (out.n + out.cut != (size ? size - 1 : 0))
		abort();
	if (run_channel_left_out(c, &line, &why) && (!line || !why || !why[0]))
		abort();
	write_envelope(run_channel_run(c), &out);
	capture_output_clear(&out);
	run_channel_free(c);
	return 0;
}
