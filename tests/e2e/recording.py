# SPDX-License-Identifier: BSD-2-Clause
"""Recordings in the background, and what a recording says of itself."""

import json
import os
import re
import signal
from dataclasses import dataclass

from targets import wait_until

EQUATION = re.compile(r"(\d+) (?:ticks )?requested = (\d+) recorded \+ (\d+) coalesced \+ (\d+) "
                      r"dropped")


def blocks_signal(pid, number):
    with open(f"/proc/{pid}/status") as file:
        mask = re.search(r"^SigBlk:\s*(\w+)", file.read(), re.M)[1]
    return int(mask, 16) >> (number - 1) & 1


def wait_for_sampling(process, output):
    """Returns once the process is sampling: it answers a request for a snapshot of output only
    then. The snapshot is removed."""
    wait_until(lambda: process.poll() is not None or blocks_signal(process.pid, signal.SIGUSR1),
               what="start of the profiler")
    os.kill(process.pid, signal.SIGUSR1)
    snapshot = output.with_name(snapshot_name(output.name))
    wait_until(lambda: process.poll() is not None or snapshot.exists(), timeout=20,
               what="first snapshot")
    assert process.poll() is None, process.stderr.read()
    snapshot.unlink()


def snapshot_name(name):
    return name + ".1"


def read_terminal(terminal):
    """All that is shown until its other end is closed, as text."""
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # the way a terminal says that the other end is closed
        pass
    os.close(terminal)
    return shown.decode(errors="replace")


def stop(process, timeout=60):
    """Ends a recording as Ctrl-C does; returns what it said."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=timeout)
    assert process.returncode == 0, stderr
    return stderr


@dataclass
class Account:
    requested: int
    recorded: int
    coalesced: int
    dropped: int
    other: int
    idle: int
    stolen: int

    def holds(self):
        return self.requested == self.recorded + self.coalesced + self.dropped

    def all_ticks(self):
        return self.requested + self.other + self.idle + self.stolen


def said(stderr):
    """The account in the closing line."""
    line, = [line for line in stderr.splitlines() if " samples in " in line]
    rest = re.search(r"\(and (\d+) of others, (\d+) idle(?:, (\d+) stolen)?\)", line)
    return Account(*map(int, EQUATION.search(line).groups() + rest.groups("0")))


def commented(profile):
    """The account in a pprof's comments, and the drops by reason."""
    text = "\n".join(profile.comments)
    line = re.search(r"^ticks: .*$", text, re.M)[0]
    rest = re.search(r"^ticks elsewhere: (\d+) other processes, (\d+) idle"
                     r"(?:, (\d+) stolen by the hypervisor)?$", text, re.M)
    reasons = re.search(r"dropped \((.*)\)$", line)
    drops = dict(part.rsplit(" ", 1) for part in reasons[1].split(", ")) if reasons else {}
    return (Account(*map(int, EQUATION.search(line).groups() + rest.groups("0"))),
            {name: int(n) for name, n in drops.items()})


def unwound(profbpf, path, *args):
    """What report --unwind tells of a capture."""
    return json.loads(profbpf("report", path, "--unwind", "--json", *args).stdout)


def reported(profbpf, path):
    """(account, the whole JSON report) of a capture."""
    report = json.loads(profbpf("report", path, "--json").stdout)
    a = report["accounting"]
    return Account(*(a[name] for name in Account.__dataclass_fields__)), report
