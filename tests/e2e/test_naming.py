# SPDX-License-Identifier: BSD-2-Clause
"""Finding code and naming it. What a name must be is taken from LLVM's and binutils' view of the same file,
from /proc/kallsyms, or from what the target was built as."""

import bisect
import collections
import os
import re
import select
import shutil
import signal
import subprocess
import time

import pytest

from decoders import folded, pprof
from targets import wait_sampling, wait_until


@pytest.fixture
def record(profbpf, tmp_path):
    """record(TARGET, ARG…): profiles a running target, for a moment if not told otherwise, and
    returns the pprof profile; the folded stacks lie beside it in a.folded."""

    def run(target, *args, seconds=0.6, gated=True):
        if gated:
            target.open_gate()
        for longer in 1, 2, 4, 8:  # on a busy machine the target may wait for its turn
            done = profbpf("--pid", target.pid, "-d", seconds * longer, "-o", tmp_path / "a.pb.gz",
                           "-o", tmp_path / "a.folded", *args)
            profile = pprof.read(tmp_path / "a.pb.gz")
            if profile.total(0) > 50 * seconds:
                profile.stderr = done.stderr
                return profile
        pytest.fail(f"{profile.total(0)} samples in {seconds * longer} s")

    return run


def mapping_of(profile, path):
    """The only mapping of a file."""
    found = [m for m in profile.mappings.values() if m.file == str(path)]
    assert len(found) == 1, [m.file for m in profile.mappings.values()]
    return found[0]


def locations_in(profile, mapping):
    found = [l for l in profile.locations.values() if l.mapping == mapping.id]
    assert found
    return found


def build_id(path):
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True)
    found = re.search(r"Build ID: ([0-9a-f]+)", notes.stdout)
    return found[1] if found else ""


def llvm_symbolizer(path, addresses):
    """[[(linkage name, file's name, line)…] innermost first] of addresses."""
    program = shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-14")
    if not program:
        pytest.skip("llvm-symbolizer is not installed")
    done = subprocess.run([program, "--no-demangle", "--output-style=GNU", "--inlines", "--addresses",
                           "--obj", path, *map(hex, addresses)], capture_output=True, text=True, check=True)
    chains = []
    lines = iter(done.stdout.splitlines())
    for line in lines:
        if re.fullmatch("0x[0-9a-f]+", line):
            chains.append([])
            continue
        place = re.match(r"(.*):(\d+)", next(lines))
        chains[-1].append((line, os.path.basename(place[1]), int(place[2])))
    assert len(chains) == len(addresses)
    return chains


def without_clone(name):
    """A function's name without what the compiler adds to the symbol of a copy."""
    return re.sub(r"\.(constprop|isra|part|cold)\b.*|\.llvm\.\d+$", "", name)


def frames_of(profile, location):
    """[(linkage name, file's name, line)] of a location, innermost first."""
    out = []
    for line in location.lines:
        function = profile.functions[line.function]
        out.append((function.system_name or function.name, os.path.basename(function.file), line.line))
    return out


def same_function(frame, chained, symbol):
    """Whether a frame has the name that LLVM gives. Where DWARF has no linkage name, that is the
    bare one; the symbol or the qualified name say more."""
    return (without_clone(frame) == without_clone(chained) or frame == symbol
            or frame.endswith("::" + chained))


def check_against_llvm(profile, mapping, path):
    """Each name of the mapping's locations, and nearly each line, as LLVM has it."""
    locations = locations_in(profile, mapping)
    truth = llvm_symbolizer(path, [l.address for l in locations])
    table = symbols(path)
    checked = right_lines = 0
    for location, chain in zip(locations, truth):
        frames = frames_of(profile, location)
        covering = {name for begin, size, name in table if begin <= location.address < begin + size}
        if len(chain) == 1 and chain[0][1] == "??":
            # Without a line LLVM gives the last symbol before, as it does in the PLT.
            assert {frame[0] for frame in frames} <= covering or not covering, hex(location.address)
            continue
        checked += 1
        symbol = min(covering, default=None)
        assert len(frames) == len(chain), hex(location.address)
        for i, (frame, chained) in enumerate(zip(frames, chain)):
            assert same_function(frame[0], chained[0], symbol if i + 1 == len(chain) else None), (
                hex(location.address))
        right_lines += [f[1:] for f in frames] == [c[1:] for c in chain] or not chain[0][2]
    assert checked
    # LLVM and elfutils do not agree on a few instructions between two lines.
    assert right_lines > 0.8 * checked


