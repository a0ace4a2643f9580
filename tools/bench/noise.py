# SPDX-License-Identifier: BSD-2-Clause
"""How busy the machine was with anything else."""

import time

import machine


class Noise:
    """Between start and stop, the CPUs busy with neither the given children nor ourselves. One that
    is started meanwhile may be appended to children."""

    def __init__(self, *children):
        self.children = [child for child in children if child]
        self.start = time.monotonic()
        self.busy = machine.busy_seconds() - self._ours()

    def _ours(self):
        return time.process_time() + sum(child.cpu_seconds() for child in self.children)

    def stop(self):
        seconds = time.monotonic() - self.start
        return max(0.0, (machine.busy_seconds() - self._ours() - self.busy) / seconds)
