# SPDX-License-Identifier: BSD-2-Clause
"""What a program's symbols may be called: nothing breaks an output, and everything stays recognisable."""

import json
import os
import re
import subprocess

import pytest

from decoders import folded, pprof, speedscope
from test_naming import mapping_of, locations_in

WORK = """
__attribute__((noinline)) long NAME(long x) { for (int i = 0; i < 20000; i++) x = x * 3 + i; return x; }
"""

ODD = [
    b"with space", b'double "quotes"', b"single 'quote'", b"semi;colon", b"new\nline", b"tab\tand\rreturn",
    b"escape\x1b[31mred\x1b]0;title\x07", b"caf\xc3\xa9", b"\xff\xfebytes", b"<script>alert(1)</script>",
    b"comma, {brace} [bracket]", b"right\xe2\x80\xaeleft", b"backslash\\", b"%s%n%500d", b"_Zbroken", b"_Rbroken",
    b"null\\u0000", b"rubout\x7f", b"unit\xc2\x9bseparator", b" leading", b"trailing ", b"_[k]", b"5 17",
    b"long" + b"x" * 100000,
]


def words(name):
    """The parts of a name that every output can show as they are."""
    return re.findall(r"[A-Za-z]{4,200}", name.decode("ascii", "replace"))


def build(folder, names, flags=("-O1",)):
    """A program that spends the same time in a function of each name."""
    source, program = folder / "odd.c", folder / "odd"
    numbers = range(len(names))
    source.write_text("".join(WORK.replace("NAME", f"work_{i}_") for i in numbers)
                      + "int main(void) { volatile long x = 0; for (;;) { "
                      + "".join(f"x += work_{i}_(x);" for i in numbers) + " } }")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    renamed = [b"--redefine-sym=work_%d_=%s" % (i, name) for i, name in enumerate(names)]
    subprocess.run(["objcopy", *renamed, program], check=True)
    return program


@pytest.fixture
def odd(tmp_path, start):
    return start(build(tmp_path, ODD))


def check_text(path):
    """UTF-8, without anything that steers a terminal."""
    text = path if isinstance(path, str) else path.read_bytes().decode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)
    return text


def test_odd_names_in_every_output(odd, profbpf, tools, tmp_path):
    paths = {e: tmp_path / f"a.{e}" for e in ("pb.gz", "folded", "speedscope.json", "txt", "profbpf")}
    outputs = [word for path in paths.values() for word in ("-o", path)]
    done = profbpf("--pid", odd.pid, "-d", 2, *outputs)
    check_text(done.stderr)

    profile = pprof.read(paths["pb.gz"])
    total = profile.total(0)
    functions = {function.system_name for function in profile.functions.values()}
    stacks = folded.read(paths["folded"])
    assert sum(stacks.values()) == total
    assert folded.inferno_total(tools, paths["folded"]) == total
    frames = {frame for stack in stacks for frame in stack}
    shown, = speedscope.show(tools, paths["speedscope.json"])
    in_speedscope = {frame["name"] for frame in shown["frames"]}
    capture = profbpf("report", paths["profbpf"], "--top", 0)
    check_text(capture.stdout)
    check_text(paths["txt"])
    rows = json.loads(check_text(profbpf("report", paths["profbpf"], "--json", "--top", 0).stdout))
    in_report = json.dumps(rows, ensure_ascii=False)
    for name in ODD:
        for word in words(name):
            assert any(word in function for function in functions), name
            assert any(word in frame for frame in frames), name
            assert any(word in frame for frame in in_speedscope), name
            assert word in in_report, name
    # As many names as there are functions: no two became one.
    mapping = mapping_of(profile, tmp_path / "odd")
    own = {profile.functions[l.function].system_name for location in locations_in(profile, mapping)
           for l in location.lines}
    assert len(own) >= len(ODD) + 1
    for path in paths.values():
        assert path.stat().st_size < 5 << 20, path


