# SPDX-License-Identifier: BSD-2-Clause
"""report --unwind: its figures add up to the accounting, and name the object that spoils stacks."""

import platform
import re
import signal
import subprocess

import pytest

from decoders import folded
from recording import reported, unwound

# A function without unwind entry that has moved the stack pointer, by what no instruction tells, and lost its
# frame pointer.
SPOILER = r"""
__asm__(
	".text\n.globl lost\n.type lost, @function\n"
	"lost:\n"
	"	mov $4096, %eax\n"
	"	sub %rax, %rsp\n"
	"	mov $3, %ebp\n"
	"1:	dec %rdi\n"
	"	jnz 1b\n"
	"	ud2\n"
	".size lost, .-lost\n");
void lost(long rounds);
"""
MAIN = r"""
#include <unistd.h>
void lost(long rounds);
int main(void)
{
	alarm(3);
	lost(1L << 60);
}
"""


@pytest.fixture
def spoiled(tmp_path, need):
    """A program whose library walks off its own stack."""
    if platform.machine() != "x86_64":
        pytest.skip("its code is of x86-64")
    library, program = tmp_path / "libspoiler.so", tmp_path / "spoiled"
    (tmp_path / "spoiler.c").write_text(SPOILER)
    (tmp_path / "main.c").write_text(MAIN)
    subprocess.run([need("gcc"), "-shared", "-fPIC", "-O2", "-o", library, tmp_path / "spoiler.c"],
                   check=True)
    subprocess.run([need("gcc"), "-O2", "-o", program, tmp_path / "main.c", library,
                    f"-Wl,-rpath,{tmp_path}"], check=True)
    return program, library


def assert_adds_up(profbpf, path):
    account, report = reported(profbpf, path)
    found = unwound(profbpf, path)
    ends = {e["end"]: e["samples"] for e in found["ends"]}
    assert ends == report["accounting"]["ends"]
    assert sum(ends.values()) == account.recorded
    assert found["samples"] == account.recorded - ends["no_user_stack"]
    assert found["complete"] == ends["root"]
    cut = found["samples"] - found["complete"]
    assert sum(s["samples"] for s in found["spoilers"]) == cut
    for end in ends:
        if end not in ("root", "no_user_stack"):
            assert sum(s["samples"] for s in found["spoilers"] if s["end"] == end) == ends[end]
    assert sum(g["guessed"] for g in found["guesses"]) == found["guessed_frames"]
    return found


def test_adds_up(profbpf, program, tmp_path):
    out = tmp_path / "deep.profbpf"
    profbpf("record", "-o", out, "--", program("deep-nofp"), "-s", 2)
    found = assert_adds_up(profbpf, out)
    assert found["samples"] > 100
    text = profbpf("report", out, "--unwind").stdout
    assert f"complete: {found['complete_percent']:.2f}% ({found['complete']} reached" in text
    both = tmp_path / "both.profbpf"
    profbpf("merge", both, out, out)
    twice = assert_adds_up(profbpf, both)
    assert (twice["samples"], twice["complete"]) == (2 * found["samples"], 2 * found["complete"])


def test_code_that_starts_within_a_page(profbpf, program, tmp_path):
    """As lld lays it out: the mapping starts in what is another segment of the file."""
    out = tmp_path / "rust.profbpf"
    profbpf("record", "-o", out, "--", program("rust-nofp"), "-s", 3)
    found = assert_adds_up(profbpf, out)
    assert found["samples"] > 100
    # But for the first samples, before the table was loaded.
    assert found["complete_percent"] > 90


def test_return_from_signals(profbpf, program, tmp_path):
    """Some ticks find a thread inside the system call that ends a signal's handler."""
    out = tmp_path / "signals.profbpf"
    profbpf("record", "-F", 1999, "-o", out, "--", program("signals"), "-s", 4)
    ends = {e["end"]: e["samples"] for e in assert_adds_up(profbpf, out)["ends"]}
    assert ends["root"] > 1000
    assert ends["no_rule"] == 0


