// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "formats/profile.h"
#include "user/capture/copied_code.h"
#include "user/capture/kernel_layout.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"
#include "user/capture/timeline.h"
#include "user/capture/unwinder.h"

#define COPY_LOOKS 10

/* A process instance between two execs. */
struct program {
	uint32_t pid, parent_pid;
	uint64_t start; /* CLOCK_BOOTTIME nanoseconds, 0: known in clock ticks only */
	uint64_t start_ticks; /* as /proc tells it */
	uint32_t epoch;
	bool epoch_known, exited;
	bool unpublished; /* the walker does not know its mappings as they are */
	unsigned int copying; /* looks left at code that perhaps is being copied */
	bool exec_pending; /* its exec was seen as a new name, its number comes with the event */
	char name[64];
	char *exe; /* NULL: not known yet */
	uint64_t begin, end;
	struct mappings *mappings;
	uint32_t id; /* in the profile, PROFILE_NONE before its first sample */
	UT_hash_handle hh;
};

struct timeline {
	struct profile *profile;
	struct objects *objects;
	struct kernel_layout *kernel;
	struct program *by_pid;
	uint64_t mended, replaced;
	unsigned int exited; /* programs to sweep */
	struct unwinder *unwinder; /* NULL: none */
	bool unpublished; /* some programs are */
	uint64_t ns_per_tick;
};

struct timeline *timeline_new(struct profile *p, struct objects *o)
{
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->profile = p;
	t->objects = o;
	t->ns_per_tick = 1000000000ull / sysconf(_SC_CLK_TCK);
	t->kernel = kernel_layout_new();
	if (!t->kernel) {
		free(t);
		return NULL;
	}
	return t;
}

static void program_free(struct program *g)
{
	mappings_free(g->mappings);
	free(g->exe);
	free(g);
}

static void drop(struct timeline *t, struct program *g)
{
	HASH_DEL(t->by_pid, g);
	program_free(g);
}

void timeline_free(struct timeline *t)
{
	struct program *g, *next;

	if (!t)
		return;
	HASH_ITER(hh, t->by_pid, g, next) {
		drop(t, g);
	}
	kernel_layout_free(t->kernel);
	free(t);
}

void timeline_set_unwinder(struct timeline *t, struct unwinder *u)
{
	t->unwinder = u;
}

static void mark_unpublished(struct timeline *t, struct program *g)
{
	g->unpublished = t->unpublished = true;
}

/* A start of 0 stands for an instance of which only /proc has told. */
static int publish(struct timeline *t, struct program *g)
{
	struct instance instance = { .tgid = g->pid };

	g->unpublished = false;
	if (g->exited)
		return 0;
	if (g->start && g->epoch_known) {
		instance.start = g->start;
		instance.epoch = g->epoch;
	}
	return unwinder_publish(t->unwinder, &instance, g->mappings);
}

static struct program *find(const struct timeline *t, uint32_t pid)
{
	struct program *g;

	HASH_FIND(hh, t->by_pid, &pid, sizeof(pid), g);
	return g;
}

bool timeline_has(const struct timeline *t, uint32_t pid)
{
	return find(t, pid);
}

/* A new program of the pid, in place of the one that it had. NULL when out of memory. */
static struct program *program_new(struct timeline *t, uint32_t pid)
{
	struct program *g = calloc(1, sizeof(*g)), *old = find(t, pid);

	if (!g)
		return NULL;
	g->pid = pid;
	g->id = PROFILE_NONE;
	g->mappings = mappings_new();
	if (!g->mappings)
		goto fail;
	if (old)
		drop(t, old);
	HASH_ADD(hh, t->by_pid, pid, sizeof(g->pid), g);
	if (!g->hh.tbl)
		goto fail;
	return g;
fail:
	program_free(g);
	return NULL;
}

static void set_name(struct program *g, const char *name)
{
	snprintf(g->name, sizeof(g->name), "%s", name);
}

