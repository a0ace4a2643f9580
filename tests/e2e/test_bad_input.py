# SPDX-License-Identifier: BSD-2-Clause
"""What cannot work: one clear message with the remedy, the documented status, nothing left behind,
and no time lost before it is said."""

import contextlib
import json
import os
import subprocess
import time

import pytest

from conftest import UNPRIVILEGED

EXIT_FAILED, EXIT_USAGE, EXIT_UNSUPPORTED = 1, 2, 3


def run(command, folder):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, cwd=folder)


def messages(done):
    """What was said, each line with the program's name."""
    lines = done.stderr.splitlines()
    assert lines and all(line.startswith("profbpf: ") for line in lines), done.stderr
    return lines


def requirements(done):
    """{name: requirement} of check --json."""
    return {one["name"]: one for one in json.loads(done.stdout)["requirements"]}


# --- the command line ---


@pytest.mark.parametrize("words, parts", [
    (["--pid", "1", "--no-such-option"], ["--no-such-option"]),
    (["--pid", "1", "-o", "a.svg"], ["a.svg", ".pb.gz", ".folded"]),
    (["--pid", "1", "-o", "-"], ["--format"]),
    (["--pid", "1", "--format", "svg", "-o", "a"], ["svg", "pprof"]),
    (["--pid", "x"], ["'x'"]),
    (["--pid", "1", "-d", "-3"], ["'-3'"]),
    (["--pid", "1", "-d", "nan"], ["'nan'"]),
    (["--pid", "1", "-F", "0"], ["'0'"]),
    (["--pid", "1", "--kernel=maybe"], ["maybe"]),
])
def test_usage(profbpf, tmp_path, words, parts):
    done = profbpf(*words, status=EXIT_USAGE, cwd=tmp_path)
    line, = messages(done)
    assert done.stdout == "" and all(part in line for part in parts), line
    assert os.listdir(tmp_path) == []


def test_rate_above_the_kernels_limit(profbpf, tmp_path):
    with open("/proc/sys/kernel/perf_event_max_sample_rate") as file:
        limit = int(file.read())
    if limit >= 1000000:
        pytest.skip("the kernel's limit is above what the option takes")
    line, = messages(profbpf("-a", "-F", limit + 1, "-d", 1, status=EXIT_USAGE, cwd=tmp_path))
    assert str(limit) in line and "perf_event_max_sample_rate" in line


# --- outputs ---


@pytest.mark.parametrize("path, part", [
    ("missing/a.pb.gz", "create the folder"),
    ("file/a.pb.gz", "Not a directory"),
    ("folder.pb.gz", "name a file in it"),
    ("/proc/a.pb.gz", "cannot write"),
])
def test_output_that_cannot_be(profbpf, start, tmp_path, path, part):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.pb.gz").mkdir()
    before = sorted(os.listdir(tmp_path))
    target = start("spin", "-s", 60)
    begin = time.monotonic()
    done = profbpf("--pid", target.pid, "-d", 50, "-o", "good.folded", "-o", path, status=EXIT_FAILED, cwd=tmp_path)
    assert time.monotonic() - begin < 40, "it sampled first"
    line, = messages(done)
    assert path in line and part in line
    assert sorted(os.listdir(tmp_path)) == before


def test_folder_that_may_not_be_written_to(unprivileged, public_dir):
    locked = public_dir / "locked"
    locked.mkdir(mode=0o755)
    done = unprivileged("--pid", os.getpid(), "-o", "locked/a.folded")
    assert done.returncode in (EXIT_FAILED, EXIT_UNSUPPORTED)
    assert all(line.startswith("profbpf: ") for line in done.stderr.splitlines())
    assert os.listdir(locked) == []


