# SPDX-License-Identifier: BSD-2-Clause
"""jett.profile.v1 of programs that run: by --profile, by the extension of an output, from a capture."""

import json
import os
import re
import signal

import jsonschema
import pytest

import events
import recording
from contract import in_order
from decoders import pprof, toon
from targets import wait_until

U = "unavailable"
STATES = ("attributed_samples", "runtime_samples", "waiting_samples", "unavailable_samples")
SLEEPERS = 12


@pytest.fixture(scope="session")
def schema(root):
    found = json.loads((root / "docs/profile.schema.json").read_text())
    return jsonschema.Draft202012Validator(found)


@pytest.fixture(scope="session")
def checked(schema, tools):
    """checked(FILE.json, FILE.toon): the profile, after its schema, the strict decoder and its own sums
    have had their say."""

    def check(as_json, as_toon):
        document, text = json.loads(as_json.read_text()), as_toon.read_text()
        schema.validate(document)
        decoded, = toon.decode(tools, text)
        assert in_order(decoded) == in_order(document)
        totals = document["profile"]["totals"]
        known = [totals[state] for state in STATES if totals[state] != U]
        assert totals["recorded_samples"] == sum(known)
        assert totals["requested_ticks"] == (totals["recorded_samples"] + totals["coalesced_ticks"] +
                                             totals["collector_dropped_ticks"])
        assert not any(path.startswith("/") for path in paths(document["profile"]))
        return document["profile"]

    return check


def paths(profile):
    return [entry["path"] for entry in profile["bottlenecks"]] + [
        line["path"] for entry in profile["bottlenecks"] for line in entry["hot_lines"]]


def outputs(folder):
    return folder / "a.json", folder / "a.toon"


def bottleneck(profile, name):
    found, = [entry for entry in profile["bottlenecks"] if entry["function"] == name]
    return found


def room(share, samples):
    """1.5 points, or four standard deviations where a busy machine left few samples."""
    return max(0.015, 4 * (share * (1 - share) / samples) ** 0.5)


def expect_waiting(totals, threads):
    """So many threads waited all the time: to the tick, but for the reading of the clocks at the ends."""
    expected = threads * totals["wall_duration_ns"] / 1e6
    assert totals["waiting_samples"] == pytest.approx(expected, abs=1 + threads * 0.5)


# --- shares, waiting, times ---


def test_shares_of_known_size(start, spawn, checked, root, tmp_path):
    """Of threads in turns of milliseconds, so the rate is none that goes with the scheduler's."""
    as_json, as_toon = outputs(tmp_path)
    target = start("threads", "-s", 8, preexec_fn=lambda: os.nice(-19))
    profiler = spawn("--profile", "--profile-rate", 997, "--profile-threshold", 0, "--profile-limit", 100,
                     "--project-root", root, "--pid", target.pid, "-o", as_json, "-o", as_toon)
    recording.wait_for_sampling(profiler, as_json)
    target.open_gate()
    truth = json.loads(target.process.stdout.readline())
    recording.stop(profiler)
    profile = checked(as_json, as_toon)
    assert (profile["status"], profile["termination"]) == ("complete", U)
    n = profile["totals"]["attributed_samples"]
    assert n > 300
    for name, share in truth["functions"].items():
        entry = bottleneck(profile, name)
        assert entry["inclusive_samples"] / n == pytest.approx(share, abs=room(share, n)), name
        assert entry["namespace"] == "<root>"
        assert entry["path"] == "tests/programs/threads.c"


def test_shares_at_the_usual_rate(profbpf, checked, program, root, tmp_path):
    """One of three calls does half of the work of the two others, whatever that costs: a third of all."""
    as_json, as_toon = outputs(tmp_path)
    profbpf("--profile", "--profile-limit", 100, "--project-root", root, "-o", as_json, "-o", as_toon, "--",
            program("leaves"), "-s", 8, preexec_fn=lambda: os.nice(-19))
    profile = checked(as_json, as_toon)
    n = profile["totals"]["attributed_samples"]
    assert n > 300
    framed, called = bottleneck(profile, "call_framed"), bottleneck(profile, "bare_leaf")
    assert framed["inclusive_samples"] / n == pytest.approx(1 / 3, abs=room(1 / 3, n))
    assert framed["self_samples"] < 0.02 * n
    # And a third of the work of the function that both ways lead to, all of it its own.
    by_way = {chain["chain"][-2]: chain["samples"] for chain in called["call_chains"]}
    m = called["inclusive_samples"]
    assert by_way["<root>.framed_caller"] / m == pytest.approx(1 / 3, abs=room(1 / 3, m))
    assert by_way["<root>.call_leaf"] / m == pytest.approx(2 / 3, abs=room(1 / 3, m))
    assert called["self_samples"] == m
    assert {line["path"] for line in called["hot_lines"]} <= {"tests/programs/common.h", "tests/programs/leaves.c"}


