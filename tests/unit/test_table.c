/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include <jansson.h>

#include "build_profile.h"
#include "formats/table.h"

static struct written table(const struct profile *p, struct table_options options)
{
	struct written w = { 0 };

	WRITTEN(w, table_write(p, &options, out));
	return w;
}

static json_t *table_json(const struct profile *p, struct table_options options)
{
	struct written w;
	json_error_t error;
	json_t *root;

	options.json = true;
	w = table(p, options);
	root = json_loadb(w.bytes, w.n, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%d: %s", error.line, error.text);
	free(w.bytes);
	return root;
}

static json_int_t number(const json_t *root, const char *a, const char *b)
{
	const json_t *value = json_object_get(root, a);

	if (b)
		value = json_object_get(value, b);
	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static const json_t *row(const json_t *root, size_t i)
{
	const json_t *r = json_array_get(json_object_get(root, "rows"), i);

	assert_non_null(r);
	return r;
}

static const char *text(const json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	assert_non_null(s);
	return s;
}

static void assert_row(const json_t *root, size_t i, const char *name, json_int_t self,
		       json_int_t cumulative)
{
	const json_t *r = row(root, i);

	assert_string_equal(text(r, "name"), name);
	assert_int_equal(number(r, "self", "samples"), self);
	assert_int_equal(number(r, "self", "cpu"), self * PERIOD);
	assert_int_equal(number(r, "cumulative", "samples"), cumulative);
	assert_int_equal(number(r, "cumulative", "cpu"), cumulative * PERIOD);
	assert_true(json_real_value(json_object_get(r, "self_percent")) == self);
	assert_true(json_real_value(json_object_get(r, "cumulative_percent")) == cumulative);
}

static size_t n_rows(const json_t *root)
{
	return json_array_size(json_object_get(root, "rows"));
}

static void test_functions(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = table_json(p, (struct table_options){ .by = TABLE_FUNCTION });

	/* work is on a stack twice, and counts once: 30 + 5 + 15. */
	assert_row(root, 0, "[anon]", 40, 40);
	assert_row(root, 1, "helper", 30, 30);
	assert_row(root, 2, "work", 20, 50);
	assert_row(root, 3, "sys_read", 10, 10);
	assert_row(root, 4, "main", 0, 60);
	assert_row(root, 5, "nasty", 0, 40);
	assert_row(root, 6, "<truncated-stack>", 0, 15);
	assert_row(root, 7, "[libc.so.6]", 0, 10);
	assert_int_equal(n_rows(root), 8);
	assert_int_equal(number(root, "more_rows", NULL), 0);
	assert_true(json_is_true(json_object_get(row(root, 3), "kernel")));
	assert_string_equal(text(row(root, 2), "file"), "/src/app.c");
	assert_int_equal(number(row(root, 2), "line", NULL), 20);
	assert_string_equal(text(row(root, 2), "object"), "/usr/bin/app");
	json_decref(root);
	profile_free(p);
}

static void test_lines(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = table_json(p, (struct table_options){ .by = TABLE_LINE });

	/* work at line 26 and at line 25, where helper is inlined. */
	assert_row(root, 0, "0xcafe0", 40, 40);
	assert_row(root, 1, "helper", 30, 30);
	assert_int_equal(number(row(root, 1), "line", NULL), 7);
	assert_row(root, 2, "work", 20, 20);
	assert_int_equal(number(row(root, 2), "line", NULL), 26);
	assert_row(root, 3, "sys_read", 10, 10);
	assert_row(root, 4, "main", 0, 60);
	assert_int_equal(number(row(root, 4), "line", NULL), 12);
	json_decref(root);
	profile_free(p);
}

/* The same by place: what has no line is told by object, and its sum. */
static void test_places(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct table_options options = { .by = TABLE_LINE, .places = true, .top = 4 };
	json_t *root = table_json(p, options);
	struct written w = table(p, options);

	assert_row(root, 0, "[anon]", 40, 40);
	assert_row(root, 1, "helper", 30, 30);
	assert_row(root, 2, "work", 20, 20);
	assert_row(root, 3, "sys_read", 10, 10);
	assert_int_equal(number(root, "no_line_self", "samples"), 50);
	assert_int_equal(number(root, "more_rows", NULL), 5);
	assert_non_null(strstr(
		w.bytes, " self%      self    cum%       cum  line\n"
			 " 40.00%    40.0ms  40.00%    40.0ms  [no line] [anon]  [anon]\n"
			 " 30.00%    30.0ms  30.00%    30.0ms  /src/app.h:7  helper\n"
			 " 20.00%    20.0ms  20.00%    20.0ms  /src/app.c:26  work\n"
			 " 10.00%    10.0ms  10.00%    10.0ms  [no line] [kernel]  sys_read [k]\n"
			 "5 more rows, 0.00% self\n"
			 "50.00% self in code whose line is not known\n"));
	free(w.bytes);
	/* A narrow terminal: the end of the path, and up to a third for the function. */
	options.width = 37 + 16;
	w = table(p, options);
	assert_non_null(strstr(w.bytes, "30.0ms  …/app.h:7  help…\n"));
	assert_non_null(strstr(w.bytes, "20.0ms  …/app.c:26  work\n"));
	free(w.bytes);
	json_decref(root);
	profile_free(p);
}

static void test_objects(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = table_json(p, (struct table_options){ .by = TABLE_OBJECT });

	assert_row(root, 0, "/usr/bin/app", 50, 100);
	assert_row(root, 1, "[anon]", 40, 40);
	assert_row(root, 2, "[kernel]", 10, 10);
	assert_row(root, 3, "[truncated]", 0, 15);
	assert_row(root, 4, "/lib/libc.so.6", 0, 10);
	assert_int_equal(n_rows(root), 5);
	json_decref(root);
	profile_free(p);
}

static void test_threads_and_processes(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root;

	add_sample(p, add_thread(p, 7, "other", "/bin/other", 7, "other"), NULL, 0, 100);
	root = table_json(p, (struct table_options){ .by = TABLE_THREAD });
	assert_int_equal(number(root, "totals", "samples"), 200);
	assert_string_equal(text(row(root, 0), "name"), "other");
	assert_string_equal(text(row(root, 1), "name"), "worker");
	assert_int_equal(number(row(root, 1), "tid", NULL), 101);
	assert_int_equal(number(row(root, 1), "pid", NULL), 100);
	assert_string_equal(text(row(root, 1), "process"), "app");
	assert_int_equal(number(row(root, 1), "self", "samples"), 55);
	assert_true(json_real_value(json_object_get(row(root, 1), "self_percent")) == 27.5);
	assert_int_equal(number(row(root, 2), "self", "samples"), 45);
	json_decref(root);
	root = table_json(p, (struct table_options){ .by = TABLE_PROCESS });
	assert_int_equal(n_rows(root), 2);
	assert_string_equal(text(row(root, 0), "name"), "app");
	assert_int_equal(number(row(root, 0), "self", "samples"), 100);
	assert_string_equal(text(row(root, 0), "exe"), "/usr/bin/app");
	assert_string_equal(text(row(root, 1), "name"), "other");
	json_decref(root);
	profile_free(p);
}

static void test_totals(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = table_json(p, (struct table_options){ .by = TABLE_FUNCTION });
	const json_t *a = json_object_get(root, "accounting");

	assert_string_equal(text(root, "format"), "profbpf-report");
	assert_string_equal(text(root, "by"), "function");
	assert_string_equal(text(root, "target"), "pid 100");
	assert_int_equal(json_array_size(json_object_get(root, "notes")), 2);
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "notes"), 1)),
			    "second note");
	assert_int_equal(number(root, "totals", "samples"), 100);
	assert_int_equal(number(root, "totals", "cpu"), 100 * PERIOD);
	assert_int_equal(number(root, "duration_ns", NULL), 2000000000);
	assert_int_equal(number(a, "requested", NULL), number(a, "recorded", NULL) +
							       number(a, "coalesced", NULL) +
							       number(a, "dropped", NULL));
	assert_int_equal(number(a, "recorded", NULL), 100);
	assert_int_equal(number(a, "dropped", NULL), 3);
	assert_int_equal(number(a, "dropped_by_reason", "stack_ring_full"), 1);
	assert_int_equal(number(a, "other", NULL), 11);
	assert_int_equal(number(a, "idle", NULL), 13);
	assert_int_equal(number(a, "stolen", NULL), 17);
	assert_int_equal(number(a, "ends", "root"), 100);
	json_decref(root);
	profile_free(p);
}

