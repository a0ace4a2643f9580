# SPDX-License-Identifier: BSD-2-Clause
"""profbpf replay against a second implementation, on random event files, and what it must be besides:
the same everywhere, small, and hard to fool.

PROFBPF_REPLAY_FILES is how many random files are compared (300), PROFBPF_REPLAY_SEED the first."""

import json
import os
import re
import resource
import subprocess

import pytest

import contract
import events
from contract import in_order
from decoders import toon
from events import end, frame, function, header, sample, source, stack, text

FILES = int(os.environ.get("PROFBPF_REPLAY_FILES", 300))
SEED = int(os.environ.get("PROFBPF_REPLAY_SEED", 1))
SHARES = r'("(?:cpu_percent|allocation_percent|observed_rate_hz)": )(\d+\.\d\d)\b'


@pytest.fixture(scope="module")
def replay(build):
    """replay(RECORDS or text, OPTION…): the completed process; status is what it must exit with."""

    def run(records, *options, status=0, **more):
        data = records if isinstance(records, (str, bytes)) else text(records)
        data = data.encode() if isinstance(data, str) else data
        done = subprocess.run([build / "profbpf", "replay", "-", *options], input=data, capture_output=True,
                              timeout=120, **more)
        assert status is None or done.returncode == status, done.stderr
        return done

    return run


def exact(printed):
    """JSON with its shares and rates as the texts they are printed as."""
    return json.loads(re.sub(SHARES, r'\1"\2"', printed))


def test_random_files_against_the_second_implementation(replay, tools):
    kinds, documents, decoded = set(), [], []
    for seed in range(SEED, SEED + FILES):
        records = events.at_random(seed)
        expected = contract.profile(records)
        printed = replay(records, "--format", "json").stdout.decode()
        assert in_order(exact(printed)) == in_order({"profile": expected}), f"seed {seed}"
        kinds.add((expected["mode"], expected["status"], bool(expected["bottlenecks"])))
        documents.append(replay(records).stdout.decode())
        decoded.append(json.loads(printed))
    # One decoder for all of them.
    for seed, (one, other) in enumerate(zip(toon.decode(tools, *documents), decoded), SEED):
        assert in_order(one) == in_order(other), f"seed {seed}"
    if FILES >= 100:
        assert {("cpu", "complete", True), ("memory", "complete", True), ("cpu", "partial", True),
                ("memory", "partial", True), ("cpu", "unavailable", False)} <= kinds