def test_table_without_room_is_named(profbpf, program, tmp_path):
    """The largest table goes, the program's own stays: its frames are no guesses."""
    out, name = tmp_path / "small.profbpf", program("deep-nofp")
    done = profbpf("record", "--test-table-chunks", 800, "-o", out, "--", name, "-s", 2)
    found = assert_adds_up(profbpf, out)
    note, = found["notes"]
    assert "libc.so.6: its unwind table found no room in the kernel" in note
    assert note in done.stderr and note in profbpf("report", out, "--unwind").stdout
    guessed = {g["object"]: g["guessed"] for g in found["guesses"]}
    assert [name for name in guessed if "libc.so.6" in name], guessed
    assert guessed.get(str(name), 0) < 0.01 * found["user_frames"]


@pytest.mark.parametrize("part", [0, 0.5])
def test_damaged_unwind_data_are_named(profbpf, program, need, tmp_path, part):
    """From a place in it on, all of .eh_frame is nonsense; the program itself does not need it."""
    out, name = tmp_path / "a.profbpf", tmp_path / "damaged"
    # Without build id: it would have the table of the whole one, which may be cached.
    subprocess.run([need("objcopy"), "--remove-section=.note.gnu.build-id", program("deep-nofp"), name],
                   check=True)
    headers = subprocess.run([need("readelf"), "-SW", name], check=True, capture_output=True, text=True)
    offset, size = re.search(r" \.eh_frame +\w+ +\w+ (\w+) (\w+)", headers.stdout).groups()
    offset, size = int(offset, 16), int(size, 16)
    with open(name, "r+b") as file:
        file.seek(offset + int(part * size))
        file.write(b"\x7f" * (size - int(part * size)))
    done = profbpf("record", "--kernel=no", "-o", out, "--", name, "-s", 2)
    found = assert_adds_up(profbpf, out)
    note, = found["notes"]
    assert f"{name}: its unwind data are damaged" in note
    assert note in done.stderr and note in profbpf("report", out, "--unwind").stdout
    assert found["samples"] > 100


def test_absent_unwind_data_are_no_damage(profbpf, program, need, tmp_path):
    out, name = tmp_path / "a.profbpf", tmp_path / "without"
    subprocess.run([need("objcopy"), "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr",
                    "--remove-section=.note.gnu.build-id", program("deep-nofp"), name], check=True, stderr=subprocess.DEVNULL)
    profbpf("record", "--kernel=no", "-o", out, "--", name, "-s", 1)
    found = assert_adds_up(profbpf, out)
    assert found["samples"] > 100 and found["notes"] == []


def chain(stack, *names):
    """Whether they stand one below the other in it, inlined calls left out."""
    frames = [frame for frame in stack if not frame.endswith("_[i]")]
    return any(tuple(frames[i:i + len(names)]) == names for i in range(len(frames)))


def test_musl_as_a_library(profbpf, program, tmp_path):
    """It has hardly an entry, and symbols for what it exports alone."""
    out, text = tmp_path / "a.profbpf", tmp_path / "a.folded"
    profbpf("record", "--kernel=no", "-o", out, "-o", text, "--", program("deep-musl-shared"), "-s", 3)
    found = assert_adds_up(profbpf, out)
    assert found["complete"] >= 0.98 * found["samples"] > 100
    # What is above main's caller is no guess; what main is called by is local to musl.
    assert 0 < found["guessed_frames"] < 0.2 * found["user_frames"]
    stacks = folded.read(text)
    for leaf in ("leaf_sort", "leaf_format"):
        below = {stack: n for stack, n in stacks.items() if leaf in stack}
        right = sum(n for stack, n in below.items() if chain(stack, "descend") and
                    chain(stack, "run_leaf", leaf))
        assert right >= 0.98 * sum(below.values()) > 10


WITHOUT = r"""
long hidden(long (*f)(long), long x);
__attribute__((noinline, visibility("hidden"))) long hidden(long (*f)(long), long x)
{
	volatile long pad[20];

	pad[x & 15] = x;
	return f(x) + pad[x & 15];
}
__attribute__((noinline)) long named(long (*f)(long), long x)
{
	return hidden(f, x) * 3;
}
"""
WITHOUT_MAIN = r"""
#include <unistd.h>
long named(long (*f)(long), long x);
static long work(long x)
{
	for (int i = 0; i < 100000; i++) {
		x = x * 6364136223846793005 + 1;
		__asm__ volatile("");
	}
	return x;
}
int main(void)
{
	long x = 1;

	alarm(3);
	for (;;)
		x = named(work, x);
}
"""


