# SPDX-License-Identifier: BSD-2-Clause
"""--agent: one document that tells all of a command's run, whatever the command does."""

import codecs
import json
import os
import pty
import re
import signal
import subprocess
import time

import jsonschema
import pytest

from contract import in_order
from conftest import UNPRIVILEGED
from decoders import toon
from recording import read_terminal
from targets import wait_until

MEMBERS = ["status", "file", "file_origin", "file_origin_graph_path_segments", "termination", "stdout", "stderr", "debug",
           "logs", "log_sources", "log_source_graph_path_segments", "log_fields", "profile"]
FAILURE = ["error_kind", "error"]
TABLES = [name for name in MEMBERS if name.startswith(("debug", "log", "file_origin_"))]
MIB = 1 << 20
# What a runtime does to tell of its run.
CHANNEL = "import json, os, signal, sys, time\n" \
          "channel = os.fdopen(int(os.environ['PROFBPF_RUN_FD']), 'wb', buffering=0)\n" \
          "def tell(*records): channel.write(b''.join(json.dumps(one).encode() + b'\\n' for one in records))\n"
PROJECT = {"kind": "project", "canonical_name": "app"}


def python(script, *args):
    return ["/usr/bin/python3", "-c", CHANNEL + script, *args]


@pytest.fixture
def agent(build, tools, tmp_path):
    """agent(COMMAND…, options=…, status=…): the run's document, of which there must be one, and what was said
    beside it. The command runs in tmp_path."""

    def run(*command, options=(), status=0, **more):
        more = {"stdin": subprocess.DEVNULL, "cwd": tmp_path, "timeout": 100, **more}
        done = subprocess.run([build / "profbpf", "--profile", "--agent", *map(str, options), "--", *map(str, command)],
                              capture_output=True, **more)
        assert done.returncode == status, done.stderr
        return toon.decode(tools, done.stdout.decode())[0], done.stderr.decode()

    return run


@pytest.fixture
def start_agent(spawn, tmp_path):
    """start_agent(COMMAND…, options=…): the same in the background. The command says that it runs by making
    the file "running"."""

    def run(*command, options=()):
        process = spawn("--profile", "--agent", *options, "--", *command, cwd=tmp_path)
        wait_until(lambda: process.poll() is not None or (tmp_path / "running").exists(), timeout=60)
        assert process.poll() is None, process.stderr.read()
        return process

    return run


RUNNING = "open('running', 'w').close()\n"


@pytest.fixture
def ended(tools):
    """ended(PROCESS, STATUS): its document, and what it said."""

    def wait(process, status):
        stdout, stderr = process.communicate(timeout=100)
        assert process.returncode == status, stderr
        return toon.decode(tools, stdout)[0], stderr

    return wait


def each(error):
    """Every byte that is not UTF-8 on its own."""
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error("each", each)


# --- the document ---


def test_the_members(agent, program, root):
    e, said = agent(program("spin"), "-s", "1")
    assert list(e) == MEMBERS
    assert (e["status"], e["file"], e["termination"], e["stderr"]) == ("ok", "spin", "returned", "")
    assert json.loads(e["stdout"])["target"] == "spin"
    assert e["file_origin"] == [{"origin_kind": "project", "project_name": "", "dependency_name": "",
                                 "compiler_distribution": "", "stdlib_version": "", "graph_path_start": 0,
                                 "graph_path_count": 0}]
    assert all(e[table] == [] for table in TABLES)
    p = e["profile"]
    assert (p["status"], p["termination"], p["backend"]) == ("complete", "returned", "ebpf_async_stack")
    assert "captured_output_cut_bytes" not in p["config"]
    assert "spin_round" in [one["function"] for one in p["bottlenecks"]]
    jsonschema.validate({"profile": p}, json.loads((root / "docs/profile.schema.json").read_text()))
    # The report for people is not for this one.
    assert "CPU profile" not in said


def log(sequence, origin, *fields, **place):
    return {"log": {"sequence": sequence, "level": "info", "message": f"m{sequence}",
                    "fields": [{"name": name, "value": value} for name, value in fields],
                    "source": {"origin": origin, "path": "src/l.jett", "line": 3, "column": 4, **place}}}


