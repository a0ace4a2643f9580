# SPDX-License-Identifier: BSD-2-Clause
"""report --lines, --source and --asm: shares against what the target knows of itself, lines of addresses
against addr2line's, and text that is only shown if it is what was compiled."""

import collections
import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass

import pytest

import recording
from decoders import pprof
from targets import source_line, wait_until

NUMBERS = re.compile(r"^ *([\d.]+)% +(\S+) +([\d.]+)% +(\S+)  (.*)$")


@dataclass
class Recorded:
    folder: object
    source: object
    program: object
    capture: object
    truth: dict
    samples: int


@pytest.fixture(scope="module")
def build_and_record(profbpf, root, tmp_path_factory):
    """build_and_record(COMPILER, FLAG…): the target compiled from a copy of its source, and recorded."""

    def run(compiler, *flags, seconds=4):
        if not shutil.which(compiler):
            pytest.skip(f"{compiler} is not installed")
        folder = tmp_path_factory.mktemp("listed")
        (folder / "src").mkdir()
        for name in ("lines.c", "common.h"):
            shutil.copy(root / "tests/programs" / name, folder / "src")
            os.utime(folder / "src" / name, (1e9, 1e9))
        program, capture = folder / "lines", folder / "a.profbpf"
        # With a plain loop, each instruction of which belongs to the line of the macro's use.
        subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", "-O1", "-o", program,
                        folder / "src/lines.c", *flags], check=True)
        done = profbpf("record", "--kernel=no", "-F", 1999, "-o", capture, "--", program, "-s", seconds)
        truth = json.loads(done.stdout.splitlines()[-1])
        return Recorded(folder, folder / "src/lines.c", program, capture, truth,
                        recording.said(done.stderr).recorded)

    return run


@pytest.fixture(scope="module")
def by_gcc(build_and_record):
    return build_and_record("gcc", "-g")


@pytest.fixture(scope="module")
def by_clang(build_and_record):
    """DWARF 5 with checksums."""
    return build_and_record("clang", "-gdwarf-5")


def listed(text):
    """{place: (self %, cumulative %, the rest)} of the numbered lines below the headings."""
    rows = {}
    for line in text.splitlines():
        found = NUMBERS.match(line)
        if found and re.match(r"[0-9a-f]+( |$)", found[5]):
            place, _, rest = found[5].partition("  ")
            rows[place] = float(found[1]), float(found[3]), rest
    return rows


def function_row(text, name):
    found, = [m for m in map(NUMBERS.match, text.splitlines()) if m and m[5].startswith(name + "  ")]
    return float(found[1]), float(found[3])


def lines_of(root):
    return {name: str(source_line(root, "lines.c", name))
            for name in ("half", "fifth", "call", "callee")}


def about(share, samples):
    """In per cent, within 1.5 points, or four standard deviations where a busy machine left few samples."""
    return pytest.approx(100 * share, abs=max(1.5, 400 * (share * (1 - share) / samples) ** 0.5))


def check_shares(rows, recorded, lines):
    truth, samples = recorded.truth, recorded.samples
    for name in ("half", "fifth"):
        own, cumulative, text = rows[lines[name]]
        assert own == about(truth[name], samples), name
        assert cumulative == pytest.approx(own, abs=0.2)
        assert f"/* line: {name} */" in text
    own, cumulative, text = rows[lines["call"]]
    assert own < 0.5 and cumulative == about(truth["call"], samples)
    assert "/* line: call */" in text


@pytest.mark.parametrize("compiler", ["by_gcc", "by_clang"])
def test_source_shares(profbpf, root, request, compiler):
    recorded, lines = request.getfixturevalue(compiler), lines_of(root)
    text = profbpf("report", recorded.capture, "--source", "spend").stdout
    rows = listed(text)
    check_shares(rows, recorded, lines)
    assert "note: " not in text.split("spend  ")[1]
    own, cumulative = function_row(text, "spend")
    assert own == pytest.approx(sum(row[0] for row in rows.values()), abs=0.1)
    assert cumulative > 98
    # Beside each number, and around it, what the file has there.
    source = recorded.source.read_text().splitlines()
    for place, row in rows.items():
        assert row[2].strip() == source[int(place) - 1].strip()
    assert any(line.strip().endswith("NOINLINE uint64_t spend(uint64_t x)") for line in text.splitlines())
    callee = listed(profbpf("report", recorded.capture, "--source", "callee").stdout)
    assert callee[lines["callee"]][0] == about(recorded.truth["call"], recorded.samples)


