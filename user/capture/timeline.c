// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/profile.h"
#include "user/capture/kernel_layout.h"
#include "user/capture/mappings.h"
#include "user/capture/objects.h"
#include "user/capture/procfs.h"
#include "user/capture/program_code.h"
#include "user/capture/programs.h"
#include "user/capture/timeline.h"
#include "user/capture/unwinder.h"

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

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	programs_free(&t->by_pid);
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

bool timeline_has(const struct timeline *t, uint32_t pid)
{
	return programs_find(t->by_pid, pid);
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

int timeline_foresee(struct timeline *t, const struct map_event *e)
{
	const struct program *g = programs_find(t->by_pid, e->pid);
	struct mapping m;
	int err = program_code_mapping(t->objects, e, &m);

	if (err)
		return err;
	if (t->unwinder && m.object)
		unwinder_expect(t->unwinder, m.object);
	return g ? mappings_would_replace(g->mappings, &m) : 0;
}

static int scan(struct timeline *t, struct program *g)
{
	t->unpublished = true;
	return program_code_scan(t->objects, g, &t->replaced);
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
			err = program_code_look_again(t->objects, g, &t->replaced);
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
	g = programs_add(&t->by_pid, pid);
	if (!g)
		return -ENOMEM;
	g->parent_pid = stat.ppid;
	g->start_ticks = stat.start_ticks;
	set_name(g, stat.comm);
	return scan(t, g);
}

static int on_fork(struct timeline *t, const struct process_event *e)
{
	struct program *parent = programs_find(t->by_pid, e->parent.tgid), *g;

	/* A new program frees the one that had its pid: never the parent, whatever the event says. */
	if (e->instance.tgid == e->parent.tgid)
		return 0;
	g = programs_add(&t->by_pid, e->instance.tgid);
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
		return scan(t, g);
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
	return scan(t, g);
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
		g = programs_succeed(&t->by_pid, g, e->time);
		err = g ? mend(t, g, &e->instance) : -ENOMEM;
		if (g)
			set_name(g, e->comm);
	}
	return err;
}

int timeline_process_event(struct timeline *t, const struct process_event *e)
{
	struct program *g = programs_find(t->by_pid, e->instance.tgid);

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
	struct program *g = programs_find(t->by_pid, e->pid);
	int err;

	if (!g)
		return 0;
	t->unpublished = true;
	err = program_code_map(t->objects, g, e);
	t->replaced += err > 0;
	/* The kernel maps the program's own file first, then its loader (fs/binfmt_elf.c). */
	if (err >= 0 && !g->exe && e->inode) {
		g->exe = strdup(e->path);
		err = g->exe ? update(t, g) : -ENOMEM;
	}
	return err < 0 ? err : 0;
}

int timeline_comm(struct timeline *t, const struct comm_event *e)
{
	struct program *g = programs_find(t->by_pid, e->pid);
	int err;

	if (!g)
		return 0;
	if (e->exec) {
		err = end_program(t, g, e->time);
		if (err)
			return err;
		g = programs_succeed(&t->by_pid, g, e->time);
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
	struct program *g = programs_find(t->by_pid, r->instance.tgid);
	struct profile_process process;
	int err = 0;

	if (!g || !is_instance(t, g, &r->instance)) {
		g = programs_add(&t->by_pid, r->instance.tgid);
		if (!g)
			return -ENOMEM;
		g->begin = r->time;
		err = mend(t, g, &r->instance);
		sweep_if_gone(t, g);
	} else if (g->epoch_known && !g->exec_pending && r->instance.epoch > g->epoch) {
		err = end_program(t, g, r->time);
		g = err ? g : programs_succeed(&t->by_pid, g, r->time);
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
	programs_drop(&t->by_pid, g);
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
