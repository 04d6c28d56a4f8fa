"""Measures the memory of printd."""
import os
import time

from .documents import large_pdf, small_pdf
from .measure import judge, run, show
from .programs import program
from .spooler import Spooler
from .submit import submit

MIB = 1 << 20


def bench_large(folder, runs):
    """Measures the memory growth of printd while `printq` submits a document of 1 GiB."""
    source = large_pdf(folder, 1 << 30)
    document = small_pdf(folder)
    with Spooler(os.path.join(folder, "spool")) as ours:
        submit(ours, document, 1, 20)  # what every submission needs is there
        env = dict(os.environ, PRINTQ_SPOOL=ours.folder)
        growth, seconds = [], []
        for _ in range(min(runs, 3)):
            ours.reset_peak()
            before = ours.memory("VmRSS")
            seconds.append(run([program("printq"), "submit", source], env=env)[0])
            growth.append((ours.memory("VmHWM") - before) / MIB)
    show("large: 1 GiB submitted", seconds, "s")
    judge("large: printd grew by (MiB)", show("large: growth of printd", growth, "MiB"), at_most=16)


def bench_idle(folder, runs):
    """Measures the private memory of an idle printd."""
    with Spooler(os.path.join(folder, "spool")) as ours:
        time.sleep(2)
        fresh = ours.memory("RssAnon") / MIB
        submit(ours, small_pdf(folder), 8, 4000)
        time.sleep(2)
        used = ours.memory("RssAnon") / MIB
    judge("idle: RssAnon of printd, fresh (MiB)", fresh, at_most=40)
    judge("idle: RssAnon of printd, after 4,000 jobs (MiB)", used, at_most=40)


BENCHMARKS = {"large": bench_large, "idle": bench_idle}
