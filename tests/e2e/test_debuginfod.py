# SPDX-License-Identifier: BSD-2-Clause
"""Debug files from servers: from Debian's debuginfod, and from servers that do all they can to spoil a
recording. Each server runs in a network of its own, in which only the loopback device is."""

import ctypes
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from decoders import pprof
from targets import wait_sampling, wait_until
from test_naming import (build_id, check_against_llvm, debug_folder, frames_of, locations_in, mapping_of,
                         separate)  # noqa: F401

PORT = 8002
URL = f"http://127.0.0.1:{PORT}"
CLONE_NEWNET = 0x40000000

# A server that answers requests for a debug file as told by a line of Python, in which out is the
# connection, files the folder of BUILDID.debug files and name the build id. It notes what it is asked.
HOSTILE = """
import http.server, pathlib, sys, time

files, log, answer = pathlib.Path(sys.argv[1]), open(sys.argv[2], "a"), compile(sys.argv[3], "", "exec")

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.split("/")[2]
        print(self.path, file=log, flush=True)
        def head(length, status=200, **more):
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            for key, value in more.items():
                self.send_header(key.replace("_", "-"), str(value))
            self.end_headers()
        def send(data):
            head(len(data))
            self.wfile.write(data)
        exec(answer, {**globals(), "self": self, "out": self.wfile, "head": head, "send": send,
                      "name": name, "data": data_of(name)})
    def log_message(self, *args):
        pass

def data_of(name):
    path = files / f"{name}.debug"
    return path.read_bytes() if path.exists() else b""

server = http.server.ThreadingHTTPServer(("127.0.0.1", %d), Handler)
server.daemon_threads = True
print("ready", file=log, flush=True)
server.serve_forever()
""" % PORT


class Network:
    """A network namespace, held by a process that sleeps in it."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "ip link set lo up && echo && exec sleep 600"],
                                       stdout=subprocess.PIPE)
        self.running = [self.holder]
        if not self.holder.stdout.readline():
            pytest.skip("no network namespace can be made here")
        self.descriptor = os.open(f"/proc/{self.holder.pid}/ns/net", os.O_RDONLY)

    def enter(self):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(self.descriptor, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")

    def serve(self, command, **options):
        self.running.append(subprocess.Popen(list(map(str, command)), preexec_fn=self.enter, **options))
        return self.running[-1]

    def end(self):
        for process in self.running:
            process.kill()
            process.wait()
        os.close(self.descriptor)


@pytest.fixture
def network():
    made = Network()
    yield made
    made.end()


@pytest.fixture
def environment(tmp_path):
    """Without servers, and with a cache of its own."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("DEBUGINFOD_")}
    return {**env, "DEBUGINFOD_CACHE_PATH": str(tmp_path / "cache")}


@pytest.fixture
def record_with(profbpf, network, environment, tmp_path):
    """record_with(TARGET, ARG…, env): profiles a running target in the network."""

    def run(target, *args, env=None, seconds=0.4, gated=True):
        if gated:
            target.open_gate()
        done = profbpf("--pid", target.pid, "-d", seconds, "-o", tmp_path / "a.pb.gz", *args,
                       preexec_fn=network.enter, env={**environment, **(env or {})})
        profile = pprof.read(tmp_path / "a.pb.gz")
        profile.stderr = done.stderr
        return profile

    return run


class Requests:
    def __init__(self, path):
        self.path = path

    def of(self, identifier):
        return [line for line in self.path.read_text().splitlines() if identifier in line]

    def all(self):
        return self.path.read_text().splitlines()[1:]


@pytest.fixture
def hostile(network, tmp_path, separate, program):  # noqa: F811
    """hostile(ANSWER): starts such a server; returns what it is asked."""
    files = tmp_path / "served"
    files.mkdir()
    shutil.copy(separate[1], files / f"{build_id(program('spin'))}.debug")

    def run(answer):
        log = tmp_path / "requests"
        network.serve([sys.executable, "-c", HOSTILE, files, log, textwrap.dedent(answer)])
        wait_until(lambda: log.exists() and log.read_text(), what="start of the server")
        return Requests(log)

    return run


