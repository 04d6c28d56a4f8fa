"""Measures an app: HTML compared with plain text, and submitting drawn pages."""
import os
import subprocess
import time

from .measure import in_turn, judge, ratio, show
from .programs import program, test_program
from .spooler import Spooler

PAGES = 50


def bench_html(folder, runs):
    """Measures the first page of HTML with a running engine, the same lines as plain text, and a table over 50 pages."""
    ours = test_program("app-load")
    told = subprocess.run([ours, "first-page", str(max(runs, 15)), folder], check=True, capture_output=True, text=True)
    text, html = zip(*(map(float, line.split()) for line in told.stdout.splitlines()))
    found = [show(f"a page of {name}, to PDF", [second * 1000 for second in seconds], "ms")
             for name, seconds in (("plain text", text), ("HTML, warm", html))]
    judge("HTML / plain text", found[1] / found[0], at_most=5)
    out, seconds, pages = os.path.join(folder, "table.pdf"), [], 0
    for _ in range(min(runs, 3)):
        start = time.perf_counter()
        pages = int(subprocess.run([ours, "html", "2300", out], check=True, capture_output=True, text=True).stdout)
        seconds.append(time.perf_counter() - start)
    show(f"a table with pictures over {pages} pages, cold", seconds, "s")


def bench_app(folder, runs):
    """Measures submitting 50 drawn pages: by an app's controller, and as a finished PDF by `printq submit`."""
    ours, pdf = test_program("app-load"), os.path.join(folder, "letter.pdf")
    subprocess.run([ours, "draw", str(PAGES), pdf], check=True)
    with Spooler(os.path.join(folder, "spool")) as spooler:
        def timed(*command):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, PRINTQ_SPOOL=spooler.folder))
            return (time.perf_counter() - start) * 1000
        found = in_turn({
            "drawing alone, to a file": lambda: timed(ours, "draw", str(PAGES), pdf),
            "drawn and submitted by the controller": lambda: timed(
                ours, "submit", str(PAGES), spooler.printer, spooler.folder),
            "printq submit of the finished PDF": lambda: timed(program("printq"), "submit", pdf),
        }, runs)
    medians = {name: show(name, figures, "ms") for name, figures in found.items()}
    drawing, controller, printq = medians.values()
    ratio("(controller - drawing) / printq submit", (controller - drawing) / printq)


BENCHMARKS = {"html": bench_html, "app": bench_app}
