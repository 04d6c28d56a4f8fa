"""Compares the worker's processing of pages with qpdf, cups-filters and poppler's programs."""
import json
import os

from comparison import foreign

from .documents import text_pdf
from .measure import in_turn, judge, pair, ratio, run, show
from .programs import program, test_program
from .spooler import Spooler

# Ghostscript uses one processor, so that both sides get one.
ONE_PROCESSOR = ("taskset", "--cpu-list", "0")
A4 = {"media": "iso_a4_210x297mm", "margins": {"top": 423, "left": 423, "bottom": 423, "right": 423}}


def worker(task, files, request):
    """A print-worker that is started for one request, including startup and sandbox."""
    line = json.dumps({"files": files, "task": {task: {"_0": request}}}) + "\n"
    user = ["--become=65534:65534"] if os.geteuid() == 0 else []  # it does not read documents as root
    return run([program("print-worker"), *user], line=line.encode())


def prepare(source, folder, pages="1-", number_up=1, scaling="auto"):
    imposition = {"pageRanges": pages, "pageOrder": "same-order", "copies": 1, "collated": True,
                  "numberUp": {"count": number_up, "layout": "toright-tobottom", "border": False},
                  "paper": A4, "scaling": scaling, "duplex": "one-sided", "firstImpression": 1}
    files = {"documents": [{"path": source, "format": "application/pdf"}],
             "output": {"folder": folder, "file": os.path.join(folder, "prepared.pdf")}}
    return worker("prepare", files, {"documents": [], "imposition": imposition, "output": "", "requiresFidelity": False})


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


def book():
    """Returns the manual of zsh, 480 pages made by TeX."""
    return foreign.document("zsh-doc", "zsh-common/zsh.pdf")


def illustrated_book():
    """Returns the manual of a kit for experiments, 130 pages with 237 images made by TeX."""
    return foreign.document("expeyes-doc-en", "usr/share/expeyes/doc/en-eyes.pdf")


def bench_pages(folder, runs):
    """Measures the time from `printq submit` to the last page image, at a simulated printer that prints instantly."""
    compare_pages(os.path.join(folder, "book"), "pages: a book", book(), runs, at_least=45)
    compare_pages(os.path.join(folder, "illustrated"), "pages: a book with images", illustrated_book(), runs)


def compare_pages(folder, name, source, runs, at_least=None):
    theirs = os.path.join(folder, "theirs")
    os.makedirs(theirs)
    with Spooler(os.path.join(folder, "spool"), paused=False, arguments=["--simulator-speed", "instant"]) as spooler:
        env = dict(os.environ, PRINTQ_SPOOL=spooler.folder)
        job = [program("printq"), "submit", "--wait", "-d", spooler.printer, source]
        run(job, env=env)  # starts the simulated printer
        peer = ["pdftoppm", "-png", "-r", "100", source, os.path.join(theirs, "p")]

        def timed(command):
            os.sync()  # a submission is forced onto the disk, and would wait for the images of the run before
            return run(command, env=env)[0]

        times = in_turn({"ours": lambda: timed(job), "peer": lambda: timed(peer)}, runs)
        ours = show(f"{name}, from submission to the last image", times["ours"], "s")
        theirs_seconds = show(f"{name}, pdftoppm -png", times["peer"], "s")
        if at_least is None:
            ratio(f"{name}, times as fast as pdftoppm -png", theirs_seconds / ours)
        else:
            judge(f"{name}, times as fast as pdftoppm -png", theirs_seconds / ours, at_least=at_least)
        output = os.path.join(spooler.folder, "output", spooler.printer, "job-000001")
        images = [os.path.join(output, name) for name in os.listdir(output) if name.endswith(".png")]
        peers = [os.path.join(theirs, name) for name in os.listdir(theirs)]
        if len(images) != len(peers):
            raise RuntimeError(f"{len(images)} page images, but pdftoppm made {len(peers)}")
        size = lambda paths: sum(map(os.path.getsize, paths))
        ratio(f"{name}, size of the images / pdftoppm", size(images) / size(peers),
              f"({size(images)} bytes, {size(peers)} bytes)")


def bench_raster(folder, runs):
    """Measures raster data at 600 dpi on one processor, as for a printer that does not accept PDF."""
    source, pages = book(), "1-40"
    first, last = pages.split("-")
    for name, format, device in (("PWG", "image/pwg-raster", "pwgraster"), ("URF", "image/urf", "appleraster")):
        for colors, kind, space in (("color", "srgb_8", 19), ("gray", "sgray_8", 18)):
            ours = [*ONE_PROCESSOR, test_program("raster-load"), program("print-worker"), source, pages, "600", format,
                    kind, folder]
            peer = [*ONE_PROCESSOR, "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", f"-sDEVICE={device}", "-r600",
                    f"-dcupsColorSpace={space}", "-dcupsBitsPerColor=8", "-sPAPERSIZE=a4", "-dFIXEDMEDIA",
                    f"-dFirstPage={first}", f"-dLastPage={last}", "-o", os.path.join(folder, "peer.ras"), source]
            pair(f"raster: {name}, {colors} | Ghostscript", lambda: run(ours), lambda: run(peer), runs, peer_runs=3)


BENCHMARKS = {"range": bench_range, "two-up": bench_two_up, "pages": bench_pages, "raster": bench_raster}
