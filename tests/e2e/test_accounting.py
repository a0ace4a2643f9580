# SPDX-License-Identifier: BSD-2-Clause
"""Every requested tick is recorded, coalesced or dropped for a stated reason: in all that a recording
says of itself, whatever is made to go wrong."""

import os
import pathlib
import signal
import time

import pytest

import recording
from decoders import pprof
RATE_LIMIT = pathlib.Path("/proc/sys/kernel/perf_event_max_sample_rate")


@pytest.fixture
def online_cpus():
    return os.sysconf("SC_NPROCESSORS_ONLN")


@pytest.fixture
def account(profbpf, tmp_path):
    """account(STDERR): what the recording that said STDERR and wrote a.pb.gz and a.profbpf accounts
    for, once all of them are seen to agree: (account, pprof, JSON report)."""

    def check(stderr):
        said = recording.said(stderr)
        profile = pprof.read(tmp_path / "a.pb.gz")
        commented, drops = recording.commented(profile)
        reported, report = recording.reported(profbpf, tmp_path / "a.profbpf")
        profbpf("convert", tmp_path / "a.profbpf", tmp_path / "b.pb.gz")
        assert commented == said and reported == said
        assert pprof.read(tmp_path / "b.pb.gz").comments == profile.comments
        assert said.holds(), stderr
        by_reason = report["accounting"]["dropped_by_reason"]
        assert drops == {name: n for name, n in by_reason.items() if n}
        assert sum(by_reason.values()) == said.dropped
        assert sum(report["accounting"]["ends"].values()) == said.recorded
        assert profile.total(0) == said.recorded
        # A sample weighs its own tick and those coalesced with it. Ticks coalesced with a sample
        # that was dropped have no sample to weigh on.
        ticks, rest = divmod(profile.total(1), report["period_ns"])
        assert rest == 0
        assert said.recorded <= ticks <= said.recorded + said.coalesced
        if not said.dropped:
            assert ticks == said.requested
        return said, profile, report

    return check


@pytest.fixture
def outputs(tmp_path):
    return ["-o", tmp_path / "a.pb.gz", "-o", tmp_path / "a.profbpf"]


def run_first_on(cpu):
    """For a target: alone on one CPU as far as the kernel allows, whatever else the machine does."""

    def prepare():
        os.sched_setaffinity(0, {cpu})
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))

    return prepare


def test_a_cpu_bound_target(start, spawn, account, outputs, tmp_path):
    cpu = max(os.sched_getaffinity(0))
    target = start("spin", "-s", 3, preexec_fn=run_first_on(cpu))
    profiler = spawn("--pid", target.pid, *outputs)
    recording.wait_for_sampling(profiler, tmp_path / "a.pb.gz")
    before = target.cpu_seconds()
    target.open_gate()
    # Its last line, which it prints before it waits for its end.
    truth = target.process.stdout.readline()
    cpu_ns = (target.cpu_seconds() - before) * 1e9
    said, _, report = account(recording.stop(profiler))
    assert b"spin" in truth and cpu_ns > 1e9
    ticks = cpu_ns / report["period_ns"]
    # What is not recorded is coalesced to the last tick: account() has seen the equation. Time in
    # which another machine had the CPU is in neither.
    assert said.dropped == 0
    assert said.requested == pytest.approx(ticks, rel=0.01), said


@pytest.mark.parametrize("rate", [99, 999])
def test_ticks_of_the_whole_machine(profbpf, account, outputs, online_cpus, rate):
    done = profbpf("-a", "-F", rate, "-d", 2, *outputs)
    said, _, report = account(done.stderr)
    seconds = report["duration_ns"] / 1e9
    assert said.other == 0
    assert said.all_ticks() == pytest.approx(online_cpus * rate * seconds, rel=0.005,
                                             abs=2 * online_cpus)


def test_ticks_of_others_and_idle_ones(profbpf, start, account, outputs, online_cpus):
    target = start("spin", "-s", 10)
    target.open_gate()
    other = start("spin", "-s", 10)
    other.open_gate()
    said, _, report = account(profbpf("--pid", target.pid, "-d", 2, *outputs).stderr)
    assert said.recorded and said.other
    assert said.all_ticks() == pytest.approx(online_cpus * 999 * report["duration_ns"] / 1e9,
                                             rel=0.005, abs=2 * online_cpus)


