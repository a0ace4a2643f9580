# SPDX-License-Identifier: BSD-2-Clause
"""What can be profiled: processes, their children, commands, the machine, threads; also from inside
pid namespaces."""

import dataclasses
import json
import os
import pathlib
import pwd
import re
import signal
import subprocess
import time

import pytest

import recording
from decoders import folded, pprof
from targets import Target, wait_until

BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; "


@pytest.fixture
def out(tmp_path):
    return tmp_path / "a.pb.gz"


def children_of(pid):
    text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def spun(profile):
    """Share of the samples in the work of the target "spin"."""
    return profile.shares(lambda frames: {any(f[0].startswith("spin_") for f in frames)}).get(True, 0)


def pids(profile):
    return set(profile.label_shares("pid"))


def busy_family(start, program, *, extra=""):
    """A shell with a child that works: (the shell, the child's pid)."""
    spin = program("spin")
    target = start("/bin/sh", "-c", f"{spin} -s 60 > /dev/null & {extra} wait",
                   env={"TARGET_GATE": ""}, start_new_session=True)
    child = wait_until(lambda: children_of(target.pid))
    return target, child[0]


@pytest.fixture
def family(start, program):
    families = []

    def run(**options):
        families.append(busy_family(start, program, **options))
        return families[-1]

    yield run
    for target, _ in families:
        os.killpg(target.pid, signal.SIGKILL)


# --- --pid ---


def test_several_processes(start, profbpf, out):
    targets = [start("spin", "-s", 30) for _ in range(3)]
    for target in targets:
        target.open_gate()
    profbpf("--pid", f"{targets[0].pid},{targets[1].pid}", "-d", 1, "-o", out)
    assert pids(pprof.read(out)) == {targets[0].pid, targets[1].pid}


def test_children_from_before_the_attach(family, profbpf, out):
    shell, child = family()
    profbpf("--pid", shell.pid, "-d", 1, "-o", out)
    profile = pprof.read(out)
    assert pids(profile) == {child}
    assert spun(profile) > 0.9


def test_children_that_come_later(start, spawn, program, out):
    spin = program("spin")
    shell = start("/bin/sh", "-c", f"read x; {spin} -s 1 & {spin} -s 1 & wait; {BUSY} read x",
                  env={"TARGET_GATE": ""})
    profiler = spawn("--pid", shell.pid, "-o", out)
    recording.wait_for_sampling(profiler, out)
    shell.process.stdin.write(b"\n")
    shell.process.stdin.flush()
    children = wait_until(lambda: (found := children_of(shell.pid))[1:] and found)
    wait_until(lambda: not children_of(shell.pid), timeout=20)
    time.sleep(0.3)
    recording.stop(profiler)
    profile = pprof.read(out)
    assert pids(profile) == {shell.pid, *children}
    for child in children:
        samples = [s for s in profile.samples if s.labels["pid"] == child]
        assert {s.labels["process"] for s in samples} <= {"sh", "spin"}
        assert spun(dataclasses.replace(profile, samples=samples)) > 0.8


def test_no_children(family, profbpf, out):
    shell, child = family(extra=BUSY * 20)
    profbpf("--pid", shell.pid, "--no-children", "-d", 1, "-o", out)
    assert pids(pprof.read(out)) == {shell.pid}


def test_a_parent_and_its_child_named_both(family, profbpf, out):
    shell, child = family()
    profbpf("--pid", f"{shell.pid},{child}", "-d", 1, "-o", out)
    assert pids(pprof.read(out)) == {child}


def test_the_target_ends_first(start, spawn, out):
    target = start("spin", "-s", 1)
    profiler = spawn("--pid", target.pid, "-d", 60, "-o", out)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    target.finish()
    stderr = profiler.communicate(timeout=20)[1]
    assert profiler.returncode == 0, stderr
    profile = pprof.read(out)
    assert spun(profile) > 0.9
    assert 0.5e9 < profile.duration_ns < 20e9


def test_a_target_that_ends_while_it_is_attached(profbpf, out):
    """Whatever the moment: a profile of it, or one line that says why not."""
    for delay in (0, 0.02, 0.05, 0.1, 0.2, 0.4):
        target = subprocess.Popen(["sleep", str(delay)])
        reaper = subprocess.Popen(["true"])
        done = profbpf("--pid", target.pid, "-d", 1, "-o", out, status=None)
        target.wait()
        reaper.wait()
        assert done.returncode in (0, 1), done.stderr
        if done.returncode:
            assert len(done.stderr.splitlines()) == 1 and str(target.pid) in done.stderr
            assert "ended" in done.stderr or "no process" in done.stderr
            assert not out.exists()
        else:
            out.unlink()