def test_odd_names_in_a_dump(odd, profbpf):
    seen = set()
    for _ in range(20):
        check_text(profbpf("dump", odd.pid).stdout)
        dump = json.loads(check_text(profbpf("dump", odd.pid, "--json").stdout))
        seen.add(json.dumps(dump))
    assert len(seen) > 1


@pytest.mark.parametrize("flags", [["-O1"], ["-O1", "-g"]])
def test_a_name_of_ten_megabytes(start, profbpf, tmp_path, flags):
    """It is cut, and no output grows with it."""
    name = "n" * (10 << 20)
    source, program = tmp_path / "big.c", tmp_path / "big"
    source.write_text(WORK.replace("NAME", name)
                      + f"int main(void) {{ volatile long x = 0; for (;;) x += {name}(x); }}")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    assert program.stat().st_size > len(name)
    target = start(program)
    paths = [tmp_path / f"a.{e}" for e in ("pb.gz", "folded", "speedscope.json", "txt", "profbpf")]
    profbpf("--pid", target.pid, "-d", 1, *[word for path in paths for word in ("-o", path)])
    profile = pprof.read(paths[0])
    shares = profile.shares()
    longest = max(shares, key=len)
    assert longest.startswith("n" * 4096) and len(longest) < 64 << 10 and shares[longest] > 0.5
    folded.read(paths[1])
    json.loads(paths[2].read_text())
    for path in paths:
        # one line a stack, of which the kernel's may be dozens
        assert path.stat().st_size < 4 << 20, path
    assert len(profbpf("dump", target.pid, "--json").stdout) < 1 << 20


def test_clones_are_one_function_unless_asked(start, profbpf, tmp_path):
    clones = [b"hot", b"hot.constprop.0", b"hot.isra.3.part.1", b"hot.llvm.4711", b"hot.lto_priv.2",
              b"hot.clone.7", b"_ZN4shop4sellEi", b"_ZN4shop4sellEi.cold"]
    target = start(build(tmp_path, clones))
    shares = {}
    for option in "", "--full-names":
        profbpf("--pid", target.pid, "-d", 1.5, "-o", tmp_path / "a.folded", *[option] * bool(option))
        stacks = folded.read(tmp_path / "a.folded")
        total = sum(stacks.values())
        found = shares[option] = {}
        for stack, n in stacks.items():
            for frame in set(stack):
                found[frame] = found.get(frame, 0) + n / total
    short, full = shares.values()
    assert short["hot"] > 0.6 and short["shop::sell"] > 0.15, short
    assert not [name for name in short if re.search(r"hot\.|^(shop|_Z).*(cold|clone)", name)]
    assert {"hot", "hot.constprop.0", "hot.isra.3.part.1", "hot.llvm.4711", "hot.lto_priv.2", "hot.clone.7",
            "shop::sell(int)", "shop::sell(int) [clone .cold]"} <= full.keys()


def test_code_without_a_name_is_object_and_address(start, profbpf, program, tmp_path):
    """Not a neighbour's name: the addresses are those of the function in the twin with symbols."""
    path = program("naming-stripped")
    nm = subprocess.run(["nm", "-S", program("naming")], capture_output=True, text=True, check=True).stdout
    begin, size = re.search(r"^(\w+) (\w+) t hidden_work", nm, re.M).groups()
    hidden = range(int(begin, 16), int(begin, 16) + int(size, 16))
    target = start(path, "-s", 30)
    target.open_gate()
    capture = tmp_path / "a.profbpf"
    profbpf("--pid", target.pid, "-d", 1, "-o", capture, "-o", tmp_path / "a.folded")
    bare = {int(found[1], 16) for stack in folded.read(tmp_path / "a.folded") for frame in stack
            if (found := re.fullmatch(re.escape(os.path.basename(path)) + r"\+0x([0-9a-f]+)", frame))}
    assert bare & set(hidden)
    report = profbpf("report", capture).stdout
    assert re.search(r"naming-stripped", report)
