# SPDX-License-Identifier: BSD-2-Clause
"""Replaying an event file of ten million lines, next to a Python program that adds up the same."""

import json
import re
import sys
import time

from machine import read
from noise import Noise
from processes import Child, Failed

EVENTS = 10_000_000
STACKS = 100
LIMIT_S, LIMIT_MIB = 30, 100
HEADER = {"schema": "profbpf.events.v1", "mode": "cpu", "backend": "bench", "coverage": "all",
          "capabilities": ["cpu_tick_source", "safe_stack_capture",
                           "jett_runtime_thread_registration", "task_attribution", "source_spans",
                           "process_cpu_time"]}
END = {"end": {"termination": "returned", "wall_duration_ns": 10**10, "process_cpu_ns": 10**10}}
# By the json module, which is C, too: what is looked at of each line, and no report.
PEER = """
import json, sys
counts = {}
with open(sys.argv[1]) as lines:
    for line in lines:
        record = json.loads(line)
        if record.get("op") == "sample":
            key = record["state"], record["stack"]
            counts[key] = counts.get(key, 0) + record["count"]
"""


def write_events(path, n):
    """Every member of a sample is written out."""
    with open(path, "w") as out:
        out.write(json.dumps(HEADER) + "\n")
        for i in range(STACKS):
            function = {"namespace": "bench", "function": f"f{i}"}
            out.write(json.dumps({"function": function}) + "\n")
            out.write(json.dumps({"frame": {"function": i}}) + "\n")
        for i in range(STACKS):
            out.write(json.dumps({"stack": [i, (i * 7 + 1) % STACKS]}) + "\n")
        for i in range(n):
            out.write(f'{{"op": "sample", "tick": {i}, "thread": 1, "task": null, "actor": null, '
                      f'"state": "jett", "stack": {i % STACKS}, "count": 1}}\n')
        out.write(json.dumps(END) + "\n")


def once(setup, argv):
    """Seconds, MiB, noise. What the kernel tells of memory at the end counts ours before the exec, too."""
    child = Child(argv, setup.file("replay.log"))
    noise, peak = Noise(child), 0
    try:
        while not child.ended():
            found = re.search(r"VmHWM:\s+(\d+) kB", read(f"/proc/{child.pid}/status"))
            peak = int(found.group(1)) / 1024 if found else peak
            time.sleep(0.01)
        seconds = time.monotonic() - child.started
        if child.process.returncode:
            raise Failed(f"{argv[0]} failed: {child.text().strip()[-300:]}")
        return seconds, peak, noise.stop()
    finally:
        child.end()


def run(setup, report):
    n = EVENTS // 10 if setup.quick else EVENTS
    path = setup.file("events.jsonl")
    setup.progress(f"writing {n:,} events")
    write_events(path, n)
    everyone = {"profbpf replay": [setup.profbpf, "replay", path],
                "Python's json": [sys.executable, "-c", PEER, path]}
    results = {who: [] for who in everyone}
    rounds = min(setup.recordings, 3)
    for number in range(rounds):
        for who, argv in everyone.items():
            results[who].append(once(setup, argv))
        setup.progress(f"replaying: round {number + 1} of {rounds}")
    for who, found in results.items():
        ours = who.startswith("profbpf")
        noise = [one[2] for one in found]
        report.add(f"Replaying {n:,} events", "start to end", who, "s",
                   [one[0] for one in found], noise, LIMIT_S * n / EVENTS if ours else None)
        report.add(f"Replaying {n:,} events", "peak resident memory", who, "MiB",
                   [one[1] for one in found], noise, LIMIT_MIB if ours else None)
