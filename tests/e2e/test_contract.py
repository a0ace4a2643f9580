# SPDX-License-Identifier: BSD-2-Clause
"""The lines of the contract's verification matrix, each with the numbers worked out by hand.
docs/profile.md maps lines to tests."""

import json
import re
import resource
import subprocess

import jsonschema
import pytest

import events
from contract import in_order
from decoders import toon
from events import (allocate, end, failure, frame, free, function, functions, header, resize, sample, source, stack,
                    text)

U = "unavailable"


def run(build, records, *options, status=0):
    done = subprocess.run([build / "profbpf", "replay", "-", *options], input=text(records).encode(),
                          capture_output=True, timeout=120)
    assert done.returncode == status, done.stderr
    return done.stdout.decode()


@pytest.fixture(scope="module")
def profile(build):
    """profile(RECORDS): the object, by its JSON form."""
    return lambda records: json.loads(run(build, records, "--format", "json"))["profile"]


@pytest.fixture(scope="module")
def envelope(build, tools):
    """envelope(RECORDS): the whole run, by its TOON form."""
    return lambda records: toon.decode(tools, run(build, records, "--agent"))[0]


def pick(entry, *names):
    return [entry[name] for name in names]


def names(profile):
    return [entry["function"] for entry in profile["bottlenecks"]]


# --- injected CPU events ---


def test_inclusive_and_self_counts_hot_lines_and_chains(profile):
    p = profile([
        header(threshold_basis_points=0), source(),
        function("main", "<root>", source=0, line=1), function("work", source=0, line=10), function("leaf", source=0),
        frame(0, line=3), frame(1, line=12, column=4), frame(2, line=30), frame(1, line=13), frame(1, line=12, column=9),
        stack(0, 1), stack(0, 1, 2), stack(0, 3), stack(0, 4), stack(2),
        sample(0, 5), sample(1, 7), sample(2, 6), sample(3, 1), sample(4, 2), end()])
    work, main, leaf = p["bottlenecks"]
    assert pick(main, "namespace", "function", "path", "line") == ["<root>", "main", "src/a.jett", 1]
    assert pick(main, "inclusive_samples", "self_samples", "cpu_percent") == [19, 0, 90.48]
    assert pick(work, "inclusive_samples", "self_samples", "line") == [19, 12, 10]
    assert pick(leaf, "inclusive_samples", "self_samples", "line") == [9, 9, U]
    assert [pick(row, "line", "column", "self_samples") for row in work["hot_lines"]] == [
        [13, U, 6], [12, 4, 5], [12, 9, 1]]
    assert main["hot_lines"] == []
    assert leaf["call_chains"] == [{"samples": 7, "chain": ["<root>.main", "app.work", "app.leaf"]},
                                   {"samples": 2, "chain": ["app.leaf"]}]
    assert work["call_chains"] == [{"samples": 19, "chain": ["<root>.main", "app.work"]}]


def test_three_hot_lines_and_chains_at_most(profile):
    p = profile([header(), source(), function("leaf", source=0), *(function(f"c{i}") for i in range(5)),
                 *(frame(0, line=9 - i) for i in range(5)), *(frame(i + 1) for i in range(5)),
                 *(stack(i + 5, i) for i in range(5)), *(sample(i, 2) for i in range(5)), end()])
    leaf = p["bottlenecks"][0]
    assert [row["line"] for row in leaf["hot_lines"]] == [5, 6, 7]
    assert [chain["chain"][0] for chain in leaf["call_chains"]] == ["app.c0", "app.c1", "app.c2"]


def test_states_stay_apart(profile):
    p = profile([header(), *functions("f"), stack(), sample(0, 3), sample(0, 5, "runtime"), sample(0, 7, "waiting"),
                 sample(0, 11, "unavailable"), sample(None, 13), sample(1, 17), end()])
    assert pick(p["totals"], "recorded_samples", "attributed_samples", "runtime_samples", "waiting_samples",
                "unavailable_samples") == [56, 3, 5, 7, 41]
    assert pick(p["bottlenecks"][0], "inclusive_samples", "cpu_percent") == [3, 100]


def test_requested_is_recorded_coalesced_and_dropped(profile):
    p = profile([header(), *functions("f"), sample(0, 3), {"op": "coalesced", "count": 4}, {"op": "coalesced"},
                 {"op": "dropped", "count": 7}, sample(0, 2, "waiting", tick=9), end(wall_duration_ns=3 * 10**9)])
    assert pick(p["totals"], "requested_ticks", "recorded_samples", "coalesced_ticks",
                "collector_dropped_ticks") == [17, 5, 5, 7]
    assert p["totals"]["observed_rate_hz"] == 1.67


