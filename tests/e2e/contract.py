# SPDX-License-Identifier: BSD-2-Clause
"""jett.profile.v1 from events, written from the contract's text alone and as plainly as possible: a
second implementation to hold the program against."""

import re
from fractions import Fraction

UNAVAILABLE = "unavailable"
BUCKETS = {"<unavailable-symbol>", "<truncated-stack>", "<runtime>"}
REASONS = ["backend_unsupported", "collector_failure", "cpu_metadata_limit", "retention_metadata_limit", "interrupted",
           "stack_capture_limit"]
REQUIRED = {"cpu": {"cpu_tick_source", "safe_stack_capture"},
            "memory": {"jett_heap_allocation_hooks", "free_and_resize_events"}}
ORIGINS = ["project", "dependency", "stdlib"]
INFINITE = float("inf")


def hundredths(share):
    """A fraction as text with two decimals, half away from zero."""
    whole = int(share * 100 + Fraction(1, 2))
    return f"{whole // 100}.{whole % 100:02}"


def in_order(value):
    """The value with its objects as lists of pairs: what has another order is another thing."""
    if isinstance(value, dict):
        return [(name, in_order(one)) for name, one in value.items()]
    return [in_order(one) for one in value] if isinstance(value, list) else value


# --- identity ---


def usable(path):
    """The normalised path, None if it may not be shown."""
    if re.match(r"[/\\]|[A-Za-z]:[/\\]", path) or ".." in re.split(r"[/\\]", path):
        return None
    return "/".join(part for part in path.split("/") if part not in ("", ".")) or None


class Function:
    """One identity; records that share it share this object."""

    def __init__(self, order, name_space, name, source, declaration):
        self.order, self.name_space, self.name = order, name_space, name
        self.source, self.declaration = source, declaration
        self.line = self.column = None

    @property
    def qualified(self):
        return f"{self.name_space}.{self.name}"

    @property
    def bucket(self):
        return self.name in BUCKETS

    @property
    def path(self):
        return self.source[1] if self.source else None

    def rank(self):
        source = (ORIGINS.index(self.source[0]), self.source[1].encode()) if self.source else (9, b"")
        declaration = tuple(self.declaration) if self.declaration else (INFINITE, INFINITE)
        return (self.name_space.encode(), self.name.encode(), source, declaration, self.order)


class Catalog:
    def __init__(self):
        self.sources, self.texts, self.functions, self.frames, self.stacks = [], {}, [], [], []
        self.known = {}
        self.truncated = self.function({"namespace": "<runtime>", "function": "<truncated-stack>"}, "internal")

    def source(self, record):
        path = usable(record["path"])
        source = path and (record["origin"], path)
        text, spans = record.get("text"), record.get("secret_spans")
        if source and text is not None and spans is not None:
            self.texts.setdefault(source, (text.encode(), spans))
        self.sources.append(source)

    def function(self, record, internal=None):
        name, number = record["function"], record.get("source")
        source = None if number is None else self.sources[number]
        apart = ("source", number) if number is not None and source is None else None
        own = len(self.functions) if name == "<unavailable-symbol>" else None
        declaration = record.get("declaration")
        key = (record["namespace"], name, source, apart, own, declaration and tuple(declaration))
        if key not in self.known:
            self.known[key] = Function(len(self.known), record["namespace"], name, source, declaration)
        function = self.known[key]
        if function.line is None and record.get("line") is not None:
            function.line, function.column = record["line"], record.get("column")
        if not internal:
            self.functions.append(function)
        return function

    def frame(self, record):
        self.frames.append((self.functions[record["function"]], record.get("call_site"), record.get("line"),
                            record.get("column")))

    def stack(self, numbers):
        frames = [self.frames[n] for n in numbers]
        cut = len(frames) > 128
        if cut:
            frames = frames[:127] + [(self.truncated, None, None, None)]
        self.stacks.append((frames, cut))


# --- source excerpts ---

LITERAL = re.compile(rb'b?"((?:\\.|[^"\\])*)"', re.S)


def in_code(text):
    """Whether what follows text is neither in a literal nor in a comment."""
    while text:
        mark = re.search(rb'["#]', text)
        if not mark:
            return True
        rest = text[mark.start():]
        if rest[:1] == b"#":
            comment, newline, text = rest.partition(b"\n")
            if not newline:
                return False
        else:
            literal = LITERAL.match(rest)
            if not literal:
                return False
            text = rest[literal.end():]
    return True


def escape(character):
    code = ord(character)
    unsafe = (code < 0x20 or 0x7f <= code < 0xa0 or code in (0x200e, 0x200f, 0xfeff) or 0x2028 <= code <= 0x202e
              or 0x2066 <= code <= 0x2069)
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return short.get(character, f"\\u{{{code:x}}}") if unsafe else character


