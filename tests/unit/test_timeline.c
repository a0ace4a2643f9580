// SPDX-License-Identifier: BSD-2-Clause
/* The timeline of processes: what is fed is read back from the profile. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "formats/profile.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"
#include "user/capture/timeline.h"

/* Pids that no process has: above pid_max's largest value, 2^22. */
#define PID 5000001
#define CHILD 5000002
#define START 777000000000ull
#define CODE 0x400000ull
#define LIBRARY 0x7f0000000000ull

struct fixture {
	struct profile *profile;
	struct objects *objects;
	struct timeline *timeline;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->profile = profile_new();
	f->objects = objects_new();
	f->timeline = timeline_new(f->profile, f->objects);
	*state = f;
	return f->timeline ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	timeline_free(f->timeline);
	objects_free(f->objects);
	profile_free(f->profile);
	free(f);
	return 0;
}

static struct instance instance(uint32_t pid, uint64_t start, uint32_t epoch)
{
	return (struct instance){ .tgid = pid, .start = start, .epoch = epoch };
}

static void event(struct fixture *f, uint32_t kind, uint64_t time, struct instance who,
		  uint32_t parent, const char *comm)
{
	struct process_event e = { .time = time, .kind = kind, .instance = who };

	e.parent.tgid = parent;
	snprintf(e.comm, sizeof(e.comm), "%s", comm);
	assert_int_equal(timeline_process_event(f->timeline, &e), 0);
}

static void comm(struct fixture *f, uint64_t time, uint32_t pid, uint32_t tid, bool exec,
		 const char *name)
{
	struct comm_event e = { time, pid, tid, exec, name };

	assert_int_equal(timeline_comm(f->timeline, &e), 0);
}

/* An inode of its own for each path; none for memory without a file. */
static uint64_t inode_of(const char *path)
{
	uint64_t inode = 0;

	if (path[0] != '/' || path[1] == '/')
		return 0;
	while (*path)
		inode = inode * 257 + (unsigned char)*path++;
	return inode;
}

/* Files that don't exist: objects without descriptor, whose addresses are file offsets. */
static void map(struct fixture *f, uint64_t time, uint32_t pid, uint64_t start, const char *path)
{
	struct map_event e = {
		.time = time,
		.pid = pid,
		.start = start,
		.end = start + 0x10000,
		.offset = 0x1000,
		.device = 1,
		.inode = inode_of(path),
		.path = path,
	};

	assert_int_equal(timeline_map(f->timeline, &e), 0);
}

static struct resolved_stack resolve(struct fixture *f, uint64_t time, struct instance who,
				     const uint64_t *frames, uint32_t n)
{
	struct stack_record r = { .time = time, .instance = who, .n_user = n, .n_frames = n };
	struct resolved_stack s;

	if (n)
		memcpy(r.frames, frames, n * sizeof(*frames));
	assert_int_equal(timeline_resolve(f->timeline, &r, &s), 0);
	assert_int_equal(profile_stack(f->profile, s.stack).n, n);
	return s;
}

static struct resolved_stack resolve_one(struct fixture *f, uint64_t time, struct instance who,
					 uint64_t address)
{
	return resolve(f, time, who, &address, 1);
}

static const struct profile_location *frame(struct fixture *f, const struct resolved_stack *s,
					    uint32_t i)
{
	struct profile_stack stack = profile_stack(f->profile, s->stack);

	assert_true(i < stack.n);
	return profile_location(f->profile, stack.locations[i]);
}

/* The frame lies in the file, at this offset. */
static void expect_frame(struct fixture *f, const struct resolved_stack *s, uint32_t i,
			 const char *path, uint64_t offset)
{
	const struct profile_location *l = frame(f, s, i);

	assert_int_not_equal(l->object, PROFILE_NONE);
	assert_string_equal(profile_object(f->profile, l->object)->path, path);
	assert_int_equal(l->address, offset);
}

