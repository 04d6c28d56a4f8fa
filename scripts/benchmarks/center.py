"""Measures the Print Center: the first paint, the latency of events, memory, and thumbnails."""
import http.client
import json
import os
import re
import subprocess
import threading
import time
import urllib.parse

from . import ipp
from .documents import small_pdf, text_pdf
from .measure import judge, ratio, show
from .programs import ROOT, program
from .spooler import Spooler
from .submit import submit

JOBS = 20_000
TABS = 20
STREAMS = 50
PAGES = 100
# The Python environment of scripts/browser-tests.
PYTHON = os.path.join(ROOT, ".build", "browser-tests", "bin", "python")


def address_to_open(server):
    """Returns an address that signs a browser in once."""
    output = subprocess.check_output(
        [program("printq"), "center", "--print"], text=True, env=dict(os.environ, PRINTQ_SPOOL=server.folder))
    return output.split()[-1]


def signed_in(server):
    """Returns the header of a session."""
    parts = urllib.parse.urlsplit(address_to_open(server))
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", f"{parts.path}?{parts.query}")
    response = connection.getresponse()
    response.read()
    connection.close()
    return {"Cookie": response.getheader("Set-Cookie").split(";")[0], "Host": parts.netloc}


def resident(server):
    """Returns the resident memory of printd, without files, in MiB."""
    return server.memory("RssAnon") / (1 << 20)


def browser(script, server, *arguments):
    """Starts a script of this folder with the Python environment of the browser tests; returns the process."""
    path = os.path.join(os.path.dirname(__file__), script)
    return subprocess.Popen(
        [PYTHON, "-B", path, address_to_open(server), *map(str, arguments)], stdout=subprocess.PIPE, stdin=subprocess.PIPE,
        text=True)


def bench_center(folder, runs):
    """Measures with 20,000 waiting jobs: first paint, event latency in 20 tabs, memory with 50 streams, thumbnails."""
    subprocess.check_call(["scripts/browser-tests", "--collect-only", "-q"], stdout=subprocess.DEVNULL)
    with Spooler(os.path.join(folder, "spool")) as server:
        submit(server, small_pdf(folder), 8, JOBS)
        paint(server, runs)
        latency(server)
        streams(server)
        thumbnails(server, folder)


def paint(server, runs):
    process = browser("center_browser.py", server, "paint", runs)
    figures = [json.loads(line) for line in process.communicate()[0].splitlines()]
    rows = show(f"center: first rows of {JOBS} jobs on the page", [figure["rows"] for figure in figures], "ms")
    show("center: first contentful paint", [figure["paint"] for figure in figures], "ms")
    loaded = show("center: loaded without page images", [figure["bytes"] / 1000 for figure in figures], "kB")
    judge("center: milliseconds to the first rows", rows, at_most=1000)
    judge("center: kB without page images", loaded, at_most=100)


def latency(server):
    """Holds and releases the first job, and measures when each tab shows the change."""
    process = browser("center_browser.py", server, "tabs", TABS)
    job = int(process.stdout.readline())
    client = ipp.Client(server.socket)

    def delays(rounds, pause):
        found = []
        for round in range(rounds):
            # The tabs have finished the work that follows an event.
            time.sleep(pause)
            operation, state = (ipp.HOLD_JOB, "held") if round % 2 == 0 else (ipp.RELEASE_JOB, "waiting")
            start = time.time()
            client.send(operation, server.uri, (ipp.INTEGER, "job-id", job))
            process.stdin.write(f"{state}\n")
            process.stdin.flush()
            found += [(moment - start) * 1000 for moment in json.loads(process.stdout.readline())]
        return sorted(found)

    delays(4, 1)
    single, burst = delays(40, 1), delays(40, 0)
    process.stdin.close()
    process.wait()
    client.close()
    for name, found in (("a single event", single), ("one event after another", burst)):
        median, high = found[len(found) // 2], found[int(len(found) * 0.99)]
        ratio(f"center: latency of {name} in {TABS} tabs, median, ms", median, f"(99th percentile {high:.0f})")
    judge("center: 99th percentile of the latency in ms", single[int(len(single) * 0.99)], at_most=200)


def streams(server):
    """Opens event streams, causes events, and measures the memory of printd."""
    before = resident(server)
    headers = signed_in(server)
    connections, read = [], []
    for _ in range(STREAMS):
        connection = http.client.HTTPConnection(*server.address)
        connection.request("GET", "/api/v1/events", headers=headers)
        response = connection.getresponse()
        assert response.status == 200, response.read()
        thread = threading.Thread(target=lambda response=response: read.append(drained(response)), daemon=True)
        thread.start()
        connections.append(connection)
    client = ipp.Client(server.socket)
    jobs = client.send(ipp.GET_JOBS, server.uri, (ipp.INTEGER, "limit", 1), (ipp.KEYWORD, "requested-attributes", "job-id"))
    for _ in range(200):
        client.send(ipp.HOLD_JOB, server.uri, (ipp.INTEGER, "job-id", jobs[0]["job-id"][0]))
        client.send(ipp.RELEASE_JOB, server.uri, (ipp.INTEGER, "job-id", jobs[0]["job-id"][0]))
    after = resident(server)
    client.close()
    for connection in connections:
        connection.close()
    show(f"center: memory of printd with {STREAMS} streams", [after], "MiB")
    show("center: memory of a stream", [(after - before) * 1024 / STREAMS], "KiB")


def drained(response):
    """Reads a stream to its end."""
    try:
        while response.read(4096):
            pass
    except (OSError, http.client.HTTPException, ValueError, AttributeError):
        pass


def thumbnails(server, folder):
    """Fetches the thumbnails of a document of 100 pages, as a browser does: six requests at a time."""
    path = text_pdf(folder, PAGES)
    output = subprocess.check_output(
        [program("printq"), "submit", "--hold", "indefinite", path], text=True,
        env=dict(os.environ, PRINTQ_SPOOL=server.folder))
    job = int(re.search(r"job (\d+)", output).group(1))
    headers = signed_in(server)
    pages = iter(range(1, PAGES + 1))
    lock, sizes = threading.Lock(), []

    def fetch():
        connection = http.client.HTTPConnection(*server.address)
        while True:
            with lock:
                page = next(pages, None)
            if page is None:
                return connection.close()
            connection.request("GET", f"/api/v1/jobs/{job}/pages/{page}/image?side=document&dpi=24", headers=headers)
            response = connection.getresponse()
            data = response.read()
            assert response.status == 200 and data[:4] == b"\x89PNG", (response.status, data[:200])
            sizes.append(len(data))

    start = time.perf_counter()
    threads = [threading.Thread(target=fetch) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    show(f"center: thumbnails of {PAGES} pages", [time.perf_counter() - start], "s")
    assert len(sizes) == PAGES


BENCHMARKS = {"center": bench_center}
