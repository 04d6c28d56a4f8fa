"""Runs scripts/compare-pages: compares all documents, several at a time, and writes the report."""
import concurrent.futures
import json
import os
import sys
import tempfile

from . import documents, programs
from .report import Report
from .reviewed import Reviewed


def run(arguments):
    """Compares all documents and prints the report; returns the exit status."""
    reviewed = Reviewed(arguments.reviewed)
    found = documents.find(arguments.sources)
    if not found:
        sys.exit(f"compare-pages: there is no PDF in {', '.join(arguments.sources)}")
    output = os.path.abspath(arguments.output or os.path.join(tempfile.gettempdir(), "compare-pages"))
    examination = documents.Examination(arguments, programs.folder(arguments), output)
    report = Report(_results(examination, found, arguments.jobs), reviewed)
    report.write(output, arguments.images)
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write("\n".join(report.markdown()) + "\n")
    if arguments.json:
        json.dump(report.json(), sys.stdout, indent=1)
        print()
    else:
        print("\n".join(report.table(arguments.verbose)))
        print(f"images side by side: {os.path.join(output, 'report.html')}")
    return 1 if report.unreviewed else 0


def _results(examination, found, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(examination.result, path, name) for path, name in found]
        try:
            for done, _ in enumerate(concurrent.futures.as_completed(waiting), 1):
                if sys.stderr.isatty():
                    print(f"\r{done} of {len(found)} documents", end="", file=sys.stderr, flush=True)
            if sys.stderr.isatty():
                print(file=sys.stderr)
            return [future.result() for future in waiting]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