static void test_limits(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	json_t *root = table_json(p, (struct table_options){ .by = TABLE_FUNCTION, .top = 2 });
	struct written w;

	assert_int_equal(n_rows(root), 2);
	assert_int_equal(number(root, "more_rows", NULL), 6);
	assert_int_equal(number(root, "more_self", "samples"), 30);
	json_decref(root);
	/* Cumulative shares of 15 and less are left out. */
	root = table_json(p, (struct table_options){ .by = TABLE_FUNCTION, .percent_limit = 15.5 });
	assert_int_equal(n_rows(root), 5);
	assert_int_equal(number(root, "more_rows", NULL), 3);
	assert_int_equal(number(root, "more_self", "samples"), 10);
	json_decref(root);
	w = table(p, (struct table_options){ .by = TABLE_FUNCTION, .top = 7 });
	assert_non_null(strstr(w.bytes, "\n1 more row, 0.00% self\n"));
	free(w.bytes);
	profile_free(p);
}

static void test_text(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct written w = table(p, (struct table_options){ .by = TABLE_FUNCTION, .top = 4 });

	assert_string_equal(
		w.bytes,
		"pid 100: 100 samples, 100.0ms CPU time in 2.00s\n"
		"ticks: 107 requested = 100 recorded + 4 coalesced + 3 dropped (stack_ring_full 1, "
		"stack_lost 2)\n"
		"ticks elsewhere: 11 other processes, 13 idle, 17 stolen by the hypervisor\n"
		"stacks end at: root 100\n"
		"note: first note\n"
		"note: second note\n"
		"\n"
		"  self%      self    cum%       cum  function\n"
		" 40.00%    40.0ms  40.00%    40.0ms  [anon]\n"
		" 30.00%    30.0ms  30.00%    30.0ms  helper  app.h:5\n"
		" 20.00%    20.0ms  50.00%    50.0ms  work  app.c:20\n"
		" 10.00%    10.0ms  10.00%    10.0ms  sys_read [k]\n"
		"4 more rows, 0.00% self\n");
	free(w.bytes);
	profile_free(p);
}

