// SPDX-License-Identifier: BSD-2-Clause
/* What a runtime tells of its run, and what a hostile program writes in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/contract/catalog.h"
#include "formats/contract/run.h"
#include "user/run_channel.h"

#define PROJECT "{\"kind\":\"project\",\"canonical_name\":\"app\"}"
#define FILE_LINE "{\"file\":\"src/app.jett\",\"origin\":" PROJECT "}\n"
#define SOURCE                                                                                     \
	"\"source\":{\"origin\":" PROJECT ",\"path\":\"src/l.jett\",\"line\":3,\"column\":null}"
#define DEBUG_LINE "{\"debug\":{\"kind\":\"trace\",\"message\":\"m\"}}\n"

static struct run_channel *told(const char *bytes, size_t n, size_t piece)
{
	struct run_channel *c = run_channel_new();

	assert_non_null(c);
	for (size_t at = 0; at < n; at += piece)
		run_channel_take(c, bytes + at, n - at < piece ? n - at : piece);
	run_channel_end(c);
	return c;
}

static struct run_channel *told_text(const char *text)
{
	return told(text, strlen(text), strlen(text));
}

static void check_text(struct contract_text text, const char *expected)
{
	assert_non_null(text.s);
	assert_int_equal(text.n, strlen(expected));
	assert_string_equal(text.s, expected);
}

static uint64_t left_out(const struct run_channel *c)
{
	const char *why = NULL;
	uint64_t line;

	return run_channel_left_out(c, &line, &why);
}

static void check_left_out(const char *text, uint64_t n, uint64_t line, const char *why)
{
	struct run_channel *c = told_text(text);
	const char *found = NULL;
	uint64_t number = 0;

	assert_int_equal(run_channel_left_out(c, &number, &found), n);
	assert_int_equal(number, line);
	assert_non_null(found);
	if (!strstr(found, why))
		fail_msg("'%s' is not in '%s'", why, found);
	run_channel_free(c);
}

static const char all_kinds[] = FILE_LINE
	"{\"debug\":{\"kind\":\"debug\",\"message\":\"a\\u0000b\"}}\n"
	"{\"log\":{\"sequence\":1,\"level\":\"warn\",\"message\":\"one\",\"fields\":[{\"name\":\"k\",\"value\":\"v\"},"
	"{\"name\":\"\",\"value\":\"\"}]," SOURCE "}}\n"
	"{\"debug\":{\"kind\":\"breakpoint\",\"message\":\"\"}}\n"
	"{\"log\":{\"sequence\":7,\"level\":\"error\",\"message\":\"two\",\"fields\":[],\"source\":{\"origin\":"
	"{\"kind\":\"dependency\",\"canonical_name\":\"dep\",\"graph_path\":[\"app\",\"dep\"]},\"path\":\"x\",\"line\":1,"
	"\"column\":2}}}\n"
	"{\"termination\":\"runtime_error\",\"message\":\"boom\"}\n";

static void check_all_kinds(const struct run *run)
{
	check_text(run->file, "src/app.jett");
	assert_int_equal(run->origin.kind, CONTRACT_PROJECT);
	check_text(run->origin.project, "app");
	assert_int_equal(run->n_debug, 2);
	assert_int_equal(run->debug[0].kind, RUN_DEBUG);
	assert_int_equal(run->debug[0].message.n, 3);
	assert_memory_equal(run->debug[0].message.s, "a\0b", 4);
	assert_int_equal(run->debug[1].kind, RUN_BREAKPOINT);
	assert_int_equal(run->n_logs, 2);
	assert_int_equal(run->logs[0].sequence, 1);
	assert_string_equal(run_levels[run->logs[0].level], "warn");
	check_text(run->logs[0].message, "one");
	assert_int_equal(run->logs[0].n_fields, 2);
	check_text(run->logs[0].fields[0].name, "k");
	check_text(run->logs[0].fields[0].value, "v");
	check_text(run->logs[0].fields[1].name, "");
	check_text(run->logs[0].path, "src/l.jett");
	assert_int_equal(run->logs[0].line, 3);
	assert_true(run->logs[0].column == CONTRACT_NO_NUMBER);
	assert_int_equal(run->logs[1].sequence, 7);
	assert_int_equal(run->logs[1].origin.kind, CONTRACT_DEPENDENCY);
	assert_int_equal(run->logs[1].origin.n_graph, 2);
	check_text(run->logs[1].origin.graph[1], "dep");
	check_text(run->failure, "boom");
}

/* However the bytes are cut up. */
static void test_all_kinds(void **state)
{
	for (size_t piece = 1; piece < sizeof(all_kinds); piece = piece * 3 + 1) {
		struct run_channel *c = told(all_kinds, sizeof(all_kinds) - 1, piece);

		assert_int_equal(left_out(c), 0);
		check_all_kinds(run_channel_run(c));
		run_channel_free(c);
	}
}