def test_what_the_runtime_tells(agent):
    dependency = {"kind": "dependency", "canonical_name": "dep", "graph_path": ["app", "dep"]}
    stdlib = {"kind": "stdlib", "compiler_distribution": "jett", "stdlib_version": "1.2"}
    records = [{"file": "src/app.jett", "origin": dependency}, {"debug": {"kind": "trace", "message": "t"}},
               log(1, PROJECT, ("a", "1"), ("b", "")), log(4, dependency, ("c", "x: y")), log(9, stdlib, path="/abs", line=None),
               {"debug": {"kind": "breakpoint", "message": "\u20ac\0"}},
               {"termination": "runtime_error", "message": "boom"}]
    e, said = agent(*python("print('before')\ntell(*json.loads(sys.argv[1]))\nsys.exit(7)", json.dumps(records)), status=7)
    assert list(e) == MEMBERS + FAILURE
    assert [e[name] for name in ("status", "file", "termination", "stdout", "stderr", *FAILURE)] == [
        "error", "src/app.jett", "runtime_error", "before\n", "", "runtime_error", "boom"]
    assert [list(row.values()) for row in e["file_origin"]] == [["dependency", "", "dep", "", "", 0, 2]]
    assert [row["segment"] for row in e["file_origin_graph_path_segments"]] == ["app", "dep"]
    assert e["debug"] == [{"kind": "trace", "message": "t"}, {"kind": "breakpoint", "message": "\u20ac\0"}]
    assert [list(row.values()) for row in e["logs"]] == [[1, "info", "m1", 0, 0, 2], [4, "info", "m4", 1, 2, 1],
                                                        [9, "info", "m9", 2, 3, 0]]
    assert [list(row.values()) for row in e["log_sources"]] == [
        [0, "project", "app", "", "", "", "src/l.jett", 3, 4, 0, 0],
        [1, "dependency", "", "dep", "", "", "src/l.jett", 3, 4, 0, 2],
        [2, "stdlib", "", "", "jett", "1.2", "unavailable", "unavailable", 4, 2, 0]]
    assert [list(row.values()) for row in e["log_source_graph_path_segments"]] == [[1, 0, "app"], [1, 1, "dep"]]
    assert [list(row.values()) for row in e["log_fields"]] == [[0, 0, "a", "1"], [0, 1, "b", ""], [1, 0, "c", "x: y"]]
    assert (e["profile"]["status"], e["profile"]["termination"]) == ("complete", "runtime_error")
    assert "left out" not in said


def test_live_and_replayed_runs_are_one_document(agent, build, tools):
    """But for the profile: an event file that says of its run what the command did."""
    records = [{"file": "src/app.jett", "origin": PROJECT}, {"debug": {"kind": "debug", "message": "d"}}, log(2, PROJECT, ("a", "b"))]
    live, _ = agent(*python("print('out')\nprint('err', file=sys.stderr)\ntell(*json.loads(sys.argv[1]))", json.dumps(records)))
    header = {"schema": "profbpf.events.v1", "mode": "cpu", "backend": "b", "coverage": "c", "capabilities": []}
    end = {"end": {"termination": "returned", "wall_duration_ns": 1, "run": {
        "file": "src/app.jett", "file_origin": PROJECT, "stdout": "out\n", "stderr": "err\n",
        "debug": [records[1]["debug"]], "logs": [records[2]["log"]]}}}
    done = subprocess.run([build / "profbpf", "replay", "--agent", "-"], input=f"{json.dumps(header)}\n{json.dumps(end)}\n",
                          capture_output=True, text=True, check=True)
    replayed, = toon.decode(tools, done.stdout)
    del live["profile"], replayed["profile"]
    assert in_order(live) == in_order(replayed)


# --- what the program writes ---


FORGED = [b'x"\nprofile:\n  status: complete\nerror_kind: none\nstatus: ok\n', b"- a\n[1]{a}:\n  b\n", bytes(range(256)),
          b"\0\0\x1b[2J\r\n\x7f\xc2\x85\xe2\x80\xae", b"\xff\xfe\xe2\x82A\xf0\x9f\x8e", b"\xed\xa0\x80 \xc0\xaf", b"true", b"-1.5",
          b" ", b"\t", b"null", b"unavailable", b"# x", "caf\u00e9 \U0001f389".encode(), b"a: b\\n"]


