# SPDX-License-Identifier: BSD-2-Clause
"""Shares of CPU time against what the targets know of themselves."""

import json
import os

import pytest

import recording
from decoders import folded, pprof

NOMINAL = {"hot_alpha": 0.50, "hot_beta": 0.25, "hot_gamma": 0.15, "hot_delta": 0.10}


def test_shares_of_known_size(start, spawn, profbpf, tmp_path):
    """Attached before the work begins and until it is done, so that both sides speak of the same."""
    out, text, capture = (tmp_path / f"a.{e}" for e in ("pb.gz", "folded", "profbpf"))
    target = start("threads", "-s", 10)
    profiler = spawn("--pid", target.pid, "-o", out, "-o", text, "-o", capture)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    truth = json.loads(target.process.stdout.readline())
    said = recording.said(recording.stop(profiler))
    assert said.holds() and said.dropped == 0
    profile = pprof.read(out)
    functions, threads = profile.shares(), profile.label_shares("thread")
    counts = folded.read(text)
    for name, share in NOMINAL.items():
        assert truth["functions"][name] == pytest.approx(share, abs=0.01)  # the target's own claim
        assert functions[name] == pytest.approx(truth["functions"][name], abs=0.015), name
        in_folded = sum(n for stack, n in counts.items() if name in stack) / sum(counts.values())
        assert in_folded == pytest.approx(truth["functions"][name], abs=0.015), name
    for name, share in truth["threads"].items():
        assert threads[name] == pytest.approx(share, abs=0.015), name
    rows = json.loads(profbpf("report", capture, "--by", "thread", "--json").stdout)["rows"]
    for name, share in truth["threads"].items():
        percent, = [row["self_percent"] for row in rows if row["name"] == name]
        assert percent / 100 == pytest.approx(share, abs=0.015), name


def test_shares_on_one_cpu(start, spawn, tmp_path):
    """Threads that only ever run in turns: each tick finds another one."""
    out = tmp_path / "a.pb.gz"
    cpu = min(os.sched_getaffinity(0))
    target = start("threads", "-s", 5, preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    profiler = spawn("--pid", target.pid, "-o", out)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    truth = json.loads(target.process.stdout.readline())
    said = recording.said(recording.stop(profiler))
    profile = pprof.read(out)
    for name, share in truth["functions"].items():
        # Four standard deviations of a binomial count, as the machine may leave it little time.
        room = max(0.015, 4 * (share * (1 - share) / said.recorded) ** 0.5)
        assert profile.shares()[name] == pytest.approx(share, abs=room), name


def test_ping_and_pong(start, spawn, tmp_path):
    out = tmp_path / "a.pb.gz"
    target = start("pingpong", "-s", 2)
    profiler = spawn("--pid", target.pid, "-o", out)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    truth = json.loads(target.process.stdout.readline())
    said = recording.said(recording.stop(profiler))
    assert truth["rounds"] > 100 and said.holds()
    profile = pprof.read(out)
    shares = profile.label_shares("pid")
    assert len(shares) == 2 and target.pid in shares
    assert min(shares.values()) > 0.2
    # Nearly all of it is the kernel's work for the two pipes.
    in_pipes = profile.shares(lambda frames: {any("pipe_" in f[0] for f in frames)})[True]
    assert in_pipes > 0.2