@pytest.mark.parametrize("depth, kept, truncated", [(127, 127, 0), (128, 128, 0), (129, 128, 3), (5000, 128, 3)])
def test_depth(profile, depth, kept, truncated):
    p = profile([header(threshold_basis_points=0, limit=100), function("f"), function("g"), frame(0), frame(1),
                 stack(*[0] * (depth - 1), 1), sample(0, 2), sample(0, 1, "runtime"), end()])
    leaf = next(b for b in p["bottlenecks"] if b["self_samples"])
    assert p["totals"]["truncated_stacks"] == truncated and p["status"] == "complete"
    assert p["totals"]["attributed_samples"] == 2
    assert len(leaf["call_chains"][0]["chain"]) == kept
    if truncated:
        assert pick(leaf, "namespace", "function", "path", "line", "hot_lines", "suggestions") == [
            "<runtime>", "<truncated-stack>", U, U, [], U]
    else:
        assert leaf["function"] == "g"


def test_recursion_counts_once_and_ends_at_the_deepest(profile):
    p = profile([header(), function("a"), function("b"), frame(0), frame(1), stack(0, 1, 0), sample(0, 4), end()])
    a, b = p["bottlenecks"]
    assert pick(a, "inclusive_samples", "self_samples") == [4, 4]
    assert [a["call_chains"], b["call_chains"]] == [[{"samples": 4, "chain": ["app.a", "app.b", "app.a"]}],
                                                   [{"samples": 4, "chain": ["app.a", "app.b"]}]]


def test_ties(profile):
    """Everything has one sample: namespace, name, source, path, declaration and appearance decide."""
    made = [function("f", "b"), function("f", "a"), function("e", "b"), function("f", "b", source=2),
            function("f", "b", source=1), function("f", "b", source=0), function("f", "b", source=3),
            function("f", "b", source=0, declaration=[5, 9]), function("f", "b", source=0, declaration=[5, 8]),
            function("<unavailable-symbol>", "z", line=1), function("<unavailable-symbol>", "z", line=2)]
    p = profile([header(threshold_basis_points=0, limit=100), source("p"), source("p", "dependency"),
                 source("p", "stdlib"), source("o"),
                 *(dict(one, function={"line": i, **one["function"]}) for i, one in enumerate(made)),
                 *(frame(i) for i in range(11)), *(stack(i) for i in range(11)), *(sample(i) for i in range(11)), end()])
    assert [b["line"] for b in p["bottlenecks"]] == [U, U, 6, 8, 7, 5, 4, 3, U, U, U]
    assert [(b["namespace"], b["function"]) for b in p["bottlenecks"]][:3] == [("a", "f"), ("b", "e"), ("b", "f")]
    assert names(p)[9:] == ["<unavailable-symbol>"] * 2


def test_unavailable_symbols_never_merge(profile):
    p = profile([header(), *functions("<unavailable-symbol>", "<unavailable-symbol>"), sample(0, 2), sample(1, 1), end()])
    assert [pick(b, "inclusive_samples", "path", "line", "suggestions") for b in p["bottlenecks"]] == [
        [2, U, U, U], [1, U, U, U]]


def test_self_decides_before_names(profile):
    p = profile([header(), *functions("a", "b"), stack(0, 1), sample(2, 3), end()])
    assert names(p) == ["b", "a"]


# --- budgets ---


def distinct(n):
    """n functions, each with a sample of its own."""
    for i in range(n):
        yield from (function(f"f{i}"), frame(i), stack(i), sample(i))


def test_cpu_metadata_limit(profile):
    # A function 128 bytes, its chain of one frame 40: five of each fit, and of the sixth the function.
    p = profile([header(cpu_metadata_budget_bytes=5 * 168 + 128, limit=100), *distinct(9), sample(0, 10), end()])
    assert pick(p, "status", "partial_reason") == ["partial", "cpu_metadata_limit"]
    assert p["totals"]["attributed_samples"] == 19
    assert names(p) == ["f0", "f1", "f2", "f3", "f4", "f5"]
    assert [b["inclusive_samples"] for b in p["bottlenecks"]] == [11, 1, 1, 1, 1, 1]
    assert [len(b["call_chains"]) for b in p["bottlenecks"]] == [1, 1, 1, 1, 1, 0]
    assert all(b["suggestions"] == [] for b in p["bottlenecks"])