def test_output_can_not_pass_for_a_member(agent):
    plain, _ = agent(*python(""))
    for out, err in zip(FORGED, reversed(FORGED)):
        e, _ = agent(*python("os.write(1, bytes.fromhex(sys.argv[1]))\nos.write(2, bytes.fromhex(sys.argv[2]))\n"
                             "tell({'debug': {'kind': 'debug', 'message': bytes.fromhex(sys.argv[1]).decode('latin-1')}})",
                             out.hex(), err.hex()))
        assert list(e) == MEMBERS
        assert e["stdout"] == out.decode("utf-8", "each")
        assert e["stderr"] == err.decode("utf-8", "each")
        assert e["debug"] == [{"kind": "debug", "message": out.decode("latin-1")}]
        for name in set(MEMBERS) - {"stdout", "stderr", "debug", "profile"}:
            assert e[name] == plain[name], name
        assert list(e["profile"]) == list(plain["profile"])
        assert e["profile"]["termination"] == "returned"


def test_the_document_is_text_without_controls(build, tmp_path):
    done = subprocess.run([build / "profbpf", "--profile", "--agent", "--", *python(f"os.write(1, {bytes(range(256))!r})")],
                          capture_output=True, cwd=tmp_path)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066\ufeff]", done.stdout.decode())


def test_no_output(agent):
    e, _ = agent("/bin/true")
    assert (e["stdout"], e["stderr"], e["status"]) == ("", "", "ok")


def test_outputs_are_pipes_and_the_input_is_ours(agent, tmp_path):
    (tmp_path / "input").write_bytes(b"from the input\n")
    with open(tmp_path / "input", "rb") as file:
        e, _ = agent("/bin/sh", "-c", "cat; test -p /dev/stdout && test -p /dev/stderr && echo pipes", stdin=file)
    assert e["stdout"] == "from the input\npipes\n"


@pytest.mark.parametrize("limit, kept", [("10", 10), ("0", 0), ("1K", 1024), ("100000", 100000)])
def test_the_limit(agent, tmp_path, limit, kept):
    e, _ = agent(*python("os.write(1, b'o' * 100000)\nos.write(2, b'e' * 70000)\nopen('end', 'w').close()"),
                 options=["--capture-limit", limit])
    assert (e["stdout"], e["stderr"]) == ("o" * kept, "e" * min(kept, 70000))
    cut = 100000 - kept + max(70000 - kept, 0)
    assert e["profile"]["config"].get("captured_output_cut_bytes", 0) == cut
    assert list(e["profile"]["config"])[-1] == ("captured_output_cut_bytes" if cut else "cpu_metadata_budget_bytes")
    assert (tmp_path / "end").exists()


def test_the_limit_falls_between_characters(agent):
    e, _ = agent(*python("os.write(1, 'a\u20acb'.encode())"), options=["--capture-limit", "3"])
    assert e["stdout"] == "a"
    assert e["profile"]["config"]["captured_output_cut_bytes"] == 4


def test_much_output_at_once(agent, tmp_path):
    """On all three ways at the same time, each far over what it may take."""
    e, said = agent(*python(
        "import threading\n"
        "row = json.dumps({'debug': {'kind': 'debug', 'message': 'x' * 999}}).encode() + b'\\n'\n"
        "def fill(write, block):\n  for _ in range(40 * 1024 * 1024 // len(block)): write(block)\n"
        "def out(number): return lambda block: os.write(number, block) == len(block) or os._exit(9)\n"
        "threads = [threading.Thread(target=fill, args=one) for one in\n"
        "           ((out(1), b'o' * 65536), (out(2), b'e' * 65536), (channel.write, row))]\n"
        "for one in threads: one.start()\nfor one in threads: one.join()\nopen('end', 'w').close()"))
    assert (tmp_path / "end").exists()
    assert (e["stdout"], e["stderr"]) == ("o" * 16 * MIB, "e" * 16 * MIB)
    assert e["profile"]["config"]["captured_output_cut_bytes"] == 48 * MIB
    size = len(json.dumps({"debug": {"kind": "debug", "message": "x" * 999}}))
    rows = 40 * MIB // (size + 1)
    assert 15 * MIB // size < len(e["debug"]) <= 16 * MIB // size
    assert f"run channel: {rows - len(e['debug'])} lines left out, first line {len(e['debug']) + 1}: debug rows and logs " \
           "take more than 16 MiB" in said


