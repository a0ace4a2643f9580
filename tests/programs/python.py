#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""CPU work in CPython: interpreter, C functions called from it, a callback. Takes -n ROUNDS or
-s SECONDS; prints its truth as JSON on the last line. The gate is as in common.h."""

import argparse
import hashlib
import json
import os
import sys
import time


def gate_wait():
    if os.environ.get("TARGET_GATE"):
        sys.stdin.buffer.raw.read(1)


def arithmetic(x):
    for _ in range(2000):
        x = (x * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
    return x


def sort_some(x):
    return sorted(((x * i) % 997 for i in range(500)), key=lambda e: e ^ 7)[3]


def digest(x):
    return hashlib.sha256(bytes(20000) + str(x).encode()).digest()[0]


def python_round(x):
    return arithmetic(x) + sort_some(x) + digest(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=0)
    parser.add_argument("-s", type=float, default=5)
    args = parser.parse_args()
    gate_wait()
    start, cpu, done, x = time.monotonic(), time.process_time(), 0, 1
    while done < args.n if args.n else time.monotonic() - start < args.s:
        x = python_round(x)
        done += 1
    print(json.dumps({"target": "python", "rounds": done, "cpu_s": time.process_time() - cpu}),
          flush=True)
    if os.environ.get("TARGET_GATE") == "2":
        gate_wait()


if __name__ == "__main__":
    main()
