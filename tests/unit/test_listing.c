/* SPDX-License-Identifier: BSD-2-Clause */
/* What functions have by line and by address, and how it is written; the profile is in build_profile.h. */
#include <errno.h>

#include "build_profile.h"
#include "formats/listing.h"
#include "formats/listing_write.h"
#include "formats/table.h"

static struct profile *p;

static int make_profile(void **state)
{
	p = sample_profile("app", "worker", NASTY_FUNCTION);
	return 0;
}

static int drop_profile(void **state)
{
	profile_free(p);
	return 0;
}

static struct listing *list(const char *name, enum listing_by by)
{
	struct listing *l = NULL;

	assert_int_equal(listing_new(p, name, by, &l), 0);
	return l;
}

static void assert_values(const uint64_t *values, uint64_t samples)
{
	assert_int_equal(values[0], samples);
	assert_int_equal(values[1], samples * PERIOD);
}

static void assert_line(const struct listing_row *row, const char *file, uint32_t line,
			uint64_t self, uint64_t cumulative)
{
	assert_string_equal(row->file, file);
	assert_int_equal(row->line, line);
	assert_values(row->self, self);
	assert_values(row->cumulative, cumulative);
}

static void assert_function(const struct listing_function *f, const char *name, uint64_t self,
			    uint64_t cumulative, uint32_t n_rows)
{
	assert_string_equal(f->name, name);
	assert_values(f->self, self);
	assert_values(f->cumulative, cumulative);
	assert_int_equal(f->n_rows, n_rows);
}

/* work is on a stack twice; at line 25 helper is inlined, which has that time itself. */
static void test_lines(void **state)
{
	struct listing *l = list("work", LISTING_LINES);
	const struct listing_function *f = listing_function(l, 0);

	assert_int_equal(listing_count(l), 1);
	assert_function(f, "work", 20, 50, 2);
	assert_int_equal(f->start_line, 20);
	assert_string_equal(profile_object(p, f->object)->path, "/usr/bin/app");
	assert_line(&f->rows[0], "/src/app.c", 25, 0, 30);
	assert_line(&f->rows[1], "/src/app.c", 26, 20, 20);
	listing_free(l);

	l = list("helper", LISTING_LINES);
	assert_function(listing_function(l, 0), "helper", 30, 30, 1);
	assert_line(listing_function(l, 0)->rows, "/src/app.h", 7, 30, 30);
	listing_free(l);

	l = list("main", LISTING_LINES);
	assert_function(listing_function(l, 0), "main", 0, 60, 1);
	listing_free(l);

	l = list("sys_read", LISTING_LINES);
	assert_line(listing_function(l, 0)->rows, "", 0, 10, 10);
	listing_free(l);
}

/* The code of work has what is inlined into it. */
static void test_addresses(void **state)
{
	struct listing *l = list("work", LISTING_ADDRESSES), *none = NULL;
	const struct listing_function *f = listing_function(l, 0);

	assert_int_equal(listing_count(l), 1);
	assert_function(f, "work", 50, 50, 2);
	assert_int_equal(f->rows[0].address, 0x1200);
	assert_values(f->rows[0].self, 30);
	assert_int_equal(f->rows[1].address, 0x1210);
	assert_values(f->rows[1].self, 20);
	assert_values(f->rows[1].cumulative, 20);
	assert_int_equal(listing_new(p, "helper", LISTING_ADDRESSES, &none), -ENOENT);
	assert_null(none);
	listing_free(l);
}

static void test_ranges(void **state)
{
	const uint64_t starts[] = { 0x1101, 0x1200, 0x1211 };
	struct listing_row rows[3] = { 0 };

	/* work twice in one sample counts once; main is before the first. */
	assert_int_equal(listing_count_ranges(p, 0, starts, 3, 0x1300, rows), 0);
	assert_values(rows[0].cumulative, 0);
	assert_values(rows[1].self, 50);
	assert_values(rows[1].cumulative, 50);
	assert_values(rows[2].cumulative, 0);
	memset(rows, 0, sizeof(rows));
	assert_int_equal(listing_count_ranges(p, 0, starts, 3, 0x1301, rows), 0);
	assert_values(rows[2].cumulative, 40);
	assert_values(rows[2].self, 0);
	memset(rows, 0, sizeof(rows));
	assert_int_equal(listing_count_ranges(p, 1, starts, 3, 0x1301, rows), 0);
	assert_values(rows[1].cumulative, 0);
}