static void test_long_title(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct profile_config c = *profile_config(p);
	struct written w;

	c.target = "command x\n0123456789012345678901234567890123456789";
	assert_int_equal(profile_set_config(p, &c), 0);
	w = table(p, (struct table_options){ .by = TABLE_FUNCTION });
	assert_ptr_equal(strstr(w.bytes, "command x\\x0a01234567890123456789012345…: 100 samples"),
			 w.bytes);
	free(w.bytes);
	profile_free(p);
}

static void test_tree(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct written w = table(p, (struct table_options){ .by = TABLE_FUNCTION, .tree = true });
	json_t *root;

	assert_string_equal(strstr(w.bytes, "  self%"),
			    "  self%      self    cum%       cum  function\n"
			    "  0.00%         0 100.00%   100.0ms  app\n"
			    "  0.00%         0  60.00%    60.0ms  ├─ main  app.c:10\n"
			    "  0.00%         0  35.00%    35.0ms  │  ├─ work  app.c:20\n"
			    " 30.00%    30.0ms  30.00%    30.0ms  │  │  ├─ helper  app.h:5\n"
			    "  5.00%     5.0ms   5.00%     5.0ms  │  │  └─ work  app.c:20\n"
			    "  0.00%         0  15.00%    15.0ms  │  ├─ <truncated-stack>\n"
			    " 15.00%    15.0ms  15.00%    15.0ms  │  │  work  app.c:20\n"
			    "  0.00%         0  10.00%    10.0ms  │  └─ [libc.so.6]\n"
			    " 10.00%    10.0ms  10.00%    10.0ms  │     sys_read [k]\n"
			    "  0.00%         0  40.00%    40.0ms  └─ nasty  na;sty.c:1\n"
			    " 40.00%    40.0ms  40.00%    40.0ms     [anon]\n");
	free(w.bytes);
	/* The two innermost frames; limits and depth in JSON. */
	root = table_json(
		p, (struct table_options){ .by = TABLE_FUNCTION, .tree = true, .max_depth = 2 });
	assert_string_equal(text(row(root, 0), "name"), "app");
	assert_int_equal(number(row(root, 0), "depth", NULL), 0);
	for (size_t i = 1; i < n_rows(root); i++) {
		assert_in_range(number(row(root, i), "depth", NULL), 1, 2);
		assert_string_not_equal(text(row(root, i), "name"), "main");
	}
	json_decref(root);
	root = table_json(p, (struct table_options){
				     .by = TABLE_FUNCTION, .tree = true, .percent_limit = 35 });
	/* app, nasty, the code without a file, main, work. */
	assert_int_equal(n_rows(root), 5);
	assert_int_equal(number(root, "more_rows", NULL), 6);
	assert_int_equal(number(root, "more_self", "samples"), 60);
	json_decref(root);
	profile_free(p);
}

