# SPDX-License-Identifier: BSD-2-Clause
"""The profilers that are compared, each as a command line and what it means to be ready."""

import json
import os
import re
import shutil
import time

from processes import Child, Failed


class Profiler:
    """One way to profile. A subclass says how it is started and what it recorded."""

    name = "nothing"
    helper = None   # a helper of the benchmark that it needs
    program = None  # a program that must be installed
    package = None  # where that comes from
    env = None      # more environment

    def __init__(self, setup, rate=999):
        self.setup, self.rate = setup, rate
        self.out = setup.file(f"{self.program or self.helper}.out")
        self.child = None

    def label(self):
        return f"{self.name}, {self.rate} Hz"

    def missing(self):
        """Why it can not run here, or None."""
        if self.helper:
            return self.setup.failed_helpers.get(self.helper)
        if self.program and not shutil.which(self.program):
            return f"{self.program} is not installed (package {self.package})"
        return None

    def argv(self, pids):
        raise NotImplementedError

    def start(self, pids):
        self.child = Child(self.argv(pids), self.out + ".log", env=self.env)
        return self

    def wait_ready(self, limit=30):
        """Waits until it holds its events and has come to rest."""
        end = time.monotonic() + limit
        before = None
        while time.monotonic() < end:
            if self.child.ended():
                raise Failed(f"{self.name} ended early: {self.child.text().strip()[-300:]}")
            now = self.child.cpu_seconds()
            if before is not None and now - before < 0.002 and \
                    self.child.descriptors("anon_inode:[perf_event]"):
                return
            before = now
            time.sleep(0.1)
        raise Failed(f"{self.name} did not start sampling within {limit} s")

    def stop(self):
        """Stops it if it still runs; returns the seconds until its output was complete."""
        seconds = self.child.stop()
        # A signal that the program leaves to the kernel is a normal end of a helper.
        if self.child.process.returncode not in (0, -2):
            raise Failed(f"{self.name} failed: {self.child.text().strip()[-300:]}")
        return seconds

    def end(self):
        if self.child:
            self.child.end()

    def samples(self):
        """Samples that it recorded, after its end."""
        raise NotImplementedError


class Nothing(Profiler):
    def label(self):
        return "nothing, once more"

    def start(self, pids):
        return self

    def wait_ready(self, limit=30):
        pass

    def stop(self):
        return 0.0


class BareTimer(Profiler):
    name, helper = "bare timer", "baretimer"

    def argv(self, pids):
        return [self.setup.helper("baretimer"), self.rate]


class GetStack(Profiler):
    name, helper = "bpf_get_stack alone", "getstack"

    def missing(self):
        return super().missing() or self.setup.failed_helpers.get("getstack.bpf.o")

    def argv(self, pids):
        return [self.setup.helper("getstack"), self.setup.helper("getstack.bpf.o"), self.rate,
                *pids]

    def samples(self):
        return json.loads(self.child.text())["samples"]

    def depth(self):
        """User frames a sample."""
        return json.loads(self.child.text())["frames"] / max(1, self.samples())


class Profbpf(Profiler):
    name = "profbpf"

    def __init__(self, setup, rate=999, extension="pb.gz", more=(), everything=False):
        super().__init__(setup, rate)
        self.more, self.everything = list(more), everything
        self.out = setup.file(f"profbpf.{extension}")

    def missing(self):
        return None if os.access(self.setup.profbpf, os.X_OK) else f"no {self.setup.profbpf}"

    def argv(self, pids):
        target = ["--all"] if self.everything else ["--pid", ",".join(map(str, pids))]
        return [self.setup.profbpf, *target, "-F", self.rate, "-o", self.out, *self.more]

    def ticks(self):
        """Recorded, coalesced and dropped ticks, from its closing line."""
        found = re.search(r"(\d+) recorded \+ (\d+) coalesced \+ (\d+) dropped", self.child.text())
        if not found:
            raise Failed(f"profbpf told no ticks: {self.child.text().strip()[-300:]}")
        return tuple(map(int, found.groups()))

    def samples(self):
        return self.ticks()[0]


class Perf(Profiler):
    name, program, package = "perf record -g", "perf", "linux-perf"

    def argv(self, pids):
        return ["perf", "record", "-q", "-k", "CLOCK_MONOTONIC", "-F", self.rate, "-g", "-o",
                self.out, "-p", ",".join(map(str, pids))]


class Bpftrace(Profiler):
    name, program, package = "bpftrace ustack", "bpftrace", "bpftrace"

    def __init__(self, setup, rate=999, fast_names=False):
        """By itself it reads the symbols of a program with a random address for each frame anew,
        which takes it half a minute here; fast_names spares that where the end is not measured."""
        super().__init__(setup, rate)
        if fast_names:
            self.env = {"BPFTRACE_CACHE_USER_SYMBOLS": "1"}

    def argv(self, pids):
        wanted = " || ".join(f"pid == {pid}" for pid in pids)
        script = f"profile:hz:{self.rate} /{wanted}/ {{ @[ustack] = count(); }}"
        return ["bpftrace", "-e", script]

    def samples(self):
        return sum(map(int, re.findall(r"^\]: (\d+)$", self.child.text(), re.M)))
