# SPDX-License-Identifier: BSD-2-Clause
"""The command line: what it takes, what it refuses and how it says so."""

import os
import re
import signal
import subprocess
import time

import pytest

from conftest import UNPRIVILEGED
from targets import wait_until

BUSY = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; "
VERBS = ["record", "report", "convert", "merge", "check"]


def one_line(done):
    """The only line on stderr, without the program's name."""
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("profbpf"), lines[0]
    return lines[0].partition(": ")[2]


def test_help(profbpf):
    text = profbpf("--help").stdout
    assert text.startswith("Usage: profbpf ")
    for verb in VERBS:
        assert re.search(rf"^  {verb} ", text, re.M)
    assert "Examples:" in text


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb(profbpf, verb):
    done = profbpf(verb, "--help")
    assert done.stdout.startswith(f"Usage: profbpf {verb} ")
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_no_options_of_what_does_not_exist(profbpf):
    text = profbpf("record", "--help").stdout + profbpf("--help").stdout
    for word in ("off-cpu", "--memory", "container", "otlp", "test-", "diff"):
        assert word not in text


def test_version(profbpf, root):
    text = (root / "CMakeLists.txt").read_text()
    version = re.search(r"project\(profbpf VERSION ([0-9.]+)", text)[1]
    assert profbpf("--version").stdout == f"profbpf {version}\n"
    assert profbpf("report", "--version").stdout == f"profbpf {version}\n"


@pytest.mark.parametrize("words, part", [
    ([], "no target: give --pid PID, --all or -- COMMAND"),
    (["record"], "no target"),
    (["frobnicate"], "unknown verb 'frobnicate'"),
    (["rec\x1b[2J"], "unknown verb 'rec\\x1b[2J'"),
    (["--frobnicate"], "unrecognized option '--frobnicate'"),
    (["report", "--frobnicate"], "unrecognized option '--frobnicate'"),
    (["report", "a", "b"], "unexpected argument 'b'"),
    (["report", "--by", "colour"], "'colour' is none of function, line, thread, process, object"),
    (["report", "--top", "-1"], "'-1' is not a whole number"),
    (["report", "--percent-limit", "101"], "'101' is not a percentage from 0 to 100"),
    (["convert"], "no output"),
    (["convert", "a", "b", "c"], "unexpected argument 'c'"),
    (["convert", "a.profbpf", "b.svg"], "use .profbpf, .pb.gz, .folded, .speedscope.json, .txt"),
    (["convert", "a.profbpf", "-"], "standard output needs --format"),
    (["convert", "a.profbpf", "b", "--format", "svg"], "unknown format 'svg'"),
    (["merge", "a.profbpf", "b.profbpf"], "at least two captures"),
    (["check", "now"], "unexpected argument 'now'"),
    (["--pid", "0"], "'0' is not a whole number from 1 to 4194304"),
    (["--pid", "1", "--all"], "exclude each other"),
    (["-p", "1", "--comm", "["], "no extended regular expression"),
    (["-a", "-F", "1000001"], "'1000001' is not a whole number from 1"),
    (["-a", "-o", "x.yaml"], "the extension names no format"),
    (["report", "--format", "toon"], "--format: needs --contract"),
    (["report", "--profile-limit", "3"], "--profile-limit: needs --contract"),
    (["report", "--project-root", "/"], "--project-root: needs --contract"),
    (["report", "--contract", "--json", "--format", "toon"], "--json and --format exclude each other"),
    (["report", "--contract", "--format", "pprof"], "its forms are text (.txt), toon and json"),
    (["report", "--contract", "-o", "x.folded"], "its forms are text (.txt), toon and json"),
    (["report", "--contract", "--tree"], "--tree and --contract are two reports"),
    (["report", "--contract", "--unwind"], "--unwind and --contract are two reports"),
    (["report", "--contract", "--top", "3"], "--contract has no --top"),
    (["report", "--contract", "--profile-threshold", "100.01"], "at most two decimals"),
    (["-a", "--profile", "--profile-memory"], "exclude each other"),
    (["-a", "--profile-limit", "5"], "--profile-limit: needs --profile"),
    (["-a", "--profile", "--profile-threshold", "5.001"], "at most two decimals"),
])
def test_usage(profbpf, tmp_path, words, part):
    line = one_line(profbpf(*words, status=2, cwd=tmp_path))
    assert part in line
    assert os.listdir(tmp_path) == []