/* A part of a name only means something where no function has it as its name. */
static void test_parts_of_names(void **state)
{
	struct listing *l = list("e", LISTING_LINES), *none = NULL;

	assert_int_equal(listing_count(l), 2);
	assert_string_equal(listing_function(l, 0)->name, "helper");
	assert_string_equal(listing_function(l, 1)->name, "sys_read");
	listing_free(l);
	add_sample(p, 0,
		   (const uint32_t[]){
			   add_named(p, 0, 0, 0x1400, add_function(p, "e", "/src/e.c", 1), 2) },
		   1, 1);
	l = list("e", LISTING_LINES);
	assert_int_equal(listing_count(l), 1);
	assert_string_equal(listing_function(l, 0)->name, "e");
	listing_free(l);
	assert_int_equal(listing_new(p, "absent", LISTING_LINES, &none), -ENOENT);
	assert_null(none);
}

/* By its linkage name too; one without samples is not there. */
static void test_system_names(void **state)
{
	const struct profile_function f = { .name = "ns::f",
					    .system_name = "_ZN2ns1fEi",
					    .file = "/f.cc" };
	struct listing *l = NULL;
	uint32_t id;

	assert_int_equal(profile_add_function(p, &f, &id), 0);
	assert_int_equal(listing_new(p, "ns::f", LISTING_LINES, &l), -ENOENT);
	add_sample(p, 0, (const uint32_t[]){ add_named(p, 0, 0, 0x1500, id, 9) }, 1, 4);
	l = list("_ZN2ns1fEi", LISTING_LINES);
	assert_function(listing_function(l, 0), "ns::f", 4, 4, 1);
	listing_free(l);
}

/* The same name in two objects, and overloads, are apart, the heaviest first. */
static void test_several(void **state)
{
	struct listing *l;
	uint32_t other = add_object(p, PROFILE_OBJECT_FILE, "/usr/lib/libother.so", "ab");
	uint32_t again = add_function(p, "work", "/src/app.c", 20);
	uint32_t overload = add_function(p, "work", "/src/app.c", 80);

	add_sample(p, 0, (const uint32_t[]){ add_named(p, other, 0, 0x10, again, 22) }, 1, 7);
	add_sample(p, 0, (const uint32_t[]){ add_named(p, 0, 0, 0x1700, overload, 81) }, 1, 60);
	l = list("work", LISTING_LINES);
	assert_int_equal(listing_count(l), 3);
	assert_function(listing_function(l, 0), "work", 60, 60, 1);
	assert_int_equal(listing_function(l, 0)->start_line, 80);
	assert_function(listing_function(l, 1), "work", 20, 50, 2);
	assert_function(listing_function(l, 2), "work", 7, 7, 1);
	assert_int_equal(listing_function(l, 2)->object, other);
	listing_free(l);
}

static void test_near_names(void **state)
{
	const char *names[2];

	assert_int_equal(listing_near_names(p, "wrk", names, 2), 1);
	assert_string_equal(names[0], "work");
	assert_int_equal(listing_near_names(p, "HELPERS", names, 2), 1);
	assert_string_equal(names[0], "helper");
	assert_int_equal(listing_near_names(p, "something else", names, 2), 0);
	add_function(p, "ns::Class::lookup", "", 0);
	assert_int_equal(listing_near_names(p, "lokup", names, 2), 1);
	assert_string_equal(names[0], "ns::Class::lookup");
	/* Of equal names in two files one is given. */
	add_function(p, "work", "/src/other.c", 3);
	assert_int_equal(listing_near_names(p, "werk", names, 2), 1);
}

static struct written write_lines(const struct table_options *o, const struct listing_line *lines,
				  size_t n)
{
	struct listing_writer *w = NULL;
	struct written text = { 0 };
	FILE *out = open_memstream(&text.bytes, &text.n);

	assert_int_equal(listing_writer_new(p, o, out, &w), 0);
	assert_int_equal(listing_write_lines(w, "/src/\033[1mapp.c", lines, n), 0);
	listing_writer_free(w);
	fclose(out);
	return text;
}

