"""A simulated label printer for each test."""

import json
import subprocess
import time
from pathlib import Path

import pytest


class Printer:
    def __init__(self, output):
        # printsim ends when its standard input ends, even if the test is killed.
        self.process = subprocess.Popen(
            ["printsim", "label", "--output", str(output), "--speed", "instant", "--no-dns-sd", "--until-eof"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ready = json.loads(self.process.stdout.readline())["printers"][0]
        self.uri, self.output = ready["uri"], Path(ready["output"])

    @property
    def server(self):
        return self.uri.split("/")[2]

    def control(self, *words):
        """Runs a command such as `fault` or `wait` at the printer."""
        return subprocess.run(
            ["printsim", *words, "--at", self.uri], check=True, capture_output=True, text=True).stdout

    def until(self, words):
        """Waits until the status of the printer contains words."""
        end = time.monotonic() + 60
        while words not in (status := self.control("status")):
            assert time.monotonic() < end, status
            time.sleep(0.05)

    def job(self, number):
        """Waits for the end of a job, and returns its record and the paths of the pages of one copy."""
        self.control("wait", "--job", str(number), "--timeout", "60")
        folder = self.output / f"job-{number:06}"
        return json.loads((folder / "job.json").read_text()), sorted(folder.glob("page-*.png"))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@pytest.fixture
def printer(tmp_path, monkeypatch):
    printer = Printer(tmp_path)
    monkeypatch.setenv("CUPS_SERVER", printer.server)
    monkeypatch.setenv("LPDEST", "label")
    monkeypatch.delenv("PRINTER", raising=False)
    yield printer
    printer.close()