static const struct profile_process *process(struct fixture *f, const struct resolved_stack *s)
{
	return profile_process(f->profile, s->process);
}

/* A process that was forked, by an unknown parent, with one file mapped. */
static void begin(struct fixture *f)
{
	event(f, PROCESS_FORK, 100, instance(PID, START, 3), 4999999, "first");
	map(f, 101, PID, CODE, "/bin/first");
}

static void test_frames(void **state)
{
	struct fixture *f = *state;
	uint64_t frames[] = { CODE + 0x10, 0xdead0000, LIBRARY + 5, CODE + 0x10000 };
	struct resolved_stack s;

	begin(f);
	map(f, 102, PID, LIBRARY, "//anon");
	s = resolve(f, 110, instance(PID, START, 3), frames, 4);
	expect_frame(f, &s, 0, "/bin/first", 0x1010);
	assert_int_equal(frame(f, &s, 0)->flags, 0);
	/* In no mapping, and in memory without a file: absolute, and only the former counts. */
	assert_int_equal(frame(f, &s, 1)->object, PROFILE_NONE);
	assert_int_equal(frame(f, &s, 1)->address, 0xdead0000);
	assert_int_equal(frame(f, &s, 2)->object, PROFILE_NONE);
	assert_int_equal(frame(f, &s, 2)->flags, PROFILE_LOCATION_JIT);
	assert_int_equal(frame(f, &s, 3)->object, PROFILE_NONE);
	assert_int_equal(s.unmapped, 2);
	assert_false(s.truncated);
	assert_int_equal(process(f, &s)->pid, PID);
	assert_int_equal(process(f, &s)->parent_pid, 4999999);
	assert_int_equal(process(f, &s)->start_ns, START);
	assert_int_equal(process(f, &s)->epoch, 3);
	assert_int_equal(process(f, &s)->begin_ns, 100);
	assert_string_equal(process(f, &s)->exe, "/bin/first");
	assert_string_equal(process(f, &s)->name, "first");
}

static void test_kernel_frames(void **state)
{
	struct fixture *f = *state;
	struct stack_record r = { .time = 110,
				  .instance = instance(PID, START, 3),
				  .n_kernel = 2,
				  .n_user = 1,
				  .n_frames = 3,
				  .frames = { 0xffffffff81000100, 0xffffffff81000200, CODE + 8 } };
	struct resolved_stack s;

	begin(f);
	assert_int_equal(timeline_resolve(f->timeline, &r, &s), 0);
	assert_int_equal(profile_stack(f->profile, s.stack).n, 3);
	/* The interrupted instruction as it is, the return address moved into its call. */
	assert_true(frame(f, &s, 0)->address == 0xffffffff81000100);
	assert_true(frame(f, &s, 1)->address == 0xffffffff810001ff);
	assert_int_equal(frame(f, &s, 0)->flags, PROFILE_LOCATION_KERNEL);
	assert_int_equal(profile_object(f->profile, frame(f, &s, 0)->object)->kind,
			 PROFILE_OBJECT_KERNEL);
	expect_frame(f, &s, 2, "/bin/first", 0x1008);
}

static void test_fork_shares_mappings(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;

	begin(f);
	event(f, PROCESS_FORK, 200, instance(CHILD, START + 9, 3), PID, "kid");
	map(f, 201, CHILD, LIBRARY, "/lib/of-child.so");
	map(f, 202, PID, LIBRARY, "/lib/of-the-parent.so");
	event(f, PROCESS_EXIT, 203, instance(PID, START, 3), 0, "first");
	timeline_sweep(f->timeline);
	assert_false(timeline_has(f->timeline, PID));
	s = resolve_one(f, 210, instance(CHILD, START + 9, 3), CODE + 1);
	expect_frame(f, &s, 0, "/bin/first", 0x1001);
	assert_int_equal(process(f, &s)->parent_pid, PID);
	assert_string_equal(process(f, &s)->exe, "/bin/first");
	s = resolve_one(f, 211, instance(CHILD, START + 9, 3), LIBRARY + 1);
	expect_frame(f, &s, 0, "/lib/of-child.so", 0x1001);
}