@pytest.fixture
def spinning(start, separate):  # noqa: F811
    """A running program whose debug file is elsewhere."""
    return start(separate[0], "-s", 60)


def names_in(profile, path):
    return [frames_of(profile, l) for l in locations_in(profile, mapping_of(profile, path)) if l.lines]


def check_unnamed(profile, path):
    assert not names_in(profile, path)
    assert profile.total(0) > 0


def kept(tmp_path, identifier):
    """What the cache has of a build."""
    folder = tmp_path / "cache" / identifier
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.fixture
def debuginfod(need, network, environment, tmp_path):
    """debuginfod(FOLDER): Debian's server over a folder with debug files, ready to serve a build."""

    def run(folder, identifier):
        with open(tmp_path / "server.log", "wb") as log:
            server = network.serve([need("debuginfod"), "-F", "-d", tmp_path / "server.sqlite", "-p", PORT,
                                    "--disable-source-scan", folder], stdout=log, stderr=log, env=environment)
        ask = ("import sys, urllib.request as r\n"
               "r.urlopen(sys.argv[1], timeout=2)")
        url = f"{URL}/buildid/{identifier}/debuginfo"
        wait_until(lambda: subprocess.run([sys.executable, "-c", ask, url], preexec_fn=network.enter,
                                          capture_output=True).returncode == 0,
                   timeout=30, what="scan of the server")
        return server

    return run


def test_from_a_real_server(debuginfod, separate, spinning, program, record_with, tmp_path):  # noqa: F811
    stripped, debug = separate
    identifier = build_id(program("spin"))
    server = debuginfod(debug_folder(tmp_path, debug, identifier), identifier)
    profile = record_with(spinning, f"--debuginfod={URL}")
    check_against_llvm(profile, mapping_of(profile, stripped), program("spin"))
    assert profile.shares()["inlined_inner"] > 0.5
    assert kept(tmp_path, identifier) == ["debuginfo"]
    assert "debuginfod" not in profile.stderr  # nothing went wrong, and stderr is no terminal

    server.kill()
    server.wait()
    profile = record_with(spinning, f"--debuginfod={URL}", gated=False)
    check_against_llvm(profile, mapping_of(profile, stripped), program("spin"))


def test_the_variable_is_enough(debuginfod, separate, spinning, program, record_with, tmp_path):  # noqa: F811
    stripped, debug = separate
    identifier = build_id(program("spin"))
    debuginfod(debug_folder(tmp_path, debug, identifier), identifier)
    for args in [], ["--debuginfod"]:
        profile = record_with(spinning, *args, env={"DEBUGINFOD_URLS": URL}, gated=not args)
        check_against_llvm(profile, mapping_of(profile, stripped), program("spin"))


def test_stacks_of_a_moment(debuginfod, separate, spinning, program, profbpf, network, environment,  # noqa: F811
                            tmp_path):
    identifier = build_id(program("spin"))
    debuginfod(debug_folder(tmp_path, separate[1], identifier), identifier)
    spinning.open_gate()
    bare = profbpf("dump", spinning.pid, preexec_fn=network.enter, env=environment).stdout
    named = profbpf("dump", spinning.pid, f"--debuginfod={URL}", preexec_fn=network.enter,
                    env=environment).stdout
    assert "spin.c" not in bare and "main" not in re.findall(r"\bmain\b", bare)
    assert re.search(r"\bmain\b.*spin\.c:\d+", named), named


def test_nobody_is_asked_unasked(hostile, separate, spinning, record_with):  # noqa: F811
    requests = hostile("send(data)")
    check_unnamed(record_with(spinning), separate[0])
    assert not requests.all()
    assert names_in(record_with(spinning, f"--debuginfod={URL}", gated=False), separate[0])
    assert requests.all()