/* No line is wider than the terminal, and all of it is text. */
static void check_text(const char *s, unsigned int width)
{
	unsigned int column = 0;

	for (const unsigned char *c = (const unsigned char *)s; *c; c++) {
		assert_true((*c >= ' ' && *c != 0x7f) || *c == '\n');
		column = *c == '\n' ? 0 : column + ((*c & 0xC0) != 0x80);
		assert_true(column <= width);
	}
}

static void test_width_and_nasty_names(void **state)
{
	char nasty[] = "a_function_whose_name_is_longer_than_any_terminal_\xff\x1b[0m_is_wide_"
		       "a_function_whose_name_is_longer_than_any_terminal_is_wide_and_on_and_on";
	struct profile *p = sample_profile(NASTY_PROCESS, NASTY_THREAD, nasty);

	for (unsigned int by = TABLE_FUNCTION; by <= TABLE_OBJECT; by++) {
		for (unsigned int width = 80; width <= 120; width += 20) {
			struct table_options o = { .by = by, .width = width };
			struct written w = table(p, o);
			const char *rows = strstr(w.bytes, "\n\n");

			assert_non_null(rows);
			check_text(rows, width);
			free(w.bytes);
			o.tree = true;
			w = table(p, o);
			check_text(strstr(w.bytes, "\n\n"), width);
			free(w.bytes);
		}
	}
	profile_free(p);
}

static void test_deep_tree(void **state)
{
	/* Every frame a branch of its own: 400 levels fit the terminal, and memory stays sane. */
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/usr/bin/app", "");
	uint32_t thread = add_thread(p, 1, "app", "", 1, "app");
	uint32_t leaf = add_location(p, app, 0, 1), frames[400];
	struct written w;
	json_t *root;

	for (uint32_t i = 0; i < 400; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		frames[399 - i] = add_named(p, app, 0, 100 + i, add_function(p, name, "", 0), 1);
	}
	for (uint32_t i = 1; i <= 400; i++) {
		uint32_t stack[401];

		stack[0] = leaf;
		memcpy(stack + 1, frames + 400 - i, i * sizeof(*stack));
		add_sample(p, thread, stack, i + 1, 1);
	}
	w = table(p, (struct table_options){ .tree = true, .width = 80 });
	check_text(strstr(w.bytes, "\n\n"), 80);
	assert_non_null(strstr(w.bytes, "f399"));
	free(w.bytes);
	root = table_json(p, (struct table_options){ .tree = true });
	assert_int_equal(n_rows(root), 1 + 400 + 400);
	json_decref(root);
	profile_free(p);
}

static void test_color(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct written w = table(p, (struct table_options){ .by = TABLE_FUNCTION, .color = true });
	unsigned int on = 0, off = 0;

	for (const char *c = w.bytes; (c = strstr(c, "\033[")) != NULL; c++) {
		if (strncmp(c, "\033[0m", 4) == 0)
			off++;
		else
			on++;
	}
	assert_true(on > 8);
	assert_int_equal(on, off);
	free(w.bytes);
	profile_free(p);
}

static void test_empty(void **state)
{
	struct profile *p = cpu_profile(), *none = profile_new();
	struct written w = table(p, (struct table_options){ .by = TABLE_FUNCTION });
	json_t *root;

	assert_non_null(strstr(w.bytes, "0 samples"));
	free(w.bytes);
	w = table(none, (struct table_options){ .tree = true });
	free(w.bytes);
	root = table_json(none, (struct table_options){ .by = TABLE_THREAD });
	assert_int_equal(n_rows(root), 0);
	assert_int_equal(json_array_size(json_object_get(root, "notes")), 0);
	json_decref(root);
	profile_free(p);
	profile_free(none);
}

