# SPDX-License-Identifier: BSD-2-Clause
"""The results: rows with minimum, median and maximum, as Markdown and as JSON."""

import dataclasses
import json
import os
import statistics

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


@dataclasses.dataclass
class Row:
    section: str
    what: str
    who: str
    unit: str
    values: list    # one a round
    noise: list     # CPUs busy with anything else, one a round
    budget: float | None = None  # at most; the median is compared

    def figures(self):
        return min(self.values), statistics.median(self.values), max(self.values)

    def met(self):
        return None if self.budget is None else self.figures()[1] <= self.budget


def _number(value):
    """Three digits that count, or four; thousands whole."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


class Report:
    def __init__(self, facts, settings):
        self.facts, self.settings = facts, settings
        self.rows, self.left_out = [], {}

    def add(self, section, what, who, unit, values, noise, budget=None):
        if values:
            self.rows.append(Row(section, what, who, unit, list(values), list(noise), budget))

    def skip(self, who, reason):
        self.left_out[who] = reason

    def markdown(self):
        facts = self.facts
        machine = (f"Linux {facts['kernel']}, {facts['cpus']} × {facts['cpu']}"
                   f"{' (virtual machine)' if facts['virtual'] else ''}, "
                   f"{facts['memory_mib']} MiB; {facts['perf'] or 'no perf'}, "
                   f"{facts['bpftrace'] or 'no bpftrace'}. {self.settings['command']}")
        lines = [machine, "",
                 "| measured | profiler | min | median | max | unit | budget | met | rounds "
                 "| noise |",
                 "|---|---|--:|--:|--:|---|--:|---|--:|--:|"]
        section = None
        for row in self.rows:
            if row.section != section:
                section = row.section
                lines.append(f"| **{section}** | | | | | | | | | |")
            low, middle, high = map(_number, row.figures())
            budget = "" if row.budget is None else _number(row.budget)
            met = {None: "", True: "yes", False: "**no**"}[row.met()]
            noise = f"{statistics.median(row.noise):.2f}" if row.noise else ""
            lines.append(f"| {row.what} | {row.who} | {low} | **{middle}** | {high} | {row.unit} "
                         f"| {budget} | {met} | {len(row.values)} | {noise} |")
        if self.left_out:
            lines.append("")
            lines += [f"Left out: {who}: {reason}." for who, reason in self.left_out.items()]
        return "\n".join(lines) + "\n"

    def write_json(self, path):
        rows = []
        for row in self.rows:
            low, middle, high = row.figures()
            rows.append({**dataclasses.asdict(row), "min": low, "median": middle, "max": high,
                         "rounds": len(row.values), "met": row.met()})
        write_whole(path, json.dumps({
            "schema": "profbpf.bench.v1", "machine": self.facts, "settings": self.settings,
            "rows": rows, "left_out": self.left_out}, indent=1) + "\n")

    def write_doc(self, path):
        """Replaces what is between the marks of a document."""
        with open(path) as file:
            text = file.read()
        if BEGIN not in text or END not in text:
            raise ValueError(f"{path} has no lines {BEGIN} and {END}")
        head, rest = text.split(BEGIN, 1)
        write_whole(path, f"{head}{BEGIN}\n{self.markdown()}{END}{rest.split(END, 1)[1]}")


def write_whole(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