def test_the_file_here_is_preferred(hostile, separate, spinning, program, record_with, tmp_path):  # noqa: F811
    identifier = build_id(program("spin"))
    requests = hostile("send(data)")
    folder = debug_folder(tmp_path, separate[1], identifier)
    profile = record_with(spinning, f"--debuginfod={URL}", "--debug-dir", folder)
    assert names_in(profile, separate[0]) and not requests.of(identifier)


def test_what_dwz_moved_comes_from_a_server_too(hostile, start, need, program, record_with, tmp_path):
    need("dwz")
    for name in "cxx", "cxx-nofp":
        subprocess.run(["objcopy", "--only-keep-debug", program(name), tmp_path / f"{name}.debug"], check=True)
    done = subprocess.run(["dwz", "-m", "common", "-M", "/nowhere/common", "cxx.debug", "cxx-nofp.debug"],
                          cwd=tmp_path, capture_output=True, text=True)
    if not (tmp_path / "common").exists():
        pytest.skip(f"dwz shares nothing here: {done.stderr}")
    stripped = tmp_path / "cxx"
    subprocess.run(["objcopy", "--strip-all", program("cxx"), stripped], check=True)
    own, shared = build_id(program("cxx")), build_id(tmp_path / "common")
    shutil.copy(tmp_path / "cxx.debug", tmp_path / f"served/{own}.debug")
    shutil.copy(tmp_path / "common", tmp_path / f"served/{shared}.debug")
    requests = hostile("send(data) if data else head(0, 404)")
    profile = record_with(start(stripped, "-s", 30), f"--debuginfod={URL}")
    check_against_llvm(profile, mapping_of(profile, stripped), program("cxx"))
    assert requests.of(own) and requests.of(shared)


def test_a_build_that_the_server_lacks(hostile, separate, spinning, program, record_with):  # noqa: F811
    """Nothing to complain of; and not asked for again at once."""
    requests = hostile("head(0, 404)")
    identifier = build_id(program("spin"))
    for first in True, False:
        profile = record_with(spinning, f"--debuginfod={URL}", gated=first)
        check_unnamed(profile, separate[0])
        assert "debuginfod" not in profile.stderr
        assert len(requests.of(identifier)) == 1


WRONG = {
    "of another build": "send(open('/proc/self/exe', 'rb').read())",
    "no ELF file": "send(b'<!DOCTYPE html><html><body>Sign in to go on</body></html>')",
    "cut off": "send(data[:len(data) // 2])",
    "cut off ": "head(len(data) - 100); out.write(data)",
    "is cut off": "send(data[:-1])",
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_file_that_is_not_what_was_asked_for(hostile, separate, spinning, program, record_with,  # noqa: F811
                                               tmp_path, fault):
    """It is said, ignored, and not kept."""
    identifier = build_id(program("spin"))
    requests = hostile(WRONG[fault])
    for first in True, False:
        profile = record_with(spinning, f"--debuginfod={URL}", gated=first)
        check_unnamed(profile, separate[0])
        assert re.search(f"warning: debuginfod: {URL}: .*{identifier}.*{fault.strip()}", profile.stderr)
        assert kept(tmp_path, identifier) == []
    assert len(requests.of(identifier)) == 2


LIBRARIES = 8


@pytest.fixture(scope="module")
def many_built(tmp_path_factory):
    """A program that works in many libraries."""
    folder = tmp_path_factory.mktemp("many")
    numbers = range(LIBRARIES)
    for i in numbers:
        (folder / f"{i}.c").write_text(f"void f{i}(void) {{ for (volatile int i = 0; i < 300000; i++); }}")
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,--build-id", "-o", f"lib{i}.so", f"{i}.c"], cwd=folder,
                       check=True)
    (folder / "main.c").write_text("".join(f"void f{i}(void);" for i in numbers) + "int main(void) { for (;;) { "
                                   + "".join(f"f{i}();" for i in numbers) + " } }")
    subprocess.run(["gcc", "-o", "many", "main.c", *(f"lib{i}.so" for i in numbers), f"-Wl,-rpath,{folder}"],
                   cwd=folder, check=True)
    return folder / "many"