/*
 * 100 samples: 80 to the root, 3 of a kernel thread, 17 cut, by their outermost frames: 10 of the
 * library and 2 of the program without a rule, 4 of the library unreadable, 1 of code without a file.
 * Of the 80 * 2 + 17 user frames the program's 80 of 82 and the one without a file are guessed.
 */
static struct profile *cut_profile(void)
{
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/bin/app", "aa");
	uint32_t lib = add_object(p, PROFILE_OBJECT_FILE, "/lib/l\x1b.so", "bb");
	uint32_t thread = add_thread(p, 1, "app", "/bin/app", 1, "app");
	uint32_t leaf = add_location(p, lib, 0, 0x10);
	uint32_t guess = add_location(p, app, PROFILE_LOCATION_GUESS, 0x20);
	uint32_t exact = add_location(p, app, 0, 0x20);
	uint32_t jit =
		add_location(p, PROFILE_NONE, PROFILE_LOCATION_JIT | PROFILE_LOCATION_GUESS, 1);
	uint32_t kernel = add_location(p, PROFILE_NONE, PROFILE_LOCATION_KERNEL, 0x30);
	struct profile_accounting a = { .requested = 100, .recorded = 100 };

	add_sample(p, thread, (const uint32_t[]){ leaf, guess }, 2, 80);
	add_cut_sample(p, thread, &kernel, 1, PROFILE_END_NO_USER, 3);
	add_cut_sample(p, thread, (const uint32_t[]){ kernel, leaf }, 2, PROFILE_END_NO_RULE, 10);
	add_cut_sample(p, thread, &leaf, 1, PROFILE_END_UNREADABLE, 4);
	add_cut_sample(p, thread, &exact, 1, PROFILE_END_NO_RULE, 2);
	add_cut_sample(p, thread, &jit, 1, PROFILE_END_NO_RULE, 1);
	a.ends[PROFILE_END_ROOT] = 80;
	a.ends[PROFILE_END_NO_USER] = 3;
	a.ends[PROFILE_END_NO_RULE] = 13;
	a.ends[PROFILE_END_UNREADABLE] = 4;
	profile_set_accounting(p, &a);
	return p;
}

static void test_unwind_text(void **state)
{
	struct profile *p = cut_profile();
	struct table_options o = { 0 };
	struct written w = { 0 };

	WRITTEN(w, table_write_unwind(p, &o, out));
	assert_string_equal(
		w.bytes,
		"97 samples with a user stack, 3 without\n"
		"complete: 82.47% (80 reached their thread's root)\n"
		"guessed: 45.76% of 177 user frames (by frame pointer or code, where no unwind table tells)\n"
		"\n"
		"      %   samples  why the others end before it\n"
		"  4.12%         4  unreadable_memory: a frame could not be read\n"
		" 13.40%        13  no_rule: code without unwind table, and no frame pointer leads on\n"
		"\n"
		"      %   samples  object of the outermost frame that is known\n"
		" 10.31%        10  no_rule: /lib/l\\x1b.so\n"
		"  4.12%         4  unreadable_memory: /lib/l\\x1b.so\n"
		"  2.06%         2  no_rule: /bin/app\n"
		"  1.03%         1  no_rule: [anon]\n"
		"\n"
		" guess%   guessed     frames  object\n"
		" 97.56%        80         82  /bin/app\n"
		"100.00%         1          1  [anon]\n");
	free(w.bytes);
	profile_free(p);
	p = profile_new();
	WRITTEN(w, table_write_unwind(p, &o, out));
	assert_string_equal(w.bytes,
			    "0 samples with a user stack, 0 without\n"
			    "complete: 0.00% (0 reached their thread's root)\n"
			    "guessed: 0.00% of 0 user frames (by frame pointer or code, where no "
			    "unwind table tells)\n");
	free(w.bytes);
	profile_free(p);
}

