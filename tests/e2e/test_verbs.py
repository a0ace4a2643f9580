# SPDX-License-Identifier: BSD-2-Clause
"""The verbs that read captures, and check."""

import collections
import json
import os
import pty
import signal
import struct
import subprocess

import pytest

from decoders import folded, pprof

BUSY = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done"


@pytest.fixture(scope="module")
def recorded(profbpf, tmp_path_factory):
    """A folder with profile.profbpf and the folded stacks of the same recording."""
    folder = tmp_path_factory.mktemp("recorded")
    profbpf("-o", "profile.profbpf", "-o", "same.folded", "--", "sh", "-c", BUSY, cwd=folder)
    return folder


@pytest.fixture
def folder(recorded, tmp_path):
    """A fresh folder with a copy of both."""
    for name in os.listdir(recorded):
        (tmp_path / name).write_bytes((recorded / name).read_bytes())
    return tmp_path


def header(version):
    """The beginning of a capture, as formats/capture_file.h describes it."""
    return struct.pack("<II8sI", 0x184D2A50, 12, b"profbpf", version)


def one_line(done):
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_report_reads_the_default_file(profbpf, folder):
    by_default = profbpf("report", cwd=folder)
    assert by_default.stdout == profbpf("report", "profile.profbpf", cwd=folder).stdout
    assert by_default.stderr == ""
    with open(folder / "profile.profbpf", "rb") as file:
        piped = subprocess.run([*by_default.args[:1], "report", "-"], stdin=file,
                               capture_output=True, text=True)
    assert piped.stdout == by_default.stdout
    assert "\x1b" not in by_default.stdout


@pytest.mark.parametrize("words", [["--by", "function"], ["--by", "line"], ["--by", "thread"],
                                   ["--by", "process"], ["--by", "object"], ["--tree"]])
def test_report_kinds(profbpf, folder, words):
    text = profbpf("report", *words, cwd=folder).stdout
    data = json.loads(profbpf("report", *words, "--json", cwd=folder).stdout)
    assert text and data
    if words == ["--by", "process"]:
        assert "sh" in text


def test_report_into_a_file(profbpf, folder):
    assert profbpf("report", "-o", "a.txt", cwd=folder).stdout == ""
    assert (folder / "a.txt").read_text() == profbpf("report", cwd=folder).stdout


@pytest.mark.parametrize("no_color", [None, "1"])
def test_report_on_a_terminal(build, folder, no_color):
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    if no_color:
        environment["NO_COLOR"] = no_color
    leader, follower = pty.openpty()
    process = subprocess.Popen([build / "profbpf", "report"], stdout=follower, stderr=follower,
                               cwd=folder, env=environment)
    os.close(follower)
    text = b""
    try:
        while chunk := os.read(leader, 65536):
            text += chunk
    except OSError:  # the way a terminal says that the other end is closed
        pass
    os.close(leader)
    assert process.wait() == 0
    assert (b"\x1b[" in text) == (no_color is None)


@pytest.mark.parametrize("content, part", [
    (b"", "empty"),
    (b"no capture, but a text that is long enough to be one", "not a capture"),
    (b"\x7fELF" + bytes(100), "not a capture"),
    (header(1), "cut off before its first samples"),
    (header(1)[:11], "cut off"),
    (header(99) + bytes(10), "version 99"),
])
@pytest.mark.parametrize("verb", ["report", "convert", "merge"])
def test_not_readable(profbpf, tmp_path, content, part, verb):
    (tmp_path / "bad.profbpf").write_bytes(content)
    words = {"report": ["bad.profbpf"], "convert": ["bad.profbpf", "out.folded"],
             "merge": ["out.folded", "bad.profbpf", "bad.profbpf"]}[verb]
    line = one_line(profbpf(verb, *words, status=1, cwd=tmp_path))
    assert line.startswith("profbpf: bad.profbpf: ") and part in line
    assert os.listdir(tmp_path) == ["bad.profbpf"]