def test_stacks_that_do_not_fit_the_ring(profbpf, program, account, outputs):
    done = profbpf("-F", 5000, "--test-ring-bytes", 4096, *outputs, "--", program("deep"), "-s", 2)
    said, _, report = account(done.stderr)
    assert report["accounting"]["dropped_by_reason"]["stack_ring_full"] > 0
    assert said.recorded > 0
    assert "the ring buffer for new stacks was full" in done.stderr


@pytest.mark.parametrize("counters", [1, 7])
def test_counters_that_do_not_fit_the_table(profbpf, program, account, outputs, counters):
    done = profbpf("--test-counters", counters, *outputs, "--", program("deep"), "-s", 2)
    said, _, report = account(done.stderr)
    assert report["accounting"]["dropped_by_reason"]["counter_table_full"] > 0
    assert said.recorded > 0
    assert "the table of sample counters was full" in done.stderr


def test_a_rate_that_the_machine_cannot_keep(profbpf, program, account, outputs, online_cpus):
    limit = RATE_LIMIT.read_text()
    rate = min(50000, int(limit))
    done = profbpf("-F", rate, *outputs, "--", program("threads"), "-s", 1.5)
    RATE_LIMIT.write_text(limit)  # the kernel lowers it when its own interrupts take too long
    said, _, report = account(done.stderr)
    assert said.coalesced > 0
    # So busy with its ticks, a machine takes some milliseconds to start and stop the clocks of all CPUs.
    assert said.all_ticks() == pytest.approx(online_cpus * rate * report["duration_ns"] / 1e9,
                                             rel=0.005, abs=0.02 * rate * online_cpus)


def test_the_target_of_comm_alone_is_requested(profbpf, start, account, outputs, online_cpus):
    target = start("threads", "-s", 20)
    target.open_gate()
    done = profbpf("--pid", target.pid, "--comm", "^(alpha|delta)-", "-d", 2, *outputs)
    said, profile, report = account(done.stderr)
    assert set(profile.label_shares("thread")) == {"alpha-0", "alpha-1", "delta-0", "delta-1"}
    # The target's other threads count as other processes do.
    assert said.other > 0
    assert said.all_ticks() == pytest.approx(online_cpus * 999 * report["duration_ns"] / 1e9,
                                             rel=0.005, abs=2 * online_cpus)


def test_what_a_target_does_while_it_exits(profbpf, account, outputs):
    """Freeing its memory is its own work, though it has no memory of its own any more."""
    script = ("import mmap, os; m = mmap.mmap(-1, 800 << 20)\n"
              "m.madvise(mmap.MADV_NOHUGEPAGE)\n"
              "for i in range(0, len(m), 4096): m[i] = 1\n"
              "os._exit(0)")
    done = profbpf(*outputs, "--", "/usr/bin/python3", "-c", script)
    _, profile, _ = account(done.stderr)
    assert profile.shares().get("do_exit", 0) > 0.02


# Maps code and forks, thousands of times each, then computes.
RESTLESS = """
import mmap, os, subprocess, sys
sys.stdin.read(1)
file = os.open(sys.executable, os.O_RDONLY)
for i in range(6000):
    mmap.mmap(file, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
subprocess.run(["sh", "-c", "i=0; while [ $i -lt 2500 ]; do (:); i=$((i+1)); done"])
print("done", flush=True)
while True:
    sum(range(100000))
"""


def test_records_and_events_that_are_lost(start, spawn, account, outputs, tmp_path):
    target = start("/usr/bin/python3", "-c", RESTLESS)
    profiler = spawn("--pid", target.pid, *outputs)
    recording.wait_for_sampling(profiler, tmp_path / "a.pb.gz")
    profiler.send_signal(signal.SIGSTOP)
    target.open_gate()
    assert target.process.stdout.readline() == b"done\n"
    profiler.send_signal(signal.SIGCONT)
    time.sleep(1)
    stderr = recording.stop(profiler)
    _, profile, report = account(stderr)
    assert report["accounting"]["lost_records"] > 0
    assert report["accounting"]["lost_events"] > 0
    assert "mapping records were lost" in stderr and "process events were lost" in stderr
    # What was known before is known still.
    # (The interpreter's inner functions have no names, so its object is what counts.)
    leaves = [profile.locations[sample.locations[0]] for sample in profile.samples
              if sample.labels["pid"] == target.pid]
    assert leaves and all(leaf.mapping for leaf in leaves)
