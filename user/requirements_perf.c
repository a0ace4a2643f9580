// SPDX-License-Identifier: BSD-2-Clause
/* Perf events and the kernel's settings. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/arguments.h"
#include "user/capture/cpus.h"
#include "user/capture/records.h"
#include "user/requirements_list.h"

#define SETTING(name) "/proc/sys/" name

/* The event that samples, opened and closed again without being enabled. */
static int try_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* The buffers of mapping records: perf_mmap() in kernel/events/core.c refuses with EPERM what goes over
 * the limits of locked memory. */
static int probe_buffers(struct requirements *r)
{
	struct records *records = NULL;
	struct cpus cpus;
	int err = cpus_online(&cpus);

	if (err == 0)
		err = records_new(&cpus, RECORDS_BYTES, &records);
	records_free(records);
	return requirement_add(r, "perf buffers", err ? REQUIREMENT_MISSING : REQUIREMENT_OK,
			       err == -EPERM ? "raise the limit of locked memory with ulimit -l or "
					       "sysctl kernel.perf_event_mlock_kb, or run with sudo"
					     : "run with sudo",
			       "%s", err ? strerror(-err) : "mapped");
}

int probe_perf(struct requirements *r)
{
	int n_cpus = (int)sysconf(_SC_NPROCESSORS_CONF), opened = 0, first = 0;

	for (int cpu = 0; cpu < n_cpus; cpu++) {
		int err = try_event(cpu);

		if (err == 0)
			opened++;
		else if (first == 0 && err != -ENODEV) /* -ENODEV: the CPU is offline */
			first = err;
	}
	if (first == 0 && opened > 0) {
		int err = requirement_add(r, "perf events", REQUIREMENT_OK, NULL, "%d of %d CPUs",
					  opened, n_cpus);

		return err ? err : probe_buffers(r);
	}
	return requirement_add(
		r, "perf events", REQUIREMENT_MISSING,
		first == -ENOSYS ? "use a kernel built with CONFIG_PERF_EVENTS=y" : "run with sudo",
		"%d of %d CPUs: %s", opened, n_cpus, strerror(first ? -first : ENODEV));
}

/* Shown for the reader: root is not bound by them. */
static int show_setting(struct requirements *r, const char *name, const char *path)
{
	char line[64];

	if (read_line(path, line, sizeof(line)) < 0)
		return requirement_add(r, name, REQUIREMENT_OK, NULL, "not there");
	return requirement_add(r, name, REQUIREMENT_OK, NULL, "%s", line);
}

static int probe_pointers(struct requirements *r)
{
	char line[64];
	int err = read_line(SETTING("kernel/kptr_restrict"), line, sizeof(line));

	if (err < 0)
		return requirement_add(r, "kernel.kptr_restrict", REQUIREMENT_NOTE, NULL, "%s",
				       strerror(-err));
	return requirement_add(r, "kernel.kptr_restrict",
			       strcmp(line, "2") == 0 ? REQUIREMENT_NOTE : REQUIREMENT_OK,
			       "for names of kernel functions: sysctl kernel.kptr_restrict=1", "%s",
			       line);
}

static int probe_rate(struct requirements *r)
{
	uint64_t limit;
	char line[64];
	int err = read_line(SETTING("kernel/perf_event_max_sample_rate"), line, sizeof(line));

	if (err < 0 || number_parse(line, 0, UINT64_MAX, &limit) < 0)
		return requirement_add(r, "kernel.perf_event_max_sample_rate", REQUIREMENT_NOTE,
				       NULL, "unknown");
	return requirement_add(r, "kernel.perf_event_max_sample_rate",
			       limit >= 999 ? REQUIREMENT_OK : REQUIREMENT_NOTE,
			       "for 999 Hz: sysctl kernel.perf_event_max_sample_rate=999", "%s",
			       line);
}

/* Without its compiler the kernel interprets BPF programs, many times slower. */
static int probe_compiler(struct requirements *r)
{
	char line[64];
	int err = read_line(SETTING("net/core/bpf_jit_enable"), line, sizeof(line));

	/* Only root may read it. */
	if (err == -EACCES || err == -EPERM)
		return requirement_add(r, "net.core.bpf_jit_enable", REQUIREMENT_OK, NULL,
				       "not readable");
	if (err < 0)
		return requirement_add(r, "net.core.bpf_jit_enable", REQUIREMENT_OK, NULL,
				       "not there");
	return requirement_add(r, "net.core.bpf_jit_enable",
			       strcmp(line, "0") == 0 ? REQUIREMENT_NOTE : REQUIREMENT_OK,
			       "for low cost: sysctl net.core.bpf_jit_enable=1", "%s", line);
}

int probe_settings(struct requirements *r)
{
	int err = show_setting(r, "kernel.perf_event_paranoid",
			       SETTING("kernel/perf_event_paranoid"));

	if (err == 0)
		err = show_setting(r, "kernel.unprivileged_bpf_disabled",
				   SETTING("kernel/unprivileged_bpf_disabled"));
	if (err == 0)
		err = probe_pointers(r);
	if (err == 0)
		err = probe_rate(r);
	if (err == 0)
		err = probe_compiler(r);
	return err;
}
