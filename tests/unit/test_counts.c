// SPDX-License-Identifier: BSD-2-Clause
/*
 * The two buffers of counters, read from real BPF maps, which this test fills as the kernel programs
 * do.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "user/capture/counts.h"

#define ENTRIES 512
#define SLOTS 16

struct fixture {
	struct counts_layout layout;
	struct counts *counts;
	uint32_t side;
	struct front_slot *front;
	size_t front_bytes;
};

static int make_map(enum bpf_map_type type, uint32_t value, uint32_t entries, uint32_t key,
		    uint32_t flags, int inner)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = flags);

	if (inner >= 0)
		options.inner_map_fd = inner;
	return bpf_map_create(type, "counts_test", key, value, entries, &options);
}

static void make_maps(struct fixture *f)
{
	struct counts_layout *l = &f->layout;
	uint32_t i;

	l->entries = ENTRIES;
	l->cpus = l->copies = libbpf_num_possible_cpus();
	l->front_slots = SLOTS;
	l->side = &f->side;
	for (i = 0; i < 2; i++)
		l->tables[i] =
			make_map(BPF_MAP_TYPE_HASH, sizeof(struct counter), ENTRIES, 8, 0, -1);
	if (l->tables[0] == -EPERM) {
		print_message("no right to make BPF maps: skipped\n");
		skip();
	}
	l->grace = make_map(BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 1, 4, 0, l->tables[0]);
	l->front = make_map(BPF_MAP_TYPE_ARRAY, sizeof(struct front_slot), 2 * l->cpus * SLOTS, 4,
			    BPF_F_MMAPABLE, -1);
	l->accounts = make_map(BPF_MAP_TYPE_PERCPU_ARRAY, sizeof(struct tick_account), 2, 4, 0, -1);
	assert_true(l->tables[1] >= 0 && l->grace >= 0 && l->front >= 0 && l->accounts >= 0);
}

/* Not a set-up function of the framework: it can't skip there. */
static void set_up(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	make_maps(f);
	f->front_bytes = 2ul * f->layout.cpus * SLOTS * sizeof(*f->front);
	f->front =
		mmap(NULL, f->front_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f->layout.front, 0);
	assert_ptr_not_equal(f->front, MAP_FAILED);
	assert_int_equal(counts_new(&f->layout, &f->counts), 0);
}

static void tear_down(struct fixture *f)
{
	counts_free(f->counts);
	munmap(f->front, f->front_bytes);
	close(f->layout.tables[0]);
	close(f->layout.tables[1]);
	close(f->layout.grace);
	close(f->layout.front);
	close(f->layout.accounts);
}

static struct counter counter_of(uint64_t id, uint64_t runs, uint64_t ticks)
{
	return (struct counter){ .key = { .stack = id * 3, .tid = id + 1 },
				 .runs = runs,
				 .ticks = ticks };
}

static void put(struct fixture *f, uint32_t buffer, uint64_t id, uint64_t runs, uint64_t ticks)
{
	struct counter c = counter_of(id, runs, ticks);
	int table = f->layout.tables[buffer];

	assert_int_equal(bpf_map_update_elem(table, &id, &c, BPF_ANY), 0);
}

static void put_front(struct fixture *f, uint32_t buffer, uint32_t cpu, uint32_t slot, uint64_t id,
		      uint64_t runs, uint64_t ticks)
{
	f->front[(buffer * f->layout.cpus + cpu) * SLOTS + slot] =
		(struct front_slot){ id, counter_of(id, runs, ticks), 0 };
}

/* The sum of a key's counters. */
static struct counter sum_of(const struct counts_result *r, uint64_t id)
{
	struct counter sum = counter_of(id, 0, 0);
	size_t i;

	for (i = 0; i < r->n; i++) {
		if (memcmp(&r->counters[i].key, &sum.key, sizeof(sum.key)))
			continue;
		sum.runs += r->counters[i].runs;
		sum.ticks += r->counters[i].ticks;
	}
	return sum;
}

static struct counts_result turn_and_read(struct fixture *f)
{
	struct counts_result r;
	uint64_t turned;

	assert_int_equal(counts_turn(f->counts, &turned), 0);
	assert_int_equal(counts_read(f->counts, &r), 0);
	return r;
}

static void test_empty(void **state)
{
	struct fixture f;
	struct counts_result r;
	struct tick_account none = { 0 };

	set_up(&f);
	r = turn_and_read(&f);
	assert_int_equal(r.n, 0);
	assert_memory_equal(&r.account, &none, sizeof(none));
	tear_down(&f);
	counts_free(NULL);
}