def test_sleeping_program(profbpf, checked, tmp_path):
    """It waits, and has no bottleneck, however low the threshold."""
    as_json, as_toon = outputs(tmp_path)
    said = profbpf("--profile", "--profile-threshold", 50, "-o", as_json, "-o", as_toon, "--", "sleep", 2).stderr
    profile = checked(as_json, as_toon)
    totals = profile["totals"]
    # Starting takes the program some samples, or none.
    assert totals["attributed_samples"] + totals["runtime_samples"] < 50
    assert totals["waiting_samples"] > 1900
    assert totals["waiting_samples"] * 1e6 <= totals["wall_duration_ns"]
    assert (profile["status"], profile["termination"]) == ("complete", "returned")
    assert f"{totals['waiting_samples']} waiting" in said


@pytest.fixture
def sleepers(start):
    """The target, all of its threads asleep but one that counts; and the wait of its main thread."""
    target = start("sleepers", SLEEPERS)
    assert target.process.stdout.readline() == b"asleep\n"
    main = f"/proc/{target.pid}/task/{target.pid}/stat"
    wait_until(lambda: open(main).read().rpartition(") ")[2][0] == "S", what="sleep of the main thread")
    return target


def test_threads_that_were_asleep_before(sleepers, profbpf, checked, tmp_path):
    as_json, as_toon = outputs(tmp_path)
    before = sleepers.cpu_seconds()
    profbpf("--profile", "--pid", sleepers.pid, "-d", 2, "-o", as_json, "-o", as_toon)
    used = sleepers.cpu_seconds() - before
    profile = checked(as_json, as_toon)
    totals = profile["totals"]
    expect_waiting(totals, SLEEPERS + 1)
    # Waiting is nobody's work.
    assert {entry["function"] for entry in profile["bottlenecks"]} <= {
        "counter", "count_one", "start_thread", "__clone3", "clone3", "__clone"}
    ticks = totals["requested_ticks"] - totals["waiting_samples"]
    assert totals["process_cpu_ns"] == pytest.approx(ticks * 1e6, rel=0.05, abs=20e6)
    assert 0 < totals["process_cpu_ns"] <= used * 1e9


def test_waiting_of_some_threads(sleepers, profbpf, checked, tmp_path):
    """By the names of threads, and by their numbers."""
    as_json, as_toon = outputs(tmp_path)
    profbpf("--profile", "--pid", sleepers.pid, "-d", 1, "--comm", "^sleeper-[0-4]$", "-o", as_json, "-o", as_toon)
    totals = checked(as_json, as_toon)["totals"]
    expect_waiting(totals, 5)
    assert totals["requested_ticks"] == totals["waiting_samples"]
    assert totals["process_cpu_ns"] == 0
    profbpf("--profile", "--pid", sleepers.pid, "-d", 1, "--tid", sleepers.pid, "-o", as_json, "-o", as_toon)
    totals = checked(as_json, as_toon)["totals"]
    expect_waiting(totals, 1)


def test_no_room_for_waits(sleepers, profbpf, checked, tmp_path):
    """Then nobody knows how long it was, and the report says so."""
    as_json, as_toon = outputs(tmp_path)
    said = profbpf("--profile", "--pid", sleepers.pid, "-d", 1, "--test-waits", 4, "-o", as_json, "-o", as_toon).stderr
    totals = checked(as_json, as_toon)["totals"]
    assert totals["waiting_samples"] == U and totals["process_cpu_ns"] == U
    assert f"{SLEEPERS + 1 - 4} times a thread that waits found no room" in said
    assert f"{U} waiting" in said