@pytest.mark.parametrize("compiler", ["by_gcc", "by_clang"])
def test_lines_add_up(profbpf, root, request, tmp_path, compiler):
    """Each row against the samples of the pprof file, taken apart here."""
    recorded, lines = request.getfixturevalue(compiler), lines_of(root)
    report = json.loads(profbpf("report", recorded.capture, "--lines", "--json").stdout)
    total = report["totals"]["samples"]
    lineless = report["no_line_self"]["samples"]
    assert sum(row["self"]["samples"] for row in report["rows"] if row["line"]) + lineless == total
    profbpf("convert", recorded.capture, tmp_path / "a.pb.gz")
    profile = pprof.read(tmp_path / "a.pb.gz")
    own, cumulative = collections.Counter(), collections.Counter()
    for sample in profile.samples:
        places = []
        for location in sample.locations:
            for line in profile.locations[location].lines:
                function = profile.functions[line.function]
                places.append((function.name, function.file, line.line))
        own[places[0] if places else None] += sample.values[0]
        for place in set(places):
            cumulative[place] += sample.values[0]
    assert lineless == sum(n for place, n in own.items() if not place or not place[2])
    seen = 0
    for row in report["rows"]:
        if row["line"]:
            place = row["name"], row["file"], row["line"]
            assert (row["self"]["samples"], row["cumulative"]["samples"]) == (own[place], cumulative[place])
            seen += 1
    assert seen == len([place for place in cumulative if place[2]])
    text = profbpf("report", recorded.capture, "--lines").stdout
    half = re.search(rf"^ *([\d.]+)% .*  {recorded.source}:{lines['half']}  spend$", text, re.M)
    assert float(half[1]) == about(recorded.truth["half"], recorded.samples)
    cpu = 100 * report["no_line_self"]["cpu"] / report["totals"]["cpu"]
    assert f"{cpu:.2f}% self in code whose line is not known" in text