def test_no_report_of_memory(profbpf, tmp_path):
    """Of a program that runs: it is said before anything is started."""
    line = one_line(profbpf("--profile-memory", "--", "touch", "ran", status=3, cwd=tmp_path))
    assert "--profile" in line and "replay" in line
    assert os.listdir(tmp_path) == []


def test_rate_above_the_kernels_limit(profbpf):
    with open("/proc/sys/kernel/perf_event_max_sample_rate") as file:
        rate = int(file.read()) + 1
    if rate > 1000000:
        pytest.skip("the kernel's limit is above what the option takes")
    line = one_line(profbpf("-a", "-F", rate, status=2))
    assert f"sysctl kernel.perf_event_max_sample_rate={rate}" in line


def test_pid_that_is_not_there(profbpf, tmp_path):
    child = subprocess.Popen(["true"])
    child.wait()
    line = one_line(profbpf("--pid", child.pid, "-d", 1, status=1, cwd=tmp_path))
    assert str(child.pid) in line
    assert os.listdir(tmp_path) == []


def test_zombie(profbpf, tmp_path):
    child = subprocess.Popen(["true"])
    wait_until(lambda: open(f"/proc/{child.pid}/stat").read().rpartition(") ")[2][0] == "Z")
    line = one_line(profbpf("--pid", child.pid, "-d", 1, status=1, cwd=tmp_path))
    child.wait()
    assert str(child.pid) in line and "ended" in line
    assert os.listdir(tmp_path) == []


def test_kernel_thread(profbpf, tmp_path):
    line = one_line(profbpf("--pid", 2, "-d", 1, status=1, cwd=tmp_path))
    assert "kernel thread" in line and "--all" in line
    assert os.listdir(tmp_path) == []


def test_thread(profbpf, start, tmp_path):
    target = start("threads")
    target.open_gate()
    tasks = wait_until(lambda: [t for t in os.listdir(f"/proc/{target.pid}/task")
                                if int(t) != target.pid])
    line = one_line(profbpf("--pid", tasks[0], "-d", 1, status=1, cwd=tmp_path))
    assert "thread" in line and f"{target.pid}" in line
    assert os.listdir(tmp_path) == []