def check_spin(profile):
    """The leaves of spin's work. A leaf function without a frame hides its caller from a walk by frame
    pointers, so either will do."""
    shares = profile.shares(lambda frames: {f[0] in ("spin_round", "spin_plain") for f in frames})
    assert shares[True] > 0.9, profile.shares()


@pytest.mark.parametrize("name", [
    "spin", "spin-nopie", "spin-lld", "spin-script", "spin-static-pie", "spin-musl", "spin-dwarf4",
    "cxx", "cxx-split", "cxx-package", "rust-v0", "rust-legacy",
])
def test_names_are_exact(start, program, record, name):
    profile = record(start(name, "-s", 30))
    mapping = mapping_of(profile, program(name))
    check_against_llvm(profile, mapping, program(name))
    assert mapping.build_id == build_id(program(name))
    if name.startswith("spin"):
        check_spin(profile)


def segments(path):
    """[(offset, address)] of the loaded segments."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True).stdout
    return [(int(o, 16), int(a, 16)) for o, a in
            re.findall(r"^  LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+)", text, re.M)]


@pytest.mark.parametrize("name", ["spin-lld", "spin-script"])
def test_these_have_offsets_that_differ_from_addresses(program, name):
    offsets = {address - offset for offset, address in segments(program(name))}
    assert len(offsets) > 1


def test_a_second_run_has_the_same_names_at_the_same_addresses(start, program, record):
    runs, bases = [], []
    for _ in range(2):
        target = start("spin", "-s", 30)
        profile = record(target)
        with open(f"/proc/{target.pid}/maps") as file:
            bases.append(next(line.split("-")[0] for line in file if line.endswith("/spin\n")))
        target.end()
        mapping = mapping_of(profile, program("spin"))
        runs.append({l.address: frames_of(profile, l) for l in locations_in(profile, mapping)})
        assert mapping.build_id == build_id(program("spin"))
    assert bases[0] != bases[1], "address-space randomisation is off: the test proves nothing"
    common = runs[0].keys() & runs[1].keys()
    assert len(common) > 0.5 * min(map(len, runs))
    assert all(runs[0][address] == runs[1][address] for address in common)


def test_libraries_that_take_turns_at_one_address(start, program, spawn, tmp_path):
    """A library is worked in for 100 ms before the other takes its place. Samples of the few
    milliseconds until a new mapping is noticed may count for the one before: at most 3 % here, next
    to 1.5 % for the chance of sampling."""
    path = tmp_path / "a.pb.gz"
    target = start("dlopener", "-s", 5)
    process = spawn("--pid", target.pid, "-o", path)
    wait_sampling(process)
    target.open_gate()
    select.select([target.process.stdout], [], [])  # its truth: the work is done
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    truth, profile = target.finish(), pprof.read(path)
    assert truth["same_address"] > 0.8 * truth["rounds"], "they do not share an address"
    worked = truth["plugin_a_s"] + truth["plugin_b_s"]
    shares = profile.shares()
    for letter in "ab":
        share = truth[f"plugin_{letter}_s"] / worked
        assert shares[f"plugin_{letter}_work"] == pytest.approx(share, abs=0.045)
        library = program(f"plugin_{letter}.so")
        mapping = mapping_of(profile, library)
        assert mapping.build_id == build_id(library)
        names = {f[0] for l in locations_in(profile, mapping) for f in frames_of(profile, l)}
        assert f"plugin_{letter}_work" in names
        assert f"plugin_{'ba'['ab'.index(letter)]}_work" not in names


@pytest.mark.parametrize("folder", [
    b"with spaces and (parentheses)", b"tab\there", b"caf\xe9 \xff\xfe", b"new\nline",
    b"back\\slash \\101 and \\n", b"escape\x1b[31m", b"semi;colon", b"over (deleted)",
])
def test_odd_paths(start, program, record, tmp_path, folder):
    path = os.path.join(os.fsencode(tmp_path), folder, b"spin")
    os.mkdir(os.path.dirname(path))
    shutil.copy(program("spin"), path)
    profile = record(start(os.fsdecode(path), "-s", 30))
    mapping, = [m for m in profile.mappings.values() if m.build_id == build_id(program("spin"))]
    assert mapping.file.startswith(str(tmp_path)) and mapping.file.endswith("/spin")
    readable = re.findall(rb"[A-Za-z]+", folder)
    assert all(word.decode() in mapping.file for word in readable if word not in (b"caf",))
    check_against_llvm(profile, mapping, path)
    check_spin(profile)
    folded.read(tmp_path / "a.folded")


def who(tmp_path, program, letter, name="who"):
    path = tmp_path / name
    shutil.copy(program(f"who-{letter}"), path)
    return path


def check_who(profile, program, path, letter):
    """All of the file's samples belong to that build of it, by name and build id."""
    mapping = mapping_of(profile, path)
    assert mapping.build_id == build_id(program(f"who-{letter}"))
    shares = profile.shares()
    assert shares[f"who_{letter}_work"] > 0.9, shares
    assert not any(name.startswith("who_") and name != f"who_{letter}_work" for name in shares)