#define HEAD "  self%      self    cum%       cum  /src/\\x1b[1mapp.c\n"
#define BLANK "                                     "

static void number_lines(struct listing_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		snprintf(lines[i].place, sizeof(lines[i].place), "%zu", i + 1);
		lines[i].text = "text";
	}
}

static void test_context(void **state)
{
	struct table_options o = { 0 };
	struct listing *l = list("work", LISTING_LINES);
	struct listing_line lines[40] = { 0 };
	struct written w;

	number_lines(lines, 40);
	lines[0].keep = true;
	lines[24].row = &listing_function(l, 0)->rows[0];
	lines[25].row = &listing_function(l, 0)->rows[1];
	w = write_lines(&o, lines, 40);
	assert_string_equal(w.bytes,
			    HEAD BLANK " 1  text\n" BLANK " 2  text\n" BLANK " 3  text\n" BLANK
				       " 4  text\n" BLANK "...\n" BLANK "22  text\n" BLANK
				       "23  text\n" BLANK "24  text\n"
				       "  0.00%         0  30.00%    30.0ms  25  text\n"
				       " 20.00%    20.0ms  20.00%    20.0ms  26  text\n" BLANK
				       "27  text\n" BLANK "28  text\n" BLANK "29  text\n");
	free(w.bytes);
	listing_free(l);
}

/* Text from a file may be anything: it is escaped, its tabs are expanded, and it is cut. */
static void test_hostile_text(void **state)
{
	struct table_options o = { .width = 60 };
	struct listing_line lines[5] = { 0 };
	static char endless[1 << 20];
	struct written w;

	memset(endless, 'x', sizeof(endless) - 1);
	number_lines(lines, 5);
	lines[0].keep = true;
	lines[0].text = "a\tb\r";
	lines[1].text = "\033]0;x\a";
	lines[2].text = endless;
	lines[3].text = "\xff\xe2\x80\xae";
	lines[4].text = NULL;
	w = write_lines(&o, lines, 4);
	assert_string_equal(w.bytes,
			    HEAD BLANK "1  a       b\n" BLANK "2  \\x1b]0;x\\x07\n" BLANK
				       "3  xxxxxxxxxxxxxxxxxxx…\n" BLANK "4  \\xff\\u202e\n");
	free(w.bytes);
	lines[0].keep = false;
	lines[4].keep = true;
	w = write_lines(&o, lines + 4, 1);
	assert_string_equal(w.bytes, HEAD BLANK "5\n");
	free(w.bytes);
	/* Without a terminal too, a line has an end. */
	o.width = 0;
	lines[2].keep = true;
	w = write_lines(&o, lines + 2, 1);
	assert_in_range(w.n, 200, 400);
	free(w.bytes);
}

static void test_function_and_header(void **state)
{
	const struct table_options o = { 0 };
	struct listing *l = list(NASTY_FUNCTION, LISTING_LINES);
	struct listing_writer *writer = NULL;
	struct written w = { 0 };
	FILE *out = open_memstream(&w.bytes, &w.n);

	assert_int_equal(listing_writer_new(p, &o, out, &writer), 0);
	assert_int_equal(listing_write_header(writer), 0);
	assert_int_equal(listing_write_function(writer, listing_function(l, 0)), 0);
	assert_int_equal(listing_write_note(writer, "a\033b"), 0);
	listing_writer_free(writer);
	fclose(out);
	assert_non_null(strstr(w.bytes, "pid 100: 100 samples, 100.0ms CPU time in 2.00s\n"));
	assert_non_null(strstr(w.bytes, "\n\n  0.00%         0  40.00%    40.0ms  "
					"op\\x01;<script>\"\\xc3(  /usr/bin/app\nnote: a\\x1bb\n"));
	free(w.bytes);
	listing_free(l);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, make_profile, drop_profile)
	const struct CMUnitTest tests[] = {
		TEST(test_lines),	 TEST(test_addresses),
		TEST(test_ranges),	 TEST(test_parts_of_names),
		TEST(test_system_names), TEST(test_several),
		TEST(test_near_names),	 TEST(test_context),
		TEST(test_hostile_text), TEST(test_function_and_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
