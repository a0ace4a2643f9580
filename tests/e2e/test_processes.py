# SPDX-License-Identifier: BSD-2-Clause
"""Processes that come, go, become others and bear odd names."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

import recording
from decoders import folded, pprof, speedscope


def by_process(profile, value=0):
    """{process: {function: samples that it is in}}"""
    found = collections.defaultdict(collections.Counter)
    for sample in profile.samples:
        for name in {frame[0] for frame in profile.frames(sample)}:
            found[sample.labels["process"]][name] += sample.values[value]
    return found


def test_exec_in_the_middle(start, spawn, program, tmp_path):
    out, text = tmp_path / "a.pb.gz", tmp_path / "a.folded"
    target = start("forker", "-s", 1, "exec", program("deep"), "-s", 1)
    profiler = spawn("--pid", target.pid, "-o", out, "-o", text)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    profiler.communicate(timeout=30)
    assert profiler.returncode == 0
    profile = pprof.read(out)
    found = by_process(profile)
    assert set(found) == {"forker", "deep"}
    assert found["forker"]["before_exec"] > 50 and found["deep"]["run_leaf"] > 50
    assert not found["forker"]["run_leaf"] and not found["deep"]["before_exec"]
    assert set(profile.label_shares("pid")) == {target.pid}
    for stack in folded.read(text):
        assert "before_exec" not in stack or stack[0] == "forker"
        assert "run_leaf" not in stack or stack[0] == "deep"
    # No frame of the old program is looked up in the new one's mappings.
    for frames in map(profile.frames, profile.samples):
        names = [frame[0] for frame in frames]
        assert not ("begin_new_exec" in names or "load_elf_binary" in names) or not any(
            name.startswith("0x") for name in names), names


def test_a_storm_of_short_processes(spawn, program, tmp_path):
    out, text = tmp_path / "a.pb.gz", tmp_path / "a.folded"
    profiler = spawn("-F", 4999, "-o", out, "-o", text, "--", program("forker"), "-n", 400, "storm")
    stdout, stderr = profiler.communicate(timeout=60)
    truth = json.loads(stdout.splitlines()[-1])
    assert truth["children"] == 400 and truth["executed"] == 200
    profile = pprof.read(out)
    assert recording.said(stderr).holds()
    # A process that comes from /proc/self/exe has that link's name.
    found = by_process(profile)
    assert set(found) == {"forker", "exe"}
    assert not found["forker"]["short_work"]
    assert not found["exe"]["child_work"] and not found["exe"]["parent_work"]
    total = profile.total(0)
    assert found["exe"]["short_work"] + found["forker"]["child_work"] > 0.3 * total
    children = {sample.labels["pid"] for sample in profile.samples}
    assert len(children) > 100
    # Callers may be: there is code without frame pointers, and with no function to its name.
    nameless = [s.values[0] for s in profile.samples if profile.frames(s)[-1][0].startswith("0x")]
    assert sum(nameless) <= 0.002 * total
    for stack in folded.read(text):
        assert "short_work" not in stack or stack[0] == "exe"
        assert "child_work" not in stack or stack[0] == "forker"


def anonymous_kib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^RssAnon:\s*(\d+) kB", status, re.M)[1])


def test_bookkeeping_of_thousands_of_processes(start, spawn, tmp_path):
    """The profiler's files and memory stay as they are while processes come and go."""
    binaries = tmp_path / "bin"
    binaries.mkdir()
    for i in range(150):
        shutil.copy("/bin/true", binaries / f"true{i}")
    target = start("/bin/sh", "-c", f"""
        forks() {{ i=0; while [ $i -lt $1 ]; do (:); i=$((i+1)); done; }}
        read x; forks 500; echo; read x; forks 3000; echo; read x
        for file in {binaries}/*; do $file; done; sleep 2; echo; read x""",
                   env={"TARGET_GATE": ""})
    out = tmp_path / "a.pb.gz"
    profiler = spawn("-F", 99, "--pid", target.pid, "-o", out)
    recording.wait_for_sampling(profiler, out)
    seen = []
    for _ in range(3):
        target.process.stdin.write(b"\n")
        target.process.stdin.flush()
        assert target.process.stdout.readline() == b"\n"
        time.sleep(1.2)  # longer than the profiler waits between two looks
        seen.append((len(os.listdir(f"/proc/{profiler.pid}/fd")), anonymous_kib(profiler.pid)))
    recording.stop(profiler)
    assert seen[1][0] <= seen[0][0] + 2
    assert seen[1][1] <= seen[0][1] + 2048
    # Files that nothing maps any more are closed when there are 64 more than twice those in use.
    assert seen[2][0] <= seen[1][0] + 80
    assert seen[2][1] <= seen[1][1] + 4096


REUSE = """
run() { echo 299 > /proc/sys/kernel/ns_last_pid; "$@" > /dev/null & wait $!; echo $!; }
run $1/spin -s 0.4
run $1/deep -s 0.4
run $1/spin -s 0.4
run $1/threads -s 0.4
"""


