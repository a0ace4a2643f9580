// SPDX-License-Identifier: BSD-2-Clause
/* The BPF features that the kernel programs use. */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

#include "user/requirements_list.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"
#define NEWER_KERNEL "use Linux 5.17 or later; 6.1 is tested"

/* Tracepoints with typed arguments that the kernel programs attach to, as BTF names them. */
static const char *const tracepoints[] = {
	"btf_trace_sched_process_fork", "btf_trace_sched_process_exec",
	"btf_trace_sched_process_exit", "btf_trace_sched_switch",
	"btf_trace_sched_wakeup",
};

/* return 0, the smallest program of any kind. */
static int load_tiny_program(enum bpf_prog_type type, const struct bpf_prog_load_opts *options)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = bpf_prog_load(type, "profbpf_check", "GPL", code, sizeof(code) / sizeof(code[0]),
			       options);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int probe_syscall(struct requirements *r, bool *works)
{
	int err = load_tiny_program(BPF_PROG_TYPE_PERF_EVENT, NULL);

	*works = err == 0;
	if (err == 0)
		return requirement_add(r, "bpf system call", REQUIREMENT_OK, NULL, "allowed");
	if (err == -ENOSYS)
		return requirement_add(r, "bpf system call", REQUIREMENT_MISSING,
				       "use a kernel built with CONFIG_BPF_SYSCALL=y", "%s",
				       strerror(-err));
	return requirement_add(r, "bpf system call", REQUIREMENT_MISSING,
			       "run with sudo; in a container, start it with --privileged", "%s",
			       strerror(-err));
}

/* Loads a program for the tracepoint, without attaching it. */
static int try_tracepoint(const struct btf *btf, const char *name)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_RAW_TP);
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);

	if (id < 0)
		return id;
	options.attach_btf_id = (unsigned int)id;
	return load_tiny_program(BPF_PROG_TYPE_TRACING, &options);
}

static int probe_tracepoints(struct requirements *r, const struct btf *btf)
{
	const int n = sizeof(tracepoints) / sizeof(tracepoints[0]);
	int found = 0, failure = 0;

	for (int i = 0; i < n; i++) {
		int err = try_tracepoint(btf, tracepoints[i]);

		if (err == 0)
			found++;
		else
			failure = err;
	}
	if (found == n)
		return requirement_add(r, "process tracepoints", REQUIREMENT_OK, NULL, "%d of %d",
				       found, n);
	return requirement_add(r, "process tracepoints", REQUIREMENT_MISSING,
			       "use a kernel built with CONFIG_BPF_EVENTS=y", "%d of %d: %s", found,
			       n, strerror(-failure));
}

static int probe_types(struct requirements *r, struct btf **btf)
{
	if (access(BTF_FILE, R_OK) == 0)
		*btf = btf__load_vmlinux_btf();
	if (!*btf)
		return requirement_add(r, "kernel types (BTF)", REQUIREMENT_MISSING,
				       "use a kernel built with CONFIG_DEBUG_INFO_BTF=y", "%s: %s",
				       BTF_FILE, strerror(errno));
	return requirement_add(r, "kernel types (BTF)", REQUIREMENT_OK, NULL, "%s", BTF_FILE);
}

/* What libbpf's feature probes say: 1 there, 0 not, negative: could not be tried. */
static int add_probed(struct requirements *r, const char *name, int probed)
{
	if (probed > 0)
		return requirement_add(r, name, REQUIREMENT_OK, NULL, "supported");
	if (probed == 0)
		return requirement_add(r, name, REQUIREMENT_MISSING, NEWER_KERNEL, "not supported");
	return requirement_add(r, name, REQUIREMENT_MISSING, NEWER_KERNEL, "%s", strerror(-probed));
}

static int probe_features(struct requirements *r, const struct btf *btf)
{
	int err = add_probed(r, "ring buffer map",
			     libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL));

	if (err == 0)
		err = add_probed(
			r, "bpf_loop helper",
			libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_loop, NULL));
	if (err == 0 && btf)
		err = probe_tracepoints(r, btf);
	return err;
}

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

int probe_bpf(struct requirements *r)
{
	/* A probe that fails is an answer, not a message. */
	libbpf_print_fn_t before = libbpf_set_print(silent);
	struct btf *btf = NULL;
	bool works = false;
	int err = probe_types(r, &btf);

	if (err == 0)
		err = probe_syscall(r, &works);
	/* Without the system call none of them can be tried, and its remedy comes first anyway. */
	if (err == 0 && works)
		err = probe_features(r, btf);
	btf__free(btf);
	libbpf_set_print(before);
	return err;
}
