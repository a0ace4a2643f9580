# SPDX-License-Identifier: BSD-2-Clause
"""What a sample costs in the kernel, from the kernel's own statistics of BPF programs. Every CPU
runs a target meanwhile, and all of a program's time is laid on the samples it recorded."""

import dataclasses
import statistics
import time

import machine
from noise import Noise
from peers import Bpftrace, GetStack, Profbpf
from processes import Failed
from targets import running


@dataclasses.dataclass
class Load:
    """A target. Without frame pointers bpf_get_stack is no yardstick for it, and bpftrace no peer."""

    title: str
    program: str
    operands: tuple = ()
    peers: bool = True
    budget_ns: dict = dataclasses.field(default_factory=dict)  # by rate


DEEP = Load("`deep`", "deep", budget_ns={999: 3000})
OTHERS = [
    Load("`deep`, 100 calls", "deep", ("92",), budget_ns={999: 7000}),
    Load("`spin`", "spin", budget_ns={999: 3000}),
    Load("CPython, without frame pointers", "python.py", peers=False, budget_ns={999: 3000}),
]
BUDGET_RATIO = {999: 1.5, 99: 2.0}  # times bpf_get_stack, if that is more
BUDGET_CPU = {999: 0.5}             # per cent


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
    for load in [DEEP] if setup.quick else [DEEP, *OTHERS]:
        for rate in (999, 99):
            measure(setup, report, load, rate)


def measure(setup, report, load, rate):
    everyone = [Profbpf(setup, rate)]
    if load.peers:
        everyone += [GetStack(setup, rate), Bpftrace(setup, rate, fast_names=True)]
    everyone = setup.usable(everyone)
    results = {who: [] for who in everyone}
    seconds = setup.seconds(2 if rate == 999 else 6)
    with machine.bpf_statistics(), \
            running(setup, load.program, machine.CPUS, *load.operands) as busy:
        for who in setup.turns(f"kernel time on {load.title}, {rate} Hz", everyone, setup.loads):
            results[who].append(run_load(who, busy, seconds))
    add_rows(report, load, rate, results)


def allowed(load, rate, yardstick):
    """Nanoseconds a sample, or None."""
    budgets = [load.budget_ns[rate]] if rate in load.budget_ns else []
    if yardstick:
        budgets.append(BUDGET_RATIO[rate] * statistics.median(one["ns"] for one in yardstick))
    return max(budgets, default=None)


def add_rows(report, load, rate, results):
    section = f"Kernel time a sample, {load.title}"
    yardstick = next((runs for who, runs in results.items() if isinstance(who, GetStack)), [])
    report.add(section, f"user frames a sample, {rate} Hz", "", "frames",
               [one["frames"] for one in yardstick], [one["noise"] for one in yardstick])
    for who, loads in results.items():
        ns, noise = [one["ns"] for one in loads], [one["noise"] for one in loads]
        own = isinstance(who, Profbpf)
        report.add(section, "BPF run time", who.label(), "ns", ns, noise,
                   allowed(load, rate, yardstick) if own else None)
        if own:
            report.add(section, "BPF run time × rate", who.label(), "% of a CPU",
                       [one * rate / 1e7 for one in ns], noise, BUDGET_CPU.get(rate))
