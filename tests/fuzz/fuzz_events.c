/* SPDX-License-Identifier: BSD-2-Clause */
/* Event files. What is read without complaint must be written in every form. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/contract/events.h"
#include "formats/contract/render.h"
#include "formats/contract/report.h"
#include "formats/contract/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int err)
{
	if (err)
		abort();
}

static void write_all(const struct events *e)
{
	struct contract_report *report = NULL;
	FILE *out = fopen("/dev/null", "w");

	if (!out)
		abort();
	check(report_make(events_collector(e), &report));
	check(contract_write_toon(report, out));
	check(contract_write_json(report, out));
	check(contract_write_human(report, out));
	if (events_run(e))
		check(run_write(events_run(e), report, out));
	report_free(report);
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct events_error error = { 0 };
	struct events *e = NULL;
	FILE *in;

	if (!size)
		return 0;
	in = fmemopen((void *)data, size, "r");
	if (!in)
		abort();
	if (events_read(in, 1, &e, &error) == 0)
		write_all(e);
	else if (!error.line || !error.text[0])
		abort();
	events_free(e);
	fclose(in);
	return 0;
}