static void test_nothing(void **state)
{
	struct run_channel *c = told_text("");

	assert_null(run_channel_run(c)->file.s);
	assert_null(run_channel_run(c)->failure.s);
	assert_int_equal(run_channel_run(c)->n_debug, 0);
	assert_int_equal(left_out(c), 0);
	run_channel_free(c);
	run_channel_free(NULL);
}

/* The end of a last line may be missing, and so may half of it. */
static void test_the_last_line(void **state)
{
	struct run_channel *c =
		told_text(DEBUG_LINE "{\"debug\":{\"kind\":\"debug\",\"message\":\"x\"}}");

	assert_int_equal(run_channel_run(c)->n_debug, 2);
	assert_int_equal(left_out(c), 0);
	run_channel_free(c);
	check_left_out(DEBUG_LINE "{\"debug\":{\"kind\":\"deb", 1, 2, "not JSON");
}

static void test_what_is_left_out(void **state)
{
	check_left_out("\n", 1, 1, "not JSON");
	check_left_out(DEBUG_LINE "garbage\n" DEBUG_LINE "more\n", 2, 2, "not JSON");
	check_left_out("[]\n", 1, 1, "not a JSON object");
	check_left_out("{}\n", 1, 1, "not one of");
	check_left_out("{\"guess\":1}\n", 1, 1, "unknown member 'guess'");
	check_left_out("{\"debug\":null,\"log\":null}\n", 1, 1, "not one of");
	check_left_out("{\"debug\":{\"kind\":\"guess\",\"message\":\"\"}}\n", 1, 1,
		       "unknown value 'guess'");
	check_left_out("{\"debug\":{\"kind\":\"debug\"}}\n", 1, 1, "missing member 'message'");
	check_left_out("{\"debug\":{\"kind\":\"debug\",\"message\":\"\",\"kind\":\"debug\"}}\n", 1,
		       1, "duplicate");
	check_left_out("{\"debug\":{\"kind\":\"debug\",\"message\":\"\xff\"}}\n", 1, 1,
		       "unable to decode byte 0xff");
	check_left_out(FILE_LINE FILE_LINE, 1, 2, "a second file");
	check_left_out("{\"file\":\"a\"}\n", 1, 1, "missing member 'origin'");
	check_left_out("{\"file\":\"a\",\"origin\":{\"kind\":\"moon\"}}\n", 1, 1,
		       "unknown value 'moon'");
	check_left_out("{\"file\":\"a\",\"origin\":" PROJECT
		       ",\"termination\":\"runtime_error\"}\n",
		       1, 1, "unknown member 'termination'");
	check_left_out("{\"termination\":\"returned\",\"message\":\"\"}\n", 1, 1, "unknown value");
	check_left_out("{\"termination\":\"runtime_error\"}\n", 1, 1, "missing member 'message'");
	check_left_out("{\"termination\":\"runtime_error\",\"message\":\"a\"}\n"
		       "{\"termination\":\"runtime_error\",\"message\":\"b\"}\n",
		       1, 2, "a second termination");
	check_left_out(
		"{\"log\":{\"sequence\":1,\"level\":\"loud\",\"message\":\"\",\"fields\":[]," SOURCE
		"}}\n",
		1, 1, "unknown value 'loud'");
	check_left_out(
		"{\"log\":{\"sequence\":18446744073709551616,\"level\":\"info\",\"message\":\"\"}}\n",
		1, 1, "not JSON");
	check_left_out("\033[31mred\n", 1, 1, "not JSON");
}

