# SPDX-License-Identifier: BSD-2-Clause
"""Starting the programs that are profiled, and asking them for their truth."""

import bisect
import json
import os
import subprocess
import threading
import time


class Target:
    """A running target. It waits at its gate until open_gate and, once its work is done, lives on
    until finish, which returns the JSON object that it printed as its truth."""

    def __init__(self, command, env=None, **options):
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "TARGET_GATE": "2", **(env or {})}, **options)
        self.pid = self.process.pid

    def open_gate(self):
        self.process.stdin.write(b"x")
        self.process.stdin.flush()

    def finish(self, timeout=60):
        out, _ = self.process.communicate(b"x", timeout=timeout)
        assert self.process.returncode == 0, f"the target ended with {self.process.returncode}"
        return json.loads(out.splitlines()[-1])

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def cpu_seconds(self):
        """CPU time of all its threads so far, as the kernel accounts it."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9


class CpuClock:
    """Notes a target's CPU time every 20 ms while entered, for asking afterwards how much it used
    between two moments of the wall clock."""

    def __init__(self, target):
        self.target, self.points, self.stop = target, [], threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self._note)
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.stop.set()
        self.thread.join()

    def _note(self):
        while not self.stop.wait(0.02):
            before, seconds, after = time.time(), self.target.cpu_seconds(), time.time()
            # On a busy machine this thread can be kept from the CPU in between.
            if after - before < 0.005:
                self.points.append(((before + after) / 2, seconds))

    def _at(self, moment):
        after = bisect.bisect(self.points, (moment,))
        assert 0 < after < len(self.points), "a moment outside the notes"
        (t0, c0), (t1, c1) = self.points[after - 1:after + 1]
        return c0 + (c1 - c0) * (moment - t0) / (t1 - t0)

    def between(self, start, end):
        return self._at(end) - self._at(start)


def wait_until(condition, timeout=10, what="condition"):
    """Polls until condition() is true and returns its value."""
    end = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} not reached in {timeout} s"
        time.sleep(0.01)
    return value


def wait_sampling(profiler):
    """Waits until a profbpf in the background answers signals by writing what it has: from then on it
    samples."""
    folder = f"/proc/{profiler.pid}/fd"

    def ready():
        assert profiler.poll() is None, f"profbpf ended with {profiler.returncode}"
        for number in os.listdir(folder):
            try:
                if os.readlink(f"{folder}/{number}") == "anon_inode:[signalfd]":
                    return True
            except FileNotFoundError:
                pass
        return False

    wait_until(ready, timeout=30, what="sampling")


def source_line(root, source, name):
    """Number of the line in tests/programs/SOURCE that ends in the comment "line: NAME"."""
    with open(root / "tests/programs" / source) as file:
        numbers = [i for i, line in enumerate(file, 1) if f"/* line: {name} */" in line]
    assert len(numbers) == 1
    return numbers[0]