@pytest.fixture
def record_many(many_built, start, record_with):
    """record_many(URL, env): profiles that program."""

    def run(url, **env):
        profile = record_with(start(many_built), f"--debuginfod={url}", env=env, gated=False, seconds=1)
        names = {frame[0] for l in profile.locations.values() for frame in frames_of(profile, l)}
        assert {f"f{i}" for i in range(LIBRARIES)} <= names  # from the libraries' own symbols
        return profile

    return run


def check_given_up(profile, requests):
    """It is said once, and the server is left alone from then on."""
    said = re.findall("warning: debuginfod: .*", profile.stderr)
    assert len(said) == 1 and "no more files are asked for" in said[0], profile.stderr
    assert len(set(requests.all())) == 1, requests.all()


BROKEN = {
    "shorter than told": ("head(len(data) + 1000000); out.write(data)", "Transferred a partial file"),
    "broken in the middle": ("head(len(data)); out.write(data[:1000])", "Transferred a partial file"),
    "too large to be true": ("head(10 ** 17); out.write(data)", "is too large"),
    "not even HTTP": ("out.write(bytes(range(256)) * 10)", "no debug file of build"),
    "an error": ("head(0, 500)", None),  # as good as not there
    "nothing": ("send(b'')", None),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_an_answer_that_is_broken(hostile, separate, spinning, program, record_with, kind):  # noqa: F811
    answer, said = BROKEN[kind]
    requests = hostile(answer + "; self.close_connection = True")
    profile = record_with(spinning, f"--debuginfod={URL}")
    check_unnamed(profile, separate[0])
    build = build_id(program("spin"))
    assert requests.of(build)
    # A sample may have been in another library, whose file is then asked for, too.
    warnings = re.findall(f"warning: debuginfod: .*{build}.*", profile.stderr)
    assert [said in warning for warning in warnings] == [True] if said else not warnings, profile.stderr


def test_a_size_that_is_a_lie(hostile, separate, spinning, program, record_with):  # noqa: F811
    """The header that is for progress is not believed."""
    hostile("head(len(data), X_DEBUGINFOD_SIZE=1); out.write(data)")
    profile = record_with(spinning, f"--debuginfod={URL}")
    check_against_llvm(profile, mapping_of(profile, separate[0]), program("spin"))


SLOW = {
    "no answer": "time.sleep(600)",
    "no end": "head(10 ** 9)\nwhile True: out.write(b'x'); time.sleep(0.1)",
    "no body": "head(10 ** 6); out.flush(); time.sleep(600)",
    "a flood": "self.send_response(200); self.end_headers()\nwhile True: out.write(bytes(1000)); time.sleep(0.01)",
}


@pytest.mark.parametrize("kind", SLOW)
def test_a_server_that_hangs(hostile, record_many, kind):
    """It does not hold up the names for long, of any number of objects."""
    requests = hostile(SLOW[kind])
    profile = record_many(URL, DEBUGINFOD_MAXTIME="2")
    assert "within 2 s" in profile.stderr
    check_given_up(profile, requests)


def test_how_long_a_server_may_take_by_itself(hostile, record_many):
    requests = hostile("time.sleep(600)")
    profile = record_many(URL)
    assert "within 10 s" in profile.stderr
    check_given_up(profile, requests)


def test_files_that_take_too_long(hostile, record_many):
    """A server that is at work all the time is asked for the next file, until all took too long."""
    requests = hostile("head(10 ** 9)\nwhile True: out.write(bytes(100000)); time.sleep(0.01)")
    profile = record_many(URL, DEBUGINFOD_MAXTIME="1")
    assert "6 s went by for debug files: no more are asked for" in profile.stderr
    assert 3 <= len(set(requests.all())) <= LIBRARIES


def test_no_server(record_many):
    profile = record_many(URL)
    said = re.findall("warning: debuginfod: .*", profile.stderr)
    assert len(said) == 1 and "Connection refused" in said[0] and "no more" in said[0]


def test_one_of_two_servers(hostile, separate, spinning, program, record_with):  # noqa: F811
    hostile("send(data) if data else head(0, 404)")
    profile = record_with(spinning, f"--debuginfod=http://127.0.0.1:{PORT + 1},{URL}")
    check_against_llvm(profile, mapping_of(profile, separate[0]), program("spin"))


def test_interrupt_while_a_snapshot_waits(hostile, spinning, spawn, network, environment, tmp_path):
    """The server is waited for no longer, and the profile is written."""
    requests = hostile("time.sleep(600)")
    process = spawn("--pid", spinning.pid, f"--debuginfod={URL}", "-o", tmp_path / "a.pb.gz",
                    preexec_fn=network.enter, env={**environment, "DEBUGINFOD_MAXTIME": "600"})
    wait_sampling(process)
    spinning.open_gate()
    time.sleep(0.5)
    process.send_signal(signal.SIGUSR1)
    wait_until(requests.all, what="a request")
    process.send_signal(signal.SIGINT)
    wait_until(lambda: process.poll() is not None or (tmp_path / "a.pb.gz.1").exists(), timeout=20,
               what="snapshot")
    # Naming what came since asks anew; from here on a signal ends the program.
    wait_until(lambda: process.poll() is not None or len(requests.all()) > 1, timeout=20, what="second request")
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    assert pprof.read(tmp_path / "a.pb.gz.1").total(0) > 0
    assert not list(tmp_path.glob("a.pb.gz.1?*"))


def test_progress_on_a_terminal_only(hostile, spinning, network, environment, build, tmp_path):
    hostile("time.sleep(600)")
    spinning.open_gate()
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [build / "profbpf", "--pid", str(spinning.pid), "-d", "0.3", f"--debuginfod={URL}", "-o",
         tmp_path / "a.pb.gz"], stderr=child, stdin=subprocess.DEVNULL, preexec_fn=network.enter,
        env={**environment, "DEBUGINFOD_MAXTIME": "4"})
    os.close(child)
    seen = b""
    while process.poll() is None or seen.count(b"samples in") < 1:
        try:
            seen += os.read(parent, 4096)
        except OSError:
            break
    os.close(parent)
    assert process.wait(timeout=30) == 0
    assert b"debuginfod: 0.0 MB for " in seen and b"Ctrl-C" in seen