/* As the kernel tells it: the name, the mappings, then the event with the number. */
static void exec(struct fixture *f, uint64_t time, uint32_t epoch, const char *path)
{
	comm(f, time, PID, PID, true, strrchr(path, '/') + 1);
	map(f, time + 1, PID, CODE, path);
	map(f, time + 2, PID, LIBRARY, "/lib/ld.so");
	event(f, PROCESS_EXEC, time + 3, instance(PID, START, epoch), 0, strrchr(path, '/') + 1);
}

static void test_exec(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack old, early, new;

	begin(f);
	map(f, 102, PID, 0x900000, "/lib/old.so");
	old = resolve_one(f, 110, instance(PID, START, 3), CODE + 1);
	comm(f, 200, PID, PID, true, "second");
	map(f, 201, PID, CODE, "/usr/bin/second");
	/* Before its event the program runs in the kernel only, on its way to user space. */
	early = resolve_one(f, 202, instance(PID, START, 4), CODE + 2);
	event(f, PROCESS_EXEC, 203, instance(PID, START, 4), 0, "second");
	new = resolve_one(f, 210, instance(PID, START, 4), CODE + 1);
	expect_frame(f, &old, 0, "/bin/first", 0x1001);
	expect_frame(f, &new, 0, "/usr/bin/second", 0x1001);
	assert_int_not_equal(old.process, new.process);
	assert_int_equal(early.process, new.process);
	assert_int_equal(process(f, &old)->end_ns, 200);
	assert_string_equal(process(f, &old)->name, "first");
	assert_string_equal(process(f, &old)->exe, "/bin/first");
	assert_int_equal(process(f, &new)->epoch, 4);
	assert_int_equal(process(f, &new)->begin_ns, 200);
	assert_string_equal(process(f, &new)->name, "second");
	assert_string_equal(process(f, &new)->exe, "/usr/bin/second");
	assert_int_equal(process(f, &new)->start_ns, START);
	/* Nothing is left of the old address space. */
	new = resolve_one(f, 211, instance(PID, START, 4), 0x900001);
	assert_int_equal(new.unmapped, 1);
	assert_int_equal(timeline_mended(f->timeline), 0);
}

/* Within exec the registers are still the old program's: what they lead to is no frame. */
static void test_samples_within_exec(void **state)
{
	struct fixture *f = *state;
	struct stack_record r = { .time = 201,
				  .instance = instance(PID, START, 4),
				  .n_kernel = 1,
				  .n_user = 2,
				  .n_frames = 3,
				  .frames = { 0xffffffff81000100, CODE + 8, 0x900000 } };
	struct resolved_stack s;

	begin(f);
	comm(f, 200, PID, PID, true, "second");
	assert_int_equal(timeline_resolve(f->timeline, &r, &s), 0);
	assert_int_equal(profile_stack(f->profile, s.stack).n, 1);
	assert_int_equal(frame(f, &s, 0)->flags, PROFILE_LOCATION_KERNEL);
	assert_int_equal(s.end, PROFILE_END_NO_USER);
	assert_int_equal(s.unmapped, 0);
	/* Its event is lost, but it runs: from here on user frames count, in system calls too. */
	map(f, 202, PID, CODE, "/usr/bin/second");
	s = resolve_one(f, 210, instance(PID, START, 4), CODE + 1);
	expect_frame(f, &s, 0, "/usr/bin/second", 0x1001);
	assert_int_equal(timeline_resolve(f->timeline, &r, &s), 0);
	assert_int_equal(profile_stack(f->profile, s.stack).n, 3);
	expect_frame(f, &s, 1, "/usr/bin/second", 0x1008);
}