def test_cpu_metadata_that_just_fits(profile):
    # With a hot line, 64 bytes, more.
    records = [source(), function("f", source=0), frame(0, line=1), stack(0), sample(0), end()]
    for budget, status, lines in ((232, "complete", 1), (231, "partial", 0)):
        p = profile([header(cpu_metadata_budget_bytes=budget), *records])
        assert p["status"] == status and len(p["bottlenecks"][0]["hot_lines"]) == lines


def test_millions_of_functions_and_chains(build, tmp_path):
    """Many times what a budget holds, in memory that they would not fit in. The unit tests measure what the
    tables of the whole budget take."""
    path, n = tmp_path / "many.jsonl", 300000
    with open(path, "w") as file:
        file.write(text([header(cpu_metadata_budget_bytes=4 << 20)]))
        for one in distinct(n):
            file.write(json.dumps(one) + "\n")
        file.write(text([end()]))
    done = subprocess.run([build / "profbpf", "replay", path, "--format", "json"], capture_output=True, timeout=300,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (40 << 20, 40 << 20)))
    p = json.loads(done.stdout)["profile"]
    assert pick(p, "status", "partial_reason") == ["partial", "cpu_metadata_limit"]
    assert p["totals"]["attributed_samples"] == n


# --- thresholds ---


@pytest.mark.parametrize("part, whole, points, eligible", [
    (4999, 99990, 500, False),  # 4.9995 %, shown as 5.00
    (5000, 100000, 500, True), (49999, 1000000, 500, False), (1, 3, 3333, True), (1, 3, 3334, False),
    (1, 10**15, 0, True), (1, 1, 10000, True), (99999, 100000, 10000, False),
])
def test_thresholds_compare_counts(profile, part, whole, points, eligible):
    p = profile([header(threshold_basis_points=points), *functions("part", "rest"), sample(0, part),
                 sample(1, whole - part), end()])
    assert ("part" in names(p)) == eligible


def test_rounding_is_for_display(profile):
    p = profile([header(threshold_basis_points=0), *functions("a", "b"), sample(0, 1), sample(1, 7), end()])
    assert [b["cpu_percent"] for b in p["bottlenecks"]] == [87.5, 12.5]
    p = profile([header(threshold_basis_points=0), *functions("a", "b"), sample(0, 1), sample(1, 20000 - 1), end()])
    assert [b["cpu_percent"] for b in p["bottlenecks"]] == [100.0, 0.01]  # 99.995 and 0.005


def test_limit(profile):
    p = profile([header(limit=2), *functions("a", "b", "c"), *(sample(i) for i in range(3)), end()])
    assert names(p) == ["a", "b"] and [b["rank"] for b in p["bottlenecks"]] == [1, 2]
    assert pick(p, "eligible_bottlenecks", "emitted_bottlenecks", "truncated_bottlenecks") == [3, 2, 1]


@pytest.mark.parametrize("records", [
    [header(threshold_basis_points=0), *functions("f"), sample(0, 5, "waiting"), end()],
    [header("memory", threshold_basis_points=0), *functions("f"), allocate(1, 0), allocate(2, 9, None), end()],
    [header(threshold_basis_points=0), end()],
], ids=["no jett sample", "no attributed byte", "nothing"])
def test_nothing_to_share_out(profile, records):
    p = profile(records)
    assert p["bottlenecks"] == [] and p["eligible_bottlenecks"] == 0 and p["status"] == "complete"


# --- workers ---


def test_workers_add_up(build, profile):
    records = [header(), *functions("f", "g")]
    for tick in range(12):
        records.append(sample(tick % 2, tick=tick, thread=tick % 3, task=tick % 5, actor=None))
    p = profile([*records, end()])
    assert [pick(b, "function", "inclusive_samples") for b in p["bottlenecks"]] == [["f", 6], ["g", 6]]
    moved = [{**one, "thread": 1, "task": 2} if "op" in one else one for one in records]
    assert run(build, [*moved, end()]) == run(build, [*records, end()])


# --- injected allocation events ---


