"""Measures the Print Center with 300 printers and 20,000 jobs: its requests, and a person's steps in a browser."""
import http.client
import json
import os
import subprocess
import time

from . import ipp
from .center import browser, signed_in
from .documents import small_pdf
from .measure import judge, show
from .programs import program
from .spooler import Spooler
from .submit import submit

PRINTERS = 300
JOBS = 20_000
# What a page requests: name → path.
REQUESTS = {
    "the first 100 jobs": "/api/v1/jobs?limit=100",
    "100 jobs from the middle": f"/api/v1/jobs?limit=100&offset={JOBS // 2}",
    "the jobs of a printer": "/api/v1/jobs?limit=100&printer=printer-150",
    "the jobs that contain a text": "/api/v1/jobs?limit=100&q=bench",
    "a text that no job contains": "/api/v1/jobs?limit=100&q=nothing-like-this",
    "the number of jobs of each printer": "/api/v1/jobs/counts",
    "all printers": "/api/v1/printers",
    "a job": "/api/v1/jobs/10000",
}


def processor_time(server):
    """Returns the processor time of printd, in seconds."""
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def add_printers(server, folder):
    """Adds printers that write to a folder, and pauses them."""
    environment = dict(os.environ, PRINTQ_SPOOL=server.folder)
    results = os.path.join(folder, "results")
    os.makedirs(results)
    client = ipp.Client(server.socket)
    for number in range(1, PRINTERS + 1):
        name = f"printer-{number}"
        subprocess.run([program("printq"), "printers", "add", "--no-check", name, f"folder:{results}"],
                       env=environment, stdout=subprocess.DEVNULL, check=True)
        client.send(ipp.PAUSE_PRINTER, f"ipp://localhost/printers/{name}")
    client.close()


def bench_center_printers(folder, runs):
    """Measures requests of the Print Center and steps in a browser with 300 printers and 20,000 jobs."""
    subprocess.check_call(["scripts/browser-tests", "--collect-only", "-q"], stdout=subprocess.DEVNULL)
    with Spooler(os.path.join(folder, "spool")) as server:
        add_printers(server, folder)
        document = small_pdf(folder)
        for number in range(1, PRINTERS + 1):
            server.printer = f"printer-{number}"
            submit(server, document, 2, JOBS // PRINTERS + (number <= JOBS % PRINTERS))
        requests(server, runs)
        steps(server, runs)


def requests(server, runs):
    headers = signed_in(server)
    connection = http.client.HTTPConnection(*server.address)
    for name, path in REQUESTS.items():
        times, before = [], processor_time(server)
        for _ in range(runs):
            start = time.perf_counter()
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            body = response.read()
            times.append((time.perf_counter() - start) * 1000)
            assert response.status == 200, body
        show(f"center-printers: {name}", times, "ms")
        show(f"center-printers: {name}, processor time", [(processor_time(server) - before) * 1000 / runs], "ms")
    connection.close()


def steps(server, runs):
    process = browser("center_browser.py", server, "steps", runs)
    figures = [json.loads(line) for line in process.communicate()[0].splitlines()]
    for name in figures[0]:
        median = show(f"center-printers: browser, {name}", [figure[name] for figure in figures], "ms")
        judge(f"center-printers: milliseconds, {name}", median, at_most=1000)


BENCHMARKS = {"center-printers": bench_center_printers}
