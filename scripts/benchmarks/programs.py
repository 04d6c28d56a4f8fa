"""Finds and builds the release programs."""
import functools
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# PRINTQ_PROGRAMS names a folder with programs that are already built.
GIVEN = os.environ.get("PRINTQ_PROGRAMS")
BIN = os.path.abspath(GIVEN) if GIVEN else os.path.join(ROOT, ".build", "release")


def build():
    """Builds the programs, optimized."""
    if GIVEN:
        return
    subprocess.run([os.path.join(ROOT, "scripts", "build"), "release"], check=True, stdout=subprocess.DEVNULL)


def program(name):
    """Returns the path of one of printq's programs."""
    return os.path.join(BIN, name)


@functools.cache
def test_program(name):
    """Builds a program that only tests and benchmarks use; returns its path."""
    if GIVEN and os.path.exists(program(name)):
        return program(name)
    subprocess.run(["swift", "build", "--package-path", ROOT, "-c", "release", "--static-swift-stdlib", "-Xlinker", "--build-id",
                    "--product", name], check=True, stdout=subprocess.DEVNULL)
    return program(name)
