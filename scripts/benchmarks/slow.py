"""Measures the effect of clients that send very slowly."""
import os
import subprocess
import sys
import time

from . import trickle
from .documents import small_pdf
from .measure import in_turn, judge, show
from .spooler import Spooler
from .submit import submit

CONNECTIONS = 1000


class SlowClients:
    """Clients that send a byte per second while the context is active."""

    def __init__(self, address, count):
        self.command = [sys.executable, trickle.__file__, address[0], str(address[1]), str(count)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        time.sleep(1)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def bench_slow_connections(folder, runs):
    """Measures submissions while 1,000 connections send a byte per second each."""
    document = small_pdf(folder)
    with Spooler(os.path.join(folder, "spool")) as server:
        submit(server, document, 8, 1000)  # what every submission needs is there
        growth = []

        def alone():
            return submit(server, document, 8, 4000)["rate"]

        def beside():
            before = server.memory("RssAnon")
            with SlowClients(server.address, CONNECTIONS):
                growth.append((server.memory("RssAnon") - before) / CONNECTIONS / 1024)
                return submit(server, document, 8, 4000)["rate"]

        figures = in_turn({"alone": alone, "beside": beside}, runs)
    without = show("slow-connections: submissions without slow connections", figures["alone"], "jobs/s")
    with_them = show(f"slow-connections: submissions during {CONNECTIONS} slow connections", figures["beside"], "jobs/s")
    show("slow-connections: memory per connection, first run", growth[:1], "KiB")
    judge("slow-connections: rate with slow connections / without", with_them / without, at_least=0.9)


BENCHMARKS = {"slow-connections": bench_slow_connections}
