// SPDX-License-Identifier: BSD-2-Clause
/* Formats by name and by extension, and the way to each one's writer. */
#include <errno.h>
#include <string.h>

#include "formats/capture.h"
#include "formats/profile.h"
#include "formats/table.h"
#include "formats/writers.h"
#include "user/contract_events.h"
#include "user/contract_options.h"
#include "user/output.h"
#include "user/trim.h"

#define FORMATS(X)                                                                                 \
	X(OUTPUT_CAPTURE, "capture", ".profbpf")                                                   \
	X(OUTPUT_PPROF, "pprof", ".pb.gz")                                                         \
	X(OUTPUT_FOLDED, "folded", ".folded")                                                      \
	X(OUTPUT_SPEEDSCOPE, "speedscope", ".speedscope.json")                                     \
	X(OUTPUT_TABLE, "text", ".txt")                                                            \
	X(OUTPUT_TOON, "toon", ".toon")                                                            \
	X(OUTPUT_JSON, "json", ".json")

static const struct {
	enum output_format format;
	const char *name, *extension;
} formats[] = {
#define ROW(id, name, extension) { id, name, extension },
	FORMATS(ROW)
#undef ROW
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

int output_format_by_name(const char *name, enum output_format *format)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (strcmp(formats[i].name, name) == 0) {
			*format = formats[i].format;
			return 0;
		}
	}
	return -EINVAL;
}

int output_format_by_path(const char *path, enum output_format *format)
{
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	size_t length = strlen(file);

	for (size_t i = 0; i < N_FORMATS; i++) {
		size_t n = strlen(formats[i].extension);

		if (length > n && strcmp(file + length - n, formats[i].extension) == 0) {
			*format = formats[i].format;
			return 0;
		}
	}
	return -EINVAL;
}

const char *output_format_names(void)
{
#define NAME(id, name, extension) ", " name
	static const char names[] = FORMATS(NAME);
#undef NAME

	return names + strlen(", ");
}

const char *output_format_extensions(void)
{
#define EXTENSION(id, name, extension) ", " extension
	static const char extensions[] = FORMATS(EXTENSION);
#undef EXTENSION

	return extensions + strlen(", ");
}

bool output_format_is_report(enum output_format format)
{
	return format == OUTPUT_TOON || format == OUTPUT_JSON;
}

static int write_text(const struct profile *p, const struct contract_options *contract, FILE *out)
{
	static const struct table_options table = { .by = TABLE_FUNCTION };

	if (contract && contract->cpu)
		return contract_write(p, contract, CONTRACT_FORM_HUMAN, out);
	return table_write(p, &table, out);
}

static int write_report(const struct profile *p, enum output_format format,
			const struct contract_options *contract, FILE *out)
{
	struct contract_options usual;

	contract_options_init(&usual);
	return contract_write(p, contract ? contract : &usual,
			      format == OUTPUT_TOON ? CONTRACT_FORM_TOON : CONTRACT_FORM_JSON, out);
}

static int write_stacks(const struct profile *p, enum output_format format,
			const struct output_options *options, FILE *out)
{
	const struct folded_options folded = { .per_thread = options->per_thread };
	const struct speedscope_options speedscope = {
		.per_thread = options->per_thread,
	};

	switch (format) {
	case OUTPUT_PPROF:
		return pprof_write(p, out);
	case OUTPUT_FOLDED:
		return folded_write(p, &folded, out);
	case OUTPUT_SPEEDSCOPE:
		return speedscope_write(p, &speedscope, out);
	default:
		return -EINVAL;
	}
}

int output_profile(const struct profile *p, enum output_format format,
		   const struct output_options *options, FILE *out)
{
	static const struct output_options defaults;
	struct profile *trimmed = NULL;
	int err;

	if (!options)
		options = &defaults;
	if (format == OUTPUT_CAPTURE)
		return capture_write(p, out);
	if (format == OUTPUT_TABLE)
		return write_text(p, options->contract, out);
	if (output_format_is_report(format))
		return write_report(p, format, options->contract, out);
	err = profile_trim(p, options->max_depth, &trimmed);
	if (err < 0)
		return err;
	err = write_stacks(trimmed ? trimmed : p, format, options, out);
	profile_free(trimmed);
	return err;
}
