# SPDX-License-Identifier: BSD-2-Clause
"""One recording a language, written to every format at once: foreign readers take each file, and all
say the same."""

import collections
import json
import pathlib
import re

import pytest

from decoders import folded, pprof, speedscope
from targets import CpuClock, Target, source_line

# What each target spends most of its time in or under, by the name its language gives it.
LANGUAGES = {
    "threads": ["hot_alpha", "do_round"],
    "cxx": ["outer::round", "Mixer<int, 9000u>::weigh"],
    "rust-v0": ["rust::rust_round", "rust::shapes::Mixer<u8> as rust::shapes::Weigh>::weigh"],
    "rust-legacy": ["rust::rust_round", "rust::shapes::Mixer<T> as rust::shapes::Weigh>::weigh"],
    "go": ["main.goRound", "main.(*mixer["],
    "python.py": ["_PyEval_EvalFrameDefault"],
}
SECONDS = 3

Recording = collections.namedtuple("Recording",
                                   "name exe pprof folded speedscope capture cpu shown")


@pytest.fixture(scope="module", params=LANGUAGES)
def recording(request, program, profbpf, tools, tmp_path_factory):
    """A recording in four formats, the CPU clock of its target, what speedscope shows."""
    exe = program(request.param)
    command = [exe]
    if exe.suffix == ".py":
        exe = pathlib.Path("/usr/bin/python3").resolve()
        command = [exe, *command]
    folder = tmp_path_factory.mktemp("recording")
    paths = [folder / f"a.{e}" for e in ("pb.gz", "folded", "speedscope.json", "profbpf")]
    outputs = [word for path in paths for word in ("-o", path)]
    target = Target([*command, "-s", "60"])
    try:
        target.open_gate()
        with CpuClock(target) as cpu:
            profbpf("--pid", target.pid, "-d", SECONDS, *outputs)
    finally:
        target.end()
    shown, = speedscope.show(tools, paths[2])
    return Recording(request.param, exe, *paths, cpu, shown)


def test_the_same_total_in_every_format(recording, tools):
    profile = pprof.read(recording.pprof)
    samples, nanoseconds = profile.total(0), profile.total(1)
    assert profile.types == [("samples", "count"), ("cpu", "nanoseconds")]
    # Every sample weighs its own tick and the missed ones before it.
    assert 0 < samples * profile.period <= nanoseconds
    assert nanoseconds % profile.period == 0
    assert pprof.go_totals(recording.pprof) == {
        "samples/count": samples, "cpu/nanoseconds": nanoseconds}
    assert sum(folded.read(recording.folded).values()) == samples
    assert folded.inferno_total(tools, recording.folded) == samples
    assert speedscope.total(recording.shown) == nanoseconds


def test_the_total_is_the_cpu_time_that_the_kernel_charged(recording):
    profile = pprof.read(recording.pprof)
    start = profile.time_ns / 1e9
    charged = recording.cpu.between(start, start + profile.duration_ns / 1e9)
    assert profile.total(1) / 1e9 == pytest.approx(charged, rel=0.05, abs=0.03)


def test_functions_by_the_names_of_their_language(recording):
    top = pprof.go_top(recording.pprof)
    in_folded = {frame for stack in folded.read(recording.folded) for frame in stack}
    in_speedscope = {frame["name"] for frame in recording.shown["frames"]}
    for function in LANGUAGES[recording.name]:
        assert max((cum for _, cum, shown in top if function in shown), default=0) > 10, top[:20]
        assert any(function in frame for frame in in_folded)
        assert any(function in frame for frame in in_speedscope)


def test_google_pprof_prints_tree_and_source(recording, root):
    assert re.search(r"\d%", pprof.go_pprof("-tree", recording.pprof))
    if recording.name == "threads":
        listing = pprof.go_pprof("-list=^do_round$", f"-source_path={root}", recording.pprof)
        assert "kinds[kind].hot(x, STEPS)" in listing


def test_the_pprof_header(recording):
    profile = pprof.read(recording.pprof)
    assert profile.period_type == ("cpu", "nanoseconds")
    assert profile.period == pytest.approx(1e9 / 999, abs=1)
    assert profile.default_type in ("", "cpu")
    assert profile.duration_ns == pytest.approx(SECONDS * 1e9, rel=0.1)
    main = profile.mappings[1]
    assert main.file == str(recording.exe)
    assert main.functions
    assert main.start < main.limit
    assert all(m.start < m.limit or m.start == m.limit == 0 for m in profile.mappings.values())
    assert all(f.name for f in profile.functions.values())


def test_convert_as_another_user_gives_the_same_profile(recording, unprivileged, public_dir):
    capture = public_dir / "a.profbpf"
    capture.write_bytes(recording.capture.read_bytes())
    capture.chmod(0o644)
    outputs = {}
    for extension in ("pb.gz", "folded", "speedscope.json"):
        outputs[extension] = public_dir / f"b.{extension}"
        done = unprivileged("convert", capture, outputs[extension])
        assert (done.returncode, done.stderr) == (0, "")
    before, after = pprof.read(recording.pprof), pprof.read(outputs["pb.gz"])
    assert after.canonical() == before.canonical()
    assert after.mappings == before.mappings
    assert (after.time_ns, after.duration_ns, after.period, after.comments) == (
        before.time_ns, before.duration_ns, before.period, before.comments)
    assert folded.read(outputs["folded"]) == folded.read(recording.folded)
    assert json.loads(outputs["speedscope.json"].read_text()) == json.loads(
        recording.speedscope.read_text())


@pytest.fixture(scope="module")
def spin_profile(program, profbpf, tmp_path_factory):
    """A profile of the target "spin" from exec to exit."""
    path = tmp_path_factory.mktemp("spin") / "a.pb.gz"
    profbpf("-o", path, "--", program("spin"), "-s", 3)
    return pprof.read(path)


def test_lines_and_inlined_calls(spin_profile, root):
    def line(name):
        return source_line(root, "spin.c", name)

    inner = range(line("inner-first") - 1, line("inner-last") + 1)
    round_lines = range(line("round-inlined"), line("round-plain"))
    weight = collections.Counter()
    for sample in spin_profile.samples:
        frames = [f for f in spin_profile.frames(sample) if f[1].endswith("/spin.c")]
        names = [frame[0] for frame in frames]
        if names[-1:] != ["inlined_inner"]:
            weight[names[-1] if names else None] += sample.values[0]
            continue
        weight["inlined_inner"] += sample.values[0]
        assert names[-4:] == ["main", "spin_round", "inlined_outer", "inlined_inner"]
        assert [frame[3] for frame in frames[-4:]] == [False, False, True, True]
        assert frames[-1][2] in inner
        assert frames[-2][2] == line("outer-call")
        assert frames[-3][2] in round_lines
        assert frames[-4][2] == line("main-call")
    # 40,000 steps of the inlined loop to 15,000 of the plain one, whose steps have one more addition.
    assert weight["inlined_inner"] > weight["spin_plain"] > 0
    assert weight["inlined_inner"] + weight["spin_plain"] > 0.9 * spin_profile.total(0)
