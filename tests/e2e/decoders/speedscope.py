# SPDX-License-Identifier: BSD-2-Clause
"""What the real speedscope shows of a file."""

import json
import os
import subprocess


def show(tools, *paths):
    """Opens files in speedscope in headless Chromium; returns the objects that speedscope.mjs
    documents, one a file. A complaint by speedscope fails."""
    script = os.path.join(os.path.dirname(__file__), "speedscope.mjs")
    done = subprocess.run(["node", script, str(tools), *map(str, paths)], capture_output=True,
                          text=True, timeout=60 + 60 * len(paths))
    assert done.returncode == 0, done.stderr
    shown = [json.loads(line) for line in done.stdout.splitlines()]
    for one in shown:
        assert not one["complaints"], one["complaints"]
    return shown


def total(shown):
    return sum(profile["total"] for profile in shown["profiles"])