def test_preempted_is_not_waiting(start, profbpf, checked, tmp_path):
    """Two programs at work on one CPU: each is off it half of the time, and neither waits."""
    as_json, as_toon = outputs(tmp_path)
    cpu = min(os.sched_getaffinity(0))
    targets = [start("spin", "-s", 30, preexec_fn=lambda: os.sched_setaffinity(0, {cpu})) for _ in range(2)]
    for target in targets:
        target.open_gate()
    wait_until(lambda: all(target.cpu_seconds() > 0.05 for target in targets), timeout=30, what="work of both")
    profbpf("--pid", f"{targets[0].pid},{targets[1].pid}", "-d", 2, "-o", as_json, "-o", as_toon)
    totals = checked(as_json, as_toon)["totals"]
    assert totals["attributed_samples"] > 100
    assert totals["waiting_samples"] <= 2
    assert totals["process_cpu_ns"] <= totals["wall_duration_ns"]


# --- the forms, and where they come from ---


def test_forms_and_capture_agree(profbpf, checked, program, root, tmp_path):
    """One run in all forms; the capture of it gives the same bytes."""
    as_json, as_toon = outputs(tmp_path)
    text, capture = tmp_path / "a.txt", tmp_path / "a.profbpf"
    options = ["--profile-threshold", 1.5, "--profile-limit", 3, "--project-root", root]
    done = profbpf("--profile", *options, "-o", as_json, "-o", as_toon, "-o", text, "-o", capture, "--",
                   program("spin"), "-s", 1)
    checked(as_json, as_toon)
    human = text.read_text()
    assert human in done.stderr and human.startswith("CPU profile\n")
    assert json.loads(done.stdout)["target"] == "spin"
    for form, path in (("toon", as_toon), ("json", as_json), ("text", text)):
        report = profbpf("report", capture, "--contract", "--format", form, *options)
        assert report.stdout == path.read_text()
        again = tmp_path / f"again{path.suffix}"
        profbpf("report", capture, "--contract", "-o", again, *options)
        assert again.read_bytes() == path.read_bytes()
    assert profbpf("report", capture, "--contract", "--json", *options).stdout == as_json.read_text()
    assert profbpf("report", capture, "--contract", *options).stdout == human


def event_file(profile, root, totals):
    """The run's events from its pprof profile: names split and paths cut by Go's rules, here and by hand."""
    records, sources, functions, frames, stacks, samples = [], {}, {}, {}, {}, []

    def number(kind, key, record):
        if key not in kind:
            kind[key] = len(kind)
            records.append(record)
        return kind[key]

    def add_function(f, mapping):
        inside = f.file.startswith(f"{root}/")
        path = f.file[len(f"{root}/"):] if inside else "/outside"
        source = number(sources, path if inside else (f.file, mapping), events.source(path))
        package = re.match(r"(?:[^\[]*/)?[^/.\[]+(?=\.)", f.name)
        name_space = package[0] if package else "<root>"
        name = f.name[len(name_space) + 1:] if package else f.name
        record = events.function(name, name_space, source=source, line=f.start_line or None)
        return number(functions, (f.name, f.start_line, mapping), record)

    for sample in profile.samples:
        rows = []
        for location in (profile.locations[i] for i in reversed(sample.locations)):
            mapping = profile.mappings[location.mapping].file if location.mapping else ""
            if mapping.startswith("[kernel"):
                continue
            for line in reversed(location.lines):
                function = add_function(profile.functions[line.function], mapping)
                rows.append(number(frames, (function, line.line), events.frame(function, line=line.line or None)))
        state = "jett" if rows else "runtime"
        stack = number(stacks, tuple(rows), events.stack(*rows)) if rows else None
        samples.append(events.sample(stack, sample.values[0], state))
    account, _ = recording.commented(profile)
    header = events.header(requested_rate_hz=1000, threshold_basis_points=2000, limit=100)
    header.update(backend="ebpf_async_stack", coverage="process_threads")
    return events.text([
        header, *records, *samples, events.sample(None, totals["waiting_samples"], "waiting"),
        {"op": "coalesced", "count": account.coalesced}, {"op": "dropped", "count": account.dropped},
        events.end("returned", totals["wall_duration_ns"], process_cpu_ns=totals["process_cpu_ns"])])


