# SPDX-License-Identifier: BSD-2-Clause
"""Runs tests/oracle on a program, and lets gdb decide where the walker and elfutils differ."""

import collections
import fnmatch
import json
import pathlib
import shutil
import subprocess

GDB_FRAMES = pathlib.Path(__file__).resolve().parents[1] / "oracle/gdb_frames.py"

# Whose caller gdb finds too.
OURS, ELFUTILS, NEITHER = "gdb: ours", "gdb: elfutils", "gdb: neither"
# Ours and elfutils' end before the root, and gdb's too, or not.
ALIKE, LONGER = "gdb: too", "gdb: goes on"

# A reason for differences: what gdb may say, which difference, in which object, about the callers of
# which functions, how ours ends (patterns), and whether ours is right all the same.
Known = collections.namedtuple("Known", "reason verdicts difference object functions end right",
                               defaults=("*", True))


class Cause:
    """Stops that differ in the caller of one function. Its verdict is gdb's about the first of them."""

    def __init__(self, entry):
        self.stops, self.difference = entry["stops"], entry["difference"]
        self.object, self.function, self.end = entry["object"], entry["function"], entry["end"]
        self.same, self.core = entry["same"], entry["core"]
        self.ours, self.theirs = entry["ours"], entry["theirs"]
        self.verdict, self.reason, self.right = None, None, False

    def judge(self, executable):
        frames = gdb_frames(executable, self.core)[:self.same + 1]
        if self.difference == "both end early":
            self.verdict = ALIKE if frames == self.ours else LONGER
            return
        if frames == self.ours[:self.same + 1]:
            self.verdict = OURS
        elif frames == self.theirs[:self.same + 1]:
            self.verdict = ELFUTILS
        else:
            self.verdict = NEITHER

    def explain(self, known):
        def fits(text, patterns):
            return any(fnmatch.fnmatchcase(text, p) for p in patterns.split())

        for k in known:
            if (self.verdict in k.verdicts and fnmatch.fnmatchcase(self.difference, k.difference)
                    and fits(self.object, k.object) and fits(self.function, k.functions)
                    and fnmatch.fnmatchcase(self.end, k.end)):
                self.reason, self.right = k.reason, k.right
                return


class Comparison:
    """What came of one program."""

    def __init__(self, result):
        self.stops, self.agreed = result["stops"], result["agreed"]
        self.rooted, self.guessed = result["rooted"], result["guessed"]
        self.frames = result["frames"]
        self.causes = sorted(map(Cause, result["causes"]), key=lambda c: -c.stops)

    def right(self):
        """Stops about which elfutils says the same, or else gdb, or whose reason is known to be
        theirs."""
        return self.agreed + sum(c.stops for c in self.causes
                                 if c.difference != "both end early" and c.right)

    def table(self, name):
        lines = [f"{name}: {self.stops} stops of {self.frames / max(self.stops, 1):.1f} frames,"
                 f" {self.agreed} as elfutils, {self.right()} right, {self.rooted} to the"
                 f" root, {self.guessed} with a guess"]
        for c in self.causes:
            lines.append(f"  {c.stops:5}  {c.difference:17}  {c.verdict:13}  "
                         f"{c.object}:{c.function} (ends: {c.end})  {c.reason or 'UNEXPLAINED'}")
        return "\n".join(lines)


def gdb_frames(executable, core):
    done = subprocess.run(
        ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-iex", "set auto-load off",
         executable, core, "-x", GDB_FRAMES],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return [int(line.split()[1], 16) for line in done.stdout.splitlines()
            if line.startswith("frame ")]


def compare(oracle, command, stops, folder, known, seed=1):
    """Halts a command so many times and returns the comparison, its causes judged and explained."""
    command = [shutil.which(str(command[0])), *map(str, command[1:])]
    done = subprocess.run([oracle, "-n", str(stops), "-s", str(seed), "-d", folder, *command],
                          capture_output=True, text=True, errors="replace", timeout=240,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    result = Comparison(json.loads(done.stdout))
    for cause in result.causes:
        cause.judge(command[0])
        cause.explain(known)
    return result