def test_allocations(profile):
    p = profile([
        header("memory", threshold_basis_points=0), *functions("make", "grow", "other"),
        allocate(1, 100), allocate(2, 0), allocate(5, 50, 2),
        resize(1, 100, 160, 1),   # growth is grow's, the bytes stay make's
        resize(5, 50, 20, 1),     # a shrink is other's
        resize(2, 0, 8, 1), resize(2, 8, 0, 1), free(5, 20), allocate(6, 4, None), end()])
    assert p["totals"] == {"allocation_count": 4, "resize_count": 4, "allocated_bytes": 222, "freed_bytes": 58,
                           "peak_live_bytes": 210, "retained_bytes": 164}
    by = {b["function"]: pick(b, "allocation_count", "resize_count", "allocated_bytes", "freed_bytes", "retained_bytes",
                              "live_at_peak_bytes") for b in p["bottlenecks"]}
    assert by == {"make": [2, 0, 100, 8, 160, 160], "grow": [0, 4, 68, 0, 0, 0], "other": [1, 0, 50, 50, 0, 50]}
    assert [b["allocation_percent"] for b in p["bottlenecks"]] == [45.87, 31.19, 22.94]
    assert [b["call_chains"] for b in p["bottlenecks"]][1] == []


def test_the_first_peak_counts(profile):
    p = profile([header("memory", threshold_basis_points=0), *functions("a", "b"), allocate(1, 10, 0), free(1, 10),
                 allocate(2, 10, 1), end()])
    assert {b["function"]: b["live_at_peak_bytes"] for b in p["bottlenecks"]} == {"a": 10, "b": 0}


def test_ties_of_allocations(profile):
    p = profile([header("memory", threshold_basis_points=0), *functions("a", "b", "c"), allocate(1, 10, 0),
                 allocate(2, 5, 1), allocate(3, 5, 1), allocate(4, 10, 2), end()])
    assert names(p) == ["b", "a", "c"]


def test_retention_metadata_limit(profile):
    p = profile([header("memory", retention_metadata_budget_bytes=100), *functions("f"), allocate(1, 10), free(1, 10),
                 allocate(2, 10), allocate(3, 10), allocate(4, 10), free(77, 3), resize(3, 10, 15), end()])
    assert pick(p, "status", "partial_reason") == ["partial", "retention_metadata_limit"]
    assert p["totals"] == {"allocation_count": 4, "resize_count": 1, "allocated_bytes": 45, "freed_bytes": U,
                           "peak_live_bytes": U, "retained_bytes": U}
    assert pick(p["bottlenecks"][0], "allocation_count", "resize_count", "allocated_bytes", "freed_bytes",
                "retained_bytes", "live_at_peak_bytes", "suggestions") == [4, 1, 45, U, U, U, []]


def test_retention_metadata_that_just_fits(profile):
    for live, status in ((2, "complete"), (3, "partial")):
        p = profile([header("memory", retention_metadata_budget_bytes=96), *(allocate(i, 1, None) for i in range(live)),
                     end()])
        assert p["status"] == status


# --- paths ---


@pytest.mark.parametrize("path, shown", [
    ("src/a.jett", "src/a.jett"), ("./src//a.jett", "src/a.jett"), ("stdlib/list.jett", "stdlib/list.jett"),
    ("/home/me/a.jett", U), ("../a.jett", U), ("a/../../b", U), ("", U), (".", U), ("C:\\me\\a.jett", U),
    ("\\\\host\\a", U), ("a..b", "a..b"), ("..", U),
])
def test_paths(build, profile, path, shown):
    records = [header(), source(path, text="call()", secret_spans=[]), function("f", source=0, line=7),
               frame(0, line=8, call_site=[0, 6]), stack(0), sample(0), end()]
    entry, = profile(records)["bottlenecks"]
    assert pick(entry, "path", "line") == [shown, U if shown == U else 7]
    assert [row["path"] for row in entry["hot_lines"]] == ([] if shown == U else [shown])
    if shown == U and len(path) > 2:
        for options in ([], ["--human"], ["--format", "json"]):
            assert path not in run(build, records, *options)


def test_one_path_is_one_source_and_unusable_ones_stay_apart(profile):
    p = profile([header(), source("a"), source("./a"), source("/x"), source("/x"),
                 *(function("f", source=i) for i in range(4)), *(frame(i) for i in range(4)),
                 *(stack(i) for i in range(4)), *(sample(i) for i in range(4)), end()])
    assert [pick(b, "path", "inclusive_samples") for b in p["bottlenecks"]] == [["a", 2], [U, 1], [U, 1]]


# --- redaction ---


