# SPDX-License-Identifier: BSD-2-Clause
"""The machine: CPU time from /proc, kernel settings that are put back, facts for the report."""

import contextlib
import os
import re
import subprocess

TICK = os.sysconf("SC_CLK_TCK")
BPF_STATS = "/proc/sys/kernel/bpf_stats_enabled"
CPUS = sorted(os.sched_getaffinity(0))


def read(path):
    """The text of a file, empty if it can't be read: processes come and go."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def busy_seconds():
    """CPU seconds that all CPUs have been busy since boot; those taken by the host count too."""
    user, nice, system, _, _, irq, softirq, steal = map(
        int, read("/proc/stat").split("\n", 1)[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICK


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


@contextlib.contextmanager
def bpf_statistics():
    """The kernel measures its BPF programs meanwhile."""
    before = read(BPF_STATS).strip()
    _write(BPF_STATS, "1")
    try:
        yield
    finally:
        _write(BPF_STATS, before)


def drop_page_cache():
    os.sync()
    _write("/proc/sys/vm/drop_caches", "3")


def first_line(argv):
    """What a program says of its version, or None where there is no such program."""
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return None
    return done.stdout.decode(errors="replace").split("\n", 1)[0].strip()


def facts():
    model = re.search(r"^model name\s*:\s*(.*)$", read("/proc/cpuinfo"), re.M)
    flags = re.search(r"^flags\s*:.*\bhypervisor\b", read("/proc/cpuinfo"), re.M)
    return {
        "kernel": os.uname().release,
        "cpu": model.group(1) if model else os.uname().machine,
        "cpus": len(CPUS),
        "virtual": bool(flags),
        "memory_mib": int(re.search(r"MemTotal:\s+(\d+)", read("/proc/meminfo")).group(1)) >> 10,
        "perf": first_line(["perf", "--version"]),
        "bpftrace": first_line(["bpftrace", "--version"]),
    }