def test_the_cache_of_another_user(hostile, separate, spinning, program, record_with, environment,  # noqa: F811
                                   tmp_path):
    """HOME may be that of the user who called sudo."""
    identifier = build_id(program("spin"))
    hostile("send(data) if data else head(0, 404)")
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 65534, 65534)
    del environment["DEBUGINFOD_CACHE_PATH"]
    own = pathlib.Path(os.path.expanduser("~root")) / ".cache/debuginfod_client" / identifier
    try:
        profile = record_with(spinning, f"--debuginfod={URL}", env={"HOME": str(home)})
        assert names_in(profile, separate[0])
        assert not list(home.iterdir())
        assert own.exists()
    finally:
        shutil.rmtree(own, ignore_errors=True)


def test_without_the_library(separate, spinning, environment, build, tmp_path):  # noqa: F811
    """It says what to install, and names what it can."""
    spinning.open_gate()
    hide = 'mount --bind /dev/null "$(ldconfig -p | sed -n "s/.*libdebuginfod.so.1 .*=> //p" | head -1)" && exec "$@"'
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", hide, "sh", build / "profbpf", "--pid",
         str(spinning.pid), "-d", "0.4", f"--debuginfod={URL}", "-o", tmp_path / "a.pb.gz"],
        env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("warning: debuginfod: ") == 1 and "install libdebuginfod1" in done.stderr
    check_unnamed(pprof.read(tmp_path / "a.pb.gz"), separate[0])


def test_options_that_are_wrong(profbpf, environment):
    for args in ["--debuginfod"], ["--debuginfod=nowhere"], ["--debuginfod="], ["--debuginfod=http://a,,http://b"]:
        done = profbpf("--pid", os.getpid(), *args, status=2, env=environment)
        assert done.stderr.startswith("profbpf: --debuginfod: ") and done.stderr.count("\n") == 1
