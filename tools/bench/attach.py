# SPDX-License-Identifier: BSD-2-Clause
"""From the profiler's start to the first stack that is complete, where many or large tables must be
built first."""

import contextlib
import os
import re
import shutil
import time

from noise import Noise
from peers import Profbpf
from processes import Child, Failed
from targets import HERE

TABLE_CACHE = "/var/cache/profbpf"
LIBRARIES = 150
FIRST_MS = {"cold": 300, "warm": 150}
LARGE_MS = 1000


@contextlib.contextmanager
def table_cache():
    """The machine's cache is out of the way meanwhile."""
    saved = TABLE_CACHE + ".bench"
    if os.path.exists(TABLE_CACHE):
        os.rename(TABLE_CACHE, saved)
    try:
        yield
    finally:
        shutil.rmtree(TABLE_CACHE, ignore_errors=True)
        if os.path.exists(saved):
            os.rename(saved, TABLE_CACHE)


def first_complete(setup, target):
    """Milliseconds."""
    profiler = Profbpf(setup, more=["-v", "-d", 1])
    try:
        profiler.start([target.pid])
        noise = Noise(profiler.child, target)
        profiler.child.wait()
        foreign = noise.stop()
    finally:
        profiler.end()
    found = re.search(r"first complete user stack came ([\d.]+) ms", profiler.child.text())
    if not found:
        raise Failed(f"no stack was complete: {profiler.child.text().strip()[-300:]}")
    return float(found.group(1)), foreign


def measure(setup, report, what, target, budgets):
    results = {"cold": [], "warm": []}
    for number in range(setup.recordings):
        shutil.rmtree(TABLE_CACHE, ignore_errors=True)
        for cache, loads in results.items():
            loads.append(first_complete(setup, target))
        setup.progress(f"attaching to {what}: round {number + 1} of {setup.recordings}")
    for cache, loads in results.items():
        report.add(f"Attaching to {what}", f"start to first complete stack, table cache {cache}",
                   "profbpf, 999 Hz", "ms", [ms for ms, _ in loads], [noise for _, noise in loads],
                   budgets[cache])


def libraries(setup, report):
    target = Child(["python3", os.path.join(HERE, "libraries.py"), LIBRARIES],
                   setup.file("libraries.log"), pipe=True)
    try:
        n = int(target.process.stdout.readline() or 0)
        measure(setup, report, f"a process with {n} libraries", target, FIRST_MS)
    finally:
        target.end()


def large(setup, report):
    if "rows" in setup.failed_helpers:
        report.skip("a program of 2.8 million rows", setup.failed_helpers["rows"])
        return
    target = Child([setup.helper("rows")], setup.file("rows.log"))
    try:
        time.sleep(0.2)
        measure(setup, report, "a program of 2.8 million rows", target,
                dict.fromkeys(FIRST_MS, LARGE_MS))
    finally:
        target.end()


def run(setup, report):
    with table_cache():
        libraries(setup, report)
        large(setup, report)
