"""The report: a table, JSON, and a page of HTML with the images side by side."""
import collections
import html
import json
import os

from .documents import LISTED

STYLE = """body{font:14px sans-serif;margin:2em}figure{display:inline-block;margin:0 8px 0 0;vertical-align:top}
figure img{max-width:320px;border:1px solid #999}section{margin:0 0 2em}h2{font-size:16px;margin:0 0 4px}
.reviewed{opacity:.6}p{margin:0 0 6px}"""


class Report:
    """The results for all documents."""

    def __init__(self, results, reviewed):
        self.results = results
        self.listed = []
        self.verdicts = collections.Counter()
        for result in results:
            for row in result["rows"]:
                self.verdicts[row["verdict"]] += 1
                if row["verdict"] in LISTED:
                    self.listed.append({"file": result["file"], "digest": result["digest"], **row,
                                        "cause": reviewed.cause(result["file"], row["page"])})
        self.listed.sort(key=lambda row: (-(row.get("against") or 100), row["file"], row["page"]))
        self.unused = reviewed.unused({result["file"] for result in results})

    @property
    def unreviewed(self):
        """The listed pages that no person has reviewed."""
        return [row for row in self.listed if row["cause"] is None]

    def table(self, is_verbose):
        """Returns the report as lines of text."""
        rows = self.listed
        if is_verbose:
            rows = [{"file": result["file"], "cause": None, **row} for result in self.results for row in result["rows"]]
        lines = []
        if rows:
            lines.append(f"{'verdict':8} {'layout':7} {'page':>5} {'-PDFium':>8} {'-MuPDF':>8} {'between':>8} "
                         f"{'against':>8}  file")
        for row in rows:
            lines.append(f"{row['verdict']:8} {row['layout']:7} {row['page']:5} {_percent(row, 'pdfium')} "
                         f"{_percent(row, 'mupdf')} {_percent(row, 'between')} {_percent(row, 'against')}  {row['file']}")
            lines += [f"{'':10}{name}: {reason}" for name, reason in row["reasons"].items()]
            if row["cause"]:
                lines.append(f"{'':10}reviewed: {row['cause']}")
        for entry in self.unused:
            lines.append(f"no longer listed: {entry['file']}, pages {entry['pages']}: {entry['cause']}")
        counts = ", ".join(f"{self.verdicts[name]} {name}" for name in
                           ("alike", "unsure", "alone", "none", "differs", "suspect", "refused"))
        lines.append(f"{len(self.results)} documents, {sum(self.verdicts.values())} pages: {counts}")
        lines.append(f"{len(self.listed)} pages are listed, {len(self.unreviewed)} of them not reviewed")
        return lines

    def json(self):
        """Returns the report as values for JSON."""
        return {"documents": len(self.results), "verdicts": dict(self.verdicts), "listed": self.listed,
                "unreviewed": len(self.unreviewed), "unused": self.unused,
                "results": [{key: result[key] for key in ("file", "pages", "notices", "rows")} for result in self.results]}

    def markdown(self):
        """Returns a page of Markdown: a table of the collections, and the listed pages with their causes."""
        groups = collections.defaultdict(collections.Counter)
        for result in self.results:
            name = result["file"].split(os.sep)[0]
            groups[name]["documents"] += 1
            groups[name].update(row["verdict"] for row in result["rows"])
        verdicts = ("alike", "unsure", "alone", "none", *LISTED)
        yield "# Pages of PDFs for tests of other programs\n"
        yield ("Written by `scripts/compare-pages --table`, which explains the verdicts with `--help`. Each listed page has "
               "a\ncause.\n")
        yield f"| Collection | Documents | {' | '.join(name.capitalize() for name in verdicts)} |"
        yield "|---" * (2 + len(verdicts)) + "|"
        for name, counts in sorted(groups.items()):
            yield f"| {name} | {counts['documents']} | {' | '.join(str(counts[verdict]) for verdict in verdicts)} |"
        if self.listed:
            yield "\n| Page | Verdict | Cause |\n|---|---|---|"
        for row in sorted(self.listed, key=lambda row: (row["file"], row["page"])):
            yield f"| {row['file']}, page {row['page']} | {row['verdict']} | {row['cause'] or 'not reviewed'} |"

    def write(self, folder, most_images):
        """Writes report.json and report.html, and removes images of pages that are not listed."""
        with open(os.path.join(folder, "report.json"), "w") as file:
            json.dump(self.json(), file, indent=1)
        shown = self.listed[:most_images]
        bases = {_base(row) for row in shown}
        for name in os.listdir(os.path.join(folder, "images")):
            if name.rsplit("-", 1)[0] not in bases:
                os.remove(os.path.join(folder, "images", name))
        with open(os.path.join(folder, "report.html"), "w") as file:
            file.write(f"<!doctype html><meta charset=utf-8><title>compare-pages</title><style>{STYLE}</style>\n")
            file.write(f"<h1>{html.escape(self.table(False)[-1])}</h1>\n")
            file.writelines(_section(row, folder) for row in shown)


def _section(row, folder):
    numbers = ", ".join(f"{label} {row[key]} %" for key, label in
                        (("pdfium", "from PDFium"), ("mupdf", "from MuPDF"), ("between", "between both"),
                         ("against", "against both")) if key in row)
    words = [numbers, *(f"{name}: {reason}" for name, reason in row["reasons"].items())]
    if row["cause"]:
        words.append(f"reviewed: {row['cause']}")
    figures = "".join(
        f"<figure><img loading=lazy src='images/{_base(row)}-{name}.jpg'><figcaption>{name}</figcaption></figure>"
        for name in ("printq", "pdfium", "mupdf", "difference")
        if os.path.exists(os.path.join(folder, "images", f"{_base(row)}-{name}.jpg")))
    title = html.escape(f"{row['verdict']}: {row['file']}, page {row['page']}, {row['layout']}")
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in words if text)
    return f"<section class={'reviewed' if row['cause'] else 'new'}><h2>{title}</h2>{paragraphs}{figures}</section>\n"


def _base(row):
    return f"{row['digest']}-{row['layout']}-{row['page']}"


def _percent(row, key):
    return f"{row[key]:8.2f}" if key in row else f"{'':8}"