def whole(at, step, inside):
    """The next place from there that is not inside a character."""
    while at in inside:
        at += step
    return at


def cut(text):
    return text.encode()[:160].decode(errors="ignore")


def excerpt(source, span):
    """(code, source_redacted)"""
    if source is None or span is None or span[1] > len(source[0]):
        return UNAVAILABLE, False
    text, secrets = source
    start, end = span
    try:
        text[:start].decode(), text[start:end].decode()
    except UnicodeDecodeError:
        return UNAVAILABLE, True
    if not in_code(text[:start]):
        return UNAVAILABLE, True
    secret = [False] * (len(text) + 1)
    inside = [at for at in range(len(text)) if text[at] & 0xc0 == 0x80]
    secrets = [(whole(low, -1, inside), whole(high, 1, inside)) for low, high in secrets]
    for low, high in secrets:
        for at in range(low, min(high, len(text))):
            secret[at] = True
    shown, at = "", start
    while at < end:
        if secret[at]:
            stop = at
            while stop < end and secret[stop]:
                # Spans that only touch are two expressions.
                if stop > at and any(low == stop for low, high in secrets if high > low) and not any(
                        low < stop < high for low, high in secrets):
                    break
                stop += 1
            if not in_code(text[at:stop]):
                return UNAVAILABLE, True
            shown, at = shown + "<secret-expression>", stop
            continue
        literal = LITERAL.match(text, at, end)
        if literal:
            if b"{" in literal[1]:
                return UNAVAILABLE, True
            shown, at = shown + "<redacted-literal>", literal.end()
        elif text[at:at + 1] == b'"' or text[at:min(at + 2, end)] == b'b"':
            return UNAVAILABLE, True
        elif text[at:at + 1] == b"#":
            if len(shown.encode()) <= 160:
                shown = shown.rstrip(" ")
            while at < end and text[at:at + 1] != b"\n":
                at += 1
        else:
            size = next(n for n in (1, 2, 3, 4) if not re.match(rb"[\x80-\xbf]", text[at + n:at + n + 1]))
            shown, at = shown + escape(text[at:at + size].decode()), at + size
    return cut(shown), cut(shown) != text[start:end].decode()


# --- aggregation ---


class Budget:
    def __init__(self, limit):
        self.left, self.spent = limit, False

    def take(self, cost):
        self.spent = self.spent or cost > self.left
        if not self.spent:
            self.left -= cost
        return not self.spent


class Cpu:
    def __init__(self, catalog, budget):
        self.catalog, self.budget = catalog, Budget(budget)
        self.states = dict.fromkeys(["jett", "runtime", "waiting", "unavailable"], 0)
        self.coalesced = self.dropped = self.truncated = 0
        self.functions, self.chains, self.lines = {}, {}, {}

    def sample(self, event):
        count, number, state = event.get("count", 1), event.get("stack"), event["state"]
        count = 1 if count is None else count
        frames, was_cut = ([], False) if number is None else self.catalog.stacks[number]
        self.truncated += count if was_cut else 0
        if state == "jett" and not frames:
            state = "unavailable"
        self.states[state] += count
        if state == "jett" and count:
            self.attribute(frames, count)

    def bucket(self, table, key, new, cost):
        if key not in table:
            if not self.budget.take(cost):
                return None
            table[key] = new
        return table[key]

    def attribute(self, frames, count):
        names = [frame[0] for frame in frames]
        for at, function in enumerate(names):
            if function in names[at + 1:]:
                continue
            numbers = self.bucket(self.functions, function, [0, 0], 128)
            if numbers is None:
                continue
            numbers[0] += count
            numbers[1] += count if at + 1 == len(names) else 0
            chain = tuple(names[:at + 1])
            if self.bucket(self.chains, chain, 0, 32 + 8 * len(chain)) is not None:
                self.chains[chain] += count
        function, site, line, column = frames[-1]
        if line is None or not function.path or function.bucket:
            return
        row = self.bucket(self.lines, (function, line, column), [0, None], 64)
        if row is not None:
            row[0] += count
            row[1] = row[1] if row[1] is not None else site


