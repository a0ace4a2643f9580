# SPDX-License-Identifier: BSD-2-Clause
"""What a target loses: the same work without and with each profiler, one after the other in every
round, each round in another order."""

from noise import Noise
from peers import BareTimer, Bpftrace, Nothing, Perf, Profbpf
from targets import Target, rounds_for

TARGETS = ["deep", "threads"]
BEYOND_BUDGET = 0.5  # per cent at 999 Hz, more than the bare timer
TOTAL_BUDGET = 0.4   # per cent at 99 Hz, in all


def contestants(setup):
    everyone = [Nothing(setup), BareTimer(setup, 999), Profbpf(setup, 999), Perf(setup, 999),
                Bpftrace(setup, 999, fast_names=True), BareTimer(setup, 99), Profbpf(setup, 99)]
    return setup.usable(everyone)


def run_once(setup, name, rounds, profiler):
    """One run of the target; its CPU and wall seconds and the noise meanwhile."""
    target = Target(setup, name, ["-n", rounds])
    try:
        if profiler:
            profiler.start([target.pid])
            profiler.wait_ready()
        noise = Noise(target.child, profiler and profiler.child)
        target.open_gate()
        truth = target.truth()
        result = {"cpu": truth["cpu_s"], "wall": target.wall, "noise": noise.stop()}
        if profiler:
            profiler.stop()
        return result
    finally:
        target.end()
        if profiler:
            profiler.end()


def measure(setup, name):
    """Per contestant, one result a round; None is the run without a profiler."""
    everyone = [None] + contestants(setup)
    results = {who: [] for who in everyone}
    rounds = rounds_for(setup, name, setup.seconds(1.5))
    for who in setup.turns(f"slow-down of {name}", everyone, setup.rounds):
        results[who].append(run_once(setup, name, rounds, who))
    return results


def loss(results, base, key):
    """Per cent that each round's run took longer than the run without a profiler."""
    return [100 * (run[key] / without[key] - 1) for run, without in zip(results, base)]


def run(setup, report):
    for name in TARGETS:
        results = measure(setup, name)
        base = results.pop(None)
        add_rows(report, f"Slow-down of `{name}`", results, base)


def add_rows(report, section, results, base):
    timers = {who.rate: loss(runs, base, "cpu") for who, runs in results.items()
              if isinstance(who, BareTimer)}
    report.add(section, "CPU time without a profiler", "", "s", [run["cpu"] for run in base],
               [run["noise"] for run in base])
    for who, runs in results.items():
        noise = [run["noise"] for run in runs]
        cpu, ours = loss(runs, base, "cpu"), isinstance(who, Profbpf)
        report.add(section, "more CPU time", who.label(), "%", cpu, noise,
                   TOTAL_BUDGET if ours and who.rate == 99 else None)
        report.add(section, "more wall time", who.label(), "%", loss(runs, base, "wall"), noise)
        timer = timers.get(who.rate)
        if timer and not isinstance(who, (BareTimer, Nothing)):
            beyond = [a - b for a, b in zip(cpu, timer)]
            report.add(section, "more CPU time, beyond the bare timer", who.label(), "%", beyond,
                       noise, BEYOND_BUDGET if ours and who.rate == 999 else None)