def test_library_without_unwind_data(profbpf, need, tmp_path):
    """Functions that a symbol names are walked, those without are walked and marked."""
    if platform.machine() != "x86_64":
        pytest.skip("unwind tables are for x86-64")
    library, program, out, text = (tmp_path / name for name in ("libw.so", "w", "a.profbpf", "a.folded"))
    (tmp_path / "w.c").write_text(WITHOUT)
    (tmp_path / "main.c").write_text(WITHOUT_MAIN)
    subprocess.run([need("gcc"), "-shared", "-fPIC", "-O2", "-nostdlib", "-fno-asynchronous-unwind-tables",
                    "-Wl,--no-ld-generated-unwind-info", "-s", "-o", library, tmp_path / "w.c"], check=True)
    sections = subprocess.run([need("readelf"), "-SW", library], check=True, capture_output=True, text=True)
    assert "eh_frame" not in sections.stdout and "debug_frame" not in sections.stdout
    subprocess.run([need("gcc"), "-O2", "-o", program, tmp_path / "main.c", library,
                    f"-Wl,-rpath,{tmp_path}"], check=True)
    profbpf("record", "--kernel=no", "-o", out, "-o", text, "--", program, status=128 + signal.SIGALRM)
    found = assert_adds_up(profbpf, out)
    assert found["complete"] >= 0.99 * found["samples"] > 100 and found["notes"] == []
    stacks = folded.read(text)
    right = sum(n for stack, n in stacks.items()
                if len(stack) > 3 and stack[-4:-2] == ("main", "named") and stack[-1] == "work")
    assert right >= 0.98 * sum(stacks.values())
    # Of the library's two frames that which called the nameless function.
    guessed, = found["guesses"]
    assert guessed["object"] == str(library)
    assert abs(guessed["guessed"] - guessed["frames"] / 2) <= 0.01 * guessed["frames"]


def test_mappings_without_room_are_counted(profbpf, program, tmp_path):
    """With fewer ranges than the program has mappings they are looked up in the kernel, all the time."""
    out = tmp_path / "few.profbpf"
    done = profbpf("record", "--test-ranges", 2, "-o", out, "--", program("deep-nofp"), "-s", 1)
    found = assert_adds_up(profbpf, out)
    note, = found["notes"]
    assert re.match(r"[1-9]\d* times the mappings of a process", note) and note in done.stderr
    assert found["complete"] >= 0.99 * found["samples"] > 100


@pytest.mark.parametrize("depth, end", [(1000, "root"), (6000, "too_deep")])
def test_recursion_beyond_what_is_kept(profbpf, start, tmp_path, depth, end):
    """The innermost 384 frames, a marker, the outermost 128 of those walked."""
    out, text = tmp_path / "deep.profbpf", tmp_path / "deep.folded"
    target = start("deep-nofp", "-s", 60, depth)
    target.open_gate()
    profbpf("record", "--pid", target.pid, "--delay", 1, "-d", 2, "--kernel=no", "--max-depth", 4096,
            "-o", out, "-o", text)
    found = assert_adds_up(profbpf, out)
    ends = {e["end"]: e["samples"] for e in found["ends"]}
    assert ends[end] > 0.2 * found["samples"] > 20, ends
    rootless = long = 0
    for stack, samples in folded.read(text).items():
        frames = [frame for frame in stack if not frame.endswith("_[i]")]
        if "<truncated-stack>" in frames:
            assert len(frames) == 1 + 384 + 1 + 128
            long += samples
            rootless += samples * ("_start" not in frames)
    assert long > 0.2 * found["samples"]
    assert rootless == ends["too_deep"]


def test_spoiler_is_named(profbpf, spoiled, tmp_path):
    program, library = spoiled
    out = tmp_path / "spoiled.profbpf"
    profbpf("record", "-o", out, "--", program, status=128 + signal.SIGALRM)
    found = assert_adds_up(profbpf, out)
    first = found["spoilers"][0]
    assert first["object"] == str(library)
    assert first["samples"] > 0.9 * (found["samples"] - found["complete"]) > 10
    text = profbpf("report", out, "--unwind").stdout
    assert f"{first['end']}: {library}\n" in text
