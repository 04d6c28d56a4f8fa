"""Writes the results of a benchmark to docs/results/benchmarks.md."""
import datetime
import os
import re
import subprocess

from . import readme
from .programs import GIVEN, ROOT, program

PATH = os.path.join(ROOT, "docs", "results", "benchmarks.md")


def write(name, runs, rows):
    """Replaces the section of the benchmark, or adds the section at the end.

    `rows` has the name, the result and the target of each measurement.
    """
    # Programs in PRINTQ_PROGRAMS can be of another commit than the checkout.
    commit = [program("printq"), "--version"] if GIVEN else [os.path.join(ROOT, "scripts", "packaging", "commit")]
    version = subprocess.run(commit, check=True, capture_output=True, text=True).stdout.strip()
    processors, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    cells = lambda row: "|" + "|".join(f" {cell.replace('|', '/')} " if cell else " " for cell in row) + "|"
    section = "\n".join([
        f"## {name}", "",
        f"`{version}`, {datetime.date.today()}: `scripts/bench {name} --runs {runs}`; {processors} processors, "
        f"load {load:.1f} at the end.", "",
        "| Measurement | Result | Target |", "|---|---|---|", *map(cells, rows)]) + "\n"
    with open(PATH) as file:
        text = file.read()
    found = re.search(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found:
        end = "\n" if found.end() < len(text) else ""
        text = text[:found.start()] + section + end + text[found.end():]
    else:
        text = text.rstrip("\n") + "\n\n" + section
    with open(PATH, "w") as file:
        file.write(text)
    readme.renew()
