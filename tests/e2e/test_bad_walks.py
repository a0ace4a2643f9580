# SPDX-License-Identifier: BSD-2-Clause
"""What no walk can get through, or what a target may put in its way: a reason at the stack's end, a bound,
and the others' stacks as before."""

import os
import platform
import re
import shutil
import signal
import subprocess

import pytest

from decoders import folded
from recording import reported, stop, unwound, wait_for_sampling
from targets import wait_until

MAIN = r"""
#include <unistd.h>
void bad(void);
int main(void)
{
	alarm(2);
	bad();
}
"""

# Frame pointers that lead in a circle, from code without an entry that has moved its stack pointer by an
# amount that no instruction tells. From there on the walk knows the frame pointer alone.
CIRCLE = r"""
	.text
	.globl bad
	.type bad, @function
bad:
	mov $4096, %eax
	sub %rax, %rsp
	lea 64(%rsp), %rbp
	lea 256(%rsp), %rcx
	lea 1f(%rip), %rdx
	mov %rcx, (%rbp)
	mov %rdx, 8(%rbp)
	mov {back}, (%rcx)
	mov %rdx, 8(%rcx)
1:	nop
	jmp 1b
	.size bad, .-bad
	.section .note.GNU-stack, "", @progbits
"""

# Nothing can be pushed there: the signal that ends it has no handler.
NO_STACK = r"""
	.text
	.globl bad
	.type bad, @function
bad:
	{start}
	mov ${sp}, %rsp
	mov ${sp}, %rbp
1:	nop
	jmp 1b
	{end}
	.size bad, .-bad
	.section .note.GNU-stack, "", @progbits
"""


HIGHEST = "0xfffffffffffffff8"


@pytest.fixture
def bad(tmp_path, need):
    """bad(ASSEMBLY): a program that spins in it until a signal ends it."""
    if platform.machine() != "x86_64":
        pytest.skip("its code is of x86-64")

    def build(assembly):
        (tmp_path / "bad.s").write_text(assembly)
        (tmp_path / "main.c").write_text(MAIN)
        subprocess.run([need("gcc"), "-O2", "-o", tmp_path / "bad", tmp_path / "main.c", tmp_path / "bad.s"],
                       check=True)
        return tmp_path / "bad"

    return build


def ends(profbpf, path):
    """{reason: samples}, of all that were recorded."""
    account, report = reported(profbpf, path)
    found = report["accounting"]["ends"]
    assert account.holds() and sum(found.values()) == account.recorded > 100
    return found


def complete(profbpf, path):
    report = unwound(profbpf, path)
    return report["samples"], report["complete_percent"]


@pytest.mark.parametrize("back", ["%rbp", "%rcx"])
def test_frame_pointers_in_a_circle(profbpf, bad, tmp_path, back):
    """Of two frames, or of one that is its own caller."""
    out, text = tmp_path / "a.profbpf", tmp_path / "a.folded"
    profbpf("record", "--kernel=no", "-o", out, "-o", text, "--", bad(CIRCLE.format(back=back)),
            status=128 + signal.SIGALRM)
    found = ends(profbpf, out)
    cut = sum(n for end, n in found.items() if end not in ("root", "no_user_stack"))
    assert cut > 0.9 * sum(found.values()), found
    assert max(map(len, folded.read(text))) < 10


@pytest.mark.parametrize("sp", ["8", "0x1234567890", "0x7fffffffffff",
                                HIGHEST])
@pytest.mark.parametrize("entry", [False, True])
def test_no_memory_at_the_stack_pointer(profbpf, bad, tmp_path, entry, sp):
    out = tmp_path / "a.profbpf"
    start, end = (".cfi_startproc", ".cfi_endproc") if entry else ("", "")
    profbpf("record", "--kernel=no", "-o", out, "--", bad(NO_STACK.format(sp=sp, start=start, end=end)),
            status=128 + signal.SIGALRM)
    found = ends(profbpf, out)
    # What lies above the highest address is not above it.
    end = "broken_frame_pointer" if sp == HIGHEST else "unreadable_memory"
    assert found[end] > 0.9 * sum(found.values()), found


MANY = r"""
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) unsigned long work(unsigned long x)
{
	for (int i = 0; i < 100000; i++)
		x = x * 6364136223846793005u + 1;
	return x;
}
int main(void)
{
	unsigned long x = 1, n = 25000;
	int fd = open("/proc/self/exe", O_RDONLY);
	char *at = mmap(NULL, 2 * n << 12, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (unsigned long i = 0; i < n; i++) {
		if (mmap(at + (2 * i << 12), 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 4096) ==
			    MAP_FAILED ||
		    mmap(at + ((2 * i + 1) << 12), 4096, i & 1 ? PROT_READ : PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			return 1;
	}
	puts("mapped");
	fflush(stdout);
	for (;;)
		x = work(x);
}
"""