def test_deleted_before_the_attach(start, program, record, tmp_path):
    path = who(tmp_path, program, "a")
    target = start(path, "-s", 30)
    path.unlink()
    check_who(record(target), program, path, "a")


def test_replaced_before_the_attach(start, program, record, tmp_path):
    path = who(tmp_path, program, "a")
    target = start(path, "-s", 30)
    os.replace(who(tmp_path, program, "b", "new"), path)
    check_who(record(target), program, path, "a")


def test_replaced_while_recording(start, spawn, program, tmp_path):
    path = who(tmp_path, program, "a")
    target = start(path, "-s", 30)
    target.open_gate()
    process = spawn("--pid", target.pid, "-o", tmp_path / "a.pb.gz")
    wait_sampling(process)
    time.sleep(0.5)
    os.replace(who(tmp_path, program, "b", "new"), path)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    check_who(pprof.read(tmp_path / "a.pb.gz"), program, path, "a")


def test_replaced_between_two_runs_in_one_recording(profbpf, program, tmp_path):
    """Two programs by one path, each by its own name."""
    path = who(tmp_path, program, "a")
    new = who(tmp_path, program, "b", "new")
    profbpf("-o", tmp_path / "a.pb.gz", "--", "sh", "-c",
            f"{path} -n 15000; mv {new} {path}; {path} -n 15000")
    profile = pprof.read(tmp_path / "a.pb.gz")
    ids = {m.build_id for m in profile.mappings.values() if m.file == str(path)}
    assert ids == {build_id(program("who-a")), build_id(program("who-b"))}
    shares = profile.shares()
    assert shares["who_a_work"] == pytest.approx(0.5, abs=0.12)
    assert shares["who_b_work"] == pytest.approx(0.5, abs=0.12)


IN_NAMESPACE = 'mount -t tmpfs none "$1" && cp "$2" "$1/who" && '


def start_in_namespace(start, script, *args):
    """A target in a mount namespace of its own."""
    return start("/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c",
                 IN_NAMESPACE + script, "sh", *args)