def addr2line(program, addresses):
    done = subprocess.run(["addr2line", "-e", program, *addresses], check=True, capture_output=True, text=True)
    return [re.search(r":(\d+|\?)", line)[1] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("tool", ["objdump", "llvm-objdump"])
def test_asm_against_addr2line(profbpf, by_gcc, root, need, tmp_path, tool):
    """The instructions' own shares, by the lines that binutils gives them, are those of the lines."""
    (tmp_path / tool).symlink_to(need(tool))
    text = profbpf("report", by_gcc.capture, "--asm", "spend", env={**os.environ, "PATH": str(tmp_path)}).stdout
    rows = listed(text)
    lines = lines_of(root)
    by_line = collections.Counter()
    for (place, row), line in zip(rows.items(), addr2line(by_gcc.program, rows)):
        by_line[line] += row[0]
    source = listed(profbpf("report", by_gcc.capture, "--source", "spend").stdout)
    for name in ("half", "fifth"):
        assert by_line[lines[name]] == pytest.approx(source[lines[name]][0], abs=0.1)
    own, _ = function_row(text, "spend")
    assert own == pytest.approx(sum(row[0] for row in rows.values()), abs=0.1)
    # The call has what is called: it is the instruction that holds the return address minus one.
    call, = [row for row in rows.values() if re.match(r"callq? ", row[2]) and row[1] > 10]
    assert call[1] == pytest.approx(source[lines["call"]][1], abs=0.1) and call[0] < 0.5
    assert "callee" in call[2]
    # All of them are instructions to binutils too.
    disassembled = subprocess.run(["objdump", "-d", by_gcc.program], check=True, capture_output=True, text=True)
    known = set(re.findall(r"^ *([0-9a-f]+):\t", disassembled.stdout, re.M))
    shown = set(re.findall(r"  ([0-9a-f]+)  \S", text))
    assert set(rows) <= known and len(shown & known) >= len(rows)


def test_changed_source(profbpf, by_clang, tmp_path):
    """By the checksum, whatever the file's time; numbers stay, and the right file is found elsewhere."""
    original = by_clang.source.read_text()
    report = ["report", by_clang.capture, "--source", "spend"]
    before = profbpf(*report).stdout
    (tmp_path / "tree/src").mkdir(parents=True)
    shutil.copy(by_clang.source, tmp_path / "tree/src/lines.c")
    try:
        by_clang.source.write_text(original.replace("line: half", "line: HALF"))
        os.utime(by_clang.source, (1e9, 1e9))
        text = profbpf(*report).stdout
        assert f"note: {by_clang.source} has other contents than what was compiled" in text
        assert "line: " not in text
        assert {k: v[:2] for k, v in listed(text).items()} == {k: v[:2] for k, v in listed(before).items()}
        text = profbpf(*report, "--source-dir", tmp_path / "tree").stdout
        assert f"note: text from {tmp_path}/tree/src/lines.c" in text
        assert listed(text) == listed(before)
        assert listed(profbpf(*report, cwd=tmp_path / "tree/src").stdout) == listed(before)
    finally:
        by_clang.source.write_text(original)
    assert profbpf(*report).stdout == before


def test_newer_source(profbpf, by_gcc):
    """Without checksum: shown, with a warning; unless it can not be the file."""
    original = by_gcc.source.read_text()
    report = ["report", by_gcc.capture, "--source", "spend"]
    before = profbpf(*report).stdout
    try:
        os.utime(by_gcc.source)
        text = profbpf(*report).stdout
        assert f"note: {by_gcc.source} is newer than the program: lines may have moved" in text
        assert listed(text) == listed(before)
        by_gcc.source.write_text("\n".join(original.splitlines()[:20]))
        text = profbpf(*report).stdout
        assert f"{by_gcc.source} has 20 lines only" in text and "line: " not in text
        assert {k: v[:2] for k, v in listed(text).items()} == {k: v[:2] for k, v in listed(before).items()}
    finally:
        by_gcc.source.write_text(original)
        os.utime(by_gcc.source, (1e9, 1e9))
    assert profbpf(*report).stdout == before


@pytest.mark.parametrize("compiler", ["by_gcc", "by_clang"])
def test_missing_source(profbpf, request, tmp_path, compiler):
    recorded = request.getfixturevalue(compiler)
    report = ["report", recorded.capture, "--source", "spend"]
    before = profbpf(*report).stdout
    os.rename(recorded.source, tmp_path / "moved.c")
    try:
        text = profbpf(*report).stdout
        assert f"note: {recorded.source} is not here: name a folder of its tree with --source-dir" in text
        assert {k: v[:2] for k, v in listed(text).items()} == {k: v[:2] for k, v in listed(before).items()}
        os.mkfifo(recorded.source)
        assert f"note: {recorded.source} is not a regular file" in profbpf(*report).stdout
        recorded.source.unlink()
    finally:
        os.rename(tmp_path / "moved.c", recorded.source)


def test_as_another_user(profbpf, by_clang, unprivileged, public_dir):
    """The capture alone, by one who may not look at the source."""
    shutil.copy(by_clang.capture, public_dir / "a.profbpf")
    done = unprivileged("report", "a.profbpf", "--source", "spend")
    assert done.returncode == 0, done.stderr
    rows = listed(done.stdout)
    before = listed(profbpf("report", by_clang.capture, "--source", "spend").stdout)
    assert {k: v[:2] for k, v in rows.items()} == {k: v[:2] for k, v in before.items()}
    shutil.copy(by_clang.source, public_dir)
    done = unprivileged("report", "a.profbpf", "--source", "spend", "--source-dir", ".")
    assert listed(done.stdout) == before


def test_names(profbpf, by_gcc):
    line = profbpf("report", by_gcc.capture, "--source", "spned", status=1).stderr
    assert line == "profbpf: no function 'spned' in the profile: is it one of 'spend'\n"
    line = profbpf("report", by_gcc.capture, "--asm", "zzzzz\x1b", status=1).stderr
    assert line == "profbpf: no function 'zzzzz\\x1b' in the profile: profbpf report lists them\n"
    # A part of a name; one that is a whole name means just that.
    text = profbpf("report", by_gcc.capture, "--source", "pen").stdout
    assert function_row(text, "spend")
    line = profbpf("report", by_gcc.capture, "--asm", "clock_seconds", status=None)
    if line.returncode:
        assert "has no code of its own: it is inlined" in line.stderr


def test_into_a_file(profbpf, by_gcc, tmp_path):
    for kind in (["--lines"], ["--source", "spend"], ["--asm", "spend"]):
        text = profbpf("report", by_gcc.capture, *kind).stdout
        assert profbpf("report", by_gcc.capture, *kind, "-o", tmp_path / "a").stdout == ""
        assert (tmp_path / "a").read_text() == text
        (tmp_path / "a").unlink()
    profbpf("report", by_gcc.capture, "--source", "absent", "-o", tmp_path / "a", status=1)
    assert not (tmp_path / "a").exists()
    line = profbpf("report", by_gcc.capture, "--lines", "-o", "/dev/full", status=1).stderr
    assert "No space left" in line
    line = profbpf("report", by_gcc.capture, "--source", "spend", "-o", "/dev/full", status=1).stderr
    assert "No space left" in line


def test_merged(profbpf, by_clang, tmp_path):
    both = tmp_path / "both.profbpf"
    profbpf("merge", both, by_clang.capture, by_clang.capture)
    one, two = (listed(profbpf("report", path, "--source", "spend").stdout)
                for path in (by_clang.capture, both))
    assert one == two


def test_object_replaced(profbpf, by_gcc, tmp_path):
    report = ["report", by_gcc.capture, "--asm", "spend"]
    shutil.move(by_gcc.program, tmp_path / "kept")
    try:
        line = profbpf(*report, status=1).stderr
        assert f"{by_gcc.program} is not here" in line
        shutil.copy("/bin/true", by_gcc.program)
        line = profbpf(*report, status=1).stderr
        assert f"{by_gcc.program} is not the file that was profiled (its build id differs)" in line
        by_gcc.program.unlink()
        os.mkfifo(by_gcc.program)
        assert "may not be read" in profbpf(*report, status=1).stderr
        by_gcc.program.unlink()
    finally:
        shutil.move(tmp_path / "kept", by_gcc.program)


def test_object_without_build_id(profbpf, build_and_record):
    recorded = build_and_record("gcc", "-g", "-Wl,--build-id=none", seconds=1)
    report = ["report", recorded.capture, "--asm", "spend"]
    assert listed(profbpf(*report).stdout)
    os.utime(recorded.program)
    assert "it was changed or replaced" in profbpf(*report, status=1).stderr


def test_stripped(profbpf, build_and_record):
    """Nothing is known but exports: by instruction from there; no source to list."""
    recorded = build_and_record("gcc", "-s", "-rdynamic", seconds=1)
    rows = listed(profbpf("report", recorded.capture, "--asm", "spend").stdout)
    own = recorded.truth["half"] + recorded.truth["fifth"]
    assert sum(row[0] for row in rows.values()) == about(own, recorded.samples)
    line = profbpf("report", recorded.capture, "--source", "spend", status=1).stderr
    assert "no lines are known of 'spend'" in line


def script(folder, name, text):
    path = folder / name
    path.write_text("#!/bin/sh\nPATH=/usr/bin:/bin\n" + text)
    path.chmod(0o755)
    return {**os.environ, "PATH": str(folder)}


def test_objdump_that_fails(profbpf, by_gcc, tmp_path):
    report = ["report", by_gcc.capture, "--asm", "spend"]
    none = {**os.environ, "PATH": str(tmp_path)}
    line = profbpf(*report, env=none, status=1).stderr
    assert line == "profbpf: no objdump is installed: install binutils, or llvm\n"
    env = script(tmp_path, "objdump", "printf 'no such\\033machine\\nmore' >&2; exit 3")
    assert profbpf(*report, env=env, status=1).stderr == "profbpf: objdump failed: no such\\x1bmachine\n"
    env = script(tmp_path, "objdump", "kill -9 $$")
    assert "objdump was ended by signal 9" in profbpf(*report, env=env, status=1).stderr
    env = script(tmp_path, "objdump", "exit 0")
    assert "it shows no instructions there" in profbpf(*report, env=env, status=1).stderr
    env = script(tmp_path, "objdump", "exec yes ' 1: nop'")
    assert "File too large" in profbpf(*report, env=env, status=1).stderr
    # Then the other one is asked.
    (tmp_path / "llvm-objdump").symlink_to(shutil.which("objdump"))
    env = script(tmp_path, "objdump", "exit 3")
    assert listed(profbpf(*report, env=env).stdout)


def test_objdump_ends_with_us(by_gcc, spawn, tmp_path):
    env = script(tmp_path, "objdump", f"echo $$ >{tmp_path}/pid; exec sleep 1000")
    process = spawn("report", by_gcc.capture, "--asm", "spend", env=env)
    pid = wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == -signal.SIGINT
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), what="the child's end")


