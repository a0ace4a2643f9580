# SPDX-License-Identifier: BSD-2-Clause
"""The stacks of live processes, against gdb and elfutils on the same sleeping threads."""

import json
import os
import re
import signal
import struct
import subprocess
import threading
import time

import pytest

from conftest import UNPRIVILEGED

FRAME = {"function": str, "system_name": str, "file": str, "line": int, "column": int, "object": str,
         "address": int, "named": bool, "kernel": bool, "inlined": bool, "guess": bool}
THREAD = {"tid": int, "name": str, "state": str, "wait": str, "end": (str, type(None)), "frames": list,
          "more_frames": int}
DUMP = {"format": str, "format_version": int, "pid": int, "name": str, "exe": str, "time_ns": int,
        "threads": list}
STATES = {"running", "waiting", "sleeping", "uninterruptible", "stopped", "traced", "ending"}


class Sleepers:
    """The target program: its sleeping threads, the file of its count."""

    def __init__(self, path, threads, count):
        self.count_file = count
        self.process = subprocess.Popen([path, str(threads), count], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"asleep\n"
        self.pid = self.process.pid
        self.wait_asleep(threads)

    def wait_asleep(self, threads):
        """About to sleep is not asleep yet."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            states = []
            for tid in os.listdir(f"/proc/{self.pid}/task"):
                with open(f"/proc/{self.pid}/task/{tid}/stat") as file:
                    states.append(file.read().rpartition(")")[2].split()[0])
            if states.count("S") > threads:
                return
            time.sleep(0.01)
        raise AssertionError("the threads don't fall asleep")

    def count(self):
        return struct.unpack("Q", self.count_file.read_bytes())[0]


@pytest.fixture
def sleepers(program, tmp_path):
    """sleepers(THREADS): a process with so many sleeping threads, its main thread and a counter."""
    running = []

    def run(threads=12):
        running.append(Sleepers(program("sleepers"), threads, tmp_path / "count"))
        return running[-1]

    yield run
    for target in running:
        target.process.kill()
        target.process.communicate()


@pytest.fixture
def dump(profbpf):
    """dump(PID, OPTION…): the JSON dump of a process."""
    return lambda pid, *args: json.loads(profbpf("dump", pid, "--json", *args).stdout)


def sleeping(threads):
    return {t["tid"]: t for t in threads if t["name"] != "counter"}


def bases(pid):
    """Where each file begins in the process."""
    found = {}
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            fields = line.split(maxsplit=5)
            if len(fields) == 6 and int(fields[2], 16) == 0:
                found.setdefault(fields[5].strip(), int(fields[0].partition("-")[0], 16))
    return found


def counters(pid, thread):
    """The program counters of a thread's user frames: that of a call stands behind it."""
    base = bases(pid)
    frames = [f for f in thread["frames"] if not f["kernel"] and not f["inlined"]]
    return [base[f["object"]] + f["address"] + (i > 0) for i, f in enumerate(frames)]


def elfutils(need, pid):
    """{tid: program counters} by eu-stack."""
    done = subprocess.run([need("eu-stack"), "-p", str(pid)], capture_output=True, text=True, timeout=60)
    stacks = {}
    for line in done.stdout.splitlines():
        if match := re.match(r"TID (\d+):", line):
            stack = stacks[int(match[1])] = []
        elif match := re.match(r"#\d+\s+0x([0-9a-f]+)", line):
            stack.append(int(match[1], 16))
    return stacks


GDB = """
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, pcs = gdb.newest_frame(), []
    while frame:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):  # neither is on the stack
            pcs.append(frame.pc())
        frame = frame.older()
    print("STACK", thread.ptid[1] or thread.ptid[0], *pcs)
"""


def gdb(need, pid, script):
    """{tid: program counters} by gdb."""
    script.write_text(GDB)
    done = subprocess.run(
        [need("gdb"), "-nx", "-batch", "-p", str(pid), "-ex", "set backtrace past-main on", "-ex",
         "set backtrace past-entry on", "-x", script], capture_output=True, text=True, timeout=120,
        stdin=subprocess.DEVNULL)
    lines = [list(map(int, line.split()[1:])) for line in done.stdout.splitlines()
             if line.startswith("STACK ")]
    return {line[0]: line[1:] for line in lines}


def assert_same_stacks(target, dumped, other):
    threads = sleeping(dumped["threads"])
    assert len(threads) == 13
    assert {tid: counters(target.pid, t) for tid, t in threads.items()} == \
        {tid: other[tid] for tid in threads}


def test_same_frames_as_elfutils(sleepers, dump, need):
    target = sleepers()
    assert_same_stacks(target, dump(target.pid), elfutils(need, target.pid))


def test_same_frames_as_gdb(sleepers, dump, need, tmp_path):
    target = sleepers()
    assert_same_stacks(target, dump(target.pid), gdb(need, target.pid, tmp_path / "stacks.py"))


def test_sleeping_threads(sleepers, dump):
    """The kinds and depths of the program's own making."""
    target = sleepers()
    calls = [("sleep_by_read", "read"), ("sleep_by_wait", "futex"), ("sleep_by_poll", "poll"),
             ("sleep_in_sort", "read")]
    threads = {t["name"]: t for t in dump(target.pid)["threads"]}
    for i in range(12):
        thread = threads[f"sleeper-{i}"]
        names = [f["function"] for f in thread["frames"]]
        function, call = calls[i % 4]
        assert thread["state"] == "sleeping" and thread["wait"] == call
        assert thread["end"] == "root" and thread["more_frames"] == 0
        assert names.count("descend") == i % 13 + 1 and names.count(function) == 1
        assert any(f["kernel"] for f in thread["frames"])
        assert not any(f["guess"] for f in thread["frames"])


def test_running_thread(sleepers, dump):
    target = sleepers(2)
    caught = set()
    for _ in range(6):
        thread, = [t for t in dump(target.pid)["threads"] if t["name"] == "counter"]
        assert thread["state"] in ("running", "waiting")
        if not thread["frames"]:  # no tick came to its CPU
            assert thread["state"] == "running" and thread["end"] is None
            continue
        caught.add(thread["state"])
        names = [f["function"] for f in thread["frames"] if not f["kernel"]]
        assert names[-3:-1] == ["counter", "start_thread"] and thread["end"] == "root"
        assert names[:-3] in ([], ["count_one"])
    assert caught


def test_schema(sleepers, dump):
    target = sleepers()
    before = time.time()
    dumped = dump(target.pid)

    def check(value, schema):
        assert list(value) == list(schema)
        for name, kind in schema.items():
            assert isinstance(value[name], kind), name
            assert isinstance(value[name], bool) == (kind is bool), name

    check(dumped, DUMP)
    assert (dumped["format"], dumped["format_version"]) == ("profbpf-dump", 1)
    assert (dumped["pid"], dumped["name"]) == (target.pid, "sleepers")
    assert dumped["exe"] == os.readlink(f"/proc/{target.pid}/exe")
    assert before <= dumped["time_ns"] / 1e9 <= time.time()
    tids = [t["tid"] for t in dumped["threads"]]
    assert tids == sorted(map(int, os.listdir(f"/proc/{target.pid}/task")))
    for thread in dumped["threads"]:
        check(thread, THREAD)
        assert thread["state"] in STATES
        with open(f"/proc/{target.pid}/task/{thread['tid']}/comm") as file:
            assert thread["name"] == file.read().rstrip("\n")
        for frame in thread["frames"]:
            check(frame, FRAME)


def test_many_threads(sleepers, dump):
    target = sleepers(200)
    threads = dump(target.pid)["threads"]
    assert len(threads) == 202
    for thread in sleeping(threads).values():
        assert thread["end"] == "root", thread["name"]
        if thread["name"] != "sleepers":
            depth = int(thread["name"].rpartition("-")[2]) % 13 + 1
            assert [f["function"] for f in thread["frames"]].count("descend") == depth


CHURN = """
import threading, time
for _ in range(300):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print("asleep", flush=True)
while True:
    for thread in [threading.Thread(target=int) for _ in range(20)]:
        thread.start()
"""


def test_threads_that_end_meanwhile(dump):
    """Threads that come and go while others are visited: those that stay are all there."""
    target = subprocess.Popen(["/usr/bin/python3", "-c", CHURN], stdout=subprocess.PIPE)
    try:
        assert target.stdout.readline() == b"asleep\n"
        lasting = set(sorted(map(int, os.listdir(f"/proc/{target.pid}/task")))[:301])
        for _ in range(3):
            assert lasting <= {t["tid"] for t in dump(target.pid)["threads"]}
    finally:
        target.kill()
        target.communicate()


def test_target_goes_on(sleepers, spawn):
    """Its state is never that of a stopped or traced process, and its counter goes on."""
    target = sleepers(100)
    counts, states = [target.count()], set()
    profiler = spawn("dump", target.pid)
    output = []
    reader = threading.Thread(target=lambda: output.extend(profiler.communicate()))
    reader.start()
    while reader.is_alive():
        with open(f"/proc/{target.pid}/status") as file:
            status = file.read()
        states.add(re.search(r"^State:\s*(\S)", status, re.M)[1])
        assert re.search(r"^TracerPid:\s*0$", status, re.M)
        counts.append(target.count())
        time.sleep(0.02)
    reader.join()
    assert profiler.returncode == 0, output[1]
    assert states <= set("RSD")
    # Each look at it saw it further, but for those that its CPU's other work fell into.
    steps = [b > a for a, b in zip(counts, counts[1:])]
    assert sum(steps) >= len(steps) / 2 and len(steps) > 3


def test_text(sleepers, profbpf):
    target = sleepers(4)
    text = profbpf("dump", target.pid).stdout
    head, *threads = text.split("\n\n")
    exe = os.readlink(f"/proc/{target.pid}/exe")
    assert head == f'Process {target.pid} "sleepers" {exe}, 6 threads'
    assert len(threads) == 6
    thread, = [t for t in threads if '"sleeper-3"' in t]
    assert re.match(r'Thread \d+ "sleeper-3" \(sleeping in read\)\n', thread)
    lines = thread.splitlines()[1:]
    assert sum(bool(re.fullmatch(r"  descend \(sleepers\.c:\d+\) \[sleepers\]", line))
               for line in lines) == 4
    assert any(re.fullmatch(r"  \S+ \[kernel\]", line) for line in lines)
    assert all(line.startswith("  ") for line in lines)


def test_options(sleepers, profbpf, dump, root, tmp_path):
    target = sleepers(4)
    short = dump(target.pid, "--max-depth", 3)["threads"]
    whole = dump(target.pid)["threads"]
    for a, b in zip(short, whole):
        if a["name"] != "counter":
            assert a["frames"] == b["frames"][:3]
            assert a["more_frames"] == len(b["frames"]) - 3
    assert "more)" in profbpf("dump", target.pid, "--max-depth", 3).stdout
    bare = dump(target.pid, "--no-kernel")["threads"]
    assert not any(f["kernel"] for t in bare for f in t["frames"])
    assert {t["wait"] for t in sleeping(bare).values()} == {"read", "futex", "poll"}
    paths = profbpf("dump", target.pid, "--lines").stdout
    assert re.search(rf"  descend \({re.escape(str(root))}/tests/programs/sleepers\.c:\d+:\d+\) "
                     rf"\[{re.escape(os.readlink(f'/proc/{target.pid}/exe'))}\]", paths)
    out = tmp_path / "dump.txt"
    assert profbpf("dump", target.pid, "-o", out).stdout == ""
    assert out.read_text().startswith("Process ")


def test_stopped_process(sleepers, dump):
    target = sleepers(4)
    os.kill(target.pid, signal.SIGSTOP)
    time.sleep(0.2)
    threads = dump(target.pid)["threads"]
    os.kill(target.pid, signal.SIGCONT)
    assert {t["state"] for t in threads} == {"stopped"}
    assert all(t["end"] == "root" for t in threads)


def test_wrong_targets(sleepers, profbpf):
    target = sleepers(2)
    thread = max(map(int, os.listdir(f"/proc/{target.pid}/task")))
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    for pid, said in [(thread, f"use profbpf dump {target.pid}"), (zombie.pid, "zombie"),
                      (4194304, "there is no process 4194304"), (2, "kernel thread")]:
        done = profbpf("dump", pid, status=1)
        assert said in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1
    zombie.wait()
    for arguments in ([], ["x"], [target.pid, target.pid], [target.pid, "--max-depth", "-1"]):
        assert profbpf("dump", *arguments, status=2).stderr.count("\n") == 1


def test_without_rights(sleepers, profbpf):
    target = sleepers(2)
    done = profbpf("dump", target.pid, status=3, user=UNPRIVILEGED)
    assert done.stdout == "" and "sudo" in done.stderr