def test_ten_thousand_threads(start, spawn, out):
    threads = 10000
    limit = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())
    assert limit > threads + 2000, "kernel.pid_max leaves no room for the target's threads"
    target = start("manythreads", "-s", 4, threads, stderr=subprocess.PIPE)
    assert target.process.stderr.readline() == b"ready\n"
    profiler = spawn("--pid", target.pid, "-o", out)
    recording.wait_for_sampling(profiler, out)
    target.open_gate()
    truth = target.process.stdout.readline()
    assert b"manythreads" in truth
    said = recording.said(recording.stop(profiler))
    profile = pprof.read(out)
    assert said.holds() and said.dropped == 0
    assert pids(profile) == {target.pid}
    tids = set(profile.label_shares("thread_id"))
    assert len(tids) > 500
    assert tids <= {int(t) for t in os.listdir(f"/proc/{target.pid}/task")} | set(
        range(target.pid, target.pid + 4 * threads))
    assert profile.shares()["many_work"] > 0.2


# --- -- COMMAND ---


def test_a_command_from_its_exec_on(profbpf, program, tmp_path, out):
    profbpf("-F", 4000, "-o", out, "-o", tmp_path / "a.folded", "--", program("spin"), "-s", 0.5)
    profile = pprof.read(out)
    assert set(profile.label_shares("process")) == {"spin"}
    assert {stack[0] for stack in folded.read(tmp_path / "a.folded")} == {"spin"}
    mappings = {os.path.basename(m.file) for m in profile.mappings.values()}
    assert "spin" in mappings and "profbpf" not in mappings
    functions = {f.name for f in profile.functions.values()}
    assert "main" in functions and not functions & {"run_child", "launch_start", "verb_record"}


def test_the_first_moments_after_exec(profbpf, out):
    """Most of what a short program does is its dynamic linker's work."""
    linker = os.path.basename(os.path.realpath("/lib64/ld-linux-x86-64.so.2"))
    profbpf("-F", 4000, "-o", out, "--", "/bin/true")
    profbpf("-F", 4000, "-o", out, "--", "sh", "-c",
            "i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i+1)); done")
    profile = pprof.read(out)
    assert "true" in profile.label_shares("process")
    assert linker in {os.path.basename(m.file) for m in profile.mappings.values()}


def test_a_commands_children(profbpf, program, out):
    spin = program("spin")
    done = profbpf("-o", out, "--", "sh", "-c", f"({spin} -s 1 > /dev/null) & {BUSY} wait; exit 5",
                   status=5)
    shares = pprof.read(out).label_shares("process")
    assert set(shares) == {"sh", "spin"} and shares["spin"] > 0.1
    assert recording.said(done.stderr).holds()


def test_a_command_without_its_children(profbpf, program, out):
    spin = program("spin")
    profbpf("--no-children", "-o", out, "--", "sh", "-c", f"({spin} -s 0.5 > /dev/null); {BUSY}")
    assert set(pprof.read(out).label_shares("process")) == {"sh"}


def test_a_child_that_outlives_the_command(spawn, program, out):
    """Its output is a file: it must not hold the pipes that the test reads."""
    spin = program("spin")
    profiler = spawn("-o", out, "--", "sh", "-c", f"{spin} -s 2 > /dev/null 2>&1 & exit 3")
    profiler.communicate(timeout=30)
    assert profiler.returncode == 3
    assert pprof.read(out).total(1) > 0.2e9


def test_a_command_longer_than_the_duration(profbpf, program, out):
    done = profbpf("-d", 0.5, "-o", out, "--", "sh", "-c",
                   f"{program('spin')} -s 2; exit 9", status=9)
    assert '"target":"spin"' in done.stdout  # it went on to its end
    assert pprof.read(out).duration_ns == pytest.approx(0.5e9, rel=0.5)


def test_the_status_of_a_signal(profbpf, out):
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
        profbpf("-o", out, "--", "sh", "-c", f"kill -{int(number)} $$", status=128 + number)


def test_who_the_command_runs_as(profbpf, public_dir):
    user = pwd.getpwnam("nobody")
    script = public_dir / "who.py"
    script.write_text("import json, os\n"
                      "print(json.dumps([os.getresuid(), os.getresgid(), os.getgroups(),\n"
                      "                  os.environ['HOME'], os.environ['USER']]))\n")
    environment = {**os.environ, "SUDO_UID": str(user.pw_uid), "SUDO_GID": str(user.pw_gid)}
    done = profbpf("-q", "-o", "a.folded", "--", "/usr/bin/python3", script, cwd=public_dir,
                   env=environment)
    expected = os.getgrouplist(user.pw_name, user.pw_gid)
    uids, gids, groups, home, name = json.loads(done.stdout)
    assert uids == [user.pw_uid] * 3 and gids == [user.pw_gid] * 3
    assert sorted(groups) == sorted(expected)
    assert (home, name) == (user.pw_dir, user.pw_name)


def test_the_machine_while_a_command_runs(profbpf, start, program, out):
    other = start("renamer", "-s", 30)
    other.open_gate()
    profbpf("-a", "-F", 199, "-o", out, "--", "sh", "-c", f"{program('spin')} -s 1; exit 4", status=4)
    profile = pprof.read(out)
    assert other.pid in pids(profile)
    assert "spin" in profile.label_shares("process")
    assert profile.duration_ns < 20e9


# --- filters and times ---


