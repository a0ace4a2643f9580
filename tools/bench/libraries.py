#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Maps so many of the machine's own shared libraries, prints how many there are, and works until
it is ended."""

import ctypes
import glob
import os
import sys

# They take the place of functions that the program is using.
UNFIT = ("asan", "tsan", "lsan", "hwasan", "malloc", "memusage", "pcprofile", "SegFault",
         "fakeroot", "libgo.")


def mapped():
    with open("/proc/self/maps") as maps:
        lines = [line.split(maxsplit=5) for line in maps]
    return len({line[5] for line in lines if len(line) > 5 and "x" in line[1] and ".so" in line[5]})


def load(wanted):
    folder = f"/usr/lib/{os.uname().machine}-linux-gnu"
    files = {os.path.realpath(path) for path in glob.glob(folder + "/*.so*")}
    for path in sorted(files, key=lambda path: (os.path.getsize(path), path), reverse=True):
        if mapped() >= wanted:
            return
        if any(part in os.path.basename(path) for part in UNFIT):
            continue
        try:
            ctypes.CDLL(path)
        except OSError:
            pass


def descend(depth):
    return descend(depth - 1) + 1 if depth else sum(i * i for i in range(300))


if __name__ == "__main__":
    load(int(sys.argv[1]))
    print(mapped(), flush=True)
    while True:
        descend(20)
