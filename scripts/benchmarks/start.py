"""Measures the duration of `printq` commands."""
import os

from .measure import pair, run
from .programs import program
from .spooler import Spooler


def bench_start(folder, runs):
    """Measures `printq queue` from start to exit with a running printd; the peer is the smallest possible program."""
    with Spooler(os.path.join(folder, "spool")) as spooler:
        env = dict(os.environ, PRINTQ_SPOOL=spooler.folder)
        pair("start: printq queue | true", lambda: run([program("printq"), "queue"], env=env),
             lambda: run(["/bin/true"]), max(runs, 21))


BENCHMARKS = {"start": bench_start}