static struct profile_process as_process(const struct program *g)
{
	return (struct profile_process){
		.pid = g->pid,
		.parent_pid = g->parent_pid,
		.start_ns = g->start ? g->start : 0,
		.epoch = g->epoch,
		.name = g->name,
		.exe = g->exe ? g->exe : "",
		.begin_ns = g->begin,
		.end_ns = g->end,
	};
}

/* Carries a change over to the profile if the program is there already. */
static int update(struct timeline *t, const struct program *g)
{
	struct profile_process process = as_process(g);

	return g->id == PROFILE_NONE ? 0 : profile_set_process(t->profile, g->id, &process);
}

static int as_mapping(struct timeline *t, const struct map_event *e, struct mapping *m)
{
	struct object_sighting sighting = {
		.pid = e->pid,
		.start = e->start,
		.end = e->end,
		.device = e->device,
		.inode = e->inode,
		.path = e->path,
	};

	*m = (struct mapping){ .start = e->start, .end = e->end, .offset = e->offset };
	return objects_find(t->objects, &sighting, &m->object);
}

int timeline_foresee(struct timeline *t, const struct map_event *e)
{
	const struct program *g = find(t, e->pid);
	struct mapping m;
	int err = as_mapping(t, e, &m);

	if (err)
		return err;
	if (t->unwinder && m.object)
		unwinder_expect(t->unwinder, m.object);
	return g ? mappings_would_replace(g->mappings, &m) : 0;
}

static bool has_code(const struct mapping *m)
{
	unsigned int n = 0;

	if (m->object)
		object_segments(m->object, &n);
	return n;
}

/* Memory without code of a file, in the place of code: perhaps a copy, which may not be done yet. */
static void look_for_copy(struct timeline *t, struct program *g, struct mapping *m)
{
	const struct mapping *old = mappings_find(g->mappings, m->start);

	if (has_code(m) || !old || !has_code(old) || copied_code_find(g->pid, old, m))
		return;
	g->copying = COPY_LOOKS;
	t->unpublished = true;
}

static int add_mapping(struct timeline *t, struct program *g, const struct map_event *e)
{
	struct mapping m;
	int err = as_mapping(t, e, &m);

	if (!err) {
		look_for_copy(t, g, &m);
		err = mappings_add(&g->mappings, &m);
	}
	t->replaced += err > 0;
	mark_unpublished(t, g);
	return err == -ENOMEM ? err : 0;
}

struct scan {
	struct timeline *t;
	struct program *g;
	struct map_event file; /* the last mapping of a file; pid 0: none */
	uint64_t bare; /* where memory begins that has code of no file known so far; 0: nowhere */
};

/* Looks whether executable memory from there on was copied out of the file that is mapped at e. */
static int claim_copies(struct scan *scan, const struct map_event *e, uint64_t from, uint64_t to)
{
	struct program *g = scan->g;
	struct mapping near, m;
	const struct mapping *next;
	int err = as_mapping(scan->t, e, &near);

	while (!err && has_code(&near) && (next = mappings_above(g->mappings, from)) &&
	       next->start < to) {
		m = *next;
		from = m.end;
		if (has_code(&m) || !copied_code_find(g->pid, &near, &m))
			continue;
		g->copying = 0;
		err = mappings_add(&g->mappings, &m);
	}
	return err;
}

static int scan_copies(struct scan *scan, const struct map_event *e, bool executable)
{
	const struct mapping *m = executable ? mappings_find(scan->g->mappings, e->start) : NULL;
	int err = 0;

	if (m && !has_code(m)) {
		if (scan->file.pid)
			err = claim_copies(scan, &scan->file, e->start, e->end);
		if (!scan->bare)
			scan->bare = e->start;
	} else if (e->inode) {
		if (scan->bare)
			err = claim_copies(scan, e, scan->bare, e->start);
		scan->bare = 0;
		scan->file = *e;
	}
	return err;
}

static int scan_mapping(void *arg, const struct proc_mapping *m)
{
	struct scan *scan = arg;
	int err = 0;
	struct map_event e = {
		.pid = scan->g->pid,
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.device = m->device,
		.inode = m->inode,
		.path = m->path,
	};

	if (m->executable)
		err = add_mapping(scan->t, scan->g, &e);
	return err ? err : scan_copies(scan, &e, m->executable);
}

