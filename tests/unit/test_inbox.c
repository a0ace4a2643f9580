// SPDX-License-Identifier: BSD-2-Clause
/* What came by several roads is delivered in the order of time. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bpf/profbpf.h"
#include "user/capture/inbox.h"
#include "user/capture/records.h"

struct log {
	char text[512]; /* "e5 r7 s9 ": kind and time */
	size_t n;
	uint64_t last;
	size_t fail_at;
};

static int note(struct log *log, char kind, uint64_t time)
{
	size_t len = strlen(log->text);

	snprintf(log->text + len, sizeof(log->text) - len, "%c%d ", kind, (int)time);
	assert_true(time >= log->last);
	log->last = time;
	return ++log->n == log->fail_at ? -ENOMEM : 1;
}

static int on_event(void *arg, const struct process_event *e)
{
	assert_int_equal(e->instance.tgid, e->time + 1000);
	return note(arg, 'e', e->time);
}

static int on_record(void *arg, const struct record *r)
{
	assert_string_equal(r->text, "/usr/bin/thing");
	assert_int_equal(r->inode, r->time + 2000);
	return note(arg, 'r', r->time);
}

static int on_stack(void *arg, const struct stack_record *s)
{
	assert_int_equal(s->n_frames, 2);
	assert_int_equal(s->frames[0], s->time);
	assert_int_equal(s->frames[1], s->time + 1);
	return note(arg, 's', s->time);
}

static const struct inbox_reader reader = { on_event, on_record, on_stack };

static void add_event(struct inbox *i, uint64_t time)
{
	struct process_event e = { .time = time, .instance.tgid = time + 1000 };

	assert_int_equal(inbox_add_event(i, &e), 0);
}

/* The text is the caller's again after the call. */
static void add_record(struct inbox *i, uint64_t time)
{
	char text[] = "/usr/bin/thing";
	struct record r = { .time = time, .inode = time + 2000, .text = text };

	assert_int_equal(inbox_add_record(i, &r), 0);
	memset(text, 'x', sizeof(text));
}

/* In memory exactly as large as its frames need, as it comes out of the ring. */
static void add_stack(struct inbox *i, uint64_t time)
{
	struct stack_record s = { .time = time, .n_frames = 2, .frames = { time, time + 1 } };
	size_t size = PROFBPF_STACK_HEADER + 2 * sizeof(s.frames[0]);
	void *copy = malloc(size);

	assert_non_null(copy);
	memcpy(copy, &s, size);
	assert_int_equal(inbox_add_stack(i, copy, size), 0);
	free(copy);
}

static void test_order(void **state)
{
	struct inbox *i = inbox_new();
	struct log log = { 0 };

	assert_int_equal(inbox_deliver(i, UINT64_MAX, &reader, &log), 0);
	assert_string_equal(log.text, "");
	add_stack(i, 9);
	add_stack(i, 3);
	add_record(i, 7);
	add_record(i, 1);
	add_event(i, 8);
	add_event(i, 2);
	assert_int_equal(inbox_deliver(i, UINT64_MAX, &reader, &log), 0);
	assert_string_equal(log.text, "r1 e2 s3 r7 e8 s9 ");
	assert_int_equal(inbox_deliver(i, UINT64_MAX, &reader, &log), 0);
	assert_int_equal(log.n, 6);
	inbox_free(i);
	inbox_free(NULL);
}

static void test_equal_times_as_they_came(void **state)
{
	struct inbox *i = inbox_new();
	struct log log = { 0 };
	unsigned int k;

	for (k = 0; k < 5; k++) {
		add_record(i, 5);
		add_event(i, 5);
		add_stack(i, 5);
	}
	assert_int_equal(inbox_deliver(i, 5, &reader, &log), 0);
	assert_string_equal(log.text, "r5 e5 s5 r5 e5 s5 r5 e5 s5 r5 e5 s5 r5 e5 s5 ");
	inbox_free(i);
}

/* What is later than the time waits, and falls in with what comes before it after all. */
static void test_until(void **state)
{
	struct inbox *i = inbox_new();
	struct log log = { 0 };

	add_event(i, 10);
	add_record(i, 4);
	add_record(i, 6);
	assert_int_equal(inbox_deliver(i, 3, &reader, &log), 0);
	assert_string_equal(log.text, "");
	assert_int_equal(inbox_deliver(i, 4, &reader, &log), 0);
	assert_string_equal(log.text, "r4 ");
	add_stack(i, 5);
	add_stack(i, 6);
	assert_int_equal(inbox_deliver(i, 9, &reader, &log), 0);
	assert_string_equal(log.text, "r4 s5 r6 s6 ");
	add_stack(i, 10);
	assert_int_equal(inbox_deliver(i, 10, &reader, &log), 0);
	assert_string_equal(log.text, "r4 s5 r6 s6 e10 s10 ");
	add_stack(i, 11); /* freed with the inbox */
	inbox_free(i);
}

static void test_failure(void **state)
{
	struct inbox *i = inbox_new();
	struct log log = { .fail_at = 2 };

	add_event(i, 1);
	add_stack(i, 2);
	add_record(i, 3);
	add_record(i, 30);
	assert_int_equal(inbox_deliver(i, 20, &reader, &log), -ENOMEM);
	assert_string_equal(log.text, "e1 s2 ");
	assert_int_equal(inbox_deliver(i, 30, &reader, &log), 0);
	assert_string_equal(log.text, "e1 s2 r30 ");
	inbox_free(i);
}

static void test_many(void **state)
{
	struct inbox *i = inbox_new();
	struct log log = { 0 };
	unsigned int k;

	srand(1);
	for (k = 0; k < 3000; k++) {
		add_stack(i, rand() % 1000);
		add_event(i, rand() % 1000);
	}
	assert_int_equal(inbox_deliver(i, 499, &reader, &log), 0);
	assert_int_equal(log.last, 499);
	assert_int_equal(inbox_deliver(i, 999, &reader, &log), 0);
	assert_int_equal(log.n, 6000);
	inbox_free(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_equal_times_as_they_came),
		cmocka_unit_test(test_until), cmocka_unit_test(test_failure),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
