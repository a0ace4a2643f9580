# SPDX-License-Identifier: BSD-2-Clause
"""What a profile says against the target's own truth: the shares of four functions that take 50,
25, 15 and 10 % of the CPU time, and how many samples a second of CPU time gave."""

import re
import subprocess

from noise import Noise
from peers import Perf, Profbpf
from targets import Target

RATE = 999
SHARE_POINTS = 1.5     # furthest share from its truth
MISSING_PER_CENT = 1   # recorded and coalesced ticks against rate × CPU time


def folded_weights(path, names):
    """Weight of the stacks that hold each function, from a folded file."""
    weights = dict.fromkeys(names, 0)
    with open(path, errors="replace") as file:
        for line in file:
            stack, _, weight = line.rpartition(" ")
            for name in set(stack.split(";")) & weights.keys():
                weights[name] += float(weight)
    return weights


def perf_weights(path, names):
    """The same from perf's flat report, and the number of its samples."""
    text = subprocess.run(
        ["perf", "report", "-i", path, "--stdio", "--no-children", "-g", "none", "-F",
         "sample,sym"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    weights = dict.fromkeys(names, 0)
    total = 0
    for samples, name in re.findall(r"^\s*(\d+)\s+\[[.k]\] (\S+)", text, re.M):
        total += int(samples)
        if name in weights:
            weights[name] += int(samples)
    return weights, total


def furthest(weights, shares):
    total = sum(weights.values()) or 1
    known = sum(shares.values())
    return max(100 * abs(weights[name] / total - share / known) for name, share in shares.items())


def run_once(setup, profiler, seconds):
    target = Target(setup, "threads", ["-s", seconds])
    try:
        profiler.start([target.pid])
        profiler.wait_ready()
        noise = Noise(target.child, profiler.child)
        target.open_gate()
        truth = target.truth()
        result = {"noise": noise.stop()}
        profiler.stop()
    finally:
        target.end()
        profiler.end()
    expected = RATE * (target.child.cpu_seconds())
    if isinstance(profiler, Perf):
        weights, recorded = perf_weights(profiler.out, truth["functions"])
    else:
        weights = folded_weights(profiler.out, truth["functions"])
        recorded, coalesced, dropped = profiler.ticks()
        result["accounted"] = 100 * abs((recorded + coalesced + dropped) / expected - 1)
    result["recorded"] = 100 * recorded / expected
    result["points"] = furthest(weights, truth["functions"])
    return result


def run(setup, report):
    section = "Accuracy, `threads` with shares of 50, 25, 15 and 10 %, 999 Hz"
    seconds = setup.seconds(10)
    everyone = setup.usable([Profbpf(setup, RATE, extension="folded"), Perf(setup, RATE)])
    results = {who: [] for who in everyone}
    for number in range(setup.recordings):
        for who in everyone:
            results[who].append(run_once(setup, who, seconds))
        setup.progress(f"accuracy: {number + 1} of {setup.recordings}")
    for who, runs in results.items():
        noise, ours = [one["noise"] for one in runs], isinstance(who, Profbpf)
        report.add(section, "furthest share from the truth", who.label(), "points",
                   [one["points"] for one in runs], noise, SHARE_POINTS if ours else None)
        report.add(section, "recorded samples of rate × CPU time", who.label(), "%",
                   [one["recorded"] for one in runs], noise)
        if ours:
            report.add(section, "all ticks, coalesced too, off rate × CPU time", who.label(), "%",
                       [one["accounted"] for one in runs], noise, MISSING_PER_CENT)