@pytest.mark.parametrize("code, secrets, shown, redacted", [
    ("f(x)", [], "f(x)", False), ("f(x)  # why", [], "f(x)", True), ('f("pw", b"\\x00")', [], "f(<redacted-literal>, "
     "<redacted-literal>)", True), ("f(token)", [[2, 7]], "f(<secret-expression>)", True),
    ("f(token)", [[3, 4], [2, 7]], "f(<secret-expression>)", True), ('f("a\\"b")', [], "f(<redacted-literal>)", True),
    ('f("{x}")', [], U, True), ('f("open', [], U, True), ("a\tb\n\x1bc", [], "a\\tb\\n\\u{1b}c", True),
    ("\u202ef", [], "\\u{202e}f", True), ("é" * 81, [], "é" * 80, True), ("x" * 160, [], "x" * 160, False),
    ("x" * 159 + "é", [], "x" * 159, True), ("f(x)", None, U, False), (None, [], U, False),
    ('"' + "y" * 300 + '"', [], "<redacted-literal>", True), ("x" * 200 + '"open', [], U, True),
])
def test_redaction(profile, code, secrets, shown, redacted):
    end_of_code = len(code.encode()) if code else 4
    p = profile([header(), source(text=code, secret_spans=secrets), function("f", source=0),
                 frame(0, line=1, call_site=[0, end_of_code]), stack(0), sample(0), end()])
    assert pick(p["bottlenecks"][0]["hot_lines"][0], "code", "source_redacted") == [shown, redacted]


def test_a_span_that_begins_in_a_literal_or_a_comment_is_withheld(profile):
    code = 'a = "secret text"  # hidden words\nb()'
    for piece, shown in (("secret", U), ("hidden", U), ("b()", "b()")):
        start = code.index(piece)
        p = profile([header(), source(text=code, secret_spans=[]), function("f", source=0),
                     frame(0, line=1, call_site=[start, start + len(piece)]), stack(0), sample(0), end()])
        assert p["bottlenecks"][0]["hot_lines"][0]["code"] == shown


def test_the_first_call_site_of_a_line_is_shown(profile):
    p = profile([header(), source(text="one() two()", secret_spans=[]), function("f", source=0), frame(0, line=1),
                 frame(0, line=1, call_site=[6, 11]), frame(0, line=1, call_site=[0, 5]), *(stack(i) for i in range(3)),
                 sample(0), sample(1), sample(2), end()])
    row, = p["bottlenecks"][0]["hot_lines"]
    assert pick(row, "self_samples", "code") == [3, "two()"]


# --- suggestions ---


def test_cpu_suggestions(profile):
    p = profile([header(threshold_basis_points=0), source(), function("half", "n", source=0),
                 function("less", "<root>", source=0), function("no_line", "n"), frame(0, line=1), frame(1, line=2),
                 frame(2), stack(0), stack(1), stack(0, 1, 2), sample(0, 3), sample(1, 2), sample(2, 3), end()])
    assert {b["function"]: b["suggestions"] for b in p["bottlenecks"]} == {
        "half": [{"rule": "CPU_HIGH_SELF", "text": "Inspect the reported hot lines in n.half; self work accounts for at "
                  "least half of its samples."}],
        "less": [{"rule": "CPU_CALLEE_DOMINATED", "text": "Inspect the dominant reported call chain of <root>.less; "
                  "self work accounts for less than half of its samples."}],
        "no_line": []}


def test_memory_suggestions(profile):
    p = profile([header("memory", threshold_basis_points=2500), *functions("keep", "drop", "some"), allocate(1, 40, 0),
                 allocate(2, 30, 1), allocate(3, 30, 2), free(2, 30), resize(3, 30, 24), end()])
    pressure = "Reduce, reuse, or batch work at the allocation site app.{}; it accounts for {}% of attributed " \
        "allocated bytes."
    assert {b["function"]: [(s["rule"], s["text"]) for s in b["suggestions"]] for b in p["bottlenecks"]} == {
        "keep": [("MEM_ALLOCATION_PRESSURE", pressure.format("keep", "40.00")),
                 ("MEM_RETAINED", "Review the lifetime of allocations from app.keep; 40 bytes were retained at the end "
                  "of the run.")],
        "drop": [("MEM_ALLOCATION_PRESSURE", pressure.format("drop", "30.00"))],
        "some": [("MEM_ALLOCATION_PRESSURE", pressure.format("some", "30.00"))]}


def test_nothing_retained_is_no_suggestion(profile):
    p = profile([header("memory", threshold_basis_points=0), *functions("f"), allocate(1, 4), free(1, 4), end()])
    assert [s["rule"] for s in p["bottlenecks"][0]["suggestions"]] == ["MEM_ALLOCATION_PRESSURE"]


