# SPDX-License-Identifier: BSD-2-Clause
"""Code that a program has put into memory without a file keeps its names and its stacks."""

import json
import platform

import pytest

from decoders import folded
from recording import stop, unwound, wait_for_sampling
from targets import wait_until

CHAIN = ["main", "work_outer", "work_middle", "work_loop"]


def is_at_gate(pid):
    with open(f"/proc/{pid}/wchan") as file:
        return "pipe_read" in file.read()


def record(profbpf, spawn, target, when, tmp_path):
    """({stack: samples}, the report of the walks)."""
    out, text = tmp_path / "a.profbpf", tmp_path / "a.folded"
    wait_until(lambda: is_at_gate(target.pid), what="the gate")
    recording = spawn("record", "--pid", target.pid, "--kernel=no", "-o", out, "-o", text)
    wait_for_sampling(recording, text)
    target.open_gate()
    truth = json.loads(target.process.stdout.readline())
    stop(recording)
    assert truth["rounds"] > 0 and (truth["before"] > 0) == (when == "late")
    return folded.read(text), unwound(profbpf, out)


@pytest.mark.parametrize("when", ["early", "late"])
@pytest.mark.parametrize("name, how", [("remapper", "move"), ("remapper-lld", "move"), ("remapper", "copy"),
                                       ("remapper", "slow")])
def test_same_code(profbpf, spawn, start, tmp_path, name, how, when):
    target = start(name, "-s", 3, how, when)
    stacks, unwind = record(profbpf, spawn, target, when, tmp_path)
    # Until its code is there again, its frames are nothing's.
    stacks = {stack: n for stack, n in stacks.items() if "copy_back" not in stack}
    total = sum(stacks.values())
    named = sum(n for stack, n in stacks.items() if "main" in stack)
    chained = sum(n for stack, n in stacks.items() if stack[-4:] == tuple(CHAIN))
    assert total > 300 and named >= (0.95 if how == "slow" else 0.995) * total, stacks
    assert chained > 0.9 * total, stacks
    assert how == "slow" or unwind["complete_percent"] >= 99.5


@pytest.mark.parametrize("when", ["early", "late"])
def test_other_code(profbpf, spawn, start, tmp_path, when):
    """What lies in the place of a function now is not it."""
    if platform.machine() != "x86_64":
        pytest.skip("its code is of x86-64")
    target = start("remapper", "-s", 3, "foreign", when)
    stacks, _ = record(profbpf, spawn, target, when, tmp_path)
    unnamed = sum(n for stack, n in stacks.items() if stack[-1].startswith("0x"))
    assert unnamed > 300, stacks
    assert not [stack for stack in stacks if "decoy" in stack]