/* Reads the mappings and the program's path of a live process. */
static int scan_process(struct timeline *t, struct program *g)
{
	struct scan scan = { .t = t, .g = g };
	char link[64], exe[PATH_MAX];
	int err;

	snprintf(link, sizeof(link), "/proc/%" PRIu32 "/exe", g->pid);
	if (!proc_link(link, exe, sizeof(exe))) {
		free(g->exe);
		g->exe = strdup(exe);
		if (!g->exe)
			return -ENOMEM;
	}
	err = proc_maps_read(g->pid, scan_mapping, &scan);
	return err == -ENOMEM ? err : 0;
}

static int look_again(struct timeline *t, struct program *g)
{
	g->copying--;
	return scan_process(t, g);
}

int timeline_publish(struct timeline *t)
{
	struct program *g, *next;
	bool again = false;
	int err = 0;

	if (!t->unwinder || !t->unpublished)
		return 0;
	HASH_ITER(hh, t->by_pid, g, next) {
		if (g->copying && !err)
			err = look_again(t, g);
		if (g->unpublished && !err)
			err = publish(t, g);
		again |= g->copying;
	}
	t->unpublished = again;
	return err;
}

int timeline_add_running(struct timeline *t, uint32_t pid)
{
	struct proc_stat stat;
	struct program *g;

	if (proc_stat_read(pid, &stat))
		return -ESRCH;
	g = program_new(t, pid);
	if (!g)
		return -ENOMEM;
	g->parent_pid = stat.ppid;
	g->start_ticks = stat.start_ticks;
	set_name(g, stat.comm);
	return scan_process(t, g);
}

static int on_fork(struct timeline *t, const struct process_event *e)
{
	struct program *parent = find(t, e->parent.tgid), *g;

	/* A new program frees the one that had its pid: never the parent, whatever the event says. */
	if (e->instance.tgid == e->parent.tgid)
		return 0;
	g = program_new(t, e->instance.tgid);
	if (!g)
		return -ENOMEM;
	g->parent_pid = e->parent.tgid;
	g->start = e->instance.start;
	g->start_ticks = g->start / t->ns_per_tick;
	g->epoch = e->instance.epoch;
	g->epoch_known = true;
	g->begin = e->time;
	set_name(g, e->comm);
	if (!parent)
		return scan_process(t, g);
	mappings_free(g->mappings);
	g->mappings = mappings_share(parent->mappings);
	mark_unpublished(t, g);
	if (parent->exe) {
		g->exe = strdup(parent->exe);
		if (!g->exe)
			return -ENOMEM;
	}
	return 0;
}

/* The instance goes on as another program, about whose code nothing is known yet. */
static struct program *next_program(struct timeline *t, const struct program *old, uint64_t time)
{
	struct program keep = *old, *g;

	g = program_new(t, old->pid);
	if (!g)
		return NULL;
	g->parent_pid = keep.parent_pid;
	g->start = keep.start;
	g->start_ticks = keep.start_ticks;
	g->epoch = keep.epoch + 1;
	g->epoch_known = keep.epoch_known;
	g->begin = time;
	return g;
}

static int end_program(struct timeline *t, struct program *g, uint64_t time)
{
	g->end = time;
	return update(t, g);
}

/* A program whose beginning was lost: what can be known of it now. */
static int mend(struct timeline *t, struct program *g, const struct instance *instance)
{
	t->mended++;
	g->epoch = instance->epoch;
	g->epoch_known = true;
	return scan_process(t, g);
}

static int on_exec(struct timeline *t, struct program *g, const struct process_event *e)
{
	int err = 0;

	g->start = e->instance.start;
	if (g->exec_pending || !g->epoch_known || g->epoch == e->instance.epoch) {
		g->exec_pending = false;
		g->epoch = e->instance.epoch;
		g->epoch_known = true;
		mark_unpublished(t, g);
		return update(t, g);
	}
	err = end_program(t, g, e->time);
	if (!err) {
		g = next_program(t, g, e->time);
		err = g ? mend(t, g, &e->instance) : -ENOMEM;
		if (g)
			set_name(g, e->comm);
	}
	return err;
}

