"""Measures the restart of a spooler with a long queue."""
import os
import time

from .cupsd import Cupsd
from .documents import small_pdf
from .measure import in_turn, judge, show
from .spooler import Spooler
from .submit import submit

JOBS = 20_000


def restarted(server):
    """Ends a server normally and starts it again; returns the seconds from the start to the first response."""
    server.stop()
    start = time.perf_counter()
    server.launch()
    server.wait_for_answer()
    return time.perf_counter() - start


def bench_restart(folder, runs):
    """Measures the time from the start to the first response, with 20,000 waiting jobs."""
    document = small_pdf(folder)
    with Spooler(os.path.join(folder, "spool")) as ours, Cupsd(os.path.join(folder, "cups"), False) as peer:
        for server in (ours, peer):
            submit(server, document, 8, JOBS)
        figures = in_turn({"ours": lambda: restarted(ours), "peer": lambda: restarted(peer)}, runs)
    own = show(f"restart: printd with {JOBS} waiting jobs", figures["ours"], "s")
    peer = show("restart: cupsd with as many", figures["peer"], "s")
    judge("restart: printd / cupsd", own / peer, at_most=0.5)


BENCHMARKS = {"restart": bench_restart}