def test_a_live_run_replayed(profbpf, checked, program, root, tmp_path):
    """The same events as a file give the same bytes. Go's lines have no columns, which pprof has no place for."""
    as_json, as_toon = outputs(tmp_path)
    profbpf("--profile", "--profile-threshold", 20, "--profile-limit", 100, "--project-root", root, "-o", as_json, "-o",
            as_toon, "-o", tmp_path / "a.pb.gz", "--", program("go"), "-s", 2)
    totals = checked(as_json, as_toon)["totals"]
    (tmp_path / "a.jsonl").write_text(event_file(pprof.read(tmp_path / "a.pb.gz"), root, totals))
    assert profbpf("replay", tmp_path / "a.jsonl").stdout == as_toon.read_text()
    assert profbpf("replay", tmp_path / "a.jsonl", "--format", "json").stdout == as_json.read_text()


def test_what_a_capture_does_not_know(profbpf, checked, program, tmp_path):
    """Who waited is not in a recording for other formats."""
    as_json, as_toon = outputs(tmp_path)
    capture = tmp_path / "a.profbpf"
    profbpf("-o", capture, "--", program("spin"), "-s", 0.5)
    for out in (as_json, as_toon):
        profbpf("convert", capture, out)
    profile = checked(as_json, as_toon)
    assert profile["totals"]["waiting_samples"] == U and profile["totals"]["process_cpu_ns"] == U
    assert profile["config"]["requested_rate_hz"] == 999
    assert (profile["status"], profile["termination"]) == ("complete", "returned")


def test_no_files_unless_asked(profbpf, program, tmp_path):
    done = profbpf("--profile", "--", program("spin"), "-n", 200, cwd=tmp_path)
    assert os.listdir(tmp_path) == []
    assert done.stderr.startswith("CPU profile\n") and "%" in done.stderr
    assert json.loads(done.stdout)["target"] == "spin"


def test_standard_output(profbpf, tools, start):
    target = start("sleepers", 1)
    target.process.stdout.readline()
    done = profbpf("--profile", "-q", "--pid", target.pid, "-d", 0.5, "-o", "-", "--format", "toon")
    assert done.stderr == ""
    decoded, = toon.decode(tools, done.stdout)
    assert decoded["profile"]["schema"] == "jett.profile.v1"


# --- names and places ---


@pytest.mark.parametrize("target, path, names", [
    # As the sources say: what encloses the function, and its own name.
    ("cxx", "tests/programs/cxx.cpp", {("<root>", "main"), ("outer", "round"),
                                       ("outer::(anonymous namespace)", "sort_some")}),
    ("rust-v0", "tests/programs/rust.rs", {("rust", "rust_round"), ("rust", "main"),
                                           ("rust::rust_round", "{closure#0}")}),
    ("rust-legacy", "tests/programs/rust.rs", {("rust", "rust_round"), ("rust", "main")}),
    ("go", "tests/programs/go/main.go", {("main", "goRound"), ("main", "main"), ("main", "sortSome"),
                                         ("main", "(*mixer[go.shape.uint64]).weigh")}),
    ("spin", "tests/programs/spin.c", {("<root>", "main"), ("<root>", "spin_round"), ("<root>", "inlined_inner")}),
])
def test_namespaces(profbpf, checked, program, root, tmp_path, target, path, names):
    as_json, as_toon = outputs(tmp_path)
    profbpf("--profile", "--profile-threshold", 1, "--profile-limit", 100, "--project-root", root, "-o", as_json, "-o",
            as_toon, "--", program(target), "-s", 1)
    profile = checked(as_json, as_toon)
    inside = {(entry["namespace"], entry["function"]) for entry in profile["bottlenecks"] if entry["path"] == path}
    assert names <= inside
    chains = [name for entry in profile["bottlenecks"] for chain in entry["call_chains"] for name in chain["chain"]]
    assert all(f"{name_space}.{function}" in chains for name_space, function in names)


def test_default_root(profbpf, checked, program, root, tmp_path):
    """The source tree around the current folder; elsewhere there are no paths."""
    as_json, as_toon = outputs(tmp_path)
    profbpf("--profile", "-o", as_json, "-o", as_toon, "--", program("spin"), "-s", 0.5, cwd=root / "tests/e2e")
    assert "tests/programs/spin.c" in paths(checked(as_json, as_toon))
    profbpf("--profile", "-o", as_json, "-o", as_toon, "--", program("spin"), "-s", 0.5, cwd=tmp_path)
    assert set(paths(checked(as_json, as_toon))) == {U}