static void test_many_execs(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;
	char path[32];
	uint32_t i;

	begin(f);
	for (i = 1; i <= 20; i++) {
		snprintf(path, sizeof(path), "/x/%.*s", (int)i, "aaaaaaaaaaaaaaaaaaaaaaaaa");
		exec(f, 1000 * i, 3 + i, path);
		s = resolve_one(f, 1000 * i + 10, instance(PID, START, 3 + i), CODE);
		expect_frame(f, &s, 0, path, 0x1000);
		assert_int_equal(process(f, &s)->epoch, 3 + i);
	}
	assert_int_equal(profile_n_processes(f->profile), 20);
	assert_int_equal(timeline_mended(f->timeline), 0);
}

/* The name record was lost: the event alone tells of the new program. */
static void test_lost_comm(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;

	begin(f);
	event(f, PROCESS_EXEC, 203, instance(PID, START, 4), 0, "second");
	assert_int_equal(timeline_mended(f->timeline), 1);
	s = resolve_one(f, 210, instance(PID, START, 4), CODE + 1);
	assert_int_equal(s.unmapped, 1); /* not first's code */
	assert_string_equal(process(f, &s)->name, "second");
	assert_int_equal(process(f, &s)->epoch, 4);
	map(f, 211, PID, CODE, "/bin/second");
	s = resolve_one(f, 212, instance(PID, START, 4), CODE + 1);
	expect_frame(f, &s, 0, "/bin/second", 0x1001);
}

/* Both were lost: a stack's epoch tells. */
static void test_lost_exec(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack old, s;

	begin(f);
	old = resolve_one(f, 105, instance(PID, START, 3), CODE + 1);
	s = resolve_one(f, 210, instance(PID, START, 4), CODE + 1);
	assert_int_equal(timeline_mended(f->timeline), 1);
	assert_int_equal(s.unmapped, 1);
	assert_int_not_equal(s.process, old.process);
	assert_int_equal(process(f, &s)->epoch, 4);
	s = resolve_one(f, 211, instance(PID, START, 4), CODE + 2);
	assert_int_equal(timeline_mended(f->timeline), 1);
	assert_int_equal(profile_n_processes(f->profile), 2);
}

static void test_pid_reuse(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack first, second, third;

	begin(f);
	first = resolve_one(f, 110, instance(PID, START, 3), CODE + 1);
	event(f, PROCESS_EXIT, 120, instance(PID, START, 3), 0, "first");
	/* The same pid within one drain, and again with its events lost. */
	event(f, PROCESS_FORK, 130, instance(PID, START + 1000, 3), 4999998, "second");
	map(f, 131, PID, CODE, "/bin/second");
	second = resolve_one(f, 140, instance(PID, START + 1000, 3), CODE + 1);
	timeline_sweep(f->timeline);
	assert_true(timeline_has(f->timeline, PID));
	third = resolve_one(f, 150, instance(PID, START + 2000, 3), CODE + 1);
	assert_int_not_equal(first.process, second.process);
	assert_int_not_equal(second.process, third.process);
	assert_int_equal(process(f, &first)->start_ns, START);
	assert_int_equal(process(f, &first)->end_ns, 120);
	assert_int_equal(process(f, &second)->start_ns, START + 1000);
	assert_int_equal(process(f, &third)->start_ns, START + 2000);
	expect_frame(f, &first, 0, "/bin/first", 0x1001);
	expect_frame(f, &second, 0, "/bin/second", 0x1001);
	assert_int_equal(third.unmapped, 1);
	assert_int_equal(timeline_mended(f->timeline), 1);
}

static void test_names(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;

	begin(f);
	s = resolve_one(f, 110, instance(PID, START, 3), CODE + 1);
	comm(f, 120, PID, PID + 7, false, "worker"); /* a thread has its own name */
	assert_string_equal(process(f, &s)->name, "first");
	comm(f, 121, PID, PID, false, "odd ;(\n\xff");
	assert_string_equal(process(f, &s)->name, "odd ;(\n\xff");
	comm(f, 122, CHILD, CHILD, false, "unknown");
	assert_false(timeline_has(f->timeline, CHILD));
	assert_int_equal(profile_n_processes(f->profile), 1);
}

