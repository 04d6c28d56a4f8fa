"""Measures submissions of small documents: to printd, to cupsd, and the limit of the disk."""
import contextlib
import json
import os
import subprocess
import sys

from . import disk
from .cupsd import Cupsd
from .documents import small_pdf
from .measure import in_turn, judge, show
from .programs import test_program
from .spooler import Spooler


def submit(server, document, connections, jobs):
    """Submits jobs over several connections, checks each response, and returns the output of the load generator."""
    host, port = server.address
    command = [test_program("submission-load"), f"{host}:{port}", server.uri, str(connections), str(jobs), document]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"bench: {result.stdout.strip()} ({type(server).__name__})")
    return json.loads(result.stdout)


def rate(server, folder, document, connections, jobs):
    """Returns the jobs that a server accepts per second, after earlier writes have reached the disk."""
    disk.warm_up(folder)
    return submit(server, document, connections, jobs)["rate"]


@contextlib.contextmanager
def all_servers(folder):
    """Starts printd, and cupsd in both modes, on the file system of `folder`, with stopped printers."""
    disk.must_be_a_disk(folder)
    with Spooler(os.path.join(folder, "spool")) as ours, Cupsd(os.path.join(folder, "durable"), True) as durable, \
            Cupsd(os.path.join(folder, "default"), False) as default:
        yield ours, durable, default


def bench_submit_1(folder, runs):
    """Measures durable submissions of 1 KB over one connection."""
    document = small_pdf(folder)
    with all_servers(folder) as (ours, durable, default):
        figures = in_turn({
            "ours": lambda: rate(ours, folder, document, 1, 1000),
            "durable": lambda: rate(durable, folder, document, 1, 200),
            "default": lambda: rate(default, folder, document, 1, 1000),
            "disk": lambda: disk.forced_appends(folder),
        }, runs)
    own = show("submit-1: printd, one connection", figures["ours"], "jobs/s")
    durable = show("submit-1: cupsd, durable", figures["durable"], "jobs/s")
    show("submit-1: cupsd, default (nothing durable)", figures["default"], "jobs/s")
    limit = show("submit-1: 1 KB appended and forced onto the disk", figures["disk"], "a second")
    judge("submit-1: printd / cupsd durable", own / durable, at_least=5)
    judge("submit-1: printd / disk", own / limit, at_least=0.5)


def bench_submit_8(folder, runs):
    """Measures durable submissions of 1 KB over eight connections."""
    document = small_pdf(folder)
    with all_servers(folder) as (ours, durable, default):
        figures = in_turn({
            "ours": lambda: rate(ours, folder, document, 8, 4000),
            "durable": lambda: rate(durable, folder, document, 8, 400),
            "default": lambda: rate(default, folder, document, 8, 2000),
        }, runs)
    own = show("submit-8: printd, eight connections", figures["ours"], "jobs/s")
    durable = show("submit-8: cupsd, durable", figures["durable"], "jobs/s")
    default = show("submit-8: cupsd, default (nothing durable)", figures["default"], "jobs/s")
    judge("submit-8: printd / cupsd durable", own / durable, at_least=8)
    judge("submit-8: printd / cupsd default", own / default, at_least=1)


BENCHMARKS = {"submit-1": bench_submit_1, "submit-8": bench_submit_8}