@pytest.mark.parametrize("records, given", [
    ([end("interrupted")], True), ([end("runtime_error")], True), ([failure(), end()], False),
    ([failure("stack_capture_limit"), end("interrupted")], True), ([failure("stack_capture_limit"), end()], False),
])
def test_suggestions_need_whole_data(profile, records, given):
    p = profile([header(), function("g"), *functions("f")[0:1], frame(0), frame(1), stack(0, 1), sample(0), *records])
    assert bool(p["bottlenecks"][1]["suggestions"]) == given


# --- the three forms ---


FULL = [header(threshold_basis_points=0), source(text='f("x")', secret_spans=[]),
        function("fi\x1b[31mrst", "a,b", source=0, line=4, column=2), function("second\n", "<root>"),
        frame(0, line=5, call_site=[0, 6]), frame(1), stack(1, 0), stack(1), sample(0, 30), sample(1, 12),
        sample(None, 5, "runtime", tick=2), sample(None, 6, "waiting", tick=2), {"op": "coalesced", "count": 8},
        {"op": "dropped", "count": 9}, end(wall_duration_ns=7 * 10**9, process_cpu_ns=123)]


def test_the_forms_say_the_same_in_the_same_order(build, profile, tools):
    p = profile(FULL)
    decoded, = toon.decode(tools, run(build, FULL))
    assert in_order(decoded) == in_order({"profile": p})
    human = run(build, FULL, "--human")
    assert human.startswith("CPU profile\nstatus: complete\ntermination: returned\n")
    for line in ("samples: 42 attributed / 53 recorded / 70 requested", "other samples: 5 runtime, 6 waiting, 0 unavailable",
                 "sampling loss: 8 coalesced, 9 dropped", "stack truncation: 0 stacks",
                 "rate: 7.57 Hz observed / 1000 Hz requested", "time: 7000000000 ns wall, 123 ns process CPU",
                 "bottlenecks: 2 emitted / 2 eligible / 0 truncated, from 0.00% on",
                 "1. <root>.second\\x0a at unavailable", "   100.00% of attributed samples: 42 inclusive, 12 self",
                 "2. a,b.fi\\x1b[31mrst at src/a.jett:4:2", "   71.43% of attributed samples: 30 inclusive, 30 self",
                 "   hot line src/a.jett:5: 30 self samples: f(<redacted-literal>) (redacted)",
                 "   chain, 30 samples: <root>.second\\x0a > a,b.fi\\x1b[31mrst"):
        assert line in human.splitlines(), line
    assert p["bottlenecks"][1]["function"] == "fi\x1b[31mrst"


def test_the_memory_report_for_people(build):
    human = run(build, [header("memory"), *functions("f"), allocate(1, 10), resize(1, 10, 4), end("interrupted")], "--human")
    for line in ("Memory profile", "status: partial (interrupted)", "events: 1 allocation, 1 resize",
                 "bytes: 10 allocated, 6 freed, 10 live at peak, 4 retained",
                 "   100.00% of attributed bytes: 10 allocated in 1 allocation and 1 resize, 6 freed, 4 retained, 10 live "
                 "at peak", "   chain, 1 allocation: app.f"):
        assert line in human.splitlines(), human


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--human"], ["--agent"]])
def test_controls_are_escaped(build, options):
    name = "".join(map(chr, [*range(1, 32), 0x7f, *range(0x80, 0xa0), 0x202e, 0x2066, 0xfeff])) + "\0"
    printed = run(build, [header(), *functions(name), sample(0), end(run={**events.RUN, "stdout": name})], *options)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066\ufeff]", printed)


def test_program_output_stays_in_its_scalar(build, envelope):
    forged = 'x\nprofile:\n  status: complete\nerror: "none"\n- a\n\\" \x00\x1b[2J, [1]{a}:\n'
    seen = envelope([*FULL[:-1], end(run={**events.RUN, "stdout": forged, "stderr": forged,
                                          "debug": [{"kind": "debug", "message": forged}]})])
    plain = envelope([*FULL[:-1], end(run=events.RUN)])
    assert seen.pop("stdout") == seen.pop("stderr") == seen.pop("debug")[0]["message"] == forged
    assert seen == {name: one for name, one in plain.items() if name not in ("stdout", "stderr", "debug")}


def origin(kind):
    return {"project": {"kind": kind, "canonical_name": "app"},
            "dependency": {"kind": kind, "canonical_name": "dep", "graph_path": ["app", "dep"]},
            "stdlib": {"kind": kind, "compiler_distribution": "jett", "stdlib_version": "1.2"}}[kind]