class Memory:
    def __init__(self, catalog, budget):
        self.catalog, self.budget = catalog, budget
        self.live, self.chains, self.at_peak = {}, {}, {}
        self.count = self.resizes = self.allocated = self.freed = self.peak = 0
        self.spent = False
        # allocations, resizes, allocated, freed
        self.sites = {}

    def leaf(self, event):
        number = event.get("stack")
        frames = [] if number is None else self.catalog.stacks[number][0]
        if not frames:
            return None, []
        self.sites.setdefault(frames[-1][0], [0, 0, 0, 0])
        return frames[-1][0], [frame[0] for frame in frames]

    def retained(self, function):
        return sum(size for size, site in self.live.values() if site is function)

    def watch(self):
        total = sum(size for size, _ in self.live.values())
        if total > self.peak:
            self.peak = total
            self.at_peak = {site: self.retained(site) for site in self.sites}

    def allocate(self, event):
        function, chain = self.leaf(event)
        self.count += 1
        self.allocated += event["size"]
        if function:
            self.sites[function][0] += 1
            self.sites[function][2] += event["size"]
            self.chains[tuple(chain)] = self.chains.get(tuple(chain), 0) + 1
        if (len(self.live) + 1) * 48 > self.budget:
            self.spent = True
        if not self.spent:
            self.live[event["id"]] = (event["size"], function)
            self.watch()

    def resize(self, event):
        function, _ = self.leaf(event)
        growth = event["size"] - event["old_size"]
        self.resizes += 1
        self.allocated += max(growth, 0)
        if function:
            self.sites[function][1] += 1
            self.sites[function][2] += max(growth, 0)
        if not self.spent:
            site = self.live[event["id"]][1]
            self.shrink(site, max(-growth, 0))
            self.live[event["id"]] = (event["size"], site)
            self.watch()

    def free(self, event):
        if not self.spent:
            size, site = self.live.pop(event["id"])
            self.shrink(site, size)

    def shrink(self, site, size):
        self.freed += size
        if site:
            self.sites[site][3] += size


# --- the report ---


def top_chains(chains, function):
    own = [(chain, count) for chain, count in chains.items() if chain[-1] is function and count]
    own.sort(key=lambda item: (-item[1], [f.rank() for f in item[0]]))
    return [{"samples": count, "chain": [f.qualified for f in chain]} for chain, count in own[:3]]


def place(rank, function):
    known = not function.bucket and function.path
    return {"rank": rank, "namespace": function.name_space, "function": function.name,
            "path": function.path if known else UNAVAILABLE,
            "line": function.line if known and function.line is not None else UNAVAILABLE}


def hot_lines(cpu, function):
    own = [(line, column, row) for (f, line, column), row in cpu.lines.items() if f is function and row[0]]
    own.sort(key=lambda item: (-item[2][0], item[0], INFINITE if item[1] is None else item[1]))
    rows = []
    for line, column, (count, site) in own[:3]:
        code, redacted = excerpt(cpu.catalog.texts.get(function.source), site)
        rows.append({"path": function.path, "line": line, "column": UNAVAILABLE if column is None else column,
                     "self_samples": count, "code": code, "source_redacted": redacted})
    return rows


def choose(numbers, denominator, config):
    """Functions that are eligible, sorted; numbers: {function: (impact, second)}."""
    if denominator == 0:
        return []
    least = Fraction(config["threshold_basis_points"], 10000)
    found = [f for f, (impact, _) in numbers.items() if Fraction(impact, denominator) >= least]
    return sorted(found, key=lambda f: (-numbers[f][0], -numbers[f][1], f.rank()))


def cpu_bottleneck(cpu, rank, function, advise):
    inclusive, own = cpu.functions[function]
    rows, suggestions = hot_lines(cpu, function), []
    name = function.qualified
    if own * 2 < inclusive:
        suggestions.append({"rule": "CPU_CALLEE_DOMINATED", "text":
                            f"Inspect the dominant reported call chain of {name}; self work accounts for less than "
                            "half of its samples."})
    elif rows:
        suggestions.append({"rule": "CPU_HIGH_SELF", "text": f"Inspect the reported hot lines in {name}; self work "
                            "accounts for at least half of its samples."})
    return {**place(rank, function), "inclusive_samples": inclusive, "self_samples": own,
            "cpu_percent": hundredths(Fraction(100 * inclusive, cpu.states["jett"])), "hot_lines": rows,
            "call_chains": top_chains(cpu.chains, function),
            "suggestions": UNAVAILABLE if function.bucket else suggestions if advise else []}


def memory_bottleneck(memory, rank, function, advise, denominator, config):
    count, resizes, allocated, freed = memory.sites[function]
    share = hundredths(Fraction(100 * allocated, denominator))
    kept = memory.retained(function)
    name = function.qualified
    suggestions = [{"rule": "MEM_ALLOCATION_PRESSURE", "text":
                    f"Reduce, reuse, or batch work at the allocation site {name}; it accounts for {share}% of "
                    "attributed allocated bytes."}]
    if kept and Fraction(kept, denominator) >= Fraction(config["threshold_basis_points"], 10000):
        suggestions.append({"rule": "MEM_RETAINED", "text": f"Review the lifetime of allocations from {name}; {kept} "
                            "bytes were retained at the end of the run."})
    known = not memory.spent
    return {**place(rank, function), "allocation_count": count, "resize_count": resizes, "allocated_bytes": allocated,
            "allocation_percent": share, "freed_bytes": freed if known else UNAVAILABLE,
            "retained_bytes": kept if known else UNAVAILABLE,
            "live_at_peak_bytes": memory.at_peak.get(function, 0) if known else UNAVAILABLE,
            "call_chains": top_chains(memory.chains, function),
            "suggestions": UNAVAILABLE if function.bucket else suggestions if advise else []}


