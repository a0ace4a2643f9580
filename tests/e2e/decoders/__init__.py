# SPDX-License-Identifier: BSD-2-Clause
"""Readers of what profbpf writes, independent of it: Google's pprof, inferno, speedscope, the npm package
for TOON, and a small decoder of protobuf's wire format for what pprof's command line does not show."""
