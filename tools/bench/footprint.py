# SPDX-License-Identifier: BSD-2-Clause
"""The profiler's own cost: start to first sample, CPU, memory, and stop to a finished output."""

import os
import re
import subprocess
import threading
import time

import machine
from noise import Noise
from peers import Bpftrace, Perf, Profbpf
from processes import Child, Failed
from targets import Target, running

TARGETS = ["deep", "go"]
START_MS = 200
FINISH_S = {"warm": 0.3, "cold": 2.0}
ANONYMOUS_MIB = {"one": 32, "machine": 64}
KERNEL_MIB = {"one": 24, "machine": 64}
STEADY_PER_CENT = 0.5  # of one core, whole machine at 99 Hz
CROWD = 100            # processes of a whole machine


class Watch(threading.Thread):
    """Peak memory of a process: anonymous until sampling is over, resident until its end."""

    def __init__(self, child):
        super().__init__(daemon=True)
        self.child, self.peak, self.anonymous = child, 0, 0
        self.sampling, self.over = True, threading.Event()

    def run(self):
        while not self.over.wait(0.01):
            peak, anonymous = self.child.memory_kib()
            self.peak = max(self.peak, peak)
            if self.sampling:
                self.anonymous = max(self.anonymous, anonymous)

    def end(self):
        self.over.set()
        self.join()


def first_run(child, limit=30):
    """Seconds from a process's start until its BPF program on the clock had run once."""
    while time.monotonic() < child.started + limit:
        runs, _, _ = child.bpf()
        if runs:
            return time.monotonic() - child.started
        if child.ended():
            raise Failed(f"{child.argv[0]} ended early: {child.text().strip()[-300:]}")
        time.sleep(0.003)
    raise Failed(f"{child.argv[0]} took no sample within {limit} s")


def perf_first_sample(setup, out, child):
    """The same from the time of perf's first sample, which is of the monotonic clock."""
    script = subprocess.Popen(["perf", "script", "-i", out, "-F", "time"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = re.search(r"(\d+\.\d+):", script.stdout.readline())
    script.kill()
    script.communicate()
    return float(found.group(1)) - child.started if found else None


def perf_report(setup, out):
    """perf's names come later, with its report: seconds, CPU seconds."""
    report = Child(["perf", "report", "-i", out, "--stdio"], setup.file("perf-report.txt"))
    report.wait()
    return time.monotonic() - report.started, report.cpu_seconds()


def observe(setup, profiler, targets, seconds, cold):
    """One recording from start to finished output; a dict of figures."""
    result = {}
    noise = Noise(*(target.child for target in targets))
    try:
        profiler.start([target.pid for target in targets])
        noise.children.append(profiler.child)
        watch = Watch(profiler.child)
        watch.start()
        if not isinstance(profiler, Perf):
            result["start_ms"] = 1000 * first_run(profiler.child)
        profiler.wait_ready()
        cpu, begin = profiler.child.cpu_seconds(), time.monotonic()
        time.sleep(max(0.1, seconds - (begin - profiler.child.started)))
        result["steady"] = 100 * (profiler.child.cpu_seconds() - cpu) / (time.monotonic() - begin)
        result["kernel_mib"] = profiler.child.bpf()[2] / 2**20
        if cold:
            machine.drop_page_cache()
        watch.sampling = False
        result["finish_s"] = profiler.stop()
        watch.end()
    finally:
        profiler.end()
    result["cpu_s"] = profiler.child.cpu_seconds()
    result["anonymous_mib"], result["peak_mib"] = watch.anonymous / 1024, watch.peak / 1024
    result["noise"] = noise.stop()
    if isinstance(profiler, Perf):
        first = perf_first_sample(setup, profiler.out, profiler.child)
        if first:
            result["start_ms"] = 1000 * first
        wall, used = perf_report(setup, profiler.out)
        result["finish_s"] += wall
        result["cpu_s"] += used
    if os.path.exists(profiler.out):
        result["out_kib"] = os.path.getsize(profiler.out) / 1024
    return result


ROWS = [  # key, what, unit
    ("start_ms", "start to first sample", "ms"),
    ("steady", "own CPU while sampling", "% of a CPU"),
    ("cpu_s", "own CPU from start to end", "s"),
    ("anonymous_mib", "peak anonymous memory while sampling", "MiB"),
    ("peak_mib", "peak resident memory, naming included", "MiB"),
    ("kernel_mib", "kernel memory, BPF and perf buffers", "MiB"),
    ("out_kib", "output", "KiB"),
]


def add_rows(report, section, who, results, budgets):
    noise = [result["noise"] for result in results]
    for key, what, unit in ROWS:
        values = [result[key] for result in results if key in result]
        report.add(section, what, who, unit, values, noise, budgets.get(key))


def add_finish(report, section, who, results, state, ours):
    report.add(section, f"stop to finished output, files {state}", who, "s",
               [result["finish_s"] for result in results],
               [result["noise"] for result in results], FINISH_S[state] if ours else None)


def one_target(setup, report, name):
    seconds = setup.seconds(10)
    section = f"Own cost, `{name}` for {seconds:g} s at 999 Hz"
    everyone = setup.usable([Profbpf(setup), Profbpf(setup, extension="speedscope.json"),
                             Perf(setup), Bpftrace(setup)])
    states = ["warm", "cold"] if setup.cold else ["warm"]
    results = {(who, state): [] for who in everyone for state in states}
    with machine.bpf_statistics(), running(setup, name, [machine.CPUS[0]]) as busy:
        for number in range(setup.recordings):
            for who, state in results:
                results[who, state].append(observe(setup, who, busy, seconds, state == "cold"))
            setup.progress(f"own cost on {name}: {number + 1} of {setup.recordings}")
    budgets = {"start_ms": START_MS, "anonymous_mib": ANONYMOUS_MIB["one"],
               "kernel_mib": KERNEL_MIB["one"]}
    for who in everyone:
        ours = isinstance(who, Profbpf)
        label = who.label()
        if ours:
            label += ", speedscope" if who.out.endswith(".json") else ", pprof"
        add_rows(report, section, label, results[who, "warm"], budgets if ours else {})
        for state in states:
            add_finish(report, section, label, results[who, state], state, ours)


def whole_machine(setup, report):
    """A hundred processes, few of them at work, at 99 Hz."""
    seconds = setup.seconds(10)
    section = f"Own cost, all of a machine with {CROWD} more processes, {seconds:g} s at 99 Hz"
    crowd, results = [], []
    budgets = {"steady": STEADY_PER_CENT, "anonymous_mib": ANONYMOUS_MIB["machine"],
               "kernel_mib": KERNEL_MIB["machine"]}
    try:
        crowd = [Target(setup, "spin", ["-s", 1]) for _ in range(CROWD - 1)]
        with machine.bpf_statistics(), running(setup, "deep", [machine.CPUS[0]]) as busy:
            for number in range(setup.recordings):
                profiler = Profbpf(setup, 99, everything=True)
                results.append(observe(setup, profiler, busy, seconds, cold=False))
                setup.progress(f"own cost, whole machine: {number + 1} of {setup.recordings}")
    finally:
        for target in crowd:
            target.end()
    add_rows(report, section, "profbpf --all, 99 Hz, pprof", results, budgets)
    add_finish(report, section, "profbpf --all, 99 Hz, pprof", results, "warm", False)


def run(setup, report):
    for name in TARGETS[1:] if setup.quick else TARGETS:
        one_target(setup, report, name)
    whole_machine(setup, report)
