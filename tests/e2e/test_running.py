# SPDX-License-Identifier: BSD-2-Clause
"""How a recording begins, is told to stop, ends, and what it leaves behind."""

import collections
import os
import pty
import re
import shutil
import signal
import subprocess
import time

import pytest

from conftest import UNPRIVILEGED
from decoders import folded, pprof
from recording import read_terminal
from targets import wait_sampling, wait_until


def busy_target(start):
    target = start("spin", "-s", 60)
    target.open_gate()
    return target


def files(folder):
    return sorted(os.listdir(folder))


# --- signals ---


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_first_signal_stops_and_writes(spawn, start, tmp_path, number):
    process = spawn("--pid", busy_target(start).pid, "-o", "a.folded", "-o", "a.profbpf", cwd=tmp_path)
    wait_sampling(process)
    time.sleep(0.5)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 0
    assert sum(folded.read(tmp_path / "a.folded").values()) > 0
    assert files(tmp_path) == ["a.folded", "a.profbpf"]
    assert "samples in" in stderr and "next: " in stderr


def wait_for_command(pid_file):
    return wait_until(lambda: pid_file.exists() and pid_file.read_text().strip(), timeout=30)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_command(spawn, tmp_path, number):
    """The signal goes on to the command, and the samples are written."""
    process = spawn("-o", "a.folded", "--", "/bin/sh", "-c", "echo $$ > pid; while :; do :; done",
                    cwd=tmp_path)
    pid = int(wait_for_command(tmp_path / "pid"))
    time.sleep(0.5)
    process.send_signal(number)
    assert process.wait(timeout=30) == 130
    assert sum(folded.read(tmp_path / "a.folded").values()) > 0
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"))
    assert files(tmp_path) == ["a.folded", "pid"]


