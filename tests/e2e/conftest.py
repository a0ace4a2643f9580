# SPDX-License-Identifier: BSD-2-Clause
"""Fixtures of the end-to-end tests: the real program on real targets, so they need root.

PROFBPF_BUILD names another build folder than build/release."""

import os
import pathlib
import shutil
import subprocess

import pytest

from targets import Target

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PROFBPF_BUILD", ROOT / "build/release"))
UNPRIVILEGED = 65534  # nobody


def pytest_sessionstart():
    if os.geteuid() != 0:
        pytest.exit("the end-to-end tests load BPF programs and need root", returncode=3)
    if not (BUILD / "profbpf").exists():
        pytest.exit(f"{BUILD}/profbpf is not built", returncode=3)


@pytest.fixture(scope="session")
def root():
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def build():
    """The build folder."""
    return BUILD


@pytest.fixture(scope="session")
def tools():
    """Folder of the decoders that tools/setup --test installs."""
    return ROOT / "build/tools"


@pytest.fixture(scope="session")
def program(build):
    """Path of a target program by name; skips the test where its compiler was missing."""

    def path(name):
        found = build / "targets" / name
        if not found.exists():
            pytest.skip(f"target program {name} was not built: its compiler is missing")
        return found

    return path


@pytest.fixture
def start(program):
    """start(NAME, ARG…): a gated target, or any command whose first element is a path. Ended after
    the test."""
    running = []

    def run(name, *args, **options):
        command = [name] if os.path.sep in str(name) else [program(name)]
        if command[0] == program("python.py"):
            command = ["/usr/bin/python3", *command]
        running.append(Target([*command, *args], **options))
        return running[-1]

    yield run
    for target in running:
        target.end()


@pytest.fixture(scope="session")
def profbpf(build):
    """profbpf(ARG…): runs the program to its end and returns the completed process with text
    output. status is what it must exit with, None for anything."""

    def run(*args, status=0, timeout=60, **options):
        done = subprocess.run(
            [build / "profbpf", *map(str, args)], timeout=timeout, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, errors="surrogateescape", **options)
        if status is not None:
            assert done.returncode == status, f"exit {done.returncode}: {done.stderr}"
        return done

    return run


@pytest.fixture
def spawn(build):
    """spawn(ARG…): the program in the background, its stderr a pipe. Ended after the test."""
    running = []

    def run(*args, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, "text": True, **options}
        running.append(subprocess.Popen([build / "profbpf", *map(str, args)], **options))
        return running[-1]

    yield run
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def public_dir(tmp_path):
    """A folder that every user may read and write, for runs as another user."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder == pathlib.Path("/tmp") or folder.stat().st_uid != os.geteuid():
            break
        folder.chmod(0o755)
    shared = tmp_path / "public"
    shared.mkdir()
    shared.chmod(0o777)
    return shared


@pytest.fixture
def public_program(build, public_dir):
    """A copy of the program in public_dir: the build folder may lie where others can not look."""
    program = public_dir / "profbpf"
    shutil.copy(build / "profbpf", program)
    program.chmod(0o755)
    return program


@pytest.fixture
def unprivileged(public_program, public_dir):
    """unprivileged(ARG…): runs the program in public_dir as a user without any rights."""

    def run(*args):
        return subprocess.run(
            [public_program, *map(str, args)], user=UNPRIVILEGED, group=UNPRIVILEGED,
            extra_groups=[], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
            cwd=public_dir)

    return run


@pytest.fixture(scope="session")
def need():
    """Path of an executable; skips the test where it is missing."""

    def path(name):
        found = shutil.which(name)
        if not found:
            pytest.skip(f"{name} is not installed")
        return found

    return path
