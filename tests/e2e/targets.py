# SPDX-License-Identifier: BSD-2-Clause
"""Starting the programs that are profiled, and asking them for their truth."""

import json
import os
import subprocess
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


def wait_until(condition, timeout=10, what="condition"):
    """Polls until condition() is true and returns its value."""
    end = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} not reached in {timeout} s"
        time.sleep(0.01)
    return value


def source_line(root, source, name):
    """Number of the line in tests/programs/SOURCE that ends in the comment "line: NAME"."""
    with open(root / "tests/programs" / source) as file:
        numbers = [i for i, line in enumerate(file, 1) if f"/* line: {name} */" in line]
    assert len(numbers) == 1
    return numbers[0]
