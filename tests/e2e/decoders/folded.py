# SPDX-License-Identifier: BSD-2-Clause
"""Folded stacks: line by line, and as inferno reads them."""

import collections
import re
import subprocess


def read(path):
    """{(process, frame…): count} of a file; a line that is not "a;b;c COUNT" fails."""
    stacks = collections.Counter()
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            match = re.fullmatch(r"(\S.*|) (\d+)\n", line)
            assert match, f"not a folded stack: {line!r}"
            assert not any(c < " " or c == "\x7f" for c in match[1]), repr(line)
            stacks[tuple(match[1].split(";"))] += int(match[2])
    return stacks


def inferno_total(tools, path):
    """The number of samples in the flame graph that inferno draws of the file, whose complaints
    fail."""
    done = subprocess.run([f"{tools}/bin/inferno-flamegraph", str(path)], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return int(re.search(r"<title>all \(([\d,]+) samples", done.stdout)[1].replace(",", ""))
