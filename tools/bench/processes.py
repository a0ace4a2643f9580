# SPDX-License-Identifier: BSD-2-Clause
"""Processes of the benchmark. All are known, so that an end by any way leaves none behind."""

import glob
import os
import re
import signal
import subprocess
import time

from machine import read

PROG_TYPE_PERF_EVENT = 7  # enum bpf_prog_type
_alive = set()


class Failed(Exception):
    """A program did not do what it should; the text says what."""


class Child:
    """A child process. Its standard error, and output unless piped, go to the file `log`."""

    def __init__(self, argv, log, pipe=False, env=None, cpu=None):
        self.argv, self.log = list(map(str, argv)), log
        with open(log, "wb") as out:
            self.started = time.monotonic()
            # Out of the terminal's process group: Ctrl-C is for us, and we end our children.
            self.process = subprocess.Popen(
                self.argv, env=env and {**os.environ, **env}, start_new_session=True, stderr=out,
                stdin=subprocess.PIPE if pipe else subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipe else out)
        self.pid = self.process.pid
        self.usage = None
        _alive.add(self)
        if cpu is not None:
            os.sched_setaffinity(self.pid, {cpu})

    def text(self):
        return read(self.log)

    def wait(self, limit=120):
        """Waits for the end; returns the exit status. Kills what takes too long."""
        end = time.monotonic() + limit
        while not self.ended():
            if time.monotonic() > end:
                doing = self.doing()
                os.kill(self.pid, signal.SIGKILL)
                self._reap(0)
                raise Failed(f"{' '.join(self.argv)} did not end within {limit} s ({doing})")
            time.sleep(0.001)
        return self.process.returncode

    def ended(self):
        return self.process.returncode is not None or self._reap(os.WNOHANG)

    def _reap(self, flags):
        pid, status, usage = os.wait4(self.pid, flags)
        if not pid:
            return False
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.usage = usage
        _alive.discard(self)
        return True

    def doing(self):
        """For the message about a process that hangs: whether it works or waits, and for what."""
        state = re.search(r"^State:\s+(.*)$", read(f"/proc/{self.pid}/status"), re.M)
        files = [name for name in self.links() if name.startswith("/")][-3:]
        stack = read(f"/proc/{self.pid}/stack").split("\n")[:3]
        return (f"{state.group(1) if state else 'gone'}, {self.cpu_seconds():.1f} s of CPU, "
                f"files {files}, in the kernel {stack}, it said {self.text()[-200:]!r}")

    def signal(self, number):
        if not self.ended():
            os.kill(self.pid, number)

    def stop(self):
        """Ends it as a user would, with Ctrl-C. Returns the seconds that took."""
        start = time.monotonic()
        self.signal(signal.SIGINT)
        self.wait()
        return time.monotonic() - start

    def end(self):
        self.signal(signal.SIGKILL)
        self.wait()

    def cpu_seconds(self):
        """CPU time of its threads so far, or in all once it has ended."""
        if self.usage:
            return self.usage.ru_utime + self.usage.ru_stime
        total = 0
        for path in glob.glob(f"/proc/{self.pid}/task/*/schedstat"):
            total += int((read(path).split() or [0])[0])
        return total / 1e9

    def descriptors(self, kind):
        """How many descriptors it has of a kind, e.g. anon_inode:[perf_event]."""
        return sum(name == kind for name in self.links())

    def links(self):
        """What its descriptors are of; one may be closed meanwhile."""
        names = []
        for path in glob.glob(f"/proc/{self.pid}/fd/*"):
            try:
                names.append(os.readlink(path))
            except OSError:
                pass
        return names

    def memory_kib(self):
        """Peak resident, anonymous resident now; zeros once it has ended."""
        status = read(f"/proc/{self.pid}/status")
        found = [re.search(rf"^{name}:\s+(\d+)", status, re.M) for name in ("VmHWM", "RssAnon")]
        return tuple(int(m.group(1)) if m else 0 for m in found)

    def bpf(self):
        """Of the BPF objects it holds: (runs, nanoseconds) of programs on perf events, and bytes of
        kernel memory, its perf ring buffers included. Each object counts once."""
        runs = ns = memory = 0
        programs, maps = set(), set()
        for path in glob.glob(f"/proc/{self.pid}/fdinfo/*"):
            info = dict(re.findall(r"^(\w+):\s*(\S+)", read(path), re.M))
            known, number = ((programs, info.get("prog_id")) if "prog_id" in info
                             else (maps, info.get("map_id")))
            if not number or number in known or "link_id" in info:
                continue
            known.add(number)
            memory += int(info.get("memlock", 0))
            if known is programs and int(info["prog_type"]) == PROG_TYPE_PERF_EVENT:
                runs += int(info["run_cnt"])
                ns += int(info["run_time_ns"])
        for low, high in re.findall(r"^(\w+)-(\w+) .*anon_inode:\[perf_event\]",
                                    read(f"/proc/{self.pid}/maps"), re.M):
            memory += int(high, 16) - int(low, 16)
        return runs, ns, memory


def end_all():
    for child in list(_alive):
        child.end()