# --- ends ---


def report_of(tmp_path):
    return ["--profile", "-o", tmp_path / "a.json", "-o", tmp_path / "a.toon"]


def state(profile):
    return profile["status"], profile.get("partial_reason"), profile["termination"]


def test_interrupted_command(spawn, checked, program, tmp_path):
    process = spawn(*report_of(tmp_path), "--", program("spin"), "-s", 30)
    recording.wait_for_sampling(process, tmp_path / "a.json")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    profile = checked(*outputs(tmp_path))
    assert state(profile) == ("partial", "interrupted", "interrupted")
    assert profile["totals"]["attributed_samples"] > 0 and profile["bottlenecks"]
    # Suggestions are still made of what was seen.
    assert any(entry["suggestions"] for entry in profile["bottlenecks"])
    assert "status: partial (interrupted)" in said


def test_interrupt_from_the_terminal(spawn, checked, program, tmp_path):
    """It reaches both: the command, which dies by it, and the profiler."""
    process = spawn(*report_of(tmp_path), "--", program("spin"), "-s", 30, start_new_session=True)
    recording.wait_for_sampling(process, tmp_path / "a.json")
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert state(checked(*outputs(tmp_path))) == ("partial", "interrupted", "interrupted")


@pytest.mark.parametrize("script, status, termination", [
    ("exit 0", 0, "returned"),
    ("exit 7", 7, "returned"),
    ("kill -SEGV $$", 128 + 11, "runtime_error"),
    ("kill -INT $$", 128 + 2, "runtime_error"),
])
def test_command_that_ends(profbpf, checked, tmp_path, script, status, termination):
    profbpf(*report_of(tmp_path), "--", "sh", "-c", script, status=status)
    assert state(checked(*outputs(tmp_path))) == ("complete", None, termination)


def test_end_of_an_attachment(start, spawn, profbpf, checked, tmp_path):
    """By time, by Ctrl-C, by the end of the program: each is a normal one."""
    target = start("spin", "-s", 60)
    target.open_gate()
    profbpf(*report_of(tmp_path), "--pid", target.pid, "-d", 0.5)
    assert state(checked(*outputs(tmp_path))) == ("complete", None, U)
    process = spawn(*report_of(tmp_path), "--pid", target.pid)
    recording.wait_for_sampling(process, tmp_path / "a.json")
    recording.stop(process)
    assert state(checked(*outputs(tmp_path))) == ("complete", None, U)
    process = spawn(*report_of(tmp_path), "--pid", target.pid)
    recording.wait_for_sampling(process, tmp_path / "a.json")
    target.process.kill()
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert state(checked(*outputs(tmp_path))) == ("complete", None, "runtime_error")
    target = start("spin", "-n", 1)
    process = spawn(*report_of(tmp_path), "--pid", target.pid)
    recording.wait_for_sampling(process, tmp_path / "a.json")
    target.open_gate()
    target.finish()
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert state(checked(*outputs(tmp_path))) == ("complete", None, "returned")


def test_command_that_outlives_the_duration(profbpf, checked, tmp_path):
    profbpf(*report_of(tmp_path), "-d", 0.3, "--", "sleep", 1)
    profile = checked(*outputs(tmp_path))
    assert state(profile) == ("complete", None, U)
    assert profile["totals"]["wall_duration_ns"] < 1e9


def test_command_that_can_not_be_run(profbpf, tmp_path):
    done = profbpf(*report_of(tmp_path), "--", tmp_path / "nothing", status=127)
    assert "CPU profile" not in done.stderr
    assert os.listdir(tmp_path) == []


def test_dead_collector(profbpf, checked, program, tmp_path):
    """The program runs on to its own end, undisturbed; the report is of what came before."""
    done = profbpf(*report_of(tmp_path), "--test-fail-after", 1, "--", program("spin"), "-s", 3, status=1)
    assert json.loads(done.stdout)["wall_s"] >= 3
    profile = checked(*outputs(tmp_path))
    assert state(profile) == ("partial", "collector_failure", "returned")
    totals = profile["totals"]
    assert totals["attributed_samples"] > 100
    assert 0.9e9 < totals["wall_duration_ns"] < 2.5e9
    assert totals["waiting_samples"] == totals["process_cpu_ns"] == U
    assert profile["bottlenecks"] and not any(entry["suggestions"] for entry in profile["bottlenecks"])
    assert "the kernel stopped running the sampling programs" in done.stderr