def test_no_file(profbpf, tmp_path):
    assert "sudo profbpf --pid PID" in one_line(profbpf("report", status=1, cwd=tmp_path))
    assert "no such file" in one_line(profbpf("report", "a.profbpf", status=1, cwd=tmp_path))
    (tmp_path / "dir.profbpf").mkdir()
    assert "folder" in one_line(profbpf("report", "dir.profbpf", status=1, cwd=tmp_path))


def test_cut_capture(profbpf, folder):
    whole = (folder / "profile.profbpf").read_bytes()
    (folder / "cut.profbpf").write_bytes(whole[:-1])
    done = profbpf("report", "cut.profbpf", cwd=folder)
    assert "warning: cut.profbpf: cut off" in one_line(done)
    assert done.stdout


def test_damaged_capture(profbpf, folder):
    """A flipped bit is found, unless it changes nothing (as one in a frame's window size does)."""
    whole = (folder / "profile.profbpf").read_bytes()
    expected = profbpf("report", cwd=folder).stdout
    found = 0
    positions = range(0, len(whole), max(1, len(whole) // 40))
    for at in positions:
        damaged = bytearray(whole)
        damaged[at] ^= 0x10
        (folder / "bad.profbpf").write_bytes(damaged)
        done = profbpf("report", "bad.profbpf", status=None, cwd=folder)
        assert done.returncode in (0, 1)
        if done.stderr:
            assert "bad.profbpf" in one_line(done)
            found += 1
        else:
            assert done.stdout == expected
    assert found >= len(positions) - 3


def test_convert_gives_what_was_recorded(profbpf, folder):
    profbpf("convert", "again.folded", cwd=folder)
    assert (folder / "again.folded").read_bytes() == (folder / "same.folded").read_bytes()
    profbpf("convert", "profile.profbpf", "copy.profbpf", cwd=folder)
    profbpf("convert", "copy.profbpf", "twice.folded", cwd=folder)
    assert (folder / "twice.folded").read_bytes() == (folder / "same.folded").read_bytes()
    done = profbpf("convert", "profile.profbpf", "-", "--format", "folded", cwd=folder)
    assert done.stdout.encode(errors="surrogateescape") == (folder / "same.folded").read_bytes()


def test_convert_needs_no_privilege(unprivileged, recorded, public_dir):
    (public_dir / "a.profbpf").write_bytes((recorded / "profile.profbpf").read_bytes())
    (public_dir / "a.profbpf").chmod(0o644)
    assert unprivileged("convert", "a.profbpf", "b.folded").returncode == 0
    assert (public_dir / "b.folded").read_bytes() == (recorded / "same.folded").read_bytes()


def test_max_depth_keeps_the_total(profbpf, folder):
    """A frame is a location: the calls inlined into it come along."""
    profbpf("convert", "profile.profbpf", "whole.pb.gz", "--max-depth", 0, cwd=folder)
    profbpf("convert", "profile.profbpf", "short.pb.gz", "--max-depth", 2, cwd=folder)
    whole, short = pprof.read(folder / "whole.pb.gz"), pprof.read(folder / "short.pb.gz")
    assert max(len(sample.locations) for sample in whole.samples) > 2
    assert max(len(sample.locations) for sample in short.samples) == 2
    assert [short.total(i) for i in (0, 1)] == [whole.total(i) for i in (0, 1)]
    assert any(frame[0] == "<truncated-stack>"
               for sample in short.samples for frame in short.frames(sample))


def test_merge_of_two_is_one_of_both(profbpf, folder):
    profbpf("merge", "sum.folded", "profile.profbpf", "profile.profbpf", cwd=folder)
    once = collections.Counter(folded.read(folder / "same.folded"))
    assert folded.read(folder / "sum.folded") == once + once
    profbpf("merge", "sum.profbpf", *["profile.profbpf"] * 3, cwd=folder)
    profbpf("convert", "sum.profbpf", "three.folded", cwd=folder)
    assert folded.read(folder / "three.folded") == once + once + once


def test_merge_of_different_rates(profbpf, folder):
    profbpf("-q", "-F", 199, "-o", "slow.profbpf", "--", "sh", "-c", BUSY, cwd=folder)
    done = profbpf("merge", "sum.profbpf", "profile.profbpf", "slow.profbpf", cwd=folder)
    assert "different rates" in one_line(done)


def test_a_failed_conversion_leaves_the_old_file(profbpf, folder):
    (folder / "out.folded").write_text("precious")
    (folder / "bad.profbpf").write_bytes(b"no capture at all, only text")
    profbpf("convert", "bad.profbpf", "out.folded", status=1, cwd=folder)
    assert (folder / "out.folded").read_text() == "precious"


def test_outputs_that_cannot_be_written(profbpf, folder):
    line = one_line(profbpf("convert", "profile.profbpf", "none/a.folded", status=1, cwd=folder))
    assert "none/a.folded: No such file or directory" in line and "create the folder" in line
    line = one_line(profbpf("convert", "profile.profbpf", "/dev/full", "--format", "folded",
                            status=1, cwd=folder))
    assert "cannot write to /dev/full: No space left on device: make room" in line
    line = one_line(profbpf("report", "-o", "none/a.txt", status=1, cwd=folder))
    assert "none/a.txt" in line


def test_report_into_a_closed_pipe(build, folder):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([build / "profbpf", "report"], stdout=writer, stderr=subprocess.PIPE,
                          text=True, cwd=folder)
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == "profbpf: cannot write to standard output: Broken pipe\n"


def test_interrupted_conversion_leaves_nothing(spawn, folder):
    """Its input never ends, so it is in the middle of its work."""
    os.mkfifo(folder / "in.profbpf")
    process = spawn("convert", "in.profbpf", "out.folded", cwd=folder)
    with open(folder / "in.profbpf", "wb", buffering=0) as pipe:
        pipe.write((folder / "profile.profbpf").read_bytes()[:-1])
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == -signal.SIGINT
    assert sorted(os.listdir(folder)) == ["in.profbpf", "profile.profbpf", "same.folded"]


def test_check_here(profbpf):
    """Where the other tests run, check must say that recording works."""
    text = profbpf("check").stdout
    for word in ("kernel types (BTF)", "CAP_BPF", "perf events", "bpf_loop", "ring buffer"):
        assert word in text
    data = json.loads(profbpf("check", "--json").stdout)
    assert data["can_record"] is True
    found = {one["name"]: one for one in data["requirements"]}
    assert found["kernel"]["value"].split()[0] == os.uname().release
    with open("/proc/sys/kernel/kptr_restrict") as file:
        assert found["kernel.kptr_restrict"]["value"] == file.read().strip()


def test_check_without_privilege(unprivileged):
    done = unprivileged("check", "--json")
    assert done.returncode == 3
    data = json.loads(done.stdout)
    assert data["can_record"] is False
    missing = [one for one in data["requirements"] if one["state"] == "missing"]
    assert {"CAP_BPF", "CAP_PERFMON"} <= {one["name"] for one in missing}
    assert all(one["remedy"] for one in missing)


def test_check_misses_each_capability(build, need):
    """Each capability that is taken away alone is named."""
    setpriv = need("setpriv")
    for name, state in {"bpf": "missing", "perfmon": "missing", "sys_ptrace": "note",
                        "syslog": "note"}.items():
        without = f"-{name},-sys_admin"
        done = subprocess.run([setpriv, "--inh-caps", without, "--bounding-set", without,
                               build / "profbpf", "check", "--json"],
                              capture_output=True, text=True)
        found = {one["name"]: one for one in json.loads(done.stdout)["requirements"]}
        entry = found[f"CAP_{name.upper()}"]
        assert entry["state"] == state, (name, entry)
        assert entry["remedy"]
