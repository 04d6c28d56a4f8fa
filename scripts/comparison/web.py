"""Compares the pages that printq makes of HTML with the PDFs that Chromium makes of the same files.

Both get the file alone, without scripts and without the network. The engines place lines differently, so only the text
and the number of pages are compared. The report lists the documents that Chromium prints and printq refuses, those that
lack words (--words), and those with more or fewer pages (--pages). Text outside of a page counts as missing. Exit
status: 0 if the file of --exceptions contains every listed document, otherwise 1.
"""
import argparse
import collections
import os
import re
import shutil
import unicodedata

from . import conversions, programs
from .conversions import SECONDS
from .processes import Run

LISTED = ("refused", "words lack", "pages differ")
CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            "--host-resolver-rules=MAP * ~NOTFOUND")
HEAD = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
POLICY = b"""<meta http-equiv="Content-Security-Policy" content="script-src 'none'" />"""
FEWEST = 3  # words that make a difference; numbers of lists are counted as parts of other words


def main():
    parser = argparse.ArgumentParser(
        prog="compare-html", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    conversions.add_options(parser)
    parser.add_argument("--words", type=float, default=0.5, metavar="PERCENT",
                        help="the most words of a document that printq may lack (default: 0.5)")
    parser.add_argument("--largest", type=int, default=250, metavar="KB",
                        help="leave out larger documents, which take minutes (default: 250)")
    parser.add_argument("--pages", type=float, default=40, metavar="PERCENT",
                        help="the most pages that a document may have more or fewer, besides one page (default: 40)")
    arguments = parser.parse_args()
    place = programs.folder(arguments)
    found = conversions.find(arguments.sources, (".html", ".htm", ".xhtml").__contains__, arguments.most, by_folder=True)
    found = [document for document in found if os.path.getsize(document[0]) <= arguments.largest * 1000]
    results = conversions.compare(found, arguments, lambda batch, work: _compare(batch, place, work, arguments))
    exceptions = conversions.exceptions(arguments.exceptions)
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write("\n".join(_table(results, exceptions)) + "\n")
    return conversions.report(results, LISTED, exceptions, "chromium")


def _compare(batch, place, work, limits):
    """Returns a result for each document of a batch."""
    ours = conversions.printq(batch, place, work, keeps_pdfs=True)
    results = []
    for index, (path, name) in enumerate(batch):
        answer = ours.get(path, {"message": "no answer"})
        theirs = _chromium(path, os.path.join(work, f"{index}"))
        result = {"file": name, "chromium": _pages(theirs), "printq": answer.get("pages"),
                  "notices": answer.get("notices", []), "message": answer.get("message", ""),
                  "detail": answer.get("detail", "")}
        result["verdict"] = _verdict(result, theirs, answer.get("pdf"), limits)
        results.append(result)
    return results


def _chromium(path, folder):
    """Lets Chromium print a copy of a file, so that Chromium finds no other files; returns the path of the PDF."""
    os.makedirs(folder)
    copy, pdf = os.path.join(folder, "page" + os.path.splitext(path)[1].lower()), os.path.join(folder, "page.pdf")
    with open(path, "rb") as source, open(copy, "wb") as file:
        file.write(HEAD.sub(rb"\g<0>" + POLICY, source.read(), count=1))
    # Chromium reserves more addresses than the limit of memory allows.
    Run([*CHROMIUM, f"--user-data-dir={folder}/profile", f"--print-to-pdf={pdf}", f"file://{copy}"], SECONDS, limited=False)
    shutil.rmtree(os.path.join(folder, "profile"), ignore_errors=True)
    return pdf


def _pages(pdf):
    pages = re.search(r"^Pages: +(\d+)", Run(["pdfinfo", pdf], SECONDS).output, re.MULTILINE)
    return int(pages[1]) if pages else None


def _verdict(result, theirs, ours, limits):
    """Returns the verdict on a document; the message of the result then contains the missing words."""
    count, other = result["printq"], result["chromium"]
    if other is None:
        return "neither" if count is None else "only printq"
    if count is None:
        return "refused"
    words, missing = missing_words(_text(theirs), _text(ours))
    if len(missing) >= FEWEST and len(missing) * 100 > limits.words * words:
        result["message"] = f"{len(missing)} of {words} words lack, such as: {' '.join(missing[:12])}"
        return "words lack"
    # A few lines more make another page.
    if abs(count - other) > 1 + other * limits.pages / 100:
        return "pages differ"
    return "alike"


def _table(results, exceptions):
    """Returns a page of Markdown: a table of the packages, and the exceptions."""
    groups = collections.defaultdict(collections.Counter)
    for result in results:
        groups[result["file"].split(os.sep)[0]][result["verdict"]] += 1
    yield "# HTML of other projects\n"
    yield ("Written by `scripts/compare-html --table`, for documents of Debian's `-doc` packages. \"Alike\" means that the "
           "pages\nhave all words of Chromium's PDF, and about as many pages.\n")
    yield "| Package | Documents | Alike | Words lack | Pages differ | Refused | Not printed by Chromium |"
    yield "|---|---|---|---|---|---|---|"
    for name, counts in sorted(groups.items()):
        others = counts["neither"] + counts["only printq"]
        columns = (counts.total(), counts["alike"], *(counts[verdict] for verdict in LISTED[1:]), counts["refused"], others)
        yield f"| {name} | {' | '.join(map(str, columns))} |"
    listed = [result for result in results if result["verdict"] in LISTED]
    if listed:
        yield "\n| Document | Pages of Chromium | Pages | Reason |\n|---|---|---|---|"
    for result in listed:
        reason = exceptions.get(result["file"]) or result["message"] or result["verdict"]
        yield f"| {result['file']} | {result['chromium']} | {result['printq'] or 'refused'} | {reason} |"


def _text(pdf):
    """Returns the text in the order of drawing, in which the lines of a cell follow each other."""
    return unicodedata.normalize("NFKC", Run(["pdftotext", "-raw", "-enc", "UTF-8", pdf, "-"], SECONDS).output)


def missing_words(theirs, ours):
    """Returns the number of words of a text, and the words that another text does not contain as often.

    A word that the other text divides at the end of a line or of a cell is not missing.
    """
    wanted, present = collections.Counter(_words(theirs)), collections.Counter(_words(ours))
    joined = "".join(_words(ours))
    missing = [word for word, count in (wanted - present).items() for _ in range(count)
               if joined.count(word) < wanted[word]]
    return wanted.total(), missing


def _words(text):
    return re.findall(r"\w+", text)