@pytest.mark.parametrize("words, part", [
    (["--lines", "--source", "f"], "--lines and --source are two reports"),
    (["--source", "f", "--asm", "f"], "--source and --asm are two reports"),
    (["--asm", "f", "--unwind"], "--asm and --unwind are two reports"),
    (["--tree", "--lines"], "--tree and --lines are two reports"),
    (["--by", "line", "--source", "f"], "--by and --source are two reports"),
    (["--source", "f", "--json"], "--source is a listing for people: it has no --json"),
    (["--asm", "f", "--top", "3"], "it has no --top"),
    (["--source", "f", "--percent-limit", "3"], "it has no --percent-limit"),
    (["--asm", "f", "--max-depth", "3"], "it has no --max-depth"),
    (["--source", ""], "--source: the name of the function is missing"),
    (["--asm", ""], "--asm: the name of the function is missing"),
    (["--source-dir", "/"], "--source-dir is for --source FUNCTION"),
    (["--source", "f", "--source-dir", "/etc/passwd"], "--source-dir: /etc/passwd is not a folder"),
    (["--source", "f", "--source-dir", "/none\x1b"], "--source-dir: /none\\x1b is not a folder"),
])
def test_usage(profbpf, by_gcc, words, part):
    done = profbpf("report", by_gcc.capture, *words, status=2)
    assert part in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