def cpu_totals(cpu, end):
    recorded = sum(cpu.states.values())
    wall, time = end["wall_duration_ns"], end.get("process_cpu_ns")
    return {"requested_ticks": recorded + cpu.coalesced + cpu.dropped, "recorded_samples": recorded,
            "attributed_samples": cpu.states["jett"], "runtime_samples": cpu.states["runtime"],
            "waiting_samples": cpu.states["waiting"], "unavailable_samples": cpu.states["unavailable"],
            "coalesced_ticks": cpu.coalesced, "collector_dropped_ticks": cpu.dropped,
            "truncated_stacks": cpu.truncated,
            "observed_rate_hz": hundredths(Fraction(recorded * 10**9, wall)) if wall else UNAVAILABLE,
            "wall_duration_ns": wall, "process_cpu_ns": UNAVAILABLE if time is None else time}


def memory_totals(memory):
    known = not memory.spent
    live = sum(size for size, _ in memory.live.values())
    return {"allocation_count": memory.count, "resize_count": memory.resizes, "allocated_bytes": memory.allocated,
            "freed_bytes": memory.freed if known else UNAVAILABLE,
            "peak_live_bytes": memory.peak if known else UNAVAILABLE, "retained_bytes": live if known else UNAVAILABLE}


def profile(records):
    """The object of an event file's records; shares and rates are texts with two decimals."""
    header, end = records[0], records[-1]["end"]
    mode = header["mode"]
    cpu_mode = mode == "cpu"
    budget = "cpu_metadata_budget_bytes" if cpu_mode else "retention_metadata_budget_bytes"
    config = {"requested_rate_hz": 1000} if cpu_mode else {}
    config.update({"threshold_basis_points": 500, "limit": 10, budget: (32 if cpu_mode else 64) << 20})
    config.update(header.get("config") or {})
    catalog = Catalog()
    cpu, memory = Cpu(catalog, config[budget]), Memory(catalog, config[budget])
    reasons = set() if REQUIRED[mode] <= set(header["capabilities"]) else {"backend_unsupported"}
    for record in records[1:-1]:
        op = record.get("op")
        if op is None:
            (kind, value), = record.items()
            getattr(catalog, kind)(value)
        elif op == "sample":
            cpu.sample(record)
        elif op in ("coalesced", "dropped"):
            setattr(cpu, op, getattr(cpu, op) + record.get("count", 1))
        elif op == "failure":
            reasons.add(record["reason"])
        else:
            getattr(memory, op)(record)
    if end["termination"] == "interrupted":
        reasons.add("interrupted")
    if cpu.budget.spent:
        reasons.add("cpu_metadata_limit")
    if memory.spent:
        reasons.add("retention_metadata_limit")
    reason = min(reasons, key=REASONS.index, default=None)

    advise = reason in (None, "interrupted")
    if cpu_mode:
        totals = cpu_totals(cpu, end)
        chosen = choose(cpu.functions, cpu.states["jett"], config)
        entries = [cpu_bottleneck(cpu, i + 1, f, advise) for i, f in enumerate(chosen[:config["limit"]])]
    else:
        totals = memory_totals(memory)
        whole = sum(site[2] for site in memory.sites.values())
        chosen = choose({f: (site[2], site[0]) for f, site in memory.sites.items()}, whole, config)
        entries = [memory_bottleneck(memory, i + 1, f, advise, whole, config)
                   for i, f in enumerate(chosen[:config["limit"]])]
    counts = [len(chosen), len(entries), len(chosen) - len(entries)]
    if reason == "backend_unsupported":
        totals, counts, entries = dict.fromkeys(totals, UNAVAILABLE), [UNAVAILABLE] * 3, []
    status = "complete" if reason is None else UNAVAILABLE if reason == "backend_unsupported" else "partial"
    return {"schema": "jett.profile.v1", "mode": mode, "status": status,
            **({"partial_reason": reason} if reason else {}), "termination": end["termination"],
            "backend": header["backend"], "coverage": header["coverage"], "config": config, "totals": totals,
            "eligible_bottlenecks": counts[0], "emitted_bottlenecks": counts[1], "truncated_bottlenecks": counts[2],
            "bottlenecks": entries}