def test_ctrl_c_at_the_terminal(build, tmp_path):
    """The terminal's interrupt reaches the profiler and its command."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execv(build / "profbpf", ["profbpf", "-o", "a.folded", "--", "/bin/sh", "-c",
                                     "echo $$ > pid; while :; do :; done"])
    command = int(wait_for_command(tmp_path / "pid"))
    time.sleep(0.7)
    os.write(terminal, b"\x03")
    shown = read_terminal(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130, shown
    assert sum(folded.read(tmp_path / "a.folded").values()) > 0
    assert not os.path.exists(f"/proc/{command}")


def test_second_signal_aborts(spawn, start, program, tmp_path):
    """The sum of a huge debug file has to be computed, which gives time to interrupt the work."""
    for name in ("spin-debuglink", "spin-debuglink.debug"):
        shutil.copy(program(name), tmp_path)
    os.truncate(tmp_path / "spin-debuglink.debug", 64 << 30)
    before = files(tmp_path)
    target = start(tmp_path / "spin-debuglink", "-s", 60)
    target.open_gate()
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.pb.gz").write_text("precious")
    process = spawn("--pid", target.pid, "-o", "a.pb.gz", "-o", "a.profbpf", cwd=out)
    wait_sampling(process)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    # From the work on symbols on the signal is no longer held back.
    wait_until(lambda: not blocked(process.pid), timeout=20)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == -signal.SIGINT
    assert (out / "a.pb.gz").read_text() == "precious"
    assert files(out) == ["a.pb.gz"]
    assert files(tmp_path) == sorted([*before, "out"])


def blocked(pid):
    """Whether SIGINT is blocked in a process."""
    try:
        with open(f"/proc/{pid}/status") as file:
            mask = int(re.search(r"^SigBlk:\s*(\w+)", file.read(), re.M)[1], 16)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return bool(mask & 1 << signal.SIGINT - 1)


@pytest.mark.parametrize("pause", [0, 0.005, 0.02, 0.05, 0.1])
def test_signal_during_the_start(spawn, start, tmp_path, pause):
    """Whenever it comes, nothing half-written is left: either no file at all, or a readable one."""
    process = spawn("--pid", busy_target(start).pid, "-o", "a.folded", cwd=tmp_path)
    time.sleep(pause)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    if process.returncode == 0:
        folded.read(tmp_path / "a.folded")
        assert files(tmp_path) == ["a.folded"]
    else:
        assert process.returncode in (-signal.SIGINT, 130), stderr
        assert files(tmp_path) == []


def test_signal_during_the_start_of_a_command(spawn, tmp_path):
    process = spawn("-o", "a.folded", "--", "/bin/sleep", "20", cwd=tmp_path)
    wait_until(lambda: blocked(process.pid) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=15)
    assert process.returncode in (130, -signal.SIGINT)
    assert files(tmp_path) in ([], ["a.folded"])


def test_snapshots(spawn, start, profbpf, tmp_path):
    process = spawn("--pid", busy_target(start).pid, "-o", "a.folded", "-o", "a.profbpf", cwd=tmp_path)
    wait_sampling(process)
    totals = []
    for number in (1, 2):
        time.sleep(0.6)
        process.send_signal(signal.SIGUSR1)
        path = tmp_path / f"a.profbpf.{number}"
        wait_until(path.exists, timeout=20)
        totals.append(sum(folded.read(tmp_path / f"a.folded.{number}").values()))
        assert not (tmp_path / "a.folded").exists()
    time.sleep(0.6)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    last = folded.read(tmp_path / "a.folded")
    assert 0 < totals[0] < totals[1] < sum(last.values())
    assert any("spin_round" in frame for stack in last for frame in stack)
    assert files(tmp_path) == sorted(f"{name}{end}" for name in ("a.folded", "a.profbpf")
                                     for end in ("", ".1", ".2"))
    # A capture and its snapshots are whole: each says what the folded stacks beside it say.
    for end in ("", ".1", ".2"):
        done = profbpf("convert", tmp_path / f"a.profbpf{end}", tmp_path / "again.folded")
        assert done.stderr == ""
        assert folded.read(tmp_path / "again.folded") == folded.read(tmp_path / f"a.folded{end}")


def test_no_snapshot_beside_a_device(spawn, start, tmp_path):
    process = spawn("--pid", busy_target(start).pid, "-o", "/dev/null", "-o", "a.folded",
                    "--format", "folded", cwd=tmp_path)
    wait_sampling(process)
    process.send_signal(signal.SIGUSR1)
    wait_until((tmp_path / "a.folded.1").exists, timeout=20)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=30) == 0
        assert not os.path.exists("/dev/null.1")
    finally:
        if os.path.exists("/dev/null.1"):
            os.unlink("/dev/null.1")


def test_killed(spawn, start, profbpf, tmp_path):
    """Nothing is under the final name, and what was written until then can be read."""
    (tmp_path / "profile.profbpf").write_text("precious")
    process = spawn("--pid", busy_target(start).pid, cwd=tmp_path)
    wait_sampling(process)
    time.sleep(1.6)
    process.kill()
    process.wait()
    assert (tmp_path / "profile.profbpf").read_text() == "precious"
    left = [name for name in files(tmp_path) if name != "profile.profbpf"]
    assert len(left) == 1 and left[0].startswith(".profile.profbpf.")
    shutil.copy(tmp_path / left[0], tmp_path / "left.profbpf")
    done = profbpf("report", "left.profbpf", status=None, cwd=tmp_path)
    assert done.returncode in (0, 1)
    assert "cut off" in done.stderr


# --- outputs ---


def test_the_default_output(spawn, profbpf, start, tmp_path):
    target = busy_target(start)
    profbpf("--pid", target.pid, "-d", 0.3, cwd=tmp_path)
    first = (tmp_path / "profile.profbpf").read_bytes()
    profbpf("--pid", target.pid, "-d", 0.3, cwd=tmp_path)
    assert files(tmp_path) == ["profile.profbpf", "profile.profbpf.old"]
    assert (tmp_path / "profile.profbpf.old").read_bytes() == first
    assert (tmp_path / "profile.profbpf").read_bytes() != first
    assert "spin_round" in profbpf("report", cwd=tmp_path).stdout


def test_a_named_output_replaces_the_older(profbpf, start, tmp_path):
    (tmp_path / "a.folded").write_text("older")
    profbpf("--pid", busy_target(start).pid, "-d", 0.3, "-o", "a.folded", cwd=tmp_path)
    folded.read(tmp_path / "a.folded")
    assert files(tmp_path) == ["a.folded"]


def test_outputs_belong_to_the_user_behind_sudo(profbpf, start, public_dir):
    environment = {**os.environ, "SUDO_UID": str(UNPRIVILEGED), "SUDO_GID": str(UNPRIVILEGED)}
    names = ["a.pb.gz", "a.folded", "a.speedscope.json", "a.txt", "a.profbpf"]
    words = [word for name in names for word in ("-o", name)]
    profbpf("--pid", busy_target(start).pid, "-d", 0.3, *words, cwd=public_dir, env=environment)
    assert files(public_dir) == sorted(names)
    for name in names:
        found = (public_dir / name).stat()
        assert (found.st_uid, found.st_gid) == (UNPRIVILEGED, UNPRIVILEGED), name


@pytest.mark.parametrize("name", ["pprof", "folded", "speedscope"])
def test_standard_output(build, start, tmp_path, name):
    done = subprocess.run([build / "profbpf", "--pid", str(busy_target(start).pid), "-d", "0.3", "-o", "-",
                           "--format", name], capture_output=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "a").write_bytes(done.stdout)
    if name == "pprof":
        assert pprof.read(tmp_path / "a").total(0) > 0
    elif name == "folded":
        assert sum(folded.read(tmp_path / "a").values()) > 0
    else:
        assert b"speedscope.app/file-format-schema.json" in done.stdout
    assert b"samples in" in done.stderr


def test_standard_output_closed_early(spawn, start, tmp_path):
    reader, writer = os.pipe()
    process = spawn("--pid", busy_target(start).pid, "-d", "0.5", "-o", "-", "--format", "folded",
                    stdout=writer, cwd=tmp_path)
    os.close(writer)
    os.close(reader)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 1
    assert re.search("cannot write (to )?standard output: Broken pipe", stderr)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("name", ["a.profbpf", "a.pb.gz", "a.folded", "a.speedscope.json"])
def test_disk_full(profbpf, start, small_disk, tmp_path, name):
    (small_disk / name).write_text("precious")
    with open(small_disk / "filler", "wb", buffering=0) as filler, pytest.raises(OSError):
        while True:
            filler.write(bytes(4096))
    done = profbpf("--pid", busy_target(start).pid, "-d", 1, "-o", small_disk / name, "-o", tmp_path / "b.folded",
                   status=1)
    assert f"cannot write to {small_disk / name}: No space left on device" in done.stderr
    assert (small_disk / name).read_text() == "precious"
    assert files(small_disk) == sorted([name, "filler"])
    # The other output is whole all the same.
    assert sum(folded.read(tmp_path / "b.folded").values()) > 0


def test_a_capture_cut_at_any_byte(profbpf, start, tmp_path):
    """Whole slices are read, more with each byte; the loss is said."""
    target = busy_target(start)
    profbpf("--pid", target.pid, "-d", 2.2, "-o", "a.profbpf", "-o", "a.folded", cwd=tmp_path)
    whole = (tmp_path / "a.profbpf").read_bytes()
    total = sum(folded.read(tmp_path / "a.folded").values())
    counts = []
    places = sorted({len(whole) * i // 40 for i in range(1, 40)} | {len(whole) - 1, len(whole) - 2})
    for at in places:
        (tmp_path / "cut.profbpf").write_bytes(whole[:at])
        done = profbpf("convert", "cut.profbpf", "cut.folded", status=None, cwd=tmp_path)
        assert "cut" in done.stderr, done.stderr
        if done.returncode:
            assert done.returncode == 1
            counts.append(0)
        else:
            counts.append(sum(folded.read(tmp_path / "cut.folded").values()))
    assert counts == sorted(counts)
    assert counts[0] == 0 and counts[-1] == total
    assert len(set(counts)) >= 3, counts


# --- what is said ---


def test_quiet(profbpf, start, tmp_path):
    done = profbpf("-q", "--pid", busy_target(start).pid, "-d", 0.3, cwd=tmp_path)
    assert done.stdout == done.stderr == ""


def test_verbose_says_more(profbpf, start, tmp_path):
    target = busy_target(start)
    plain = profbpf("--pid", target.pid, "-d", 0.3, cwd=tmp_path).stderr
    verbose = profbpf("-v", "--pid", target.pid, "-d", 0.3, cwd=tmp_path).stderr
    clock = "every 1001001 ns"  # what 999 Hz is
    assert clock in verbose and clock not in plain
    assert "\r" not in plain + verbose and "\x1b" not in plain + verbose


def test_closing_lines(profbpf, start, tmp_path):
    done = profbpf("--pid", busy_target(start).pid, "-d", 0.5, "-o", "a.pb.gz", cwd=tmp_path)
    assert done.stdout == ""
    closing, following = done.stderr.splitlines()[-2:]
    match = re.search(r"(\d+) samples in ([\d.]+) s: (\d+) ticks requested = (\d+) recorded \+ (\d+) coalesced "
                      r"\+ (\d+) dropped .*wrote a\.pb\.gz$", closing)
    samples, seconds, requested, recorded, coalesced, dropped = (float(group) for group in match.groups())
    assert requested == recorded + coalesced + dropped
    assert samples == recorded == pprof.read(tmp_path / "a.pb.gz").total(0)
    assert seconds == pytest.approx(0.5, abs=0.3)
    assert following.startswith("profbpf: next: go tool pprof ")


def test_progress_on_a_terminal(build, start, tmp_path):
    target = busy_target(start)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execv(build / "profbpf", ["profbpf", "--pid", str(target.pid), "-d", "2.5"])
    shown = read_terminal(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown
    assert re.search(r"\r\x1b\[K\d of 2 s, \d+ samples", shown), shown
    # It is gone before anything else is said.
    assert re.search(r"\r\x1b\[K(\x1b\[1m)?pid ", shown), shown
    assert "samples in" in shown
    assert "next: profbpf report profile.profbpf" in shown


# --- merging ---


def test_two_recordings_merged_count_both(profbpf, start, tmp_path):
    target, other = busy_target(start), start("who-a", "-s", 60)
    other.open_gate()
    profbpf("--pid", target.pid, "-d", 0.5, "-o", "a.profbpf", "-o", "a.folded", cwd=tmp_path)
    profbpf("--pid", other.pid, "-d", 0.5, "-o", "b.profbpf", "-o", "b.folded", cwd=tmp_path)
    target.end()
    other.end()
    profbpf("merge", "sum.profbpf", "a.profbpf", "b.profbpf", cwd=tmp_path)
    profbpf("convert", "sum.profbpf", "sum.folded", cwd=tmp_path)
    profbpf("convert", "sum.profbpf", "sum.pb.gz", cwd=tmp_path)
    both = collections.Counter(folded.read(tmp_path / "a.folded"))
    both.update(folded.read(tmp_path / "b.folded"))
    assert folded.read(tmp_path / "sum.folded") == both
    assert pprof.read(tmp_path / "sum.pb.gz").total(0) == sum(both.values())


def test_converted_by_another_user_with_the_target_gone(unprivileged, profbpf, program, public_dir,
                                                         tmp_path):
    """To every format, though neither the program's file nor the process is there any more."""
    own = tmp_path / "who"
    shutil.copy(program("who-a"), own)
    profbpf("-o", public_dir / "a.profbpf", "-o", tmp_path / "a.folded", "--", own, "-s", 0.5)
    own.unlink()
    (public_dir / "a.profbpf").chmod(0o644)
    for extension in ("pb.gz", "folded", "speedscope.json", "txt", "profbpf"):
        done = unprivileged("convert", "a.profbpf", f"b.{extension}")
        assert (done.returncode, done.stderr) == (0, ""), extension
    assert folded.read(public_dir / "b.folded") == folded.read(tmp_path / "a.folded")
    assert pprof.read(public_dir / "b.pb.gz").shares()["who_a_work"] > 0.8
    assert "who_a_work" in (public_dir / "b.txt").read_text()
    assert "who_a_work" in (public_dir / "b.speedscope.json").read_text()
