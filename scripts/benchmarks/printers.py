"""Compares simulated printers: printsim and CUPS' ippeveprinter, which requires an Avahi daemon to start."""
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time

from . import ipp
from .answers import first_answer, free_port
from .avahi import Avahi
from .documents import small_pdf
from .measure import in_turn, judge, show
from .programs import ROOT, program, test_program


class Printsim:
    """The shipped color laser at maximum speed: each job leaves page images, its document and a report."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.process = subprocess.Popen(
            [program("printsim"), "color-laser", "--speed", "instant", "--no-dns-sd", "--output", self.folder,
             "--simulators", os.path.join(ROOT, "Simulators")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
        self.uri = json.loads(self.process.stdout.readline())["printers"][0]["uri"]
        self.address = ("127.0.0.1", int(self.uri.split(":")[2].split("/")[0]))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Ippeveprinter:
    """CUPS' ippeveprinter without publishing. It accepts no job while it prints.

    `command` prints: true(1) is the fastest command and makes no pages; pdftoppm(1) makes page images like printsim.
    """

    def __init__(self, folder, avahi, command):
        self.folder, self.avahi, self.command = folder, avahi, command
        port = free_port()
        self.address = ("127.0.0.1", port)
        self.uri = f"ipp://localhost:{port}/ipp/print"

    def __enter__(self):
        os.makedirs(self.folder, exist_ok=True)
        script = os.path.join(self.folder, "print")
        with open(script, "w") as file:
            file.write(f"#!/bin/sh\nexec {self.command}\n")
        os.chmod(script, 0o755)
        self.process = subprocess.Popen(
            ["ippeveprinter", "-r", "off", "-n", "localhost", "-p", str(self.address[1]), "-d", self.folder,
             "-f", "application/pdf,image/jpeg,image/pwg-raster,image/urf", "-2", "-c", script, "bench"],
            env=dict(self.avahi.environment, PATH=f"{os.environ['PATH']}:/usr/sbin"), cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        first_answer(self)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def both(folder):
    """Starts printsim, and ippeveprinter twice: without pages, and with page images of 100 dots per inch."""
    with Avahi(os.path.join(folder, "avahi")) as avahi, Printsim(os.path.join(folder, "ours")) as ours, \
            Ippeveprinter(os.path.join(folder, "idle"), avahi, "true") as idle, \
            Ippeveprinter(os.path.join(folder, "peer"), avahi, 'pdftoppm -png -r 100 "$1" "$1"') as peer:
        yield ours, idle, peer


def load(printer, *words, may_fail=False):
    """Runs the load generator; returns its output, or None if it fails and `may_fail` is true."""
    host, port = printer.address
    command = [test_program("submission-load"), f"{host}:{port}", printer.uri, *map(str, words)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0 and may_fail:
        return None
    if result.returncode != 0:
        sys.exit(f"bench: {result.stdout.strip()} ({type(printer).__name__})")
    return json.loads(result.stdout)


def attribute_rate(printer, connections):
    """Returns the responses with all attributes per second of a printer; restarts a printer that crashes."""
    for _ in range(5):
        found = load(printer, connections, 4000, "--attributes", "--retry", may_fail=True)
        if found:
            return found["steady"]
        printer.__exit__()
        print(f"printer-attributes: {type(printer).__name__} stopped answering over {connections} connections", flush=True)
        printer.__enter__()
    sys.exit(f"bench: {type(printer).__name__} does not answer 4,000 requests over {connections} connections")


def until_idle(printer):
    """Waits until a printer has no waiting or printing job."""
    client = ipp.Client(printer.address)
    while client.send(ipp.GET_PRINTER_ATTRIBUTES, printer.uri,
                      (ipp.KEYWORD, "requested-attributes", "queued-job-count"))[0]["queued-job-count"][0] > 0:
        time.sleep(0.005)
    client.close()


def bench_printer_attributes(folder, runs):
    """Measures Get-Printer-Attributes without `media-col-database`: responses per second, of the first 95 %.

    With several connections, ippeveprinter 2.4.2 occasionally closes a connection in the middle of a response, or
    crashes and is restarted. Some of its connections do not respond for 30 seconds, which dominates the last responses.
    """
    with both(folder) as (ours, peer, _):
        for connections in (1, 8):
            figures = in_turn({
                "ours": lambda: attribute_rate(ours, connections),
                "peer": lambda: attribute_rate(peer, connections),
            }, runs)
            own = show(f"printer-attributes: printsim, {connections} connections", figures["ours"], "a second")
            theirs = show(f"printer-attributes: ippeveprinter, {connections}", figures["peer"], "a second")
            judge(f"printer-attributes: printsim / ippeveprinter, {connections}", own / theirs, at_least=2)


def prints(printer, document, connections, jobs):
    """Prints jobs, and retries at once if the printer is busy.

    Returns the jobs per second until 95 % were accepted, the jobs per second until all had ended, and the number of busy
    responses per job.
    """
    start = time.perf_counter()
    accepted = load(printer, connections, jobs, document, "--retry")
    until_idle(printer)
    return accepted["steady"], jobs / (time.perf_counter() - start), accepted["busy"] / jobs


def bench_print_job(folder, runs):
    """Measures Print-Job of a PDF of one page: accepted jobs and ended jobs per second.

    Accepted jobs are compared with an ippeveprinter that makes no pages, ended jobs with an ippeveprinter that makes page
    images.

    printsim accepts jobs while it prints, so it also prints during the measurement; only accepted jobs count.
    """
    document = small_pdf(folder)
    with both(folder) as (ours, idle, peer):
        for connections in (1, 8):
            figures = in_turn({
                "ours": lambda: prints(ours, document, connections, 200),
                "idle": lambda: prints(idle, document, connections, 100),
                "peer": lambda: prints(peer, document, connections, 20),
            }, runs)
            for index, what, name in ((0, "accepted", "idle"), (1, "ended", "peer")):
                own = show(f"print-job: {what} by printsim, {connections} connections",
                           [each[index] for each in figures["ours"]], "jobs/s")
                theirs = show(f"print-job: {what} by ippeveprinter, {connections}",
                              [each[index] for each in figures[name]], "jobs/s")
                judge(f"print-job: {what}, printsim / ippeveprinter, {connections}", own / theirs, at_least=2)
            busy = statistics.median(each[2] for each in figures["idle"])
            print(f"print-job: ippeveprinter was busy {busy:.1f} times for each job it accepted", flush=True)


BENCHMARKS = {"printer-attributes": bench_printer_attributes, "print-job": bench_print_job}
