/* SPDX-License-Identifier: BSD-2-Clause */
#include "formats/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/text.h"

int json_string(FILE *out, const char *s)
{
	struct text t = { 0 };
	int err = text_add_clean(&t, s);

	if (!err)
		text_write_json(out, t.s);
	text_free(&t);
	return err;
}

int json_member(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\n\"%s\":", name);
	return json_string(out, value);
}

void json_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ",\n\"%s\":%" PRIu64, name, value);
}

int json_lines(FILE *out, const char *name, const char *text)
{
	const char *before = "";

	fprintf(out, ",\n\"%s\":[", name);
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = strndup(text, n);
		int err;

		if (!line)
			return -ENOMEM;
		fputs(before, out);
		before = ",";
		err = json_string(out, line);
		free(line);
		if (err)
			return err;
		text += n + (text[n] == '\n');
	}
	putc(']', out);
	return 0;
}

void json_percent(FILE *out, const char *name, double percent)
{
	long parts = lround(percent * 10000);

	fprintf(out, ",\"%s\":%ld.%04ld", name, parts / 10000, parts % 10000);
}
