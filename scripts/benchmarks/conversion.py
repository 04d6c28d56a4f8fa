"""Documents of different types from `printq submit` to the prepared PDF, beside the plain tools."""
import os
import subprocess

from .documents import text_file, text_pdf
from .measure import pair, run
from .programs import ROOT, program
from .spooler import Spooler


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
    pages = text_pdf(folder, 50)
    postscript = os.path.join(folder, "pages.ps")
    subprocess.run(["pdftops", pages, postscript], check=True)
    html = os.path.join(folder, "page.html")
    with open(html, "w") as file:
        rows = "".join(f"<tr><td>{n}</td><td>The quick brown fox</td><td>{n * n}</td></tr>" for n in range(400))
        file.write(f"<!DOCTYPE html><html><body><h1>Report</h1><table>{rows}</table></body></html>")
    image = os.path.join(folder, "photo.png")
    subprocess.run(["convert", "-size", "3000x2000", "plasma:red-blue", image], check=True)
    return {"txt": text, "ps": postscript, "html": html, "png": image, "docx": os.path.join(samples, "sample.docx")}


def peers(folder, samples):
    """The command that makes a PDF of each sample without printq: name → command."""
    output = os.path.join(folder, "peer.pdf")
    profile = os.path.join(folder, "profile")
    return {
        "txt": ["paps", "--font=DejaVu Sans Mono 10", samples["txt"]],
        "ps": ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={output}", samples["ps"]],
        "html": [os.path.join(html_engine(), "bin", "python"), "-m", "weasyprint", samples["html"], output],
        "png": ["img2pdf", "-o", output, samples["png"]],
        "docx": ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "pdf", "--outdir",
                 folder, samples["docx"]],
    }


def bench_documents(folder, runs):
    """Each type beside its plain tool; the targets are 1.1, and 0.5 for Office."""
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
                return run(tools[name], stdout=output, env=dict(os.environ, LC_ALL="C.UTF-8"))

        def submit(path):
            return run([program("printq"), "submit", "--wait", "--no-keep", "-d", "results", path], env=environment)

        for name, path in samples.items():
            submit(path)  # starts the converter, which waits for the next document afterwards
            pair(f"documents: {name}", lambda path=path: submit(path), lambda name=name: peer(name), runs)


BENCHMARKS = {"documents": bench_documents}
