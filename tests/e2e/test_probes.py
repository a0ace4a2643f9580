# SPDX-License-Identifier: BSD-2-Clause
"""Programs with the kernel's probes (uprobes) in them: return addresses that lead to a trampoline, and
instructions that are executed elsewhere. The callers are those of the program's source."""

import collections
import json
import platform
import re
import subprocess
import time

import pytest

from decoders import folded
from recording import reported, stop, unwound, wait_for_sampling
from targets import wait_until

OUTER = ["call_outer", "probed_outer", "between", "probed_inner", "innermost", "innermost_loop"]
# What lies between main and innermost_loop.
WAYS = {
    "none": OUTER,
    "one": OUTER,
    "nested": OUTER,
    "recursive": ["recurse_40", *["probed_recursion"] * 41, "innermost", "innermost_loop"],
    "deep": ["recurse_100", *["probed_recursion"] * 101, "innermost", "innermost_loop"],
    "tail": ["call_tail", "tail_second", "innermost", "innermost_loop"],
}
# The function that calls the probed one, that one, and what it calls.
HOT = {
    "return": ["call_tiny", "tiny"],
    "step": ["call_step", "step_first"],
    "push": ["call_push", "push_first"],
    "nop": ["call_nop", "nop_first"],
    "call": ["call_call", "call_first", "called_first"],
}
# For some instructions the kernel has changed a thread's stack or registers and not yet told so.
MOMENTS = 0.03


@pytest.fixture(autouse=True)
def of_x86_64():
    if platform.machine() != "x86_64":
        pytest.skip("the walker of frame pointers does not look for probes")


@pytest.fixture
def profile(profbpf, program, tmp_path):
    """profile(WAY): what the target knows of itself, its user stacks from main on, without inlined
    calls, and the capture."""

    def run(way):
        out, text = tmp_path / "a.profbpf", tmp_path / "a.folded"
        done = profbpf("record", "--kernel=no", "--max-depth", 4096, "-o", out, "-o", text, "--",
                       program("probed"), "-s", 3, way)
        stacks = collections.Counter()
        for stack, samples in folded.read(text).items():
            names = [name for name in stack[1:] if not name.endswith("_[i]")]
            # Nothing is in code that has no name: neither the trampoline nor a copy.
            assert not [name for name in names if re.match(r"0x|\[|.*\.so|uprobes", name)], names
            stacks[tuple(names[names.index("main") + 1:] if "main" in names else names)] += samples
        truth = json.loads(done.stdout.splitlines()[0])
        assert (truth["hits"] > 0) == (way != "none")
        return truth, stacks, out

    return run


def assert_complete(profbpf, out, moments=MOMENTS):
    """All of its stacks but for moments, and those for the reason that there is for it."""
    found = unwound(profbpf, out)
    ends = {e["end"]: e["samples"] for e in found["ends"]}
    assert found["samples"] > 100 and found["guessed_frames"] == 0, found
    assert found["complete"] >= (1 - moments) * found["samples"], ends
    assert sum(s["samples"] for s in found["spoilers"]) == found["samples"] - found["complete"]
    return ends


@pytest.mark.parametrize("way", WAYS)
def test_callers_of_probed_functions(profbpf, profile, way):
    truth, stacks, out = profile(way)
    ends = assert_complete(profbpf, out, 0 if way == "none" else MOMENTS)
    # Where a probed push of a register is done and not told of, the word at the stack's end is no return address.
    lost = ends["unmapped_code"] + ends["no_rule"]
    assert lost <= 0.005 * sum(ends.values()), ends
    assert way != "none" or lost + ends["probe"] == 0
    below = {stack: n for stack, n in stacks.items() if stack and stack[-1] == "innermost_loop"}
    assert list(below) == [tuple(WAYS[way])] and sum(below.values()) > 10
    # And everywhere else on the way down and up.
    whole = sum(n for stack, n in stacks.items()
                if stack == tuple(WAYS[way][:len(stack)]) or stack[:2] == ("call_tail", "tail_first"))
    assert whole > (1 - MOMENTS) * sum(stacks.values()) - 10


