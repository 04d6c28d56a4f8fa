"""Documents of different types from `printq submit` to the prepared PDF, beside the plain tools."""
import os
import sqlite3
import subprocess
import time

from .documents import text_file, text_pdf
from .measure import in_turn, judge, run, show
from .programs import ROOT, program
from .spooler import Spooler

# The largest ratio of each type; 1.1 for other types.
MOST = {"txt": 1.05, "ps": 1.05, "docx": 0.5}


def html_engine():
    """The folder of the HTML engine."""
    folders = [os.environ.get("PRINTQ_HTML_ENGINE"), os.path.expanduser("~/.local/share/printq/html-engine"),
               "/usr/local/share/printq/html-engine"]
    return next(folder for folder in folders if folder and os.path.exists(folder))


def make_samples(folder):
    """One document for each measurement: name → path."""
    samples = os.path.join(folder, "samples")
    subprocess.run([os.path.join(ROOT, "scripts", "sample-documents"), samples, "docx", "png"], check=True)
    text = text_file(folder, 200)
    postscript = {}
    for count in (50, 200):
        postscript[count] = os.path.join(folder, f"pages-{count}.ps")
        subprocess.run(["pdftops", text_pdf(folder, count), postscript[count]], check=True)
    html = os.path.join(folder, "page.html")
    with open(html, "w") as file:
        rows = "".join(f"<tr><td>{n}</td><td>The quick brown fox</td><td>{n * n}</td></tr>" for n in range(400))
        file.write(f"<!DOCTYPE html><html><body><h1>Report</h1><table>{rows}</table></body></html>")
    image = os.path.join(folder, "photo.png")
    subprocess.run(["convert", "-size", "3000x2000", "plasma:red-blue", image], check=True)
    return {"txt": text, "ps, 50 pages": postscript[50], "ps, 200 pages": postscript[200], "html": html, "png": image,
            "docx": os.path.join(samples, "sample.docx")}


def peers(folder, samples):
    """The command that makes a PDF of each sample without printq: name → command."""
    output = os.path.join(folder, "peer.pdf")
    profile = os.path.join(folder, "profile")
    return {
        "txt": ["paps", "--font=DejaVu Sans Mono 10", samples["txt"]],
        **{name: ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={output}", path]
           for name, path in samples.items() if name.startswith("ps")},
        "html": [os.path.join(html_engine(), "bin", "python"), "-m", "weasyprint", samples["html"], output],
        "png": ["img2pdf", "-o", output, samples["png"]],
        "docx": ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "pdf", "--outdir",
                 folder, samples["docx"]],
    }


def prepared_at(spool):
    """Returns the time at which the newest job was prepared, in seconds since 1970."""
    database = sqlite3.connect(f"file:{os.path.join(spool, 'spool.sqlite')}?mode=ro", uri=True)
    try:
        row = database.execute(
            "SELECT time FROM events WHERE job_id = (SELECT max(id) FROM jobs) AND message = 'Prepared'").fetchone()
    finally:
        database.close()
    return row[0]


def bench_documents(folder, runs):
    """From `printq submit` to the prepared document, beside the plain tool."""
    samples = make_samples(folder)
    tools = peers(folder, samples)
    spool = os.path.join(folder, "spool")
    with Spooler(spool, paused=False) as server:
        environment = dict(os.environ, PRINTQ_SPOOL=spool)
        results = os.path.join(folder, "results")
        os.makedirs(results)
        run([program("printq"), "printers", "add", "results", f"folder:{results}"], env=environment)

        def peer(name):
            with open(os.path.join(folder, "peer.ps"), "wb") as output:
                return run(tools[name], stdout=output, env=dict(os.environ, LC_ALL="C.UTF-8"))[0]

        def submit(path):
            start = time.time()
            run([program("printq"), "submit", "--wait", "--no-keep", "-d", "results", path], env=environment)
            taken = prepared_at(spool) - start
            time.sleep(1)  # the next converter starts meanwhile, and must not slow down the peer
            return taken

        for name, path in samples.items():
            submit(path)  # starts the converter, which waits for the next document afterwards
            found = in_turn({"ours": lambda: submit(path), "peer": lambda: peer(name)}, runs)
            ours = show(f"documents: {name}, printq", found["ours"], "s")
            theirs = show(f"documents: {name}, {os.path.basename(tools[name][0])}", found["peer"], "s")
            judge(f"documents: {name}, ratio", ours / theirs, at_most=MOST.get(name.split(",")[0], 1.1))


BENCHMARKS = {"documents": bench_documents}