def test_the_commands_status(profbpf, tmp_path):
    assert profbpf("--", "sh", "-c", BUSY + "exit 7", status=7, cwd=tmp_path)
    assert profbpf("--", "sh", "-c", BUSY + "kill -TERM $$", status=128 + 15, cwd=tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["profile.profbpf", "profile.profbpf.old"]


@pytest.mark.parametrize("kind, status", [("missing", 127), ("plain", 126), ("folder", 126)])
def test_command_that_cannot_run(profbpf, tmp_path, kind, status):
    (tmp_path / "plain").write_text("no program")
    (tmp_path / "folder").mkdir()
    line = one_line(profbpf("--", f"./{kind}", status=status, cwd=tmp_path))
    assert f"./{kind}" in line
    assert sorted(os.listdir(tmp_path)) == ["folder", "plain"]


def test_the_commands_streams(build, tmp_path):
    script = "read x; echo out $x; echo err >&2"
    done = subprocess.run([build / "profbpf", "-q", "--", "sh", "-c", script], input="in\n",
                          capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == "out in\n"
    assert done.stderr == "err\n"


def test_options_of_the_command_are_its_own(profbpf, tmp_path):
    done = profbpf("-q", "--", "echo", "--pid", "-d", "--", "x", cwd=tmp_path)
    assert done.stdout == "--pid -d -- x\n"


def test_the_command_runs_as_the_caller(profbpf, public_dir):
    environment = {**os.environ, "SUDO_UID": str(UNPRIVILEGED), "SUDO_GID": str(UNPRIVILEGED)}
    done = profbpf("-q", "-o", "a.folded", "--", "sh", "-c", BUSY + "id -u; id -g; id -G",
                   cwd=public_dir, env=environment)
    assert done.stdout.split() == [str(UNPRIVILEGED)] * 3
    stat = (public_dir / "a.folded").stat()
    assert (stat.st_uid, stat.st_gid) == (UNPRIVILEGED, UNPRIVILEGED)


@pytest.mark.parametrize("path", ["none/a.folded", "folder.folded"])
def test_bad_output_is_said_before_sampling(profbpf, tmp_path, path):
    (tmp_path / "folder.folded").mkdir()
    line = one_line(profbpf("-o", path, "-o", "good.folded", "--", "touch", "ran", status=1,
                            cwd=tmp_path))
    assert path in line
    assert os.listdir(tmp_path) == ["folder.folded"]


def test_disk_full(profbpf, tmp_path):
    done = profbpf("-d", 1, "-o", "/dev/full", "--format", "folded", "--", "sh", "-c", BUSY,
                   status=1, cwd=tmp_path)
    assert "cannot write to /dev/full: No space left on device" in done.stderr
    assert os.path.exists("/dev/full")
    assert os.listdir(tmp_path) == []


def test_standard_output(profbpf, tmp_path):
    done = profbpf("-q", "-o", "-", "--format", "folded", "--", "sh", "-c", BUSY, cwd=tmp_path)
    assert done.stdout
    for line in done.stdout.splitlines():
        assert re.fullmatch(r"\S.*;.* [1-9][0-9]*", line)
    assert done.stderr == ""
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("words", [["--help"], ["check"], ["record", "--help"]])
def test_standard_output_that_fails(build, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([build / "profbpf", *words], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 1
    assert done.stderr == "profbpf: cannot write to standard output: No space left on device\n"


def test_standard_output_closed_early(build):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([build / "profbpf", "--help"], stdout=writer, stderr=subprocess.PIPE,
                          text=True)
    os.close(writer)
    assert done.returncode == 1
    assert done.stderr == "profbpf: cannot write to standard output: Broken pipe\n"


def test_standard_output_not_open(build, tmp_path):
    """No file that is opened afterwards may take its place."""
    done = subprocess.run(["sh", "-c", '"$0" check >&-; echo $? > status', build / "profbpf"],
                          stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert (tmp_path / "status").read_text() == "1\n"
    assert "cannot write to standard output" in done.stderr


def test_interrupt_is_a_normal_end(spawn, start, tmp_path):
    target = start("spin")
    target.open_gate()
    process = spawn("--pid", target.pid, "-o", "a.folded", cwd=tmp_path)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert (tmp_path / "a.folded").read_text()
    assert os.listdir(tmp_path) == ["a.folded"]


def test_quiet(profbpf, tmp_path):
    done = profbpf("-q", "--", "sh", "-c", BUSY, cwd=tmp_path)
    assert done.stdout == done.stderr == ""


def test_closing_line_names_the_next_command(profbpf, tmp_path):
    done = profbpf("--", "sh", "-c", BUSY, cwd=tmp_path)
    assert done.stdout == ""
    assert "profbpf report" in done.stderr.splitlines()[-1]
    # No terminal: neither progress nor colours.
    assert "\x1b" not in done.stderr and "\r" not in done.stderr


def test_without_privilege(unprivileged, public_dir):
    """The message names what is missing and the remedy, nothing is left behind."""
    done = unprivileged("--", "touch", "ran")
    assert done.returncode == 3, done.stderr
    assert "CAP_BPF" in done.stderr and "run with sudo" in done.stderr
    assert all(line.startswith("profbpf: ") for line in done.stderr.splitlines())
    assert os.listdir(public_dir) == ["profbpf"]


def test_two_capabilities_are_enough(public_program, public_dir, need):
    """What check calls missing without them, and nothing else, keeps a user from recording."""
    given = "+bpf,+perfmon"
    done = subprocess.run([need("setpriv"), "--reuid", str(UNPRIVILEGED), "--clear-groups",
                           "--inh-caps", given, "--ambient-caps", given, public_program,
                           "-o", "a.folded", "--", "sh", "-c", BUSY],
                          capture_output=True, text=True, cwd=public_dir)
    assert done.returncode == 0, done.stderr
    assert (public_dir / "a.folded").read_text()