def test_the_whole_machine(profbpf, start, out):
    targets = [start("spin", "-s", 30), start("threads", "-s", 30)]
    for target in targets:
        target.open_gate()
    profbpf("-a", "-F", 199, "-d", 1, "-o", out)
    profile = pprof.read(out)
    assert {target.pid for target in targets} <= pids(profile)
    assert {"spin_round", "hot_alpha"} <= set(profile.shares())


def test_one_thread(start, profbpf, out):
    target = start("threads", "-s", 30)
    target.open_gate()

    def named(name):
        for tid in os.listdir(f"/proc/{target.pid}/task"):
            path = pathlib.Path(f"/proc/{target.pid}/task/{tid}/comm")
            if path.read_text() == name + "\n":
                return int(tid)

    tids = [wait_until(lambda: named(name)) for name in ("alpha-1", "gamma-0")]
    profbpf("--pid", target.pid, "--tid", ",".join(map(str, tids)), "-d", 1, "-o", out)
    profile = pprof.read(out)
    assert set(profile.label_shares("thread_id")) == set(tids)
    assert set(profile.label_shares("thread")) == {"alpha-1", "gamma-0"}
    profbpf("-a", "--tid", tids[0], "-d", 1, "-o", out)
    assert set(pprof.read(out).label_shares("thread_id")) == {tids[0]}


def test_a_delay(spawn, start, out):
    """What runs only while profbpf waits is not in the profile."""
    target = start("forker", "-s", 1.5, "exec", "/bin/sleep", 30)
    target.open_gate()
    wait_until(lambda: target.cpu_seconds() > 0.02)
    profiler = spawn("--pid", target.pid, "--delay", 3, "-d", 1, "-o", out)
    stderr = profiler.communicate(timeout=30)[1]
    assert profiler.returncode == 0, stderr
    profile = pprof.read(out)
    assert "before_exec" not in profile.shares() if profile.samples else True
    assert profile.duration_ns == pytest.approx(1e9, rel=0.3)


# --- pid namespaces ---


def innermost(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return [int(word) for word in re.search(r"^NSpid:(.*)$", status, re.M)[1].split()]


@pytest.mark.parametrize("levels", [1, 2])
def test_a_process_in_another_pid_namespace(program, profbpf, need, out, levels):
    unshare = [need("unshare"), "--pid", "--fork", "--mount-proc", "--kill-child"]
    command = unshare * levels + [program("spin"), "-s", "60"]
    outer = Target(command, start_new_session=True)
    try:
        pid = outer.pid
        for _ in range(levels):
            pid, = wait_until(lambda: children_of(pid))
        wait_until(lambda: os.readlink(f"/proc/{pid}/exe").endswith("/spin"))
        assert innermost(pid) == [pid, *range(2 * levels)][:1] + innermost(pid)[1:]
        assert len(innermost(pid)) == levels + 1
        outer.open_gate()
        profbpf("--pid", pid, "-d", 1, "-o", out)
    finally:
        os.killpg(outer.pid, signal.SIGKILL)
        outer.end()
    profile = pprof.read(out)
    assert pids(profile) == {pid}
    assert spun(profile) > 0.9


INSIDE = r"""
spin=$1 profbpf=$2 out=$3
$spin -s 60 > /dev/null &
child=$!
echo "$child"
sh -c "$spin -s 60 > /dev/null & wait" &
family=$!
sleep 0.3
$profbpf --pid $child -d 0.7 -o $out/pid.pb.gz 2>> $out/err || exit 1
$profbpf --pid $family -d 0.7 -o $out/family.pb.gz 2>> $out/err || exit 1
$profbpf -o $out/command.pb.gz -- $spin -s 0.7 2>> $out/err || exit 1
$profbpf -a -F 199 -d 1 -o $out/all.pb.gz 2>> $out/err || exit 1
echo "$(cat /proc/$family/task/$family/children)"
"""


@pytest.mark.parametrize("levels", [1, 2])
def test_inside_a_pid_namespace(program, build, need, start, tmp_path, levels):
    outside = start("threads", "-s", 60)
    outside.open_gate()
    unshare = [need("unshare"), "--pid", "--fork", "--mount-proc", "--kill-child"]
    done = subprocess.run([*unshare * levels, "sh", "-c", INSIDE, "sh", program("spin"),
                           build / "profbpf", tmp_path], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (tmp_path / "err").read_text() + done.stderr
    words = done.stdout.split()
    child, grandchild = int(words[0]), int(words[-1])
    by_pid = pprof.read(tmp_path / "pid.pb.gz")
    assert pids(by_pid) == {child} and spun(by_pid) > 0.9
    family = pprof.read(tmp_path / "family.pb.gz")
    assert pids(family) == {grandchild} and spun(family) > 0.9
    command = pprof.read(tmp_path / "command.pb.gz")
    assert set(command.label_shares("process")) == {"spin"}
    assert spun(command) > 0.8
    # The machine, as far as it is visible from here.
    everything = pprof.read(tmp_path / "all.pb.gz")
    assert child in pids(everything) and 0 not in pids(everything)
    assert max(pids(everything)) < 200
    assert "hot_alpha" not in everything.shares()
