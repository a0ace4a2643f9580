# SPDX-License-Identifier: BSD-2-Clause
"""TOON documents as the npm package reads them, strictly."""

import json
import os
import subprocess


def decode(tools, *documents):
    """What each document says; one that is not TOON fails."""
    script = os.path.join(os.path.dirname(__file__), "toon.mjs")
    done = subprocess.run(["node", script, str(tools)], input=json.dumps(documents), text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    decoded = json.loads(done.stdout)
    for document, one in zip(documents, decoded):
        assert "error" not in one, f"{one['error']}\n{document}"
    return [one["value"] for one in decoded]