#define LOG(n)                                                                                     \
	"{\"log\":{\"sequence\":" #n ",\"level\":\"info\",\"message\":\"\",\"fields\":[]," SOURCE  \
	"}}\n"

/* A gap is a failed attempt; the same number or a lower one is nothing that a runtime writes. */
static void test_sequences_ascend(void **state)
{
	struct run_channel *c = told_text(LOG(2) LOG(2) LOG(9) LOG(1) LOG(10));
	const struct run *run = run_channel_run(c);

	assert_int_equal(run->n_logs, 3);
	assert_int_equal(run->logs[1].sequence, 9);
	assert_int_equal(run->logs[2].sequence, 10);
	assert_int_equal(left_out(c), 2);
	run_channel_free(c);
}

/* A debug row whose line has n bytes. */
static void take_row(struct run_channel *c, size_t n)
{
	static const char head[] = "{\"debug\":{\"kind\":\"debug\",\"message\":\"",
			  tail[] = "\"}}\n";
	size_t message = n - (sizeof(head) - 1) - (sizeof(tail) - 2);
	char *x = malloc(message);

	assert_non_null(x);
	memset(x, 'x', message);
	run_channel_take(c, head, sizeof(head) - 1);
	run_channel_take(c, x, message);
	run_channel_take(c, tail, sizeof(tail) - 1);
	free(x);
}

static void test_long_lines(void **state)
{
	struct run_channel *c = run_channel_new();
	const char *why = NULL;
	uint64_t line = 0;

	take_row(c, RUN_CHANNEL_LINE);
	assert_int_equal(run_channel_run(c)->n_debug, 1);
	take_row(c, RUN_CHANNEL_LINE + 1);
	take_row(c, 100);
	/* One that never ends. */
	for (int i = 0; i < 40; i++)
		run_channel_take(c, all_kinds, strcspn(all_kinds, "\n"));
	for (int i = 0; i < 3; i++) {
		static char much[RUN_CHANNEL_LINE];

		memset(much, '[', sizeof(much));
		run_channel_take(c, much, sizeof(much));
	}
	run_channel_end(c);
	assert_int_equal(run_channel_run(c)->n_debug, 2);
	assert_int_equal(run_channel_left_out(c, &line, &why), 2);
	assert_int_equal(line, 2);
	assert_string_equal(why, "longer than 1 MiB");
	run_channel_free(c);
}

/* Rows end at the total; what is told once is still heard. */
static void test_much(void **state)
{
	struct run_channel *c = run_channel_new();
	const size_t size = 100000;
	size_t fit = RUN_CHANNEL_TOTAL / (size + sizeof(struct run_debug));
	const char *why = NULL;
	uint64_t line = 0;

	for (size_t i = 0; i < fit + 5; i++)
		take_row(c, size);
	/* Small enough for what is left, but behind a gap. */
	take_row(c, 100);
	run_channel_take(c, FILE_LINE, strlen(FILE_LINE));
	run_channel_take(c, "{\"termination\":\"runtime_error\",\"message\":\"e\"}", 45);
	run_channel_end(c);
	assert_int_equal(run_channel_run(c)->n_debug, fit);
	assert_int_equal(run_channel_left_out(c, &line, &why), 6);
	assert_int_equal(line, fit + 1);
	assert_string_equal(why, "debug rows and logs take more than 16 MiB");
	check_text(run_channel_run(c)->file, "src/app.jett");
	check_text(run_channel_run(c)->failure, "e");
	run_channel_free(c);
}

static void test_deep(void **state)
{
	struct run_channel *c = run_channel_new();

	for (int i = 0; i < 100000; i++)
		run_channel_take(c, "{\"debug\":", 9);
	run_channel_take(c, "\n", 1);
	run_channel_end(c);
	assert_int_equal(left_out(c), 1);
	run_channel_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_kinds),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_the_last_line),
		cmocka_unit_test(test_what_is_left_out),
		cmocka_unit_test(test_sequences_ascend),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_much),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
