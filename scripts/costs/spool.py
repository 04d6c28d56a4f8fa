"""Runs printd and printsim under strace, in temporary folders."""
import contextlib
import functools
import json
import os
import sqlite3
import subprocess
import time

from benchmarks import ipp
from benchmarks.answers import free_port, wait_until
from benchmarks.programs import ROOT, program

SIMULATORS = os.path.join(ROOT, "Simulators")


def environment(folder):
    """Returns the environment of the programs, so that counts do not depend on the one of the caller."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "TZ": "UTC0",
            "SWIFT_BACKTRACE": "enable=no"}


class Spool:
    """A spool in a folder, with chosen printers: name → URI. `counter` runs printd, and counts what it does."""

    def __init__(self, folder, printers, counter, arguments=(), database_port=None):
        self.folder, self.counter, self.arguments = os.path.join(folder, "spool"), counter, list(arguments)
        self.base, self.database_port, self.traced = folder, database_port, None
        os.makedirs(self.folder, exist_ok=True)
        self.env = dict(environment(folder), PRINTQ_SPOOL=self.folder)
        self.address = ("127.0.0.1", free_port())
        self.printers = printers

    def prepare(self):
        """Creates the database, and replaces its printers."""
        self.start(is_traced=False)
        self.stop()
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            database.execute("DELETE FROM printers")
            database.executemany(
                "INSERT INTO printers (name, device_uri, info, is_default, is_paused, pause_message, is_accepting, "
                "error_policy) VALUES (?, ?, '', ?, 0, '', 1, 'retry-job')",
                [(name, uri, index == 0) for index, (name, uri) in enumerate(self.printers.items())])
        return self

    simulators = SIMULATORS

    def command(self):
        return [program("printd"), "--spool", self.folder, "--simulators", SIMULATORS, "--simulator-speed", "instant",
                "--listen", f"127.0.0.1:{self.address[1]}", *self.arguments]

    def start(self, is_traced=True):
        """Starts printd, and returns when it is ready."""
        if is_traced:
            self.traced = self.counter(self.command(), os.path.join(self.base, "printd.trace"),
                                       database_port=self.database_port, env=self.env)
            self.traced.first_line()
            self.traced.settle()
            return self
        self.plain = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env)
        if not json.loads(self.plain.stdout.readline())["ready"]:
            raise RuntimeError("printd does not start")
        return self

    def stop(self):
        self.client.close()
        if self.traced:
            self.traced.stop()
            self.traced = None
        else:
            self.plain.terminate()
            self.plain.wait()
            self.plain.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def database(self):
        return os.path.join(self.folder, "spool.sqlite")

    @functools.cached_property
    def client(self):
        """The connection to the Unix socket."""
        return ipp.Client(os.path.join(self.folder, "printd.sock"))

    def uri(self, printer=None):
        return f"ipp://localhost/printers/{printer or next(iter(self.printers))}"

    def pause(self):
        for name in self.printers:
            self.client.send(ipp.PAUSE_PRINTER, self.uri(name))

    def submit(self, document, printer=None):
        """Submits a document with Print-Job; returns the number of the job."""
        with open(document, "rb") as file:
            return self.client.send(ipp.PRINT_JOB, self.uri(printer), document=file.read())[0]["job-id"][0]

    def print(self, document, printer=None):
        """Submits a document, and waits until it is printed, without further requests to printd."""
        job = self.submit(document, printer)
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            state = wait_until(lambda: database.execute(
                "SELECT state, message FROM jobs WHERE id = ? AND state > 6", (job,)).fetchone())
        if state[0] != 9:
            raise RuntimeError(f"job {job} is in state {state[0]}: {state[1]}")

    def fill(self, count):
        """Adds waiting jobs, as copies of the first job, while printd is stopped."""
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(jobs)")]
            changed = {"id": "NULL", "uuid": "'urn:uuid:' || lower(hex(randomblob(16)))"}
            database.execute(f"""
                WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})
                INSERT INTO jobs ({", ".join(columns)})
                SELECT {", ".join(changed.get(name, "jobs." + name) for name in columns)} FROM numbers, jobs WHERE jobs.id = 1
                """)
            database.execute("INSERT INTO documents (job_id, number, name, format, bytes, content) "
                             "SELECT jobs.id, 1, documents.name, format, bytes, content FROM jobs, documents WHERE jobs.id > 1")


class Printsim:
    """A printsim with chosen printers, which is not traced."""

    def __init__(self, folder, names=("color-laser",)):
        self.process = subprocess.Popen(
            [program("printsim"), *names, "--speed", "instant", "--no-dns-sd", "--output", os.path.join(folder, "output"),
             "--simulators", SIMULATORS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(folder))
        self.uri = json.loads(self.process.stdout.readline())["printers"][0]["uri"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