@pytest.mark.parametrize("way", HOT)
def test_within_a_probe(profbpf, profile, way):
    """Most of the time is the kernel's, for the probe: the thread stands at the breakpoint, behind it,
    in the copy of the instruction, behind that, or in the trampoline."""
    truth, stacks, out = profile(way)
    assert_complete(profbpf, out)
    whole = sum(n for stack, n in stacks.items()
                if stack[:1] == (HOT[way][0],) and set(stack) <= {*HOT[way], "repeat"})
    assert whole > (1 - MOMENTS) * sum(stacks.values()) > 100
    in_probed = sum(n for stack, n in stacks.items() if HOT[way][1] in stack)
    assert in_probed > 0.5 * sum(stacks.values())


def test_return_address_that_no_probe_tells_of(profbpf, profile):
    """A frame that the program has made of another's return address: a reason at its end."""
    truth, stacks, out = profile("stolen")
    found = unwound(profbpf, out)
    ends = {e["end"]: e["samples"] for e in found["ends"]}
    account, report = reported(profbpf, out)
    assert report["accounting"]["ends"] == ends and account.holds()
    assert ends["probe"] > 0.5 * found["samples"] > 50
    assert stacks[("steal_return",)] >= 0.9 * ends["probe"]
    first = found["spoilers"][0]
    assert first["end"] == "probe" and first["object"].endswith("/probed")
    text = profbpf("report", out, "--unwind").stdout
    assert re.search(r" probe: a probe took the return address's place", text)


def test_dump_below_probed_functions(profbpf, program):
    target = subprocess.Popen([program("probed"), "sleep"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert target.stdout.readline() == b"asleep\n"
        wait_until(lambda: json.loads(profbpf("dump", target.pid, "--json").stdout)["threads"][0]["state"] ==
                   "sleeping", what="sleep")
        thread, = json.loads(profbpf("dump", target.pid, "--json").stdout)["threads"]
    finally:
        target.kill()
        target.communicate()
    names = [f["function"] for f in thread["frames"] if not f["kernel"]]
    assert names[1:7] == ["innermost", *reversed(OUTER[:4]), "main"] and names[-1] == "_start"
    assert thread["end"] == "root" and not any(f["guess"] for f in thread["frames"])


def test_another_tool_probes_a_library(profbpf, spawn, start, need, tmp_path):
    """bpftrace on a function of the C library, while the program that calls it is profiled."""
    out, text = tmp_path / "a.profbpf", tmp_path / "a.folded"
    target = start("deep-nofp", "-s", 60)
    target.open_gate()

    def mapped(pattern):
        with open(f"/proc/{target.pid}/maps") as maps:
            return re.search(pattern, maps.read(), re.M)

    library = wait_until(lambda: mapped(r"/\S*/libc\.so\.6$"), what="the C library")[0]
    tracer = subprocess.Popen([need("bpftrace"), "-e", f"uretprobe:{library}:qsort {{ @ = count(); }}",
                               "-p", str(target.pid)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert tracer.stdout.readline().startswith(b"Attaching 1 probe")
        wait_until(lambda: mapped(r"\[uprobes\]$"), timeout=30, what="the probe's trampoline")
        recording = spawn("record", "--pid", target.pid, "--kernel=no", "-o", out, "-o", text)
        wait_for_sampling(recording, out)
        time.sleep(3)
        stop(recording)
    finally:
        tracer.kill()
        tracer.communicate()
    below = collections.Counter()
    for stack, samples in folded.read(text).items():
        if "leaf_sort" in stack and stack[-1] != "leaf_sort":
            below["_start" in stack and stack[stack.index("leaf_sort") - 1] == "run_leaf"] += samples
        elif "compare_u32" in stack:
            below[False] += samples
    assert below[True] > 30 and below[False] <= 0.01 * below[True]
    found = unwound(profbpf, out)
    assert found["complete"] >= (1 - MOMENTS) * found["samples"], found["ends"]
