# SPDX-License-Identifier: BSD-2-Clause
"""Two processes that hand a byte to and fro on one CPU: what each context switch pays."""

from noise import Noise
from peers import BareTimer, Bpftrace, Nothing, Perf, Profbpf
from targets import Target

LOSS_BUDGET = 5  # per cent at 999 Hz


def run_once(setup, profiler, seconds):
    target = Target(setup, "pingpong", ["-s", seconds])
    try:
        if profiler:
            profiler.start([target.pid])
            profiler.wait_ready()
        noise = Noise(target.child, profiler and profiler.child)
        target.open_gate()
        switches = 2 * target.truth()["rounds_per_second"]
        result = {"switches": switches, "noise": noise.stop()}
        if profiler:
            profiler.stop()
        return result
    finally:
        target.end()
        if profiler:
            profiler.end()


def run(setup, report):
    everyone = [None] + setup.usable([Nothing(setup), BareTimer(setup), Profbpf(setup), Perf(setup),
                                      Bpftrace(setup, fast_names=True)])
    results = {who: [] for who in everyone}
    for who in setup.turns("ping-pong", everyone, setup.rounds):
        results[who].append(run_once(setup, who, setup.seconds(1.5)))
    add_rows(report, results)


def add_rows(report, results):
    section = "Ping-pong of two processes over pipes on one CPU"
    base = results.pop(None)
    report.add(section, "switches a second without a profiler", "", "1/s",
               [run["switches"] for run in base], [run["noise"] for run in base])
    for who, runs in results.items():
        lost = [100 * (1 - run["switches"] / without["switches"])
                for run, without in zip(runs, base)]
        report.add(section, "switches lost", who.label(), "%", lost, [run["noise"] for run in runs],
                   LOSS_BUDGET if isinstance(who, Profbpf) else None)
