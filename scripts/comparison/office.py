"""Compares the pages that printq makes of Office documents with those of the command soffice.

Both use the same LibreOffice, but printq identifies the documents, and loads them in a sandbox without questions. The
report lists the documents that soffice prints and printq refuses, and the documents with other page counts. With --all,
documents of other types are printed too, for the table of --table. Exit status: 0 if the file of --exceptions contains
every listed document, otherwise 1.
"""
import argparse
import collections
import os
import re
import shutil
import tempfile

from . import conversions, programs
from .conversions import SECONDS
from .foreign import OFFICE_ENDINGS
from .processes import Run

LISTED = ("refused", "pages differ")


def main():
    parser = argparse.ArgumentParser(
        prog="compare-office", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    conversions.add_options(parser)
    parser.add_argument("--all", action="store_true", help="also documents of other types, without soffice")
    arguments = parser.parse_args()
    place = programs.folder(arguments)
    found = conversions.find(
        arguments.sources, lambda ending: ending in OFFICE_ENDINGS or arguments.all and ending, arguments.most)
    results = conversions.compare(found, arguments, lambda batch, work: _compare(batch, place, work))
    exceptions = conversions.exceptions(arguments.exceptions)
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write("\n".join(_table(results, exceptions)) + "\n")
    return conversions.report(results, LISTED, exceptions, "soffice")


def _compare(batch, place, work):
    """Returns a result for each document of a batch."""
    theirs, ours = _soffice(batch, work), conversions.printq(batch, place, work)
    results = []
    for path, name in batch:
        answer = ours.get(path, {"message": "no answer"})
        result = {"file": name, "soffice": theirs.get(path), "printq": answer.get("pages"),
                  "notices": answer.get("notices", []), "message": answer.get("message", ""),
                  "detail": answer.get("detail", "")}
        result["verdict"] = _verdict(result) if _is_office(name) else "other type"
        results.append(result)
    return results


def _verdict(result):
    theirs, ours = result["soffice"], result["printq"]
    if theirs is None:
        return "neither" if ours is None else "only printq"
    return "refused" if ours is None else "equal" if ours == theirs else "pages differ"


def _is_office(name):
    return name.lower().endswith(OFFICE_ENDINGS)


def _soffice(batch, work):
    """Returns the page counts of the documents that soffice converts: first together, then the others one by one."""
    counts = {}
    batch = [document for document in batch if _is_office(document[1])]
    for group in [batch] + [[document] for document in batch]:
        rest = [path for path, _ in group if path not in counts]
        if not rest:
            continue
        inputs = tempfile.mkdtemp(dir=work)
        copies = {}
        for index, path in enumerate(rest):
            copies[path] = os.path.join(inputs, f"{index}{os.path.splitext(path)[1].lower()}")
            shutil.copy(path, copies[path])
        Run(["soffice", f"-env:UserInstallation=file://{work}/profile", "--headless", "--norestore", "--convert-to", "pdf",
             "--outdir", inputs, *copies.values()], SECONDS * len(rest))
        for path, copy in copies.items():
            pages = re.search(r"^Pages: +(\d+)", Run(["pdfinfo", os.path.splitext(copy)[0] + ".pdf"], SECONDS).output,
                              re.MULTILINE)
            if pages:
                counts[path] = int(pages[1])
        shutil.rmtree(inputs)
    return counts


def _table(results, exceptions):
    """Returns a page of Markdown: a table of the types, and the exceptions."""
    groups = collections.defaultdict(list)
    for result in results:
        groups[os.path.splitext(result["file"])[1].lower()[1:]].append(result)
    yield "# Documents of other projects\n"
    yield ("Written by `scripts/compare-office --all --table`. \"Right\" means printed without a warning; for Office "
           "documents, the\nnumber of pages is that of `soffice`, except for the documents at the end. A refused document "
           "is refused when it is\nsubmitted, or its job is aborted, with this reason.\n")
    yield "| Ending | Documents | Right | With a warning | Refused | Reasons |\n|---|---|---|---|---|---|"
    for ending in sorted(groups, key=lambda ending: ("." + ending not in OFFICE_ENDINGS, ending)):
        group = groups[ending]
        refused = [result for result in group if result["printq"] is None]
        warned = [result for result in group if result["printq"] is not None and result["notices"]]
        reasons = collections.Counter(_reason(result) for result in refused)
        texts = "; ".join(f"{reason} ({count})" if count > 1 else reason for reason, count in reasons.most_common(4))
        yield (f"| {ending} | {len(group)} | {len(group) - len(refused) - len(warned)} | {len(warned)} | {len(refused)} | "
               f"{texts} |")
    listed = [result for result in results if result["verdict"] in LISTED]
    counts = collections.Counter(result["verdict"] for result in results if _is_office(result["file"]))
    yield ("\nOffice documents compared with `soffice`: "
           + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) + ".")
    if listed:
        yield "\n| Office document | soffice | printq | Reason |\n|---|---|---|---|"
    for result in listed:
        reason = exceptions.get(result["file"]) or result["message"]
        yield f"| {result['file']} | {result['soffice']} | {result['printq'] or 'refused'} | {reason} |"


def _reason(result):
    """Returns the reason of a refusal without the name of the document."""
    text = result["message"]
    for name in (os.path.basename(result["file"]), "'", "the document"):
        text = text.replace(name, "")
    text = re.split(r"; | \(", text.strip(" :"))[0] if "unsupported" not in text else text.split(";")[0].strip(" :")
    return re.sub(r"\s+", " ", text).strip(" :")
