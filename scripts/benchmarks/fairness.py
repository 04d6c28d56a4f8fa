"""Measures a small job for an idle printer while large documents for other printers are processed."""
import json
import os
import subprocess
import threading
import time
import zlib

from .documents import small_pdf
from .measure import in_turn, judge, show
from .programs import program
from .spooler import Spooler

LARGE = 34 << 20
BUSY = ("mono-laser", "inkjet", "inkjet-duplex")
PRINTER = "photo"


def pixels_pdf(folder, size, pages=40):
    """Creates a PDF of `size` bytes with an incompressible image on each page."""
    path = os.path.join(folder, "pixels.pdf")
    side = int((size / pages / 3) ** 0.5)
    offsets, bodies = [], [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % (3 + 3 * page) for page in range(pages)), pages)]
    content = b"q 500 0 0 700 50 70 cm /I Do Q"
    for page in range(pages):
        data = zlib.compress(os.urandom(side * side * 3), 1)
        number = 3 + 3 * page
        bodies += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /XObject << /I %d 0 R >> >> >>" % (number + 1, number + 2),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
            b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (side, side, len(data), data),
        ]
    with open(path, "wb") as file:
        file.write(b"%PDF-1.4\n")
        for number, body in enumerate(bodies, 1):
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        table = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1))
        file.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
        file.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, table))
    return path


def bench_fairness(folder, runs):
    """Measures a small job on an idle printer, with and without three documents of 34 MB for other printers."""
    small, large = small_pdf(folder), pixels_pdf(folder, LARGE)
    with Spooler(os.path.join(folder, "spool"), paused=False,
                 arguments=["--simulator-speed", "instant"]) as spooler:
        command = [program("printq"), "submit", "--spool", spooler.folder, "--no-keep"]

        def submit(printer, document):
            subprocess.run(command + ["--wait", "-d", printer, document], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)

        def timed():
            start = time.perf_counter()
            submit(PRINTER, small)
            return time.perf_counter() - start

        def busy():
            """Returns the printers that have an unfinished job."""
            found = subprocess.run([program("printq"), "queue", "--spool", spooler.folder, "--json"], check=True,
                                   stdout=subprocess.PIPE).stdout
            return {job["job-printer-uri"].rpartition("/")[2] for job in json.loads(found)}

        def beside():
            threads = [threading.Thread(target=submit, args=(printer, large)) for printer in BUSY]
            for thread in threads:
                thread.start()
            while not busy() >= set(BUSY):
                time.sleep(0.01)
            taken = timed()
            overtaken = sum(thread.is_alive() for thread in threads)
            for thread in threads:
                thread.join()
            waited.append(overtaken)
            return taken

        waited = []
        timed()  # the simulated printers have started
        found = in_turn({"alone": timed, "beside": beside}, runs)
    alone = show("fairness: a small job, alone", found["alone"], "s")
    other = show(f"fairness: during {len(BUSY)} documents of 34 MB", found["beside"], "s")
    show("fairness: large jobs overtaken by the small job", waited, "jobs")
    judge("fairness: during large documents / alone", other / alone, at_most=4)


BENCHMARKS = {"fairness": bench_fairness}
