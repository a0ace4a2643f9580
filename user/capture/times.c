// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/profbpf.h" /* before the skeleton, which names its structs */
#include "profbpf.skel.h"
#include "user/capture/cpus.h"
#include "user/capture/times.h"

/* Names of threads that are told apart. */
#define NAMES 4096

struct times {
	struct profbpf_bpf *bpf;
	int copies; /* of a value that each CPU has its own of */
	struct spent_time *scratch; /* as many */
};

static const struct btf_type *follow(const struct btf *btf, const struct btf_type *type)
{
	return btf__type_by_id(btf, type->type);
}

/* Which of sched_switch's arguments is the first task, the one that leaves: Linux 5.18 had another before it
 * for a while. The first parameter in BTF is the program's own data. */
static uint32_t switch_from(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int id = btf ? btf__find_by_name_kind(btf, "btf_trace_sched_switch", BTF_KIND_TYPEDEF) : -1;
	const struct btf_type *proto =
		id < 0 ? NULL : follow(btf, follow(btf, btf__type_by_id(btf, (uint32_t)id)));
	uint32_t found = 1;

	for (uint32_t i = 1; proto && btf_is_func_proto(proto) && i < btf_vlen(proto); i++) {
		const struct btf_type *t = btf__type_by_id(btf, btf_params(proto)[i].type);

		if (btf_is_ptr(t)) {
			found = i - 1;
			break;
		}
	}
	btf__free(btf);
	return found;
}

int times_configure(struct profbpf_bpf *bpf, bool wanted, uint32_t waits, bool by_comm)
{
	struct bpf_program *const programs[] = { bpf->progs.on_switch, bpf->progs.on_wakeup,
						 bpf->progs.charge_current,
						 bpf->progs.note_blocked };
	int err = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]) && !err; i++)
		err = bpf_program__set_autoload(programs[i], wanted);
	if (err || !wanted)
		return err;
	bpf->rodata->settings.by_comm = by_comm;
	bpf->rodata->settings.switch_from = switch_from();
	err = bpf_map__set_max_entries(bpf->maps.blocked, waits);
	return err ? err : bpf_map__set_max_entries(bpf->maps.spent, by_comm ? NAMES : 1);
}

int times_new(struct profbpf_bpf *bpf, struct times **times)
{
	struct times *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->bpf = bpf;
	t->copies = libbpf_num_possible_cpus();
	t->scratch = calloc((size_t)t->copies, sizeof(*t->scratch));
	if (!t->scratch) {
		times_free(t);
		return -ENOMEM;
	}
	*times = t;
	return 0;
}

void times_free(struct times *t)
{
	if (!t)
		return;
	free(t->scratch);
	free(t);
}

int times_start(struct times *t)
{
	struct profbpf_bpf *bpf = t->bpf;

	bpf->links.on_wakeup = bpf_program__attach(bpf->progs.on_wakeup);
	if (!bpf->links.on_wakeup)
		return -errno;
	bpf->links.on_switch = bpf_program__attach(bpf->progs.on_switch);
	return bpf->links.on_switch ? 0 : -errno;
}

int times_find_asleep(struct times *t)
{
	struct bpf_link *link = bpf_program__attach_iter(t->bpf->progs.note_blocked, NULL);
	char nothing[16];
	ssize_t n = 0;
	int fd, err = 0;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0) {
		err = fd;
	} else {
		do {
			n = read(fd, nothing, sizeof(nothing));
		} while (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)));
		err = n < 0 ? -errno : 0;
		close(fd);
	}
	bpf_link__destroy(link);
	return err;
}

static int charge_running(struct times *t, const struct cpus *online)
{
	int program = bpf_program__fd(t->bpf->progs.charge_current), err = 0;

	for (unsigned int cpu = 0; cpu < online->limit && !err; cpu++) {
		LIBBPF_OPTS(bpf_test_run_opts, run, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

		if (!cpus_has(online, cpu))
			continue;
		err = bpf_prog_test_run_opts(program, &run);
		if (err == -ENXIO) /* it went offline in between */
			err = 0;
	}
	return err;
}

void times_stop(struct times *t, const struct cpus *online)
{
	charge_running(t, online);
	bpf_link__destroy(t->bpf->links.on_switch);
	bpf_link__destroy(t->bpf->links.on_wakeup);
	t->bpf->links.on_switch = t->bpf->links.on_wakeup = NULL;
}

static bool is_wanted(bool (*wanted)(void *arg, const char *comm), void *arg,
		      const struct time_key *key)
{
	char comm[PROFBPF_COMM_LEN + 1] = "";

	memcpy(comm, key->comm, PROFBPF_COMM_LEN);
	return !wanted || wanted(arg, comm);
}

static int add_spent(struct times *t, bool (*wanted)(void *arg, const char *comm), void *arg,
		     struct times_result *result)
{
	int map = bpf_map__fd(t->bpf->maps.spent), err;
	struct time_key key;

	for (err = bpf_map_get_next_key(map, NULL, &key); !err;
	     err = bpf_map_get_next_key(map, &key, &key)) {
		if (!is_wanted(wanted, arg, &key) || bpf_map_lookup_elem(map, &key, t->scratch))
			continue;
		for (int i = 0; i < t->copies; i++) {
			result->blocked_ns += t->scratch[i].blocked;
			result->running_ns += t->scratch[i].running;
		}
	}
	return err == -ENOENT ? 0 : err;
}

/* One that wakes up in the middle of this may be left out, or counted twice, until the next reading. */
static int add_blocked(struct times *t, uint64_t now, bool (*wanted)(void *arg, const char *comm),
		       void *arg, struct times_result *result)
{
	enum { AT_ONCE = 256 };
	int map = bpf_map__fd(t->bpf->maps.blocked), err = 0;
	struct blocked_thread threads[AT_ONCE];
	uint64_t keys[AT_ONCE];
	uint32_t batch, n;
	bool first = true;

	while (!err) {
		n = AT_ONCE;
		err = bpf_map_lookup_batch(map, first ? NULL : &batch, &batch, keys, threads, &n,
					   NULL);
		first = false;
		if (err && err != -ENOENT)
			return err;
		for (uint32_t i = 0; i < n; i++) {
			if (now > threads[i].since && is_wanted(wanted, arg, &threads[i].key))
				result->blocked_ns += now - threads[i].since;
		}
	}
	return 0;
}

int times_read(struct times *t, const struct cpus *online, uint64_t now,
	       bool (*wanted)(void *arg, const char *comm), void *arg, struct times_result *result)
{
	struct times_result sum = { .lost = t->bpf->bss->lost_waits };
	int err = t->bpf->links.on_switch ? charge_running(t, online) : 0;

	if (!err)
		err = add_blocked(t, now, wanted, arg, &sum);
	if (!err)
		err = add_spent(t, wanted, arg, &sum);
	if (!err)
		*result = sum;
	return err;
}
