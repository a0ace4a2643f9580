# SPDX-License-Identifier: BSD-2-Clause
"""The programs that are profiled, and the benchmark's own helpers."""

import json
import os
import subprocess
import time

from processes import Child, Failed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENDLESS = 3600  # seconds: longer than any measurement


class Target:
    """A program that waits at its gate, works, and prints its truth as JSON in the last line."""

    def __init__(self, setup, name, work, cpu=None):
        program = os.path.join(setup.programs, name)
        argv = ["python3", program] if name.endswith(".py") else [program]
        self.child = Child(argv + list(work), setup.file(f"{name}.log"), pipe=True, cpu=cpu,
                           env={"TARGET_GATE": "1"})
        self.pid = self.child.pid
        self.wall = None

    def open_gate(self):
        self.opened = time.monotonic()
        self.child.process.stdin.write(b"x")
        self.child.process.stdin.flush()

    def truth(self):
        """Waits for the end of the work; sets wall, the seconds since the gate was opened."""
        out = self.child.process.stdout.read()
        self.wall = time.monotonic() - self.opened
        if self.child.wait():
            raise Failed(f"target failed: {' '.join(self.child.argv)}: {self.child.text()}")
        return json.loads(out.splitlines()[-1])

    def end(self):
        self.child.end()


class running:
    """Endless targets: `with running(setup, "deep", [0, 1]) as targets`, one a CPU."""

    def __init__(self, setup, name, cpus, *operands):
        self.setup, self.name, self.cpus, self.operands = setup, name, cpus, operands

    def __enter__(self):
        work = ["-s", ENDLESS, *self.operands]
        self.targets = [Target(self.setup, self.name, work, cpu) for cpu in self.cpus]
        for target in self.targets:
            target.open_gate()
        return self.targets

    def __exit__(self, *_):
        for target in self.targets:
            target.end()


def rounds_for(setup, name, seconds):
    """How many rounds a target needs for so many seconds of wall time."""
    target = Target(setup, name, ["-s", min(1.0, seconds)])
    target.open_gate()
    rounds = target.truth()["rounds"]
    return max(1, int(rounds * seconds / min(1.0, seconds)))


HELPERS = {
    "baretimer": ["cc", "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-o", "{out}", "{src}/baretimer.c"],
    "rows": ["cc", "-O2", "-fomit-frame-pointer", "-o", "{out}", "{src}/rows.c"],
    "names": ["cc", "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-I{root}", "-o", "{out}",
              "{src}/names.c", "{build}/libsymbolize.a", "-ldw", "-lelf", "-lzstd", "-lz", "-llzma",
              "-liberty"],
    "getstack": ["cc", "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-o", "{out}", "{src}/getstack.c",
                 "-lbpf"],
    "getstack.bpf.o": ["clang", "-g", "-O2", "-target", "bpf", "-mcpu=v3",
                       f"-I/usr/include/{os.uname().machine}-linux-gnu", "-c", "-o", "{out}",
                       "{src}/getstack.bpf.c"],
}


def build_helpers(folder, build):
    """Builds the helpers into folder, with what is in the build folder; returns {name: reason} of those that could not be built."""
    os.makedirs(folder, exist_ok=True)
    failed = {}
    for name, command in HELPERS.items():
        places = {"out": os.path.join(folder, name), "src": HERE, "root": ROOT, "build": build}
        argv = [word.format(**places) for word in command]
        try:
            done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False)
        except OSError as error:
            failed[name] = str(error)
            continue
        if done.returncode:
            failed[name] = done.stdout.decode(errors="replace").strip().split("\n")[0]
    return failed
