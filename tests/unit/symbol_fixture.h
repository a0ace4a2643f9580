/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the tests of symbolize/: programs built at test time in a temporary folder, and what the
 * symbolizer says of them. Tools that are missing skip the test.
 */
#ifndef PROFBPF_SYMBOL_FIXTURE_H
#define PROFBPF_SYMBOL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "symbolize/symbolize.h"

#define SOURCES FIXTURES "/symbolize"
#define MAX_FRAMES 64

static char folder[64];

static inline int enter_folder(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/profbpf-symbolize-XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* Skips the test unless every tool of a list in one string is there. */
static inline void need(const char *tools)
{
	char command[512];

	snprintf(
		command, sizeof(command),
		"for t in %s; do command -v $t >/dev/null || { echo \"skipped: no $t\" >&2; exit 1; }; "
		"done",
		tools);
	if (system(command))
		skip();
}

/* Runs a shell command that must succeed. */
__attribute__((format(printf, 1, 2))) static inline void run(const char *format, ...)
{
	char command[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	if (system(command))
		fail_msg("failed: %s", command);
}

/* What a command prints, which must be something; the caller frees it. */
__attribute__((format(printf, 1, 2))) static inline char *output_of(const char *format, ...)
{
	char command[4096], *text = NULL;
	size_t length = 0, size = 0;
	va_list args;
	FILE *in;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	in = popen(command, "re");
	assert_non_null(in);
	while (!feof(in)) {
		if (length + 65536 > size) {
			size = 2 * size + 65537;
			text = realloc(text, size);
			assert_non_null(text);
		}
		length += fread(text + length, 1, size - 1 - length, in);
	}
	pclose(in);
	if (!length)
		fail_msg("no output: %s", command);
	text[length] = '\0';
	return text;
}

/* What a command prints as a number, hexadecimal. */
__attribute__((format(printf, 1, 2))) static inline uint64_t number_of(const char *format, ...)
{
	char command[4096], *text;
	uint64_t value;
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	text = output_of("%s", command);
	value = strtoull(text, NULL, 16);
	free(text);
	return value;
}

/* The value of a symbol, as readelf prints it. */
static inline uint64_t value_of(const char *file, const char *symbol)
{
	return number_of("readelf -sW %s | awk '$8 == \"%s\" { print $2; exit }'", file, symbol);
}

/* The .text section of a file. */
static inline void text_of(const char *path, uint64_t *start, uint64_t *size)
{
	char *row = output_of("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\] *//' | "
			      "awk '$1 == \".text\" { print $3, $5 }'",
			      path);

	assert_int_equal(sscanf(row, "%" SCNx64 " %" SCNx64, start, size), 2);
	free(row);
}

/* The line of the first match of a text in a fixture. */
static inline uint32_t line_of(const char *source, const char *text)
{
	char *line = output_of("grep -nF -- '%s' " SOURCES "/%s | head -1", text, source);
	uint32_t n = (uint32_t)strtoul(line, NULL, 10);

	free(line);
	return n;
}

struct answer_frame {
	char *name, *linkage, *file;
	uint32_t line, column, start_line, discriminator;
	char *md5; /* hexadecimal, "" if unknown */
};

struct answer {
	unsigned int times; /* told */
	size_t n;
	struct answer_frame frames[MAX_FRAMES];
};

static inline int keep_answer(void *arg, size_t index, const struct symbol_frame *frames, size_t n)
{
	struct answer *a = (struct answer *)arg + index;

	a->times++;
	a->n = n;
	assert_in_range(n, 0, MAX_FRAMES);
	for (size_t i = 0; i < n; i++) {
		assert_non_null(frames[i].name);
		assert_non_null(frames[i].linkage_name);
		assert_non_null(frames[i].file);
		a->frames[i] = (struct answer_frame){
			strdup(frames[i].name),	 strdup(frames[i].linkage_name),
			strdup(frames[i].file),	 frames[i].line,
			frames[i].column,	 frames[i].start_line,
			frames[i].discriminator, calloc(1, 2 * 16 + 1),
		};
		assert_non_null(a->frames[i].md5);
		for (size_t k = 0; frames[i].md5 && k < 16; k++)
			snprintf(a->frames[i].md5 + 2 * k, 3, "%02x", frames[i].md5[k]);
	}
	return 0;
}

/* Names the addresses of a file; every one must be told once. Free with free_answers. */
static inline struct answer *ask_with(const struct symbolizer_options *options,
				      const struct symbol_source *where, const uint64_t *addresses,
				      size_t n)
{
	struct symbolizer *s = symbolizer_new(options);
	struct answer *answers = calloc(n, sizeof(*answers));
	struct symbol_source source = *where;

	assert_non_null(s);
	assert_non_null(answers);
	source.fd = open(source.path, O_RDONLY | O_CLOEXEC);
	assert_true(source.fd >= 0);
	assert_int_equal(symbolizer_object(s, &source, addresses, n, keep_answer, answers), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(answers[i].times, 1);
	close(source.fd);
	symbolizer_free(s);
	return answers;
}

static inline struct answer *ask(const char *path, const uint64_t *addresses, size_t n)
{
	const struct symbol_source source = { .path = path, .root = "" };

	return ask_with(NULL, &source, addresses, n);
}

static inline void free_answers(struct answer *answers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < answers[i].n; k++) {
			free(answers[i].frames[k].name);
			free(answers[i].frames[k].linkage);
			free(answers[i].frames[k].file);
			free(answers[i].frames[k].md5);
		}
	}
	free(answers);
}

/* Asserts that one address has one frame of this name, or with NULL none. */
static inline void expect_name(const char *path, uint64_t address, const char *name)
{
	struct answer *a = ask(path, &address, 1);

	if (name) {
		assert_int_equal(a->n, 1);
		assert_string_equal(a->frames[0].name, name);
	} else if (a->n) {
		fail_msg("%#" PRIx64 " of %s is named %s", address, path, a->frames[0].name);
	}
	free_answers(a, 1);
}

#endif
