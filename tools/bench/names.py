# SPDX-License-Identifier: BSD-2-Clause
"""Naming thousands of addresses of one large program, next to llvm-symbolizer and eu-addr2line."""

import json
import os
import random
import re
import shutil
import statistics
import subprocess
import time

import largecpp
from noise import Noise
from processes import Child, Failed

ADDRESSES = 10000
UNITS = 60              # of the program that is made where none is given
LIMIT = 120             # seconds; whoever takes longer is ended, and has at least taken these
KEPT_S = 0.3
PEAK_MIB, AFTER_MIB = 300, 32
PEERS = {
    "llvm-symbolizer": ["--inlines", "--obj={file}"],
    "llvm-symbolizer-19": ["--inlines", "--obj={file}"],
    "eu-addr2line": ["-i", "-f", "-C", "-e", "{file}"],
}


def program(setup):
    """The one that was asked for, or one that is made once and kept."""
    if setup.names_binary:
        return setup.names_binary
    units = 2 if setup.quick else UNITS
    path = setup.helper(f"largecpp-{units}")
    if not os.path.exists(path):
        setup.progress(f"compiling a program of {units} large units, once")
        largecpp.make(path, units)
    return path


def sections(path):
    """{name: (address, size)}"""
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                          check=True).stdout
    found = re.findall(r"\] (\S+)\s+\S+\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ", text)
    return {name: (int(address, 16), int(size, 16)) for name, address, size in found}


def write_addresses(setup, found):
    start, size = found[".text"]
    numbers = random.Random(1).sample(range(start, start + size), min(ADDRESSES, size))
    path = setup.file("addresses")
    with open(path, "w") as out:
        out.writelines(f"{number:#x}\n" for number in numbers)
    return path, len(numbers)


class Names:
    """One way to name, as a command that reads addresses and prints names."""

    def __init__(self, setup, label, argv, before=None):
        self.setup, self.label, self.argv, self.before = setup, label, argv, before
        self.results = []

    def run(self, addresses):
        if self.before:
            self.before()
        child = Child(["sh", "-c", 'exec "$@" <"$ADDRESSES" >/dev/null', "sh", *self.argv], self.setup.file("names.log"),
                      env={"ADDRESSES": addresses})
        noise = Noise(child)
        try:
            seconds = finish(child)
        finally:
            child.end()
        self.results.append({"seconds": seconds, "cpu": child.cpu_seconds(), "noise": noise.stop(),
                             "peak": child.usage.ru_maxrss / 1024, **self.told(child)})

    def told(self, child):
        """What our own helper says of itself."""
        lines = child.text().strip().splitlines()
        if not lines or not lines[-1].startswith("{"):
            return {}
        return {"after": json.loads(lines[-1])["anonymous_kib"] / 1024}

    def column(self, key):
        return [result[key] for result in self.results if key in result]


def finish(child):
    """Seconds; LIMIT for what did not come to an end."""
    while not child.ended():
        if time.monotonic() - child.started > LIMIT:
            child.end()
            return LIMIT
        time.sleep(0.001)
    if child.process.returncode:
        raise Failed(f"{child.argv[4]} failed: {child.text().strip()[-300:]}")
    return time.monotonic() - child.started


def competitors(setup, report, path):
    cache = setup.file("names-cache")

    def forget():
        shutil.rmtree(cache, ignore_errors=True)
        os.mkdir(cache, 0o700)

    ours = [setup.helper("names"), path]
    everyone = [Names(setup, "profbpf", ours),
                Names(setup, "profbpf, first run with a cache", [*ours, cache], forget),
                Names(setup, "profbpf, next run", [*ours, cache])]
    for name, options in PEERS.items():
        if shutil.which(name):
            everyone.append(Names(setup, name, [name, *(o.format(file=path) for o in options)]))
        else:
            report.skip(name, f"{name} is not installed")
    return everyone


def run(setup, report):
    if "names" in setup.failed_helpers:
        report.skip("naming", setup.failed_helpers["names"])
        return
    path = program(setup)
    found = sections(path)
    debug = sum(size for name, (_, size) in found.items() if name.startswith(".debug_"))
    addresses, n = write_addresses(setup, found)
    everyone = competitors(setup, report, path)
    rounds = min(setup.recordings, 3)
    for number in range(rounds):
        for who in everyone:
            if not who.results or who.results[-1]["seconds"] < LIMIT:
                who.run(addresses)
        setup.progress(f"naming: round {number + 1} of {rounds}")
    section = (f"Naming {n:,} addresses of `{os.path.basename(path)}`, "
               f"{debug / 2**20:.0f} MiB of debug data")
    quickest = min(statistics.median(who.column("seconds")) for who in everyone[3:]) \
        if everyone[3:] else None
    budgets = {"profbpf": quickest, "profbpf, next run": KEPT_S}
    for who in everyone:
        late = ", ended unfinished" if max(who.column("seconds")) >= LIMIT else ""
        report.add(section, f"start to end{late}", who.label, "s", who.column("seconds"),
                   who.column("noise"), budgets.get(who.label))
        report.add(section, f"CPU time{late}", who.label, "s", who.column("cpu"),
                   who.column("noise"))
    for who in everyone:
        ours = who.label.startswith("profbpf")
        report.add(section, "peak resident memory", who.label, "MiB", who.column("peak"),
                   who.column("noise"), PEAK_MIB if ours else None)
        report.add(section, "anonymous memory afterwards", who.label, "MiB", who.column("after"),
                   who.column("noise"), AFTER_MIB)