def test_many_mappings(spawn, profbpf, start, need, tmp_path, capsys):
    """50,000, of which 37,500 are executable: of a file, and without one."""
    with open("/proc/sys/vm/max_map_count") as file:
        if int(file.read()) < 60000:
            pytest.skip("vm.max_map_count is too low")
    out = tmp_path / "a.profbpf"
    (tmp_path / "many.c").write_text(MANY)
    subprocess.run([need("gcc"), "-O2", "-o", tmp_path / "many", tmp_path / "many.c"], check=True)
    target = start(str(tmp_path / "many"))
    assert target.process.stdout.readline() == b"mapped\n"
    recording = spawn("record", "-v", "--pid", target.pid, "-o", out)
    wait_for_sampling(recording, out)
    with open(f"/proc/{recording.pid}/status") as file:
        anonymous = int(re.search(r"RssAnon:\s*(\d+) kB", file.read())[1])
    wait_until(lambda: target.cpu_seconds() > 4, what="work")
    said = stop(recording)
    with capsys.disabled():
        print(f"\n50,000 mappings: {anonymous >> 10} MiB; "
              + "; ".join(line for line in said.splitlines() if "complete user stack" in line))
    assert anonymous < 64 << 10
    samples, percent = complete(profbpf, out)
    assert samples > 100 and percent >= 98  # the time until 50,000 mappings have been read is in it


def test_program_replaced_on_disk(spawn, profbpf, start, program, tmp_path):
    """The running code's names, from a file that has no name any more."""
    name, out, text = tmp_path / "running", tmp_path / "a.profbpf", tmp_path / "a.folded"
    shutil.copy(program("deep-nofp"), name)
    target = start(str(name), "-s", 3)
    shutil.copy(program("spin"), tmp_path / "other")
    os.rename(tmp_path / "other", name)
    recording = spawn("record", "--pid", target.pid, "--kernel=no", "-o", out, "-o", text)
    wait_for_sampling(recording, out)
    target.open_gate()
    target.finish()
    stop(recording)
    samples, percent = complete(profbpf, out)
    assert samples > 100 and percent >= 99.5
    stacks = folded.read(text)
    assert sum(n for stack, n in stacks.items() if "run_leaf" in stack) > 0.9 * sum(stacks.values())
    assert not [stack for stack in stacks if "spin_round" in stack]


HOSTILE = r"""
import ctypes, mmap, os, sys
calls, kept = [], []
# mov $2000000, %ecx; 1: dec %ecx; jnz 1b; ret
code = b"\xb9\x80\x84\x1e\x00\xff\xc9\x75\xfc\xc3"
for name in sys.argv[2:]:
    with open(name, "rb") as file:
        data = file.read()
    path = os.path.join(sys.argv[1], os.path.basename(name))
    start = -len(data) % 4096 + len(data)
    with open(path, "w+b") as file:
        file.write(data.ljust(start, b"\0") + code.ljust(4096, b"\0"))
        file.flush()
        m = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE,
                      prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    kept.append(m)
    address = ctypes.addressof(ctypes.c_char.from_buffer(m)) + start
    calls.append(ctypes.CFUNCTYPE(None)(address))
print("mapped", flush=True)
while True:
    for call in calls:
        call()
"""


def test_hostile_files_in_the_mappings(spawn, profbpf, start, root, tmp_path):
    """Damaged ELF files that are executed. Where they tell nothing of it the walk goes on."""
    if platform.machine() != "x86_64":
        pytest.skip("its code is of x86-64")
    files = sorted(p for p in (root / "tests/fuzz/corpus").glob("e*/*") if p.stat().st_size)
    assert len(files) > 10
    out = tmp_path / "a.profbpf"
    (tmp_path / "copies").mkdir()
    target = start("/usr/bin/python3", "-c", HOSTILE, tmp_path / "copies", *files)
    assert target.process.stdout.readline() == b"mapped\n"
    recording = spawn("record", "--pid", target.pid, "-o", out)
    wait_for_sampling(recording, out)
    wait_until(lambda: target.cpu_seconds() > 4, what="work")
    stop(recording)
    ends(profbpf, out)
    assert profbpf("report", out).stdout


def test_library_written_to_while_it_runs(spawn, profbpf, start, need, tmp_path):
    """Its symbols and its unwind data are nonsense by the time that they are read."""
    library, out = tmp_path / "libwork.so", tmp_path / "a.profbpf"
    (tmp_path / "work.c").write_text(MANY.split("int main")[0])
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\nunsigned long work(unsigned long x);\n'
        'int main(void)\n{\n\tunsigned long x = work(1);\n\tputs("on");\n\tfflush(stdout);\n'
        '\tfor (;;)\n\t\tx = work(x);\n}\n')
    subprocess.run([need("gcc"), "-O2", "-shared", "-fPIC", "-o", library, tmp_path / "work.c"], check=True)
    subprocess.run([need("gcc"), "-O2", "-o", tmp_path / "main", tmp_path / "main.c", library,
                    f"-Wl,-rpath,{tmp_path}"], check=True)
    headers = subprocess.run([need("readelf"), "-SW", library], check=True, capture_output=True, text=True)
    target = start(str(tmp_path / "main"))
    assert target.process.stdout.readline() == b"on\n"
    with open(library, "r+b") as file:
        for name in (".eh_frame", ".symtab", ".strtab"):
            offset, size = re.search(rf" {name} +\w+ +\w+ (\w+) (\w+)", headers.stdout).groups()
            file.seek(int(offset, 16))
            file.write(b"\x7f" * int(size, 16))
    recording = spawn("record", "--pid", target.pid, "-o", out)
    wait_for_sampling(recording, out)
    wait_until(lambda: target.cpu_seconds() > 4, what="work")
    stop(recording)
    ends(profbpf, out)
    notes = unwound(profbpf, out)["notes"]
    assert [note for note in notes if f"{library}: its unwind data are damaged" in note]