# --- hostile run channels ---


@pytest.mark.parametrize("script, left_out", [
    ("channel.write(b'garbage\\n' * 3)", "3 lines left out, first line 1: not JSON"),
    ("channel.write(b'\\x1b[31m\\xff\\0\\n')", "1 line left out, first line 1: not JSON"),
    ("tell({'debug': {'kind': 'guess', 'message': ''}})", "1 line left out, first line 1: unknown value 'guess'"),
    ("channel.write(b'x' * (3 << 20) + b'\\n')", "1 line left out, first line 1: longer than 1 MiB"),
    ("channel.write(b'[' * 100000 + b'\\n')", "1 line left out, first line 1: not JSON"),
    ("tell({'debug': {'kind': 'debug', 'message': 'last'}})\nchannel.write(b'{\"debug\": {\"ki')", "first line 2: not JSON"),
    ("tell({'file': 'a', 'origin': {'kind': 'project', 'canonical_name': ''}}, {'file': 'b', 'origin': {'kind': 'project', "
     "'canonical_name': ''}})", "first line 2: a second file"),
    ("channel.close()", None),
    ("tell({'termination': 'returned', 'message': 'x'})", "first line 1: unknown value 'returned'"),
    ("tell({'status': 'ok', 'profile': {}})", "first line 1: unknown member"),
])
def test_a_channel_that_is_misused(agent, script, left_out):
    e, said = agent(*python("print('on'); sys.stdout.flush()\n" + script))
    assert list(e) == MEMBERS
    assert (e["status"], e["termination"], e["stdout"]) == ("ok", "returned", "on\n")
    assert (f"run channel: " in said) == bool(left_out)
    assert not left_out or left_out in said
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f]", said)


def test_a_file_elsewhere_is_not_told(agent):
    e, _ = agent(*python("tell({'file': '/home/me/app.jett', 'origin': {'kind': 'project', 'canonical_name': 'p'}})"))
    assert (e["file"], e["file_origin"][0]["project_name"]) == ("unavailable", "p")


# --- ends ---


@pytest.mark.parametrize("script, status, termination, failure", [
    ("sys.exit(3)", 3, "returned", None),
    ("sys.exit(0)", 0, "returned", None),
    ("os.kill(os.getpid(), signal.SIGSEGV)", 128 + 11, "runtime_error", ("runtime_error", "ended by signal 11 (SIGSEGV)")),
    ("os.kill(os.getpid(), signal.SIGKILL)", 128 + 9, "runtime_error", ("runtime_error", "ended by signal 9 (SIGKILL)")),
    ("os.kill(os.getpid(), 40)", 128 + 40, "runtime_error", ("runtime_error", "ended by signal 40")),
    ("tell({'termination': 'runtime_error', 'message': ''})", 0, "runtime_error", ("runtime_error", "")),
    ("tell({'termination': 'runtime_error', 'message': 'own\\nwords'})\nos.abort()", 128 + 6, "runtime_error",
     ("runtime_error", "own\nwords")),
])
def test_ends(agent, script, status, termination, failure):
    e, _ = agent(*python("print('before', flush=True)\n" + script), status=status)
    assert list(e) == MEMBERS + (FAILURE if failure else [])
    assert e["status"] == ("error" if failure else "ok")
    assert e["termination"] == e["profile"]["termination"] == termination
    assert tuple(e[name] for name in FAILURE if failure) == (failure or ())
    assert (e["stdout"], e["profile"]["status"]) == ("before\n", "complete")


