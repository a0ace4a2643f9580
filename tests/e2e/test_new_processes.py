# SPDX-License-Identifier: BSD-2-Clause
"""Stacks of programs that have just begun: complete from the first sample where their tables can be
there before, counted as early where they can't."""

import shutil
import subprocess
import time

import pytest

import recording


def unwind(profbpf, path):
    """report --unwind as JSON, and its ends by name."""
    found = recording.unwound(profbpf, path)
    return found, {end["end"]: end["samples"] for end in found["ends"] if end["samples"]}


def assert_complete(profbpf, path, least):
    """But for the few instructions that no table describes: the C runtime's own functions at the end
    of a program, and the return of C++'s unwinder into a handler."""
    found, ends = unwind(profbpf, path)
    assert found["early_samples"] == 0
    assert "early:" not in profbpf("report", path, "--unwind").stdout
    assert found["samples"] > least
    assert found["samples"] - found["complete"] <= 1 + 0.005 * found["samples"], ends
    assert found["guessed_frames"] <= 1 + 0.005 * found["samples"], found["guesses"]


@pytest.mark.parametrize("name", ["deep-nofp", "deep-static-pie", "cxx-nofp", "spin-lld"])
def test_command_is_complete_from_its_first_sample(profbpf, program, tmp_path, name):
    out = tmp_path / "a.profbpf"
    # Another inode each time: no table of an earlier run is at hand.
    fresh = shutil.copy(program(name), tmp_path / "fresh")
    profbpf("record", "-F", 4999, "-o", out, "--", fresh, "-s", 0.05)
    assert_complete(profbpf, out, 20)
    # Its interpreter is what is sampled of a script.
    script = tmp_path / "script"
    script.write_text(f"#!{fresh} -s0.05\n")
    script.chmod(0o755)
    profbpf("record", "-F", 4999, "-o", out, "--", script)
    assert_complete(profbpf, out, 20)


def test_command_from_an_overlay(profbpf, program, tmp_path):
    """Its mappings are of another file than the kernel tells of."""
    parts = {name: tmp_path / name for name in ("memory", "mounted")}
    for folder in parts.values():
        folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "none", parts["memory"]], check=True)
    try:
        lower, upper, work = (parts["memory"] / name for name in ("lower", "upper", "work"))
        for folder in (lower, upper, work):
            folder.mkdir()
        shutil.copy(program("deep-nofp"), lower / "below")
        mount = subprocess.run(
            ["mount", "-t", "overlay", "overlay", "-o",
             f"lowerdir={lower},upperdir={upper},workdir={work}", parts["mounted"]],
            capture_output=True, text=True, check=False)
        if mount.returncode:
            pytest.skip(f"no overlay can be mounted: {mount.stderr}")
        try:
            shutil.copy(program("deep-nofp"), parts["mounted"] / "above")
            for name in "below", "above":
                out = tmp_path / f"{name}.profbpf"
                profbpf("record", "-F", 4999, "-o", out, "--", parts["mounted"] / name, "-s", 0.05)
                assert_complete(profbpf, out, 20)
        finally:
            subprocess.run(["umount", parts["mounted"]], check=True)
    finally:
        subprocess.run(["umount", parts["memory"]], check=True)


def test_known_program_on_the_whole_machine(profbpf, spawn, program, tmp_path):
    """Once its table is there each new process of a program is complete from its first sample."""
    out = tmp_path / "a.profbpf"
    later = shutil.copy(program("deep-nofp"), tmp_path / "later")
    first = tmp_path / "first"
    first.symlink_to(later)
    profiler = spawn("-a", "-F", 999, "--comm", "^later$", "-o", out)
    recording.wait_for_sampling(profiler, out)
    subprocess.run([first, "-s", "0.05"], stdout=subprocess.DEVNULL, check=True)
    time.sleep(1)
    for _ in range(60):
        subprocess.run([later, "-s", "0.03"], stdout=subprocess.DEVNULL, check=True)
    recording.stop(profiler)
    found, ends = unwind(profbpf, out)
    assert found["samples"] > 300
    assert found["complete"] >= 0.995 * found["samples"], ends
    assert found["early_samples"] <= 0.005 * found["samples"]


def test_early_samples_are_counted(profbpf, program, tmp_path):
    """Programs of which nobody knew before they were executed."""
    out = tmp_path / "a.profbpf"
    names = [shutil.copy(program("deep-nofp"), tmp_path / f"fresh{i}") for i in range(20)]
    profbpf("record", "-F", 4999, "-o", out, "--", "sh", "-c",
            "".join(f"{name} -s 0.03; " for name in names))
    account, report = recording.reported(profbpf, out)
    found, ends = unwind(profbpf, out)
    assert account.holds()
    early = found["early_samples"]
    assert early == report["accounting"]["early_samples"]
    assert 0 < early < 0.5 * found["samples"]
    assert found["samples"] - ends["root"] <= early
    text = profbpf("report", out, "--unwind").stdout
    assert f"({early} taken before the table of new code was there)" in text
