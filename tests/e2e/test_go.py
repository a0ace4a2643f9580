# SPDX-License-Identifier: BSD-2-Clause
"""C that calls Go that calls C: the callers of the innermost function, over all the stacks that these use."""

import pytest

from decoders import folded
from recording import unwound

# Outermost first; the source of tests/programs/gocall tells who calls whom.
OUTER = ["c_outer", "crosscall2", "runtime.cgocallback", "main.goMiddle"]
IN_GO = ["main.main", "main._Cfunc_c_outer", "runtime.asmcgocall"]
IN_C = ["_start", "main", "call_go", "goOuter", "crosscall2", "main.goOuter", "runtime.asmcgocall"]
PROGRAMS = {
    "gocall": ["runtime.main", *IN_GO],
    "gocall-stripped": ["runtime.main", *IN_GO],
    "gocaller-archive": IN_C,
    "gocaller-shared": IN_C,
}


def plain(frame):
    return frame.removesuffix("_[i]").removesuffix(".abi0")


def holds_in_order(stack, names):
    frames = iter(map(plain, stack))
    return all(name in frames for name in names)


@pytest.mark.parametrize("name", PROGRAMS)
def test_callers_over_all_stacks(name, start, profbpf, tmp_path):
    text, capture = tmp_path / "a.folded", tmp_path / "a.profbpf"
    target = start(name, "-s", 60)
    target.open_gate()
    profbpf("record", "--pid", target.pid, "--delay", 1, "-d", 3, "-o", text, "-o", capture)
    found = unwound(profbpf, capture)
    assert found["complete_percent"] >= 99.5, found
    inner, deep = {"c_inner": 0, "main.goWork": 0, "main.goClock": 0}, 0
    for stack, samples in folded.read(text).items():
        for leaf in inner.keys() & set(map(plain, stack)):
            inner[leaf] += samples
            deep += samples * holds_in_order(stack, [*PROGRAMS[name], *OUTER, leaf])
    assert all(n > 100 for n in inner.values()), inner
    assert deep >= 0.995 * sum(inner.values()), (deep, inner)