def test_a_pid_that_is_used_again(build, need, profbpf, tmp_path):
    out, capture = tmp_path / "a.pb.gz", tmp_path / "a.profbpf"
    done = subprocess.run(
        [need("unshare"), "--pid", "--fork", "--mount-proc", "--kill-child", build / "profbpf",
         "-o", out, "-o", capture, "--", "sh", "-c", REUSE, "sh", build / "targets"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["300"] * 4
    profile = pprof.read(out)
    samples = [s for s in profile.samples if s.labels["pid"] == 300]
    found = by_process(pprof.Pprof(samples=samples, locations=profile.locations,
                                   functions=profile.functions))
    assert {"spin", "deep", "threads"} <= set(found) <= {"sh", "spin", "deep", "threads"}
    own = {"spin": "spin_plain", "deep": "run_leaf", "threads": "do_round"}
    for process, functions in found.items():
        for owner, function in own.items():
            assert bool(functions[function]) == (process == owner), (process, function)
    # Four instances, the two runs of spin among them.
    report = json.loads(profbpf("report", capture, "--by", "process", "--json").stdout)
    names = collections.Counter(row["name"] for row in report["rows"] if row["pid"] == 300)
    assert {name: names[name] for name in own} == {"spin": 2, "deep": 1, "threads": 1}


def skeleton(text):
    """What of a name every format must keep."""
    return re.sub(r"[^A-Za-z0-9\u3000-\u9fff]", "", text)


@pytest.fixture(scope="module")
def renamed(program, profbpf, tmp_path_factory):
    """(the target's truth, pprof, folder of outputs) of the target "renamer"."""
    folder = tmp_path_factory.mktemp("renamed")
    names = ["a.pb.gz", "a.folded", "a.speedscope.json", "a.profbpf", "a.txt"]
    done = profbpf("--per-thread", *(word for name in names for word in ("-o", folder / name)),
                   "--", program("renamer"), "-s", 3)
    return json.loads(done.stdout.splitlines()[-1]), pprof.read(folder / "a.pb.gz"), folder


def test_odd_names_of_threads(renamed):
    truth, profile, _ = renamed
    names = collections.defaultdict(set)
    for sample in profile.samples:
        for name, *_ in profile.frames(sample):
            names[name].add(sample.labels["thread"])
    labels = []
    for function, raw in truth["names"].items():
        label, = names[function]
        labels.append(label)
        raw = bytes.fromhex(raw)
        assert label and not any(ord(c) < 32 or c == "\x7f" for c in label)
        kept = skeleton(raw.decode(errors="ignore"))
        assert re.search(".*".join(map(re.escape, kept)), label), (raw, label)
    assert len(set(labels)) == len(labels)
    assert truth["names"]["odd_5"] in [label.encode().hex() for label in labels]
    # A name that changes is that of the moment.
    assert names["as_first"] == {"first-name"} and names["as_second"] == {"second-name"}


def test_odd_names_in_every_format(renamed, profbpf, tools):
    truth, profile, folder = renamed
    total = profile.total(0)
    stacks = folded.read(folder / "a.folded")
    assert sum(stacks.values()) == total == folded.inferno_total(tools, folder / "a.folded")
    roots = {stack[:2] for stack in stacks}
    for kept in ("semicolon12", "bracketsx", "newx0aline", "bad", "quoted", "日本語"):
        assert any(kept in skeleton("".join(root)) for root in roots), kept
    assert all("oddprocess" in skeleton(root[0]) for root in roots)
    shown = speedscope.show(tools, folder / "a.speedscope.json")
    assert sum(map(speedscope.total, shown)) == profile.total(1)
    assert pprof.go_totals(folder / "a.pb.gz")["samples/count"] == total
    table = (folder / "a.txt").read_bytes()
    table.decode()
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", table)
    for kind in ("thread", "process", "function"):
        report = profbpf("report", folder / "a.profbpf", "--by", kind, "--json").stdout
        assert json.loads(report)["totals"]["samples"] == total
        text = profbpf("report", folder / "a.profbpf", "--by", kind).stdout
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", text)


def test_a_program_with_an_odd_file_name(program, profbpf, tools, tmp_path):
    folder = os.fsencode(tmp_path)
    path = folder + b"/a ;[\n\xff\x1b)"
    shutil.copy(program("spin"), path)
    outputs = [tmp_path / f"a.{e}" for e in ("pb.gz", "folded", "speedscope.json")]
    done = subprocess.run([program("spin").parents[1] / "profbpf",
                           *(w for o in outputs for w in ("-o", o)), "--", path, "-s", "0.7"],
                          capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", done.stderr)
    profile = pprof.read(outputs[0])
    process, = profile.label_shares("process")
    assert process.startswith("a ;[")
    assert {"inlined_inner", "spin_plain", "main"} <= set(profile.shares())
    stacks = folded.read(outputs[1])
    assert sum(stacks.values()) == profile.total(0)
    assert {stack[0][:4] for stack in stacks} == {"a :["}
    shown = speedscope.show(tools, outputs[2])
    assert sum(map(speedscope.total, shown)) == profile.total(1)
