// SPDX-License-Identifier: BSD-2-Clause
/* The record verb's command line: what is taken, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/arguments.h"
#include "user/message.h"
#include "user/record_options.h"
#include "user/verb.h"

#define MAX_ARGUMENTS 32

/* Parses "profbpf record" and these words, NULL at the end. */
static int parse_words(struct record_options **o, va_list words)
{
	static char *argv[MAX_ARGUMENTS];
	static char program[] = "profbpf record";
	int argc = 0;

	argv[argc++] = program;
	while (argc < MAX_ARGUMENTS - 1 && (argv[argc] = va_arg(words, char *)) != NULL)
		argc++;
	argv[argc] = NULL;
	*o = NULL;
	return record_options_parse(argc, argv, o);
}

__attribute__((sentinel)) static struct record_options *accepted(void *unused, ...)
{
	struct record_options *o;
	va_list words;

	va_start(words, unused);
	assert_int_equal(parse_words(&o, words), 0);
	va_end(words);
	assert_non_null(o);
	return o;
}

/* Parses, and asserts that one line with this part was said on stderr, and the usage status. */
__attribute__((sentinel)) static void refused(const char *part, ...)
{
	struct record_options *o;
	char said[1024] = "";
	va_list words;
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO), status;
	size_t n;

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	va_start(words, part);
	status = parse_words(&o, words);
	va_end(words);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
	assert_int_equal(status, EXIT_USAGE);
	assert_null(o);
	if (!strstr(said, part))
		fail_msg("\"%s\" lacks \"%s\"", said, part);
	assert_memory_equal(said, "profbpf", strlen("profbpf"));
	/* One line: the first line feed is the last character. */
	assert_ptr_equal(strchr(said, '\n'), said + n - 1);
}

static void test_defaults(void **state)
{
	struct record_options *o = accepted(NULL, "--pid", "17", NULL);

	assert_int_equal(o->n_pids, 1);
	assert_int_equal(o->pids[0], 17);
	assert_false(o->all);
	assert_null(o->command);
	assert_true(o->children);
	assert_int_equal(o->n_tids, 0);
	assert_null(o->comm_pattern);
	assert_int_equal(o->rate, 999);
	assert_int_equal(o->duration_ns, 0);
	assert_int_equal(o->delay_ns, 0);
	assert_int_equal(o->max_depth, 128);
	assert_true(o->kernel);
	assert_int_equal(o->n_outputs, 1);
	assert_string_equal(o->outputs[0].path, "profile.profbpf");
	assert_int_equal(o->outputs[0].format, OUTPUT_CAPTURE);
	assert_true(o->keep_old);
	assert_false(o->per_thread);
	assert_null(o->naming.debug_dirs);
	assert_false(o->naming.full_names);
	assert_int_equal(o->test_ring_bytes, 0);
	assert_int_equal(o->test_counters, 0);
	record_options_free(o);
}

static void test_ids(void **state)
{
	struct record_options *o = accepted(NULL, "-p", "1,22", "--pid=22,333", "--tid",
					    "4194304,5", "--no-children", NULL);

	assert_int_equal(o->n_pids, 3);
	assert_int_equal(o->pids[0], 1);
	assert_int_equal(o->pids[1], 22);
	assert_int_equal(o->pids[2], 333);
	assert_int_equal(o->n_tids, 2);
	assert_int_equal(o->tids[0], 4194304);
	assert_int_equal(o->tids[1], 5);
	assert_false(o->children);
	record_options_free(o);
}

static void test_ids_refused(void **state)
{
	static const char *const bad[] = { "",	  "0",	     "-1",
					   "+1",  " 1",	     "1 ",
					   "1x",  "0x10",    "1,",
					   ",1",  "1,,2",    "x",
					   "1.0", "4194305", "99999999999999999999999999" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		refused("--pid: ", "-p", bad[i], NULL);
		refused("--tid: ", "-a", "--tid", bad[i], NULL);
	}
	refused("from 1 to 4194304", "-p", "0", NULL);
}