def test_interrupted(start_agent, ended):
    """The signal goes on to the command, and what it says at its end is heard."""
    process = start_agent(*python("def bye(*_): print('bye', flush=True); sys.exit(0)\n"
                                  "signal.signal(signal.SIGINT, bye)\nprint('hello', flush=True)\n" + RUNNING +
                                  "while True: sum(range(1000))"))
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    e, _ = ended(process, 130)
    assert list(e) == MEMBERS + FAILURE
    assert [e[name] for name in ("status", "termination", "stdout", *FAILURE)] == [
        "error", "interrupted", "hello\nbye\n", "interrupted", "run interrupted"]
    p = e["profile"]
    assert (p["status"], p["partial_reason"], p["termination"]) == ("partial", "interrupted", "interrupted")
    assert p["totals"]["recorded_samples"] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_to_death(start_agent, ended, number):
    process = start_agent(*python("signal.signal(signal.SIGINT, signal.SIG_DFL)\n" + RUNNING + "while True: pass"))
    process.send_signal(number)
    e, _ = ended(process, 130)
    assert [e[name] for name in ("termination", *FAILURE)] == ["interrupted", "interrupted", "run interrupted"]


def test_ctrl_c_at_the_terminal(build, tools, tmp_path):
    """It reaches the command from the terminal, and once only."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.dup2(os.open("document", os.O_CREAT | os.O_WRONLY), 1)
        os.execv(build / "profbpf", ["profbpf", "--profile", "--agent", "--", *python(
            "def end(*_): print('bye', flush=True); sys.exit(0)\n"
            "signal.signal(signal.SIGINT, lambda *_: (print('once', flush=True), signal.alarm(1)))\n"
            "signal.signal(signal.SIGALRM, end)\n" + RUNNING + "while True: signal.pause()")])
    wait_until((tmp_path / "running").exists, timeout=60)
    time.sleep(0.3)
    os.write(terminal, b"\x03")
    read_terminal(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    e, = toon.decode(tools, (tmp_path / "document").read_text())
    assert (e["termination"], e["error_kind"], e["stdout"]) == ("interrupted", "interrupted", "once\nbye\n")


@pytest.mark.parametrize("pause", [0, 0.01, 0.03, 0.1, 0.2])
def test_interrupted_during_the_start(spawn, tools, tmp_path, pause):
    """Whenever it comes, there is a whole document or none."""
    process = spawn("--profile", "--agent", "--", "/bin/sleep", "20", cwd=tmp_path)
    time.sleep(pause)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    if process.returncode == -signal.SIGINT:
        assert stdout == ""
    else:
        assert process.returncode == 130, stderr
        e, = toon.decode(tools, stdout)
        assert (e["termination"], e["error"]) == ("interrupted", "run interrupted")


def test_a_runtime_error_comes_before_an_interrupt(start_agent, ended):
    process = start_agent(*python("def die(*_): tell({'termination': 'runtime_error', 'message': 'boom'}); sys.exit(1)\n"
                                  "signal.signal(signal.SIGINT, die)\n" + RUNNING + "while True: pass"))
    process.send_signal(signal.SIGINT)
    e, _ = ended(process, 130)
    assert [e[name] for name in ("status", "termination", *FAILURE)] == ["error", "runtime_error", "runtime_error", "boom"]


def test_an_interrupt_that_the_command_does_not_care_for(start_agent, ended, tmp_path):
    process = start_agent(*python("signal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('hello', flush=True)\n"
                                  "open('pid', 'w').write(str(os.getpid()))\n" + RUNNING + "time.sleep(300)"))
    process.send_signal(signal.SIGINT)
    e, said = ended(process, 130)
    pid = int((tmp_path / "pid").read_text())
    try:
        assert (e["termination"], e["stdout"]) == ("interrupted", "hello\n")
        assert f"still running as process {pid}" in said
        assert os.path.exists(f"/proc/{pid}")
    finally:
        os.kill(pid, signal.SIGKILL)


def test_a_second_signal_aborts(start_agent, tmp_path):
    process = start_agent(*python("signal.signal(signal.SIGINT, signal.SIG_IGN)\nopen('pid', 'w').write(str(os.getpid()))\n"
                                  + RUNNING + "time.sleep(300)"))
    process.send_signal(signal.SIGINT)
    # Sampling is over and the command is waited for once the signal is no longer held back.
    wait_until(lambda: not blocks_interrupt(process.pid), timeout=30)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=60)
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert (process.returncode, stdout) == (-signal.SIGINT, "")


def blocks_interrupt(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"^SigBlk:\s*(\w+)", file.read(), re.M)[1], 16) & 1 << signal.SIGINT - 1


def test_a_run_longer_than_its_sampling(agent):
    e, _ = agent(*python("time.sleep(1.5)\nprint('late')\ntell({'debug': {'kind': 'debug', 'message': 'late'}})\nsys.exit(5)"),
                 options=["-d", "0.3"], status=5)
    assert [e[name] for name in ("status", "termination", "stdout")] == ["ok", "returned", "late\n"]
    assert e["debug"] == [{"kind": "debug", "message": "late"}]
    assert e["profile"]["termination"] == "returned"


def test_interrupted_after_its_sampling(start_agent, ended):
    process = start_agent(*python("signal.signal(signal.SIGINT, lambda *_: sys.exit(4))\n" + RUNNING + "time.sleep(300)"),
                          options=["-d", "0.2"])
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    e, _ = ended(process, 130)
    assert [e[name] for name in ("termination", *FAILURE)] == ["interrupted", "interrupted", "run interrupted"]


def test_children_that_keep_the_outputs(agent, tmp_path):
    """They are not waited for without end, nor is the program's own output lost."""
    e, said = agent("/bin/sh", "-c", "sleep 300 & echo $! > pid; echo done; exit 6", status=6)
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert [e[name] for name in ("status", "termination", "stdout")] == ["ok", "returned", "done\n"]
    assert "still has the command's outputs" in said