def test_one_path_in_two_namespaces(start, program, profbpf, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    outside = start(who(folder, program, "a"), "-s", 30)
    inside = start_in_namespace(start, 'exec "$1/who" -s 30', folder, program("who-b"))
    wait_until(lambda: os.path.basename(os.readlink(f"/proc/{inside.pid}/exe")) == "who")
    outside.open_gate()
    inside.open_gate()
    profbpf("--pid", f"{outside.pid},{inside.pid}", "-d", 1, "-o", tmp_path / "a.pb.gz")
    profile = pprof.read(tmp_path / "a.pb.gz")
    names = collections.defaultdict(set)
    for sample in profile.samples:
        label = sample.labels["pid"] if "pid" in sample.labels else sample.labels["process"]
        for location in sample.locations:
            for line in profile.locations[location].lines:
                names[label].add(profile.functions[line.function].name)
    by_name = [{n for n in found if n.startswith("who_")} for found in names.values()]
    assert sorted(map(sorted, by_name)) == [["who_a_work"], ["who_b_work"]], names
    ids = {m.build_id for m in profile.mappings.values() if m.file == str(folder / "who")}
    assert ids == {build_id(program("who-a")), build_id(program("who-b"))}


def test_only_in_another_namespace(start, program, record, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    target = start_in_namespace(start, 'exec "$1/who" -s 30', folder, program("who-b"))
    wait_until(lambda: os.path.basename(os.readlink(f"/proc/{target.pid}/exe")) == "who")
    assert not (folder / "who").exists()
    check_who(record(target), program, folder / "who", "b")


OVERLAY = """
mount -t tmpfs none "$1" && cd "$1" && mkdir lower upper work merged && cp "$2" lower/who && cp "$3" new &&
mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work merged || exit 5
"""


@pytest.mark.parametrize("replaced", [False, True])
def test_in_an_overlay(start, program, record, tmp_path, replaced):
    """Whose files have other numbers in the mapping than at their path; also when the path has another file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = OVERLAY + ("exec 3<&0; (sleep 0.5; mv new merged/who) & " if replaced else "") + 'exec "$1/merged/who" -s 30'
    target = start("/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", folder,
                   program("who-a"), program("who-b"))
    wait_until(lambda: target.process.poll() is not None
               or os.path.basename(os.readlink(f"/proc/{target.pid}/exe")).startswith("who"))
    if target.process.poll() == 5:
        pytest.skip("no overlay can be mounted here")
    root = f"/proc/{target.pid}/root"
    wait_until(lambda: os.path.exists(f"{root}{folder}/new") != replaced, what="the replacement")
    profile = record(target)
    used = {location.mapping for location in profile.locations.values()}
    found, = [m for m in profile.mappings.values() if m.file.startswith(str(folder)) and m.id in used]
    check_who(profile, program, found.file, "a")


def test_nothing_left_but_map_files(start, program, record, tmp_path):
    """Its file system is unmounted and its file deleted while it runs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = '"$1/who" -s 30 <&3 & rm "$1/who"; umount -l "$1"; wait'
    target = start_in_namespace(start, "exec 3<&0; sleep 0.3; " + script, folder, program("who-b"))
    child = wait_until(lambda: running_who(target.pid))
    target.pid, shell = child, target.pid
    wait_until(lambda: f" {folder} " not in open(f"/proc/{shell}/mountinfo").read())
    assert not os.path.exists(f"/proc/{child}/root{folder}/who")
    profile = record(target)
    shares = profile.shares()
    assert shares["who_b_work"] > 0.9, shares
    assert build_id(program("who-b")) in {m.build_id for m in profile.mappings.values()}
    os.kill(child, signal.SIGKILL)


def running_who(shell):
    with open(f"/proc/{shell}/task/{shell}/children") as file:
        for pid in map(int, file.read().split()):
            if open(f"/proc/{pid}/comm").read() == "who\n":
                return pid
    return 0


@pytest.fixture
def separate(program, tmp_path):
    """spin without symbols, and the file with them, which nothing refers to but the build id."""
    stripped, debug = tmp_path / "spin", tmp_path / "separate.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program("spin"), debug], check=True)
    subprocess.run(["objcopy", "--strip-all", program("spin"), stripped], check=True)
    return stripped, debug


def debug_folder(tmp_path, debug, identifier):
    path = tmp_path / f"debug/.build-id/{identifier[:2]}/{identifier[2:]}.debug"
    path.parent.mkdir(parents=True)
    shutil.copy(debug, path)
    return tmp_path / "debug"


def test_debug_file_by_build_id(start, program, record, separate, tmp_path):
    stripped, debug = separate
    folder = debug_folder(tmp_path, debug, build_id(program("spin")))
    profile = record(start(stripped, "-s", 30), "--debug-dir", folder)
    check_against_llvm(profile, mapping_of(profile, stripped), program("spin"))
    assert profile.shares()["inlined_inner"] > 0.5


def test_without_the_debug_file(start, record, separate):
    stripped, _ = separate
    profile = record(start(stripped, "-s", 30))
    mapping = mapping_of(profile, stripped)
    assert not any(l.lines for l in locations_in(profile, mapping))
    assert not mapping.functions and not mapping.lines


def test_symbols_compressed_in_the_object(start, program, record, separate, tmp_path):
    stripped, debug = separate
    keep, mini = tmp_path / "keep", tmp_path / "mini"
    keep.write_text("\n".join(name for _, _, name in symbols(program("spin"))))
    subprocess.run(["objcopy", "-S", f"--keep-symbols={keep}", debug, mini], check=True)
    subprocess.run(["xz", mini], check=True)
    subprocess.run(["objcopy", f"--add-section=.gnu_debugdata={mini}.xz", stripped], check=True)
    profile = record(start(stripped, "-s", 30))
    covering = {name: (start, start + size) for start, size, name in symbols(program("spin"))}
    for location in locations_in(profile, mapping_of(profile, stripped)):
        [(name, _, line)] = frames_of(profile, location)
        assert covering[name][0] <= location.address < covering[name][1] and not line
    check_spin(profile)


def test_debug_file_of_another_build(start, program, record, separate, tmp_path):
    stripped, _ = separate
    folder = debug_folder(tmp_path, program("who-a"), build_id(program("spin")))
    profile = record(start(stripped, "-s", 30), "--debug-dir", folder)
    assert not any(l.lines for l in locations_in(profile, mapping_of(profile, stripped)))


@pytest.mark.parametrize("kind", ["zlib", "zlib-gnu", "zstd"])
def test_compressed_debug_sections(start, program, record, tmp_path, kind):
    path = tmp_path / "spin"
    done = subprocess.run(["objcopy", f"--compress-debug-sections={kind}", program("spin"), path],
                          capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"objcopy cannot compress so: {done.stderr}")
    profile = record(start(path, "-s", 30))
    check_against_llvm(profile, mapping_of(profile, path), program("spin"))
    assert profile.shares()["inlined_inner"] > 0.5


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("place", ["", ".debug", "global"])
def test_debug_file_by_debuglink(start, program, record, tmp_path, place, right):
    path = tmp_path / "spin-debuglink"
    shutil.copy(program("spin-debuglink"), path)
    folder = tmp_path / place
    args = []
    if place == "global":
        folder = tmp_path / f"global{tmp_path}"
        args = ["--debug-dir", tmp_path / "global"]
    folder.mkdir(parents=True, exist_ok=True)
    debug = folder / "spin-debuglink.debug"
    shutil.copy(program("spin-debuglink.debug"), debug)
    if not right:
        with open(debug, "ab") as file:
            file.write(b"x")  # still the same program, with another sum
    profile = record(start(path, "-s", 30), *args)
    mapping = mapping_of(profile, path)
    if right:
        check_against_llvm(profile, mapping, program("spin"))
        assert profile.shares()["inlined_inner"] > 0.5
    else:
        assert not any(l.lines for l in locations_in(profile, mapping))


def symbols(path, *options):
    """[(start, size, name)] of a file's functions."""
    text = subprocess.run(["nm", "-S", *options, path], capture_output=True, text=True,
                          check=True).stdout
    return [(int(start, 16), int(size or "0", 16), name) for start, size, name in
            re.findall(r"^([0-9a-f]+) ([0-9a-f]+ |)[TtWwi] (\S+)$", text, re.M)]


def test_gaps_of_a_stripped_program_are_unnamed(start, program, record, tmp_path):
    path = program("naming-stripped")
    twin = {name: (start, start + size) for start, size, name in symbols(program("naming"))}
    hidden = next(extent for name, extent in twin.items() if name.startswith("hidden_work"))
    profile = record(start(path, "-s", 30))
    unnamed = set()
    for location in locations_in(profile, mapping_of(profile, path)):
        name = frames_of(profile, location)[0][0] if location.lines else None
        if hidden[0] <= location.address < hidden[1]:
            assert name is None, "a gap is named after its neighbour"
            unnamed.add(location.address)
        elif name:
            begin, end = twin[name]
            assert begin <= location.address and (location.address < end or begin == end), name
    assert unnamed
    shares = profile.shares()
    for name in ("main", "exported_work", "asm_unsized", "_ZN9no_mangling"):
        assert shares[name] > 0.1, shares
    shown = {frame for stack in folded.read(tmp_path / "a.folded") for frame in stack}
    assert {f"naming-stripped+0x{address:x}" for address in unnamed} <= shown


@pytest.mark.parametrize("name", ["stubs", "stubs-stripped"])
def test_stubs_of_a_librarys_functions(start, program, record, name):
    text = subprocess.run(["objdump", "-d", "-j", ".plt", "-j", ".plt.sec", program(name)],
                          capture_output=True, text=True).stdout
    begin = int(re.search(r"^([0-9a-f]+) <labs@plt>:", text, re.M)[1], 16)
    profile = record(start(name, "-s", 30), seconds=3)  # few ticks fall into a stub
    stub = [l for l in locations_in(profile, mapping_of(profile, program(name)))
            if begin <= l.address < begin + 16]
    assert stub and all(frames_of(profile, l) == [("labs@plt", "", 0)] for l in stub)
    assert profile.shares()["labs@plt"] > 0


def in_short(name):
    """A function of Go as its own table may have it: without type arguments."""
    return re.sub(r"\[.*\]", "[...]", name).removesuffix(".abi0")


def test_stripped_go(start, program, record, tmp_path):
    path = tmp_path / "alone"  # what was taken from it lies beside the original
    shutil.copy(program("go-stripped"), path)
    profile = record(start(path, "-s", 30))
    locations = locations_in(profile, mapping_of(profile, path))
    chains = llvm_symbolizer(program("go"), [l.address for l in locations])
    for location, chain in zip(locations, chains):
        assert ([(in_short(name), *place) for name, *place in frames_of(profile, location)]
                == [(in_short(name), *place) for name, *place in chain]), hex(location.address)
    assert any(len(chain) > 1 for chain in chains)
    shares = profile.shares(lambda frames: {in_short(frame[0]) for frame in frames})
    assert shares["main.(*mixer[...]).weigh"] > 0.3


def test_program_started_by_the_loader(start, program, record):
    text = subprocess.run(["readelf", "-lW", program("spin")], capture_output=True, text=True).stdout
    loader = re.search(r"interpreter: ([^]]+)", text)[1]
    profile = record(start(loader, program("spin"), "-s", 30))
    check_against_llvm(profile, mapping_of(profile, program("spin")), program("spin"))
    check_spin(profile)


def own_vdso(path):
    """Writes this process' vDSO, the same as everyone's, to a file."""
    with open("/proc/self/maps") as maps:
        start, end = next(line.split()[0].split("-") for line in maps if line.endswith("[vdso]\n"))
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(int(start, 16))
        path.write_bytes(memory.read(int(end, 16) - int(start, 16)))


def test_vdso(start, record, tmp_path):
    own_vdso(tmp_path / "vdso.so")
    truth = symbols(tmp_path / "vdso.so", "-D")
    assert any("clock_gettime" in name for _, _, name in truth)
    profile = record(start("clocks", "-s", 30))
    mapping = mapping_of(profile, "[vdso]")
    seen = set()
    for location in locations_in(profile, mapping):
        names = {name.split("@")[0] for begin, size, name in truth
                 if begin <= location.address < begin + size}
        got = {frame[0] for frame in frames_of(profile, location)}
        assert got <= names and bool(got) == bool(names), hex(location.address)
        seen |= got
    assert any("clock_gettime" in name for name in seen)
    shares = profile.shares(lambda frames: {f[0] for f in frames[-1:]})
    assert sum(shares.get(name, 0) for name in seen) > 0.2


@pytest.fixture
def copying(start):
    """A process that spends its time in the kernel."""
    return start("/usr/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=64k", stderr=subprocess.DEVNULL)


def kernel_symbols():
    """Sorted addresses, and {address: names}."""
    names = collections.defaultdict(set)
    with open("/proc/kallsyms") as file:
        for line in file:
            address, _, name, *module = line.split()
            names[int(address, 16)].add(name)
    return sorted(names), names


def kernel_mappings(profile):
    return {m.id for m in profile.mappings.values() if m.file.startswith("[kernel")}


def test_kernel_functions(copying, record, tmp_path):
    starts, names = kernel_symbols()
    if len(starts) < 1000:
        pytest.skip("the kernel's symbols are hidden here")
    profile = record(copying, gated=False)
    kernel = kernel_mappings(profile)
    assert kernel
    for location in profile.locations.values():
        if location.mapping not in kernel:
            continue
        for name, _, _ in frames_of(profile, location):
            begin = starts[bisect.bisect_right(starts, location.address) - 1]
            assert name in names[begin], hex(location.address)
    in_kernel = named = 0
    for sample in profile.samples:
        leaf = profile.locations[sample.locations[0]]
        if leaf.mapping in kernel:
            in_kernel += sample.values[0]
            named += sample.values[0] * bool(leaf.lines)
    assert in_kernel > 0.7 * profile.total(0)
    assert named > 0.99 * in_kernel
    assert any(frame.endswith("_[k]") for stack in folded.read(tmp_path / "a.folded")
               for frame in stack)


@pytest.fixture
def burning(start, program):
    """A process that works in BPF programs of its own, and the kernel's names for such."""
    program("inkernel.bpf.o")
    target = start("inkernel", "-s", 30)

    def listed():
        with open("/proc/kallsyms") as file:
            return {line.split()[2] for line in file if line.endswith("\t[bpf]\n")}

    def is_ready():
        with open(f"/proc/{target.pid}/wchan") as file:
            return file.read() not in ("", "0") and any(name.endswith("_burn_time") for name in listed())

    wait_until(lambda: target.process.poll() is not None or is_ready(), what="BPF program")
    if target.process.poll() is not None:
        pytest.skip("BPF programs cannot be attached to system calls here")
    time.sleep(0.2)  # the second one
    return target, listed()


def inner_names(profile, sample, n):
    """The names of the innermost n frames."""
    locations = [profile.locations[l] for l in sample.locations[:n]]
    return [frames_of(profile, l)[0][0] if l.lines else None for l in locations]


def test_programs_in_the_kernel(burning, record):
    target, listed = burning
    profile = record(target, seconds=2)
    shares = profile.shares()
    own = [name for name in shares if re.fullmatch(r"bpf_prog_[0-9a-f]{16}_burn_\w+", name)]
    assert own and set(own) <= listed
    assert any(name.endswith("_burn_time") for name in own)
    assert sum(shares[name] for name in own) > 0.5, shares


def test_trampolines_in_the_kernel(burning, record):
    """Between a program and the one that runs on entry to it."""
    target, listed = burning
    if not any(name.endswith("_burn_more") for name in listed):
        pytest.skip("BPF programs cannot be attached to functions here")
    profile = record(target, seconds=2)
    stacks = [names for names in (inner_names(profile, sample, 3) for sample in profile.samples)
              if names[0] and names[0].endswith("_burn_more")]
    assert stacks
    for _, trampoline, outer in stacks:
        assert re.fullmatch(r"bpf_trampoline_\d+", trampoline) and trampoline in listed
        assert outer.endswith("_burn_time")


def test_kernel_modules(copying, record):
    """What a module's symbols cover has its name: here the module that is sampled most."""
    if not os.path.exists("/proc/modules"):
        pytest.skip("this kernel has no modules")
    starts, names = kernel_symbols()
    modules = {int(line.split()[0], 16) for line in open("/proc/kallsyms")
               if line.endswith("]\n") and not re.search(r"\[(bpf|__builtin__\S+)\]$", line)}
    profile = record(copying, "--all", gated=False, seconds=3)
    in_modules = [(location, starts[bisect.bisect_right(starts, location.address) - 1])
                  for location in profile.locations.values() if location.mapping in kernel_mappings(profile)]
    in_modules = [(location, begin) for location, begin in in_modules if begin in modules]
    if not in_modules:
        pytest.skip("no module of the kernel was at work")
    assert all(frames_of(profile, location)[0][0] in names[begin] for location, begin in in_modules)


def test_no_kernel_functions_when_told(copying, record, tmp_path):
    profile = record(copying, "--kernel=no", gated=False)
    assert not kernel_mappings(profile)
    assert not any(frame.endswith("_[k]") for stack in folded.read(tmp_path / "a.folded")
                   for frame in stack)


@pytest.fixture
def hidden_addresses():
    """kernel.kptr_restrict at 2 for the time of the test."""
    path = "/proc/sys/kernel/kptr_restrict"
    with open(path) as file:
        before = file.read()
    try:
        with open(path, "w") as file:
            file.write("2")
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


def test_hidden_kernel_addresses(hidden_addresses, copying, record, profbpf, tmp_path):
    capture = tmp_path / "a.profbpf"
    profile = record(copying, "-o", capture, gated=False)
    assert "sysctl kernel.kptr_restrict=1" in profile.stderr
    kernel = kernel_mappings(profile)
    leaves = collections.Counter()
    for sample in profile.samples:
        leaf = profile.locations[sample.locations[0]]
        leaves[leaf.mapping in kernel] += sample.values[0]
        assert not (leaf.mapping in kernel and leaf.lines)
    assert leaves[True] > 0.7 * profile.total(0)
    assert "sysctl kernel.kptr_restrict=1" in profbpf("report", capture).stdout


def test_names_survive_the_targets_end(start, program, spawn, tmp_path):
    path = who(tmp_path, program, "a")
    target = start(path, "-s", 1)
    process = spawn("--pid", target.pid, "-d", 30, "-o", tmp_path / "a.pb.gz")
    wait_sampling(process)
    path.unlink()
    target.open_gate()
    target.finish()
    assert process.wait(timeout=20) == 0
    check_who(pprof.read(tmp_path / "a.pb.gz"), program, path, "a")


def test_names_of_a_program_that_ran_for_a_moment(program, profbpf, tmp_path):
    path = who(tmp_path, program, "a")
    profbpf("-o", tmp_path / "a.pb.gz", "--", path, "-s", 0.1)
    profile = pprof.read(tmp_path / "a.pb.gz")
    assert mapping_of(profile, path).build_id == build_id(program("who-a"))
    assert profile.shares()["who_a_work"] > 0.5  # next to the work of starting it


def test_names_of_children_that_ran_for_a_moment(program, profbpf, tmp_path):
    """Each child is another file, so that none can live off what was seen of another."""
    paths = []
    for i in range(40):
        paths.append(who(tmp_path, program, "a", f"who-{i}"))
    script = "; ".join(f"{path} -s 0.01" for path in paths)
    profbpf("-o", tmp_path / "a.pb.gz", "--", "sh", "-c", script)
    profile = pprof.read(tmp_path / "a.pb.gz")
    own = [m for m in profile.mappings.values() if "/who-" in m.file]
    assert len(own) >= 30
    unnamed = [m.file for m in own if not any(l.lines for l in locations_in(profile, m))]
    assert not unnamed


def test_names_of_many_files_in_several_threads(program, profbpf, tmp_path):
    """Each file is named on one thread; all have their own names whoever was first."""
    paths = [who(tmp_path, program, "ab"[i % 2], f"who-{i}") for i in range(40)]
    script = "; ".join(f"{path} -s 0.05" for path in paths)
    done = profbpf("-v", "-F", 999, "-o", tmp_path / "a.pb.gz", "--", "sh", "-c", script)
    told = re.search(r"naming: (\d+) threads for (\d+) files", done.stderr)
    if len(os.sched_getaffinity(0)) > 1:
        assert 2 <= int(told[1]) <= len(os.sched_getaffinity(0)) and int(told[2]) >= len(paths)
    else:
        assert not told
    profile = pprof.read(tmp_path / "a.pb.gz")
    for i, path in enumerate(paths):
        mapping = mapping_of(profile, path)
        check_against_llvm(profile, mapping, path)
        names = {frame[0] for l in locations_in(profile, mapping) for frame in frames_of(profile, l)}
        assert {f"who_{c}_work" for c in "ab"} & names == {f"who_{'ab'[i % 2]}_work"}
