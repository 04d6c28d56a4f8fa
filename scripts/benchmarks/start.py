"""Measures the duration of `printq` commands, and the start of the daemons."""
import os
import statistics
import subprocess
import time

from .cupsd import Cupsd
from .documents import small_pdf
from .measure import in_turn, judge, run, show
from .programs import program
from .spooler import Spooler

READY = 0.15


def seconds_until_ready(arguments):
    """Starts a daemon, and returns the seconds until the line in which the daemon reports that it accepts requests."""
    start = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if b'"ready":true' not in process.stdout.readline():
        raise RuntimeError(f"{arguments[0]} does not start")
    seconds = time.perf_counter() - start
    process.terminate()
    process.wait()
    process.stdout.close()
    return seconds


def bench_start(folder, runs):
    """Measures commands from start to exit with a running server; the peers are the commands of CUPS with cupsd."""
    document = small_pdf(folder)
    with Spooler(os.path.join(folder, "spool")) as spooler, Cupsd(os.path.join(folder, "cups"), False) as cups:
        own = dict(os.environ, PRINTQ_SPOOL=spooler.folder)
        peer = dict(os.environ, CUPS_SERVER=f"127.0.0.1:{cups.port}")
        commands = {
            "printq --version": ([program("printq"), "--version"], own),
            "printq queue": ([program("printq"), "queue"], own),
            "lpstat": (["lpstat", "-o"], peer),
            "printq submit": ([program("printq"), "submit", "-P", spooler.printer, document], own),
            "lp": (["lp", "-d", cups.printer, document], peer),
        }
        sides = {name: lambda given=given: run(given[0], env=given[1])[0] for name, given in commands.items()}
        empty = {name: sides[name] for name in ("printq --version", "printq queue", "lpstat")}
        compare("start, empty queue", in_turn(empty, max(runs, 21)))
        compare("start, waiting jobs", in_turn(sides, max(runs, 21)))
    printd = [program("printd"), "--spool", os.path.join(folder, "spool")]
    printsim = [program("printsim"), "serve", "--output", os.path.join(folder, "output")]
    daemons = in_turn({"printd": lambda: seconds_until_ready(printd), "printsim": lambda: seconds_until_ready(printsim)},
                      runs)
    for name, figures in daemons.items():
        judge(f"start: {name} ready, in seconds", statistics.median(figures), at_most=READY)


def compare(title, figures):
    """Prints the durations of commands, and their ratios to the commands of CUPS."""
    medians = {name: show(f"{title}: {name}", times, "s") for name, times in figures.items()}
    for name in medians:
        if name.startswith("printq"):
            peer = "lp" if name == "printq submit" else "lpstat"
            judge(f"{title}: {name} / {peer}", medians[name] / medians[peer], at_most=1.0)


BENCHMARKS = {"start": bench_start}
