"""What the worker does with pages, against qpdf, cups-filters and poppler's own programs."""
import json
import os

from .documents import text_pdf
from .measure import pair, run
from .programs import program

A4 = {"media": "iso_a4_210x297mm", "margins": {"top": 423, "left": 423, "bottom": 423, "right": 423}}


def worker(operation, request):
    """A print-worker started for one request, as a cold one is: start-up, sandbox and all."""
    line = json.dumps({"op": operation, "request": request}) + "\n"
    return run([program("print-worker")], line=line.encode())


def prepare(source, folder, pages="1-", number_up=1, scaling="auto"):
    imposition = {"pageRanges": pages, "pageOrder": "same-order", "copies": 1, "collated": True,
                  "numberUp": {"count": number_up, "layout": "toright-tobottom", "border": False},
                  "paper": A4, "scaling": scaling, "duplex": "one-sided", "firstImpression": 1}
    return worker("prepare", {"documents": [{"path": source, "format": "application/pdf"}], "imposition": imposition,
                              "output": os.path.join(folder, "prepared.pdf")})


def bench_range(folder, runs):
    source = text_pdf(folder, 1000)
    out = os.path.join(folder, "qpdf.pdf")
    peer = lambda: run(["qpdf", source, "--pages", source, "1-500", "--", out])
    pair("range: 500 of 1000 | qpdf --pages", lambda: prepare(source, folder, "1-500", scaling="none"), peer, runs)
    pair("range, fitted | qpdf --pages", lambda: prepare(source, folder, "1-500"), peer, runs)


def bench_two_up(folder, runs):
    source = text_pdf(folder, 1000)

    def peer():
        with open(os.path.join(folder, "pdftopdf.pdf"), "wb") as file:
            return run(["/usr/lib/cups/filter/pdftopdf", "1", "bench", "t", "1", "number-up=2 PageSize=A4", source],
                       env=dict(os.environ, CONTENT_TYPE="application/pdf"), stdout=file)

    pair("two-up: 1000 pages | pdftopdf", lambda: prepare(source, folder, number_up=2), peer, runs)


def bench_raster(folder, runs):
    source = text_pdf(folder, 100)
    ours, theirs = os.path.join(folder, "ours"), os.path.join(folder, "theirs")
    for path in (ours, theirs):
        os.makedirs(path)
    request = {"document": {"path": source, "format": "application/pdf"}, "paper": A4, "resolution": 100,
               "monochrome": False, "pageRanges": "1-", "outputFolder": ours, "copies": 1, "collated": True,
               "duplex": "one-sided"}
    pair("raster: 100 pages | pdftoppm", lambda: worker("rasterize", request),
         lambda: run(["pdftoppm", "-png", "-r", "100", source, os.path.join(theirs, "p")]), runs, peer_runs=1)
    size = lambda path: sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))
    print(f"{'raster: size of the files':32} ours {size(ours)} bytes   peer {size(theirs)} bytes   "
          f"ours/peer {size(ours) / size(theirs):.3f}")


BENCHMARKS = {"range": bench_range, "two-up": bench_two_up, "raster": bench_raster}
