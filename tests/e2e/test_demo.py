# SPDX-License-Identifier: BSD-2-Clause
"""tools/demo, with and without the right to use BPF."""

import subprocess

from decoders import folded, pprof, speedscope


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=300)


def test_leaves_three_files_that_agree(root, tools):
    done = run(root / "tools/demo")
    assert done.returncode == 0, done.stderr
    profile = pprof.read(root / "demo.pb.gz")
    assert sum(folded.read(root / "demo.folded").values()) == profile.total(0) > 0
    shown, = speedscope.show(tools, root / "demo.speedscope.json")
    assert speedscope.total(shown) == profile.total(1)
    assert profile.shares()["hot_alpha"] > 0.4
    assert "hot_alpha" in done.stderr


def test_says_what_is_missing_without_the_right_to_use_bpf(root, need):
    lacking = run(need("capsh"), "--drop=cap_bpf,cap_perfmon,cap_sys_admin", "--", "-c",
                  str(root / "tools/demo"))
    assert lacking.returncode == 3, lacking.stderr
    assert "CAP_BPF" in lacking.stderr
