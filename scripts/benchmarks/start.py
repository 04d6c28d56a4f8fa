"""How long `printq` takes."""
import os

from .measure import pair, run
from .programs import program
from .spooler import Spooler


def bench_start(folder, runs):
    """`printq queue`, start to exit, of a running printd; the peer is the smallest program there is."""
    with Spooler(os.path.join(folder, "spool")) as spooler:
        env = dict(os.environ, PRINTQ_SPOOL=spooler.folder)
        pair("start: printq queue | true", lambda: run([program("printq"), "queue"], env=env),
             lambda: run(["/bin/true"]), max(runs, 21))


BENCHMARKS = {"start": bench_start}