def test_dead_collector_of_a_program_that_fails(profbpf, checked, program, tmp_path):
    """What the program does itself owns the status; the reason stays the collector's."""
    script = f"{program('spin')} -s 3; kill -9 $$"
    profbpf(*report_of(tmp_path), "--test-fail-after", 1, "--", "sh", "-c", script, status=128 + 9)
    assert state(checked(*outputs(tmp_path))) == ("partial", "collector_failure", "runtime_error")


def test_interrupt_after_a_dead_collector(spawn, checked, program, tmp_path):
    """The profiler waits for its command all the same, and answers signals while it does."""
    process = spawn(*report_of(tmp_path), "--test-fail-after", 0.5, "--", program("spin"), "-s", 60)
    wait_until(lambda: recording.blocks_signal(process.pid, signal.SIGUSR1), what="start of the profiler")
    snapshots = 0
    while snapshots < 100:
        snapshots += 1
        process.send_signal(signal.SIGUSR1)
        wait_until(lambda: (tmp_path / f"a.toon.{snapshots}").exists(), timeout=30, what="snapshot")
        seen = json.loads((tmp_path / f"a.json.{snapshots}").read_text())["profile"]
        if seen["status"] == "partial":
            break
    assert state(seen) == ("partial", "collector_failure", U)
    assert 0.4e9 < seen["totals"]["wall_duration_ns"] < 5e9
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    profile = checked(*outputs(tmp_path))
    assert state(profile) == ("partial", "collector_failure", "interrupted")
    assert profile["totals"] == seen["totals"]


def test_dead_collector_of_an_attachment(start, profbpf, checked, tmp_path):
    target = start("spin", "-s", 60)
    target.open_gate()
    profbpf(*report_of(tmp_path), "--pid", target.pid, "-d", 50, "--test-fail-after", 0.5, status=1)
    assert state(checked(*outputs(tmp_path))) == ("partial", "collector_failure", U)


@pytest.mark.parametrize("rate", [1, 10, 1000])
def test_a_clock_that_lives(profbpf, checked, tmp_path, rate):
    """Long pauses between ticks, and CPUs with nothing to do, are no failures."""
    profbpf(*report_of(tmp_path), "--profile-rate", rate, "-d", 2.5, "--", "sleep", 3)
    profile = checked(*outputs(tmp_path))
    assert state(profile)[:2] == ("complete", None)
    assert profile["config"]["requested_rate_hz"] == rate
    expected = profile["totals"]["wall_duration_ns"] * rate / 1e9
    assert profile["totals"]["waiting_samples"] == pytest.approx(expected, abs=1 + 0.05 * expected)


def test_without_privilege(unprivileged, public_dir):
    """No report is made up, and the command does not run."""
    done = unprivileged("--profile", "-o", "a.toon", "-o", "a.json", "--", "touch", "ran")
    assert done.returncode == 3
    assert "CPU profile" not in done.stderr and done.stdout == ""
    assert os.listdir(public_dir) == ["profbpf"]


def test_the_whole_machine(start, profbpf, checked, tmp_path):
    """While a command runs; threads of the kernel do not wait."""
    sleeping = start("sleepers", SLEEPERS)
    assert sleeping.process.stdout.readline() == b"asleep\n"
    profbpf(*report_of(tmp_path), "--all", "--", "sleep", 1)
    profile = checked(*outputs(tmp_path))
    assert state(profile) == ("complete", None, "returned")
    totals = profile["totals"]
    assert totals["waiting_samples"] >= (SLEEPERS + 1) * totals["wall_duration_ns"] / 1e6 * 0.9
    threads = sum(len(os.listdir(f"/proc/{pid}/task")) for pid in os.listdir("/proc") if pid.isdigit() and
                  os.path.exists(f"/proc/{pid}/exe"))
    assert totals["waiting_samples"] < (threads + 200) * totals["wall_duration_ns"] / 1e6
