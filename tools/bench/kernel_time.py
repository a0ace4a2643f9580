# SPDX-License-Identifier: BSD-2-Clause
"""What a sample costs in the kernel, from the kernel's own statistics of BPF programs. Every CPU
runs a target meanwhile, and all of a program's time is laid on the samples it recorded."""

import statistics
import time

import machine
from noise import Noise
from peers import Bpftrace, GetStack, Profbpf
from processes import Failed
from targets import running

TARGETS = ["deep", "spin"]
BUDGET_NS = 3000            # at 999 Hz ...
BUDGET_RATIO = {999: 1.5, 99: 2.0}  # ... or so many times bpf_get_stack, if that is more


def run_load(profiler, targets, seconds):
    """Loads the profiler anew; returns a dict of nanoseconds a sample and the noise."""
    try:
        profiler.start([target.pid for target in targets])
        profiler.wait_ready()
        noise = Noise(profiler.child, *(target.child for target in targets))
        time.sleep(seconds)
        foreign = noise.stop()
        _, ns, _ = profiler.child.bpf()
        profiler.stop()
    finally:
        profiler.end()
    samples = profiler.samples()
    if not samples:
        raise Failed(f"{profiler.name} recorded no sample")
    result = {"ns": ns / samples, "noise": foreign}
    if isinstance(profiler, GetStack):
        result["frames"] = profiler.depth()
    return result


def run(setup, report):
    for name in TARGETS[:1] if setup.quick else TARGETS:
        for rate in (999, 99):
            measure(setup, report, name, rate)


def measure(setup, report, name, rate):
    everyone = setup.usable([GetStack(setup, rate), Profbpf(setup, rate),
                             Bpftrace(setup, rate, fast_names=True)])
    results = {who: [] for who in everyone}
    seconds = setup.seconds(2 if rate == 999 else 6)
    with machine.bpf_statistics(), running(setup, name, machine.CPUS) as busy:
        for number in range(setup.loads):
            first = number % len(everyone)
            for who in everyone[first:] + everyone[:first]:
                results[who].append(run_load(who, busy, seconds))
            setup.progress(f"kernel time on {name}, {rate} Hz: load {number + 1} of {setup.loads}")
    add_rows(report, f"Kernel time a sample, `{name}`", rate, results)


def add_rows(report, section, rate, results):
    yardstick = next((runs for who, runs in results.items() if isinstance(who, GetStack)), [])
    report.add(section, f"user frames a sample, {rate} Hz", "", "frames",
               [load["frames"] for load in yardstick], [load["noise"] for load in yardstick])
    for who, loads in results.items():
        ns, noise = [load["ns"] for load in loads], [load["noise"] for load in loads]
        budget = None
        if isinstance(who, Profbpf) and yardstick:
            budget = BUDGET_RATIO[rate] * statistics.median(load["ns"] for load in yardstick)
            if rate == 999:
                budget = max(BUDGET_NS, budget)
        report.add(section, "BPF run time", who.label(), "ns", ns, noise, budget)
        if isinstance(who, Profbpf):
            report.add(section, "BPF run time × rate", who.label(), "% of a CPU",
                       [one * rate / 1e7 for one in ns], noise)