static void test_command(void **state)
{
	struct record_options *o = accepted(NULL, "-d", "2", "--", "ls", "-l", "--", "--pid", NULL);

	assert_string_equal(o->command[0], "ls");
	assert_string_equal(o->command[1], "-l");
	assert_string_equal(o->command[2], "--");
	assert_string_equal(o->command[3], "--pid");
	assert_null(o->command[4]);
	assert_int_equal(o->n_pids, 0);
	record_options_free(o);

	o = accepted(NULL, "-a", "--", "-strange", NULL);
	assert_true(o->all);
	assert_string_equal(o->command[0], "-strange");
	record_options_free(o);
}

static void test_target(void **state)
{
	refused("no target: give --pid PID, --all or -- COMMAND", NULL);
	refused("no target", "--", NULL);
	refused("no target", "--tid", "5", NULL);
	refused("--pid and --all", "-p", "1", "-a", NULL);
	refused("--pid and -- COMMAND", "-p", "1", "--", "ls", NULL);
	refused("unexpected argument 'ls': put -- before a command", "ls", NULL);
	refused("unexpected argument 'extra'", "-a", "extra", "--", "ls", NULL);
}

static void test_unknown_options(void **state)
{
	refused("unrecognized option '--nonsense'", "--nonsense", NULL);
	refused("invalid option -- 'Z'", "-a", "-Z", NULL);
	refused("requires an argument", "--pid", NULL);
	/* Of areas that do not exist. */
	refused("unrecognized option '--off-cpu'", "-a", "--off-cpu", NULL);
	refused("unrecognized option '--memory'", "-a", "--memory", NULL);
}

static void test_comm(void **state)
{
	struct record_options *o = accepted(NULL, "-a", "--comm", "^(work|io)er[0-9]+$", NULL);

	assert_int_equal(regexec(&o->comm, "worker12", 0, NULL, 0), 0);
	assert_int_equal(regexec(&o->comm, "ioer1", 0, NULL, 0), 0);
	assert_int_equal(regexec(&o->comm, "worker", 0, NULL, 0), REG_NOMATCH);
	record_options_free(o);
	refused("--comm: '(' is no extended regular expression", "-a", "--comm", "(", NULL);
	refused("--comm: given twice", "-a", "--comm", "a", "--comm", "b", NULL);
}

static void test_times(void **state)
{
	struct record_options *o =
		accepted(NULL, "-a", "-d", "1.5", "--delay", "0.000000001", NULL);

	assert_int_equal(o->duration_ns, 1500000000);
	assert_int_equal(o->delay_ns, 1);
	record_options_free(o);
	refused("--duration: must be more than 0", "-a", "-d", "0", NULL);
	refused("--duration: must be more than 0", "-a", "-d", "0.0", NULL);
	refused("--duration: '1,5'", "-a", "-d", "1,5", NULL);
	refused("--duration: '.5'", "-a", "-d", ".5", NULL);
	refused("--duration: '5.'", "-a", "-d", "5.", NULL);
	refused("--duration: '-1'", "-a", "-d", "-1", NULL);
	refused("--duration: '1e3'", "-a", "-d", "1e3", NULL);
	refused("--duration: 'inf'", "-a", "-d", "inf", NULL);
	refused("--duration: '10s'", "-a", "-d", "10s", NULL);
	refused("--delay: '99999999999'", "-a", "--delay", "99999999999", NULL);
}

/* The limit as the kernel tells it, read apart from the code under test. */
static unsigned int kernel_limit(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "r");
	unsigned int limit = 0;

	if (!f)
		return 0;
	assert_int_equal(fscanf(f, "%u", &limit), 1);
	fclose(f);
	return limit;
}

static void test_rate(void **state)
{
	struct record_options *o = accepted(NULL, "-a", "-F", "1", NULL);
	unsigned int limit = kernel_limit();
	char at[16], above[16], remedy[96];

	assert_int_equal(o->rate, 1);
	record_options_free(o);
	refused("--rate: '0' is not a whole number from 1", "-a", "-F", "0", NULL);
	refused("--rate: 'max'", "-a", "-F", "max", NULL);
	if (limit == 0 || limit >= 1000000)
		return;
	snprintf(at, sizeof(at), "%u", limit);
	o = accepted(NULL, "-a", "-F", at, NULL);
	assert_int_equal(o->rate, limit);
	record_options_free(o);
	snprintf(above, sizeof(above), "%u", limit + 1);
	snprintf(remedy, sizeof(remedy), "sysctl kernel.perf_event_max_sample_rate=%s", above);
	refused(remedy, "-a", "-F", above, NULL);
}