static uint64_t monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void test_buffers_take_turns(void **state)
{
	struct fixture f;
	struct counts_result r;
	uint64_t before = monotonic(), turned;

	set_up(&f);
	put(&f, 0, 10, 1, 2);
	put(&f, 1, 11, 100, 200);
	assert_int_equal(counts_turn(f.counts, &turned), 0);
	assert_int_equal(f.side, 1);
	assert_in_range(turned, before, monotonic());
	assert_int_equal(counts_read(f.counts, &r), 0);
	assert_int_equal(r.n, 1);
	assert_int_equal(sum_of(&r, 10).runs, 1);
	assert_int_equal(sum_of(&r, 10).ticks, 2);
	r = turn_and_read(&f);
	assert_int_equal(f.side, 0);
	assert_int_equal(r.n, 1);
	assert_int_equal(sum_of(&r, 11).runs, 100);
	/* Both are empty now. */
	assert_int_equal(turn_and_read(&f).n, 0);
	assert_int_equal(turn_and_read(&f).n, 0);
	tear_down(&f);
}

static void test_front_is_added(void **state)
{
	struct fixture f;
	struct counts_result r;
	uint32_t last;

	set_up(&f);
	last = f.layout.cpus - 1;
	put(&f, 0, 10, 5, 7);
	put(&f, 0, UINT64_MAX, 0, 0);
	put_front(&f, 0, 0, 0, 10, 3, 4);
	put_front(&f, 0, last, SLOTS - 1, 10, 20, 21);
	put_front(&f, 0, last, 3, UINT64_MAX, 1, 1ull << 40);
	/* Of the other buffer, beside it. */
	put_front(&f, 1, 0, 0, 10, 1000, 1000);
	r = turn_and_read(&f);
	assert_int_equal(r.n, 5);
	assert_int_equal(sum_of(&r, 10).runs, 28);
	assert_int_equal(sum_of(&r, 10).ticks, 32);
	assert_int_equal(sum_of(&r, UINT64_MAX).runs, 1);
	assert_int_equal(sum_of(&r, UINT64_MAX).ticks, 1ull << 40);
	r = turn_and_read(&f);
	assert_int_equal(r.n, 1);
	assert_int_equal(sum_of(&r, 10).runs, 1000);
	/* Both are empty now. */
	assert_int_equal(turn_and_read(&f).n, 0);
	assert_int_equal(turn_and_read(&f).n, 0);
	tear_down(&f);
}

static void test_accounts(void **state)
{
	struct fixture f;
	struct tick_account *each, none = { 0 };
	struct counts_result r;
	uint32_t buffer, cpu, n;

	set_up(&f);
	n = f.layout.cpus;
	each = calloc(n, sizeof(*each));
	assert_non_null(each);
	for (buffer = 0; buffer < 2; buffer++) {
		for (cpu = 0; cpu < n; cpu++)
			each[cpu] = (struct tick_account){
				.runs = 1ull << 40,
				.missed = cpu,
				.dropped = { 3, buffer },
				.other = 7,
				.idle = 1,
				.stolen = 2,
			};
		assert_int_equal(bpf_map_update_elem(f.layout.accounts, &buffer, each, BPF_ANY), 0);
	}
	for (buffer = 0; buffer < 2; buffer++) {
		r = turn_and_read(&f);
		assert_int_equal(r.account.runs, n * (1ull << 40));
		assert_int_equal(r.account.missed, n * (n - 1) / 2);
		assert_int_equal(r.account.dropped[PROFBPF_DROP_STACK_RING], 3 * n);
		assert_int_equal(r.account.dropped[PROFBPF_DROP_COUNTER_TABLE], buffer * n);
		assert_int_equal(r.account.other, 7 * n);
		assert_int_equal(r.account.idle, n);
		assert_int_equal(r.account.stolen, 2 * n);
	}
	r = turn_and_read(&f);
	assert_memory_equal(&r.account, &none, sizeof(none));
	free(each);
	tear_down(&f);
}

/* A full table, all of which is in the front array too: nothing is lost or counted twice. */
static void test_full(void **state)
{
	struct fixture f;
	struct counts_result r;
	uint64_t runs = 0, ticks = 0, id, h;
	uint32_t round, cpu, slot;
	size_t i;

	set_up(&f);
	for (round = 0; round < 4; round++) {
		runs = 0;
		ticks = 0;
		for (id = 1; id <= ENTRIES; id++) {
			h = id * 0x9e3779b97f4a7c15;
			put(&f, round % 2, h, id, 2 * id);
			runs += id;
			ticks += 2 * id;
		}
		for (cpu = 0; cpu < f.layout.cpus; cpu++) {
			for (slot = 0; slot < SLOTS; slot++) {
				h = (1 + (cpu * SLOTS + slot) % ENTRIES) * 0x9e3779b97f4a7c15;
				put_front(&f, round % 2, cpu, slot, h, 3, 5);
				runs += 3;
				ticks += 5;
			}
		}
		r = turn_and_read(&f);
		assert_int_equal(r.n, ENTRIES + f.layout.cpus * SLOTS);
		for (i = 0; i < r.n; i++) {
			runs -= r.counters[i].runs;
			ticks -= r.counters[i].ticks;
		}
		assert_int_equal(runs, 0);
		assert_int_equal(ticks, 0);
	}
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),	       cmocka_unit_test(test_buffers_take_turns),
		cmocka_unit_test(test_front_is_added), cmocka_unit_test(test_accounts),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
