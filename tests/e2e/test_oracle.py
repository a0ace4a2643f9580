# SPDX-License-Identifier: BSD-2-Clause
"""The walker against elfutils, and gdb where these differ, frame by frame, on real programs halted at
random instructions. ORACLE_STOPS is the number of stops each (300 unless set; a full run has 2000).
Prints a table: how many stops agree, and the causes of those that don't."""

import os

import pytest

from oracle import ALIKE, ELFUTILS, LONGER, NEITHER, OURS, Known, compare

STOPS = int(os.environ.get("ORACLE_STOPS", "300"))

ANY = (OURS, ELFUTILS, NEITHER)

GO = "go go-stripped gocall gocall-stripped gocaller-archive libgocall.so"

# Every reason why a stop may differ from elfutils, or not reach the root. A difference that is not here
# fails the test.
KNOWN = [
    Known("no unwind entry; elfutils follows rbp, which skips the caller", [OURS], "*", "*",
          "_init _fini register_tm_clones deregister_tm_clones frame_dummy __do_global_dtors_aux"
          " call_weak_fn _dl_relocate_static_pie ?"),
    Known("no unwind entry around the system call; elfutils follows rbp", [OURS], "*", "libc.so*",
          "*clone*"),
    Known("a child before its first call: nothing called it, rbp is its parent's",
          [NEITHER, ELFUTILS], "*", "libc.so*", "*clone*"),
    Known("a child before its first call: nothing called it", [ALIKE, LONGER], "both end early",
          "libc.so*", "*clone*"),
    Known("no unwind entry; the return address is at rsp, elfutils follows rbp", [OURS], "*",
          "leaves", "bare_leaf bare_counter"),
    Known("no unwind entry, a frame pointer not yet or no longer set", ANY, "*", "leaves",
          "framed_caller", right=False),
    Known("an exception is about to enter its handler, whose address is in the place of the unwinder's return "
          "address: no table finds the handler's frame then, and others read a word of chance",
          [ELFUTILS, NEITHER], "ours is shorter", "cxx-nofp", "*catcher*", "unmapped"),
    Known("elfutils does not know where Go returns from signals", [OURS], "*", GO,
          "runtime.sigtramp* runtime.sigreturn*"),
    Known("a root of Go's stacks; others read on in what lies behind it", ANY, "ours is shorter", GO,
          "runtime.goexit* runtime.mstart* runtime.mcall* runtime.morestack* runtime.rt0_go*"
          " runtime.asmcgocall* runtime.systemstack* _rt0_* gogo", "root"),
    Known("a process or thread before its first call: nothing called it", ANY, "ours is shorter", GO,
          "_rt0_* runtime.clone*"),
    Known("Go goes from the thread's stack to the goroutine's; others read on in the former", ANY, "*",
          GO, "runtime.systemstack* runtime.asmcgocall* runtime.nanotime1* runtime.walltime* time.now*",
          "root"),
    Known("a function that aligns its stack, which Go's entries do not say: others take a word of the gap for its "
          "caller, not always the same", [ELFUTILS, NEITHER], "another caller", GO, "runtime.callCgo*", "root"),
    Known("a signal's handler put it in the way of code that did not call it: the address there is exact, others "
          "look up the byte before", [ELFUTILS, NEITHER], "another caller", GO,
          "runtime.asyncPreempt.abi0 runtime.sigpanic*", "root"),
    Known("C called Go; others leave the frames of C out", ANY, "*", GO, "runtime.cgocallback*", "root"),
    Known("musl has no unwind entries; ours come from its instructions and lead from call to call to _start",
          ANY, "*", "deep-musl", "*", "root"),
    Known("musl: code behind a call that never returns, or that no symbol names", ANY, "*", "deep-musl", "*",
          right=False),
    Known("libcrypto's entry for bn_gather5 does not say what it takes from the stack: nobody finds its caller", ANY,
          "ours is shorter", "libcrypto.so*", "?", "unmapped", right=False),
    Known("assembly without an entry or a symbol in libcrypto: others end there, ours goes on to the root",
          [NEITHER], "theirs is shorter", "libcrypto.so*", "?", "root", right=False),
]

WORK = """
import json, re
def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
while True:
    f(15); sorted(range(3000), key=lambda x: -x); re.sub("a(b+)c", "x", "abbbbc" * 500)
    json.dumps([{"a": i} for i in range(200)])
"""
QUERY = """with recursive c(x) as (select 1 union all select x + 1 from c limit 20000000)
    select sum(x * x % 7), count(distinct x % 1000), group_concat(x % 3) from c;"""

FOREVER = ["-s", "600"]
PROGRAMS = {
    "cpython": ["/usr/bin/python3", "-c", WORK],
    "cxx": ["target:cxx-nofp", *FOREVER],
    "xz": ["xz", "-9", "-T1", "-kc", *["/usr/bin/gdb"] * 20],
    "gzip": ["gzip", "-9kc", *["/usr/bin/gdb"] * 50],
    "sqlite": ["sqlite3", ":memory:", QUERY],
    "openssl-rsa": ["openssl", "speed", "-seconds", "60", "rsa2048"],
    "openssl-ecdsa": ["openssl", "speed", "-seconds", "60", "ecdsap256"],
    "openssl-aes": ["openssl", "speed", "-seconds", "60", "-evp", "aes-256-gcm"],
    "openssl-sha": ["openssl", "speed", "-seconds", "60", "sha256"],
    "rust": ["target:rust-nofp", *FOREVER],
    "go": ["target:go", *FOREVER],
    "go-stripped": ["target:go-stripped", *FOREVER],
    "gocall": ["target:gocall", *FOREVER],
    "gocall-stripped": ["target:gocall-stripped", *FOREVER],
    "gocall-archive": ["target:gocaller-archive", *FOREVER],
    "gocall-shared": ["target:gocaller-shared", *FOREVER],
    "deep": ["target:deep-nofp", *FOREVER],
    "static-pie": ["target:deep-static-pie", *FOREVER],
    "musl": ["target:deep-musl", *FOREVER],
    "threads": ["target:threads-nofp", *FOREVER],
    "leaves": ["target:leaves", *FOREVER],
    "signals": ["target:signals", *FOREVER],
    "altstack": ["target:signals", *FOREVER, "altstack"],
    "split": ["target:deep-split", *FOREVER],
    "clocks": ["target:clocks-nofp", *FOREVER],
    "no-sections": ["target:deep-no-sections", *FOREVER],
    "spawner": ["target:spawner", *FOREVER],
    "binder": ["target:binder", *FOREVER],
    "binder-ibt": ["target:binder-ibt", *FOREVER],
    "stubs": ["target:stubs", *FOREVER],
    "stubs-ibt": ["target:stubs-ibt", *FOREVER],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_walks(name, build, program, need, tmp_path, capsys):
    need("gdb")
    first, *rest = PROGRAMS[name]
    first = program(first[7:]) if first.startswith("target:") else need(first)
    result = compare(build / "tests/oracle/oracle", [first, *rest], STOPS, tmp_path, KNOWN)
    with capsys.disabled():
        print("\n" + result.table(name))
    assert result.stops == STOPS, "the program ended before it was halted as often as wanted"
    unexplained = [c for c in result.causes if not c.reason]
    assert not unexplained, result.table(name)
    # One stop of a few hundred is no measure.
    allowed = max(1, result.stops // 1000)
    assert result.stops - result.right() <= allowed, result.table(name)
