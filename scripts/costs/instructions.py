"""Runs programs under callgrind, and counts their instructions, without the processes that they start."""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

from benchmarks.answers import wait_until

KIND = "instructions"
# Operations that mostly calculate. The others mostly wait, start processes, or are slow under callgrind.
OPERATIONS = ("printq --version", "printq queue", "printq submit", "printq why", "Print-Job of 1 KB", "Get-Jobs of 1 job",
              "Get-Printer-Attributes", "Get-Job-Attributes", "Cancel-Job", "start of printd")


class Counted:
    """A program under callgrind, with the functions of `trace.Traced`."""

    # The seconds without processor time after which an operation has ended.
    QUIET = 0.3

    def __init__(self, command, log, preload, database_port=None, env=None):
        self.output, self.env, self.dumps, self.lines = f"{log}.callgrind", env, 0, []
        for path in glob.glob(f"{glob.escape(self.output)}*"):
            os.remove(path)
        with open(f"{log}.errors", "wb") as errors:
            self.process = subprocess.Popen(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.output}", "--", *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=dict(env, LD_PRELOAD=preload))

    def first_line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args} ended; see {self.output.removesuffix('.callgrind')}.errors")
        return line

    def settle(self, limit=60):
        """Waits until the program only waits."""
        end, last, known = time.monotonic() + limit, time.monotonic(), None
        while (now := time.monotonic()) < end and now - last < self.QUIET:
            time.sleep(0.05)
            with open(f"/proc/{self.process.pid}/stat") as file:
                used = file.read().rpartition(")")[2].split()[11:13]
            if used != known:
                known, last = used, time.monotonic()

    def all(self):
        """Returns the instructions since the start of the program, or since the last call."""
        path = self.output
        if self.process.poll() is None:
            self.dumps += 1
            path = f"{self.output}.{self.dumps}"
            # callgrind_control finds the program by a file in TMPDIR.
            subprocess.run(["callgrind_control", "--dump=cost", str(self.process.pid)], check=True, capture_output=True,
                           env=self.env)
        return {KIND: wait_until(lambda: total(path))}

    def count(self, operation):
        """Returns the instructions of an operation, until the program waits again."""
        self.all()
        operation()
        self.settle()
        return self.all()

    def wait(self):
        """Waits until the program ends."""
        self.process.stdout.read()
        if self.process.wait() != 0:
            raise RuntimeError(f"{self.process.args} ended with {self.process.returncode}")

    def stop(self):
        """Ends the program normally."""
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def total(path):
    """Returns the number of instructions in a dump of callgrind; None until the dump is complete."""
    try:
        with open(path) as file:
            found = re.search(r"^totals: (\d+)$", file.read(), re.MULTILINE)
    except FileNotFoundError:
        return None
    return int(found[1]) if found else None


def check():
    """Exits with an explanation if valgrind is missing."""
    if not shutil.which("callgrind_control"):
        sys.exit("cost: error: valgrind is missing; run scripts/setup tests")
