"""Measures the migration of a spool with a long history from earlier schemas to the current one."""
import json
import os
import subprocess
import threading
import time

from .measure import show
from .programs import program, test_program

JOBS = 1_000_000
SCHEMAS = (1, 3, 12)
MIB = 1 << 20


def size(folder):
    """Returns the size of a spool's database files in bytes."""
    total = 0
    for name in ("spool.sqlite", "spool.sqlite-wal", "spool.sqlite-shm"):
        try:
            total += os.stat(os.path.join(folder, name)).st_size
        except FileNotFoundError:
            pass
    return total


def opened(folder, peak):
    """Starts printd on a spool and ends it; returns the seconds until printd listens. Appends the largest size to `peak`."""
    over, largest = threading.Event(), [0]

    def watch():
        while not over.wait(0.02):
            largest[0] = max(largest[0], size(folder))

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    process = subprocess.Popen([program("printd"), "--spool", folder, "--no-tcp"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"))
    ready = json.loads(process.stdout.readline())
    seconds = time.perf_counter() - start
    over.set()
    watcher.join()
    process.terminate()
    process.wait()
    process.stdout.close()
    if not ready["ready"]:
        raise RuntimeError(f"printd does not start: {ready}")
    peak.append(largest[0])
    return seconds


def bench_migrate(folder, runs):
    """Measures the start of printd with 1,000,000 ended jobs in a spool of an earlier version of printq."""
    for schema in SCHEMAS:
        seconds, again, growth = [], [], []
        for index in range(min(runs, 3)):
            spool = os.path.join(folder, f"spool-{schema}-{index}")
            subprocess.run([test_program("old-spool"), spool, "--schema", str(schema), "--jobs", str(JOBS)], check=True)
            with open(os.path.join(spool, "printd.json5"), "w") as file:
                file.write("{keepJobs: 10000000, keepDays: 3650}\n")
            before, peak = size(spool), []
            seconds.append(opened(spool, peak))
            growth.append((peak[0] - before) / before)
            again.append(opened(spool, []))
            for name in os.listdir(spool):
                if name.startswith("spool.sqlite"):
                    os.remove(os.path.join(spool, name))
        show(f"migrate: schema {schema} with {JOBS} jobs", seconds, "s")
        show("migrate: further space / size of the database", growth, "")
        show("migrate: the next start", again, "s")


BENCHMARKS = {"migrate": bench_migrate}