int timeline_process_event(struct timeline *t, const struct process_event *e)
{
	struct program *g = find(t, e->instance.tgid);

	if (e->kind == PROCESS_FORK)
		return on_fork(t, e);
	if (!g)
		return 0;
	if (e->kind == PROCESS_EXEC)
		return on_exec(t, g, e);
	if (!g->exited)
		t->exited++;
	g->exited = true;
	return end_program(t, g, e->time);
}

int timeline_map(struct timeline *t, const struct map_event *e)
{
	struct program *g = find(t, e->pid);
	int err;

	if (!g)
		return 0;
	err = add_mapping(t, g, e);
	/* The kernel maps the program's own file first, then its loader (fs/binfmt_elf.c). */
	if (!err && !g->exe && e->inode) {
		g->exe = strdup(e->path);
		err = g->exe ? update(t, g) : -ENOMEM;
	}
	return err;
}

int timeline_comm(struct timeline *t, const struct comm_event *e)
{
	struct program *g = find(t, e->pid);
	int err;

	if (!g)
		return 0;
	if (e->exec) {
		err = end_program(t, g, e->time);
		if (err)
			return err;
		g = next_program(t, g, e->time);
		if (!g)
			return -ENOMEM;
		g->exec_pending = true;
	} else if (e->tid != e->pid) {
		return 0;
	}
	set_name(g, e->comm);
	return update(t, g);
}

/* Whether the stack is of the process that had g's pid when g began. What /proc told of it is known
 * in clock ticks only, to which the kernel rounds down. */
static bool is_instance(const struct timeline *t, const struct program *g,
			const struct instance *instance)
{
	if (g->start)
		return g->start == instance->start;
	return g->start_ticks == instance->start / t->ns_per_tick;
}

/* A process that has gone already is not kept: its exit may have been told before. */
static void sweep_if_gone(struct timeline *t, struct program *g)
{
	struct proc_stat stat;

	if (!proc_stat_read(g->pid, &stat) && stat.state != 'Z' && stat.state != 'X')
		return;
	g->exited = true;
	t->exited++;
}

/* The program that a stack belongs to, added to the profile. */
static int program_of(struct timeline *t, const struct stack_record *r, struct program **result)
{
	struct program *g = find(t, r->instance.tgid);
	struct profile_process process;
	int err = 0;

	if (!g || !is_instance(t, g, &r->instance)) {
		g = program_new(t, r->instance.tgid);
		if (!g)
			return -ENOMEM;
		g->begin = r->time;
		err = mend(t, g, &r->instance);
		sweep_if_gone(t, g);
	} else if (g->epoch_known && !g->exec_pending && r->instance.epoch > g->epoch) {
		err = end_program(t, g, r->time);
		g = err ? g : next_program(t, g, r->time);
		if (!g)
			return -ENOMEM;
		if (!err)
			err = mend(t, g, &r->instance);
	}
	if (err)
		return err;
	g->start = r->instance.start;
	if (!g->epoch_known) {
		g->epoch = r->instance.epoch;
		g->epoch_known = true;
	}
	if (g->id == PROFILE_NONE) {
		process = as_process(g);
		err = profile_add_process(t->profile, &process, &g->id);
	}
	*result = g;
	return err;
}

static int user_location(struct timeline *t, struct program *g, uint64_t address,
			 uint32_t *location, uint32_t *unmapped)
{
	uint32_t object = PROFILE_NONE, flags = address & WALK_GUESS ? PROFILE_LOCATION_GUESS : 0;
	const struct mapping *m;
	int err;

	address &= ~WALK_GUESS;
	m = mappings_find(g->mappings, address);
	if (m && m->object) {
		err = object_locate(m->object, t->profile, address - m->start + m->offset, &object,
				    &address);
		if (err)
			return err;
	} else {
		flags |= PROFILE_LOCATION_JIT;
		*unmapped += !m;
	}
	return profile_add_location(t->profile, object, flags, address, location);
}

