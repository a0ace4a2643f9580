# SPDX-License-Identifier: BSD-2-Clause
"""The walker against elfutils, and gdb where these differ, frame by frame, on real programs halted at
random instructions. ORACLE_STOPS is the number of stops each (300 unless set; a full run has 2000)."""

import os

import pytest

from oracle import ELFUTILS, NEITHER, OURS, compare

STOPS = int(os.environ.get("ORACLE_STOPS", "300"))

# Every reason why a stop may differ from elfutils: why, what gdb says, object, functions whose
# caller is another. A difference that is not here fails the test.
KNOWN = [
    ("no unwind entry; elfutils follows rbp, which skips the caller", OURS, "*",
     "_init _fini register_tm_clones deregister_tm_clones frame_dummy __do_global_dtors_aux"),
    ("no unwind entry around the system call: the child has another stack", OURS, "libc.so*",
     "*clone*"),
    ("no unwind entry; the return address is at rsp", OURS, "leaves", "bare_leaf bare_counter"),
    ("elfutils does not know where Go returns from signals", OURS, "go", "runtime.*"),
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
    "deep": ["target:deep-nofp", *FOREVER],
    "static-pie": ["target:deep-static-pie", *FOREVER],
    "musl": ["target:deep-musl", *FOREVER],
    "threads": ["target:threads-nofp", *FOREVER],
    "leaves": ["target:leaves", *FOREVER],
    "signals": ["target:signals", *FOREVER],
    "altstack": ["target:signals", *FOREVER, "altstack"],
    "spawner": ["target:spawner", *FOREVER],
    "binder": ["target:binder", *FOREVER],
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
    assert result.right() >= 0.999 * result.stops
