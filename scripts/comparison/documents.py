"""The documents of a run, and the results for one document."""
import hashlib
import json
import os
import shutil
import tempfile

from . import pixels, renderers
from .pictures import keep

LISTED = ("differs", "suspect", "refused")
KEYS = ("layout", "pages", "dpi", "pixels", "agree", "differs", "suspect", "tolerance", "time")


def find(sources):
    """Returns the PDFs of files and folders as (path, name); names are relative to the given folder."""
    found = []
    for source in sources:
        if not os.path.isdir(source):
            found.append((os.path.abspath(source), os.path.basename(source)))
            continue
        for place, folders, files in os.walk(source):
            folders.sort()
            for file in sorted(files):
                if file.lower().endswith(".pdf"):
                    path = os.path.join(place, file)
                    found.append((os.path.abspath(path), os.path.relpath(path, source)))
    return found


def fingerprint(arguments, programs):
    """Returns the inputs of all results besides the document: the options, the programs and the tool itself."""
    parts = [str(getattr(arguments, key)) for key in KEYS]
    here = os.path.dirname(os.path.abspath(__file__))
    parts += [f"{name} {os.stat(os.path.join(programs, name)).st_mtime_ns}" for name in sorted(("print-worker", "page-images"))]
    for name in sorted(os.listdir(here)):
        if name in ("documents.py", "layouts.py", "pixels.py", "renderers.py", "pdfium_pages.py"):
            with open(os.path.join(here, name), "rb") as file:
                parts.append(hashlib.sha1(file.read()).hexdigest())
    return " ".join(parts)


class Examination:
    """Examines documents one by one, and stores the results in the output folder."""

    def __init__(self, arguments, programs, output):
        self.arguments, self.programs, self.output = arguments, programs, output
        self.fingerprint = fingerprint(arguments, programs)
        for name in ("results", "images", "work"):
            os.makedirs(os.path.join(output, name), exist_ok=True)

    def result(self, path, name):
        """Returns the results for a document, from an earlier run if nothing has changed since."""
        status = os.stat(path)
        key = f"{name} {path} {status.st_size} {status.st_mtime_ns} {self.fingerprint}"
        digest = hashlib.sha1(path.encode()).hexdigest()[:16]
        record = os.path.join(self.output, "results", digest + ".json")
        if not self.arguments.again and os.path.exists(record):
            with open(record) as file:
                known = json.load(file)
            if known["key"] == key:
                return known
        found = {"key": key, "file": name, "digest": digest, **self._examine(path, name, digest)}
        with open(record + ".new", "w") as file:
            json.dump(found, file, indent=1)
        os.rename(record + ".new", record)
        return found

    def _examine(self, path, name, digest):
        folder = tempfile.mkdtemp(dir=os.path.join(self.output, "work"))
        try:
            count, pages, pdfium = renderers.pdfium(path, folder, self.arguments)
            # PDFium reports no page sizes if it cannot open the document. The other renderers are then tested on any paper.
            known = pages or [renderers.Page(1, 595, 842, 72, 595, 842)]
            mupdf = renderers.mupdf(path, folder, known, self.arguments.time)
            rows, notices = [], []
            for layout in self.arguments.layout:
                place = os.path.join(folder, layout)
                os.makedirs(place)
                ours = renderers.printq(
                    path, name, place, known, layout, self.programs, self.arguments.time)
                notices += [notice for notice in ours.notices if notice not in notices]
                rows += [self._row(layout, page.number, ours, pdfium, mupdf, digest) for page in known]
            return {"pages": count, "notices": notices, "rows": rows}
        finally:
            shutil.rmtree(folder)

    def _row(self, layout, number, ours, pdfium, mupdf, digest):
        row = {"layout": layout, "page": number}
        images = {"printq": ours.images.get(number), "pdfium": pdfium.images.get(number), "mupdf": mupdf.images.get(number)}
        mask = None
        reasons = {name: drawn.reason(number)
                   for name, drawn in (("printq", ours), ("pdfium", pdfium), ("mupdf", mupdf)) if not images[name]}
        if all(images.values()):
            shares, mask = pixels.compare(images["printq"], images["pdfium"], images["mupdf"], self.arguments.tolerance)
            row.update(shares)
        row["reasons"] = reasons
        row["verdict"] = self._verdict(row, images, ours.code)
        if row["verdict"] in LISTED:
            keep(images, mask, os.path.join(self.output, "images", f"{digest}-{layout}-{number}"))
        return row

    def _verdict(self, row, images, code):
        if not images["printq"]:
            return "refused" if images["pdfium"] and images["mupdf"] else "alone" if any(images.values()) else "none"
        if not (images["pdfium"] and images["mupdf"]):
            return "alone"
        limits = self.arguments
        if row["between"] <= limits.agree and min(row["pdfium"], row["mupdf"]) > limits.differs:
            return "differs"
        if row["against"] > limits.suspect:
            return "suspect"
        return "unsure" if row["between"] > limits.differs else "alike"
