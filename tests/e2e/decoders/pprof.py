# SPDX-License-Identifier: BSD-2-Clause
"""pprof profiles: as Google's tool reads them, and decoded field by field."""

import collections
import gzip
import re
import shutil
import subprocess
from dataclasses import dataclass, field

# --- Google's pprof ---


def go_pprof(*args, timeout=120):
    """Output of `go tool pprof ARGS…`; fails with its message, also on complaints alone."""
    go = shutil.which("go") or "/usr/local/go/bin/go"
    done = subprocess.run([go, "tool", "pprof", *map(str, args)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return done.stdout


def go_totals(path):
    """{"samples/count": N, "cpu/nanoseconds": N} as Google's pprof adds them up."""
    raw = go_pprof("-raw", path)
    section = re.search(r"^Samples:\n(.*?)^Locations", raw, re.M | re.S)[1].splitlines()
    names = [name.removesuffix("[dflt]") for name in section[0].split()]
    totals = dict.fromkeys(names, 0)
    for line in section[1:]:
        if match := re.match(r"\s*([\d ]+): ", line):
            for name, value in zip(names, match[1].split()):
                totals[name] += int(value)
    return totals


def go_top(path, *flags):
    """[(flat share, cumulative share, name)] of `pprof -top`, shares in per cent."""
    text = go_pprof("-top", "-nodecount=1000", "-nodefraction=0", *flags, path)
    row = re.compile(r"^\s*\S+\s+([\d.]+)%\s+[\d.]+%\s+\S+\s+([\d.]+)%\s+(.*?)(?: \(inline\))?$",
                     re.M)
    return [(float(flat), float(cum), name) for flat, cum, name in row.findall(text)]


# --- the fields themselves ---


def fields(data):
    """(number, value) of each field of a message; bytes for length-delimited ones."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == 0:
            yield number, varint()
        elif wire == 2:
            length = varint()
            assert at + length <= len(data), "a field longer than its message"
            yield number, data[at:at + length]
            at += length
        else:
            raise AssertionError(f"wire type {wire} does not occur in profile.proto")


def message(data, repeated=()):
    """A message as {number: value}; fields in repeated are lists, packed numbers unpacked."""
    out = {number: [] for number in repeated}
    for number, value in fields(data):
        if number in repeated:
            out[number].append(value)
        else:
            out[number] = value
    return out


def numbers(values):
    """A repeated integer field, packed or not."""
    out = []
    for value in values:
        if isinstance(value, int):
            out.append(value)
            continue
        # Packed: a row of varints.
        number = shift = 0
        for byte in value:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                out.append(number)
                number = shift = 0
    return out


Line = collections.namedtuple("Line", "function line")
Function = collections.namedtuple("Function", "id name system_name file start_line")
Mapping = collections.namedtuple(
    "Mapping", "id start limit offset file build_id functions filenames lines inlines")
Location = collections.namedtuple("Location", "id mapping address lines folded")
Sample = collections.namedtuple("Sample", "locations values labels")


@dataclass
class Pprof:
    types: list = field(default_factory=list)  # (type, unit)
    samples: list = field(default_factory=list)
    mappings: dict = field(default_factory=dict)
    locations: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    strings: list = field(default_factory=list)
    period: int = 0
    period_type: tuple = ()
    default_type: str = ""
    time_ns: int = 0
    duration_ns: int = 0
    comments: list = field(default_factory=list)

    def total(self, value=-1):
        return sum(sample.values[value] for sample in self.samples)

    def frames(self, sample):
        """[(function name, file, line, inlined)] of a sample, root first, inlined calls expanded."""
        out = []
        for identifier in reversed(sample.locations):
            lines = self.locations[identifier].lines
            if not lines:
                out.append((f"0x{self.locations[identifier].address:x}", "", 0, False))
            for depth, line in enumerate(reversed(lines)):
                function = self.functions[line.function]
                out.append((function.name, function.file, line.line, depth > 0))
        return out

    def shares(self, key=lambda frames: {frame[0] for frame in frames}, value=-1):
        """Inclusive share of each thing that key finds in a sample's frames, from 0 to 1."""
        weight = collections.Counter()
        for sample in self.samples:
            for thing in key(self.frames(sample)):
                weight[thing] += sample.values[value]
        return {thing: n / self.total(value) for thing, n in weight.items()}

    def label_shares(self, label, value=-1):
        weight = collections.Counter()
        for sample in self.samples:
            weight[sample.labels.get(label)] += sample.values[value]
        return {name: n / self.total(value) for name, n in weight.items()}

    def canonical(self):
        """What two profiles that say the same have in common, whatever their numbering."""
        weight = collections.defaultdict(lambda: [0] * len(self.types))
        for sample in self.samples:
            stack = tuple((location.address, self.mappings[location.mapping].file
                           if location.mapping else "",
                           tuple((*self.functions[line.function][1:], line.line)
                                 for line in location.lines))
                          for location in map(self.locations.get, sample.locations))
            key = (stack, tuple(sorted(sample.labels.items())))
            for i, value in enumerate(sample.values):
                weight[key][i] += value
        return dict(weight)


def read(path):
    """Decodes a .pb.gz file and checks what every profile must keep to."""
    with open(path, "rb") as file:
        data = gzip.decompress(file.read())
    root = message(data, repeated=(1, 2, 3, 4, 5, 6, 13))
    profile = Pprof(strings=[raw.decode() for raw in root[6]])  # strict: strings are UTF-8
    text = profile.strings
    assert text[0] == ""

    def value_type(raw):
        pair = message(raw)
        return text[pair.get(1, 0)], text[pair.get(2, 0)]

    profile.types = [value_type(raw) for raw in root[1]]
    for raw in root[3]:
        m = message(raw)
        profile.mappings[m[1]] = Mapping(
            m[1], m.get(2, 0), m.get(3, 0), m.get(4, 0), text[m.get(5, 0)], text[m.get(6, 0)],
            *(bool(m.get(number)) for number in (7, 8, 9, 10)))
    for raw in root[5]:
        m = message(raw)
        profile.functions[m[1]] = Function(m[1], text[m.get(2, 0)], text[m.get(3, 0)],
                                           text[m.get(4, 0)], m.get(5, 0))
    for raw in root[4]:
        m = message(raw, repeated=(4,))
        lines = [Line(line.get(1, 0), line.get(2, 0)) for line in map(message, m[4])]
        profile.locations[m[1]] = Location(m[1], m.get(2, 0), m.get(3, 0), lines, bool(m.get(5)))
    for raw in root[2]:
        m = message(raw, repeated=(1, 2, 3))
        labels = {}
        for label in map(message, m[3]):
            assert not (label.get(2) and label.get(3)), "a label with a string and a number"
            labels[text[label[1]]] = text[label[2]] if label.get(2) else label.get(3, 0)
        profile.samples.append(Sample(numbers(m[1]), numbers(m[2]), labels))
    profile.time_ns, profile.duration_ns = root.get(9, 0), root.get(10, 0)
    profile.period_type = value_type(root[11]) if 11 in root else ()
    profile.period, profile.default_type = root.get(12, 0), text[root.get(14, 0)]
    profile.comments = [text[index] for index in numbers(root[13])]
    check_references(profile)
    return profile


def check_references(profile):
    for table in (profile.mappings, profile.locations, profile.functions):
        assert list(table) == list(range(1, len(table) + 1)), "not numbered from 1 in order"
    for location in profile.locations.values():
        assert location.mapping == 0 or location.mapping in profile.mappings
        assert all(line.function in profile.functions for line in location.lines)
    for sample in profile.samples:
        assert len(sample.values) == len(profile.types)
        assert all(location in profile.locations for location in sample.locations)
