"""Measures `printq migrate`: the copy of a queue with a long history to PostgreSQL and back, in time and memory."""
import os
import subprocess
import time

from .depth import submit_and_cancel, write_history
from .documents import large_pdf, small_pdf
from .measure import show
from .postgres import Postgres
from .programs import program
from .spooler import Spooler

JOBS = 1_000_000
MIB = 1 << 20


def copied(arguments):
    """Runs `printd` with the arguments of a copy; returns its seconds and its largest memory in MiB."""
    start = time.perf_counter()
    process = subprocess.Popen([program("printd"), *arguments], stdout=subprocess.DEVNULL,
                               env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    # The resource usage of a child includes the memory of this process before `exec`, so the peak is polled.
    kibibytes = 0
    while process.poll() is None:
        kibibytes = max(kibibytes, peak(process.pid))
        time.sleep(0.02)
    if process.returncode != 0:
        raise RuntimeError(f"the copy ended with {process.returncode}")
    return time.perf_counter() - start, kibibytes / 1024


def peak(process):
    """Returns the largest resident memory of a process so far in KiB; 0 after its end."""
    try:
        with open(f"/proc/{process}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def measure(label, spool, back, uri):
    """Copies the queue of a spool to a database, and back to another folder, and prints the time and the memory."""
    there = copied(["--spool", spool, f"--migrate-to={uri}"])
    here = copied(["--spool", back, "--migrate-to=sqlite", f"--migrate-from={uri}"])
    for direction, (seconds, memory) in (("to PostgreSQL", there), ("to SQLite", here)):
        show(f"transfer: {label} {direction}", [seconds], "s")
        show(f"transfer: {label} {direction}, memory", [memory], "MiB")


def bench_transfer(folder, runs):
    """Measures the copy of an almost empty queue, of 1,000,000 ended jobs, and of a document of 1 GiB, once each."""
    with Postgres(os.path.join(folder, "database")) as database:
        for label, jobs, bytes in (("small queue", 0, 0), (f"{JOBS} jobs", JOBS, 0), ("1 GiB document", 0, 1 << 30)):
            name = f"queue-{jobs}-{bytes}"
            spooler = Spooler(os.path.join(folder, name))
            with spooler:
                submit_and_cancel(spooler, small_pdf(folder))
                if bytes:
                    env = dict(os.environ, PRINTQ_SPOOL=spooler.folder)
                    subprocess.run([program("printq"), "submit", large_pdf(folder, bytes)], env=env, check=True,
                                   stdout=subprocess.DEVNULL)
            if jobs:
                write_history(spooler.folder, jobs)
            measure(label, spooler.folder, os.path.join(folder, f"{name}-back"), database.create(name.replace("-", "_")))


BENCHMARKS = {"transfer": bench_transfer}