static int kernel_location(struct timeline *t, uint64_t address, uint32_t *location)
{
	uint32_t object;
	int err = kernel_layout_object(t->kernel, t->profile, address, &object);

	if (err)
		return err;
	return profile_add_location(t->profile, object, PROFILE_LOCATION_KERNEL, address, location);
}

/* The user frame of a depth, from the record's order and ring. */
static uint64_t user_frame(const struct stack_record *r, uint32_t depth)
{
	uint32_t slot = depth;

	if (depth >= PROFBPF_KEEP_INNER)
		slot = PROFBPF_KEEP_INNER + (depth - PROFBPF_KEEP_INNER) % PROFBPF_KEEP_OUTER;
	return r->frames[r->n_kernel + slot];
}

/*
 * Within exec a thread has the new program's memory but the registers with which the old one entered
 * the kernel, so that its user frames are no program's. The first sample in user space, too, tells
 * that the exec is over: its event may have been lost.
 */
static bool is_in_exec(struct program *g, const struct stack_record *r)
{
	if (!g->exec_pending || !r->n_user)
		return false;
	if (r->n_kernel || !mappings_find(g->mappings, user_frame(r, 0) & ~WALK_GUESS))
		return true;
	if (g->epoch == r->instance.epoch)
		g->exec_pending = false;
	return false;
}

int timeline_resolve(struct timeline *t, const struct stack_record *r,
		     struct resolved_stack *resolved)
{
	uint32_t locations[PROFBPF_KEEP_FRAMES + 1], n = 0, n_user = r->n_user, i;
	struct resolved_stack s = { .end = r->end, .early = r->early };
	struct program *g;
	int err = program_of(t, r, &g);

	if (!err && is_in_exec(g, r)) {
		n_user = 0;
		s.end = PROFILE_END_NO_USER;
	}
	s.truncated = n_user > PROFBPF_KEEP_USER;
	for (i = 0; !err && i < r->n_kernel; i++)
		err = kernel_location(t, r->frames[i] - (i > 0), &locations[n++]);
	for (i = 0; !err && i < n_user; i++) {
		if (s.truncated && i == PROFBPF_KEEP_INNER) {
			err = profile_add_location(t->profile, PROFILE_NONE,
						   PROFILE_LOCATION_TRUNCATED, 0, &locations[n++]);
			i = n_user - PROFBPF_KEEP_OUTER;
		}
		if (!err)
			err = user_location(t, g, user_frame(r, i), &locations[n++], &s.unmapped);
	}
	if (!err)
		err = profile_add_stack(t->profile, locations, n, s.end, &s.stack);
	if (err)
		return err;
	s.process = g->id;
	*resolved = s;
	return 0;
}

static void mark_objects(const struct program *g)
{
	const struct mapping *m = mappings_all(g->mappings);
	size_t i, n = mappings_count(g->mappings);

	for (i = 0; i < n; i++) {
		if (m[i].object)
			object_mark(m[i].object);
	}
}

static void bury(struct timeline *t, struct program *g)
{
	struct instance instance = { .start = g->start, .tgid = g->pid };

	if (t->unwinder)
		unwinder_forget(t->unwinder, &instance);
	drop(t, g);
}

void timeline_sweep(struct timeline *t)
{
	struct program *g, *next;

	if (!t->exited)
		return;
	HASH_ITER(hh, t->by_pid, g, next) {
		if (g->exited)
			bury(t, g);
	}
	t->exited = 0;
	if (!objects_many(t->objects))
		return;
	HASH_ITER(hh, t->by_pid, g, next) {
		mark_objects(g);
	}
	objects_drop_unmarked(t->objects);
}

uint64_t timeline_replaced(const struct timeline *t)
{
	return t->replaced;
}

uint64_t timeline_mended(const struct timeline *t)
{
	return t->mended;
}
