"""Measures printing while other printers do not respond."""
import contextlib
import os
import socket
import sqlite3
import time

from . import ipp
from .answers import free_port
from .documents import small_pdf
from .measure import in_turn, judge, ratio, show
from .printers import Printsim, load, until_idle
from .spooler import Spooler

JOBS = 100
WAITING = 20


@contextlib.contextmanager
def silent_port():
    """A port that neither accepts nor refuses connections: clients wait, as for a printer that is off."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    fillers = []
    for _ in range(4):  # what the kernel takes by itself
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(listener.getsockname())
        fillers.append(filler)
    yield listener.getsockname()[1]
    for each in fillers + [listener]:
        each.close()


def add_printers(folder, printers):
    """Adds printers to the spool in `folder`, whose printd is not running."""
    with contextlib.closing(sqlite3.connect(os.path.join(folder, "spool.sqlite"))) as database, database:
        database.executemany(
            "INSERT INTO printers (name, device_uri, info, is_default, is_paused, pause_message, is_accepting, error_policy)"
            " VALUES (?, ?, '', 0, 0, '', 1, 'retry-job')", printers.items())


def cancel_all(server, printer):
    """Cancels all jobs of a printer."""
    client, uri = ipp.Client(server.socket), f"ipp://localhost/printers/{printer}"
    for job in client.send(ipp.GET_JOBS, uri, (ipp.KEYWORD, "requested-attributes", "job-id")):
        client.send(ipp.CANCEL_JOB, uri, (ipp.INTEGER, "job-id", job["job-id"][0]))
    client.close()


def bench_dead(folder, runs):
    """Measures printing jobs of one page on a network printer, from the first submission to the last page.

    Other jobs wait for two unreachable printers (one accepts no connection, one refuses connections), or no other jobs exist.
    """
    document = small_pdf(folder)
    with Printsim(os.path.join(folder, "output")) as device, silent_port() as silent:
        spool = os.path.join(folder, "spool")
        with Spooler(spool, paused=False):
            pass
        add_printers(spool, {
            "live": device.uri, "silent": f"ipp://127.0.0.1:{silent}/ipp/print",
            "closed": f"ipp://127.0.0.1:{free_port()}/ipp/print"})
        with Spooler(spool, paused=False) as server:

            def submit(printer, jobs):
                server.printer = printer
                load(server, 1, jobs, document)

            def printing():
                start = time.perf_counter()
                submit("live", JOBS)
                until_idle(server)
                return time.perf_counter() - start

            def alone():
                for printer in ("silent", "closed"):
                    cancel_all(server, printer)
                return printing()

            def beside():
                for printer in ("silent", "closed"):
                    submit(printer, WAITING)
                return printing()

            printing()  # what every job needs is there
            figures = in_turn({"alone": alone, "beside": beside}, runs)
            for printer in ("silent", "closed"):
                cancel_all(server, printer)
    without = show(f"dead: {JOBS} jobs, no jobs for other printers", figures["alone"], "s")
    with_them = show("dead: the same with jobs for two dead printers", figures["beside"], "s")
    judge("dead: with dead printers / without", with_them / without, at_most=1.1)


REFUSING = 300


def bench_refused(folder, runs):
    """Measures printd in the first minutes with a job for each of many printers that refuse connections."""
    with open(small_pdf(folder), "rb") as file:
        document = file.read()
    spool, port = os.path.join(folder, "spool"), free_port()
    names = [f"closed-{number}" for number in range(REFUSING)]
    with Spooler(spool, paused=False):
        pass
    add_printers(spool, {name: f"ipp://127.0.0.1:{port}/{name}" for name in names})
    with Spooler(spool, paused=False) as server:
        client, process = ipp.Client(server.socket), f"/proc/{server.process.pid}"
        for name in names:
            client.send(ipp.PRINT_JOB, f"ipp://localhost/printers/{name}", document=document)
        client.close()

        def used():
            with open(f"{process}/stat") as file:
                return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

        for minute in range(1, 4):
            start, end, threads = used(), time.monotonic() + 60, 0
            while time.monotonic() < end:
                threads = max(threads, len(os.listdir(f"{process}/task")))
                time.sleep(0.05)
            name, spent = f"refused: {REFUSING} printers, processor seconds in minute {minute}", used() - start
            # The first minute contains the first attempt to print each job, which is stored.
            if minute == 1:
                ratio(name, spent)
            else:
                judge(name, spent, at_most=0.5)
            ratio(f"refused: the same, most threads in minute {minute}", threads)


BENCHMARKS = {"dead": bench_dead, "refused": bench_refused}