def test_read_only_disk(profbpf, start, tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", folder], check=True)
    try:
        line, = messages(profbpf("--pid", start("spin").pid, "-o", folder / "a.folded", status=EXIT_FAILED))
        assert "Read-only file system" in line and "name a file" in line
    finally:
        subprocess.run(["umount", folder], check=True)


# --- privilege ---


def test_not_root(public_program, public_dir, need):
    nobody = [need("setpriv"), f"--reuid={UNPRIVILEGED}", f"--regid={UNPRIVILEGED}", "--clear-groups", "--"]
    for words in (["--pid", os.getpid()], ["-a", "-d", 1], ["--", "touch", "ran"]):
        done = run([*nobody, public_program, *words], public_dir)
        assert done.returncode == EXIT_UNSUPPORTED, done.stderr
        text = " ".join(messages(done))
        assert "CAP_BPF" in text and "CAP_PERFMON" in text and "sudo" in text
        assert os.listdir(public_dir) == ["profbpf"]


ALL = {"bpf", "perfmon", "sys_ptrace", "checkpoint_restore", "syslog", "sys_admin", "sys_resource", "dac_override",
       "dac_read_search"}


def without(setpriv, *names):
    dropped = ",".join(f"-{name}" for name in names)
    return [setpriv, "--inh-caps", dropped, "--bounding-set", dropped, "--"]


def only(setpriv, *names):
    kept = ",".join(["-all", *(f"+{name}" for name in names)])
    return [setpriv, "--inh-caps", kept, "--bounding-set", kept, "--"]


def record(prefix, program, target, folder):
    return run([*prefix, program, "-q", "--pid", target.pid, "-d", 0.3, "-o", "a.folded"], folder)


def agree(prefix, program, target, folder):
    """Records, asks check, and returns both; they must say the same."""
    done = record(prefix, program, target, folder)
    checked = run([*prefix, program, "check", "--json"], folder)
    assert checked.returncode == done.returncode, (checked.stdout, done.stderr)
    assert json.loads(checked.stdout)["can_record"] == (done.returncode == 0)
    return done, requirements(checked)


@pytest.mark.parametrize("name", sorted(ALL | {"net_admin", "ipc_lock"}))
def test_each_capability_is_dropped_alone(build, start, need, public_dir, name):
    """CAP_SYS_ADMIN stands for those split off from it, so one alone is missed by nobody."""
    target = start("spin", "-s", 60)
    target.open_gate()
    done, _ = agree(without(need("setpriv"), name), build / "profbpf", target, public_dir)
    assert done.returncode == 0, done.stderr
    text = (public_dir / "a.folded").read_text()
    assert "spin" in text
    assert "inlined_inner" in text, "no names"


@pytest.mark.parametrize("name", ["bpf", "perfmon"])
def test_vital_capabilities(build, start, need, public_dir, name):
    target = start("spin", "-s", 60)
    target.open_gate()
    done, found = agree(without(need("setpriv"), name, "sys_admin"), build / "profbpf", target, public_dir)
    assert done.returncode == EXIT_UNSUPPORTED, done.stderr
    capability = f"CAP_{name.upper()}"
    assert any(f"missing: {capability} (not held): run with sudo" in line for line in messages(done))
    assert found[capability]["state"] == "missing"
    assert os.listdir(public_dir) == []


def test_the_least_that_is_needed(build, start, need, public_dir):
    """With CAP_BPF and CAP_PERFMON a process of the same user is recorded; what the other capabilities
    are for is told by check."""
    target = start("spin", "-s", 60)
    target.open_gate()
    done, found = agree(only(need("setpriv"), "bpf", "perfmon"), build / "profbpf", target, public_dir)
    assert done.returncode == 0, done.stderr
    assert (public_dir / "a.folded").read_text()
    for name in ("CAP_SYS_PTRACE", "CAP_CHECKPOINT_RESTORE", "CAP_SYSLOG"):
        assert found[name]["state"] == "note" and found[name]["remedy"]


def test_names_without_the_right_to_look_into_processes(build, start, need, public_dir):
    """A target with more rights than the profiler: it is recorded, and the lack of names is said."""
    target = start("spin", "-s", 60)
    target.open_gate()
    prefix = only(need("setpriv"), "bpf", "perfmon", "dac_read_search", "dac_override")
    done = run([*prefix, build / "profbpf", "--pid", target.pid, "-d", 0.5, "-o", "a.folded"], public_dir)
    assert done.returncode == 0, done.stderr
    text = (public_dir / "a.folded").read_text()
    assert "inlined_inner" in text or "could not be opened" in done.stderr or "ptrace" in done.stderr.lower(), (
        text, done.stderr)


@pytest.fixture
def paranoid():
    """kernel.perf_event_paranoid at its strictest for the time of the test."""
    path = "/proc/sys/kernel/perf_event_paranoid"
    with open(path) as file:
        before = file.read()
    try:
        with open(path, "w") as file:
            file.write("4")
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


def test_perf_event_paranoid(paranoid, build, start, need, public_dir):
    """It does not matter to who holds CAP_PERFMON."""
    target = start("spin", "-s", 60)
    target.open_gate()
    done, found = agree(only(need("setpriv"), "bpf", "perfmon", "sys_ptrace"), build / "profbpf", target, public_dir)
    assert done.returncode == 0, done.stderr
    assert found["kernel.perf_event_paranoid"]["value"] == "4"
    done, found = agree(only(need("setpriv"), "bpf"), build / "profbpf", target, public_dir)
    assert done.returncode == EXIT_UNSUPPORTED
    assert "CAP_PERFMON" in done.stderr


# --- the kernel ---


NO_BTF = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
          'mount --bind "$0" /sys/kernel/btf && exec "$@"']


