# SPDX-License-Identifier: BSD-2-Clause
"""Run by gdb on a core file: prints its frames as addresses to be looked up, one a line, the innermost
first: that of an interrupted instruction as it is, that of a call moved back into it."""

import gdb

gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
gdb.execute("set backtrace limit 400")


def frames():
    frame, exact = gdb.newest_frame(), True
    while frame is not None:
        kind = frame.type()
        if not frame.pc():
            return
        if kind != gdb.INLINE_FRAME:
            signal = kind == gdb.SIGTRAMP_FRAME
            yield frame.pc() - (0 if exact or signal else 1)
            exact = signal
        try:
            frame = frame.older()
        except gdb.error:
            return


for address in frames():
    print("frame", hex(address))
