// SPDX-License-Identifier: BSD-2-Clause
/* Which processes a session samples. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "user/capture/procfs.h"
#include "user/capture/session_private.h"
#include "user/capture/timeline.h"

static int set_target(struct session *s, pid_t pid, uint32_t flags, uint64_t update)
{
	struct target target = { .flags = flags };
	uint32_t key = pid;

	if (s->options.children)
		target.flags |= PROFBPF_TARGET_CHILDREN;
	if (bpf_map_update_elem(bpf_map__fd(s->bpf->maps.targets), &key, &target, update))
		return -errno;
	return 0;
}

/* The exit hook removes a target; one that exited before it was added must not stay for whoever
 * gets its pid next. */
static int add_target(struct session *s, pid_t pid, uint64_t update)
{
	struct proc_stat before, after;
	uint32_t key = pid;
	int err;

	if (proc_stat_read(pid, &before))
		return -ESRCH;
	err = set_target(s, pid, 0, update);
	if (err)
		return err;
	if (proc_stat_read(pid, &after) || after.state == 'Z' || after.state == 'X' ||
	    after.start_ticks != before.start_ticks) {
		bpf_map_delete_elem(bpf_map__fd(s->bpf->maps.targets), &key);
		return -ESRCH;
	}
	return timeline_add_running(s->timeline, pid);
}

struct family {
	struct session *s;
	bool grown;
};

static int add_if_child(void *arg, uint32_t pid)
{
	struct family *family = arg;
	struct proc_stat stat;
	int err;

	if (timeline_has(family->s->timeline, pid) || proc_stat_read(pid, &stat) ||
	    !timeline_has(family->s->timeline, stat.ppid))
		return 0;
	err = add_target(family->s, pid, BPF_NOEXIST);
	if (err == -ESRCH || err == -EEXIST) /* gone, or found by the fork hook */
		return 0;
	family->grown = true;
	return err;
}

/* Of a process that was asked for, unlike its children. */
static int remember_added(struct session *s, pid_t pid)
{
	pid_t *added = reallocarray(s->added, s->n_added + 1, sizeof(*added));

	if (!added)
		return -ENOMEM;
	s->added = added;
	s->added[s->n_added++] = pid;
	return 0;
}

int session_add_process(struct session *s, pid_t pid)
{
	struct family family = { .s = s, .grown = true };
	int err = remember_added(s, pid);

	err = err ? err : add_target(s, pid, BPF_ANY);

	/* Pids don't tell the order of birth, so once more as long as there are new ones. */
	while (!err && s->options.children && family.grown) {
		family.grown = false;
		err = proc_each(add_if_child, &family);
	}
	return err ? err : timeline_publish(s->timeline);
}

int session_add_command(struct session *s, pid_t pid)
{
	int err = set_target(s, pid, PROFBPF_TARGET_AWAIT_EXEC, BPF_ANY);

	return err ? err : timeline_add_running(s->timeline, pid);
}

static int add_running(void *arg, uint32_t pid)
{
	struct session *s = arg;
	int err = timeline_add_running(s->timeline, pid);

	return err == -ESRCH ? 0 : err;
}

int session_add_all(struct session *s)
{
	int err = proc_each(add_running, s);

	return err ? err : timeline_publish(s->timeline);
}

void session_note_killed(void *session, uint32_t pid)
{
	struct session *s = session;

	for (size_t i = 0; i < s->n_added; i++)
		s->killed = s->killed || (uint32_t)s->added[i] == pid;
}

/* Whether the process that had the pid and began then, in CLOCK_BOOTTIME nanoseconds, is no more. */
static bool is_gone(pid_t pid, uint64_t start)
{
	uint64_t ns_per_tick = 1000000000ull / sysconf(_SC_CLK_TCK);
	struct proc_stat stat;

	return proc_stat_read(pid, &stat) || stat.state == 'Z' || stat.state == 'X' ||
	       stat.start_ticks != start / ns_per_tick;
}

/* Removes a target, unless a new one has just got its pid. */
static void remove_exited(struct session *s, uint32_t pid)
{
	int targets = bpf_map__fd(s->bpf->maps.targets);
	struct target target;

	if (bpf_map_lookup_and_delete_elem(targets, &pid, &target))
		return;
	if (!(target.flags & PROFBPF_TARGET_EXITING))
		bpf_map_update_elem(targets, &pid, &target, BPF_NOEXIST);
}

/* An exiting target is one until it has freed its memory, which can take longer than it ran. */
void session_remove_exited(struct session *s)
{
	int targets = bpf_map__fd(s->bpf->maps.targets);
	uint32_t pid, next;
	uint64_t exits = s->bpf->bss->exits;
	struct target target;
	bool more;

	if (exits == s->exits && !s->exiting)
		return;
	s->exits = exits;
	s->exiting = 0;
	more = !bpf_map_get_next_key(targets, NULL, &next);
	while (more) {
		pid = next;
		more = !bpf_map_get_next_key(targets, &pid, &next);
		if (bpf_map_lookup_elem(targets, &pid, &target) ||
		    !(target.flags & PROFBPF_TARGET_EXITING))
			continue;
		if (is_gone(pid, target.start))
			remove_exited(s, pid);
		else
			s->exiting++;
	}
}

bool session_has_targets(const struct session *s)
{
	uint32_t key;

	return s->options.all ||
	       !bpf_map_get_next_key(bpf_map__fd(s->bpf->maps.targets), NULL, &key);
}