def log(sequence, kind, *fields, path="src/l.jett", line=3, column=4):
    return {"sequence": sequence, "level": "warn", "message": f"m{sequence}",
            "fields": [{"name": name, "value": value} for name, value in fields],
            "source": {"origin": origin(kind), "path": path, "line": line, "column": column}}


ORDER = ["status", "file", "file_origin", "file_origin_graph_path_segments", "termination", "stdout", "stderr", "debug",
         "logs", "log_sources", "log_source_graph_path_segments", "log_fields", "profile"]


def test_the_envelope(envelope):
    logs = [log(1, "project", ("a", "1"), ("b", "")), log(4, "dependency"), log(5, "dependency", ("c", "x: y")),
            log(9, "stdlib", path="/abs", line=None)]
    e = envelope([*FULL[:-1], end("runtime_error", run={
        **events.RUN, "file_origin": origin("dependency"), "stdout": "out", "stderr": "err", "logs": logs,
        "debug": [{"kind": "trace", "message": "t"}, {"kind": "breakpoint", "message": ""}],
        "failure": {"kind": "runtime_error", "message": "boom"}})])
    assert list(e) == [*ORDER, "error_kind", "error"]
    assert pick(e, "status", "termination", "stdout", "stderr", "error_kind", "error") == [
        "error", "runtime_error", "out", "err", "runtime_error", "boom"]
    assert e["file_origin"] == [{"origin_kind": "dependency", "project_name": "", "dependency_name": "dep",
                                 "compiler_distribution": "", "stdlib_version": "", "graph_path_start": 0,
                                 "graph_path_count": 2}]
    assert [row["segment"] for row in e["file_origin_graph_path_segments"]] == ["app", "dep"]
    assert [list(row.values()) for row in e["logs"]] == [
        [1, "warn", "m1", 0, 0, 2], [4, "warn", "m4", 1, 2, 0], [5, "warn", "m5", 2, 2, 1], [9, "warn", "m9", 3, 3, 0]]
    assert [pick(row, "source_index", "origin_kind", "project_name", "dependency_name", "stdlib_version", "path", "line",
                 "graph_path_start", "graph_path_count") for row in e["log_sources"]] == [
        [0, "project", "app", "", "", "src/l.jett", 3, 0, 0], [1, "dependency", "", "dep", "", "src/l.jett", 3, 0, 2],
        [2, "dependency", "", "dep", "", "src/l.jett", 3, 2, 2], [3, "stdlib", "", "", "1.2", U, U, 4, 0]]
    assert [list(row.values()) for row in e["log_source_graph_path_segments"]] == [
        [1, 0, "app"], [1, 1, "dep"], [2, 0, "app"], [2, 1, "dep"]]
    assert [list(row.values()) for row in e["log_fields"]] == [[0, 0, "a", "1"], [0, 1, "b", ""], [2, 0, "c", "x: y"]]
    assert e["debug"] == [{"kind": "trace", "message": "t"}, {"kind": "breakpoint", "message": ""}]
    assert e["profile"]["termination"] == "runtime_error" and e["profile"]["status"] == "complete"


def test_an_envelope_of_empty_tables_keeps_their_headers(build):
    printed = run(build, [header(), end(run=events.RUN)], "--agent")
    for table in ("file_origin_graph_path_segments", "debug", "logs", "log_sources", "log_source_graph_path_segments",
                  "log_fields"):
        assert re.search(rf"^{table}\[0\]\{{[a-z_,]+\}}:$", printed, re.M)


# --- states, reasons, exits ---


ERROR = {**events.RUN, "failure": {"kind": "runtime_error", "message": "boom"}}


@pytest.mark.parametrize("records, status, reason, failed", [
    ([end(run=events.RUN)], "complete", None, None),
    ([end("runtime_error", run=ERROR)], "complete", None, ("runtime_error", "boom")),
    ([end("interrupted", run=events.RUN)], "partial", "interrupted", ("interrupted", "run interrupted")),
    ([failure(), end(run=events.RUN)], "partial", "collector_failure", ("profiler_failure", "profiler: collector failure")),
    ([failure(), end("runtime_error", run=ERROR)], "partial", "collector_failure", ("runtime_error", "boom")),
    ([failure(), end("interrupted", run=events.RUN)], "partial", "collector_failure", ("interrupted", "run interrupted")),
    ([failure("stack_capture_limit"), end(run=events.RUN)], "partial", "stack_capture_limit", None),
])
def test_states(envelope, records, status, reason, failed):
    e = envelope([header(), *functions("f"), sample(0, 2), *records])
    p = e["profile"]
    assert (p["status"], p.get("partial_reason")) == (status, reason)
    assert p["totals"]["recorded_samples"] == 2
    assert e["status"] == ("error" if failed else "ok")
    assert (e.get("error_kind"), e.get("error")) == (failed or (None, None))
    assert e["termination"] == p["termination"] == records[-1]["end"]["termination"]