/* Servers are asked only if somebody said so, on the command line or in the environment. */
static void test_servers(void **state)
{
	struct record_options *o;

	unsetenv("DEBUGINFOD_URLS");
	o = accepted(NULL, "-a", NULL);
	assert_null(o->naming.servers);
	record_options_free(o);
	o = accepted(NULL, "-a", "--debuginfod=http://a:1,https://b/c file:///d", NULL);
	assert_string_equal(o->naming.servers, "http://a:1,https://b/c file:///d");
	record_options_free(o);
	refused("set DEBUGINFOD_URLS", "-a", "--debuginfod", NULL);
	refused("'' is no list of URLs", "-a", "--debuginfod=", NULL);
	refused("'ftp://a' is no list of URLs", "-a", "--debuginfod=ftp://a", NULL);
	refused("is no list of URLs", "-a", "--debuginfod=http://a,", NULL);
	refused("is no list of URLs", "-a", "--debuginfod=http://a,,http://b", NULL);
	setenv("DEBUGINFOD_URLS", "  ", 1);
	refused("set DEBUGINFOD_URLS", "-a", "--debuginfod", NULL);
	setenv("DEBUGINFOD_URLS", "http://e", 1);
	o = accepted(NULL, "-a", NULL);
	assert_string_equal(o->naming.servers, "http://e");
	record_options_free(o);
	o = accepted(NULL, "-a", "--debuginfod", NULL);
	assert_string_equal(o->naming.servers, "http://e");
	record_options_free(o);
	o = accepted(NULL, "-a", "--debuginfod=http://f", NULL);
	assert_string_equal(o->naming.servers, "http://f");
	record_options_free(o);
	unsetenv("DEBUGINFOD_URLS");
}

static void test_small_options(void **state)
{
	struct record_options *o = accepted(
		NULL, "-a", "--kernel=no", "--max-depth", "7", "--per-thread", "--full-names",
		"--debug-dir", "/a", "--debug-dir=/b", "--test-ring-bytes", "4096",
		"--test-counters", "8", "--test-table-chunks", "16", "--test-ranges", "32",
		"--test-waits", "64", "--test-fail-after", "0.5", NULL);

	assert_false(o->kernel);
	assert_int_equal(o->max_depth, 7);
	assert_true(o->per_thread);
	assert_true(o->naming.full_names);
	assert_string_equal(o->naming.debug_dirs[0], "/a");
	assert_string_equal(o->naming.debug_dirs[1], "/b");
	assert_null(o->naming.debug_dirs[2]);
	assert_int_equal(o->test_ring_bytes, 4096);
	assert_int_equal(o->test_counters, 8);
	assert_int_equal(o->test_table_chunks, 16);
	assert_int_equal(o->test_ranges, 32);
	assert_int_equal(o->test_waits, 64);
	assert_int_equal(o->test_fail_after_ns, 500000000);
	record_options_free(o);
	refused("--kernel: 'maybe' is neither yes nor no", "-a", "--kernel=maybe", NULL);
	refused("--max-depth: '0'", "-a", "--max-depth", "0", NULL);
}