def test_a_child_that_writes_without_end(agent, tmp_path):
    e, said = agent("/bin/sh", "-c", "yes & echo $! > pid; exec >&-; exit 6", status=6, options=["--capture-limit", "64"])
    pid = int((tmp_path / "pid").read_text())
    # Nobody reads any more: it is told so, by a signal that ends it.
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), timeout=30)
    assert e["termination"] == "returned"
    assert e["stdout"] == ("y\n" * 64)[:64]
    assert "still has the command's outputs" in said


# --- the collector dies ---


# It works on for long enough that this is noticed, and tells so by a file.
WORKS_ON = "end = time.monotonic() + 3\nwhile time.monotonic() < end: sum(range(1000))\n" \
           "print('done', flush=True)\nopen('end', 'w').close()\n"
DYING = ["--test-fail-after", "0.5"]


@pytest.mark.parametrize("last, status, termination, failure", [
    ("sys.exit(0)", 1, "returned", ("profiler_failure", "profiler: collector failure")),
    ("sys.exit(5)", 1, "returned", ("profiler_failure", "profiler: collector failure")),
    ("tell({'termination': 'runtime_error', 'message': 'boom'})\nsys.exit(5)", 5, "runtime_error", ("runtime_error", "boom")),
    ("os.kill(os.getpid(), 9)", 128 + 9, "runtime_error", ("runtime_error", "ended by signal 9 (SIGKILL)")),
])
def test_collector_failure(agent, tmp_path, last, status, termination, failure):
    """The program runs on undisturbed, and owns the failure if it has one."""
    e, _ = agent(*python(WORKS_ON + last), options=DYING, status=status)
    assert (tmp_path / "end").exists()
    assert list(e) == MEMBERS + FAILURE
    assert [e[name] for name in ("status", "termination", "stdout")] == ["error", termination, "done\n"]
    assert tuple(e[name] for name in FAILURE) == failure
    p = e["profile"]
    assert (p["status"], p["partial_reason"], p["termination"]) == ("partial", "collector_failure", termination)
    assert p["totals"]["recorded_samples"] > 0


def test_interrupted_after_a_collector_failure(start_agent, ended):
    process = start_agent(*python("signal.signal(signal.SIGINT, lambda *_: sys.exit(4))\n" + RUNNING +
                                  "while True: sum(range(1000))"), options=DYING)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    e, _ = ended(process, 130)
    assert [e[name] for name in ("termination", *FAILURE)] == ["interrupted", "interrupted", "run interrupted"]
    assert (e["profile"]["status"], e["profile"]["partial_reason"]) == ("partial", "collector_failure")