/* A stack that ends before its first frame is among the reasons all the same. */
static void test_unwind_without_frames(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t thread = add_thread(p, 1, "app", "/bin/app", 1, "app");
	struct profile_accounting a = { .requested = 5, .recorded = 5 };
	struct table_options o = { 0 };
	struct written w = { 0 };

	add_cut_sample(p, thread, NULL, 0, PROFILE_END_PROBED, 5);
	a.ends[PROFILE_END_PROBED] = 5;
	profile_set_accounting(p, &a);
	WRITTEN(w, table_write_unwind(p, &o, out));
	assert_non_null(strstr(w.bytes, "100.00%         5  probe: a probe took"));
	assert_non_null(strstr(w.bytes, "100.00%         5  probe: [anon]\n"));
	free(w.bytes);
	profile_free(p);
}

static void test_unwind_json(void **state)
{
	struct profile *p = cut_profile();
	struct table_options o = { .json = true, .top = 1 };
	struct written w = { 0 };
	const json_t *first;
	json_t *root;

	WRITTEN(w, table_write_unwind(p, &o, out));
	root = json_loadb(w.bytes, w.n, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_string_equal(text(root, "format"), "profbpf-unwind");
	assert_int_equal(number(root, "samples", NULL), 97);
	assert_int_equal(number(root, "complete", NULL), 80);
	assert_int_equal(number(root, "guessed_frames", NULL), 81);
	assert_int_equal(number(root, "user_frames", NULL), 177);
	assert_int_equal(json_array_size(json_object_get(root, "ends")), PROFILE_N_ENDS);
	assert_int_equal(json_array_size(json_object_get(root, "spoilers")), 1);
	first = json_array_get(json_object_get(root, "spoilers"), 0);
	assert_string_equal(text(first, "object"), "/lib/l\\x1b.so");
	assert_string_equal(text(first, "build_id"), "bb");
	assert_string_equal(text(first, "end"), "no_rule");
	assert_int_equal(number(first, "samples", NULL), 10);
	first = json_array_get(json_object_get(root, "guesses"), 0);
	assert_string_equal(text(first, "object"), "/bin/app");
	assert_int_equal(number(first, "guessed", NULL), 80);
	assert_int_equal(number(first, "frames", NULL), 82);
	json_decref(root);
	free(w.bytes);
	profile_free(p);
}

static void test_guesses_are_marked(void **state)
{
	struct profile *p = cpu_profile();
	uint32_t app = add_object(p, PROFILE_OBJECT_FILE, "/bin/app", "aa");
	uint32_t thread = add_thread(p, 1, "app", "/bin/app", 1, "app");
	uint32_t f = add_function(p, "above", "", 0), g = add_function(p, "leaf", "", 0);
	uint32_t above = add_named(p, app, PROFILE_LOCATION_GUESS, 0x20, f, 0);
	uint32_t leaf = add_named(p, app, 0, 0x30, g, 0);
	struct written w;
	json_t *root;

	add_sample(p, thread, (const uint32_t[]){ leaf, above }, 2, 1);
	w = table(p, (struct table_options){ .tree = true });
	assert_non_null(strstr(w.bytes, "  above ?  app\n"));
	assert_non_null(strstr(w.bytes, "  leaf  app\n"));
	free(w.bytes);
	w = table(p, (struct table_options){ .tree = false });
	assert_null(strstr(w.bytes, " ?"));
	free(w.bytes);
	root = table_json(p, (struct table_options){ .tree = true });
	assert_string_equal(text(row(root, 1), "name"), "above");
	assert_true(json_is_true(json_object_get(row(root, 1), "guess")));
	assert_true(json_is_false(json_object_get(row(root, 2), "guess")));
	json_decref(root);
	profile_free(p);
}

static void test_disk_full(void **state)
{
	struct profile *p = sample_profile("app", "worker", "nasty");
	struct table_options options = { .by = TABLE_FUNCTION };

	ASSERT_FULL(table_write(p, &options, out));
	ASSERT_FULL(table_write_unwind(p, &options, out));
	options.json = true;
	ASSERT_FULL(table_write(p, &options, out));
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_threads_and_processes),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_long_title),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_width_and_nasty_names),
		cmocka_unit_test(test_deep_tree),
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_unwind_text),
		cmocka_unit_test(test_unwind_json),
		cmocka_unit_test(test_unwind_without_frames),
		cmocka_unit_test(test_guesses_are_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