def test_random_code_against_the_second_implementation(replay):
    kinds = set()
    for seed in range(SEED, SEED + max(FILES // 10, 1)):
        records = events.code_at_random(seed)
        expected = contract.profile(records)
        assert exact(replay(records, "--format", "json").stdout.decode()) == {"profile": expected}, f"seed {seed}"
        rows = [row for one in expected["bottlenecks"] for row in one["hot_lines"]]
        kinds |= {(row["code"] == "unavailable", row["source_redacted"]) for row in rows}
        kinds |= {token for token in ("<redacted-literal>", "<secret-expression>", "\\u{")
                  if any(token in row["code"] for row in rows)}
    if FILES >= 100:
        assert {(True, True), (False, True), (False, False), "<redacted-literal>", "<secret-expression>",
                "\\u{"} <= kinds


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--human"], ["--agent"]])
def test_the_same_bytes_everywhere(replay, tmp_path, options):
    records = [header(limit=100, threshold_basis_points=0), source("src/ä.jett"),
               *(function(f"f{i % 7}", source=0, line=i, declaration=[i % 3, 50]) for i in range(40)),
               *(frame(i, line=i, column=i % 3) for i in range(40)), *(stack(i, (i * 7) % 40) for i in range(40)),
               *(sample(i, count=1 + i % 4, tick=i) for i in range(40)), end(run=events.RUN)]
    first = replay(records, *options).stdout
    locales = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    for environment in ({"LC_ALL": "C", "TZ": "UTC"}, {"LC_ALL": locales[-1], "TZ": "Asia/Kathmandu"},
                        {"LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8", "TZ": "America/St_Johns",
                         "MALLOC_PERTURB_": "165"}):
        assert replay(records, *options, env=environment, cwd=tmp_path).stdout == first


def test_a_line_at_a_time(build, tmp_path):
    """A file many times larger than the memory that is allowed."""
    path = tmp_path / "large.jsonl"
    line = json.dumps(sample(thread=1, task=None, actor=None)) + "\n"
    with open(path, "w") as file:
        file.write(text([header(), *events.functions("f")]))
        for _ in range(20):
            file.write(line * 20000)
        file.write(text([end()]))
    done = subprocess.run([build / "profbpf", "replay", path], capture_output=True, text=True, timeout=300,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (16 << 20, 16 << 20)))
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 30 << 20
    assert "recorded_samples: 400000\n" in done.stdout


@pytest.mark.parametrize("wrong", [None, 150, 29999], ids=["good", "wrong early", "wrong late"])
def test_the_same_on_one_processor_as_on_all(replay, wrong):
    """Lines are parsed in threads where there are processors for them."""
    lines = [header(), *events.functions("f", "g")]
    for i in range(30000):
        if i % 5000 == 4999:  # records in between
            lines += [function(f"h{i}"), frame(2 + i // 5000), stack(2 + i // 5000, 0)]
        lines.append(sample(i % (2 + i // 5000), tick=i, thread=1, task=None, actor=None))
    lines.append(end())
    if wrong:
        lines[wrong] = sample(10**6, tick=wrong)
        lines[wrong + 1] = {"op": "guess"}
    results = []
    for processors in (os.sched_getaffinity(0), {min(os.sched_getaffinity(0))}):
        done = replay(lines, status=1 if wrong else 0,
                      preexec_fn=lambda allowed=processors: os.sched_setaffinity(0, allowed))
        results.append((done.stdout, done.stderr))
    assert results[0] == results[1]
    assert (f"line {wrong + 1}: " in results[0][1].decode()) if wrong else results[0][0]


# --- bad input ---

GOOD = [header(), source(), function("f", source=0), frame(0), stack(0), sample(), end()]
BAD = {
    "not JSON": (2, ["{"], "not JSON"),
    "two values in a line": (2, ['{"stack": []} {"stack": []}'], "not JSON"),
    "an empty line": (2, [""], "not JSON"),
    "not an object": (2, ["[]"], "not a JSON object"),
    "deep nesting": (2, ["[" * 100000 + "]" * 100000], "depth"),
    "number over 64 bits": (2, [sample(None, count=1 << 64)], "integer"),
    "negative number": (2, [sample(None, count=-1)], "count"),
    "fraction": (2, [sample(None, count=1.5)], "count"),
    "duplicate key": (2, ['{"op": "coalesced", "count": 1, "count": 1}'], "duplicate"),
    "unknown op": (2, [{"op": "guess"}], "guess"),
    "unknown record": (2, [{"guess": {}}], "guess"),
    "unknown member": (2, [sample(None, guess=1)], "guess"),
    "unknown member of a record": (2, [source(guess=1)], "guess"),
    "two records in one": (2, [{"stack": [], "frame": {}}], "more than one"),
    "missing member": (2, [{"op": "sample", "tick": 1}], "state"),
    "missing time": (2, [{"end": {"termination": "returned"}}], "wall_duration_ns"),
    "unknown state": (2, [sample(None, state="busy")], "busy"),
    "unknown termination": (2, [end("lost")], "lost"),
    "span the wrong way round": (2, [function("f", declaration=[2, 1])], "declaration"),
    "a source that is not there": (2, [function("f", source=0)], "not there"),
    "a function that is not there": (2, [frame(0)], "not there"),
    "a frame that is not there": (2, [stack(0)], "not there"),
    "a stack that is not there": (2, [sample(0)], "not there"),
    "a tick going back": (3, [sample(None, tick=5), sample(None, tick=4)], "tick"),
    "a counter over 64 bits": (4, [sample(None, count=(1 << 63) - 1)] * 3, "64 bits"),
    "an op of the other mode": (2, [events.allocate(1, 1, None)], "allocate"),
    "an event after a failure": (3, [events.failure(), sample(None)], "failure"),
    "a record after a failure": (3, [events.failure(), stack()], "failure"),
    "a reason that is no failure": (2, [events.failure("interrupted")], "interrupted"),
    "a line after the end": (3, [end(), stack()], "end"),
    "no end": (3, [stack()], "end"),
    "a runtime error without a failure": (2, [end("runtime_error", run=events.RUN)], "agree"),
    "a failure without a runtime error": (2, [end(run={**events.RUN, "failure": {
        "kind": "runtime_error", "message": "m"}})], "agree"),
}
BAD_MEMORY = {
    "an id again": (3, [events.allocate(1, 1, None)] * 2, "id"),
    "an id going back": (3, [events.allocate(2, 1, None), events.allocate(1, 1, None)], "id"),
    "freed twice": (4, [events.allocate(1, 1, None), events.free(1, 1), events.free(1, 1)], "id"),
    "free of an unknown id": (2, [events.free(1, 1)], "id"),
    "resize of an unknown id": (2, [events.resize(1, 1, 2, None)], "id"),
    "wrong old size": (3, [events.allocate(1, 1, None), events.free(1, 2)], "old_size"),
    "wrong old size of a resize": (3, [events.allocate(1, 1, None), events.resize(1, 2, 3, None)], "old_size"),
    "bytes over 64 bits": (4, [events.allocate(i, (1 << 63) - 1, None) for i in range(3)], "64 bits"),
    "an op of the other mode": (2, [sample(None)], "sample"),
}


def refuse(replay, data, line, part):
    done = replay(data, status=1)
    message, = done.stderr.decode().splitlines()
    assert done.stdout == b"" and message.startswith("profbpf: ")
    assert f"line {line}: " in message and part in message, message


@pytest.mark.parametrize("mode, name", [("cpu", name) for name in BAD] + [("memory", name) for name in BAD_MEMORY])
def test_bad_files(replay, mode, name):
    line, records, part = (BAD if mode == "cpu" else BAD_MEMORY)[name]
    lines = [json.dumps(header(mode)), *(one if isinstance(one, str) else json.dumps(one) for one in records)]
    refuse(replay, "".join(one + "\n" for one in lines), line, part)


@pytest.mark.parametrize("changed, part", [
    ({"schema": "profbpf.events.v2"}, "events.v2"), ({"mode": "heap"}, "heap"), ({"guess": 1}, "guess"),
    ({"backend": 1}, "backend"), ({"capabilities": ["magic"]}, "magic"), ({"config": {"limit": 0}}, "limit"),
    ({"config": {"limit": 101}}, "limit"), ({"config": {"threshold_basis_points": 10001}}, "threshold"),
    ({"config": {"requested_rate_hz": 0}}, "rate"), ({"config": {"requested_rate_hz": 1001}}, "rate"),
    ({"config": {"cpu_metadata_budget_bytes": (32 << 20) + 1}}, "budget"), ({"config": {"guess": 1}}, "guess"),
])
def test_bad_headers(replay, changed, part):
    refuse(replay, text([{**header(), **changed}, end()]), 1, part)


@pytest.mark.parametrize("data, line, part", [
    (b"", 1, "end"), (b'{"schema": "\xff"}\n', 1, "not JSON"), (b"\x00\n", 1, "not JSON"), (b"{}", 1, "schema"),
    (text(GOOD).encode().replace(b'"f"', b'"\xc3\x28"'), 3, "not JSON"),
], ids=["empty", "not UTF-8", "NUL", "no header", "not UTF-8 in a name"])
def test_bad_bytes(replay, data, line, part):
    refuse(replay, data, line, part)


def test_every_cut_of_a_good_file_is_refused(replay):
    data = text(GOOD).encode()
    assert replay(data[:-1]).stdout == replay(data).stdout
    for size in range(0, len(data) - 1, 7):
        refuse(replay, data[:size], data[:size].count(b"\n") + 1, "")


def test_a_line_of_a_gigabyte(build):
    """Refused while it comes: neither memory nor time for all of it."""
    process = subprocess.Popen([build / "profbpf", "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30)))
    process.stdin.write(b'{"schema": "')
    try:
        for _ in range(1024):
            process.stdin.write(b"a" * (1 << 20))
    except BrokenPipeError:
        pass
    try:
        out, err = process.communicate(timeout=60)
    except BrokenPipeError:
        out, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 1 and out == b"" and b"line 1: longer than" in err


def test_files_that_cannot_be_read(profbpf, tmp_path):
    for path, part in ((tmp_path / "missing", "No such file"), (tmp_path, "directory")):
        done = profbpf("replay", path, status=1)
        assert part in done.stderr and done.stdout == ""


@pytest.mark.parametrize("words, part", [
    ([], "FILE"), (["a", "b"], "'b'"), (["a", "--format", "xml"], "xml"), (["a", "--agent", "--human"], "one of them"),
    (["a", "--guess"], "guess"),
])
def test_usage(profbpf, words, part):
    done = profbpf("replay", *words, status=2)
    assert part in done.stderr and done.stdout == ""


def test_agent_needs_a_run(replay):
    done = replay(GOOD, "--agent", status=2)
    assert done.stdout == b"" and b"run" in done.stderr


def test_full_disk(build, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(text(GOOD))
    for options in ([], ["--format", "json"], ["--human"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([build / "profbpf", "replay", path, *options], stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1 and b"standard output" in done.stderr