static void test_outputs(void **state)
{
	struct record_options *o =
		accepted(NULL, "-a", "-o", "x/a.pb.gz", "-o", "b.folded", "-o", "c.speedscope.json",
			 "-o", "d.profbpf", "-o", "e.txt", NULL);
	static const enum output_format formats[] = { OUTPUT_PPROF, OUTPUT_FOLDED,
						      OUTPUT_SPEEDSCOPE, OUTPUT_CAPTURE,
						      OUTPUT_TABLE };

	assert_int_equal(o->n_outputs, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(o->outputs[i].format, formats[i]);
	assert_string_equal(o->outputs[0].path, "x/a.pb.gz");
	assert_false(o->keep_old);
	record_options_free(o);

	o = accepted(NULL, "-a", "--format", "folded", "-o", "-", "-o", "strange.name", NULL);
	assert_int_equal(o->outputs[0].format, OUTPUT_FOLDED);
	assert_int_equal(o->outputs[1].format, OUTPUT_FOLDED);
	record_options_free(o);
}

static void test_outputs_refused(void **state)
{
	refused("standard output needs --format: capture, pprof, folded, speedscope, text, toon, json",
		"-a", "-o", "-", NULL);
	refused("use .profbpf, .pb.gz, .folded, .speedscope.json, .txt, .toon, .json, or --format",
		"-a", "-o", "a.yaml", NULL);
	refused("a.folded/b: the extension", "-a", "-o", "a.folded/b", NULL);
	refused("the extension names no format", "-a", "-o", ".folded", NULL);
	refused("unknown format 'svg'", "-a", "-o", "a", "--format", "svg", NULL);
	refused("--format: needs an output", "-a", "--format", "folded", NULL);
	refused("given twice", "-a", "-o", "a.folded", "-o", "a.folded", NULL);
	/* What the user typed cannot steer the terminal. */
	refused("a\\x1b[2Jb", "-a", "-o", "a\033[2Jb", NULL);
}

static void test_report_defaults(void **state)
{
	struct record_options *o = accepted(NULL, "-p", "17", "--profile", NULL);

	assert_true(o->contract.cpu);
	assert_false(o->contract.memory);
	assert_int_equal(o->contract.threshold, 500);
	assert_int_equal(o->contract.limit, 10);
	assert_int_equal(o->contract.rate, 1000);
	assert_null(o->contract.project_root);
	/* The clock ticks as the report says, and no file is written. */
	assert_int_equal(o->rate, 1000);
	assert_int_equal(o->n_outputs, 0);
	assert_false(o->keep_old);
	record_options_free(o);
	o = accepted(NULL, "-p", "17", NULL);
	assert_false(o->contract.cpu);
	assert_false(o->contract.memory);
	record_options_free(o);
}

static void test_report_options(void **state)
{
	static const struct {
		const char *text;
		unsigned int points;
	} thresholds[] = {
		{ "0", 0 },	 { "0.00", 0 },	    { "0.01", 1 },    { "2.5", 250 },
		{ "5.00", 500 }, { "99.99", 9999 }, { "100", 10000 }, { "100.00", 10000 }
	};
	struct record_options *o;

	for (size_t i = 0; i < sizeof(thresholds) / sizeof(thresholds[0]); i++) {
		o = accepted(NULL, "-a", "--profile", "--profile-threshold", thresholds[i].text,
			     NULL);
		assert_int_equal(o->contract.threshold, thresholds[i].points);
		record_options_free(o);
	}
	/* The order of options says nothing. */
	o = accepted(NULL, "--profile-rate=1", "--profile-limit", "100", "--project-root", "/",
		     "-o", "a.folded", "--profile", "--", "ls", "--profile-memory", NULL);
	assert_true(o->contract.cpu);
	assert_false(o->contract.memory);
	assert_int_equal(o->rate, 1);
	assert_int_equal(o->contract.limit, 100);
	assert_string_equal(o->contract.project_root, "/");
	assert_int_equal(o->n_outputs, 1);
	assert_false(o->keep_old);
	record_options_free(o);
	/* A report in a file needs no mode, and has a root all the same. */
	o = accepted(NULL, "-a", "-F", "1000", "-o", "a.json", "--project-root", "/", NULL);
	assert_false(o->contract.cpu);
	assert_true(o->report);
	assert_string_equal(o->contract.project_root, "/");
	record_options_free(o);
	o = accepted(NULL, "-a", "-o", "a.speedscope.json", NULL);
	assert_false(o->report);
	record_options_free(o);
	/* Whether memory can be profiled is not for the command line to say. */
	o = accepted(NULL, "-a", "--profile-memory", "--profile-threshold=1", NULL);
	assert_true(o->contract.memory);
	assert_int_equal(o->contract.threshold, 100);
	record_options_free(o);
}

static void test_report_options_refused(void **state)
{
	static const char *const bad_percents[] = {
		"",    "-1",	"+1",	"100.01", "101",
		".5",  "5.",	"5,00", "5.001",  "5.000",
		"5%",  "1e1",	"0x5",	" 5",	  "5 ",
		"nan", "5.0.0", "inf",	"five",	  "99999999999999999999999999"
	};
	static const char *const bad_limits[] = { "", "0", "101", "-1", "1.0", "all" };
	static const char *const bad_rates[] = { "", "0", "1001", "-1", "999.5", "max" };

	for (size_t i = 0; i < sizeof(bad_percents) / sizeof(bad_percents[0]); i++)
		refused("is not a percentage from 0 to 100 with at most two decimals", "-a",
			"--profile", "--profile-threshold", bad_percents[i], NULL);
	for (size_t i = 0; i < sizeof(bad_limits) / sizeof(bad_limits[0]); i++)
		refused("is not a whole number from 1 to 100", "-a", "--profile", "--profile-limit",
			bad_limits[i], NULL);
	for (size_t i = 0; i < sizeof(bad_rates) / sizeof(bad_rates[0]); i++)
		refused("is not a whole number from 1 to 1000", "-a", "--profile", "--profile-rate",
			bad_rates[i], NULL);
	refused("--profile and --profile-memory exclude each other", "-a", "--profile",
		"--profile-memory", NULL);
	refused("--profile-rate: memory is not sampled", "-a", "--profile-memory", "--profile-rate",
		"10", NULL);
	refused("--profile-threshold: needs --profile", "-a", "--profile-threshold", "5", NULL);
	refused("--profile-limit: needs --profile", "-a", "--profile-limit=5", NULL);
	refused("--profile-rate: needs --profile", "--profile-rate=5", "-a", NULL);
	refused("--project-root: needs --profile", "-a", "--project-root", "/", NULL);
	refused("--rate: 1001 is more than the 1000 that a report in .toon or .json knows", "-a",
		"-o", "a.toon", "-F", "1001", NULL);
	refused("--profile-limit: needs --profile", "-a", "-o", "a.json", "--profile-limit", "1",
		NULL);
	refused("--rate and --profile exclude each other: use --profile-rate", "-a", "--profile",
		"-F", "99", NULL);
	refused("--project-root: nowhere/at/all: No such file", "-a", "--profile", "--project-root",
		"nowhere/at/all", NULL);
	refused("--project-root: /dev/null: Not a directory", "-a", "--profile", "--project-root",
		"/dev/null", NULL);
}

static void test_agent_options(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} limits[] = { { "0", 0 },	  { "65536", 65536 }, { "64K", 65536 },
		       { "3M", 3 << 20 }, { "1G", 1 << 30 },  { "1073741824", 1 << 30 } };
	struct record_options *o = accepted(NULL, "--agent", "--profile", "--", "ls", NULL);

	assert_true(o->contract.agent);
	assert_int_equal(o->contract.capture_limit, 16 << 20);
	record_options_free(o);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		o = accepted(NULL, "--capture-limit", limits[i].text, "--profile-memory", "--agent",
			     "--", "ls", NULL);
		assert_int_equal(o->contract.capture_limit, limits[i].bytes);
		record_options_free(o);
	}
	refused("is not a number of bytes from 0 to 1073741824", "--profile", "--agent",
		"--capture-limit", "1073741825", "--", "ls", NULL);
	refused("is not a number of bytes", "--profile", "--agent", "--capture-limit", "2G", "--",
		"ls", NULL);
	refused("--agent: needs --profile", "--agent", "--", "ls", NULL);
	refused("--agent: needs a command", "--agent", "--profile", "-p", "17", NULL);
	refused("--capture-limit: needs --agent", "--capture-limit=5", "-a", "--profile", NULL);
}

static void test_levels(void **state)
{
	record_options_free(accepted(NULL, "-a", "-v", NULL));
	assert_int_equal(message_level(), MESSAGE_VERBOSE);
	record_options_free(accepted(NULL, "-a", "-q", NULL));
	assert_int_equal(message_level(), MESSAGE_QUIET);
	/* Errors are said all the same. */
	refused("no target", NULL);
	message_set_level(MESSAGE_NORMAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_ids_refused),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_unknown_options),
		cmocka_unit_test(test_comm),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_servers),
		cmocka_unit_test(test_small_options),
		cmocka_unit_test(test_outputs),
		cmocka_unit_test(test_outputs_refused),
		cmocka_unit_test(test_report_defaults),
		cmocka_unit_test(test_report_options),
		cmocka_unit_test(test_report_options_refused),
		cmocka_unit_test(test_agent_options),
		cmocka_unit_test(test_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