def test_no_kernel_types(build, start, public_dir, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    target = start("spin", "-s", 60)
    target.open_gate()
    done, found = agree([*NO_BTF, empty], build / "profbpf", target, public_dir)
    assert done.returncode == EXIT_UNSUPPORTED
    assert any("missing: kernel types (BTF)" in line for line in messages(done)), done.stderr
    assert found["kernel types (BTF)"]["state"] == "missing" and found["kernel types (BTF)"]["remedy"]
    assert os.listdir(public_dir) == []


def test_few_files(build, start, need, public_dir):
    """A low limit of open files is said, not a crash."""
    target = start("spin", "-s", 60)
    target.open_gate()
    for limit in (8, 16, 20, 24, 28, 32, 40, 48):
        done = run([need("prlimit"), f"--nofile={limit}:{limit}", build / "profbpf", "--pid", target.pid, "-d", 0.2,
                    "-o", "a.folded"], public_dir)
        assert done.returncode in (0, EXIT_FAILED, EXIT_UNSUPPORTED), done.stderr
        if done.returncode:
            assert "open files" in done.stderr
            assert os.listdir(public_dir) == []


def test_no_locked_memory(build, start, need, public_dir):
    """Kernels since 5.11 charge BPF to the memory control group; perf's buffers need CAP_IPC_LOCK or
    room under one of two limits."""
    target = start("spin", "-s", 60)
    target.open_gate()
    prefix = [*only(need("setpriv"), "bpf", "perfmon", "sys_ptrace"), need("prlimit"), "--memlock=0:0"]
    with mlock_kb(0):
        done, found = agree(prefix, build / "profbpf", target, public_dir)
    assert done.returncode == EXIT_UNSUPPORTED, done.stderr
    assert found["perf buffers"]["state"] == "missing"
    assert "ulimit -l" in done.stderr and "kernel.perf_event_mlock_kb" in done.stderr
    assert os.listdir(public_dir) == []


@contextlib.contextmanager
def mlock_kb(value):
    """Another kernel.perf_event_mlock_kb for a while."""
    path = "/proc/sys/kernel/perf_event_mlock_kb"
    with open(path) as file:
        before = file.read()
    try:
        with open(path, "w") as file:
            file.write(str(value))
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


# --- targets ---


def test_target_that_ends_during_the_attach(profbpf, tmp_path):
    """Whichever of them is first: an end without samples, or a message; never a hang."""
    for _ in range(5):
        child = subprocess.Popen(["sleep", "0.1"])
        done = profbpf("--pid", child.pid, "-d", 20, "-o", "a.folded", status=None, cwd=tmp_path)
        child.wait()
        assert done.returncode in (0, EXIT_FAILED), done.stderr
        if done.returncode:
            line, = messages(done)
            assert str(child.pid) in line
            assert os.listdir(tmp_path) == []
        else:
            os.unlink(tmp_path / "a.folded")


@pytest.mark.parametrize("kind, status", [("missing", 127), ("plain", 126), ("folder", 126)])
def test_command_that_cannot_run(profbpf, tmp_path, kind, status):
    (tmp_path / "plain").write_text("not executable")
    (tmp_path / "folder").mkdir()
    before = sorted(os.listdir(tmp_path))
    line, = messages(profbpf("--", f"./{kind}", status=status, cwd=tmp_path))
    assert f"./{kind}" in line
    assert sorted(os.listdir(tmp_path)) == before
