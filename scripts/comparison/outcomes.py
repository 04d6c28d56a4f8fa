"""Determines the expected outcome of printing PDFs with programs other than printq.

PDFium and MuPDF decide, because they share no code with printq. When they disagree, libqpdf and poppler decide if they
agree with each other; printq uses both libraries. Prints a JSON array with one object per document:

  file      the path, relative to the given folder
  path      the absolute path
  outcome   printed, password (a password is required), damaged (there is no page), or unsure
  pages     the number of pages of a document that must be printed, else 0
  opinions  the result of each program: a number of pages, "password", or an error message
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import sys
import tempfile

from . import documents, renderers
from .processes import Run

SECONDS = 120  # for each program and document
# The size and the resolution of the only page that is drawn. The outcome does not depend on these values.
DRAWING = argparse.Namespace(pages=1, dpi=36, pixels=500_000, time=SECONDS)


def main():
    parser = argparse.ArgumentParser(
        prog="document-outcomes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="FILE|FOLDER", help="the PDFs, or folders of PDFs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, metavar="N",
                        help="how many documents are examined at a time (default: the number of processors)")
    arguments = parser.parse_args()
    for program in ("qpdf", "pdfinfo"):
        if not shutil.which(program):
            sys.exit(f"document-outcomes: {program} is missing; run scripts/setup tests")
    found = documents.find(arguments.sources)
    if not found:
        sys.exit(f"document-outcomes: there is no PDF in {', '.join(arguments.sources)}")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        json.dump(list(pool.map(lambda document: judge(*document), found)), sys.stdout, indent=1)
    print()
    return 0


def judge(path, name):
    """Returns the expected outcome of a document, and the reason."""
    opinions = {"pdfium": _pdfium(path), "mupdf": _mupdf(path), "qpdf": _qpdf(path), "poppler": _poppler(path)}
    outcome, pages = _outcome(opinions["pdfium"], opinions["mupdf"])
    if outcome == "unsure":
        outcome, pages = _outcome(opinions["qpdf"], opinions["poppler"])
    return {"file": name, "path": path, "outcome": outcome, "pages": pages, "opinions": opinions}


def _outcome(one, other):
    """Returns the outcome and the number of pages on which two programs agree."""
    if _kind(one) != _kind(other) or _kind(one) == "printed" and one != other:
        return "unsure", 0
    return _kind(one), one if _kind(one) == "printed" else 0


def _kind(opinion):
    if opinion == "password":
        return "password"
    return "printed" if isinstance(opinion, int) and opinion > 0 else "damaged"


def _pdfium(path):
    """Returns the number of pages if the first page can be drawn, else "password" or PDFium's error message."""
    with tempfile.TemporaryDirectory() as folder:
        count, pages, drawn = renderers.pdfium(path, folder, DRAWING)
    if pages or count == 0 and not drawn.failure:
        return count
    return "password" if "password" in drawn.failure else drawn.reason(1)


def _mupdf(path):
    """Returns the number of pages if the first page can be drawn, else "password" or MuPDF's error message."""
    run = Run(["mutool", "info", "-M", path], SECONDS)
    count = re.search(r"^Pages: (\d+)", run.output, re.MULTILINE)
    if not count:
        return "password" if "password" in run.complaints else run.failure or "no pages"
    if count[1] == "0":
        return 0
    with tempfile.TemporaryDirectory() as folder:
        drawn = renderers.mupdf(path, folder, [renderers.Page(1, 595, 842, 36, 298, 421)], SECONDS)
    return int(count[1]) if drawn.images else drawn.reason(1)


def _qpdf(path):
    run = Run(["qpdf", "--show-npages", path], SECONDS)
    if run.output.strip().isdigit():
        return int(run.output)
    return "password" if "password" in run.complaints else run.failure or "no pages"


def _poppler(path):
    run = Run(["pdfinfo", path], SECONDS)
    count = re.search(r"^Pages: +(\d+)", run.output, re.MULTILINE)
    if count:
        return int(count[1])
    return "password" if "Incorrect password" in run.complaints else run.failure or "no pages"
