"""Measures jobs of a full queue until they are delivered, and the latency of a single job and of an event."""
import contextlib
import http.client
import os
import queue as queues
import sqlite3
import subprocess
import threading
import time

from . import ipp
from .answers import wait_until
from .center import signed_in
from .delivery import JOBS
from .documents import small_pdf
from .instant import InstantPrinter
from .measure import in_turn, judge, show
from .printers import Printsim
from .programs import program
from .spooler import Spooler

TICK = os.sysconf("SC_CLK_TCK")


def tree_seconds(process):
    """Returns the processor time of a process, of its ended children and of its living descendants, in seconds."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        children = []
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as file:
                children += file.read().split()
    except FileNotFoundError:
        return 0  # the process has just ended
    return sum(map(int, fields[11:15])) / TICK + sum(map(tree_seconds, children))


class Queue:
    """The jobs of one printer of a spooler."""

    def __init__(self, spooler, name, uri, document):
        subprocess.run([program("printq"), "printers", "add", name, uri, "--spool", spooler.folder], check=True,
                       stdout=subprocess.DEVNULL)
        with open(document, "rb") as file:
            self.document = file.read()
        self.spooler, self.name, self.uri = spooler, name, f"ipp://localhost/printers/{name}"
        self.client = ipp.Client(spooler.socket)
        self.database = sqlite3.connect(f"file:{spooler.folder}/spool.sqlite?mode=ro", uri=True)

    def submit(self):
        self.client.send(ipp.PRINT_JOB, self.uri, document=self.document)

    def is_empty(self):
        return not self.database.execute(
            "SELECT 1 FROM jobs WHERE printer = ? AND state < 7 LIMIT 1", (self.name,)).fetchone()

    def deliver(self):
        """Delivers waiting jobs; returns the jobs per second, and the processor time of a job in ms."""
        self.client.send(ipp.PAUSE_PRINTER, self.uri)
        for _ in range(JOBS):
            self.submit()
        before, start = tree_seconds(self.spooler.process.pid), time.perf_counter()
        self.client.send(ipp.RESUME_PRINTER, self.uri)
        while not self.is_empty():
            time.sleep(0.01)
        wall = time.perf_counter() - start
        return JOBS / wall, (tree_seconds(self.spooler.process.pid) - before) * 1000 / JOBS


def bench_full_queue(folder, runs):
    """Measures 200 waiting jobs of one page: the deliveries per second, and the gap between two documents."""
    document = small_pdf(folder)
    os.makedirs(os.path.join(folder, "out"))
    with InstantPrinter() as instant, Printsim(os.path.join(folder, "printer")) as printsim, \
            Spooler(os.path.join(folder, "spool"), paused=False) as spooler:
        gaps = []

        def to_instant():
            found = ways["an instant IPP printer"].deliver()
            gaps.append(instant.gap(JOBS))
            return found

        ways = {
            "a folder": Queue(spooler, "folder", f"folder:{folder}/out", document),
            "an instant IPP printer": Queue(spooler, "instant", instant.uri, document),
            "printsim": Queue(spooler, "printsim", printsim.uri, document),
        }
        sides = {name: queue.deliver for name, queue in ways.items()} | {"an instant IPP printer": to_instant}
        found = in_turn(sides, runs)
    aims = {"a folder": 100, "an instant IPP printer": 50, "printsim": None}
    for name, figures in found.items():
        rate = show(f"full-queue: to {name}", [each[0] for each in figures], "jobs/s")
        processor = show(f"full-queue: to {name}, processor", [each[1] for each in figures], "ms a job")
        if aims[name]:
            judge(f"full-queue: jobs/s to {name}", rate, at_least=aims[name])
            judge(f"full-queue: ms of processor to {name}", processor, at_most=15)
    judge("full-queue: ms between two documents", show("full-queue: gap at the printer", gaps, "ms"), at_most=15)


def bench_latency(folder, runs):
    """Measures a single job until its first bytes arrive at an idle printer, and an event until it is in a stream."""
    with InstantPrinter() as instant, Spooler(os.path.join(folder, "spool"), paused=False) as spooler:
        queue = Queue(spooler, "instant", instant.uri, small_pdf(folder))
        queue.submit()
        instant.wait(1)
        first = []
        for count in range(2, 2 + 5 * runs):
            wait_until(queue.is_empty)
            time.sleep(0.3)  # the work that follows the end of a job is done
            start = time.perf_counter()
            queue.submit()
            instant.wait(count)
            first.append((instant.jobs[-1][1] - start) * 1000)
        events = event_delays(spooler, queue, 5 * runs)
    judge("latency: ms from a submission to its first byte", show("latency: submission to first byte", first, "ms"),
          at_most=60)
    judge("latency: ms from a change to its event", show("latency: change to event stream", events, "ms"), at_most=50)


def event_delays(spooler, queue, count):
    """Holds and releases a job; returns the times until the Print Center sends the event to a stream, in ms."""
    queue.client.send(ipp.PAUSE_PRINTER, queue.uri)
    job = queue.client.send(ipp.PRINT_JOB, queue.uri, document=queue.document)[0]["job-id"][0]
    connection = http.client.HTTPConnection(*spooler.address, timeout=60)
    connection.request("GET", "/api/v1/events", headers=signed_in(spooler))
    stream, arrivals, found = connection.getresponse(), queues.SimpleQueue(), []

    def read():
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while line := stream.readline():
                if line.startswith(b"id:"):
                    arrivals.put(time.perf_counter())

    threading.Thread(target=read, daemon=True).start()
    for index in range(count):
        time.sleep(0.3)  # earlier events have arrived
        while not arrivals.empty():
            arrivals.get()
        start = time.perf_counter()
        queue.client.send(ipp.HOLD_JOB if index % 2 == 0 else ipp.RELEASE_JOB, queue.uri, (ipp.INTEGER, "job-id", job))
        found.append((arrivals.get(timeout=60) - start) * 1000)
    connection.close()
    return found


BENCHMARKS = {"full-queue": bench_full_queue, "latency": bench_latency}
