// SPDX-License-Identifier: BSD-2-Clause
#include "user/arguments.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/message.h"

#define NS_PER_SEC UINT64_C(1000000000)
#define MAX_SECONDS UINT64_C(315360000)

void argument_state_init(struct argp_state *state)
{
	state->err_stream = NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return -EINVAL;
	for (const char *c = text; *c; c++) {
		if (!is_digit(*c))
			return -EINVAL;
	}
	for (const char *c = text; *c; c++) {
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(*c - '0'), &sum))
			return -ERANGE;
	}
	if (sum < min || sum > max)
		return -ERANGE;
	*value = sum;
	return 0;
}

int seconds_parse(const char *text, uint64_t *ns)
{
	uint64_t seconds = 0, fraction = 0, unit = NS_PER_SEC;
	const char *c = text;

	if (!is_digit(*c))
		return -EINVAL;
	for (; is_digit(*c); c++) {
		seconds = seconds * 10 + (uint64_t)(*c - '0');
		if (seconds > MAX_SECONDS)
			seconds = MAX_SECONDS + 1;
	}
	if (*c == '.') {
		if (!is_digit(*++c))
			return -EINVAL;
		for (; is_digit(*c); c++) {
			unit /= 10;
			fraction += unit * (uint64_t)(*c - '0');
		}
	}
	if (*c)
		return -EINVAL;
	if (seconds > MAX_SECONDS)
		return -ERANGE;
	*ns = seconds * NS_PER_SEC + fraction;
	return 0;
}

int argument_number(const char *option, const char *text, uint64_t min, uint64_t max,
		    uint64_t *value)
{
	char shown[64];

	if (number_parse(text, min, max, value) == 0)
		return 0;
	error("%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, option,
	      printable(text, shown, sizeof(shown)), min, max);
	return -EINVAL;
}

int argument_seconds(const char *option, const char *text, uint64_t *ns)
{
	char shown[64];

	if (seconds_parse(text, ns) == 0)
		return 0;
	error("%s: '%s' is not a number of seconds from 0 to %" PRIu64 ", such as 10 or 0.5",
	      option, printable(text, shown, sizeof(shown)), MAX_SECONDS);
	return -EINVAL;
}

int argument_size(const char *option, const char *text, uint64_t max, uint64_t *bytes)
{
	static const char units[] = "KMG";
	char shown[64], digits[24];
	size_t n = strspn(text, "0123456789");
	const char *unit = text[n] ? strchr(units, text[n]) : NULL;
	unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;
	uint64_t number;

	if (n < sizeof(digits) && text[n + (unit != NULL)] == '\0') {
		memcpy(digits, text, n);
		digits[n] = '\0';
		if (number_parse(digits, 0, max >> shift, &number) == 0) {
			*bytes = number << shift;
			return 0;
		}
	}
	error("%s: '%s' is not a number of bytes from 0 to %" PRIu64 ", such as 65536 or 64K",
	      option, printable(text, shown, sizeof(shown)), max);
	return -EINVAL;
}

int argument_percent(const char *option, const char *text, double *percent)
{
	char shown[64];
	uint64_t ns;

	/* The same notation as seconds: digits and a decimal point, whatever the locale. */
	if (seconds_parse(text, &ns) == 0 && ns <= 100 * NS_PER_SEC) {
		*percent = (double)ns / (double)NS_PER_SEC;
		return 0;
	}
	error("%s: '%s' is not a percentage from 0 to 100", option,
	      printable(text, shown, sizeof(shown)));
	return -EINVAL;
}

int argument_basis_points(const char *option, const char *text, unsigned int *points)
{
	const char *decimals = strchr(text, '.');
	char shown[64];
	uint64_t ns;

	/* "." and two decimals are three characters. */
	if ((!decimals || strlen(decimals) <= 3) && seconds_parse(text, &ns) == 0 &&
	    ns <= 100 * NS_PER_SEC) {
		*points = (unsigned int)(ns / (NS_PER_SEC / 100));
		return 0;
	}
	error("%s: '%s' is not a percentage from 0 to 100 with at most two decimals", option,
	      printable(text, shown, sizeof(shown)));
	return -EINVAL;
}

int argument_format(const char *path, const char *name, enum output_format *format)
{
	char shown[256];
	enum output_format found;

	if (!name && strcmp(path, "-") == 0) {
		error("-o -: standard output needs --format: %s", output_format_names());
		return -EINVAL;
	}
	if (name && output_format_by_name(name, &found) < 0) {
		error("--format: unknown format '%s': use %s",
		      printable(name, shown, sizeof(shown)), output_format_names());
		return -EINVAL;
	}
	if (!name && output_format_by_path(path, &found) < 0) {
		error("%s: the extension names no format: use %s, or --format",
		      printable(path, shown, sizeof(shown)), output_format_extensions());
		return -EINVAL;
	}
	if (strcmp(path, "-") == 0 && (found == OUTPUT_CAPTURE || found == OUTPUT_PPROF) &&
	    isatty(STDOUT_FILENO)) {
		error("not writing a binary file to the terminal: name a file, or redirect");
		return -EINVAL;
	}
	*format = found;
	return 0;
}

int argument_unexpected(const char *argument)
{
	char shown[64];

	error("unexpected argument '%s'", printable(argument, shown, sizeof(shown)));
	return -EINVAL;
}