/* dlclose and dlopen of another library at the same address. */
static void test_mapping_replaced(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack old, new;

	begin(f);
	map(f, 102, PID, LIBRARY, "/lib/old.so");
	assert_int_equal(timeline_replaced(f->timeline), 0);
	old = resolve_one(f, 110, instance(PID, START, 3), LIBRARY + 1);
	map(f, 120, PID, LIBRARY, "/lib/newer.so");
	assert_int_equal(timeline_replaced(f->timeline), 1);
	new = resolve_one(f, 130, instance(PID, START, 3), LIBRARY + 1);
	expect_frame(f, &old, 0, "/lib/old.so", 0x1001);
	expect_frame(f, &new, 0, "/lib/newer.so", 0x1001);
	map(f, 140, PID, LIBRARY, "/lib/newer.so");
	assert_int_equal(timeline_replaced(f->timeline), 1);
}

/* Where the marker is and which frames are beside it, by the depth that each frame's address tells. */
static void expect_truncated(struct fixture *f, uint32_t n)
{
	struct stack_record r = { .instance = instance(PID, START, 3), .n_user = n };
	struct resolved_stack s;
	struct profile_stack stack;
	uint32_t i, left_out = n > PROFBPF_KEEP_USER ? n - PROFBPF_KEEP_USER : 0;

	/* The kernel's side, in its plainest form: depth i goes to its place, older ones are lost. */
	for (i = 0; i < n; i++)
		r.frames[i < 384 ? i : 384 + (i - 384) % 128] = 0x100000 + i;
	r.n_frames = n < PROFBPF_KEEP_USER ? n : PROFBPF_KEEP_USER;
	assert_int_equal(timeline_resolve(f->timeline, &r, &s), 0);
	stack = profile_stack(f->profile, s.stack);
	assert_int_equal(s.truncated, n > 512);
	assert_int_equal(stack.n, n > 512 ? 513 : n);
	for (i = 0; i < stack.n; i++) {
		const struct profile_location *l = profile_location(f->profile, stack.locations[i]);

		if (left_out && i == 384)
			assert_int_equal(l->flags, PROFILE_LOCATION_TRUNCATED);
		else
			assert_int_equal(l->address,
					 0x100000 + (left_out && i > 384 ? i - 1 + left_out : i));
	}
	assert_int_equal(s.unmapped, r.n_frames);
}

static void test_truncated(void **state)
{
	struct fixture *f = *state;
	static const uint32_t depths[] = { 0, 1, 383, 384, 385, 511, 512, 513, 640, 641, 4096 };
	size_t i;

	event(f, PROCESS_FORK, 100, instance(PID, START, 3), 4999999, "deep");
	for (i = 0; i < sizeof(depths) / sizeof(*depths); i++)
		expect_truncated(f, depths[i]);
}

/* Processes that a nested profiler can't see all have pid 0: no process of that pid is kept. */
static void test_invisible_processes(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < 3; i++)
		event(f, PROCESS_FORK, 100 + i, instance(0, START + i, 3), 0, "hidden");
	event(f, PROCESS_EXEC, 110, instance(0, START, 4), 0, "hidden");
	event(f, PROCESS_EXIT, 111, instance(0, START, 4), 0, "hidden");
	assert_false(timeline_has(f->timeline, 0));
}

/* Samples taken after an exit, as the process ends in the kernel, don't bring it back for ever. */
static void test_sample_after_exit(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s, late;

	begin(f);
	s = resolve_one(f, 110, instance(PID, START, 3), CODE + 1);
	event(f, PROCESS_EXIT, 120, instance(PID, START, 3), 0, "first");
	timeline_sweep(f->timeline);
	late = resolve(f, 121, instance(PID, START, 3), NULL, 0);
	assert_int_equal(late.process, s.process);
	timeline_sweep(f->timeline);
	assert_false(timeline_has(f->timeline, PID));
	assert_string_equal(process(f, &late)->name, "first");
	assert_int_equal(process(f, &late)->end_ns, 120);
}

