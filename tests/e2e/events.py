# SPDX-License-Identifier: BSD-2-Clause
"""Event files: made by hand, piece by piece, and at random."""

import json
import random

ALL = ["cpu_tick_source", "safe_stack_capture", "jett_runtime_thread_registration", "task_attribution",
       "source_spans", "process_cpu_time", "jett_heap_allocation_hooks", "free_and_resize_events"]
RUN = {"file": "app.jett", "file_origin": {"kind": "project", "canonical_name": "app"}, "stdout": "", "stderr": "",
       "debug": [], "logs": [], "failure": None}


def header(mode="cpu", capabilities=ALL, **config):
    backend = "interpreter_safe_point" if mode == "cpu" else "interpreter_alloc_hooks"
    coverage = "jett_runtime_threads" if mode == "cpu" else "jett_heap"
    return {"schema": "profbpf.events.v1", "mode": mode, "backend": backend, "coverage": coverage,
            "capabilities": capabilities, "config": config}


def source(path="src/a.jett", origin="project", **more):
    return {"source": {"origin": origin, "path": path, **more}}


def function(name, name_space="app", **more):
    return {"function": {"namespace": name_space, "function": name, **more}}


def frame(number, **more):
    return {"frame": {"function": number, **more}}


def stack(*frames):
    return {"stack": list(frames)}


def sample(number=0, count=1, state="jett", tick=1, **more):
    return {"op": "sample", "tick": tick, "state": state, "stack": number, "count": count, **more}


def allocate(number, size, at=0):
    return {"op": "allocate", "id": number, "size": size, "stack": at}


def resize(number, old_size, size, at=0):
    return {"op": "resize", "id": number, "old_size": old_size, "size": size, "stack": at}


def free(number, old_size):
    return {"op": "free", "id": number, "old_size": old_size}


def failure(reason="collector_failure"):
    return {"op": "failure", "reason": reason}


def end(termination="returned", wall_duration_ns=10**9, **more):
    return {"end": {"termination": termination, "wall_duration_ns": wall_duration_ns, "process_cpu_ns": None, **more}}


def functions(*names, **more):
    """Functions with a frame and a stack of one frame each, of the same numbers."""
    return [*(function(name, **more) for name in names), *(frame(i) for i in range(len(names))),
            *(stack(i) for i in range(len(names)))]


def text(records):
    return "".join(json.dumps(record) + "\n" for record in records)


# --- at random ---

NAMES = ["main", "work", "w", "work2", "é", "a,b", "x: y", "<unavailable-symbol>", "<runtime>", "<truncated-stack>",
         "-1", "true", "", " edge ", "\x1b[31m", "line\nbreak", "q\"\\", "nul\0", "\u202eright", "[0]", "#", "7", "1e5"]
PATHS = ["src/a.jett", "src/a.jett", "src/b.jett", "src/b.jett", "./src//a.jett", "/etc/passwd", "", "../up", "a/../b", "C:\\x", "dep/c.jett", "…"]
CODE = ["x = f(y)", " ", "\n", "\t", '"lit"', 'b"by\\"te"', '"in {x} ter"', "# note", "secret", "é", "\u202e", '"', "\\",
        "long_identifier_" * 8, "🙂"]


def random_text(r):
    code = "".join(r.choice(CODE[:10] if r.random() < 0.7 else CODE) for _ in range(r.randrange(12)))
    n = len(code.encode())
    return code, [sorted((r.randint(0, n), r.randint(0, n))) for _ in range(r.randrange(3))]


def maybe(r, record, **more):
    """The record with some of more, or null for it."""
    for name, value in more.items():
        if r.random() < 0.8:
            record[name] = None if r.random() < 0.1 else value
    return record