# --- what does not come about ---


def test_a_command_that_is_not_there(agent):
    e, said = agent("profbpf-no-such-command", status=127)
    assert e == {"status": "error", "error_kind": "profiler_failure", "error": "profiler: setup failure"}
    assert "cannot run profbpf-no-such-command" in said


def test_without_privilege(unprivileged, tools, public_dir):
    done = unprivileged("--profile", "--agent", "--", "/bin/sh", "-c", "touch ran")
    assert done.returncode == 3, done.stderr
    e, = toon.decode(tools, done.stdout)
    assert list(e) == ["status", "error_kind", "error"]
    assert e == {"status": "error", "error_kind": "profiler_failure", "error": "profiler: backend unsupported"}
    assert not (public_dir / "ran").exists()
    assert done.stderr


def test_memory_is_not_supported(build, tools, tmp_path):
    done = subprocess.run([build / "profbpf", "--profile-memory", "--agent", "--", "/bin/sh", "-c", "touch ran"],
                          capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 3
    e, = toon.decode(tools, done.stdout)
    assert e == {"status": "error", "error_kind": "profiler_failure", "error": "profiler: backend unsupported"}
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("words, part", [
    (["--agent", "--", "touch", "ran"], "--agent: needs --profile"),
    (["--profile", "--agent", "--pid", "1"], "--agent: needs a command"),
    (["--profile", "--agent", "--all"], "--agent: needs a command"),
    (["--profile", "--capture-limit", "5", "--", "touch", "ran"], "--capture-limit: needs --agent"),
    (["--profile", "--profile-memory", "--agent", "--", "touch", "ran"], "exclude each other"),
    *((["--profile", "--agent", "--capture-limit", bad, "--", "touch", "ran"], "is not a number of bytes")
      for bad in ("", "x", "-1", "1.5M", "2G", "1k", "K", "5MB", "99999999999999999999999", " 5")),
    *((["--profile", "--agent", "-o", path, "--format", "folded", "--", "touch", "ran"], "standard output is that of --agent")
      for path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")),
])
def test_usage(profbpf, tmp_path, words, part):
    done = profbpf(*words, status=2, cwd=tmp_path)
    assert part in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == "" and os.listdir(tmp_path) == []


# --- beside the document ---


def test_other_outputs(agent, tmp_path):
    e, said = agent(*python("for _ in range(200000): sum(range(20))"), options=["-o", "a.toon", "-o", "a.profbpf"])
    assert e["status"] == "ok" and "wrote a.toon" in said
    assert (tmp_path / "a.toon").exists() and (tmp_path / "a.profbpf").exists()


def test_one_report_in_every_output(agent, tools, program, tmp_path):
    e, _ = agent(program("spin"), "-s", "1", options=["-o", "a.toon"])
    assert in_order(toon.decode(tools, (tmp_path / "a.toon").read_text())[0]["profile"]) == in_order(e["profile"])


def test_a_reader_that_has_gone(build, tmp_path):
    """The command is done, and the failure is ours."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([build / "profbpf", "--profile", "--agent", "--", "/bin/sh", "-c", "echo x; touch ran"],
                          stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    os.close(writer)
    assert done.returncode == 1
    assert "cannot write to standard output" in done.stderr
    assert (tmp_path / "ran").exists()


def test_behind_sudo(agent, public_dir):
    """The command is its user's, and so are its outputs."""
    environment = {**os.environ, "SUDO_UID": str(UNPRIVILEGED), "SUDO_GID": str(UNPRIVILEGED)}
    e, _ = agent("/bin/sh", "-c", "id -u; echo e > /dev/stderr; echo garbage > /dev/fd/$PROFBPF_RUN_FD", env=environment,
                 cwd=public_dir)
    assert (e["stdout"], e["stderr"]) == (f"{UNPRIVILEGED}\n", "e\n")


def test_no_channel_without_agent(profbpf, tmp_path):
    profbpf("--profile", "--", "/bin/sh", "-c", 'test -z "$PROFBPF_RUN_FD"', cwd=tmp_path)