@pytest.mark.parametrize("mode, missing", [("cpu", "cpu_tick_source"), ("cpu", "safe_stack_capture"),
                                           ("memory", "jett_heap_allocation_hooks"),
                                           ("memory", "free_and_resize_events")])
def test_backend_unsupported(profile, mode, missing):
    p = profile([header(mode, [one for one in events.ALL if one != missing]), end()])
    assert pick(p, "status", "partial_reason", "bottlenecks", "eligible_bottlenecks") == [U, "backend_unsupported", [], U]
    assert set(p["totals"].values()) == {U}


@pytest.mark.parametrize("optional", ["task_attribution", "source_spans", "process_cpu_time",
                                      "jett_runtime_thread_registration"])
def test_optional_capabilities(profile, optional):
    assert profile([header("cpu", [one for one in events.ALL if one != optional]), end()])["status"] == "complete"


def test_backends_give_the_same_object(build):
    """Only the names that a backend declares differ."""
    printed = {run(build, [{**FULL[0], "backend": backend, "coverage": coverage}, *FULL[1:]]).replace(backend, "B").replace(
        coverage, "C") for backend, coverage in (("interpreter_safe_point", "jett_runtime_threads"),
                                                 ("bytecode_safe_point", "jett_workers"),
                                                 ("ebpf_async_stack", "process_threads"))}
    assert len(printed) == 1


def test_the_table_of_the_matrix_names_tests(root):
    """docs/profile.md; its other files are named before the tests in them."""
    table = (root / "docs/profile.md").read_text().split("verification matrix", 1)[1]
    files = [*root.glob("tests/e2e/test_*.py"), *root.glob("tests/unit/test_*.c")]
    known = "".join(path.read_text() for path in files)
    named = set(re.findall(r"\b(test_\w+)\b(?!\.)", table))
    assert len(named) > 30
    assert all(f"def {name}(" in known or f"static void {name}(" in known for name in named)
    assert all(next(root.glob(f"tests/*/{name}"), None) for name in re.findall(r"test_\w+\.\w+", table))


# --- the schemas ---


@pytest.fixture(scope="module")
def schema(root):
    """schema(NAME): a validator of docs/NAME.schema.json, itself checked."""

    def load(name):
        found = json.loads((root / f"docs/{name}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(found)
        return jsonschema.Draft202012Validator(found)

    return load


def test_profiles_fit_their_schema(profile, schema):
    validator = schema("profile")
    for records in (FULL, [header(), end()], [header("memory"), *functions("f"), allocate(1, 5), end()],
                    [header("cpu", []), end()], *(events.at_random(seed) for seed in range(60))):
        validator.validate({"profile": profile(records)})


def test_event_files_fit_their_schema(schema):
    validator = schema("events")
    for records in (FULL, *(events.at_random(seed) for seed in range(60)),
                    [header(), end("runtime_error", run={**ERROR, "logs": [log(1, "stdlib", ("a", "b"))]})]):
        for record in records:
            validator.validate(record)


@pytest.mark.parametrize("record", [
    {"op": "guess"}, {"stack": [-1]}, {"stack": [1.5]}, {**sample(0), "guess": 1}, {"op": "sample", "tick": 1},
    {"source": {"origin": "moon", "path": "a"}}, {"op": "free", "id": 1}, header(guess=1), header(limit=0),
    {"end": {"termination": "lost", "wall_duration_ns": 1}}, {"stack": [], "frame": {"function": 0}}, [],
])
def test_the_event_schema_refuses_what_replay_refuses(build, schema, record):
    assert not schema("events").is_valid(record)
    first = [] if isinstance(record, dict) and "schema" in record else [header()]
    done = subprocess.run([build / "profbpf", "replay", "-"], input=text([*first, record]).encode(), capture_output=True)
    assert done.returncode == 1 and f"line {len(first) + 1}: ".encode() in done.stderr


def test_the_profile_schema_refuses_another_object(profile, schema):
    p = profile(FULL)
    validator = schema("profile")
    for changed in ({**p, "guess": 1}, {**p, "mode": "heap"}, {name: one for name, one in p.items() if name != "totals"},
                    {**p, "totals": {**p["totals"], "recorded_samples": -1}}):
        assert not validator.is_valid({"profile": changed})
