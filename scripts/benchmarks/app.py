"""Measures an app: HTML compared with plain text, submitting drawn pages, and a server program that prints invoices."""
import os
import subprocess
import time

from .conversion import html_engine
from .cupsd import Cupsd
from .measure import in_turn, judge, ratio, show
from .programs import program, test_program
from .spooler import Spooler

PAGES = 50
INVOICES = int(os.environ.get("PRINTQ_BENCH_JOBS", "1000"))
TASKS = 8
# Lays out a document several times, and prints the seconds without the start of Python.
WEASYPRINT = """
import sys, time, weasyprint
text, count = open(sys.argv[1]).read(), int(sys.argv[2])
start = time.perf_counter()
for _ in range(count): weasyprint.HTML(string=text).write_pdf()
print(time.perf_counter() - start)
"""


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


def bench_invoices(folder, runs):
    """Measures jobs of one page by a server program with 8 tasks, beside `lp` of a finished PDF and WeasyPrint alone."""
    ours, html, pdf = test_program("app-load"), os.path.join(folder, "invoice.html"), os.path.join(folder, "invoice.pdf")
    subprocess.run([ours, "invoice", html], check=True)
    python = os.path.join(html_engine(), "bin", "python")
    subprocess.run([python, "-m", "weasyprint", html, pdf], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    delays = {"html": [], "drawn": []}
    with Spooler(os.path.join(folder, "spool")) as spooler, Cupsd(os.path.join(folder, "cupsd"), durable=False) as cupsd:
        def submitted(kind):
            told = subprocess.run([ours, "invoices", kind, str(INVOICES), str(TASKS), spooler.printer, spooler.folder],
                                  check=True, capture_output=True, text=True)
            seconds, delay = map(float, told.stdout.split())
            delays[kind].append(delay)
            return INVOICES / seconds

        def lp(server):
            host, port = server.address
            start = time.perf_counter()
            subprocess.run(["xargs", "-P", str(TASKS), "-I{}", "lp", "-h", f"{host}:{port}", "-d", server.printer, "-t",
                            "Invoice {}", pdf], check=True, stdout=subprocess.DEVNULL, text=True,
                           input="".join(f"{number + 1}\n" for number in range(INVOICES)))
            return INVOICES / (time.perf_counter() - start)

        def weasyprint():
            count = os.cpu_count() or 1
            each = max(1, INVOICES // count)
            processes = [subprocess.Popen([python, "-c", WEASYPRINT, html, str(each)], stdout=subprocess.PIPE, text=True)
                         for _ in range(count)]
            return each * count / max(float(process.communicate()[0]) for process in processes)

        found = in_turn({
            "HTML, laid out and submitted by 8 tasks": lambda: submitted("html"),
            "drawn and submitted by 8 tasks": lambda: submitted("drawn"),
            "WeasyPrint alone, a process per processor": weasyprint,
            "lp of the finished PDF, 8 at a time, to printd": lambda: lp(spooler),
            "lp of the finished PDF, 8 at a time, to cupsd": lambda: lp(cupsd),
        }, runs)
    html, drawn, alone, to_printd, to_cupsd = (show(name, figures, "jobs/s") for name, figures in found.items())
    ratio("HTML / WeasyPrint alone", html / alone)
    ratio("drawn / lp to printd", drawn / to_printd)
    ratio("drawn / lp to cupsd", drawn / to_cupsd)
    for kind, figures in delays.items():
        show(f"{kind}: longest delay of another task", figures, "ms")


BENCHMARKS = {"html": bench_html, "app": bench_app, "invoices": bench_invoices}