class Maker:
    """Writes a random file that refers only to what it has written."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.records = []
        self.made = dict.fromkeys(["source", "function", "frame", "stack"], 0)
        self.tick = self.next_id = 0
        self.live = {}

    def add(self, kind, value):
        self.records.append({kind: value})
        self.made[kind] += 1

    def span(self, most=60):
        return sorted((self.r.randint(0, most), self.r.randint(0, most)))

    def definition(self):
        r = self.r
        kind = r.choice(["source", "function", "function", "frame", "frame", "stack", "stack"])
        if kind == "source":
            code, secrets = random_text(r)
            self.add(kind, maybe(r, {"origin": r.choice(["project", "dependency", "stdlib"]), "path": r.choice(PATHS)},
                                 text=code, secret_spans=secrets))
        elif kind == "function":
            record = {"namespace": r.choice(["", "<root>", "app", "app.deep"]), "function": r.choice(NAMES)}
            if self.made["source"]:
                maybe(r, record, source=r.randrange(self.made["source"]))
            self.add(kind, maybe(r, record, declaration=[0, r.choice([5, 9])], line=r.randint(1, 9),
                                 column=r.randint(1, 9)))
        elif kind == "frame" and self.made["function"]:
            record = {"function": r.randrange(self.made["function"])}
            self.add(kind, maybe(r, record, call_site=self.span(), line=r.randint(1, 5), column=r.randint(1, 3)))
        elif kind == "stack" and self.made["frame"]:
            depth = r.choice([0, 1, 1, 2, 3, 4, 8]) if r.random() < 0.95 else r.choice([127, 128, 129, 5000])
            self.add(kind, [r.randrange(self.made["frame"]) for _ in range(depth)])

    def stack(self):
        if not self.made["stack"] or self.r.random() < 0.1:
            return None
        return self.r.randrange(self.made["stack"])

    def cpu_event(self):
        r = self.r
        kind = r.random()
        if kind < 0.1:
            self.records.append({"op": r.choice(["coalesced", "dropped"]), "count": r.randint(0, 4)})
            return
        self.tick += r.randint(0, 2)
        state = r.choices(["jett", "runtime", "waiting", "unavailable"], [8, 1, 1, 1])[0]
        record = {"op": "sample", "tick": self.tick, "state": state}
        self.records.append(maybe(r, record, stack=self.stack(), count=r.randint(1, 3), thread=r.randint(1, 4),
                                  task=r.randint(1, 9), actor=r.randint(1, 9)))
        if record.get("count", 1) is None:
            del record["count"]

    def memory_event(self):
        r = self.r
        kind = r.random()
        if kind < 0.5 or not self.live:
            self.next_id += r.randint(1, 3)
            size = r.choice([0, 1, 8, 8, 64, r.randint(0, 1000)])
            self.records.append(maybe(r, {"op": "allocate", "id": self.next_id, "size": size}, stack=self.stack()))
            self.live[self.next_id] = size
            return
        number = r.choice(list(self.live))
        old = self.live.pop(number)
        if kind < 0.75:
            size = r.choice([0, old, old + 8, old // 2, r.randint(0, 500)])
            self.live[number] = size
            self.records.append(maybe(r, {"op": "resize", "id": number, "old_size": old, "size": size},
                                      stack=self.stack()))
        else:
            self.records.append({"op": "free", "id": number, "old_size": old})

    def file(self):
        r = self.r
        mode = r.choice(["cpu", "memory"])
        config = maybe(r, {}, threshold_basis_points=r.choice([0, 1, 500, 3333, 10000]), limit=r.choice([1, 2, 10, 100]))
        if mode == "cpu":
            config["requested_rate_hz"] = r.randint(1, 1000)
        defining = 0.2
        if r.random() < 0.15:
            defining = 0.6  # much that is new once nothing fits
            name = "cpu_metadata_budget_bytes" if mode == "cpu" else "retention_metadata_budget_bytes"
            config[name] = r.choice([0, 47, 48, 96, 200, 1000, 5000])
        config = {name: value for name, value in config.items() if value is not None}
        capabilities = ALL if r.random() < 0.95 else r.sample(ALL, r.randrange(len(ALL)))
        self.records = [{**header(mode, capabilities), "config": config}]
        for _ in range(r.randint(4, 30)):
            self.definition()
        for _ in range(r.choice([0, 3, 40, 120])):
            if r.random() < defining:
                self.definition()
            elif mode == "cpu":
                self.cpu_event()
            else:
                self.memory_event()
        if r.random() < 0.08:
            self.records.append(failure(r.choice(["collector_failure", "stack_capture_limit"])))
        self.records.append({"end": maybe(r, {
            "termination": r.choice(["returned", "runtime_error", "interrupted", "unavailable"]),
            "wall_duration_ns": r.choice([0, 1, 10**9, 123456789])}, process_cpu_ns=r.randint(0, 10**10))})
        return self.records


def at_random(seed):
    return Maker(seed).file()


def code_at_random(seed):
    """A file whose hot lines show pieces of random code, three of each function."""
    r = random.Random(seed)
    records = [header(threshold_basis_points=0, limit=100)]
    for number in range(20):
        code, secrets = random_text(r)
        records += [source(f"src/{number}.jett", text=code, secret_spans=secrets),
                    function(f"f{number}", source=number, line=1)]
        for line in range(3):
            ends = [len(code[:r.randint(0, len(code))].encode()) for _ in range(2)]
            site = [0, len(code.encode())] if r.random() < 0.4 else sorted(ends)
            records += [frame(number, line=line, call_site=site), stack(3 * number + line), sample(3 * number + line)]
    return [*records, end()]