/* --- real processes --- */

static uint64_t start_of(pid_t pid)
{
	struct proc_stat stat;

	assert_int_equal(proc_stat_read(pid, &stat), 0);
	return stat.start_ticks * (1000000000 / sysconf(_SC_CLK_TCK)) + 1234567;
}

static void test_running(void **state)
{
	struct fixture *f = *state;
	char exe[512];
	struct resolved_stack s, t;
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	assert_int_equal(proc_link("/proc/self/exe", exe, sizeof(exe)), 0);
	assert_int_equal(timeline_add_running(f->timeline, child), 0);
	s = resolve_one(f, 100, instance(child, start_of(child), 9), (uintptr_t)&test_running);
	assert_int_equal(s.unmapped, 0);
	assert_string_equal(profile_object(f->profile, frame(f, &s, 0)->object)->path, exe);
	assert_string_equal(process(f, &s)->exe, exe);
	assert_int_equal(process(f, &s)->parent_pid, getpid());
	assert_int_equal(process(f, &s)->epoch, 9);
	assert_int_equal(process(f, &s)->start_ns, start_of(child));
	assert_int_equal(timeline_mended(f->timeline), 0);
	/* Its first exec after the attach. */
	comm(f, 110, child, child, true, "second");
	event(f, PROCESS_EXEC, 112, instance(child, start_of(child), 10), 0, "second");
	t = resolve_one(f, 113, instance(child, start_of(child), 10), 0x1000);
	assert_int_not_equal(t.process, s.process);
	assert_int_equal(process(f, &t)->epoch, 10);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* The pid was reused after the attach, and no event came of it. */
static void test_running_reused(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;

	assert_int_equal(timeline_add_running(f->timeline, getpid()), 0);
	s = resolve_one(f, 100, instance(getpid(), start_of(getpid()) + 50000000, 9), 0x1000);
	assert_int_equal(timeline_mended(f->timeline), 1);
	assert_int_equal(process(f, &s)->start_ns, start_of(getpid()) + 50000000);
}

static void test_not_running(void **state)
{
	struct fixture *f = *state;
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	assert_int_equal(timeline_add_running(f->timeline, child), -ESRCH);
	assert_false(timeline_has(f->timeline, child));
}

/* Nothing was heard of it but a stack: /proc tells the rest. */
static void test_mended_from_proc(void **state)
{
	struct fixture *f = *state;
	struct resolved_stack s;

	s = resolve_one(f, 100, instance(getpid(), start_of(getpid()), 2),
			(uintptr_t)&test_mended_from_proc);
	assert_int_equal(s.unmapped, 0);
	assert_int_equal(timeline_mended(f->timeline), 1);
	timeline_sweep(f->timeline);
	assert_true(timeline_has(f->timeline, getpid()));
}

#define ON_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_FIXTURE(test_frames),
		ON_FIXTURE(test_kernel_frames),
		ON_FIXTURE(test_fork_shares_mappings),
		ON_FIXTURE(test_exec),
		ON_FIXTURE(test_samples_within_exec),
		ON_FIXTURE(test_many_execs),
		ON_FIXTURE(test_lost_comm),
		ON_FIXTURE(test_lost_exec),
		ON_FIXTURE(test_pid_reuse),
		ON_FIXTURE(test_names),
		ON_FIXTURE(test_mapping_replaced),
		ON_FIXTURE(test_truncated),
		ON_FIXTURE(test_invisible_processes),
		ON_FIXTURE(test_sample_after_exit),
		ON_FIXTURE(test_running),
		ON_FIXTURE(test_running_reused),
		ON_FIXTURE(test_not_running),
		ON_FIXTURE(test_mended_from_proc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
